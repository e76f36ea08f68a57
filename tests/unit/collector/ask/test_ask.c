// SPDX-License-Identifier: Apache-2.0
// Questions over HTTP, against a server over stored chunks made by hand: the contexts of several
// recordings are one list, what is not stored yet counts, chunks that cannot be read are left out
// and counted, and what is asked wrongly is named. However many ask and however slow what they wait
// for, other requests are answered, those beyond the limit are refused, and those whose client has
// left are given up.

#include "support/jfr_orders.h"
#include "support/jfr_sample.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/ask/ask_pending.h"
#include "collector/ask/ask_routes.h"
#include "collector/ask/ask_service.h"
#include "collector/ask/list_room.h"
#include "collector/base/gzip.h"
#include "collector/base/metrics.h"

#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { MS = 1000000, FREE_CLIENTS = 20 };

static const int64_t SECOND_NS = 1000000000;
static const int64_t HOUR_NS = 3600000000000;

// --- Recordings

// A context of a chunk.
typedef struct trace {
    int64_t at_ns; // behind the begin of the chunk
    int64_t duration_ns;
    const char *id;
} trace;

// begin_chunk begins a chunk at a wall time, which is also its tick.
static void
begin_chunk(jfr_build *build, int64_t start_wall_ns, const jfr_build_type *types, size_t type_count)
{
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start_wall_ns,
                               .ticks_per_s = SECOND_NS,
                               .start_wall_ns = start_wall_ns,
                               .duration_ns = SECOND_NS});
    jfr_build_metadata(build, 1, types, type_count);
    jfr_sample_thread(build, 1, 11);
}

// end_chunk appends the chunk to out.
static void
end_chunk(jfr_build *build, lp_buf *out)
{
    jfr_build_checkpoint(build);
    lp_slice chunk = jfr_build_finish(build);
    lp_buf_append(out, chunk.ptr, chunk.len);
    assert_int_equal(lp_buf_check(out), LP_OK);
    jfr_build_fini(build);
}

// make_orders appends a chunk with the orders 42 to Paris and 43 to "42", and a trace 42. Their
// numbers are ids if are_ids.
static void
make_orders(lp_buf *out, int64_t start_wall_ns, bool are_ids)
{
    jfr_build build;
    jfr_build_type types[JFR_ORDERS_TYPES_MAX];
    begin_chunk(&build, start_wall_ns, types, jfr_orders_types(types));
    jfr_orders_add(&build, start_wall_ns, 5 * MS, 42, "Paris");
    jfr_orders_add(&build, start_wall_ns + 10 * MS, 5 * MS, 43, "42");
    jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                 .start = start_wall_ns + 20 * MS,
                                 .end = start_wall_ns + 25 * MS,
                                 .thread = 1,
                                 .text = "42"});
    if (are_ids) { // behind the contexts, as the engine writes it
        jfr_orders_mark(&build, start_wall_ns, "customer, orderId");
    }
    end_chunk(&build, out);
}

static void
make_chunk(lp_buf *out, int64_t start_wall_ns, const trace *traces, size_t count)
{
    jfr_build build;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    begin_chunk(&build, start_wall_ns, types, jfr_sample_types(types));
    for (size_t i = 0; i < count; i++) {
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_wall_ns + traces[i].at_ns,
                                     .end = start_wall_ns + traces[i].at_ns + traces[i].duration_ns,
                                     .thread = 1,
                                     .text = traces[i].id});
    }
    end_chunk(&build, out);
}

// store_bytes stores a chunk of a second as the next one of the session, and ends bytes; sums may
// be NULL.
static void
store_bytes(const http_fixture *f, catalog_session *session, int64_t start_wall_ns, lp_buf bytes,
    const rollup *sums)
{
    catalog_chunk chunk = {.ordinal = session->next_chunk,
        .start_wall_ns = start_wall_ns,
        .duration_ns = SECOND_NS,
        .size_bytes = bytes.len,
        .rollup = sums,
        .types_json = "{}"};
    assert_int_equal(
        blobs_put(f->blobs, session->id, chunk.ordinal, lp_buf_slice(&bytes), &chunk.content_hash),
        LP_OK);
    session->next_chunk++;
    assert_int_equal(catalog_add_chunk(f->catalog, session, &chunk, (lp_slice){0}), LP_OK);
    lp_buf_fini(&bytes);
}

static void
store(const http_fixture *f, catalog_session *session, int64_t start_wall_ns, const trace *traces,
    size_t count)
{
    lp_buf bytes = {0};
    make_chunk(&bytes, start_wall_ns, traces, count);
    store_bytes(f, session, start_wall_ns, bytes, NULL);
}

// put_two stores two recordings: a of shop with a chunk and two contexts, b of bank with one.
static int64_t
put_two(http_fixture *f)
{
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "bank");
    b.start_wall_ns += 60 * SECOND_NS;
    http_fixture_put(f, &a);
    http_fixture_put(f, &b);
    store(f, &a, a.start_wall_ns, (trace[]){{0, 5 * MS, "one"}, {10 * MS, 9 * MS, "two"}}, 2);
    store(f, &b, b.start_wall_ns, (trace[]){{0, 7 * MS, "three"}}, 1);
    return a.start_wall_ns;
}

static void
remove_chunk(const http_fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s", f->dir.path, name);
    assert_int_equal(unlink(path), 0);
}

// What a chunk of make_sampled has.
typedef struct sampled {
    bool is_set; // the period
    const char *id;
} sampled;

