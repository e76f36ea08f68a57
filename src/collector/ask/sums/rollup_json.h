// SPDX-License-Identifier: Apache-2.0
// rollup_json: the numbers of a rollup as JSON.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_service_list.c,
//          tests/unit/collector/ask/test_context_types.c,
//          tests/unit/collector/ask/test_value_series.c

#pragma once

#include "common/rollup/rollup.h"

#include <jansson.h>

// These return NULL if out of memory.

// rollup_json_quantile returns a quantile in ns; null without durations.
json_t *rollup_json_quantile(const histogram *lengths, double share);

// rollup_json_spark returns an array with the 99th percentile of each column; null without
// durations.
json_t *rollup_json_spark(const histogram *columns, size_t count);

// rollup_json_add_counts adds "contexts_in" and "contexts_out", or "requests_in" and
// "requests_out", and "p50_ns" and "p99_ns" to an object, and returns it. The object may be NULL,
// and is freed if memory runs out.
json_t *rollup_json_add_counts(json_t *object, rollup_unit unit, const rollup_numbers *numbers);

// rollup_json_top returns the category that took most of the time of kept ones, and its share:
// {"category": "lock", "share": 0.6101}; null if unknown.
json_t *rollup_json_top(const rollup_numbers *numbers);

// rollup_json_total_ns returns the time of kept ones that was divided into categories.
uint64_t rollup_json_total_ns(const rollup_numbers *numbers);
