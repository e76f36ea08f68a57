// SPDX-License-Identifier: Apache-2.0

#include "collector/server/agent_protocol.h"

#include "collector/base/metrics.h"
#include "collector/server/policy_message.h"
#include "common/base/lp_log.h"
#include "common/base/lp_utf8.h"
#include "common/jfr/jfr_chunk.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef Loupe__Wire__Reply__Status reply_status;

#define STATUS_OK              LOUPE__WIRE__REPLY__STATUS__OK
#define STATUS_UNKNOWN_SESSION LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION
#define STATUS_REFUSED         LOUPE__WIRE__REPLY__STATUS__REFUSED
#define STATUS_BUSY            LOUPE__WIRE__REPLY__STATUS__BUSY

// The answer to a request, as the functions that judge it make it.
typedef struct verdict {
    reply_status status;
    uint64_t next_sequence;
    bool is_with_policy; // with the settings for the JVM
    char text[256];      // for people
} verdict;

static verdict say(reply_status status, uint64_t next_sequence, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static verdict
say(reply_status status, uint64_t next_sequence, const char *format, ...)
{
    verdict reply = {.status = status, .next_sequence = next_sequence};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reply.text, sizeof(reply.text), format, args);
    va_end(args);
    return reply;
}

// log_verdict logs why a request was refused or put off. Agents try again and again, and the
// metrics count them, so only some are logged.
static void
log_verdict(agent_protocol *self, const char *what, const verdict *reply)
{
    if (self->now_ms >= self->log_ms) {
        self->log_ms = self->now_ms + AGENT_PROTOCOL_LOG_MS;
        lp_log(LP_LOG_WARN, "%s: %s", what, reply->text);
    }
}

// send packs an answer and sends it. Without memory the request ends without one and comes again.
static void
send(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Reply *message)
{
    lp_buf packed = {0};
    uint8_t *bytes = lp_buf_extend(&packed, loupe__wire__reply__get_packed_size(message));
    if (bytes == NULL) {
        agent_socket_drop(request);
    } else {
        (void)loupe__wire__reply__pack(message, bytes);
        agent_socket_answer(self->socket, request, lp_buf_slice(&packed));
    }
    lp_buf_fini(&packed);
}

// count_verdict counts and logs an answer that refuses or puts off.
static void
count_verdict(agent_protocol *self, const verdict *reply)
{
    if (reply->status == STATUS_REFUSED) {
        metrics_add(METRICS_requests_refused, 1);
        log_verdict(self, "refused a request", reply);
    } else if (reply->status == STATUS_BUSY) {
        metrics_add(METRICS_requests_busy, 1);
        log_verdict(self, "put off a request", reply);
    } else if (reply->status == STATUS_UNKNOWN_SESSION) {
        metrics_add(METRICS_requests_unknown_session, 1);
    }
}

// answer sends the reply with the id of the service's policy; s is NULL where there is no session.
static void
answer(agent_protocol *self, agent_socket_request *request, const session *s, verdict reply)
{
    count_verdict(self, &reply);
    Loupe__Wire__Reply message = LOUPE__WIRE__REPLY__INIT;
    message.version = WIRE_VERSION;
    message.status = reply.status;
    message.message = reply.text;
    message.next_sequence = reply.next_sequence;
    policy_file *file = s == NULL ? NULL : policy_dir_find(self->policies, s->row.service);
    message.policy_id = policy_file_get_id(file);
    policy_message settings = {0};
    lp_err err = LP_OK;
    if (file != NULL && reply.is_with_policy) {
        err = policy_message_init(&settings, file);
        message.jvm_policy = &settings.message;
    }
    if (err == LP_OK) {
        send(self, request, &message);
    } else { // an answer without settings would have the JVM drop the ones that it has
        agent_socket_drop(request);
    }
    policy_message_fini(&settings);
    policy_file_unref(file);
}

// format_id writes the session id of a message as hex, and returns false if the id is not 16 bytes.
static bool
format_id(const ProtobufCBinaryData *id, char out_id[CATALOG_ID_CHARS + 1])
{
    if (id->len != WIRE_SESSION_BYTES) {
        return false;
    }
    for (size_t i = 0; i < id->len; i++) {
        (void)snprintf(out_id + 2 * i, 3, "%02x", id->data[i]);
    }
    return true;
}