// make_sampled makes a chunk with a context of 100 ms with a sample, if it has an id.
static void
make_sampled(lp_buf *out, int64_t start_wall_ns, const sampled *has)
{
    enum { SETTING = 203 };
    jfr_build build;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    types[count++] = (jfr_build_type){.id = SETTING,
        .name = "jdk.ActiveSetting",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "startTime",
                       .type = JFR_SAMPLE_LONG,
                       .annotation = JFR_SAMPLE_TIMESTAMP,
                       .annotation_value = "TICKS"},
            {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING}}};
    begin_chunk(&build, start_wall_ns, types, count);
    if (has->is_set) {
        jfr_build_varint(&build.payload, (uint64_t)start_wall_ns);
        jfr_build_varint(&build.payload, JFR_SAMPLE_EXECUTION);
        jfr_build_string(&build.payload, "period");
        jfr_build_string(&build.payload, "20 ms");
        (void)jfr_build_event(&build, SETTING);
    }
    if (has->id != NULL) {
        jfr_sample_event(&build,
            &(jfr_sample){
                .type = JFR_SAMPLE_EXECUTION, .start = start_wall_ns + 50 * MS, .thread = 1});
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_wall_ns,
                                     .end = start_wall_ns + 100 * MS,
                                     .thread = 1,
                                     .text = has->id});
    }
    end_chunk(&build, out);
}

// store_sampled stores such a chunk; with what its rollup knows of it, if is_known.
static void
store_sampled(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    const sampled *has, bool is_known)
{
    lp_buf bytes = {0};
    rollup sums;
    rollup_init(&sums);
    sums.has_period = has->is_set;
    if (has->id != NULL) {
        rollup_note_begin(&sums, start_wall_ns);
        rollup_note_commits(&sums, start_wall_ns, start_wall_ns + 100 * MS);
    }
    make_sampled(&bytes, start_wall_ns, has);
    store_bytes(f, session, start_wall_ns, bytes, is_known ? &sums : NULL);
    rollup_fini(&sums);
}

// --- Asking

static json_t *
take_json(http_answer *answer, int status)
{
    assert_int_equal(answer->status, status);
    assert_true(answer->is_complete);
    assert_string_equal(http_client_find_header(answer, "Content-Type"), "application/json");
    json_t *json = json_loadb((const char *)answer->body.ptr, answer->body.len, 0, NULL);
    assert_non_null(json);
    http_answer_fini(answer);
    return json;
}

static json_t *
ask(const http_fixture *f, const char *path, int status)
{
    http_answer answer = http_client_ask(f->port, "GET", path, "");
    return take_json(&answer, status);
}

static void
assert_error(const http_fixture *f, const char *path, int status, const char *expected)
{
    json_t *json = ask(f, path, status);
    assert_string_equal(json_string_value(json_object_get(json, "error")), expected);
    json_decref(json);
}

static size_t
column(const json_t *list, const char *name)
{
    const json_t *columns = json_object_get(list, "columns");
    for (size_t i = 0; i < json_array_size(columns); i++) {
        if (strcmp(json_string_value(json_array_get(columns, i)), name) == 0) {
            return i;
        }
    }
    fail_msg("no column %s", name);
    return 0;
}

// assert_list compares the trace ids of the rows, and how many chunks were left out.
static void
assert_list(json_t *list, const char *expected, json_int_t left_out)
{
    char ids[200] = "";
    const json_t *rows = json_object_get(list, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *id = json_array_get(json_array_get(rows, i), column(list, "attr.traceId"));
        size_t len = strlen(ids);
        (void)snprintf(
            ids + len, sizeof(ids) - len, "%s%s", i == 0 ? "" : " ", json_string_value(id));
    }
    assert_string_equal(ids, expected);
    const json_t *counts = json_object_get(list, "left_out");
    assert_int_equal(json_integer_value(json_object_get(counts, "chunks")), left_out);
    assert_int_equal(json_integer_value(json_object_get(counts, "events")), 0);
    assert_int_equal(json_integer_value(json_object_get(counts, "places")), 0);
}

static void
expect_list(const http_fixture *f, const char *query, const char *expected, json_int_t left_out)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/contexts?%s", query);
    json_t *list = ask(f, path, 200);
    assert_list(list, expected, left_out);
    json_decref(list);
}

// --- Tests

