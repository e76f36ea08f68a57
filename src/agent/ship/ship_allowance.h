// SPDX-License-Identifier: Apache-2.0
// ship_allowance: limits how much work a collector may cause. The amount at_once may be taken
// without a wait; per_minute of it is restored each minute. Work over the limit waits; none is
// dropped.
//
// The collector may be hostile: see docs/secure/security.md.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_allowance.c, tests/e2e/malicious.py

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct ship_allowance_limit {
    const char *what;   // the limit, as text for the log
    int64_t at_once;    // in the caller's unit; at most 1 << 40
    int64_t per_minute; // in the same unit; at least 1
} ship_allowance_limit;

// Zeroed: nothing was taken.
typedef struct ship_allowance {
    int64_t taken;          // and not restored, in 60,000ths of the unit
    int64_t at_ms;          // time of taken
    int64_t log_ms;         // earliest time of the next log line
    uint64_t reached_count; // times that the limit was reached
    bool is_reached;
} ship_allowance;

// Returns whether something may be taken at now_ms (monotonic). This is so while less than at_once
// is taken, so one item of any size is allowed. Counts how often the limit is reached, and logs it
// at most once a minute.
bool ship_allowance_is_open(
    ship_allowance *allowance, const ship_allowance_limit *limit, int64_t now_ms);

// Notes that amount was taken.
void ship_allowance_take(
    ship_allowance *allowance, const ship_allowance_limit *limit, int64_t amount, int64_t now_ms);

// Returns the time from which something may be taken.
int64_t ship_allowance_get_open_ms(
    const ship_allowance *allowance, const ship_allowance_limit *limit);
