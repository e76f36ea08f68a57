// SPDX-License-Identifier: Apache-2.0
// The statistics of contexts in the catalog. Every query for a time equals the sum of its chunks,
// which the test adds up itself: whole hours, 2 minutes, borders in between, by service, instance
// and session; with a chunk that is added again or moves, after a failed chunk, and with a damaged
// sum.

#include "support/catalog_fixture.h"
#include "support/large.h"

#include "collector/store/catalog/catalog_rollups.h"
#include "common/rollup/rollup_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t SECOND = 1000000000;
static const int64_t HOUR = 3600 * (int64_t)1000000000;
static const int64_t T0 = 1700000000 / 3600 * 3600 * (int64_t)1000000000;

// A chunk with `count` contexts of the type Request, with the attributes path=/a and path=/b by
// turns, and a request. The first context and the request took `ms` ms and were kept.
typedef struct given {
    char session; // its id is this letter, 32 times
    const char *service;
    const char *instance;
    uint32_t ordinal;
    int64_t middle_ns; // of the chunk, a minute long
    unsigned count;
    unsigned ms;
} given;

static void
make_request(const given *g, rollup *out)
{
    rollup_type *type = rollup_add_type_of(out, ROLLUP_REQUESTS, "Request");
    assert_non_null(type);
    histogram_add(&type->numbers.all, &out->arena, g->ms * (int64_t)1000000);
    type->numbers.time_ns[TIME_QUEUED] = 23;
    rollup_attribute *path = rollup_add_attribute(out, type, "path");
    assert_non_null(path);
    assert_non_null(rollup_add_value(out, path, (lp_slice){(const uint8_t *)"/a", 2}));
    rollup_add_exemplar(out, type,
        &(rollup_exemplar){
            .duration_ns = g->ms * (int64_t)1000000, .request = (uint64_t)g->session << 32});
}

static void
make(const given *g, rollup *out)
{
    rollup_init(out);
    rollup_type *type = rollup_add_type(out, "Request");
    out->slice_ns = 5 * SECOND;
    histogram_add(&rollup_add_slice(out, type, g->middle_ns)->all, &out->arena, 1);
    assert_non_null(type);
    rollup_attribute *path = rollup_add_attribute(out, type, "path");
    assert_non_null(path);
    for (unsigned i = 0; i < g->count; i++) {
        const lp_slice text = {(const uint8_t *)(i % 2 == 0 ? "/a" : "/b"), 2};
        rollup_value *value = rollup_add_value(out, path, text);
        assert_non_null(value);
        int64_t duration_ns = i == 0 ? g->ms * (int64_t)1000000 : 1000;
        histogram_add(&type->numbers.all, &out->arena, duration_ns);
        histogram_add(&value->numbers.all, &out->arena, duration_ns);
    }
    const rollup_exemplar kept = {.duration_ns = g->ms * (int64_t)1000000,
        .begin_wall_ns = g->middle_ns + 1,
        .ref = {.begin = 5, .hash = 6}};
    histogram_add(&type->numbers.kept, &out->arena, kept.duration_ns);
    type->numbers.time_ns[TIME_LOCK] = 17;
    rollup_add_exemplar(out, type, &kept);
    make_request(g, out);
    rollup_note_begin(out, g->middle_ns + 1);
    rollup_note_commits(out, g->middle_ns + 2, g->middle_ns + 3);
    assert_int_equal(rollup_err(out), LP_OK);
}

static catalog_session
session_of(const given *g)
{
    catalog_session session = {
        .service = (char *)(uintptr_t)g->service,
        .instance = (char *)(uintptr_t)g->instance,
        .jvm_name = (char *)(uintptr_t) "",
        .jvm_version = (char *)(uintptr_t) "",
        .start_wall_ns = T0,
    };
    memset(session.id, g->session, CATALOG_ID_CHARS);
    return session;
}