static void
test_contexts_of_all_recordings_are_one_list(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = put_two(f);
    char query[200];
    json_t *list = ask(f, "/api/v1/contexts", 200);
    assert_list(list, "two three one", 0);
    assert_int_equal(json_integer_value(json_object_get(list, "matched")), 3);
    assert_true(json_is_null(json_object_get(list, "next")));
    assert_true(json_is_false(json_object_get(list, "is_truncated")));
    const json_t *row = json_array_get(json_object_get(list, "rows"), 1);
    assert_string_equal(json_string_value(json_array_get(row, column(list, "recording"))),
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
    assert_int_equal(json_integer_value(json_array_get(row, column(list, "duration"))), 7 * MS);
    json_decref(list);

    expect_list(f, "sort=start", "one two three", 0);
    expect_list(f, "service=shop", "two one", 0);
    expect_list(f, "service=bank&instance=host:1", "three", 0);
    expect_list(f, "service=bank&instance=host:2", "", 0);
    expect_list(f, "recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "two one", 0);
    expect_list(f, "recording=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa&service=bank", "", 0);
    expect_list(f, "recording=cccccccccccccccccccccccccccccccc", "", 0);
    expect_list(f, "min_duration_ns=7000000", "two three", 0);
    expect_list(f, "where=traceId%3Done", "one", 0);
    (void)snprintf(query, sizeof(query), "from=%" PRId64 "&to=%" PRId64, start_wall_ns + 10 * MS,
        start_wall_ns + SECOND_NS);
    expect_list(f, query, "two", 0);
}

static void
test_a_list_goes_on_behind_its_cursor(void **state)
{
    http_fixture *f = *state;
    (void)put_two(f);
    char path[300] = "/api/v1/contexts?limit=1";
    static const char *const expected[] = {"two", "three", "one"};
    for (size_t i = 0; i < 3; i++) {
        json_t *list = ask(f, path, 200);
        assert_list(list, expected[i], 0);
        assert_int_equal(json_integer_value(json_object_get(list, "matched")), 3);
        const char *next = json_string_value(json_object_get(list, "next"));
        assert_true((next == NULL) == (i == 2));
        (void)snprintf(
            path, sizeof(path), "/api/v1/contexts?limit=1&cursor=%s", next == NULL ? "" : next);
        json_decref(list);
    }
}

// Each of the three rows has LIST_ROOM_ROW_BYTES, its type's name and its attribute.
static void
test_a_list_is_cut_where_there_is_no_room(void **state)
{
    (void)state;
    query_names names = {0};
    uint32_t type = query_names_add(&names, "a\nb"); // 8 bytes with the line break
    const query_attribute attribute = {.name = "x", .value = {(const uint8_t *)"0123", 4}};
    const size_t row = LIST_ROOM_ROW_BYTES + 8 + 4;
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
        bool is_cut = list_room_cut(&listing, &names, cases[i].rows * row + cases[i].more);
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
    (void)put_two(f);
    json_t *why = ask(f, "/api/v1/why", 200);
    assert_int_equal(json_integer_value(json_object_get(why, "requests")), 3);
    assert_int_equal(json_integer_value(json_object_get(why, "total_ns")), 21 * MS);
    const json_t *rest = json_array_get(json_object_get(why, "slices"), 0);
    assert_string_equal(json_string_value(json_object_get(rest, "category")), "unaccounted");
    assert_int_equal(json_integer_value(json_object_get(rest, "total_ns")), 21 * MS);
    json_decref(why);
}

static int64_t
number_of(const json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}

static void
test_a_base_is_of_other_recordings(void **state)
{
    http_fixture *f = *state;
    (void)put_two(f);
    json_t *graph = ask(f, "/api/v1/flamegraph?service=bank&base_service=shop", 200);
    assert_int_equal(number_of(graph, "requests"), 1);
    assert_int_equal(number_of(graph, "total"), 7 * MS);
    assert_int_equal(number_of(graph, "base_requests"), 2);
    assert_int_equal(number_of(graph, "base_total"), 14 * MS);
    json_decref(graph);
    graph = ask(f, "/api/v1/flamegraph?where=traceId%3Done&base=rest", 200);
    assert_int_equal(number_of(graph, "requests"), 1);
    assert_int_equal(number_of(graph, "base_requests"), 2);
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
    (void)put_two(f);
    json_t *all = ask(f, "/api/v1/attributes?min_duration_ns=7000000&base=rest&limit=1", 200);
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

// add_id adds a trace id to the index, as that of a kept context in a chunk, or of dropped ones.
static void
add_id(const http_fixture *f, const char *recording, int64_t start_wall_ns, const char *id,
    bool is_kept)
{
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash));
    rollup_ids added = {0};
    uint64_t *item = is_kept ? LP_VEC_PUSH(&added.kept) : LP_VEC_PUSH(&added.dropped);
    assert_non_null(item);
    *item = hash;
    id_store_add(&f->ids, recording, 0, start_wall_ns, &added);
    rollup_ids_fini(&added);
}

static void
expect_trace(const http_fixture *f, const char *rest, const char *expected, const char *state)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/traces/%s", rest);
    json_t *found = ask(f, path, 200);
    assert_list(found, expected, 0);
    assert_string_equal(json_string_value(json_object_get(found, "state")), state);
    json_decref(found);
}

static void
test_traces_are_found_by_the_index(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = put_two(f);
    catalog_session c = http_fixture_session('c', "bank");
    c.end_wall_ns = c.start_wall_ns + 4 * HOUR_NS;
    http_fixture_put(f, &c);
    store(f, &c, c.start_wall_ns + 3 * HOUR_NS,
        (trace[]){{20 * MS, 3 * MS, "three"}, {30 * MS, 4 * MS, "four"}}, 2);
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

    json_t *found = ask(f, "/api/v1/traces/three", 200);
    const json_t *searched = json_object_get(found, "searched");
    assert_true(json_is_null(json_object_get(searched, "from")));
    assert_true(number_of(searched, "segments") > 0);
    assert_true(json_is_false(json_object_get(searched, "is_whole")));
    assert_true(json_is_true(json_object_get(found, "is_truncated")));
    const json_t *b = json_object_get(json_object_get(found, "recordings"), b_id);
    assert_string_equal(json_string_value(json_object_get(b, "service")), "bank");
    json_decref(found);
    id_index_set_whole(f->ids.index);
    found = ask(f, "/api/v1/traces/three", 200);
    assert_true(json_is_false(json_object_get(found, "is_truncated")));
    json_decref(found);
    assert_error(f, "/api/v1/traces/three?trace=x", 400, "trace: given twice");
}

