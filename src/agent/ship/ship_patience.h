// SPDX-License-Identifier: Apache-2.0
// ship_patience: how long the end of a JVM waits for the collector. It has no clock: the owner
// passes the begin of the wait, and the times at which the collector accepted a request.
//
// The wait lasts wait_ms. Each time that the collector accepts a request, the wait is extended to
// wait_ms from then, but to at most SHIP_PATIENCE_WAITS_MAX times wait_ms in all. So if the
// collector is killed twice, nothing is lost, and a slow collector cannot block a JVM.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_patience.c

#pragma once

#include <stdint.h>

enum { SHIP_PATIENCE_WAITS_MAX = 2 };

typedef struct ship_patience {
    int64_t by_ms;     // end of the wait
    int64_t latest_ms; // limit of by_ms
    int64_t wait_ms;
} ship_patience;

// Begins a wait at now_ms (monotonic).
ship_patience ship_patience_begin(int64_t wait_ms, int64_t now_ms);

// Notes that the collector accepted a request at taken_ms, which may be before the wait began.
void ship_patience_note_taken(ship_patience *patience, int64_t taken_ms);
