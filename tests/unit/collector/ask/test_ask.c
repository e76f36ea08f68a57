// SPDX-License-Identifier: Apache-2.0
// What answers to questions over HTTP have, against a server over stored chunks made by hand: the
// contexts of several recordings are one list, ids are found, and what is asked wrongly is named.
// Who answers, of which chunks, and within which limits is in test_ask_work.c.

#include "unit/collector/ask/ask_fixture.h"

#include "collector/ask/work/ask_answer.h"
#include "collector/ask/work/ask_work.h"
#include "collector/base/gzip.h"
#include "collector/base/metrics.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_contexts_of_all_recordings_are_one_list(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = ask_fixture_put_two(f);
    char query[200];
    json_t *list = ask_fixture_json(f, "/api/v1/contexts", 200);
    ask_fixture_check_list(list, "two three one", 0);
    assert_int_equal(json_integer_value(json_object_get(list, "matched")), 3);
    assert_true(json_is_null(json_object_get(list, "next")));
    assert_true(json_is_false(json_object_get(list, "is_truncated")));
    const json_t *row = json_array_get(json_object_get(list, "rows"), 1);
    assert_string_equal(
        json_string_value(json_array_get(row, ask_fixture_column(list, "recording"))),
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
    assert_int_equal(
        json_integer_value(json_array_get(row, ask_fixture_column(list, "duration"))), 7 * MS);
    json_decref(list);

    ask_fixture_expect_list(f, "sort=start", "one two three", 0);
    ask_fixture_expect_list(f, "service=shop", "two one", 0);
    ask_fixture_expect_list(f, "service=bank&instance=host:1", "three", 0);
    ask_fixture_expect_list(f, "service=bank&instance=host:2", "", 0);
    ask_fixture_expect_list(f, "recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "two one", 0);
    ask_fixture_expect_list(f, "recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&service=bank", "", 0);
    ask_fixture_expect_list(f, "recording=cccccccccccccccccccccccccccccccc", "", 0);
    ask_fixture_expect_list(f, "min_duration_ns=7000000", "two three", 0);
    ask_fixture_expect_list(f, "where=traceId%3Done", "one", 0);
    (void)snprintf(query, sizeof(query), "from=%" PRId64 "&to=%" PRId64, start_wall_ns + 10 * MS,
        start_wall_ns + SECOND_NS);
    ask_fixture_expect_list(f, query, "two", 0);
}

static void
test_a_list_goes_on_behind_its_cursor(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    char path[300] = "/api/v1/contexts?limit=1";
    static const char *const expected[] = {"two", "three", "one"};
    for (size_t i = 0; i < 3; i++) {
        json_t *list = ask_fixture_json(f, path, 200);
        ask_fixture_check_list(list, expected[i], 0);
        assert_int_equal(json_integer_value(json_object_get(list, "matched")), 3);
        const char *next = json_string_value(json_object_get(list, "next"));
        assert_true((next == NULL) == (i == 2));
        (void)snprintf(
            path, sizeof(path), "/api/v1/contexts?limit=1&cursor=%s", next == NULL ? "" : next);
        json_decref(list);
    }
}

// Each of the three rows has ASK_WORK_ROW_BYTES, its type's name and its attribute.
static void
test_a_list_is_cut_where_there_is_no_room(void **state)
{
    (void)state;
    query_names names = {0};
    uint32_t type = query_names_add(&names, "a\nb"); // 8 bytes with the line break
    const query_attribute attribute = {.name = "x", .value = {(const uint8_t *)"0123", 4}};
    const size_t row = ASK_WORK_ROW_BYTES + 8 + 4;
    static const struct {
        size_t rows;
        size_t more;
        size_t left;
    } cases[] = {{3, 0, 3}, {2, 1, 2}, {2, 0, 2}, {1, 1, 1}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_listing listing = {.sort = QUERY_SORT_START, .limit = 10};
        for (int64_t k = 0; k < 3; k++) {
            const query_listed item = {.offset = (uint32_t)k,
                .type = type,
                .thread = QUERY_NAME_NONE,
                .begin_wall_ns = k,
                .attribute_count = 1,
                .attributes = malloc(sizeof(attribute))}; // which the list frees
            assert_non_null(item.attributes);
            *item.attributes = attribute;
            assert_int_equal(query_listing_add_item(&listing, &item), LP_OK);
        }
        query_listing_finish(&listing);
        bool is_cut = ask_work_cut(&listing, &names, cases[i].rows * row + cases[i].more);
        assert_int_equal(is_cut, cases[i].left < 3);
        assert_int_equal(listing.items.count, cases[i].left);
        assert_int_equal(listing.has_next, cases[i].left < 3);
        query_listing_fini(&listing);
    }
    query_names_fini(&names);
}

static void
test_why_adds_up(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    json_t *why = ask_fixture_json(f, "/api/v1/why", 200);
    assert_int_equal(json_integer_value(json_object_get(why, "requests")), 3);
    assert_int_equal(json_integer_value(json_object_get(why, "total_ns")), 21 * MS);
    const json_t *rest = json_array_get(json_object_get(why, "slices"), 0);
    assert_string_equal(json_string_value(json_object_get(rest, "category")), "unaccounted");
    assert_int_equal(json_integer_value(json_object_get(rest, "total_ns")), 21 * MS);
    json_decref(why);
}

static void
test_a_base_is_of_other_recordings(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    json_t *why = ask_fixture_json(f, "/api/v1/why?where=traceId%3Done&base=rest", 200);
    const json_t *base = json_object_get(why, "base");
    assert_int_equal(ask_fixture_number(why, "requests") + ask_fixture_number(base, "requests"), 3);
    assert_int_equal(
        ask_fixture_number(why, "total_ns") + ask_fixture_number(base, "total_ns"), 21 * MS);
    assert_int_equal(ask_fixture_number(base, "requests"), 2);
    json_decref(why);
    json_t *graph = ask_fixture_json(f, "/api/v1/flamegraph?service=bank&base_service=shop", 200);
    assert_int_equal(ask_fixture_number(graph, "requests"), 1);
    assert_int_equal(ask_fixture_number(graph, "total"), 7 * MS);
    assert_int_equal(ask_fixture_number(graph, "base_requests"), 2);
    assert_int_equal(ask_fixture_number(graph, "base_total"), 14 * MS);
    json_decref(graph);
    graph = ask_fixture_json(f, "/api/v1/flamegraph?where=traceId%3Done&base=rest", 200);
    assert_int_equal(ask_fixture_number(graph, "requests"), 1);
    assert_int_equal(ask_fixture_number(graph, "base_requests"), 2);
    json_decref(graph);
    http_answer text = http_client_ask(f->port, "GET", "/api/v1/slice.collapsed", "");
    assert_int_equal(text.status, 200);
    assert_string_equal(http_client_find_header(&text, "Content-Disposition"),
        "attachment; filename=\"slice.collapsed\"");
    assert_null(http_client_find_header(&text, "Loupe-Is-Truncated"));
    static const char line[] = "[not accounted] 21000000\n";
    assert_int_equal(text.body.len, strlen(line));
    assert_memory_equal(text.body.ptr, line, strlen(line));
    http_answer_fini(&text);
}

static void
test_attributes_are_compared_with_a_base(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    json_t *all =
        ask_fixture_json(f, "/api/v1/attributes?min_duration_ns=7000000&base=rest&limit=1", 200);
    assert_int_equal(json_integer_value(json_object_get(all, "contexts")), 2);
    assert_int_equal(json_integer_value(json_object_get(all, "base_contexts")), 1);
    const json_t *key = json_array_get(json_object_get(all, "keys"), 0);
    assert_string_equal(json_string_value(json_object_get(key, "key")), "traceId");
    assert_int_equal(json_integer_value(json_object_get(key, "distinct")), 2);
    const json_t *values = json_object_get(key, "values");
    assert_int_equal(json_array_size(values), 1); // of equal counts the first text
    const json_t *three = json_array_get(values, 0);
    assert_string_equal(json_string_value(json_object_get(three, "value")), "three");
    assert_int_equal(json_integer_value(json_object_get(three, "total_ns")), 7 * MS);
    assert_true(json_is_null(json_object_get(three, "lift")));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(key, "other"), "count")), 1);
    json_decref(all);
}

