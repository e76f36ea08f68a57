// SPDX-License-Identifier: Apache-2.0

// lp_time_scale: a divisor by which end-to-end tests shorten waiting times of the collector. It
// applies to the time after which a JVM counts as gone, to retries and periodic checks, to the
// minutes of rules of latency, and to timeouts of slow HTTP and object store connections. It does
// not apply to times of recordings, to leases, or to timeouts of the loops for PostgreSQL and
// Kafka.
//
// Threads: call lp_time_scale_set before there are other threads, and lp_time_scale_ms on any.
// Tests:   tests/e2e/search.py, tests/e2e/http_attacks.py

#pragma once

#include <stdint.h>

enum { LP_TIME_SCALE_DIVISOR_MAX = 150 };

// Sets the divisor, from 1 (the default) to LP_TIME_SCALE_DIVISOR_MAX.
void lp_time_scale_set(unsigned divisor);

uint64_t lp_time_scale_ms(uint64_t ms);