// expect_ids compares the types of the contexts that have an id, and the attributes that it is.
static void
expect_ids(const http_fixture *f, const char *path, const char *types, const char *attributes,
    const char *state)
{
    char found_types[200] = "";
    json_t *found = ask(f, path, 200);
    const json_t *rows = json_object_get(found, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *type = json_array_get(json_array_get(rows, i), column(found, "type"));
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
    make_orders(&bytes, c.start_wall_ns, true);
    store_bytes(f, &c, c.start_wall_ns, bytes, NULL);
    http_fixture_put(f, &d);
    bytes = (lp_buf){0};
    make_orders(&bytes, d.start_wall_ns, false);
    store_bytes(f, &d, d.start_wall_ns, bytes, NULL);
    add_id(f, c.id, c.start_wall_ns, "42", true);
    add_id(f, d.id, d.start_wall_ns, "43", true); // which is wrong: the index may be
    add_id(f, c.id, c.start_wall_ns, "44", false);
    expect_ids(f, "/api/v1/ids/42", "shop.Order test.Trace", "[\"orderId\",\"traceId\"]", "kept");
    expect_ids(f, "/api/v1/ids/42?context=Order", "shop.Order", "[\"orderId\"]", "kept");
    expect_ids(f, "/api/v1/traces/42", "test.Trace", "[\"traceId\"]", "kept");
    expect_ids(f, "/api/v1/ids/43", "", "[]", "unknown"); // no id in that chunk
    expect_ids(f, "/api/v1/ids/44", "", "[]", "eliminated");
    expect_ids(f, "/api/v1/ids/Paris", "", "[]", "unknown");
    json_t *list = ask(f, "/api/v1/contexts?where=orderId%3D42", 200);
    assert_int_equal(number_of(list, "matched"), 2); // marked or not
    json_decref(list);
    json_decref(ask(f, "/api/v1/ids/", 404));
}

static void
test_ids_of_what_is_not_stored_yet(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    make_orders(&f->server.tail, a.start_wall_ns, true);
    f->server.err = LP_OK;
    expect_ids(f, "/api/v1/ids/43", "shop.Order", "[\"orderId\"]", "kept");
    expect_ids(f, "/api/v1/ids/42", "shop.Order test.Trace", "[\"orderId\",\"traceId\"]", "kept");
}

static void
test_one_context_is_found_by_its_id(void **state)
{
    http_fixture *f = *state;
    char path[200];
    (void)put_two(f);
    json_t *list = ask(f, "/api/v1/contexts?where=traceId%3Dtwo", 200);
    const json_t *row = json_array_get(json_object_get(list, "rows"), 0);
    (void)snprintf(path, sizeof(path), "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/%s",
        json_string_value(json_array_get(row, column(list, "id"))));
    json_decref(list);
    json_t *one = ask(f, path, 200);
    assert_int_equal(number_of(one, "duration"), 9 * MS);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(one, "attributes"), "traceId")), "two");
    assert_int_equal(number_of(json_object_get(one, "why"), "total_ns"), 9 * MS);
    assert_int_equal(number_of(json_object_get(one, "left_out"), "chunks"), 0);
    json_decref(one);
    assert_error(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1-00000002", 404,
        "no context 1-00000002 is stored of recording aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_error(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 404,
        "a context is at /api/v1/contexts/RECORDING/ID");
    json_decref(ask(f, "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/x", 400));
    json_decref(ask(f, "/api/v1/contexts/x/1-00000002", 400));
}

// Only those chunks are opened in which something of the context can be: the second and the last
// are not there. The last but one has a context that began before it and ended after it.
static void
test_of_one_context_the_chunks_around_it_are_opened(void **state)
{
    http_fixture *f = *state;
    char path[200];
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    for (int i = 0; i < 6; i++) {
        int64_t start_ns = a.start_wall_ns + i * SECOND_NS;
        int64_t begin_ns = i == 4 ? 10 * MS - 2 * SECOND_NS : 20 * MS;
        int64_t end_ns = 30 * MS;
        rollup sums;
        rollup_init(&sums);
        sums.begin_min_ns = start_ns + begin_ns;
        sums.commit_min_ns = start_ns + end_ns;
        sums.commit_max_ns = start_ns + end_ns;
        lp_buf bytes = {0};
        const trace one = {begin_ns, end_ns - begin_ns, i == 4 ? "outer" : "inner"};
        make_chunk(&bytes, start_ns, &one, 1);
        store_bytes(f, &a, start_ns, bytes, &sums);
        rollup_fini(&sums);
    }
    json_t *list = ask(f, "/api/v1/contexts?sort=start", 200);
    const json_t *row = json_array_get(json_object_get(list, "rows"), 4); // of the fourth chunk
    char id[CTX_REF_BYTES];
    (void)snprintf(
        id, sizeof(id), "%s", json_string_value(json_array_get(row, column(list, "id"))));
    json_decref(list);
    remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1.jfr");
    remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/5.jfr");
    (void)snprintf(path, sizeof(path), "/api/v1/contexts/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/%s", id);
    json_t *one = ask(f, path, 200);
    assert_int_equal(number_of(one, "duration"), 10 * MS);
    assert_int_equal(number_of(json_object_get(one, "left_out"), "chunks"), 0);
    const json_t *parent = json_object_get(one, "parent");
    assert_int_equal(number_of(parent, "duration"), 2 * SECOND_NS + 20 * MS);
    assert_int_equal(number_of(parent, "start"), -SECOND_NS - 10 * MS);
    json_decref(one);
}