enum { KEPT_MAX = 8 };

// What add_id added to the first chunk of a recording, which has one row of ids.
typedef struct kept_ids {
    const http_fixture *of;
    size_t count;
    uint64_t items[KEPT_MAX];
} kept_ids;

static kept_ids kept[UINT8_MAX + 1]; // by the digit of a recording

// add_id adds a trace id to the index, as that of a kept context in a chunk, or of dropped ones.
static void
add_id(const http_fixture *f, const char *recording, int64_t start_wall_ns, const char *id,
    bool is_kept)
{
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash));
    kept_ids *row = &kept[(uint8_t)recording[0]];
    if (row->of != f) {
        *row = (kept_ids){.of = f};
    }
    if (is_kept) {
        assert_in_range(row->count, 0, KEPT_MAX - 1);
        row->items[row->count++] = hash;
    }
    const rollup_ids added = {.kept = {.items = row->items, .count = row->count},
        .dropped = {.items = &hash, .count = is_kept ? 0 : 1}};
    const catalog_chunk chunk = {
        .start_wall_ns = start_wall_ns, .ids = id_index_note(f->ids, start_wall_ns, &added, 0)};
    assert_int_equal(catalog_ids_add(f->catalog, recording, &chunk), LP_OK);
}

static void
expect_trace(const http_fixture *f, const char *rest, const char *expected, const char *state)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/traces/%s", rest);
    json_t *found = ask_fixture_json(f, path, 200);
    ask_fixture_check_list(found, expected, 0);
    assert_string_equal(json_string_value(json_object_get(found, "state")), state);
    json_decref(found);
}

