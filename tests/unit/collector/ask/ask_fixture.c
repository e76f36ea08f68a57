// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/ask/ask_fixture.h"

#include "support/jfr_orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// --- Recordings

void
ask_fixture_begin_chunk(
    jfr_build *build, int64_t start_wall_ns, const jfr_build_type *types, size_t type_count)
{
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start_wall_ns,
                               .ticks_per_s = SECOND_NS,
                               .start_wall_ns = start_wall_ns,
                               .duration_ns = SECOND_NS});
    jfr_build_metadata(build, 1, types, type_count);
    jfr_sample_thread(build, 1, 11);
}

void
ask_fixture_end_chunk(jfr_build *build, lp_buf *out)
{
    jfr_build_checkpoint(build);
    lp_slice chunk = jfr_build_finish(build);
    lp_buf_append(out, chunk.ptr, chunk.len);
    assert_int_equal(lp_buf_check(out), LP_OK);
    jfr_build_fini(build);
}

void
ask_fixture_make_orders(lp_buf *out, int64_t start_wall_ns, bool are_ids)
{
    jfr_build build;
    jfr_build_type types[JFR_ORDERS_TYPES_MAX];
    ask_fixture_begin_chunk(&build, start_wall_ns, types, jfr_orders_types(types));
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
    ask_fixture_end_chunk(&build, out);
}

void
ask_fixture_make_chunk(lp_buf *out, int64_t start_wall_ns, const ask_trace *traces, size_t count)
{
    jfr_build build;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    ask_fixture_begin_chunk(&build, start_wall_ns, types, jfr_sample_types(types));
    for (size_t i = 0; i < count; i++) {
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_wall_ns + traces[i].at_ns,
                                     .end = start_wall_ns + traces[i].at_ns + traces[i].duration_ns,
                                     .thread = 1,
                                     .text = traces[i].id});
    }
    ask_fixture_end_chunk(&build, out);
}

void
ask_fixture_store_bytes(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    lp_buf bytes, const rollup *sums)
{
    catalog_chunk chunk = {.ordinal = session->next_chunk,
        .start_wall_ns = start_wall_ns,
        .duration_ns = SECOND_NS,
        .size_bytes = bytes.len,
        .rollup = sums,
        .types_json = "{}",
        .ids = http_fixture_no_ids(f)};
    chunk.content_hash = blobs_hash(lp_buf_slice(&bytes));
    assert_int_equal(
        blobs_put(f->blobs, session->id, chunk.ordinal, lp_buf_slice(&bytes), NULL), LP_OK);
    session->next_chunk++;
    assert_int_equal(catalog_add_chunk(f->catalog, session, &chunk, (lp_slice){0}), LP_OK);
    lp_buf_fini(&bytes);
}

void
ask_fixture_store(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    const ask_trace *traces, size_t count)
{
    lp_buf bytes = {0};
    ask_fixture_make_chunk(&bytes, start_wall_ns, traces, count);
    ask_fixture_store_bytes(f, session, start_wall_ns, bytes, NULL);
}

int64_t
ask_fixture_put_two(http_fixture *f)
{
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "bank");
    b.start_wall_ns += 60 * SECOND_NS;
    http_fixture_put(f, &a);
    http_fixture_put(f, &b);
    ask_fixture_store(
        f, &a, a.start_wall_ns, (ask_trace[]){{0, 5 * MS, "one"}, {10 * MS, 9 * MS, "two"}}, 2);
    ask_fixture_store(f, &b, b.start_wall_ns, (ask_trace[]){{0, 7 * MS, "three"}}, 1);
    return a.start_wall_ns;
}

void
ask_fixture_remove_chunk(const http_fixture *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/blobs/%s", f->dir.path, name);
    assert_int_equal(unlink(path), 0);
}

// --- Asking

json_t *
ask_fixture_take_json(http_answer *answer, int status)
{
    assert_int_equal(answer->status, status);
    assert_true(answer->is_complete);
    assert_string_equal(http_client_find_header(answer, "Content-Type"), "application/json");
    json_t *json = json_loadb((const char *)answer->body.ptr, answer->body.len, 0, NULL);
    assert_non_null(json);
    http_answer_fini(answer);
    return json;
}

json_t *
ask_fixture_json(const http_fixture *f, const char *path, int status)
{
    http_answer answer = http_client_ask(f->port, "GET", path, "");
    return ask_fixture_take_json(&answer, status);
}

void
ask_fixture_check_error(const http_fixture *f, const char *path, int status, const char *expected)
{
    json_t *json = ask_fixture_json(f, path, status);
    assert_string_equal(json_string_value(json_object_get(json, "error")), expected);
    json_decref(json);
}

size_t
ask_fixture_column(const json_t *list, const char *name)
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

void
ask_fixture_check_list(json_t *list, const char *expected, json_int_t left_out)
{
    char ids[200] = "";
    const json_t *rows = json_object_get(list, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *id =
            json_array_get(json_array_get(rows, i), ask_fixture_column(list, "attr.traceId"));
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

void
ask_fixture_expect_list(
    const http_fixture *f, const char *query, const char *expected, json_int_t left_out)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "/api/v1/contexts?%s", query);
    json_t *list = ask_fixture_json(f, path, 200);
    ask_fixture_check_list(list, expected, left_out);
    json_decref(list);
}

int64_t
ask_fixture_number(const json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}
