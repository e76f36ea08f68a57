// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_pusher.h"

#include "collector/base/gzip.h"
#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/otlp/otlp_answer.h"
#include "collector/otlp/otlp_chunk.h"
#include "collector/otlp/otlp_metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Sending an export

enum {
    OWN_HEADERS = 4,
    EXPORT_MS_MAX = 10 * 1000, // for an export and its answer
    WAIT_MS_MIN = 1000,        // these two are divided in tests (lp_time_scale.h)
    WAIT_MS_MAX = 60 * 1000,
    RETRY_AFTER_S_MAX = 600, // of a receiver's Retry-After
};

static const client_http_pair own_headers[OWN_HEADERS] = {
    {"Content-Type", "application/x-protobuf"}, {"Content-Encoding", "gzip"},
    {"User-Agent", "loupe/" LOUPE_VERSION}, {"Expect", ""}, // large bodies are sent at once
};

// The metrics of the signals follow one another in their order.
_Static_assert((int)METRICS_otlp_taken_profiles == (int)METRICS_otlp_taken_metrics + OTLP_PROFILES,
    "the metrics are in the order of the signals");

// How a signal fares: what the log was told.
typedef struct signal_state {
    otlp_outcome outcome;
    unsigned status; // of a refusal, or an answer that asks to retry; 0: no answer
    bool is_partial; // some data points or profiles were rejected
} signal_state;

typedef struct signal_line {
    signal_state state;
    uint64_t wait_ms; // the last one; 0: the last export was answered for good
    uint64_t free_mono_ms;
} signal_line;

// Sends exports, compressed, one at a time.
typedef struct sender {
    const otlp_target *target;
    client_http *http;
    signal_line lines[OTLP_SIGNALS];
} sender;

static const char *const names[OTLP_SIGNALS] = {"metrics", "profiles"};
static const char *const items[OTLP_SIGNALS] = {"data points", "profiles"};

static lp_err
init_sender(sender *self, const otlp_target *target)
{
    LP_ASSERT(target != NULL && target->header_count <= OTLP_TARGET_HEADERS_MAX);
    *self = (sender){.target = target, .http = client_http_create()};
    return self->http != NULL ? LP_OK : LP_ENOMEM;
}

static void
end_sender(sender *self)
{
    client_http_destroy(self->http); // NULL is fine
    *self = (sender){.target = NULL};
}

static void
sender_check(const sender *self, otlp_signal signal)
{
    LP_ASSERT(self->target != NULL && self->http != NULL);
    LP_ASSERT(signal < OTLP_SIGNALS && self->target->urls[signal] != NULL);
}

// --- What the log and the metrics get

static void
count(otlp_signal signal, const otlp_answer *answer, size_t sent_bytes)
{
    static const metrics_id ids[] = {
        [OTLP_TAKEN] = METRICS_otlp_taken_metrics,
        [OTLP_UNCONFIRMED] = METRICS_otlp_unconfirmed_metrics,
        [OTLP_RETRY] = METRICS_otlp_retries_metrics,
        [OTLP_REFUSED] = METRICS_otlp_refused_metrics,
    };
    LP_ASSERT(answer->outcome <= OTLP_REFUSED);
    metrics_add(ids[answer->outcome] + (metrics_id)signal, 1);
    metrics_add(METRICS_otlp_rejected_metrics + (metrics_id)signal, answer->rejected);
    metrics_add(METRICS_otlp_sent_bytes_metrics + (metrics_id)signal, sent_bytes);
}

