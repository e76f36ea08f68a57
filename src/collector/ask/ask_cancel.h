// SPDX-License-Identifier: Apache-2.0

// ask_cancel: whether a question is still worth answering.
//
// Threads: the worker that answers; is_gone is called on it.
// Tests:   tests/unit/collector/ask/test_ask.c

#ifndef LP_COLLECTOR_ASK_ASK_CANCEL_H
#define LP_COLLECTOR_ASK_ASK_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct ask_cancel {
    const atomic_bool *is_stopping; // the collector
    // Whether nobody waits for the answer any more. It costs a system call.
    bool (*is_gone)(void *arg);
    void *arg;
    atomic_bool is_cancelled; // since ask_cancel_look found so; a query (run.h) looks at it
} ask_cancel;

// ask_cancel_look finds out whether the question is cancelled, and returns that.
static inline bool
ask_cancel_look(ask_cancel *cancel)
{
    bool is_cancelled = atomic_load_explicit(&cancel->is_cancelled, memory_order_relaxed) ||
                        atomic_load_explicit(cancel->is_stopping, memory_order_relaxed) ||
                        cancel->is_gone(cancel->arg);
    atomic_store_explicit(&cancel->is_cancelled, is_cancelled, memory_order_relaxed);
    return is_cancelled;
}

#endif // LP_COLLECTOR_ASK_ASK_CANCEL_H
