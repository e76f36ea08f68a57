// SPDX-License-Identifier: Apache-2.0
// The routes that are answered from rollups, against a server over a catalog made by hand: which
// chunks count, for each way to choose them; and what they refuse. The numbers of an answer are in
// test_heatmap.c and test_service_list.c.

#include "support/spoil_table.h"
#include "unit/collector/ask/ask_fixture.h"

#include "collector/store/catalog/catalog_days.h"
#include "common/rollup/rollup.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t MINUTE = 60000000000;
static const int64_t T0 = 1767323040000000000; // 2026-01-02T03:04:00Z, no border of an hour

// add_at stores a chunk, with as many contexts of 100 ns, and a request of 200 ns.
static void
add_at(const http_fixture *f, catalog_session *session, int64_t start_ns, int64_t duration_ns,
    unsigned count)
{
    rollup contexts;
    rollup_init(&contexts);
    rollup_type *type = rollup_add_type(&contexts, "shop.Request");
    assert_non_null(type);
    for (unsigned i = 0; i < count; i++) {
        histogram_add(&type->numbers.all, &contexts.arena, 100);
    }
    const rollup_exemplar kept = {.duration_ns = 100, .ref = {.begin = 1, .hash = 2}};
    rollup_add_exemplar(&contexts, type, &kept);
    rollup_type *request = rollup_add_type_of(&contexts, ROLLUP_REQUESTS, "shop.Request");
    assert_non_null(request);
    histogram_add(&request->numbers.all, &contexts.arena, 200);
    const catalog_chunk chunk = {
        .ordinal = session->next_chunk++,
        .start_wall_ns = start_ns,
        .duration_ns = duration_ns,
        .types_json = "{\"shop.Request\":{\"in\":9,\"out\":2,\"dropped\":{\"select\":7}}}",
        .rollup = &contexts,
    };
    assert_int_equal(catalog_add_chunk(f->catalog, session, &chunk, (lp_slice){0}), LP_OK);
    rollup_fini(&contexts);
}

// add_sliced stores a chunk of a minute whose slices of 5 s have 1, 2, 3.. contexts.
static void
add_sliced(const http_fixture *f, catalog_session *session, int64_t start_ns)
{
    rollup contexts;
    rollup_init(&contexts);
    rollup_type *type = rollup_add_type(&contexts, "shop.Request");
    contexts.slice_ns = 5 * (MINUTE / 60);
    for (unsigned i = 0; i < 12; i++) {
        rollup_slice *slice =
            rollup_add_slice(&contexts, type, start_ns + (int64_t)i * contexts.slice_ns);
        assert_non_null(slice);
        for (unsigned k = 0; k <= i; k++) {
            histogram_add(&type->numbers.all, &contexts.arena, 100);
            histogram_add(&slice->all, &contexts.arena, 100);
        }
    }
    const rollup_exemplar kept = {
        .duration_ns = 100, .begin_wall_ns = start_ns, .ref = {.begin = 1, .hash = 2}};
    rollup_add_exemplar(&contexts, type, &kept);
    const catalog_chunk chunk = {
        .ordinal = session->next_chunk++,
        .start_wall_ns = start_ns,
        .duration_ns = MINUTE,
        .types_json = "{}",
        .rollup = &contexts,
    };
    assert_int_equal(catalog_add_chunk(f->catalog, session, &chunk, (lp_slice){0}), LP_OK);
    rollup_fini(&contexts);
}

// add stores a chunk without a length that starts so many minutes after T0.
static void
add(const http_fixture *f, catalog_session *session, int64_t minute, unsigned count)
{
    add_at(f, session, T0 + minute * MINUTE, 0, count);
}

// Two JVMs of shop and one of bank.
static void
add_all(http_fixture *f)
{
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "shop");
    catalog_session c = http_fixture_session('c', "bank");
    b.instance = (char *)(uintptr_t) "other:2";
    b.version = (char *)(uintptr_t) "1.2";
    a.start_wall_ns = b.start_wall_ns = c.start_wall_ns = T0;
    a.end_wall_ns = b.end_wall_ns = c.end_wall_ns = T0 + 100 * MINUTE;
    add(f, &a, 0, 1);
    add(f, &a, 1, 10);
    add(f, &a, 59, 100);
    add(f, &b, 0, 1000);
    add(f, &c, 1, 10000);
}

