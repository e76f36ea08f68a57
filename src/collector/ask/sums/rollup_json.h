// SPDX-License-Identifier: Apache-2.0
// rollup_json: the numbers of a rollup, and its types, as JSON.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_rollup_json.c, test_service_list.c,
//          test_value_series.c

#pragma once

#include "common/rollup/rollup.h"
#include "query/select/selection.h"

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

// rollup_json_types returns the types of contexts and of requests in the selection, their
// attributes, and the values of attributes that have few values, each with its numbers. The caller
// owns the object. is_truncated: some rollups could not be read.
//
//   {"types": [{"type": "shop.Request", "contexts_in": 60114, "contexts_out": 3021,
//      "p50_ns": 1800000, "p99_ns": 639000000, "total_ns": 39400000000, "attributes": [
//      {"key": "endpoint", "has_too_many": false, "values": [
//        {"value": "/orders", "contexts_in": .., .., "total_ns": ..}, ..]}, ..],
//      "has_more_attributes": false}, ..],
//    "requests": [{"type": "shop.Request", "requests_in": 20038, "requests_out": 1002,
//      "p50_ns": .., "p99_ns": .., "total_ns": .., "top": {"category": "lock", "share": 0.6101},
//      "attributes": [
//      {.., "values": [{"value": "/orders", "requests_in": .., .., "top": {..}}, ..]}, ..],
//      "has_more_attributes": false}, ..], "is_truncated": false}
//
// top is the category with the largest share of the kept requests' time; null if unknown. Types and
// keys are sorted by name, values by their bytes. Rollups are limited (rollup.h). If has_too_many,
// an attribute lists no values; has_more_attributes says that attributes are missing, is_truncated
// that types are missing.
json_t *rollup_json_types(const rollup *total, const query_selection *selection, bool is_truncated);
