// SPDX-License-Identifier: Apache-2.0

// ask_cancel: whether a question is still worth answering, and has not taken too long.
//
// Threads: the worker that answers; is_gone is called on it.
// Tests:   tests/unit/collector/ask/test_ask_work.c

#ifndef LP_COLLECTOR_ASK_ASK_CANCEL_H
#define LP_COLLECTOR_ASK_ASK_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ask_cancel {
    const atomic_bool *is_stopping; // the collector
    // Whether nobody waits for the answer any more. It costs a system call.
    bool (*is_gone)(void *arg);
    void *arg;
    int64_t deadline_mono_ns;
    bool is_late;             // it was cancelled because of its deadline
    atomic_bool is_cancelled; // since ask_cancel_look found so; a query (run.h) looks at it
} ask_cancel;

// ask_cancel_begin begins the time that a question may take.
void ask_cancel_begin(ask_cancel *cancel, int64_t ns_max);

// ask_cancel_look finds out whether the question is cancelled, and returns that.
bool ask_cancel_look(ask_cancel *cancel);

#endif // LP_COLLECTOR_ASK_ASK_CANCEL_H