static void
tell_failure(const sender *self, otlp_signal signal, const otlp_answer *answer, unsigned status)
{
    LP_ASSERT(answer->outcome != OTLP_TAKEN);
    const char *url = self->target->urls[signal];
    const char *colon = answer->text[0] == '\0' ? "" : ": ";
    if (answer->outcome == OTLP_UNCONFIRMED) {
        lp_log(LP_LOG_WARN,
            "OTLP: %s answered %s with %u, but not as OTLP says, so that nobody knows whether it "
            "has them%s%s",
            url, names[signal], status, colon, answer->text);
    } else if (answer->outcome == OTLP_REFUSED) {
        lp_log(LP_LOG_WARN, "OTLP: %s refuses %s with %u%s%s", url, names[signal], status, colon,
            answer->text);
    } else if (status == 0) {
        lp_log(LP_LOG_WARN, "OTLP: cannot send %s to %s, will try again%s%s", names[signal], url,
            colon, answer->text);
    } else {
        lp_log(LP_LOG_WARN, "OTLP: %s asks to send %s later, with %u%s%s", url, names[signal],
            status, colon, answer->text);
    }
}

// tell logs a change of a signal's state: there is no line for each export.
static void
tell(sender *self, otlp_signal signal, const otlp_answer *answer, unsigned status)
{
    signal_state *told = &self->lines[signal].state;
    const signal_state now = {.outcome = answer->outcome,
        .status = answer->outcome == OTLP_TAKEN ? 0 : status,
        .is_partial =
            answer->outcome == OTLP_TAKEN && (answer->rejected > 0 || answer->text[0] != '\0')};
    const signal_state before = *told;
    *told = now;
    if (now.outcome == before.outcome && now.status == before.status &&
        now.is_partial == before.is_partial) {
        return;
    }
    if (now.outcome != OTLP_TAKEN) {
        tell_failure(self, signal, answer, status);
    } else if (now.is_partial) {
        lp_log(LP_LOG_WARN, "OTLP: %s rejected %" PRIu64 " %s%s%s", self->target->urls[signal],
            answer->rejected, items[signal], answer->text[0] == '\0' ? "" : ": ", answer->text);
    } else {
        lp_log(LP_LOG_INFO, "OTLP: %s takes %s again", self->target->urls[signal], names[signal]);
    }
}

// --- Waiting
//
// After a failure that passes, a signal waits: WAIT_MS_MIN, then twice as long each time, up to
// WAIT_MS_MAX, with up to half of it left out at random; or Retry-After, if that is longer.

// set_wait says when the signal may be sent again.
static void
set_wait(signal_line *line, otlp_outcome outcome, uint64_t retry_after_s)
{
    if (outcome != OTLP_RETRY) {
        line->wait_ms = 0;
        line->free_mono_ms = 0;
        return;
    }
    uint64_t most_ms = lp_time_scale_ms(WAIT_MS_MAX);
    line->wait_ms = line->wait_ms == 0 ? lp_time_scale_ms(WAIT_MS_MIN) : 2 * line->wait_ms;
    line->wait_ms = line->wait_ms > most_ms ? most_ms : line->wait_ms;
    LP_ASSERT(line->wait_ms > 0 && line->wait_ms <= most_ms);
    uint64_t now_ms = client_http_now_ms();
    uint64_t random = lp_hash_number(lp_hash_seed(), now_ms);
    uint64_t wait_ms = line->wait_ms - random % (line->wait_ms / 2 + 1);
    uint64_t after_ms =
        1000 * (retry_after_s > RETRY_AFTER_S_MAX ? RETRY_AFTER_S_MAX : retry_after_s);
    line->free_mono_ms = now_ms + (after_ms > wait_ms ? after_ms : wait_ms);
}

// is_waiting returns whether a signal has failed and waits, even if it may be sent by now.
static bool
is_waiting(const sender *self, otlp_signal signal)
{
    sender_check(self, signal);
    return self->lines[signal].wait_ms > 0;
}

// refuses_all returns whether the receiver would refuse any export of a signal.
static bool
refuses_all(const sender *self, otlp_signal signal)
{
    sender_check(self, signal);
    const signal_state *state = &self->lines[signal].state;
    return state->outcome == OTLP_REFUSED && state->status != 400 && state->status != 413;
}

// --- An export

