// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_recordings.h"

#include "collector/ask/accounting.h"
#include "collector/http/http_query.h"
#include "collector/http/http_reply.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_time.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char path_prefix[] = "/api/v1/recordings";

// --- JSON of a session.

static json_t *
time_json(int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    return json_string(text);
}

static json_t *
losses_json(const catalog_session *session)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "contexts_dropped",
        http_reply_count_json(session->contexts_dropped), "context_values_cut",
        http_reply_count_json(session->context_values_cut), "context_bytes_dropped",
        http_reply_count_json(session->context_bytes_dropped), "chunk_bytes_dropped",
        http_reply_count_json(session->chunk_bytes_dropped), "jfr_restarts",
        http_reply_count_json(session->jfr_restarts), "late_contexts",
        http_reply_count_json(session->totals.late_contexts));
}

static json_t *
session_json(const catalog_session *session)
{
    char download[sizeof(path_prefix) + CATALOG_ID_CHARS + sizeof("/.jfr")];
    (void)snprintf(download, sizeof(download), "%s/%s.jfr", path_prefix, session->id);
    json_t *json = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "id", session->id, "service",
        http_reply_text_json(session->service), "instance", http_reply_text_json(session->instance),
        "jvm_name", http_reply_text_json(session->jvm_name), "jvm_version",
        http_reply_text_json(session->jvm_version), "pid", http_reply_count_json(session->pid));
    json_t *rest = json_pack(
        "{s:o, s:I, s:o, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "start",
        time_json(session->start_wall_ns), "start_ns", (json_int_t)session->start_wall_ns, "end",
        time_json(session->end_wall_ns), "end_ns", (json_int_t)session->end_wall_ns, "is_running",
        session->is_ended ? 0 : 1, "events_in", http_reply_count_json(session->totals.events_in),
        "events_out", http_reply_count_json(session->totals.events_out), "contexts_in",
        http_reply_count_json(session->totals.contexts_in), "contexts_out",
        http_reply_count_json(session->totals.contexts_out), "bytes_in",
        http_reply_count_json(session->totals.bytes_in), "bytes_out",
        http_reply_count_json(session->totals.bytes_out), "late_events",
        http_reply_count_json(session->totals.late_events), "losses", losses_json(session),
        "download", download);
    if (json_object_update_new(json, rest) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

// --- The list.

// A query string while it is read.
typedef struct list_query {
    catalog_query query;
    lp_problem problem; // no text: none
} list_query;

static bool
take_time(const char *key, const char *value, int64_t *out_wall_ns, lp_problem *problem)
{
    if (*out_wall_ns == 0 && lp_time_parse(value, out_wall_ns)) {
        return true;
    }
    (void)lp_problem_set(problem, LP_ECORRUPT,
        "%s must be given once, in RFC 3339 (2026-01-02T03:04:05Z) or in nanoseconds since 1970: "
        "'%s'",
        key, lp_quote_text(value).text);
    return false;
}

static enum MHD_Result
on_parameter(void *arg, enum MHD_ValueKind kind, const char *key, const char *value)
{
    (void)kind;
    list_query *list = arg;
    catalog_query *query = &list->query;
    value = value == NULL ? "" : value;
    bool is_good;
    if (strcmp(key, "service") == 0) {
        is_good = http_query_take_text(key, value, &query->service, &list->problem);
    } else if (strcmp(key, "instance") == 0) {
        is_good = http_query_take_text(key, value, &query->instance, &list->problem);
    } else if (strcmp(key, "from") == 0) {
        is_good = take_time(key, value, &query->from_wall_ns, &list->problem);
    } else if (strcmp(key, "to") == 0) {
        is_good = take_time(key, value, &query->to_wall_ns, &list->problem);
    } else {
        is_good = false;
        (void)lp_problem_set(&list->problem, LP_ECORRUPT,
            "unknown parameter '%s': there are service, instance, from and to",
            lp_quote_text(key).text);
    }
    return is_good ? MHD_YES : MHD_NO;
}

typedef struct session_list {
    json_t *recordings;
    size_t count;
    bool is_failed;
} session_list;

static void
on_listed(void *arg, const catalog_session *session)
{
    session_list *list = arg;
    if (list->count++ < HTTP_RECORDINGS_LISTED_MAX &&
        json_array_append_new(list->recordings, session_json(session)) != 0) {
        list->is_failed = true;
    }
}

enum MHD_Result
http_recordings_list(struct MHD_Connection *connection, http_catalog *store)
{
    list_query list = {
        .query = {.count_max = HTTP_RECORDINGS_LISTED_MAX + 1, .now_wall_ns = lp_time_now()}};
    (void)MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, on_parameter, &list);
    if (list.problem.text[0] == '\0' && list.query.to_wall_ns != 0 &&
        list.query.from_wall_ns > list.query.to_wall_ns) {
        (void)lp_problem_set(&list.problem, LP_ECORRUPT, "from is after to");
    }
    if (list.problem.text[0] != '\0') {
        return http_reply_error(connection, MHD_HTTP_BAD_REQUEST, "%s", list.problem.text);
    }
    session_list found = {.recordings = json_array()};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = catalog_list(store->catalog, &list.query, on_listed, &found);
    (void)pthread_mutex_unlock(&store->mutex);
    if (err != LP_OK || found.is_failed) {
        json_decref(found.recordings);
        return http_catalog_reply_failure(
            connection, err == LP_OK ? LP_ENOMEM : err, "reading the catalog");
    }
    bool is_truncated = found.count > HTTP_RECORDINGS_LISTED_MAX;
    return http_reply_json(connection, MHD_HTTP_OK,
        json_pack("{s:o, s:b}", "recordings", found.recordings, "is_truncated", is_truncated));
}

