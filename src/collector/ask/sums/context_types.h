// SPDX-License-Identifier: Apache-2.0
// context_types: from rollups, the types of contexts and of requests, their attributes, and the
// values of attributes that have few values, each with its numbers.
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
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_context_types.c
// Memory:  that of a rollup (rollup.h)

#pragma once

#include "common/rollup/rollup.h"
#include "query/select/selection.h"

#include <jansson.h>

// context_types_json returns the JSON object for the types of the selection, which the caller owns;
// NULL if memory ran out. is_truncated: some rollups could not be read.
json_t *context_types_json(
    const rollup *total, const query_selection *selection, bool is_truncated);