static void
test_events_of_all_recordings_are_one_list(void **state)
{
    http_fixture *f = *state;
    int64_t start_wall_ns = put_two(f);
    char path[200];
    json_t *list = ask(f, "/api/v1/events?event=Trace&columns=traceId", 200);
    const json_t *rows = json_object_get(list, "rows");
    static const char *const expected[] = {"one", "two", "three"};
    assert_int_equal(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_t *fields = json_array_get(json_array_get(rows, i), column(list, "fields"));
        assert_int_equal(json_object_size(fields), 1);
        assert_string_equal(json_string_value(json_object_get(fields, "traceId")), expected[i]);
    }
    json_decref(list);
    (void)snprintf(path, sizeof(path), "/api/v1/events?limit=1&from=%" PRId64, start_wall_ns + 1);
    list = ask(f, path, 200);
    assert_int_equal(json_array_size(json_object_get(list, "rows")), 1);
    assert_true(json_is_string(json_object_get(list, "next")));
    json_decref(list);
    list = ask(f, "/api/v1/events?context=Trace", 200); // there is nothing in them
    assert_int_equal(json_array_size(json_object_get(list, "rows")), 0);
    json_decref(list);
    assert_error(f, "/api/v1/events?columns=a,,b", 400,
        "columns 'a,,b': not up to 32 names of fields with commas between them");
    assert_error(f, "/api/v1/events?cursor=x", 400, "cursor 'x': not `next` of an answer");
}

static void
test_events_are_counted_by_type(void **state)
{
    http_fixture *f = *state;
    (void)put_two(f);
    json_t *counts = ask(f, "/api/v1/events/types?service=shop", 200);
    assert_int_equal(number_of(counts, "events"), 2);
    assert_true(json_is_null(json_object_get(counts, "contexts")));
    const json_t *type = json_array_get(json_object_get(counts, "types"), 0);
    assert_string_equal(json_string_value(json_object_get(type, "type")), "test.Trace");
    assert_int_equal(number_of(type, "count"), 2);
    assert_int_equal(number_of(type, "total_ns"), 14 * MS);
    assert_int_equal(number_of(json_object_get(counts, "left_out"), "chunks"), 0);
    json_decref(counts);
    counts = ask(f, "/api/v1/events/types?context=Trace", 200); // there is nothing in them
    assert_int_equal(number_of(counts, "events"), 0);
    assert_int_equal(number_of(counts, "contexts"), 3);
    json_decref(counts);
}

static void
test_a_timeline_has_a_lane_for_each_thread(void **state)
{
    http_fixture *f = *state;
    (void)put_two(f);
    json_t *found = ask(f, "/api/v1/timeline?width=100", 200);
    const json_t *lanes = json_object_get(found, "lanes");
    assert_int_equal(json_array_size(lanes), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(lanes, 0), "recording")),
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(lanes, 0), "thread")), "thread-11");
    // A minute in 100 pixels: both of a are in one
    const json_t *rows = json_object_get(found, "rows");
    assert_int_equal(json_array_size(rows), 2);
    assert_int_equal(
        json_integer_value(json_array_get(json_array_get(rows, 0), column(found, "count"))), 2);
    assert_int_equal(
        json_integer_value(json_array_get(json_array_get(rows, 0), column(found, "duration"))),
        19 * MS);
    assert_true(json_is_null(json_array_get(json_array_get(rows, 0), column(found, "id"))));
    assert_true(json_is_string(json_array_get(json_array_get(rows, 1), column(found, "id"))));
    json_decref(found);
}

static void
test_why_fits_into_a_ticket(void **state)
{
    http_fixture *f = *state;
    (void)put_two(f);
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
        {"/api/v1/contexts?service", "service: a text is needed"},
        {"/api/v1/flamegraph?value=x",
            "value 'x': not one of time, cpu, alloc, lock, park, io, count"},
        {"/api/v1/flamegraph?max_nodes=0", "max_nodes '0': not a whole number from 1 to 1048576"},
        {"/api/v1/flamegraph?base_recording=x",
            "base_recording 'x': not an id of 32 characters of 0-9 and a-f"},
        {"/api/v1/why?recording=x", "recording 'x': not an id of 32 characters of 0-9 and a-f"},
        {"/api/v1/why?from=2026-01-02T03:04:05Z&to=2026-01-02T03:04:05Z", "from: not before to"},
    };
    const http_fixture *f = *state;
    uint64_t answered = metrics_get(METRICS_asks_answered);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_error(f, cases[i].path, 400, cases[i].error);
    }
    static const char *const unknown[] = {"/api/v1/contexts?limits=1", "/api/v1/why?limit=1",
        "/api/v1/why?base=rest", "/api/v1/contexts?cursor=x", "/api/v1/flamegraph?frame=(",
        "/api/v1/flamegraph?base=x", "/api/v1/slice.collapsed?base=rest"};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        json_decref(ask(f, unknown[i], 400));
    }
    assert_int_equal(metrics_get(METRICS_asks_answered), answered);
}