#define HEATMAP "/api/v1/contexts/heatmap?"
#define HOUR    "from=2026-01-02T03:04:00Z&to=2026-01-02T04:04:00Z"

static int64_t
number(const json_t *json, const char *name)
{
    return json_integer_value(json_object_get(json, name));
}

static void
test_the_heat_map_is_of_the_chunks_that_are_asked_for(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    static const struct {
        const char *path;
        int all;
    } cases[] = {
        {HEATMAP HOUR, 11111}, {HEATMAP HOUR "&columns=2", 11111},
        {HEATMAP HOUR "&columns=1", 11111}, {HEATMAP HOUR "&service=shop", 1111},
        {HEATMAP HOUR "&service=shop&columns=3", 1111}, {HEATMAP HOUR "&instance=other:2", 1000},
        {HEATMAP HOUR "&version=1.2", 1000}, {HEATMAP HOUR "&version=&service=shop", 111},
        {HEATMAP HOUR "&version=1.3", 0},
        {HEATMAP HOUR "&recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 111},
        {HEATMAP HOUR "&recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&service=bank", 0},
        {HEATMAP HOUR "&context=Request", 11111}, {HEATMAP HOUR "&context=Other", 0},
        {HEATMAP HOUR "&where=path=/a", 0}, {HEATMAP HOUR "&unit=contexts", 11111},
        {HEATMAP HOUR "&unit=requests", 5}, {HEATMAP HOUR "&unit=requests&service=shop", 4},
        {HEATMAP "from=2026-01-02T03:04:00Z&to=2026-01-02T03:05:00Z", 1001},
        {HEATMAP "from=2026-01-02T03:04:00Z&to=2026-01-02T04:03:00Z&columns=2", 11011},
        {HEATMAP "from=2026-01-02T03:04:01Z&to=2026-01-02T04:04:00Z&columns=2", 10110},
        {HEATMAP "from=2025-01-02T03:04:01Z&to=2026-11-02T04:04:00Z", 11111},
        {HEATMAP "columns=5", 0}, // the last hour
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask_fixture_json(f, cases[i].path, 200);
        assert_int_equal(number(json, "all"), cases[i].all);
        json_decref(json);
    }
    json_t *json = ask_fixture_json(f, HEATMAP HOUR "&service=shop", 200);
    assert_string_equal(json_string_value(json_object_get(json, "t0_ns")), "1767323040000000000");
    const json_t *columns = json_object_get(json, "columns");
    assert_int_equal(json_array_size(columns), 60);
    char *text = json_dumps(json_array_get(columns, 59), JSON_COMPACT);
    assert_string_equal(text, "[[26,100,0]]"); // 2^(26/4) = 90.5, 2^(27/4) = 107.6
    free(text);
    text = json_dumps(json_array_get(json_object_get(json, "exemplars"), 2), JSON_COMPACT);
    assert_string_equal(text, "[59,26,\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"1-00000002\"]");
    free(text);
    json_decref(json);
}

// Each chunk is in the column of its middle, which is as long as the longest of them.
static void
test_the_heat_map_is_fine_where_chunks_are_short(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "bank");
    a.start_wall_ns = b.start_wall_ns = T0;
    a.end_wall_ns = b.end_wall_ns = T0 + 10 * MINUTE;
    for (int i = 0; i < 12; i++) {
        add_at(f, &a, T0 + i * MINUTE / 12, MINUTE / 12, 1u + (unsigned)i);
    }
    add_at(f, &b, T0, MINUTE, 1000);
    static const struct {
        const char *more;
        int step_s;
        size_t columns;
    } cases[] = {
        {"&service=shop", 60, 5},
        {"&service=shop&fine=0", 60, 5},
        {"&service=shop&fine=1", 5, 60},
        {"&service=shop&fine=1&columns=20", 15, 20},
        {"&service=bank&fine=1", 60, 5},
        {"&fine=1", 60, 5},
        {"&service=none&fine=1", 60, 5},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char path[256];
        (void)snprintf(path, sizeof(path), "%s%s%s", HEATMAP,
            "from=2026-01-02T03:04:00Z&to=2026-01-02T03:09:00Z", cases[i].more);
        json_t *json = ask_fixture_json(f, path, 200);
        assert_true(number(json, "step_ns") == cases[i].step_s * (MINUTE / 60));
        const json_t *columns = json_object_get(json, "columns");
        assert_int_equal(json_array_size(columns), cases[i].columns);
        if (cases[i].step_s == 5) {
            for (size_t k = 0; k < 12; k++) {
                const json_t *cell = json_array_get(json_array_get(columns, k), 0);
                assert_int_equal(json_integer_value(json_array_get(cell, 1)), 1 + k);
            }
        }
        json_decref(json);
    }
}