static void
test_traces_are_found_by_the_index(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = ask_fixture_put_two(f);
    catalog_session c = http_fixture_session('c', "bank");
    c.end_wall_ns = c.start_wall_ns + 4 * HOUR_NS;
    http_fixture_put(f, &c);
    ask_fixture_store(f, &c, c.start_wall_ns + 3 * HOUR_NS,
        (ask_trace[]){{20 * MS, 3 * MS, "three"}, {30 * MS, 4 * MS, "four"}}, 2);
    const char *b_id = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
    expect_trace(f, "three", "", "unknown"); // the index has not got it
    add_id(f, b_id, start_wall_ns + 60 * SECOND_NS, "three", true);
    add_id(f, c.id, start_wall_ns + 3 * HOUR_NS, "three", true);
    add_id(f, c.id, start_wall_ns, "five", false);
    add_id(f, c.id, start_wall_ns, "four", false); // in another chunk
    add_id(f, c.id, start_wall_ns + 3 * HOUR_NS, "four", true);
    add_id(f, "dddddddddddddddddddddddddddddddd", start_wall_ns, "gone", true); // no such chunk
    expect_trace(f, "three", "three three", "kept");
    expect_trace(f, "THREE", "three three", "kept");
    expect_trace(f, "four", "four", "kept");
    expect_trace(f, "five", "", "eliminated");
    expect_trace(f, "gone", "", "unknown");
    char rest[100];
    (void)snprintf(rest, sizeof(rest), "three?from=%" PRId64, start_wall_ns + 2 * HOUR_NS);
    expect_trace(f, rest, "three", "kept");

    json_t *found = ask_fixture_json(f, "/api/v1/traces/three", 200);
    const json_t *searched = json_object_get(found, "searched");
    assert_true(json_is_null(json_object_get(searched, "from")));
    assert_int_equal(ask_fixture_number(searched, "segments"), 0); // the catalog has them yet
    assert_int_equal(ask_fixture_number(searched, "chunks_without_segment"), 0);
    assert_true(json_is_true(json_object_get(searched, "is_whole")));
    assert_true(json_is_false(json_object_get(found, "is_truncated")));
    const json_t *b = json_object_get(json_object_get(found, "recordings"), b_id);
    assert_string_equal(json_string_value(json_object_get(b, "service")), "bank");
    json_decref(found);
    ask_fixture_check_error(f, "/api/v1/traces/three?trace=x", 400, "trace: given twice");
}

// expect_ids compares the types of the contexts that have an id, and the attributes that it is.
static void
expect_ids(const http_fixture *f, const char *path, const char *types, const char *attributes,
    const char *state)
{
    char found_types[200] = "";
    json_t *found = ask_fixture_json(f, path, 200);
    const json_t *rows = json_object_get(found, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *type =
            json_array_get(json_array_get(rows, i), ask_fixture_column(found, "type"));
        size_t len = strlen(found_types);
        (void)snprintf(found_types + len, sizeof(found_types) - len, "%s%s", i == 0 ? "" : " ",
            json_string_value(type));
    }
    assert_string_equal(found_types, types);
    char *names = json_dumps(json_object_get(found, "attributes"), JSON_COMPACT);
    assert_string_equal(names, attributes);
    assert_string_equal(json_string_value(json_object_get(found, "state")), state);
    free(names);
    json_decref(found);
}