static void
test_chunks_that_cannot_be_read_are_left_out_and_counted(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    for (int i = 0; i < 4; i++) {
        char id[] = {(char)('0' + i), '\0'};
        store(f, &a, a.start_wall_ns + i * SECOND_NS, (trace[]){{0, (4 - i) * MS, id}}, 1);
    }
    expect_list(f, "", "0 1 2 3", 0);
    uint64_t left_out = metrics_get(METRICS_ask_chunks_left_out);
    remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/1.jfr");
    const char damage[] = "not what the catalog knows";
    assert_int_equal(
        blobs_put(f->blobs, a.id, 3, (lp_slice){(const uint8_t *)damage, sizeof(damage)}, NULL),
        LP_OK);
    expect_list(f, "", "0 2", 2);
    assert_int_equal(metrics_get(METRICS_ask_chunks_left_out), left_out + 2);
    json_t *why = ask(f, "/api/v1/why", 200);
    assert_int_equal(json_integer_value(json_object_get(why, "requests")), 2);
    json_decref(why);
}

static void
test_a_chunk_over_the_limit_truncates_the_answer(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    http_fixture_put(f, &a);
    store(f, &a, a.start_wall_ns, (trace[]){{0, 4 * MS, "0"}}, 1);
    const catalog_chunk large = {
        .ordinal = 1,
        .start_wall_ns = a.start_wall_ns + SECOND_NS,
        .duration_ns = SECOND_NS,
        .size_bytes = (uint64_t)ASK_CHUNK_BYTES_MAX + 1,
        .types_json = "{}",
    };
    a.next_chunk = 2;
    assert_int_equal(catalog_add_chunk(f->catalog, &a, &large, (lp_slice){0}), LP_OK);
    json_t *found = ask(f, "/api/v1/contexts", 200);
    assert_int_equal(number_of(json_object_get(found, "left_out"), "chunks"), 1);
    assert_int_equal(number_of(found, "matched"), 1);
    assert_true(json_is_true(json_object_get(found, "is_truncated")));
    json_decref(found);
}

// Chunks that are far from the range are not looked at: those are not there.
static void
test_a_time_range_opens_the_chunks_around_it(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.end_wall_ns = a.start_wall_ns + 10 * HOUR_NS;
    http_fixture_put(f, &a);
    for (int i = 0; i < 10; i++) {
        char id[] = {(char)('0' + i), '\0'};
        store(f, &a, a.start_wall_ns + i * HOUR_NS, (trace[]){{0, MS, id}}, 1);
    }
    remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/2.jfr");
    remove_chunk(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/7.jfr");
    char query[200];
    (void)snprintf(query, sizeof(query), "sort=start&from=%" PRId64 "&to=%" PRId64,
        a.start_wall_ns + 4 * HOUR_NS, a.start_wall_ns + 5 * HOUR_NS + 1);
    expect_list(f, query, "4 5", 0);
    (void)snprintf(query, sizeof(query), "sort=start&from=%" PRId64, a.start_wall_ns + 4 * HOUR_NS);
    expect_list(f, query, "4 5 6 8 9", 1);
    (void)snprintf(query, sizeof(query), "sort=start&to=%" PRId64, a.start_wall_ns + 4 * HOUR_NS);
    expect_list(f, query, "0 1 3", 1);
}

// expect_cpu expects a sample of 20 ms in a context of 100 ms.
static void
expect_cpu(const http_fixture *f, const char *query)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/why?%s", query);
    json_t *why = ask(f, path, 200);
    assert_int_equal(number_of(why, "requests"), 1);
    assert_int_equal(number_of(json_object_get(why, "left_out"), "chunks"), 0);
    const json_t *slices = json_object_get(why, "slices");
    assert_int_equal(json_array_size(slices), 2);
    const json_t *cpu = json_array_get(slices, 0);
    assert_string_equal(json_string_value(json_object_get(cpu, "category")), "cpu");
    assert_int_equal(number_of(cpu, "total_ns"), 20 * MS);
    json_decref(why);
}

// A JVM has its settings in its first chunk alone. Only that and those of the range are opened: the
// others are not there.
static void
test_the_period_of_samples_is_that_of_a_chunk_far_before(void **state)
{
    http_fixture *f = *state;
    const sampled kinds[] = {{.is_set = true}, {.id = "a"}, {.id = "b"}, {.id = "c"}};
    for (int session = 0; session < 2; session++) {
        catalog_session a = http_fixture_session((char)('a' + session), "shop");
        a.end_wall_ns = a.start_wall_ns + 10 * HOUR_NS;
        http_fixture_put(f, &a);
        for (int i = 0; i < 4; i++) {
            int64_t start_wall_ns = a.start_wall_ns + 3 * i * HOUR_NS;
            store_sampled(f, &a, start_wall_ns, &kinds[i], session == 0);
        }
        char name[100];
        for (int i = 1; i < 3; i++) {
            (void)snprintf(name, sizeof(name), "%s/%d.jfr", a.id, i);
            remove_chunk(f, name);
        }
        char query[200];
        (void)snprintf(query, sizeof(query),
            "recording=%s&max_duration_ns=1000000000&from=%" PRId64, a.id,
            a.start_wall_ns + 9 * HOUR_NS);
        expect_cpu(f, query);
    }
}