// ask sends a compressed body.
static lp_err
ask(const sender *self, otlp_signal signal, lp_slice gzip, client_http_answer *out_answer,
    lp_problem *out_problem)
{
    client_http_pair headers[OWN_HEADERS + OTLP_TARGET_HEADERS_MAX];
    memcpy(headers, own_headers, sizeof(own_headers));
    memcpy(headers + OWN_HEADERS, self->target->headers,
        self->target->header_count * sizeof(*headers));
    const client_http_request request = {.method = "POST",
        .url = self->target->urls[signal],
        .headers = headers,
        .header_count = OWN_HEADERS + self->target->header_count,
        .body = gzip,
        .to_fd = -1,
        .deadline_mono_ms = client_http_now_ms() + EXPORT_MS_MAX};
    return client_http_ask(self->http, &request, out_answer, out_problem);
}

// send_export sends the body of an export, which is not empty, and waits for the answer.
static otlp_outcome
send_export(sender *self, otlp_signal signal, lp_slice body)
{
    sender_check(self, signal);
    LP_ASSERT(body.len > 0);
    lp_buf gzip = {0};
    client_http_answer from = {0};
    lp_problem problem = {.text = ""};
    otlp_answer answer = {.outcome = OTLP_RETRY};
    lp_err err = gzip_compress(body, &gzip);
    LP_THEN(err, ask(self, signal, lp_buf_slice(&gzip), &from, &problem));
    if (err == LP_OK) {
        answer = otlp_answer_read(&from);
    } else {
        (void)snprintf(answer.text, sizeof(answer.text), "%s",
            problem.text[0] == '\0' ? lp_err_text(err) : problem.text);
    }
    count(signal, &answer, err == LP_OK ? gzip.len : 0);
    tell(self, signal, &answer, from.status);
    set_wait(&self->lines[signal], answer.outcome, from.retry_after_s);
    lp_buf_fini(&from.body);
    lp_buf_fini(&gzip);
    return answer.outcome;
}

// --- The pusher

struct otlp_pusher {
    otlp_pusher_config config;
    sender sender;
    int64_t start_wall_ns;
    uint64_t due_mono_ms[OTLP_SIGNALS];
    otlp_chunk chunk; // at hand
    bool has_chunk;
    atomic_uint_fast64_t end_mono_ms; // otlp_pusher_stop sets it; 0: not yet. Relaxed: a deadline
    pthread_t thread;
};

static void
pusher_check(const otlp_pusher *self)
{
    LP_ASSERT(self->config.target != NULL && self->config.services != NULL);
    LP_ASSERT(self->config.feed != NULL && self->config.store != NULL);
    LP_ASSERT(self->config.interval_ms > 0 && self->start_wall_ns > 0);
}

static bool
is_past_end(void *arg)
{
    const otlp_pusher *self = arg;
    uint64_t end_mono_ms = atomic_load_explicit(&self->end_mono_ms, memory_order_relaxed);
    return end_mono_ms != 0 && client_http_now_ms() >= end_mono_ms;
}

static bool
is_ending(const otlp_pusher *self)
{
    return atomic_load_explicit(&self->end_mono_ms, memory_order_relaxed) != 0;
}

// --- Metrics

static void
push_metrics(otlp_pusher *self)
{
    int64_t now_wall_ns = lp_time_now();
    const otlp_metrics_about about = {.collector = self->config.collector,
        .start_wall_ns = self->start_wall_ns,
        .now_wall_ns = now_wall_ns > self->start_wall_ns ? now_wall_ns : self->start_wall_ns};
    lp_buf body = {0};
    lp_err err = otlp_metrics_encode(self->config.services, &about, &body);
    if (err == LP_OK && body.len > 0) {
        (void)send_export(&self->sender, OTLP_METRICS, lp_buf_slice(&body));
    }
    lp_buf_fini(&body); // without memory, the next interval sends the same sums
}

// --- Profiles

