// SPDX-License-Identifier: Apache-2.0
// rollup_json: the numbers of a rollup as JSON.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_service_list.c, test_context_types.c, test_value_series.c

#pragma once

#include "common/rollup/rollup.h"

#include <jansson.h>

// The functions that return JSON return NULL if memory ran out.

// rollup_json_quantile returns a quantile in ns; JSON null if there are no durations.
json_t *rollup_json_quantile(const histogram *lengths, double share);

// rollup_json_spark returns an array with the 99th percentile of each column; null for a column
// without durations.
json_t *rollup_json_spark(const histogram *columns, size_t count);

// rollup_json_add_counts adds to an object "contexts_in" and "contexts_out" (for requests
// "requests_in" and "requests_out"), "p50_ns" and "p99_ns", and returns it. The object may be NULL;
// it is freed if memory runs out.
json_t *rollup_json_add_counts(json_t *object, rollup_unit unit, const rollup_numbers *numbers);

// rollup_json_top returns the category with the largest share of the time of kept contexts or
// requests: {"category": "lock", "share": 0.6101}; JSON null if unknown.
json_t *rollup_json_top(const rollup_numbers *numbers);

// rollup_json_total_ns returns the time of kept contexts or requests that was divided into
// categories.
uint64_t rollup_json_total_ns(const rollup_numbers *numbers);