// Chunks of a minute: the second reaches out of the range, and its middle lies outside of it.
static void
test_the_heat_map_is_of_slices_where_chunks_have_them(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "shop");
    a.instance = (char *)(uintptr_t) "first";
    a.start_wall_ns = b.start_wall_ns = T0;
    a.end_wall_ns = b.end_wall_ns = T0 + 10 * MINUTE;
    add_sliced(f, &a, T0);
    add_sliced(f, &a, T0 + MINUTE);
    add_at(f, &b, T0, MINUTE, 1000);
    static const char of_first[] =
        HEATMAP "instance=first&service=shop&from=2026-01-02T03:04:00Z&to=2026-01-02T03:05:20Z";
    char path[256];
    (void)snprintf(path, sizeof(path), "%s&fine=1", of_first);
    json_t *json = ask_fixture_json(f, path, 200);
    assert_true(number(json, "step_ns") == 5 * (MINUTE / 60));
    assert_true(number(json, "all") == 78 + 10);
    const json_t *columns = json_object_get(json, "columns");
    assert_int_equal(json_array_size(columns), 16);
    for (size_t k = 0; k < 16; k++) {
        const json_t *cell = json_array_get(json_array_get(columns, k), 0);
        assert_int_equal(json_integer_value(json_array_get(cell, 1)), 1 + k % 12);
    }
    json_decref(json);
    // A border within a slice: that counts in one of the two ranges.
    json = ask_fixture_json(f,
        HEATMAP "instance=first&service=shop&fine=1"
                "&from=2026-01-02T03:04:00Z&to=2026-01-02T03:05:02Z",
        200);
    int64_t before = number(json, "all");
    json_decref(json);
    json = ask_fixture_json(f,
        HEATMAP "instance=first&service=shop&fine=1&exemplars=0"
                "&from=2026-01-02T03:05:02Z&to=2026-01-02T03:06:00Z",
        200);
    assert_true(before == 78 && number(json, "all") == 78);
    json_decref(json);
    json = ask_fixture_json(f, of_first, 200); // not fine: a chunk is where its middle lies
    assert_true(number(json, "step_ns") == MINUTE && number(json, "all") == 78);
    json_decref(json);
    // One chunk has none: nobody knows when its contexts began.
    json = ask_fixture_json(
        f, HEATMAP "service=shop&fine=1&from=2026-01-02T03:04:00Z&to=2026-01-02T03:09:00Z", 200);
    assert_true(number(json, "step_ns") == MINUTE && number(json, "all") == 2 * 78 + 1000);
    json_decref(json);
}

// Slices beside the columns are looked for, where there is such a time.
static void
test_the_heat_map_goes_to_the_ends_of_time(void **state)
{
    static const char *const times[] = {
        "from=9223372036700000000&to=9223372036800000000",
        "from=9223372036000000000&to=9223372036854775806",
        "from=1000000000000000&to=1000001000000000",
    };
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        char path[128];
        (void)snprintf(path, sizeof(path), "%sfine=1&%s", HEATMAP, times[i]);
        json_t *json = ask_fixture_json(*state, path, 200);
        assert_int_equal(number(json, "all"), 0);
        json_decref(json);
    }
}