static void
end_chunk(otlp_pusher *self, bool is_sent)
{
    LP_ASSERT(self->has_chunk);
    self->has_chunk = false;
    metrics_sub(METRICS_otlp_chunks_waiting, 1);
    metrics_add(is_sent ? METRICS_otlp_chunks_sent : METRICS_otlp_chunks_left_out, 1);
}

// take_chunk makes the next chunk the one at hand. False if there is none.
static bool
take_chunk(otlp_pusher *self)
{
    chunk_feed_item item;
    if (!self->has_chunk && chunk_feed_pop(self->config.feed, &item)) {
        self->chunk = otlp_chunk_begin(&item);
        self->has_chunk = true;
    }
    return self->has_chunk;
}

// send_piece sends an export of the chunk at hand, unless it was sent before.
static lp_err
send_piece(void *arg, lp_slice bytes)
{
    otlp_pusher *self = arg;
    LP_ASSERT(self->has_chunk);
    otlp_outcome outcome = send_export(&self->sender, OTLP_PROFILES, bytes);
    if (outcome == OTLP_RETRY) {
        return LP_EAGAIN;
    }
    self->chunk.is_partial |= outcome == OTLP_REFUSED;
    return refuses_all(&self->sender, OTLP_PROFILES) ? LP_ECLOSED : LP_OK;
}

// can_pass returns whether an error of the receiver or the catalog may be gone later.
static bool
can_pass(lp_err err)
{
    return err == LP_EAGAIN || err == LP_EIO || err == LP_ENOMEM || err == LP_ELIMIT;
}

// push_chunk sends the chunk at hand. False if it has to be sent later.
static bool
push_chunk(otlp_pusher *self)
{
    LP_ASSERT(self->has_chunk && self->chunk.tries < OTLP_TRIES_MAX);
    const otlp_chunk_to to = {.store = self->config.store,
        .on_piece = send_piece,
        .is_past_end = is_past_end,
        .arg = self};
    uint64_t done_before = self->chunk.done;
    lp_err err = otlp_chunk_send(&self->chunk, &to);
    bool may_pass = can_pass(err);
    bool is_told = err == LP_OK || err == LP_EAGAIN || err == LP_ECLOSED || err == LP_ENOENT;
    if (!is_told && self->chunk.tries == 0) {
        lp_log(LP_LOG_WARN, "OTLP: session %s: chunk %" PRIu32 " cannot be read%s: %s",
            self->chunk.item.session_id, self->chunk.item.ordinal,
            may_pass ? ", will try again" : "", lp_err_reason(err));
    }
    if (may_pass && ++self->chunk.tries < OTLP_TRIES_MAX) {
        return false;
    }
    bool has_sent = self->chunk.done > done_before; // the question ran out of time between pieces
    if (err == LP_ECLOSED && (is_past_end(self) ||  // finish counts it
                                 (has_sent && !refuses_all(&self->sender, OTLP_PROFILES)))) {
        return false;
    }
    end_chunk(self, err == LP_OK && !self->chunk.is_partial);
    return true;
}

// may_send returns whether profiles may be sent now: they do not wait, and metrics are not due.
static bool
may_send(const otlp_pusher *self)
{
    uint64_t now_ms = client_http_now_ms();
    return now_ms >= self->sender.lines[OTLP_PROFILES].free_mono_ms &&
           (is_ending(self) || now_ms < self->due_mono_ms[OTLP_METRICS]);
}

// push_profiles sends the chunks that wait, at least one, until metrics are due. Returns whether
// others are to be sent at once.
static bool
push_profiles(otlp_pusher *self)
{
    pusher_check(self);
    bool goes_on = true;
    bool is_refused = false;
    while (goes_on && !is_past_end(self) && take_chunk(self)) {
        if (is_refused) {
            end_chunk(self, false);
        } else {
            goes_on = push_chunk(self);
            is_refused = refuses_all(&self->sender, OTLP_PROFILES);
            if (goes_on && !is_refused && !may_send(self)) {
                return true;
            }
        }
    }
    return false;
}

// --- The thread