static void
add_as(const fixture *f, const given *g, const char *types_json, lp_err expected)
{
    rollup made;
    make(g, &made);
    const catalog_session session = session_of(g);
    const catalog_chunk chunk = {.ordinal = g->ordinal,
        .start_wall_ns = g->middle_ns - 30 * SECOND,
        .duration_ns = 60 * SECOND,
        .types_json = types_json,
        .rollup = &made};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), expected);
    rollup_fini(&made);
}

static void
add(const fixture *f, const given *g)
{
    add_as(f, g, "{}", LP_OK);
}

// Three JVMs of two services, with chunks around borders of minutes and hours, also before 1970.
static const given all[] = {
    {'a', "shop", "h:1", 0, 0, 1, 3},
    {'a', "shop", "h:1", 1, 0, 2, 5},
    {'a', "shop", "h:1", 2, 0, 3, 700},
    {'a', "shop", "h:1", 3, 0, 4, 9},
    {'a', "shop", "h:1", 4, 0, 5, 11},
    {'b', "shop", "h:2", 0, 0, 6, 2},
    {'b', "shop", "h:2", 1, 0, 7, 2},
    {'b', "shop", "h:2", 2, 0, 8, 2},
    {'c', "bank", "h:1", 0, 0, 9, 40},
    {'c', "bank", "h:1", 1, 0, 10, 40},
    {'c', "bank", "h:1", 2, 0, 11, 41},
};
enum { GIVEN_COUNT = sizeof(all) / sizeof(all[0]) };

static const int64_t middles_s[GIVEN_COUNT] = {
    0, 119, 120, 3599, 3600, 60, 7199, 2 * 86400, -1, 1, -9 * 3600 - 7};

static given
given_at(size_t i)
{
    given g = all[i];
    g.middle_ns = T0 + middles_s[i] * SECOND;
    return g;
}

// The rollups of these chunks, which the sums of all queries are compared with.
static rollup made_of[GIVEN_COUNT];

static int
make_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < GIVEN_COUNT; i++) {
        given g = given_at(i);
        make(&g, &made_of[i]);
    }
    return 0;
}

static int
drop_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < GIVEN_COUNT; i++) {
        rollup_fini(&made_of[i]);
    }
    return 0;
}

static void
add_all(const fixture *f)
{
    for (size_t i = 0; i < GIVEN_COUNT; i++) {
        given g = given_at(i);
        add(f, &g);
    }
}

typedef struct found {
    rollup total;
    size_t count;
    bool has_exemplars;
    bool has_attributes;
    bool has_lengths;
} found;

static lp_err
on_rollup(void *arg, const catalog_rollup *part)
{
    found *to = arg;
    to->count++;
    assert_true(to->has_exemplars || part->parts[ROLLUP_PART_EXEMPLARS].len == 0);
    assert_true(to->has_attributes || part->parts[ROLLUP_PART_ATTRIBUTES].len == 0);
    bool is_sum = part->session_id[0] == '\0';
    rollup alone;
    rollup_init(&alone);
    bool is_whole = rollup_parts_read(&alone, part->parts, part->session_id) == LP_OK;
    assert_true(!is_whole || !is_sum || alone.slice_ns == 0);
    rollup_fini(&alone);
    assert_true(is_sum ? part->length_ns == 120 * SECOND || part->length_ns == HOUR
                       : part->length_ns == (to->has_lengths ? 60 * SECOND : 0));
    return rollup_parts_add(&to->total, part->parts, part->session_id);
}

static void
leave_asked(const rollup_types *types, const catalog_rollup_query *query)
{
    for (size_t i = 0; i < types->count; i++) {
        rollup_type *type = &types->items[i];
        type->attributes.count = query->has_attributes ? type->attributes.count : 0;
        type->exemplars.count = query->has_exemplars ? type->exemplars.count : 0;
    }
}