// --- One recording.

static json_t *
chunk_json(const catalog_chunk *chunk)
{
    return json_pack("{s:I, s:o, s:I, s:I, s:o}", "ordinal", (json_int_t)chunk->ordinal, "start",
        time_json(chunk->start_wall_ns), "start_ns", (json_int_t)chunk->start_wall_ns,
        "duration_ns", (json_int_t)chunk->duration_ns, "size_bytes",
        http_reply_count_json(chunk->size_bytes));
}

// A recording at the moment of its snapshot. The catalog may be ahead of that by a chunk, which
// waited then. Without one (the server has nothing more of the session) the catalog is all there
// is.
typedef struct recording {
    const snapshot *snapshot;
    uint32_t next_chunk; // chunks below it are looked at
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
    catalog_session row = *session;
    if (shown->snapshot->err == LP_OK) {
        row.next_chunk = shown->snapshot->next_chunk;
        row.totals = shown->snapshot->totals;
    }
    shown->next_chunk = row.next_chunk;
    shown->json = session_json(&row);
}

static void
on_shown_chunk(void *arg, const catalog_chunk *chunk)
{
    recording *shown = arg;
    if (chunk->ordinal >= shown->next_chunk) {
        return; // committed after the snapshot was made, or the session's row was read
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

// finish_json puts the parts together and takes them. NULL: out of memory, or nothing was found.
static json_t *
finish_json(recording *shown)
{
    // pending_size_bytes is how much of size_bytes is not stored, and nothing is compacted for it.
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
    if (err == LP_OK) {
        err = catalog_list_chunks(from, session_id, on_shown_chunk, shown);
    }
    const catalog_chunk_range chunks = {
        .session_id = session_id,
        .chunk_end = shown->next_chunk,
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
    };
    return err == LP_OK ? accounting_add(&shown->types, from, &chunks) : err;
}

enum MHD_Result
http_recordings_show(struct MHD_Connection *connection, http_catalog *store, const char *session_id,
    const snapshot *pending)
{
    snapshot_check(pending);

    if (pending->err != LP_OK && pending->err != LP_ENOENT) {
        return http_catalog_reply_failure(
            connection, pending->err, "looking at what is not stored yet");
    }
    recording shown = {
        .snapshot = pending, .chunks = json_array(), .types = accounting_begin(SIZE_MAX)};
    (void)pthread_mutex_lock(&store->mutex);
    lp_err err = look_up(&shown, store->catalog, session_id);
    (void)pthread_mutex_unlock(&store->mutex);
    json_t *json = finish_json(&shown);
    if (err != LP_OK) {
        json_decref(json);
        return http_catalog_reply_failure(connection, err, "reading the catalog");
    }
    return http_reply_json(connection, MHD_HTTP_OK, json);
}
