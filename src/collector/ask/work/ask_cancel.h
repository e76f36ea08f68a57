// SPDX-License-Identifier: Apache-2.0

// ask_cancel: tells whether a question is cancelled: its client has gone, the collector stops, or
// its deadline has passed.
//
// Threads: the worker that answers; it also calls is_gone.
// Tests:   tests/unit/collector/ask/test_ask_work.c

#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ask_cancel {
    const atomic_bool *is_stopping; // the collector stops
    bool (*is_gone)(void *arg);     // the client has gone; makes a system call
    void *arg;
    int64_t deadline_mono_ns;
    bool is_late;             // cancelled because of the deadline
    atomic_bool is_cancelled; // as of the last ask_cancel_look; a query (run.h) reads it
} ask_cancel;

// ask_cancel_begin sets the deadline to ns_max from now.
void ask_cancel_begin(ask_cancel *cancel, int64_t ns_max);

// ask_cancel_look returns whether the question is cancelled.
bool ask_cancel_look(ask_cancel *cancel);
