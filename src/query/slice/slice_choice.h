// SPDX-License-Identifier: Apache-2.0
// slice_choice: the events of a session that are in a slice:
//
//   - events committed on the thread of a wanted context while it was open;
//   - wanted contexts with all their parts, and contexts within them on their threads;
//   - for requests (requests.h): the same for the stays of wanted requests, and the events that
//     describe these requests;
//   - with has_around: pauses of the JVM committed while a wanted context was open. Also, if a
//     context waited for a monitor (jdk.JavaMonitorEnter), the events of the monitor's previous
//     owner committed during the wait, except contexts;
//   - if these include samples that do not record their period: the jdk.ActiveSetting with the
//     period (periods.h), in any chunk;
//   - in each chunk with any of these: jdk.JVMInformation, dev.loupe.Accounting, dev.loupe.Loss,
//     dev.loupe.RequestAccounting, and the jdk.ActiveSetting of their types.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/slice/test_slice.c, tests/unit/query/slice/test_slice_spans.c
// Memory:  48 bytes for each context; 24 for each wait, at most QUERY_SLICE_WAITS_MAX, and 12 more
//          for each while waits are sorted; threads.h and periods.h; 8 bytes for each chosen event
//          of a chunk.

#pragma once

#include "query/chunk/periods.h"
#include "query/chunk/threads.h"
#include "query/run/contexts.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_SLICE_WAITS_MAX = 1 << 20 }; // for monitors, of a session

// Spans of time on threads, such as when contexts were open. Any thread may read them after
// query_slice_spans_finish. {0} is empty.
typedef struct query_slice_spans {
    LP_VEC(struct query_slice_span {
        uint64_t thread;
        int64_t begin; // ticks; begin and end are inclusive
        int64_t end;   // after query_slice_spans_finish also ascending
    })
    items;
} query_slice_spans;

void query_slice_spans_fini(query_slice_spans *spans);

LP_MUST_USE lp_err query_slice_spans_add(
    query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

// query_slice_spans_finish sorts the spans by thread and begin, and drops those within others.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_spans_finish(query_slice_spans *spans);

// query_slice_spans_have returns whether a span on the thread contains the time from begin to end,
// both inclusive.
bool query_slice_spans_have(
    const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

// query_slice_spans_meet returns whether a span on the thread overlaps the time from begin to end.
bool query_slice_spans_meet(
    const query_slice_spans *spans, uint64_t thread, int64_t begin, int64_t end);

// A session, once its contexts are known. {0} is empty.
typedef struct query_slice_session {
    uint64_t context_count; // or the count of requests
    query_threads threads;
    query_periods periods;           // is_needed: samples of other chunks need it
    query_slice_spans contexts;      // when wanted contexts were open
    query_slice_spans times;         // the same for all threads together, on QUERY_NO_THREAD
    query_slice_spans waits;         // for monitors, by previous owner
    query_slice_spans wait_times;    // the same for all threads together
    lp_map requests;                 // a set: ids of wanted requests
    lp_map request_chunks;           // a set: indexes of chunks with these requests' latest events
    const atomic_bool *is_cancelled; // set by the caller; NULL: never
    bool is_truncated;
} query_slice_session;

void query_slice_session_fini(query_slice_session *session);

// query_slice_session_take moves the data that a slice needs out of finished contexts.
// context_count is then 0 if no context is wanted. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_session_take(query_slice_session *session, query_contexts *contexts);

// query_slice_session_needs returns whether the session's index-th chunk may have chosen events.
// with_waits: count events of owners of monitors as well.
bool query_slice_session_needs(const query_slice_session *session, uint32_t index,
    const query_chunk_times *times, bool with_waits);

// query_slice_add_waits adds the waits for monitors in wanted contexts of the session's index-th
// chunk. Errors: LP_ENOMEM; LP_ECLOSED cancelled
LP_MUST_USE lp_err query_slice_add_waits(
    query_slice_session *session, query_chunk *chunk, uint32_t index);

// query_slice_finish_waits sorts the waits. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_slice_finish_waits(query_slice_session *session);

// query_slice_add_period marks the period of the chosen samples of the session's index-th chunk,
// which sets no period itself. Errors: LP_ENOMEM; LP_ECLOSED cancelled
LP_MUST_USE lp_err query_slice_add_period(
    query_slice_session *session, query_chunk *chunk, uint32_t index, bool has_around);

// The chosen events of a chunk. {0} is empty.
typedef struct query_slice_choice {
    LP_VEC(uint32_t) offsets; // ascending
    LP_VEC(struct query_slice_described {
        uint32_t offset;
        uint32_t type; // that it describes; JFR_NONE: the JVM
    })
    described; // private: events that are chosen if another event of the chunk is
} query_slice_choice;

void query_slice_choice_fini(query_slice_choice *choice);

// query_slice_choose replaces choice by the chosen events of the session's index-th chunk. Errors:
// LP_ENOMEM; LP_ECLOSED cancelled
LP_MUST_USE lp_err query_slice_choose(const query_slice_session *session, query_chunk *chunk,
    uint32_t index, bool has_around, query_slice_choice *choice);