static lp_buf
bytes_of(const rollup *total, const catalog_rollup_query *query)
{
    leave_asked(&total->types, query);
    leave_asked(&total->requests, query);
    lp_buf bytes = {0};
    assert_int_equal(rollup_bytes_encode(total, &bytes), LP_OK);
    return bytes;
}

static bool
is_asked(const catalog_rollup_query *query, const given *g)
{
    return g->middle_ns >= query->from_wall_ns && g->middle_ns < query->to_wall_ns &&
           (query->service == NULL || strcmp(query->service, g->service) == 0) &&
           (query->instance == NULL || strcmp(query->instance, g->instance) == 0) &&
           (query->session_id == NULL || query->session_id[0] == g->session);
}

// assert_sums compares a query's sum with the sum of its chunks. Returns the number of rows.
static size_t
assert_sums(const fixture *f, const catalog_rollup_query *query)
{
    found answer = {.has_exemplars = query->has_exemplars,
        .has_attributes = query->has_attributes,
        .has_lengths = query->has_lengths};
    rollup_init(&answer.total);
    rollup want;
    rollup_init(&want);
    for (size_t i = 0; i < GIVEN_COUNT; i++) {
        given g = given_at(i);
        if (is_asked(query, &g)) {
            rollup_add(&want, &made_of[i], session_of(&g).id);
        }
    }
    assert_int_equal(catalog_rollups_list(f->catalog, query, on_rollup, &answer), LP_OK);
    lp_buf a = bytes_of(&answer.total, query);
    lp_buf b = bytes_of(&want, query);
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.ptr, b.ptr, a.len);
    lp_buf_fini(&a);
    lp_buf_fini(&b);
    rollup_fini(&answer.total);
    rollup_fini(&want);
    return answer.count;
}