static void
test_attributes_that_are_ids_are_found_by_their_values(void **state)
{
    http_fixture *f = *state;
    catalog_session c = http_fixture_session('c', "shop");
    catalog_session d = http_fixture_session('d', "shop");
    lp_buf bytes = {0};
    http_fixture_put(f, &c);
    ask_fixture_make_orders(&bytes, c.start_wall_ns, true);
    ask_fixture_store_bytes(f, &c, c.start_wall_ns, bytes, NULL);
    http_fixture_put(f, &d);
    bytes = (lp_buf){0};
    ask_fixture_make_orders(&bytes, d.start_wall_ns, false);
    ask_fixture_store_bytes(f, &d, d.start_wall_ns, bytes, NULL);
    add_id(f, c.id, c.start_wall_ns, "42", true);
    add_id(f, d.id, d.start_wall_ns, "43", true); // which is wrong: the index may be
    add_id(f, c.id, c.start_wall_ns, "44", false);
    expect_ids(f, "/api/v1/ids/42", "shop.Order test.Trace", "[\"orderId\",\"traceId\"]", "kept");
    expect_ids(f, "/api/v1/ids/42?context=Order", "shop.Order", "[\"orderId\"]", "kept");
    expect_ids(f, "/api/v1/traces/42", "test.Trace", "[\"traceId\"]", "kept");
    expect_ids(f, "/api/v1/ids/43", "", "[]", "unknown"); // no id in that chunk
    expect_ids(f, "/api/v1/ids/44", "", "[]", "eliminated");
    expect_ids(f, "/api/v1/ids/Paris", "", "[]", "unknown");
    json_t *list = ask_fixture_json(f, "/api/v1/contexts?where=orderId%3D42", 200);
    assert_int_equal(ask_fixture_number(list, "matched"), 2); // marked or not
    json_decref(list);
    json_decref(ask_fixture_json(f, "/api/v1/ids/", 404));
}

static void
test_ids_of_what_is_not_stored_yet(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    ask_fixture_make_orders(&f->server.tail, a.start_wall_ns, true);
    f->server.err = LP_OK;
    expect_ids(f, "/api/v1/ids/43", "shop.Order", "[\"orderId\"]", "kept");
    expect_ids(f, "/api/v1/ids/42", "shop.Order test.Trace", "[\"orderId\",\"traceId\"]", "kept");
}

