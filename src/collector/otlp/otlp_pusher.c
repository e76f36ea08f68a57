// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_pusher.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/otlp/otlp_chunk.h"
#include "collector/otlp/otlp_metrics.h"
#include "collector/otlp/otlp_sender.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct otlp_pusher {
    otlp_pusher_config config;
    otlp_sender sender;
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
        (void)otlp_sender_send(&self->sender, OTLP_METRICS, lp_buf_slice(&body));
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
    otlp_outcome outcome = otlp_sender_send(&self->sender, OTLP_PROFILES, bytes);
    if (outcome == OTLP_RETRY) {
        return LP_EAGAIN;
    }
    self->chunk.is_partial |= outcome == OTLP_REFUSED;
    return otlp_sender_refuses_all(&self->sender, OTLP_PROFILES) ? LP_ECLOSED : LP_OK;
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
    if (err == LP_ECLOSED &&
        (is_past_end(self) || // finish counts it
            (has_sent && !otlp_sender_refuses_all(&self->sender, OTLP_PROFILES)))) {
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
    bool refuses_all = false;
    while (goes_on && !is_past_end(self) && take_chunk(self)) {
        if (refuses_all) {
            end_chunk(self, false);
        } else {
            goes_on = push_chunk(self);
            refuses_all = otlp_sender_refuses_all(&self->sender, OTLP_PROFILES);
            if (goes_on && !refuses_all && !may_send(self)) {
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
        if (!otlp_sender_is_waiting(&self->sender, signal) && !is_past_end(self)) {
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
    lp_err err = otlp_sender_init(&self->sender, config->target);
    LP_THEN(err, pthread_create(&self->thread, NULL, run, self) == 0 ? LP_OK : LP_ENOMEM);
    if (err != LP_OK) {
        otlp_sender_fini(&self->sender);
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
    otlp_sender_fini(&self->sender);
    free(self);
}