static void
test_the_heat_map_comes_without_exemplars(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    json_t *with = ask_fixture_json(f, HEATMAP HOUR "&service=shop&exemplars=1", 200);
    json_t *without = ask_fixture_json(f, HEATMAP HOUR "&service=shop&exemplars=0", 200);
    assert_int_equal(json_array_size(json_object_get(with, "exemplars")), 3);
    assert_int_equal(json_array_size(json_object_get(without, "exemplars")), 0);
    assert_int_equal(json_array_clear(json_object_get(with, "exemplars")), 0);
    assert_true(json_equal(with, without));
    json_decref(with);
    json_decref(without);
    catalog_session d = http_fixture_session('d', "sliced");
    d.start_wall_ns = T0;
    d.end_wall_ns = T0 + MINUTE;
    add_sliced(f, &d, T0); // slices are stored with exemplars
    static const struct {
        const char *more;
        size_t count;
    } fine[] = {{"service=sliced", 1}, {"service=sliced&exemplars=0", 0}, {"exemplars=1", 0}};
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
        char path[256];
        (void)snprintf(path, sizeof(path), "%s%s&fine=1%s", HEATMAP, fine[i].more,
            "&from=2026-01-02T03:04:00Z&to=2026-01-02T03:09:00Z");
        json_t *json = ask_fixture_json(f, path, 200);
        assert_int_equal(json_array_size(json_object_get(json, "exemplars")), fine[i].count);
        json_decref(json);
    }
}

static void
test_services_are_answered_without_a_damaged_today(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    const catalog_day today = {.service = "shop", .day = 1, .bytes = 2};
    assert_int_equal(catalog_days_put(f->catalog, &today, 1, 1), LP_OK);
    for (unsigned i = 0; i < 2; i++) {
        json_t *json = ask_fixture_json(f, "/api/v1/services?" HOUR, 200);
        const json_t *shop = json_array_get(json_object_get(json, "services"), 1);
        assert_int_equal(number(shop, "contexts_in"), 1111);
        assert_int_equal(json_object_get(shop, "today") != NULL, i == 0);
        json_decref(json);
        if (i == 0) {
            spoil_table(f->catalog_path, "service_day");
        }
    }
}

#define COMPARE "/api/v1/compare?" HOUR "&service=shop"

static void
test_versions_are_compared(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    json_t *json = ask_fixture_json(f,
        COMPARE "&unit=contexts&version=&base_service=shop&base_version=1.2"
                "&base_from=2026-01-02T03:04:00Z&base_to=2026-01-02T04:04:00Z",
        200);
    const json_t *types = json_object_get(json, "types");
    assert_int_equal(json_array_size(types), 1);
    const json_t *type = json_array_get(types, 0);
    assert_int_equal(number(json_object_get(type, "here"), "count"), 111);
    assert_int_equal(number(json_object_get(type, "base"), "count"), 1000);
    json_decref(json);
}

static void
test_versions_are_those_of_a_service_in_a_time(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    catalog_session d = http_fixture_session('d', "shop");
    d.version = (char *)(uintptr_t) "1.1";
    d.start_wall_ns = T0 - 1000 * MINUTE;
    d.end_wall_ns = T0 - 900 * MINUTE; // 2026-01-01T12:04:00Z
    d.is_ended = true;
    add(f, &d, -1000, 1);
    static const struct {
        const char *query;
        const char *expected;
    } cases[] = {
        {HOUR "&service=shop",
            "[{\"version\":\"1.2\",\"jvms\":1,\"to_ns\":\"1767329040000000000\"}]"},
        {"from=2026-01-01T00:00:00Z&to=2026-01-02T04:04:00Z&service=shop",
            "[{\"version\":\"1.2\",\"jvms\":1,\"to_ns\":\"1767329040000000000\"},"
            "{\"version\":\"1.1\",\"jvms\":1,\"to_ns\":\"1767269040000000000\"}]"},
        {HOUR "&service=bank", "[]"}, {"service=shop", "[]"}, // the last hour
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char path[200];
        (void)snprintf(path, sizeof(path), "/api/v1/versions?%s", cases[i].query);
        json_t *json = ask_fixture_json(f, path, 200);
        char *text = json_dumps(json_object_get(json, "versions"), JSON_COMPACT);
        assert_string_equal(text, cases[i].expected);
        assert_true(json_is_false(json_object_get(json, "is_truncated")));
        free(text);
        json_decref(json);
    }
}

