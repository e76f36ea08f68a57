// SPDX-License-Identifier: Apache-2.0

// time_scale: tests divide by one number how long the collector waits until it takes a JVM for
// gone, tries or looks again, and closes slow connections of HTTP. Times of recordings, leases, and
// the patience with PostgreSQL, Kafka and object stores stay as they are.
//
// Threads: time_scale_set before there are others; time_scale_ms any thread.
// Tests:   tests/e2e/search.py, tests/e2e/http_attacks.py,
//          tests/unit/collector/server/test_sync_rounds.c

#ifndef LP_COLLECTOR_BASE_TIME_SCALE_H
#define LP_COLLECTOR_BASE_TIME_SCALE_H

#include <stdint.h>

enum { TIME_SCALE_DIVISOR_MAX = 100 };

// The divisor is 1 until time_scale_set is called, with one from 1 to TIME_SCALE_DIVISOR_MAX.
void time_scale_set(unsigned divisor);

// time_scale_ms returns the time divided by the divisor.
uint64_t time_scale_ms(uint64_t ms);

#endif // LP_COLLECTOR_BASE_TIME_SCALE_H
