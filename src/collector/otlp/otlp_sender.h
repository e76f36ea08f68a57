// SPDX-License-Identifier: Apache-2.0

// otlp_sender: sends exports of OTLP, compressed, one at a time, and tells the log and the metrics
// what became of them. It decides when the next one may follow.
//
// After a failure that passes, a signal waits: OTLP_WAIT_MS_MIN, then twice as long each time, up
// to OTLP_WAIT_MS_MAX, with up to half of it left out at random; or Retry-After, if that is longer.
// The log has a line when the state of a signal changes, not for each export.
//
// Threads: the thread of otlp_pusher.
// Tests:   tests/unit/collector/otlp/test_otlp_pusher.c
// Memory:  an export, compressed

#pragma once

#include "collector/otlp/otlp_answer.h"
#include "collector/otlp/otlp_target.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

enum {
    OTLP_EXPORT_MS_MAX = 10 * 1000, // for an export and its answer
    OTLP_WAIT_MS_MIN = 1000,        // these two are divided in tests (lp_time_scale.h)
    OTLP_WAIT_MS_MAX = 60 * 1000,
    OTLP_RETRY_AFTER_S_MAX = 600, // of a receiver's Retry-After
};

// How a signal fares: what the log was told.
typedef struct otlp_state {
    otlp_outcome outcome;
    unsigned status; // of a refusal, or an answer that asks to retry; 0: no answer
    bool is_partial; // some data points or profiles were rejected
} otlp_state;

typedef struct otlp_line {
    otlp_state state;
    uint64_t wait_ms; // the last one; 0: the last export was answered for good
    uint64_t free_mono_ms;
} otlp_line;

typedef struct otlp_sender {
    const otlp_target *target;
    client_http *http;
    otlp_line lines[OTLP_SIGNALS];
} otlp_sender;

// otlp_sender_init borrows target until otlp_sender_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err otlp_sender_init(otlp_sender *sender, const otlp_target *target);
void otlp_sender_fini(otlp_sender *sender);

// otlp_sender_send sends the body of an export, which is not empty, and waits for the answer.
otlp_outcome otlp_sender_send(otlp_sender *sender, otlp_signal signal, lp_slice body);

// otlp_sender_is_waiting returns whether a signal has failed and waits, even if it may be sent by
// now. otlp_sender_refuses_all returns whether the receiver would refuse any export of a signal.
bool otlp_sender_is_waiting(const otlp_sender *sender, otlp_signal signal);
bool otlp_sender_refuses_all(const otlp_sender *sender, otlp_signal signal);