// In a day of columns of 24 minutes, and of sums of 2 minutes where the service is asked for.
static void
test_a_fresh_version_is_compared_by_its_own_time(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.version = (char *)(uintptr_t) "1.3";
    a.start_wall_ns = T0;
    a.end_wall_ns = T0 + 2 * MINUTE;
    add_at(f, &a, T0, MINUTE, 600);
    add_at(f, &a, T0 + MINUTE, MINUTE, 600);
    json_t *json = ask_fixture_json(f,
        "/api/v1/compare?unit=contexts&service=shop&version=1.3"
        "&from=2026-01-01T04:00:00Z&to=2026-01-02T04:00:00Z&base_service=shop"
        "&base_from=2026-01-01T04:00:00Z&base_to=2026-01-02T04:00:00Z",
        200);
    const json_t *type = json_array_get(json_object_get(json, "types"), 0);
    static const char *const sides[] = {"here", "base"};
    for (size_t i = 0; i < 2; i++) {
        const json_t *seconds = json_object_get(json_object_get(json, sides[i]), "seconds");
        const json_t *per_s = json_object_get(json_object_get(type, sides[i]), "per_s");
        assert_int_equal((int)json_real_value(seconds), 120);
        assert_int_equal((int)json_real_value(per_s), 10);
    }
    json_decref(json);
}

static void
test_services_are_those_with_jvms_in_the_time(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    json_t *json = ask_fixture_json(f, "/api/v1/services?" HOUR, 200);
    const json_t *services = json_object_get(json, "services");
    assert_int_equal(json_array_size(services), 2);
    const json_t *shop = json_array_get(services, 1);
    assert_string_equal(json_string_value(json_object_get(shop, "service")), "shop");
    assert_int_equal(number(shop, "jvms"), 2);
    char *versions = json_dumps(json_object_get(shop, "versions"), 0);
    assert_string_equal(versions, "[{\"version\": \"1.2\", \"jvms\": 1}]");
    free(versions);
    assert_int_equal(number(shop, "contexts_in"), 1111);
    const json_t *spark = json_object_get(shop, "spark");
    assert_int_equal(json_array_size(spark), 60);
    assert_true(json_is_null(json_array_get(spark, 30)));
    assert_true(json_is_integer(json_array_get(spark, 59)));
    json_decref(json);
    json = ask_fixture_json(f, "/api/v1/services", 200);
    assert_int_equal(json_array_size(json_object_get(json, "services")), 0);
    json_decref(json);
}

#define TYPES "/api/v1/contexts/types?"

