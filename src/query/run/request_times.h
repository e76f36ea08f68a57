// SPDX-License-Identifier: Apache-2.0
// request_times: divides the time of a request among its events, so that each moment counts once.
//
//   request   ├──────────────────────────────────────────────────┤
//   exec-1    ├── read ───────────┤  ├─ park ─────┤
//   pool-2                     ├─ runs ──┤
//   queued                 q────────┘          q──────┘
//   counts as read read    read runs    park    queued  elsewhere
//
// A stay is an interval in which a thread works for the request. time_split.h divides each stay. At
// each moment the first of these counts:
//
//   1. a stay whose thread does something. Waiting for a lock counts as doing something, but a
//      thread that is parked, sleeps or waits for a notification does nothing
//   2. a task of the request that waits for a thread: the time is queued
//   3. a stay whose thread does nothing: the event in which it waits
//   4. nothing: the time is elsewhere, such as in another process
//
// Of several stays, or several tasks, the one that began first counts. A sample counts if it lies
// in an unexplained moment of the stay that counts.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/run/test_query_request_times.c
// Memory:  44 bytes for each piece (time_split.h) and each task, and 24 for each unexplained piece

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/rollup/time_split.h"

typedef struct query_request_stay {
    int64_t begin_ns;
    int64_t end_ns;
    time_span *spans; // of its thread, in the order of time_split; their own_ns is a result
    size_t span_count;
} query_request_stay;

// A task of the request waits for a thread.
typedef struct query_request_wait {
    int64_t begin_ns;
    int64_t end_ns;
    int64_t own_ns; // result: the time in which it counts
} query_request_wait;

// The input. Stays and waits are sorted by begin.
typedef struct query_request_time {
    int64_t begin_ns;
    int64_t end_ns;
    query_request_stay *stays;
    size_t stay_count;
    query_request_wait *waits;
    size_t wait_count;
    time_span *pauses; // of the JVM, in the order of time_split
    size_t pause_count;
    // Results
    int64_t left_ns; // a thread works, and no event explains the time
    int64_t elsewhere_ns;
} query_request_time;

// Working memory; {0} is empty.
typedef struct query_request_room {
    LP_VEC(struct query_request_stretch {
        int64_t begin_ns;
        int64_t end_ns;
        time_span *counting; // NULL: unexplained, or of a task
        time_span *stopped;
        uint32_t of;  // index of the stay or the task
        uint8_t rule; // of the rules above; the least counts
    })
    stretches;
    LP_VEC(uint32_t) heap;             // begun stretches, the one that counts on top
    LP_VEC(struct query_request_left { // unexplained time, in order
        int64_t begin_ns;
        int64_t end_ns;
        uint32_t stay;
    })
    left;
    LP_VEC(int64_t) pause_ends; // parallel to the pauses: the last end so far
    bool is_failed;             // memory ran out
} query_request_room;

void query_request_room_fini(query_request_room *room);

// query_request_times divides the time. The own_ns of all spans, pauses and waits, left_ns and
// elsewhere_ns add up to end_ns - begin_ns.
//
// Cost:   n log n
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_times(query_request_time *time, query_request_room *room);