static void
test_what_is_not_stored_yet_counts(void **state)
{
    http_fixture *f = *state;
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    store(f, &a, a.start_wall_ns, (trace[]){{0, 5 * MS, "stored"}}, 1);
    // It is in the snapshot as well, which is as old as the first chunk.
    store(f, &a, a.start_wall_ns + SECOND_NS, (trace[]){{0, 4 * MS, "committed"}}, 1);
    make_chunk(
        &f->server.tail, a.start_wall_ns + SECOND_NS, (trace[]){{0, 4 * MS, "committed"}}, 1);
    make_chunk(
        &f->server.tail, a.start_wall_ns + 2 * SECOND_NS, (trace[]){{0, 3 * MS, "pending"}}, 1);
    f->server.err = LP_OK;
    f->server.next_chunk = 1;
    expect_list(f, "", "stored committed pending", 0);
    expect_list(f, "service=shop&where=traceId%3Dpending", "pending", 0);

    f->server.err = LP_EIO; // what is pending is left out then
    expect_list(f, "", "stored committed", 1);
    f->server.err = LP_ENOENT; // it ended: all of it is stored
    expect_list(f, "", "stored committed", 0);
    f->server.err = LP_ENOMEM;
    json_decref(ask(f, "/api/v1/contexts", 503));
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
        lp_err err = ask_answer_write(answers[i], &files, f->blobs, bytes);
        assert_int_equal(err, i < ASK_FILES_MAX ? LP_OK : LP_EAGAIN);
    }
    ask_answer_destroy(answers[0]);
    ask_answer *last = answers[ASK_FILES_MAX];
    assert_int_equal(ask_answer_write(last, &files, f->blobs, bytes), LP_OK);
    assert_int_equal(ask_answer_write(last, &files, f->blobs, bytes), LP_OK);
    assert_int_equal(last->file_bytes, 10);
    char content[20] = {0};
    assert_int_equal(pread(last->fd, content, sizeof(content), 0), 10);
    assert_string_equal(content, "piecepiece");
    last->file_bytes = ASK_FILE_BYTES_MAX - 4;
    assert_int_equal(ask_answer_write(last, &files, f->blobs, bytes), LP_ELIMIT);
    for (size_t i = 1; i <= ASK_FILES_MAX; i++) {
        ask_answer_destroy(answers[i]);
    }
    assert_int_equal(atomic_load(&files.count), 0);
}

static bool
is_never_gone(void *arg)
{
    (void)arg;
    return false;
}

static void
on_answer(void *arg, ask_answer *answer)
{
    atomic_store((_Atomic(ask_answer *) *)arg, answer);
}

static void
test_a_question_that_takes_too_long_is_given_up(void **state)
{
    http_fixture *f = *state;
    const char *rest;
    ask_service *service;
    ask_query *query;
    _Atomic(ask_answer *) given = NULL;
    ask_answer *answer;
    (void)put_two(f);
    const ask_store too_long = {.answer_ns_max = -1,
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .snapshots = f->snapshots};
    assert_int_equal(ask_service_start(&too_long, &service), LP_OK);
    const ask_route *route = ask_routes_find("why", &rest);
    assert_int_equal(ask_query_create(route, rest, &query, NULL), LP_OK);
    ask_service_ask(service, query,
        (ask_client){.is_gone = is_never_gone, .on_answer = on_answer, .arg = &given});
    while ((answer = atomic_load(&given)) == NULL) { // ctest's time limit ends it
        (void)usleep(1000);
    }
    ask_service_stop(service);
    assert_int_equal(answer->err, LP_ELIMIT);
    assert_string_equal(
        answer->problem.text, "the answer would take longer than 120 s: ask for less");
    ask_answer_destroy(answer);
}