static void
test_types_are_of_the_chunks_that_are_asked_for(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    static const struct {
        const char *path;
        int all;
    } cases[] = {
        {TYPES HOUR, 11111}, {TYPES HOUR "&service=shop", 1111},
        {TYPES HOUR "&service=shop&context=Request", 1111}, {TYPES HOUR "&instance=other:2", 1000},
        {TYPES HOUR "&recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 111},
        {TYPES "from=2026-01-02T03:04:00Z&to=2026-01-02T03:05:00Z", 1001},
        {TYPES "from=2025-01-02T03:04:01Z&to=2026-11-02T04:04:00Z", 11111},
        {TYPES HOUR "&context=Other", -1}, {TYPES, -1}, // the last hour
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask_fixture_json(f, cases[i].path, 200);
        const json_t *types = json_object_get(json, "types");
        assert_int_equal(json_array_size(types), cases[i].all < 0 ? 0 : 1);
        if (cases[i].all >= 0) {
            assert_int_equal(number(json_array_get(types, 0), "contexts_in"), cases[i].all);
        }
        json_decref(json);
    }
}

#define SERIES "/api/v1/requests/series?"

static void
test_series_are_of_the_chunks_that_are_asked_for(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    static const struct {
        const char *path;
        size_t columns; // 0: there is no type
        int64_t step_s;
        size_t filled;
    } cases[] = {
        {SERIES HOUR, 30, 120, 2}, {SERIES HOUR "&service=shop&key=path", 30, 120, 2},
        {SERIES HOUR "&service=bank", 30, 120, 1},
        {SERIES "from=2026-01-02T00:30:00Z&to=2026-01-02T08:00:00Z", 8, 3600, 2},
        {SERIES "from=2026-01-02T00:30:00Z&to=2026-01-02T08:00:00Z&instance=other:2", 8, 3600, 1},
        {SERIES HOUR "&context=Other", 0, 120, 0}, {SERIES, 0, 120, 0}, // the last hour
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask_fixture_json(f, cases[i].path, 200);
        assert_true(number(json, "step_ns") == cases[i].step_s * (MINUTE / 60));
        const json_t *spark =
            json_object_get(json_array_get(json_object_get(json, "types"), 0), "spark");
        assert_int_equal(json_array_size(spark), cases[i].columns);
        size_t filled = 0;
        for (size_t k = 0; k < json_array_size(spark); k++) {
            filled += json_is_integer(json_array_get(spark, k));
        }
        assert_int_equal(filled, cases[i].filled);
        json_decref(json);
    }
}

#define ACCOUNTING "/api/v1/accounting?"

// Each chunk has 9 events, of which 7 were dropped.
static void
test_the_accounting_is_of_the_chunks_that_are_asked_for(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    static const struct {
        const char *path;
        int recordings;
        int chunks;
    } cases[] = {
        {ACCOUNTING HOUR, 3, 5}, {ACCOUNTING HOUR "&service=shop", 2, 4},
        {ACCOUNTING HOUR "&instance=other:2", 1, 1},
        {ACCOUNTING HOUR "&recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, 3},
        {ACCOUNTING HOUR "&recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&service=bank", 0, 0},
        {ACCOUNTING HOUR "&recording=dddddddddddddddddddddddddddddddd", 0, 0},
        {ACCOUNTING "from=2026-01-02T03:05:00Z&to=2026-01-02T04:03:00Z", 3, 2},
        {ACCOUNTING "from=2026-01-02T03:05:01Z&to=2026-01-02T04:03:00Z", 3, 0},
        {ACCOUNTING, 0, 0}, // the last hour
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask_fixture_json(f, cases[i].path, 200);
        assert_int_equal(number(json, "recordings"), cases[i].recordings);
        assert_true(json_is_false(json_object_get(json, "is_truncated")));
        const json_t *types = json_object_get(json, "types");
        const json_t *type = json_object_get(types, "shop.Request");
        assert_int_equal(json_object_size(types), cases[i].chunks > 0 ? 1 : 0);
        assert_int_equal(number(type, "events_in"), 9 * cases[i].chunks);
        assert_int_equal(number(type, "offered"), 9 * cases[i].chunks);
        assert_int_equal(number(type, "kept"), 2 * cases[i].chunks);
        assert_int_equal(number(json_object_get(type, "dropped"), "select"), 7 * cases[i].chunks);
        json_decref(json);
    }
}

static void
test_names_of_types_may_be_any_bytes(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(f->catalog_path, &db), SQLITE_OK);
    const char *rename = "UPDATE chunk_type SET name = CAST(x'41ff42' AS TEXT);"
                         "UPDATE chunk_dropped SET name = CAST(x'41ff42' AS TEXT)";
    assert_int_equal(sqlite3_exec(db, rename, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    static const char *const paths[] = {
        ACCOUNTING HOUR, "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        json_t *json = ask_fixture_json(f, paths[i], 200);
        const json_t *types = json_object_get(json, "types");
        assert_int_equal(json_object_size(types), 1);
        const json_t *type = json_object_get(types, "A\xef\xbf\xbd"
                                                    "B");
        assert_int_equal(number(type, "kept"), i == 0 ? 2 * 5 : 2 * 3);
        assert_int_equal(
            number(json_object_get(type, "dropped"), "select"), i == 0 ? 7 * 5 : 7 * 3);
        json_decref(json);
    }
}

static void
test_rollups_that_cannot_be_read_are_left_out(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(f->catalog_path, &db), SQLITE_OK);
    const char *damage = "UPDATE chunk_rollup SET types = x'ff' WHERE session_id LIKE 'b%'";
    assert_int_equal(sqlite3_exec(db, damage, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    json_t *json = ask_fixture_json(f, HEATMAP HOUR, 200);
    assert_int_equal(number(json, "all"), 10111);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
    json = ask_fixture_json(f, "/api/v1/services?" HOUR, 200);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
}

// The sums are made anew without the chunk of b, and say so.
static void
test_sums_say_that_they_are_not_whole(void **state)
{
    http_fixture *f = *state;
    add_all(f);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(f->catalog_path, &db), SQLITE_OK);
    const char *damage = "UPDATE service_rollup SET types = x'ff' WHERE start_wall_ns <"
                         " (SELECT max(start_wall_ns) FROM service_rollup);"
                         "UPDATE chunk_rollup SET types = x'ff' WHERE session_id LIKE 'b%'";
    assert_int_equal(sqlite3_exec(db, damage, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    catalog_session d = http_fixture_session('d', "shop");
    d.start_wall_ns = T0;
    add(f, &d, 0, 5);
    for (int i = 0; i < 2; i++) {
        json_t *json = ask_fixture_json(f, HEATMAP HOUR "&service=shop&columns=1", 200);
        assert_int_equal(number(json, "all"), i == 0 ? 116 : 123);
        assert_true(json_is_true(json_object_get(json, "is_truncated")));
        json_decref(json);
        add(f, &d, 1, 7); // is added to the sums
    }
}

static void
test_what_rollups_cannot_tell_is_refused(void **state)
{
    http_fixture *f = *state;
#define ALLOWED                                                                                    \
    ": not allowed here; use service, instance, version, recording, from, to, context and one "    \
    "where KEY=VALUE"
    static const struct {
        const char *path;
        const char *error;
    } cases[] = {
        {HEATMAP "trace=4bf92f35", "trace" ALLOWED},
        {HEATMAP "thread=main", "thread" ALLOWED},
        {HEATMAP "min_duration_ns=5", "min_duration_ns" ALLOWED},
        {HEATMAP "max_duration_ns=5", "max_duration_ns" ALLOWED},
        {HEATMAP "where=a=b&where=c=d", "where" ALLOWED},
        {HEATMAP "where=a^=b", "where" ALLOWED},
        {HEATMAP "id=1-00000002", "id" ALLOWED},
        {HEATMAP "exemplars=no", "exemplars 'no': not one of 0, 1"},
        {HEATMAP "unit=threads", "unit 'threads': not one of contexts, requests"},
        {HEATMAP "columns=0", "columns '0': not a whole number from 1 to 1000"},
        {HEATMAP "from=2026-01-02T03:04:00Z&to=2026-01-02T03:04:00Z", "from: not before to"},
        {HEATMAP "from=1999-01-02T03:04:00Z", "from, to: over 3660 days"},
        {"/api/v1/services?service=shop", "service: not allowed here; use from and to"},
        {"/api/v1/contexts/types?where=a=b", "where: not allowed here; use service, instance, "
                                             "version, recording, from, to and context"},
        {"/api/v1/contexts/types?min_duration_ns=5",
            "min_duration_ns: not allowed here; use service, instance, version, recording, from, "
            "to "
            "and context"},
        {"/api/v1/requests/series?where=a=b", "where: not allowed here; use service, instance, "
                                              "version, recording, from, to and context"},
        {"/api/v1/accounting?context=shop",
            "context: not allowed here; use service, instance, version, recording, from and to"},
        {"/api/v1/versions", "service: required"},
        {"/api/v1/versions?service=a&version=1",
            "instance, version and recording: not allowed here; use service, from and to"},
        {COMPARE, "nothing to compare with: give base_service, base_instance, base_version, "
                  "base_recording, base_from, base_to or base_context"},
        {COMPARE "&base=rest", "base: not allowed here; use base_from, base_version and so on"},
        {COMPARE "&base_where=a=b", "where: not allowed here; use service, instance, version, "
                                    "recording, from, to and context"},
        {"/api/v1/services?context=shop", "context: not allowed here; use from and to"},
        {"/api/v1/services?where=a=b", "where: not allowed here; use from and to"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *json = ask_fixture_json(f, cases[i].path, 400);
        assert_string_equal(json_string_value(json_object_get(json, "error")), cases[i].error);
        json_decref(json);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_the_heat_map_is_of_the_chunks_that_are_asked_for),
        TEST(test_the_heat_map_is_fine_where_chunks_are_short),
        TEST(test_the_heat_map_is_of_slices_where_chunks_have_them),
        TEST(test_the_heat_map_comes_without_exemplars),
        TEST(test_the_heat_map_goes_to_the_ends_of_time),
        TEST(test_versions_are_those_of_a_service_in_a_time),
        TEST(test_versions_are_compared),
        TEST(test_a_fresh_version_is_compared_by_its_own_time),
        TEST(test_services_are_those_with_jvms_in_the_time),
        TEST(test_services_are_answered_without_a_damaged_today),
        TEST(test_types_are_of_the_chunks_that_are_asked_for),
        TEST(test_series_are_of_the_chunks_that_are_asked_for),
        TEST(test_the_accounting_is_of_the_chunks_that_are_asked_for),
        TEST(test_names_of_types_may_be_any_bytes),
        TEST(test_rollups_that_cannot_be_read_are_left_out),
        TEST(test_sums_say_that_they_are_not_whole),
        TEST(test_what_rollups_cannot_tell_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
