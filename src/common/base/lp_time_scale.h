// SPDX-License-Identifier: Apache-2.0

// lp_time_scale: one divisor by which end-to-end tests shorten the collector's times: when it
// considers a JVM gone, its retries and periodic checks, and its timeouts for slow HTTP and object
// store connections. Times of recordings, leases, and timeouts of loops for PostgreSQL and Kafka
// are not scaled.
//
// Threads: lp_time_scale_set before there are others; lp_time_scale_ms any thread.
// Tests:   tests/e2e/search.py, tests/e2e/http_attacks.py

#pragma once

#include <stdint.h>

enum { LP_TIME_SCALE_DIVISOR_MAX = 100 };

// Sets the divisor, from 1 (the default) to LP_TIME_SCALE_DIVISOR_MAX.
void lp_time_scale_set(unsigned divisor);

uint64_t lp_time_scale_ms(uint64_t ms);
