// SPDX-License-Identifier: Apache-2.0
// request_times: the time of a request divided among what happened in it, so that each moment
// counts once.
//
//   request   ├──────────────────────────────────────────────────┤
//   exec-1    ├── read ───────────┤  ├─ park ─────┤
//   pool-2                     ├─ runs ──┤
//   queued                 q────────┘          q──────┘
//   counts as read read    read runs    park    queued  elsewhere
//
// A stay is a stretch in which a thread works for the request. Within a stay time_split.h says what
// counts. Of the request the first of the following counts:
//
//   1. a stay whose thread does something. Waiting for a lock counts as doing something, but a
//      thread that is parked, sleeps or waits for a notification does nothing
//   2. a task of the request that waits for a thread: the time is queued
//   3. a stay whose thread does nothing: what it waits in
//   4. nothing: the time is elsewhere, such as in another process
//
// Of several stays, and of several tasks, the one that began first counts. A sample counts if it
// lies in a moment that is left of the stay that counts.
//
// Threads: any thread; pure functions of their arguments.
// Tests:   tests/unit/query/run/test_query_request_times.c
// Memory:  44 bytes for each piece (time_split.h) and each task, and 24 for each piece that is left

#ifndef LP_QUERY_REQUEST_TIMES_H
#define LP_QUERY_REQUEST_TIMES_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/rollup/time_split.h"

typedef struct query_request_stay {
    int64_t begin_ns;
    int64_t end_ns;
    time_span *spans; // of its thread, in the order that time_split wants; they get their results
    size_t span_count;
} query_request_stay;

// A task of the request waits for a thread.
typedef struct query_request_wait {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t own_ns; // the result: the time in which it counts
} query_request_wait;

// What is divided. Stays and waits are in the order of their begins.
typedef struct query_request_time {
    int64_t begin_ns;
    int64_t end_ns;
    query_request_stay *stays;
    size_t stay_count;
    query_request_wait *waits;
    size_t wait_count;
    time_span *pauses; // of the JVM, as time_split wants them
    size_t pause_count;
    // The results
    int64_t left_ns; // in which a thread works and nothing is known to have gone on
    int64_t elsewhere_ns;
} query_request_time;

// Room to work in; {0} has none yet.
typedef struct query_request_room {
    LP_VEC(struct query_request_stretch {
        int64_t begin_ns;
        int64_t end_ns;
        time_span *counting; // NULL: the time is left, or it is a task's
        time_span *stopped;
        uint32_t of;    // index of the stay or the task
        uint8_t chance; // which of the rules above; the least comes first
    })
    stretches;
    LP_VEC(uint32_t) heap;             // stretches that have begun, the one that counts first
    LP_VEC(struct query_request_left { // what is left, in the order of time
        int64_t begin_ns;
        int64_t end_ns;
        uint32_t stay;
    })
    left;
    LP_VEC(int64_t) pause_ends; // parallel to the pauses: the last end of this and all before
    bool is_failed;             // memory ran out
} query_request_room;

void query_request_room_fini(query_request_room *room);

// query_request_times divides the time. The own_ns of all spans, pauses and waits, left_ns and
// elsewhere_ns make up end_ns - begin_ns to the nanosecond.
//
// Cost:   n log n
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_times(query_request_time *time, query_request_room *room);

#endif // LP_QUERY_REQUEST_TIMES_H
