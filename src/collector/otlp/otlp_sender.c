// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_sender.h"

#include "collector/base/gzip.h"
#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OWN_HEADERS = 4 };

static const client_http_pair own_headers[OWN_HEADERS] = {
    {"Content-Type", "application/x-protobuf"}, {"Content-Encoding", "gzip"},
    {"User-Agent", "loupe/" LOUPE_VERSION}, {"Expect", ""}, // large bodies are sent at once
};

// The metrics of the signals follow one another in their order.
_Static_assert((int)METRICS_otlp_taken_profiles == (int)METRICS_otlp_taken_metrics + OTLP_PROFILES,
    "the metrics are in the order of the signals");

static const char *const names[OTLP_SIGNALS] = {"metrics", "profiles"};
static const char *const items[OTLP_SIGNALS] = {"data points", "profiles"};

lp_err
otlp_sender_init(otlp_sender *self, const otlp_target *target)
{
    LP_ASSERT(target != NULL && target->header_count <= OTLP_TARGET_HEADERS_MAX);
    *self = (otlp_sender){.target = target, .http = client_http_create()};
    return self->http != NULL ? LP_OK : LP_ENOMEM;
}

void
otlp_sender_fini(otlp_sender *self)
{
    client_http_destroy(self->http); // NULL is fine
    *self = (otlp_sender){.target = NULL};
}

static void
sender_check(const otlp_sender *self, otlp_signal signal)
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
tell_failure(
    const otlp_sender *self, otlp_signal signal, const otlp_answer *answer, unsigned status)
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

// tell logs a change of a signal's state.
static void
tell(otlp_sender *self, otlp_signal signal, const otlp_answer *answer, unsigned status)
{
    otlp_state *told = &self->lines[signal].state;
    const otlp_state now = {.outcome = answer->outcome,
        .status = answer->outcome == OTLP_TAKEN ? 0 : status,
        .is_partial =
            answer->outcome == OTLP_TAKEN && (answer->rejected > 0 || answer->text[0] != '\0')};
    const otlp_state before = *told;
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

// set_wait says when the signal may be sent again.
static void
set_wait(otlp_line *line, otlp_outcome outcome, uint64_t retry_after_s)
{
    if (outcome != OTLP_RETRY) {
        line->wait_ms = 0;
        line->free_mono_ms = 0;
        return;
    }
    uint64_t most_ms = lp_time_scale_ms(OTLP_WAIT_MS_MAX);
    line->wait_ms = line->wait_ms == 0 ? lp_time_scale_ms(OTLP_WAIT_MS_MIN) : 2 * line->wait_ms;
    line->wait_ms = line->wait_ms > most_ms ? most_ms : line->wait_ms;
    LP_ASSERT(line->wait_ms > 0 && line->wait_ms <= most_ms);
    uint64_t now_ms = client_http_now_ms();
    uint64_t random = lp_hash_number(lp_hash_seed(), now_ms);
    uint64_t wait_ms = line->wait_ms - random % (line->wait_ms / 2 + 1);
    uint64_t after_ms =
        1000 * (retry_after_s > OTLP_RETRY_AFTER_S_MAX ? OTLP_RETRY_AFTER_S_MAX : retry_after_s);
    line->free_mono_ms = now_ms + (after_ms > wait_ms ? after_ms : wait_ms);
}

bool
otlp_sender_is_waiting(const otlp_sender *self, otlp_signal signal)
{
    sender_check(self, signal);
    return self->lines[signal].wait_ms > 0;
}

bool
otlp_sender_refuses_all(const otlp_sender *self, otlp_signal signal)
{
    sender_check(self, signal);
    const otlp_state *state = &self->lines[signal].state;
    return state->outcome == OTLP_REFUSED && state->status != 400 && state->status != 413;
}

// --- An export

// ask sends a compressed body.
static lp_err
ask(const otlp_sender *self, otlp_signal signal, lp_slice gzip, client_http_answer *out_answer,
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
        .deadline_mono_ms = client_http_now_ms() + OTLP_EXPORT_MS_MAX};
    return client_http_ask(self->http, &request, out_answer, out_problem);
}

otlp_outcome
otlp_sender_send(otlp_sender *self, otlp_signal signal, lp_slice body)
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
