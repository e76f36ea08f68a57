// SPDX-License-Identifier: Apache-2.0
// naive_requests: the requests of a short history, found tick by tick from its beginning, as the
// contract of src/engine/requests/requests.h has them. It knows no windows: what is known at a tick
// is what has happened up to there.
//
// At each tick, in this order: parts end, roots begin, parts begin, roots end. A part [begin, end]
// is worked for at the ticks from begin to end - 1.

#pragma once

#include "engine/requests/requests.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NAIVE_TICKS = 64, // all times are below, but for the ends of open parts
    NAIVE_PARTS_MAX = 24,
    NAIVE_ROOTS_MAX = 12,
    NAIVE_HAND_OVERS_MAX = 6,
    NAIVE_REQUESTS_MAX = NAIVE_PARTS_MAX + NAIVE_ROOTS_MAX,
    NAIVE_THREADS = 3, // from 1
    NAIVE_KEYS = 9,    // from 1
    NAIVE_TOUCHES_MAX = 2 * NAIVE_PARTS_MAX + 4,
    NAIVE_NONE = -1,
};

typedef struct naive_history {
    compact_request_part parts[NAIVE_PARTS_MAX]; // in the order in which they begin
    size_t part_count;
    compact_root roots[NAIVE_ROOTS_MAX]; // in the order of time
    size_t root_count;
    compact_hand_over hand_overs[NAIVE_HAND_OVERS_MAX];
    size_t hand_over_count;
    int64_t linger_ticks;
} naive_history;

typedef struct naive_request {
    uint64_t key; // 0: of a part without one
    uint64_t thread;
    int64_t begin;
    int64_t end;      // so far
    int64_t last_end; // of its parts with keys, so far
    uint64_t part_count;
    compact_request_source source;
    bool has_root;
    bool is_over;
    bool is_unended;
    bool goes_on;
    bool is_gone;  // joined to another one, or no request
    int joined_to; // the other one; NAIVE_NONE: none
    bool is_busy[NAIVE_TICKS];
    bool is_queued[NAIVE_TICKS];
} naive_request;

typedef struct naive_result {
    naive_request requests[NAIVE_REQUESTS_MAX];
    int request_count;
    int request_of[NAIVE_PARTS_MAX]; // NAIVE_NONE: none, or it has not begun
    bool is_shell[NAIVE_PARTS_MAX];  // it is no request, or lies in such a part
    int works_for[NAIVE_THREADS + 1][NAIVE_TICKS];
    int touches[NAIVE_THREADS + 1][NAIVE_TICKS][NAIVE_TOUCHES_MAX]; // at the tick, in order
    int wait_of[NAIVE_HAND_OVERS_MAX];                              // request of a hand-over
    // A part has outlasted its request, or its key means another one; or a request was joined to
    // one that was over, or was over before its root ended.
    bool has_leaks;
    compact_request_losses losses; // since the beginning
} naive_result;

// naive_requests_make finds the requests of a history up to a tick, at which the session may end.
// Of what comes then it is known which parts begin up to another tick.
void naive_requests_make(
    const naive_history *history, int64_t hi, int64_t known, bool is_last, naive_result *out);

// naive_requests_touched returns the last request for which a thread worked at a tick, or the
// first.
int naive_requests_touched(
    const naive_result *result, uint64_t thread, int64_t ticks, bool is_last);

// naive_requests_ticks counts the ticks at which a thread worked for a request, or none did and a
// task of it waited.
int64_t naive_requests_ticks(const naive_request *request, bool is_busy);