// push sends a signal, and decides when it is due again.
static void
push(otlp_pusher *self, otlp_signal signal)
{
    LP_ASSERT(signal < OTLP_SIGNALS);
    uint64_t begin_mono_ms = client_http_now_ms();
    bool has_more = false;
    if (signal == OTLP_METRICS) {
        push_metrics(self);
    } else {
        has_more = push_profiles(self);
    }
    // A wait that was over before is of an earlier export: there was nothing to send again.
    uint64_t free_mono_ms = self->sender.lines[signal].free_mono_ms;
    self->due_mono_ms[signal] = free_mono_ms > begin_mono_ms ? free_mono_ms
                                : has_more                   ? client_http_now_ms()
                                           : client_http_now_ms() + self->config.interval_ms;
}

static void
finish(otlp_pusher *self)
{
    for (otlp_signal signal = 0; signal < OTLP_SIGNALS; signal++) {
        if (!is_waiting(&self->sender, signal) && !is_past_end(self)) {
            push(self, signal);
        }
    }
    uint64_t unsent = 0;
    while (take_chunk(self)) {
        end_chunk(self, false);
        unsent++;
    }
    LP_ASSERT(!self->has_chunk);
    if (unsent > 0) {
        lp_log(LP_LOG_WARN, "OTLP: the collector ends with %" PRIu64 " unsent chunk%s", unsent,
            unsent == 1 ? "" : "s");
    }
}

static void *
run(void *arg)
{
    otlp_pusher *self = arg;
    pusher_check(self);
    workers_lower(WORKERS_LOW);
    while (!client_http_is_interrupted(self->sender.http)) {
        uint64_t next_mono_ms = UINT64_MAX;
        for (otlp_signal signal = 0; signal < OTLP_SIGNALS; signal++) {
            if (client_http_now_ms() >= self->due_mono_ms[signal]) {
                push(self, signal);
            }
            uint64_t due_mono_ms = self->due_mono_ms[signal];
            next_mono_ms = due_mono_ms < next_mono_ms ? due_mono_ms : next_mono_ms;
        }
        uint64_t now_ms = client_http_now_ms();
        client_http_wait(self->sender.http, next_mono_ms > now_ms ? next_mono_ms - now_ms : 0);
    }
    finish(self);
    return NULL;
}

lp_err
otlp_pusher_start(const otlp_pusher_config *config, otlp_pusher **out_pusher)
{
    otlp_pusher *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->config = *config;
    self->start_wall_ns = lp_time_now();
    pusher_check(self);
    for (otlp_signal signal = 0; signal < OTLP_SIGNALS; signal++) {
        self->due_mono_ms[signal] = client_http_now_ms() + config->interval_ms;
    }
    lp_err err = init_sender(&self->sender, config->target);
    LP_THEN(err, pthread_create(&self->thread, NULL, run, self) == 0 ? LP_OK : LP_ENOMEM);
    if (err != LP_OK) {
        end_sender(&self->sender);
        free(self);
        return err;
    }
    (void)pthread_setname_np(self->thread, "loupe-otlp"); // a failure only loses the name
    lp_log(LP_LOG_INFO,
        "OTLP: sends metrics to %s and profiles to %s, by version 1.11 of the protocol "
        "(profiles: v1development), every %" PRIu64 " s",
        config->target->urls[OTLP_METRICS], config->target->urls[OTLP_PROFILES],
        config->interval_ms / 1000);
    *out_pusher = self;
    return LP_OK;
}

void
otlp_pusher_stop(otlp_pusher *self)
{
    if (self == NULL) {
        return;
    }
    pusher_check(self);
    uint64_t end_ms = lp_time_scale_ms(OTLP_END_MS_MAX);
    atomic_store_explicit(&self->end_mono_ms, client_http_now_ms() + end_ms, memory_order_relaxed);
    client_http_interrupt(self->sender.http, end_ms);
    (void)pthread_join(self->thread, NULL);
    end_sender(&self->sender);
    free(self);
}
