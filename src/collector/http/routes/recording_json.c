// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/recording_json.h"

#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "engine/request_reasons.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_BYTES = 24,
    BATCHES_BYTES = 500, // of the list of lost batches
    INDENT = 2,
};

// An object being written.
typedef struct writer {
    lp_buf *to;
    unsigned indent; // of its members
    bool has_member;
} writer;

static void
begin_line(const writer *w, unsigned indent)
{
    lp_buf_append_text(w->to, "\n");
    uint8_t *spaces = lp_buf_extend(w->to, indent);
    if (spaces != NULL) {
        memset(spaces, ' ', indent);
    }
}

static writer
begin(lp_buf *to, unsigned depth)
{
    writer w = {.to = to, .indent = INDENT * (depth + 1)};
    lp_buf_append_text(w.to, "{");
    return w;
}

static void
end(const writer *w)
{
    LP_ASSERT(w->indent >= INDENT);
    begin_line(w, w->indent - INDENT);
    lp_buf_append_text(w->to, "}");
}

// put_key begins a member; its value follows.
static void
put_key(writer *w, const char *key)
{
    LP_ASSERT(w->indent >= INDENT);
    if (w->has_member) {
        lp_buf_append_text(w->to, ",");
    }
    w->has_member = true;
    begin_line(w, w->indent);
    lp_buf_append_text(w->to, "\"");
    lp_buf_append_text(w->to, key);
    lp_buf_append_text(w->to, "\": ");
}

static int
on_dumped(const char *bytes, size_t size, void *arg)
{
    lp_buf_append(arg, bytes, size);
    return 0;
}

// put_text writes a text, with escapes.
static void
put_text(writer *w, const char *key, const char *text)
{
    put_key(w, key);
    json_t *json = http_reply_text_json(text);
    if (json == NULL || json_dump_callback(json, on_dumped, w->to, JSON_ENCODE_ANY) != 0) {
        w->to->is_failed = true;
    }
    json_decref(json);
}

// put_word writes a text that needs no escapes, or null.
static void
put_word(writer *w, const char *key, const char *word)
{
    put_key(w, key);
    lp_buf_append_text(w->to, word == NULL ? "null" : "\"");
    lp_buf_append_text(w->to, word == NULL ? "" : word);
    lp_buf_append_text(w->to, word == NULL ? "" : "\"");
}

static void
put_int(writer *w, const char *key, int64_t number)
{
    char text[NUMBER_BYTES];
    (void)snprintf(text, sizeof(text), "%" PRId64, number);
    put_key(w, key);
    lp_buf_append_text(w->to, text);
}

// put_count writes a number, at most INT64_MAX.
static void
put_count(writer *w, const char *key, uint64_t count)
{
    put_int(w, key, count > INT64_MAX ? INT64_MAX : (int64_t)count);
}

static void
put_bool(writer *w, const char *key, bool is_true)
{
    put_key(w, key);
    lp_buf_append_text(w->to, is_true ? "true" : "false");
}

static void
put_time(writer *w, const char *key, int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    lp_time_format(wall_ns, text);
    put_word(w, key, text);
}

// --- A session

static void
put_losses(writer *around, const catalog_session *session)
{
    put_key(around, "losses");
    writer w = begin(around->to, around->indent / INDENT);
    put_count(&w, "contexts_dropped", session->contexts_dropped);
    put_count(&w, "context_values_cut", session->context_values_cut);
    put_count(&w, "context_bytes_dropped", session->context_bytes_dropped);
    put_count(&w, "chunk_bytes_dropped", session->chunk_bytes_dropped);
    put_count(&w, "jfr_restarts", session->jfr_restarts);
    put_count(&w, "late_contexts", session->totals.late_contexts);
    for (catalog_loss loss = 0; loss < CATALOG_LOSS_COUNT; loss++) {
        put_count(&w, catalog_loss_name(loss), session->losses[loss]);
    }
    end(&w);
    char batches[BATCHES_BYTES];
    lp_ranges_format(&session->lost, batches, sizeof(batches));
    put_text(around, "lost_batches", batches);
}

static bool
is_running(const catalog_session *session)
{
    return !session->is_ended && !catalog_is_end_unknown(session->ended_how);
}