// is_name returns whether text can be shown anywhere: UTF-8, not too long, no control characters.
static bool
is_name(const char *text)
{
    size_t length = strlen(text);
    if (length > SESSION_NAME_BYTES_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return false;
        }
    }
    return lp_utf8_is_text(text);
}

// --- Hello

static lp_err
load_or_add(sessions *all, const char *id, const Loupe__Wire__Hello *hello, session **out_session)
{
    lp_err err = sessions_load(all, id, out_session);
    if (err != LP_ENOENT) {
        return err;
    }
    catalog_session row = {
        .service = hello->service,
        .instance = hello->instance,
        .jvm_name = hello->jvm_name,
        .jvm_version = hello->jvm_version,
        .start_wall_ns = hello->start_wall_ns,
        .end_wall_ns = hello->start_wall_ns,
        .next_sequence = hello->next_sequence,
    };
    memcpy(row.id, id, sizeof(row.id));
    return sessions_add(all, &row, out_session);
}

// copy_hello copies the agent's own description into the session's row.
static lp_err
copy_hello(session *s, const Loupe__Wire__Hello *hello)
{
    catalog_session *row = &s->row;
    lp_err err = session_rename(&row->service, hello->service);
    err = err != LP_OK ? err : session_rename(&row->instance, hello->instance);
    err = err != LP_OK ? err : session_rename(&row->jvm_name, hello->jvm_name);
    err = err != LP_OK ? err : session_rename(&row->jvm_version, hello->jvm_version);
    row->pid = hello->pid;
    row->start_wall_ns = hello->start_wall_ns;
    if (hello->next_sequence > row->next_sequence) {
        // Acknowledged, yet not here: the journal was damaged or the data directory is another one.
        lp_log(LP_LOG_WARN,
            "session %s: batches %" PRIu64 " to %" PRIu64
            " were acknowledged, but they are not here",
            row->id, row->next_sequence, hello->next_sequence - 1);
        row->next_sequence = hello->next_sequence;
    }
    if (row->is_ended) { // it was compacted to the end, but its agent goes on
        s->has_ended = false;
    }
    s->is_unsaved = true;
    return err;
}

// greet admits a session; *out_session is written only with STATUS_OK.
static verdict
greet(agent_protocol *self, const Loupe__Wire__Hello *hello, session **out_session)
{
    char id[CATALOG_ID_CHARS + 1];
    if (!format_id(&hello->session, id)) {
        return say(STATUS_REFUSED, 0, "hello: a session id has %d bytes, not %zu",
            WIRE_SESSION_BYTES, hello->session.len);
    }
    if (!is_name(hello->service) || !is_name(hello->instance) || !is_name(hello->jvm_name) ||
        !is_name(hello->jvm_version)) {
        return say(STATUS_REFUSED, 0,
            "hello: service, instance, jvm_name and jvm_version must be UTF-8 without control "
            "characters, of at most %d bytes",
            SESSION_NAME_BYTES_MAX);
    }
    session *s;
    lp_err err = load_or_add(self->sessions, id, hello, &s);
    if (err == LP_OK) {
        err = copy_hello(s, hello);
    }
    if (err != LP_OK) {
        return say(STATUS_BUSY, 0, "session %s: %s", id, lp_err_text(err));
    }
    s->heard_ms = self->now_ms;
    sessions_save(self->sessions, s);
    if (s->is_unsaved) {
        return say(STATUS_BUSY, 0, "session %s: the catalog cannot be written", id);
    }
    s->is_greeted = true;
    metrics_add(METRICS_hellos, 1);
    lp_log(LP_LOG_INFO, "session %s: %s %s, pid %" PRIu64 ", %s %s, from batch %" PRIu64, id,
        hello->service, hello->instance, hello->pid, hello->jvm_name, hello->jvm_version,
        s->row.next_sequence);
    *out_session = s;
    verdict reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
    reply.is_with_policy = hello->takes_policy;
    return reply;
}

static void
handle_hello(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Hello *hello)
{
    session *s = NULL;
    verdict reply = greet(self, hello, &s);
    answer(self, request, s, reply);
}

// --- Batch

