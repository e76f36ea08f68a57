// SPDX-License-Identifier: Apache-2.0
// ask_fixture: what tests of questions over HTTP are made of: recordings whose chunks are made by
// hand, and answers as JSON. It stands on http_fixture. What fails, fails the test.

#pragma once

#include "support/jfr_sample.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include <jansson.h>

// --- Recordings

enum { MS = 1000000 }; // in ns, as all times
static const int64_t SECOND_NS = 1000000000;
static const int64_t HOUR_NS = 3600000000000;

// A context of a chunk.
typedef struct ask_trace {
    int64_t at_ns; // behind the begin of the chunk
    int64_t duration_ns;
    const char *id;
} ask_trace;

// ask_fixture_begin_chunk begins a chunk at a wall time, which is also its tick.
void ask_fixture_begin_chunk(
    jfr_build *build, int64_t start_wall_ns, const jfr_build_type *types, size_t type_count);

// ask_fixture_end_chunk appends the chunk to out.
void ask_fixture_end_chunk(jfr_build *build, lp_buf *out);

// ask_fixture_make_orders appends a chunk with the orders 42 to Paris and 43 to "42", and a trace
// 42. Their numbers are ids if are_ids.
void ask_fixture_make_orders(lp_buf *out, int64_t start_wall_ns, bool are_ids);

// ask_fixture_make_chunk appends a chunk with these contexts.
void ask_fixture_make_chunk(
    lp_buf *out, int64_t start_wall_ns, const ask_trace *traces, size_t count);

// ask_fixture_store_bytes stores a chunk of a second as the next one of the session, and ends
// bytes; sums may be NULL. ask_fixture_store makes it of these contexts.
void ask_fixture_store_bytes(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    lp_buf bytes, const rollup *sums);
void ask_fixture_store(const http_fixture *f, catalog_session *session, int64_t start_wall_ns,
    const ask_trace *traces, size_t count);

// ask_fixture_put_two stores two recordings: a of shop with a chunk and two contexts, b of bank
// with one, a minute later. Returns when a starts.
int64_t ask_fixture_put_two(http_fixture *f);

// ask_fixture_remove_chunk removes the file of a chunk, RECORDING/N.jfr.zst.
void ask_fixture_remove_chunk(const http_fixture *f, const char *name);

// --- Asking

// ask_fixture_take_json returns the JSON of an answer, which it ends; ask_fixture_json that of a
// path.
json_t *ask_fixture_take_json(http_answer *answer, int status);
json_t *ask_fixture_json(const http_fixture *f, const char *path, int status);

// ask_fixture_check_error asks for what is refused, and compares why.
void ask_fixture_check_error(
    const http_fixture *f, const char *path, int status, const char *expected);

// ask_fixture_column returns the index of a column of a list.
size_t ask_fixture_column(const json_t *list, const char *name);

// ask_fixture_check_list compares the trace ids of the rows, and how many chunks were left out.
// ask_fixture_expect_list asks for the contexts first.
void ask_fixture_check_list(json_t *list, const char *expected, json_int_t left_out);
void ask_fixture_expect_list(
    const http_fixture *f, const char *query, const char *expected, json_int_t left_out);

// ask_fixture_number returns a whole number of an object.
int64_t ask_fixture_number(const json_t *json, const char *key);