// put_presence writes the state of the session's JVM.
static void
put_presence(writer *w, const catalog_session *session, bool is_connected)
{
    static const char *const how[] = {
        [CATALOG_ENDED_CLOSED] = "closed",
        [CATALOG_ENDED_KILLED] = "killed",
        [CATALOG_ENDED_TIMED_OUT] = "timed out",
    };
    bool is_known = session->ended_how != CATALOG_ENDED_UNKNOWN && !is_running(session);
    put_bool(w, "is_running", is_running(session));
    put_bool(w, "connected", is_connected);
    if (session->heard_wall_ns != 0) {
        put_time(w, "last_heard", session->heard_wall_ns);
        put_int(w, "last_heard_ns", session->heard_wall_ns);
    } else {
        put_word(w, "last_heard", NULL);
        put_word(w, "last_heard_ns", NULL);
    }
    put_word(w, "ended_how", is_known ? how[session->ended_how] : NULL);
}

// put_request_reasons writes why requests were kept or dropped.
static void
put_request_reasons(writer *around, const catalog_totals *totals)
{
    put_key(around, "requests_kept_by");
    writer kept = begin(around->to, around->indent / INDENT);
    for (int i = 0; i < CATALOG_REQUESTS_KEPT_BY; i++) {
        put_count(&kept, compact_request_kept_name((compact_request_kept_by)(i + 1)),
            totals->requests_kept_by[i]);
    }
    end(&kept);
    put_key(around, "requests_dropped_by");
    writer dropped = begin(around->to, around->indent / INDENT);
    for (int i = 0; i < CATALOG_REQUESTS_DROPPED_BY; i++) {
        put_count(&dropped, compact_request_dropped_name((compact_request_dropped_by)(i + 1)),
            totals->requests_dropped_by[i]);
    }
    end(&dropped);
}

static void
put_totals(writer *w, const catalog_totals *totals)
{
    put_count(w, "events_in", totals->events_in);
    put_count(w, "events_out", totals->events_out);
    put_count(w, "contexts_in", totals->contexts_in);
    put_count(w, "contexts_out", totals->contexts_out);
    put_count(w, "requests_in", totals->requests_in);
    put_count(w, "requests_out", totals->requests_out);
    put_request_reasons(w, totals);
    put_count(w, "bytes_in", totals->bytes_in);
    put_count(w, "bytes_out", totals->bytes_out);
    put_count(w, "late_events", totals->late_events);
}

void
recording_json_append(lp_buf *to, const catalog_session *session, bool is_connected,
    const http_base *base, unsigned depth)
{
    char download[HTTP_BASE_BYTES + sizeof("/api/v1/recordings/.jfr") + CATALOG_ID_CHARS];
    (void)snprintf(
        download, sizeof(download), "%s/api/v1/recordings/%s.jfr", base->path, session->id);
    int64_t kept_wall_ns =
        session->expired_chunks == 0 ? session->start_wall_ns : session->kept_wall_ns;
    writer w = begin(to, depth);
    put_text(&w, "id", session->id);
    put_text(&w, "service", session->service);
    put_text(&w, "instance", session->instance);
    put_text(&w, "version", session->version);
    put_text(&w, "jvm_name", session->jvm_name);
    put_text(&w, "jvm_version", session->jvm_version);
    put_count(&w, "pid", session->pid);
    put_presence(&w, session, is_connected);
    put_time(&w, "start", session->start_wall_ns);
    put_int(&w, "start_ns", session->start_wall_ns);
    put_time(&w, "end", session->end_wall_ns);
    put_int(&w, "end_ns", session->end_wall_ns);
    put_totals(&w, &session->totals);
    put_losses(&w, session);
    put_count(&w, "expired_chunks", session->expired_chunks);
    put_time(&w, "kept_from", kept_wall_ns);
    put_int(&w, "kept_from_ns", kept_wall_ns);
    put_text(&w, "download", download);
    end(&w);
}

json_t *
recording_json_make(const catalog_session *session, bool is_connected, const http_base *base)
{
    lp_buf text = {0};
    recording_json_append(&text, session, is_connected, base, 0);
    json_t *json =
        lp_buf_check(&text) == LP_OK ? json_loadb((const char *)text.ptr, text.len, 0, NULL) : NULL;
    lp_buf_fini(&text);
    return json;
}