static const char *
find_fault(const Loupe__Wire__Batch *batch)
{
    if (batch->jfr_size > WIRE_BULK_BYTES_MAX || batch->contexts_size > WIRE_BULK_BYTES_MAX) {
        return "jfr_size or contexts_size is over the limit";
    }
    if ((batch->jfr_size == 0) != (batch->jfr_zstd.len == 0) ||
        (batch->contexts_size == 0) != (batch->contexts_packed.len == 0)) {
        return "a size does not match its field";
    }
    if (batch->chunk_header.len != 0 && batch->chunk_header.len != JFR_CHUNK_HEADER_SIZE) {
        return "chunk_header has not the size of a chunk header";
    }
    if (batch->chunk == UINT32_MAX) {
        return "chunk is over the limit"; // there is none after it
    }
    if (batch->n_context_types > CTX_TYPES_MAX) {
        return "too many context types";
    }
    if (batch->n_recording_contexts > CTX_RECORDINGS_LIVE_MAX ||
        batch->n_recording_contexts_ended > CTX_RECORDINGS_LIVE_MAX) {
        return "too many recording contexts";
    }
    if (batch->n_context_filters > CTX_FILTERS_UNSENT_MAX) {
        return "too many context filters";
    }
    return NULL;
}

// put_aside_late keeps a batch of a chunk that was compacted before it came: its session had been
// silent for so long that it counted as ended.
static lp_err
put_aside_late(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    char *path =
        data_dir_damaged_path(sessions_get_dir(self->sessions), s->row.id, batch->chunk, ".late");
    journal *file = NULL;
    lp_err err = path == NULL ? LP_ENOMEM : journal_open(path, &file);
    if (err == LP_OK) {
        err = journal_append(file, message);
    }
    int saved_errno = errno;
    journal_unref(file);
    free(path);
    errno = saved_errno;
    if (err == LP_OK) {
        metrics_add(METRICS_batches_late, 1);
        lp_log(LP_LOG_WARN,
            "session %s: batch %" PRIu64 " is of chunk %u, which is compacted already: its events "
            "are put aside",
            s->row.id, batch->sequence, batch->chunk);
    }
    return err;
}

// keep_policy journals the policy that is in force, as that of a chunk whose first batch this is.
static lp_err
keep_policy(agent_protocol *self, const session *s, session_chunk *chunk)
{
    policy_file *file = policy_dir_find(self->policies, s->row.service);
    if (file == NULL) {
        return LP_OK;
    }
    lp_err err = policy_message_append(file, chunk->journal);
    if (err != LP_OK) {
        policy_file_unref(file);
        return err;
    }
    chunk->policy = file; // moves
    return LP_OK;
}

static lp_err
journal_batch(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    uint32_t ordinal = batch->chunk;
    if (ordinal < s->row.next_chunk) {
        if (batch->jfr_size > 0) {
            lp_err err = put_aside_late(self, s, batch, message);
            if (err != LP_OK) {
                return err;
            }
        }
        ordinal = s->row.next_chunk; // its context records still count for what follows
    }
    session_chunk *chunk;
    lp_err err = sessions_open_chunk(self->sessions, s, ordinal, &chunk);
    if (err == LP_OK && journal_get_size(chunk->journal) == 0) {
        err = keep_policy(self, s, chunk);
    }
    if (err == LP_OK) {
        err = journal_append(chunk->journal, message);
    }
    if (err == LP_OK) {
        session_note(s, chunk, batch);
    }
    return err;
}

// accept_next journals the batch whose turn it is.
static verdict
accept_next(agent_protocol *self, session *s, const Loupe__Wire__Batch *batch, lp_slice message)
{
    lp_err err = journal_batch(self, s, batch, message);
    if (err == LP_ELIMIT) {
        return say(STATUS_BUSY, s->row.next_sequence, "session %s: %d chunks wait for compaction",
            s->row.id, SESSION_CHUNKS_MAX);
    }
    if (err != LP_OK) {
        int error = errno;
        metrics_add(METRICS_journal_write_errors, 1);
        return say(STATUS_BUSY, s->row.next_sequence, "session %s: cannot write the journal: %s",
            s->row.id, err == LP_EIO ? strerror(error) : lp_err_text(err));
    }
    metrics_add(METRICS_batches_acked, 1);
    metrics_add(METRICS_acked_bytes, message.len);
    return say(STATUS_OK, s->row.next_sequence, "%s", "");
}

