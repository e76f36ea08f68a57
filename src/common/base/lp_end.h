// SPDX-License-Identifier: Apache-2.0
// lp_end: the time at which all waits of an ending process end. While a process ends, several of
// its waits for other programs (PostgreSQL, the object store, Kafka) may follow each other. They
// share one deadline, so that together they do not take longer than one.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_end.c

#pragma once

#include <stdint.h>

// LP_END_NEVER is the deadline of a process that does not end.
#define LP_END_NEVER INT64_MAX

// lp_end_set sets the deadline, a time of lp_time_mono_ms. Tests pass LP_END_NEVER afterwards.
void lp_end_set(int64_t end_mono_ms);

// lp_end_get returns the deadline.
int64_t lp_end_get(void);

// lp_end_limit returns ms, or the time until the deadline if that is shorter; 0 after the deadline.
// A wait that began before the process was told to end has to ask again from time to time.
int64_t lp_end_limit(int64_t ms);