// assert_all_sums looks at every range between the borders below, for every step and choice with
// the argument "all", and otherwise for one of `part` of these, others for each range.
static void
assert_all_sums(const fixture *f, size_t part)
{
    static const int64_t borders_s[] = {
        -10 * 3600, -1, 0, 1, 60, 120, 121, 3599, 3600, 3601, 7200, 86400, 3 * 86400};
    static const char *const sessions[] = {NULL, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    enum { BORDERS = sizeof(borders_s) / sizeof(borders_s[0]) };
    const int64_t steps[] = {0, 60 * SECOND, CATALOG_SUM_NS, 5 * CATALOG_SUM_NS, HOUR, 24 * HOUR};
    for (size_t from = 0; from < BORDERS; from++) {
        for (size_t to = 0; to < BORDERS; to++) {
            const size_t stride = is_large ? 1 : part;
            for (size_t i = (from + to) % stride; i < 6 * 3 * 2 * 2 * 2 * 2; i += stride) {
                const catalog_rollup_query query = {
                    .step_ns = steps[i % 6],
                    .service = i / 6 % 3 == 0   ? NULL
                               : i / 6 % 3 == 1 ? "shop"
                                                : "bank",
                    .instance = i / 18 % 2 == 0 ? NULL : "h:1",
                    .version = i % 7 == 0 ? "" : NULL, // of all
                    .session_id = sessions[i / 36 % 2],
                    .has_attributes = i / 72 % 2 == 0,
                    .has_exemplars = i / 144 % 2 == 0,
                    .has_lengths = i % 2 == 0,
                    .from_wall_ns = T0 + borders_s[from] * SECOND,
                    .to_wall_ns = T0 + borders_s[to] * SECOND,
                };
                (void)assert_sums(f, &query);
            }
        }
    }
    const catalog_rollup_query any = {.from_wall_ns = INT64_MIN, .to_wall_ns = INT64_MAX};
    (void)assert_sums(f, &any);
}

static void
test_every_time_is_the_sum_of_its_chunks(void **state)
{
    const fixture *f = *state;
    add_all(f);
    assert_all_sums(f, 5);
    // Whole steps come as sums.
    const catalog_rollup_query hours = {
        .service = "shop", .step_ns = HOUR, .from_wall_ns = T0, .to_wall_ns = T0 + 86400 * SECOND};
    assert_int_equal(assert_sums(f, &hours), 2);
    const catalog_rollup_query minutes = {.service = "shop",
        .step_ns = CATALOG_SUM_NS,
        .from_wall_ns = T0,
        .to_wall_ns = T0 + 86400 * SECOND};
    assert_int_equal(assert_sums(f, &minutes), 5);
    const catalog_rollup_query chunks = {
        .service = "shop", .from_wall_ns = T0, .to_wall_ns = T0 + 86400 * SECOND};
    assert_int_equal(assert_sums(f, &chunks), 7);
}

static void
test_a_chunk_that_is_added_again_counts_once(void **state)
{
    const fixture *f = *state;
    add_all(f);
    for (size_t i = 0; i < GIVEN_COUNT; i++) { // first with another time and service
        given g = given_at(i);
        given other = g;
        other.count += 30;
        other.ms = 123;
        other.middle_ns += 5 * HOUR;
        other.service = i % 2 == 0 ? "elsewhere" : g.service;
        add(f, &other);
        add(f, &g);
        add(f, &g);
    }
    assert_all_sums(f, 11);
}

static void
test_a_chunk_without_rollup_has_none(void **state)
{
    const fixture *f = *state;
    add_all(f);
    const given more = {'a', "shop", "h:1", 9, T0 + 30 * SECOND, 5, 5};
    add(f, &more);
    const catalog_session session = session_of(&more);
    const catalog_chunk without = {
        .ordinal = 9, .start_wall_ns = T0 + 30 * SECOND, .types_json = "{}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &without, (lp_slice){0}), LP_OK);
    assert_all_sums(f, 11);
}

static void
test_a_chunk_that_fails_changes_no_sum(void **state)
{
    const fixture *f = *state;
    add_all(f);
    bool is_postgres = catalog_place_is_postgres();
    catalog_place_run(&f->place,
        is_postgres
            ? "CREATE RULE fail AS ON DELETE TO carry DO ALSO SELECT 1 / 0"
            : "CREATE TRIGGER fail BEFORE INSERT ON carry BEGIN SELECT RAISE(FAIL, 'no'); END");
    const given more = {'a', "shop", "h:1", 9, T0 + 30 * SECOND, 5, 5};
    add_as(f, &more, "{}", LP_EIO); // after its sums were written
    catalog_place_run(&f->place, is_postgres ? "DROP RULE fail ON carry" : "DROP TRIGGER fail");
    assert_all_sums(f, 11);
}

// The next chunk rebuilds a damaged sum, without the unreadable rollups of chunks.
static void
test_a_damaged_sum_is_made_anew(void **state)
{
    const fixture *f = *state;
    add_all(f);
    const given lost = {'d', "shop", "h:4", 0, T0 + 30 * SECOND, 5, 5};
    add(f, &lost);
    catalog_place_run(
        &f->place, catalog_place_is_postgres()
                       ? "UPDATE service_rollup SET types = '\\xff';"
                         "UPDATE chunk_rollup SET types = '\\xff' WHERE session_id LIKE 'd%';"
                       : "UPDATE service_rollup SET types = x'ff';"
                         "UPDATE chunk_rollup SET types = x'ff' WHERE session_id LIKE 'd%';");
    const catalog_rollup_query hour = {
        .service = "shop", .step_ns = HOUR, .from_wall_ns = T0, .to_wall_ns = T0 + HOUR};
    found answer = {0};
    rollup_init(&answer.total);
    assert_int_equal(catalog_rollups_list(f->catalog, &hour, on_rollup, &answer), LP_ECORRUPT);
    rollup_fini(&answer.total);

    given g = given_at(0);
    g.ordinal = 77;
    add(f, &g); // rebuilds its sums, with the others
    found sums = {0};
    rollup_init(&sums.total);
    assert_int_equal(catalog_rollups_list(f->catalog, &hour, on_rollup, &sums), LP_OK);
    assert_true(sums.total.types.items[0].numbers.all.count == 1 + 1 + 2 + 3 + 4 + 6);
    assert_true(sums.total.chunks_left_out == 1); // and the sum counts it
    rollup_fini(&sums.total);
    assert_true(catalog_rollups_left_out(f->catalog) == 2);

    g.ordinal = 78;
    add(f, &g); // adds to the sums
    rollup_init(&sums.total);
    assert_int_equal(catalog_rollups_list(f->catalog, &hour, on_rollup, &sums), LP_OK);
    assert_true(sums.total.chunks_left_out == 1);
    rollup_fini(&sums.total);
    assert_true(catalog_rollups_left_out(f->catalog) == 2);
}

static void
on_chunk(void *arg, const catalog_chunk *chunk)
{
    catalog_chunk *out = arg;
    out[chunk->ordinal] = *chunk;
}

static void
test_chunks_have_the_bounds_of_their_rollups(void **state)
{
    const fixture *f = *state;
    const given g = {'a', "shop", "h:1", 1, T0, 5, 5};
    add(f, &g);
    const catalog_session session = session_of(&g);
    const catalog_chunk without = {.ordinal = 0, .types_json = "{}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &without, (lp_slice){0}), LP_OK);
    rollup empty;
    rollup_init(&empty);
    const catalog_chunk with_empty = {.ordinal = 2, .types_json = "{}", .rollup = &empty};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &with_empty, (lp_slice){0}), LP_OK);
    catalog_chunk chunks[3] = {0};
    assert_int_equal(catalog_list_chunks(f->catalog, session.id, on_chunk, chunks), LP_OK);
    assert_false(chunks[0].has_bounds);
    assert_true(chunks[1].has_bounds);
    assert_true(chunks[1].bounds.context_begin_min_ns == T0 + 1);
    assert_true(chunks[1].bounds.commit_min_ns == T0 + 2);
    assert_true(chunks[1].bounds.commit_max_ns == T0 + 3);
    assert_true(chunks[2].has_bounds);
    assert_true(chunks[2].bounds.context_begin_min_ns == INT64_MAX);
    assert_true(chunks[2].bounds.commit_min_ns > chunks[2].bounds.commit_max_ns);
}

static void
test_no_more_chunks_of_sessions_are_listed_than_are_asked_for(void **state)
{
    const fixture *f = *state;
    add_all(f);
    static const struct {
        const char *instance;
        uint64_t chunks_max;
        lp_err expected;
        size_t count;
    } cases[] = {
        {"h:2", 0, LP_OK, 3}, {"h:2", 3, LP_OK, 3}, {"h:2", 2, LP_ELIMIT, 2},
        {NULL, 2, LP_OK, GIVEN_COUNT}, // with a step these come as sums
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const catalog_rollup_query query = {.instance = cases[i].instance,
            .chunks_max = cases[i].chunks_max,
            .from_wall_ns = INT64_MIN,
            .to_wall_ns = INT64_MAX};
        found answer = {0};
        rollup_init(&answer.total);
        assert_int_equal(
            catalog_rollups_list(f->catalog, &query, on_rollup, &answer), cases[i].expected);
        assert_int_equal(answer.count, cases[i].count);
        rollup_fini(&answer.total);
    }
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_every_time_is_the_sum_of_its_chunks),
        TEST(test_a_chunk_that_is_added_again_counts_once),
        TEST(test_a_chunk_without_rollup_has_none),
        TEST(test_a_chunk_that_fails_changes_no_sum),
        TEST(test_a_damaged_sum_is_made_anew),
        TEST(test_chunks_have_the_bounds_of_their_rollups),
        TEST(test_no_more_chunks_of_sessions_are_listed_than_are_asked_for),
    };
    return cmocka_run_group_tests(tests, make_all, drop_all);
}
