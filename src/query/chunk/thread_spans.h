// SPDX-License-Identifier: Apache-2.0
// thread_spans: the time of each thread of a session, from its first event to its last. Questions
// about recordings without contexts divide it.
//
// A sample of a running thread stands for the period before it, so a thread begins with this
// period. If a setting has the period, it is known only after all chunks were read: then the caller
// moves the thread's begin.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/e2e/ask.py
// Memory:  64 bytes for each thread and some 24 in a table, of which QUERY_THREAD_SPANS_MAX
//          are remembered.

#ifndef LP_QUERY_THREAD_SPANS_H
#define LP_QUERY_THREAD_SPANS_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_THREAD_SPANS_MAX = 1 << 20 };

// When a thread had events.
typedef struct query_thread_span {
    uint64_t thread;       // identity
    uint64_t thread_key;   // the thread's key in the chunk of its first event
    uint32_t name;         // the number of its name there, if names of threads are asked for
    uint32_t chunk;        // the number of that chunk in the session
    uint32_t sample_chunk; // of the chunk with the first sample whose period a setting has
    int64_t sample;        // ticks of this sample; INT64_MAX: there is none
    int64_t begin;         // ticks
    int64_t end;           // ticks
} query_thread_span;

// {0} has none.
typedef struct query_thread_spans {
    LP_VEC(query_thread_span) items; // in the order in which threads were met
    lp_map of_thread;                // by identity
    bool is_truncated;               // there were more
} query_thread_spans;

void query_thread_spans_fini(query_thread_spans *spans);

// query_thread_spans_add adds the span of one event, which has all members. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_spans_add(
    query_thread_spans *spans, const query_thread_span *event);

#endif // LP_QUERY_THREAD_SPANS_H