static void
test_one_context_is_found_by_its_id(void **state)
{
    http_fixture *f = *state;
    char path[200];
    (void)ask_fixture_put_two(f);
    json_t *list = ask_fixture_json(f, "/api/v1/contexts?where=traceId%3Dtwo", 200);
    const json_t *row = json_array_get(json_object_get(list, "rows"), 0);
    (void)snprintf(path, sizeof(path), "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/%s",
        json_string_value(json_array_get(row, ask_fixture_column(list, "id"))));
    json_decref(list);
    json_t *one = ask_fixture_json(f, path, 200);
    assert_int_equal(ask_fixture_number(one, "duration"), 9 * MS);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(one, "attributes"), "traceId")), "two");
    assert_int_equal(ask_fixture_number(json_object_get(one, "why"), "total_ns"), 9 * MS);
    assert_int_equal(ask_fixture_number(json_object_get(one, "left_out"), "chunks"), 0);
    json_decref(one);
    ask_fixture_check_error(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1-00000002", 404,
        "recording aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa has no context 1-00000002");
    ask_fixture_check_error(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 404,
        "a context is at /api/v1/contexts/RECORDING/ID");
    json_decref(ask_fixture_json(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/x", 400));
    json_decref(ask_fixture_json(f, "/api/v1/contexts/x/1-00000002", 400));
}

// Only those chunks are opened in which something of the context can be: the second and the sixth
// are not there. The fifth has a context that began before it and ended after it. The headers of
// the first and the last say how the clock drifts.
static void
test_of_one_context_the_chunks_around_it_are_opened(void **state)
{
    http_fixture *f = *state;
    char path[200];
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    for (int i = 0; i < 7; i++) {
        int64_t start_ns = a.start_wall_ns + i * SECOND_NS;
        int64_t begin_ns = i == 4 ? 10 * MS - 2 * SECOND_NS : 20 * MS;
        int64_t end_ns = 30 * MS;
        rollup sums;
        rollup_init(&sums);
        sums.begin_min_ns = start_ns + begin_ns;
        sums.commit_min_ns = start_ns + end_ns;
        sums.commit_max_ns = start_ns + end_ns;
        lp_buf bytes = {0};
        const ask_trace one = {begin_ns, end_ns - begin_ns, i == 4 ? "outer" : "inner"};
        ask_fixture_make_chunk(&bytes, start_ns, &one, 1);
        ask_fixture_store_bytes(f, &a, start_ns, bytes, &sums);
        rollup_fini(&sums);
    }
    json_t *list = ask_fixture_json(f, "/api/v1/contexts?sort=start", 200);
    const json_t *row = json_array_get(json_object_get(list, "rows"), 4); // of the fourth chunk
    char id[CTX_REF_BYTES];
    (void)snprintf(id, sizeof(id), "%s",
        json_string_value(json_array_get(row, ask_fixture_column(list, "id"))));
    json_decref(list);
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1.jfr.zst");
    ask_fixture_remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/5.jfr.zst");
    (void)snprintf(path, sizeof(path), "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/%s", id);
    json_t *one = ask_fixture_json(f, path, 200);
    assert_int_equal(ask_fixture_number(one, "duration"), 10 * MS);
    assert_int_equal(ask_fixture_number(json_object_get(one, "left_out"), "chunks"), 0);
    const json_t *parent = json_object_get(one, "parent");
    assert_int_equal(ask_fixture_number(parent, "duration"), 2 * SECOND_NS + 20 * MS);
    assert_int_equal(ask_fixture_number(parent, "start"), -SECOND_NS - 10 * MS);
    json_decref(one);
}

static void
test_events_of_all_recordings_are_one_list(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = ask_fixture_put_two(f);
    char path[200];
    json_t *list = ask_fixture_json(f, "/api/v1/events?event=Trace&columns=traceId", 200);
    const json_t *rows = json_object_get(list, "rows");
    static const char *const expected[] = {"one", "two", "three"};
    assert_int_equal(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *fields =
            json_array_get(json_array_get(rows, i), ask_fixture_column(list, "fields"));
        assert_int_equal(json_object_size(fields), 1);
        assert_string_equal(json_string_value(json_object_get(fields, "traceId")), expected[i]);
    }
    json_decref(list);
    (void)snprintf(path, sizeof(path), "/api/v1/events?limit=1&from=%" PRId64, start_wall_ns + 1);
    list = ask_fixture_json(f, path, 200);
    assert_int_equal(json_array_size(json_object_get(list, "rows")), 1);
    assert_true(json_is_string(json_object_get(list, "next")));
    json_decref(list);
    list = ask_fixture_json(f, "/api/v1/events?context=Trace", 200); // there is nothing in them
    assert_int_equal(json_array_size(json_object_get(list, "rows")), 0);
    json_decref(list);
    ask_fixture_check_error(f, "/api/v1/events?columns=a,,b", 400,
        "columns 'a,,b': not up to 32 names of fields with commas between them");
    ask_fixture_check_error(
        f, "/api/v1/events?cursor=x", 400, "cursor 'x': not the `next` of an answer");
}

static void
test_events_are_counted_by_type(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    json_t *counts = ask_fixture_json(f, "/api/v1/events/types?service=shop", 200);
    assert_int_equal(ask_fixture_number(counts, "events"), 2);
    assert_true(json_is_null(json_object_get(counts, "contexts")));
    const json_t *type = json_array_get(json_object_get(counts, "types"), 0);
    assert_string_equal(json_string_value(json_object_get(type, "type")), "test.Trace");
    assert_int_equal(ask_fixture_number(type, "count"), 2);
    assert_int_equal(ask_fixture_number(type, "total_ns"), 14 * MS);
    assert_int_equal(ask_fixture_number(json_object_get(counts, "left_out"), "chunks"), 0);
    json_decref(counts);
    counts =
        ask_fixture_json(f, "/api/v1/events/types?context=Trace", 200); // there is nothing in them
    assert_int_equal(ask_fixture_number(counts, "events"), 0);
    assert_int_equal(ask_fixture_number(counts, "contexts"), 3);
    json_decref(counts);
}

static void
test_a_timeline_has_a_lane_for_each_thread(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    json_t *found = ask_fixture_json(f, "/api/v1/timeline?width=100", 200);
    const json_t *lanes = json_object_get(found, "lanes");
    assert_int_equal(json_array_size(lanes), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(lanes, 0), "recording")),
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(lanes, 0), "thread")), "thread-11");
    // A minute in 100 pixels: both of a are in one
    const json_t *rows = json_object_get(found, "rows");
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(json_integer_value(json_array_get(
                         json_array_get(rows, 0), ask_fixture_column(found, "count"))),
        2);
    assert_int_equal(json_integer_value(json_array_get(
                         json_array_get(rows, 0), ask_fixture_column(found, "duration"))),
        19 * MS);
    assert_true(
        json_is_null(json_array_get(json_array_get(rows, 0), ask_fixture_column(found, "id"))));
    assert_true(
        json_is_string(json_array_get(json_array_get(rows, 1), ask_fixture_column(found, "id"))));
    json_decref(found);
}

