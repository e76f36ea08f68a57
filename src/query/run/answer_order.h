// SPDX-License-Identifier: Apache-2.0
// answer_order: in which order a query (run.h) answers the contexts or requests of a session, and
// which events they still need. First come the ones that want no events, then the others by their
// ends: chunk by chunk, those that later chunks cannot have events in.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  12 bytes for each context or request, 8 for each chunk

#pragma once

#include "query/run/contexts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The times of a context or request, in ticks.
typedef struct query_answer_times {
    int64_t begin; // INT64_MAX: a request without stays
    int64_t end;   // INT64_MIN: likewise
} query_answer_times;

// {0} is empty. Callers only read.
typedef struct query_answer_order {
    int64_t *horizons;    // by chunk: later chunks have only events committed from here on
    uint32_t *by_end;     // indexes: first of those with events, by end; then of the others
    size_t count;         // of by_end
    uint32_t with_events; // count of the first
    uint32_t next;        // index in by_end of the next one to answer that has events
    int64_t *begin_min;   // parallel to by_end: the least begin of this one and those behind it;
                          // INT64_MAX at with_events
} query_answer_order;

void query_answer_order_fini(query_answer_order *order);

// query_answer_order_make orders the finished contexts, or their requests if they are of requests.
// wants_events and arg are as in query_question. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_answer_order_make(query_answer_order *order,
    const query_contexts *contexts,
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns), void *arg);

// query_answer_order_times returns the times of the index-th context or request.
query_answer_times query_answer_order_times(const query_contexts *contexts, uint32_t index);

// query_answer_order_begin_min returns the least begin of the ones that are not answered and want
// events; INT64_MAX if there are none.
int64_t query_answer_order_begin_min(const query_answer_order *order);

// query_answer_order_needs returns whether an event with this commit time may be in one that is not
// answered and wants events.
static inline bool
query_answer_order_needs(const query_answer_order *order, int64_t commit)
{
    return order->next < order->with_events && commit >= order->begin_min[order->next];
}

// query_answer_order_next writes the next one that wants events, which then counts as answered, if
// it ended before horizon or horizon is INT64_MAX. Else returns false.
bool query_answer_order_next(query_answer_order *order, const query_contexts *contexts,
    int64_t horizon, uint32_t *out_index);
