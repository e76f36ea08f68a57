// SPDX-License-Identifier: Apache-2.0
// ship_allowance: how much of something a collector may have the agent do. So much may be taken at
// once, and what was taken comes back minute by minute. What is over it waits; nothing is left out.
//
// The collector may be anybody's, and the JVM is somebody's: see docs/secure/security.md.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_allowance.c, tests/e2e/malicious.py

#ifndef LP_AGENT_SHIP_SHIP_ALLOWANCE_H
#define LP_AGENT_SHIP_SHIP_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ship_allowance_limit {
    const char *what;   // is limited, for the log
    int64_t at_once;    // in a unit of its own, at most 1 << 40; so with the next
    int64_t per_minute; // at least 1
} ship_allowance_limit;

// Zeroed, nothing was taken.
typedef struct ship_allowance {
    int64_t taken;          // and has not come back, in 60,000ths of the unit
    int64_t at_ms;          // as of then
    int64_t log_ms;         // no line before that
    uint64_t reached_count; // how often the limit was reached
    bool is_reached;
} ship_allowance;

// ship_allowance_is_open returns whether something may be taken at now_ms (monotonic). One thing
// may, whatever its size, as long as less than at_once is taken. When the limit is reached, that is
// counted, and logged once a minute.
bool ship_allowance_is_open(
    ship_allowance *allowance, const ship_allowance_limit *limit, int64_t now_ms);

// ship_allowance_take notes that amount was taken.
void ship_allowance_take(
    ship_allowance *allowance, const ship_allowance_limit *limit, int64_t amount, int64_t now_ms);

// ship_allowance_get_open_ms returns since when or from when on something may be taken.
int64_t ship_allowance_get_open_ms(
    const ship_allowance *allowance, const ship_allowance_limit *limit);

#endif // LP_AGENT_SHIP_SHIP_ALLOWANCE_H