// Each recording has one thread with an event.
static void
test_threads_and_jvms_are_asked_without_contexts(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = ask_fixture_put_two(f);
    char path[200];
    json_t *why = ask_fixture_json(f, "/api/v1/why?unit=threads", 200);
    assert_int_equal(ask_fixture_number(why, "requests"), 2);
    assert_int_equal(ask_fixture_number(why, "total_ns"), 19 * MS + 7 * MS);
    json_decref(why);
    json_t *threads = ask_fixture_json(f, "/api/v1/threads?service=shop", 200);
    const json_t *pool = json_array_get(json_object_get(threads, "pools"), 0);
    assert_string_equal(json_string_value(json_object_get(pool, "pool")), "thread-*");
    assert_int_equal(ask_fixture_number(pool, "threads"), 1);
    assert_int_equal(ask_fixture_number(threads, "pool_count"), 1);
    json_decref(threads);
    (void)snprintf(path, sizeof(path), "/api/v1/jvm?columns=2&from=%" PRId64 "&to=%" PRId64,
        start_wall_ns, start_wall_ns + 4 * SECOND_NS);
    json_t *jvm = ask_fixture_json(f, path, 200); // the other recording begins a minute later
    const json_t *chunks = json_object_get(jvm, "chunks");
    assert_int_equal(ask_fixture_number(jvm, "step_ns"), 2 * SECOND_NS);
    assert_int_equal(ask_fixture_number(chunks, "read"), 1);
    assert_int_equal(ask_fixture_number(chunks, "all"), 1);
    assert_int_equal(json_array_size(json_object_get(jvm, "jvms")), 0); // no event says what it is
    assert_true(json_is_false(json_object_get(jvm, "is_truncated")));
    assert_true(json_is_false(json_object_get(jvm, "has_more_jvms")));
    json_decref(jvm);
    jvm = ask_fixture_json(f, "/api/v1/jvm?recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 200);
    int64_t t0_ns = atoll(json_string_value(json_object_get(jvm, "t0_ns")));
    assert_in_range(t0_ns, start_wall_ns, start_wall_ns + SECOND_NS); // not an hour before now
    assert_int_equal(ask_fixture_number(json_object_get(jvm, "chunks"), "read"), 1);
    json_decref(jvm);
}

static void
test_why_fits_into_a_ticket(void **state)
{
    http_fixture *f = *state;
    (void)ask_fixture_put_two(f);
    http_answer text = http_client_ask(f->port, "GET", "/api/v1/slice.md?service=shop", "");
    assert_int_equal(text.status, 200);
    assert_string_equal(
        http_client_find_header(&text, "Content-Disposition"), "attachment; filename=\"slice.md\"");
    static const char begin[] = "# Why: 2 contexts, 14.0 ms\n\n`service=shop` \n";
    assert_memory_equal(text.body.ptr, begin, strlen(begin));
    http_answer_fini(&text);
}

static void
test_what_is_asked_wrongly_is_named(void **state)
{
    static const struct {
        const char *path;
        const char *error;
    } cases[] = {
        {"/api/v1/contexts?sort=x", "sort 'x': not one of duration, start, triggers, blocked"},
        {"/api/v1/contexts?limit=0", "limit '0': not a whole number from 1 to 1000"},
        {"/api/v1/contexts?limit=1001", "limit '1001': not a whole number from 1 to 1000"},
        {"/api/v1/contexts?limit=99999999999999999999",
            "limit '99999999999999999999': not a whole number from 1 to 1000"},
        {"/api/v1/contexts?limit=-1", "limit '-1': not a whole number from 1 to 1000"},
        {"/api/v1/contexts?limit=", "limit '': not a whole number from 1 to 1000"},
        {"/api/v1/contexts?limit=1&limit=1", "limit: given twice"},
        {"/api/v1/contexts?service=a&service=a", "service: given twice"},
        {"/api/v1/contexts?instance", "instance: a text is needed"},
        {"/api/v1/flamegraph?value=x",
            "value 'x': not one of time, cpu, alloc, lock, park, io, count, allocs, "
            "locks, parks"},
        {"/api/v1/flamegraph?max_nodes=0", "max_nodes '0': not a whole number from 1 to 1048576"},
        {"/api/v1/flamegraph?base_recording=x",
            "base_recording 'x': not an id of 32 characters of 0-9 and a-f"},
        {"/api/v1/why?recording=x", "recording 'x': not an id of 32 characters of 0-9 and a-f"},
        {"/api/v1/why?app=com.acme,",
            "app 'com.acme,': give names of packages, such as com.acme or com.acme,org.acme"},
        {"/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1-00000002?app=.",
            "app '.': give names of packages, such as com.acme or com.acme,org.acme"},
        {"/api/v1/requests?sort=blocked", "sort 'blocked': not one of duration, start"},
        {"/api/v1/requests?id=1-00000002", "id: only of contexts, not of requests"},
        {"/api/v1/requests/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1",
            "request '1': not the id of a request"},
        {"/api/v1/contexts?request=0000000000000001", "request: only of requests, not of contexts"},
        {"/api/v1/why?unit=none", "unit 'none': not one of contexts, requests, threads"},
        {"/api/v1/attributes?unit=threads", "unit 'threads': not one of contexts, requests"},
        {"/api/v1/flamegraph?unit=threads&trace=a", "trace: only of contexts, not of threads"},
        {"/api/v1/threads?where=a%3Db", "where: only of contexts, not of threads"},
        {"/api/v1/threads?limit=0", "limit '0': not a whole number from 1 to 1000"},
        {"/api/v1/jvm?columns=1001", "columns '1001': not a whole number from 1 to 1000"},
        {"/api/v1/jvm?thread=main",
            "thread: not allowed here; use service, instance, recording, from and to"},
        {"/api/v1/jvm?pool=main",
            "pool: not allowed here; use service, instance, recording, from and to"},
        {"/api/v1/jvm?from=9000000000000000000",
            "from: in the future; without to, the time range ends now"},
        {"/api/v1/why?unit=requests&unit=requests", "unit: given twice"},
        {"/api/v1/why?unit=requests&id=1-00000002", "id: only of contexts, not of requests"},
        {"/api/v1/why?from=2026-01-02T03:04:05Z&to=2026-01-02T03:04:05Z", "from: not before to"},
        {"/api/v1/flamegraph?frame=(", "frame '(': not a regular expression: a ( has no )"},
        {"/api/v1/why?frame=(", "frame '(': not a regular expression: a ( has no )"},
        {"/api/v1/slice.collapsed?frame=a**%7B9",
            "frame 'a**{9': not a regular expression: { begins {n}, {n,} or {n,m} of 0 to 255; a "
            "brace is \\{"},
    };
    const http_fixture *f = *state;
    uint64_t answered = metrics_get(METRICS_asks_answered);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ask_fixture_check_error(f, cases[i].path, 400, cases[i].error);
    }
    static const char *const unknown[] = {"/api/v1/contexts?limits=1",
        "/api/v1/contexts?unit=requests", "/api/v1/requests?unit=requests", "/api/v1/why?limit=1",
        "/api/v1/why?base=x", "/api/v1/contexts?cursor=x", "/api/v1/slice.pprof?frame=*",
        "/api/v1/flamegraph?base=x", "/api/v1/slice.collapsed?base=rest"};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        json_decref(ask_fixture_json(f, unknown[i], 400));
    }
    assert_int_equal(metrics_get(METRICS_asks_answered), answered);
}