// unpack returns NULL for bytes that are no message of the protocol.
static Loupe__Wire__Request *
unpack(const agent_socket_request *request)
{
    lp_slice bytes = agent_socket_get_bytes(request);
    if (bytes.len > WIRE_MESSAGE_BYTES_MAX) {
        return NULL; // not every transport of NNG's checks it
    }
    return loupe__wire__request__unpack(NULL, bytes.len, bytes.ptr);
}

// accept_held goes on with batches that came early, now that those before them are there. They were
// unpacked once already, so only memory can be missing: they are then dropped and come again.
static void
accept_held(agent_protocol *self, session *s)
{
    for (agent_socket_request *held; (held = session_take_held(s)) != NULL;) {
        Loupe__Wire__Request *message = unpack(held);
        if (message == NULL) {
            agent_socket_drop(held);
            return;
        }
        verdict reply;
        if (session_admit(s, message->batch->sequence) == SESSION_NEXT) {
            reply = accept_next(self, s, message->batch, agent_socket_get_bytes(held));
        } else {
            reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
        }
        loupe__wire__request__free_unpacked(message, NULL);
        answer(self, held, s, reply);
        if (reply.status != STATUS_OK) {
            return;
        }
    }
}

// handle_batch takes request, as it may have to be held.
static void
handle_batch(agent_protocol *self, agent_socket_request *request, const Loupe__Wire__Batch *batch)
{
    metrics_add(METRICS_batches_received, 1);
    char id[CATALOG_ID_CHARS + 1];
    if (!format_id(&batch->session, id)) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "batch: a session id has %d bytes, not %zu", WIRE_SESSION_BYTES,
                batch->session.len));
        return;
    }
    const char *fault = find_fault(batch);
    if (fault != NULL) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "session %s: batch %" PRIu64 ": %s", id, batch->sequence,
                fault));
        return;
    }
    session *s = sessions_find(self->sessions, id);
    if (s == NULL || !s->is_greeted) {
        answer(self, request, NULL, say(STATUS_UNKNOWN_SESSION, 0, "session %s needs a hello", id));
        return;
    }
    s->heard_ms = self->now_ms;

    verdict reply = say(STATUS_OK, s->row.next_sequence, "%s", "");
    switch (session_admit(s, batch->sequence)) {
    case SESSION_NEXT:
        reply = accept_next(self, s, batch, agent_socket_get_bytes(request));
        break;
    case SESSION_DUPLICATE:
        metrics_add(METRICS_batches_duplicate, 1);
        break;
    case SESSION_EARLY:
        if (agent_socket_get_taken_bytes(self->socket) <= AGENT_PROTOCOL_HELD_BYTES_MAX) {
            metrics_add(METRICS_batches_held, 1);
            session_hold(s, batch->sequence, request);
            return;
        }
        reply = say(STATUS_BUSY, s->row.next_sequence,
            "session %s: too many batches that came early are held", id);
        break;
    case SESSION_TOO_EARLY:
        reply = say(STATUS_UNKNOWN_SESSION, s->row.next_sequence,
            "session %s: batch %" PRIu64 " is more than a window ahead of %" PRIu64, id,
            batch->sequence, s->row.next_sequence);
        break;
    }
    answer(self, request, s, reply);
    if (reply.status == STATUS_OK) {
        accept_held(self, s);
        self->on_batch(self->arg, s);
    }
}

void
agent_protocol_handle(agent_protocol *self, agent_socket_request *request, uint64_t now_ms)
{
    self->now_ms = now_ms;
    Loupe__Wire__Request *message = unpack(request);
    if (message == NULL) {
        answer(self, request, NULL, say(STATUS_REFUSED, 0, "not a message of this protocol"));
        return;
    }
    if (message->version != WIRE_VERSION) {
        answer(self, request, NULL,
            say(STATUS_REFUSED, 0, "this collector speaks protocol version %d, the agent speaks %u",
                WIRE_VERSION, message->version));
    } else if (message->body_case == LOUPE__WIRE__REQUEST__BODY_HELLO) {
        handle_hello(self, request, message->hello);
    } else if (message->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH) {
        handle_batch(self, request, message->batch);
    } else {
        answer(self, request, NULL, say(STATUS_REFUSED, 0, "a request of an unknown kind"));
    }
    loupe__wire__request__free_unpacked(message, NULL);
}