static void
test_long_answers_are_compressed_for_who_reads_that(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    enum { COUNT = 1000 };
    static trace traces[COUNT];
    for (int i = 0; i < COUNT; i++) {
        traces[i] = (trace){i * (int64_t)100000, 50000, "some trace id or other"};
    }
    http_fixture_put(f, &session);
    store(f, &session, session.start_wall_ns, traces, COUNT);
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

// --- Waiting

static void
send_question(int fd, const char *path)
{
    char request[200];
    (void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    http_client_send(fd, request);
}

// await returns once a metric has a value; ctest's time limit ends it.
static void
await(metrics_id id, uint64_t value)
{
    while (metrics_get(id) != value) {
        (void)usleep(1000);
    }
}

// put_running puts a running recording whose snapshots are held, so that questions about it take as
// long as the test wants.
static void
put_running(http_fixture *f)
{
    catalog_session a = http_fixture_session('a', "shop");
    a.is_ended = false;
    http_fixture_put(f, &a);
    f->server.is_held = true;
}

static unsigned
held_count(http_fixture *f)
{
    (void)pthread_mutex_lock(&f->server.mutex);
    unsigned count = f->server.held_count;
    (void)pthread_mutex_unlock(&f->server.mutex);
    return count;
}

static void
test_snapshots_are_made_side_by_side(void **state)
{
    enum { RUNNING = ASK_PENDING_AT_ONCE + 2 };
    http_fixture *f = *state;
    for (int i = 0; i < RUNNING; i++) {
        catalog_session session = http_fixture_session((char)('a' + i), "shop");
        session.is_ended = false;
        http_fixture_put(f, &session);
    }
    catalog_session first = http_fixture_session('a', "shop");
    make_orders(&f->server.tail, first.start_wall_ns, true);
    f->server.err = LP_OK;
    f->server.is_held = true;
    int fd = http_client_connect(f->port);
    send_question(fd, "/api/v1/ids/43");
    while (held_count(f) < ASK_PENDING_AT_ONCE) {
        (void)usleep(1000); // ctest's time limit ends it
    }
    assert_int_equal(held_count(f), ASK_PENDING_AT_ONCE);
    http_fixture_open(f); // the others are asked for as soon as these are there
    http_answer answer = http_client_receive(fd, false);
    json_t *found = take_json(&answer, 200);
    assert_int_equal(json_array_size(json_object_get(found, "rows")), RUNNING);
    json_decref(found);
    assert_int_equal(close(fd), 0);
}

// A maker of snapshots of 10 bytes each, which answers at once.
typedef struct maker {
    snapshot *made[3];
    size_t count;
} maker;

static uint64_t
make_snapshot(void *arg, const char *session_id, snapshot_kind kind, snapshot_receiver *on_snapshot,
    void *on_arg)
{
    (void)session_id;
    (void)kind;
    maker *m = arg;
    snapshot *made = snapshot_create(LP_OK);
    assert_non_null(made);
    lp_buf_append(&made->jfr, "0123456789", 10);
    m->made[m->count++] = snapshot_ref(made);
    on_snapshot(on_arg, made);
    return 0;
}

static void
test_snapshots_of_a_question_have_a_limit(void **state)
{
    (void)state;
    maker m = {0};
    ask_cancel cancel = {0};
    ask_pending items[] = {{.session_id = "a"}, {.session_id = "b"}, {.session_id = "c"}};
    const snapshot_source from = {.request = make_snapshot, .arg = &m};
    assert_int_equal(ask_pending_get(from, items, 3, 29, &cancel), LP_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(items[i].is_left_out, i == 2);
        assert_ptr_equal(items[i].snapshot, i == 2 ? NULL : m.made[i]);
        assert_int_equal(atomic_load(&m.made[i]->owner_count), i == 2 ? 1 : 2); // it is given back
        snapshot_unref(items[i].snapshot);
        snapshot_unref(m.made[i]);
    }
}

static void
test_questions_hold_up_nobody_else(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    int fds[ASK_WORKERS_MAX + ASK_WAITING_MAX];
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        fds[i] = http_client_connect(f->port);
        send_question(fds[i], "/api/v1/why");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, ASK_WAITING_MAX);
    for (int i = 0; i < FREE_CLIENTS; i++) {
        json_decref(ask(f, "/healthz", 200));
        json_decref(ask(f, "/api/v1/recordings", 200));
        json_decref(ask(f, "/api/v1/why?limit=1", 400)); // no place is needed for that
    }
    http_answer refused = http_client_ask(f->port, "GET", "/api/v1/contexts", "");
    assert_int_equal(refused.status, 503);
    assert_string_equal(http_client_find_header(&refused, "Retry-After"), "1");
    json_decref(take_json(&refused, 503));

    http_fixture_open(f);
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        http_answer answer = http_client_receive(fds[i], false);
        json_t *why = take_json(&answer, 200);
        assert_int_equal(json_integer_value(json_object_get(why, "requests")), 0);
        json_decref(why);
        assert_int_equal(close(fds[i]), 0);
    }
    json_decref(ask(f, "/api/v1/contexts", 200));
    assert_int_equal(metrics_get(METRICS_asks_running), 0);
}

static void
test_questions_of_clients_that_leave_are_given_up(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    uint64_t cancelled = metrics_get(METRICS_asks_cancelled);
    int fds[ASK_WORKERS_MAX + 3];
    size_t count = sizeof(fds) / sizeof(fds[0]);
    for (size_t i = 0; i < count; i++) {
        fds[i] = http_client_connect(f->port);
        send_question(fds[i], "/api/v1/why");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    await(METRICS_asks_cancelled, cancelled + count); // although what they wait for never comes
    await(METRICS_asks_running, 0);
    http_fixture_open(f); // too late, and does no harm
    json_decref(ask(f, "/api/v1/why", 200));
}

static void
test_stopping_does_not_wait_for_questions(void **state)
{
    http_fixture *f = *state;
    put_running(f);
    int fds[ASK_WORKERS_MAX + 1];
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        fds[i] = http_client_connect(f->port);
        send_question(fds[i], "/api/v1/contexts");
    }
    await(METRICS_asks_running, ASK_WORKERS_MAX);
    await(METRICS_asks_waiting, 1);
    http_server_stop(f->http);
    f->http = NULL;
    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
        http_answer answer = http_client_receive(fds[i], false);
        assert_true(answer.status == 503 || answer.status == 0);
        http_answer_fini(&answer);
        assert_int_equal(close(fds[i]), 0);
    }
    http_fixture_open(f); // comes too late, and does no harm
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
        TEST(test_why_fits_into_a_ticket),
        TEST(test_what_is_asked_wrongly_is_named),
        TEST(test_chunks_that_cannot_be_read_are_left_out_and_counted),
        TEST(test_a_chunk_over_the_limit_truncates_the_answer),
        TEST(test_a_time_range_opens_the_chunks_around_it),
        TEST(test_the_period_of_samples_is_that_of_a_chunk_far_before),
        TEST(test_what_is_not_stored_yet_counts),
        TEST(test_answers_in_files_are_counted_until_they_are_gone),
        TEST(test_a_question_that_takes_too_long_is_given_up),
        TEST(test_long_answers_are_compressed_for_who_reads_that),
        TEST(test_snapshots_are_made_side_by_side),
        TEST(test_snapshots_of_a_question_have_a_limit),
        TEST(test_questions_hold_up_nobody_else),
        TEST(test_questions_of_clients_that_leave_are_given_up),
        TEST(test_stopping_does_not_wait_for_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
