// SPDX-License-Identifier: Apache-2.0
// http_recordings: the list of recordings, one recording as JSON, and the removal of one. A
// recording is read from the catalog and a snapshot of data that is not compacted yet.
//
// Tests:   tests/unit/collector/http/test_http.c

#include "collector/ask/sums/accounting.h"
#include "collector/http/routes/http_audit.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/routes/recording_json.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"
#include "policy/policy_value.h"

#include <jansson.h>

enum { LISTED_MAX = 1000 };

static const int64_t HEARD_NS_MAX = 15 * (int64_t)1000000000; // connected if heard within it

// --- The list.

static lp_err
read_time(const char *key, const char *text, int64_t *out_wall_ns, lp_problem *out_problem)
{
    return text == NULL || policy_value_time(text, lp_time_now(), out_wall_ns)
               ? LP_OK
               : lp_problem_set(out_problem, LP_ECORRUPT, "%s must be " POLICY_VALUE_TIMES ": '%s'",
                     key, lp_quote_text(text).text);
}

// read_query reads the parameters of a list. Errors: LP_ECORRUPT
static lp_err
read_query(struct MHD_Connection *connection, catalog_query *query, lp_problem *out_problem)
{
    const char *from = NULL;
    const char *to = NULL;
    const http_query_text texts[] = {{"service", &query->service}, {"instance", &query->instance},
        {"version", &query->version}, {"from", &from}, {"to", &to}};
    const http_query all = {texts, sizeof(texts) / sizeof(texts[0])};
    LP_TRY(http_query_read(&all, connection, out_problem));
    LP_TRY(read_time("from", from, &query->from_wall_ns, out_problem));
    LP_TRY(read_time("to", to, &query->to_wall_ns, out_problem));
    return to == NULL || query->from_wall_ns <= query->to_wall_ns
               ? LP_OK
               : lp_problem_set(out_problem, LP_ECORRUPT, "from is after to");
}

// The answer while it is written, as jansson writes it with JSON_INDENT(2).
typedef struct session_list {
    lp_buf text;
    size_t count;
    const http_catalog *store;
    const access_caller *caller;
    const http_base *base;
} session_list;

// is_connected returns whether a session is connected. A session of another collector counts as
// connected if its row, which is saved every few seconds, was updated recently.
static bool
is_connected(const http_catalog *store, const catalog_session *session)
{
    if (store->presence != NULL && presence_has(store->presence, session->id)) {
        return true;
    }
    return store->is_shared && !session->is_ended && session->ended_how == CATALOG_ENDED_UNKNOWN &&
           lp_time_now() - session->heard_wall_ns < HEARD_NS_MAX;
}

static void
on_listed(void *arg, const catalog_session *session)
{
    session_list *list = arg;
    if (!access_caller_may(list->caller, ACCESS_READ, session->service)) {
        return;
    }
    if (list->count++ < LISTED_MAX) {
        lp_buf_append_text(&list->text, list->count == 1 ? "\n    " : ",\n    ");
        recording_json_append(
            &list->text, session, is_connected(list->store, session), list->base, 2);
    }
}

