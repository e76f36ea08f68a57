// SPDX-License-Identifier: Apache-2.0

// lp_time_scale: end-to-end tests divide by one number how long the collector waits until it takes
// a JVM for gone, tries or looks again, and gives up slow connections of HTTP and of object stores.
// Times of recordings, leases, and limits of loops for PostgreSQL and Kafka are not divided.
//
// Threads: lp_time_scale_set before there are others; lp_time_scale_ms any thread.
// Tests:   tests/e2e/search.py, tests/e2e/http_attacks.py

#ifndef LP_COMMON_BASE_LP_TIME_SCALE_H
#define LP_COMMON_BASE_LP_TIME_SCALE_H

#include <stdint.h>

enum { LP_TIME_SCALE_DIVISOR_MAX = 100 };

// The divisor is 1 until lp_time_scale_set is called, with one from 1 to LP_TIME_SCALE_DIVISOR_MAX.
void lp_time_scale_set(unsigned divisor);

// lp_time_scale_ms returns the time divided by the divisor.
uint64_t lp_time_scale_ms(uint64_t ms);

#endif // LP_COMMON_BASE_LP_TIME_SCALE_H