static void
test_answers_in_files_are_counted_until_they_are_gone(void **state)
{
    const http_fixture *f = *state;
    ask_files files = {0};
    ask_answer *answers[ASK_FILES_MAX + 1];
    const lp_slice bytes = {(const uint8_t *)"piece", 5};
    for (size_t i = 0; i <= ASK_FILES_MAX; i++) {
        answers[i] = calloc(1, sizeof(*answers[i]));
        assert_non_null(answers[i]);
        lp_err err = ask_answer_begin_file(answers[i], &files, f->blobs);
        assert_int_equal(err, i < ASK_FILES_MAX ? LP_OK : LP_EAGAIN);
    }
    ask_answer_destroy(answers[0]);
    ask_answer *last = answers[ASK_FILES_MAX];
    assert_int_equal(ask_answer_begin_file(last, &files, f->blobs), LP_OK);
    assert_int_equal(ask_answer_write(last, bytes), LP_OK);
    assert_int_equal(ask_answer_write(last, bytes), LP_OK);
    assert_int_equal(last->file_bytes, 10);
    char content[20] = {0};
    assert_int_equal(pread(last->fd, content, sizeof(content), 0), 10);
    assert_string_equal(content, "piecepiece");
    last->file_bytes = ASK_FILE_BYTES_MAX - 4;
    assert_int_equal(ask_answer_write(last, bytes), LP_ELIMIT);
    for (size_t i = 1; i <= ASK_FILES_MAX; i++) {
        ask_answer_destroy(answers[i]);
    }
    assert_int_equal(atomic_load(&files.count), 0);
}

