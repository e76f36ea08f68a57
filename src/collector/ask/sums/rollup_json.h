// SPDX-License-Identifier: Apache-2.0
// rollup_json: what answers say of the numbers of a rollup.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_service_list.c,
//          tests/unit/collector/ask/test_context_types.c,
//          tests/unit/collector/ask/test_value_series.c

#ifndef LP_COLLECTOR_ASK_ROLLUP_JSON_H
#define LP_COLLECTOR_ASK_ROLLUP_JSON_H

#include "common/rollup/rollup.h"

#include <jansson.h>

// rollup_json_quantile returns a quantile in ns, null where there are no durations; NULL: memory
// ran out.
json_t *rollup_json_quantile(const histogram *lengths, double share);

// rollup_json_spark returns an array with the 99th percentile of each column, null where it has no
// durations; NULL: memory ran out.
json_t *rollup_json_spark(const histogram *columns, size_t count);

// rollup_json_add_counts adds "contexts_in" and "contexts_out", or "requests_in" and
// "requests_out", and "p50_ns" and "p99_ns" to an object, and returns it. NULL, which it may also
// get: memory ran out, and the object is freed.
json_t *rollup_json_add_counts(json_t *object, rollup_unit unit, const rollup_numbers *numbers);

// rollup_json_top returns the category in which most of the time of kept ones is known to have
// been, and its share of their time: {"category": "lock", "share": 0.6101}. null where nothing is
// known; NULL: memory ran out.
json_t *rollup_json_top(const rollup_numbers *numbers);

// rollup_json_total_ns returns how much time of kept ones was divided.
uint64_t rollup_json_total_ns(const rollup_numbers *numbers);

#endif // LP_COLLECTOR_ASK_ROLLUP_JSON_H
