// SPDX-License-Identifier: Apache-2.0
// policy_value: values of settings as JFR writes them. Each function returns false, and writes
// nothing, if the text is not valid.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/policy/test_policy.c

#pragma once

#include "policy/policy_types.h"

// The valid values, as text for users.
#define POLICY_VALUE_BOOLS     "true or false"
#define POLICY_VALUE_TIMESPANS "a timespan such as 20 ms"
#define POLICY_VALUE_THROTTLES "off or a rate such as 100/s"
#define POLICY_VALUE_TIMES                                                                         \
    "a time such as 2026-01-31T14:03:00Z, nanoseconds since 1970, or a timespan back from now "    \
    "such as 10m"

bool policy_value_bool(const char *text, bool *out_value);

// policy_value_timespan reads "20 ms", with or without blanks; "infinity" is INT64_MAX.
bool policy_value_timespan(const char *text, int64_t *out_ns);

// policy_value_time reads a point in time of a query: as lp_time_parse, or a timespan such as 10m
// before now_wall_ns.
bool policy_value_time(const char *text, int64_t now_wall_ns, int64_t *out_wall_ns);

// policy_value_throttle reads "off" or "100/s", with or without blanks around the /.
bool policy_value_throttle(const char *text, policy_throttle *out_throttle);

// policy_value_bytes reads "off" or bytes in a time, "100M/d": whole numbers with K, M, G or T for
// powers of 1,024, with or without blanks around the /.
bool policy_value_bytes(const char *text, policy_throttle *out_bytes);