static void
test_long_answers_are_compressed_for_who_reads_that(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    enum { COUNT = 1000 };
    static ask_trace traces[COUNT];
    for (int i = 0; i < COUNT; i++) {
        traces[i] = (ask_trace){i * (int64_t)100000, 50000, "some trace id or other"};
    }
    http_fixture_put(f, &session);
    ask_fixture_store(f, &session, session.start_wall_ns, traces, COUNT);
    static const struct {
        const char *path;
        bool is_compressed;
    } cases[] = {
        {"/api/v1/contexts?limit=1000", true},
        {"/api/v1/contexts?limit=3", false}, // too short
        {"/api/v1/slice.jfr", false},        // compressed already, or to be read in place
        {"/api/v1/nothing", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_answer plain = http_client_ask(f->port, "GET", cases[i].path, "");
        http_answer gzip =
            http_client_ask(f->port, "GET", cases[i].path, "Accept-Encoding: gzip, deflate\r\n");
        assert_int_equal(gzip.status, plain.status);
        assert_null(http_client_find_header(&plain, "Content-Encoding"));
        const char *coding = http_client_find_header(&gzip, "Content-Encoding");
        if (cases[i].is_compressed) {
            assert_string_equal(coding, "gzip");
            assert_string_equal(http_client_find_header(&gzip, "Vary"), "Accept-Encoding");
            assert_true(gzip.body.len < plain.body.len / 4);
            lp_buf body = {0};
            assert_int_equal(gzip_expand(lp_buf_slice(&gzip.body), &body), LP_OK);
            lp_buf_fini(&gzip.body);
            gzip.body = body;
        } else {
            assert_null(coding);
        }
        assert_int_equal(gzip.body.len, plain.body.len);
        assert_memory_equal(gzip.body.ptr, plain.body.ptr, plain.body.len);
        http_answer_fini(&plain);
        http_answer_fini(&gzip);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_contexts_of_all_recordings_are_one_list),
        TEST(test_a_list_goes_on_behind_its_cursor),
        cmocka_unit_test(test_a_list_is_cut_where_there_is_no_room),
        TEST(test_why_adds_up),
        TEST(test_a_base_is_of_other_recordings),
        TEST(test_attributes_are_compared_with_a_base),
        TEST(test_traces_are_found_by_the_index),
        TEST(test_attributes_that_are_ids_are_found_by_their_values),
        TEST(test_ids_of_what_is_not_stored_yet),
        TEST(test_one_context_is_found_by_its_id),
        TEST(test_of_one_context_the_chunks_around_it_are_opened),
        TEST(test_events_of_all_recordings_are_one_list),
        TEST(test_events_are_counted_by_type),
        TEST(test_a_timeline_has_a_lane_for_each_thread),
        TEST(test_threads_and_jvms_are_asked_without_contexts),
        TEST(test_why_fits_into_a_ticket),
        TEST(test_what_is_asked_wrongly_is_named),
        TEST(test_answers_in_files_are_counted_until_they_are_gone),
        TEST(test_long_answers_are_compressed_for_who_reads_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