enum MHD_Result
http_recordings_list(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(!call->route.has_id);
    struct MHD_Connection *connection = call->connection;
    http_catalog *store = &call->shared->store;
    // The catalog also returns recordings that the caller may not read: then no limit.
    bool is_of_all = access_caller_may(&call->caller, ACCESS_READ, NULL);
    catalog_query query = {
        .count_max = is_of_all ? LISTED_MAX + 1 : 0, .now_wall_ns = lp_time_now()};
    lp_problem problem;
    LP_REQUIRE(read_query(connection, &query, &problem) == LP_OK,
        http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", problem.text));
    session_list found = {
        .store = store, .caller = &call->caller, .base = http_connection_get_base(connection)};
    lp_buf_append_text(&found.text, "{\n  \"recordings\": [");
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_list(store->catalog, &query, on_listed, &found);
    (void)pthread_mutex_unlock(&store->mutex);
    lp_buf_append_text(&found.text, found.count == 0 ? "],\n" : "\n  ],\n");
    lp_buf_append_text(&found.text, "  \"is_truncated\": ");
    lp_buf_append_text(&found.text, found.count > LISTED_MAX ? "true\n}" : "false\n}");
    LP_THEN(err, lp_buf_check(&found.text));
    if (err != LP_OK) {
        lp_buf_fini(&found.text);
        return http_reply_failure(connection, err, "reading the catalog");
    }
    return http_reply_text(connection, MHD_HTTP_OK, &found.text);
}

// --- One recording.

static json_t *
time_json(int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    return json_string(text);
}

static json_t *
chunk_json(const catalog_chunk *chunk)
{
    return json_pack("{s:I, s:o, s:I, s:I, s:o}", "ordinal", (json_int_t)chunk->ordinal, "start",
        time_json(chunk->start_wall_ns), "start_ns", (json_int_t)chunk->start_wall_ns,
        "duration_ns", (json_int_t)chunk->duration_ns, "size_bytes",
        http_reply_count_json(chunk->size_bytes));
}

// A recording at the time of its snapshot. The catalog may be ahead by a chunk that was waiting
// then. Without a snapshot (nothing in memory for the session) everything is from the catalog.
typedef struct recording {
    const snapshot *snapshot;
    const http_catalog *store;
    const http_base *base;
    uint32_t next_chunk; // stored chunks below it are included
    uint64_t size_bytes;
    json_t *json;
    json_t *chunks;
    accounting types;
    bool is_failed;
} recording;

static void
on_shown(void *arg, const catalog_session *session)
{
    recording *shown = arg;
    LP_ASSERT(shown->json == NULL);
    catalog_session row = *session;
    if (shown->snapshot->err == LP_OK) {
        row.next_chunk = shown->snapshot->next_chunk;
        row.totals = shown->snapshot->totals;
    }
    shown->next_chunk = row.next_chunk;
    shown->json = recording_json_make(&row, is_connected(shown->store, &row), shown->base);
}

static void
on_shown_chunk(void *arg, const catalog_chunk *chunk)
{
    recording *shown = arg;
    if (chunk->ordinal >= shown->next_chunk) {
        return; // committed after the snapshot or the session's row
    }
    shown->size_bytes += chunk->size_bytes;
    if (json_array_append_new(shown->chunks, chunk_json(chunk)) != 0) {
        shown->is_failed = true;
    }
}

static json_t *
waiting_json(const snapshot_waiting *waiting)
{
    return json_pack("{s:I, s:o, s:I}", "chunks", (json_int_t)waiting->chunks, "journal_bytes",
        http_reply_count_json(waiting->journal_bytes), "duration_ns",
        (json_int_t)waiting->duration_ns);
}

// finish_json joins the parts and takes ownership of them. NULL: out of memory, or no session.
static json_t *
finish_json(recording *shown)
{
    // pending_size_bytes, the part of size_bytes that is not stored, is 0: nothing is compacted
    // here.
    json_t *rest = json_pack("{s:o, s:i, s:o, s:o, s:o}", "size_bytes",
        http_reply_count_json(shown->size_bytes), "pending_size_bytes", 0, "waiting",
        waiting_json(&shown->snapshot->waiting), "chunks", shown->chunks, "types",
        shown->types.types);
    if (json_object_update_new(shown->json, rest) != 0 || shown->is_failed) {
        json_decref(shown->json);
        return NULL;
    }
    return shown->json;
}

static lp_err
look_up(recording *shown, catalog *from, const char *session_id)
{
    lp_err err = catalog_find(from, session_id, on_shown, shown);
    LP_THEN(err, catalog_list_chunks(from, session_id, on_shown_chunk, shown));
    const catalog_chunk_range chunks = {
        .session_id = session_id,
        .chunk_end = shown->next_chunk,
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
    };
    return err == LP_OK ? accounting_add(&shown->types, from, &chunks) : err;
}

enum MHD_Result
http_recordings_show(http_call *call)
{
    http_call_check(call, HTTP_NEED_TOTALS);
    LP_ASSERT(call->came.snapshot != NULL && call->route.session_id[0] != '\0');
    struct MHD_Connection *connection = call->connection;
    http_catalog *store = &call->shared->store;
    const snapshot *pending = call->came.snapshot;
    snapshot_check(pending);
    LP_REQUIRE(pending->err == LP_OK || pending->err == LP_ENOENT,
        http_reply_failure(connection, pending->err, "reading the latest data"));
    recording shown = {.snapshot = pending,
        .store = store,
        .base = http_connection_get_base(connection),
        .chunks = json_array(),
        .types = accounting_begin(SIZE_MAX)};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = look_up(&shown, store->catalog, call->route.session_id);
    (void)pthread_mutex_unlock(&store->mutex);
    json_t *json = finish_json(&shown);
    if (err != LP_OK) {
        json_decref(json);
        return http_reply_failure(connection, err, "reading the catalog");
    }
    return http_reply_json(connection, MHD_HTTP_OK, json);
}

// --- Removal.

enum MHD_Result
http_recordings_remove(http_call *call)
{
    http_call_check(call, HTTP_NEED_REMOVAL);
    LP_ASSERT(call->came.snapshot != NULL);
    LP_ASSERT(call->route.line->right == HTTP_RIGHT_REMOVE);
    lp_err err = call->came.snapshot->err;
    LP_REQUIRE(err != LP_EAGAIN,
        http_reply_error(call->connection, MHD_HTTP_CONFLICT,
            "the recording is still running or not fully compacted: try again later"));
    LP_REQUIRE(err == LP_OK, http_reply_failure(call->connection, err, "removing the recording"));
    return http_reply_empty(call->connection, MHD_HTTP_NO_CONTENT);
}
