// SPDX-License-Identifier: Apache-2.0
// context_types: the types of contexts and of requests, their attributes, and the values of
// attributes with few values, with their numbers, from rollups.
//
//   {"types": [{"type": "shop.Request", "contexts_in": 60114, "contexts_out": 3021, "p50_ns":
//    1800000, "p99_ns": 639000000, "total_ns": 39400000000, "attributes": [
//      {"key": "endpoint", "has_too_many": false, "values": [
//        {"value": "/orders", "contexts_in": .., .., "total_ns": ..}, ..]}, ..],
//      "has_more_attributes": false}, ..],
//    "requests": [{"type": "shop.Request", "requests_in": 20038, "requests_out": 1002, "p50_ns":
//    ..,
//     "p99_ns": .., "total_ns": .., "top": {"category": "lock", "share": 0.6101}, "attributes": [
//      {.., "values": [{"value": "/orders", "requests_in": .., .., "top": {..}}, ..]}, ..],
//      "has_more_attributes": false}, ..], "is_truncated": false}
//
// top is the category that took most of the time of the kept requests; null if unknown. Types and
// keys are in the order of their names, values in that of their bytes. A rollup leaves things out
// (rollup.h): has_too_many attributes list no values, has_more_attributes says that attributes are
// missing, is_truncated that types are.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_context_types.c
// Memory:  that of a rollup (rollup.h)

#pragma once

#include "common/rollup/rollup.h"
#include "query/select/selection.h"

#include <jansson.h>

// context_types_json returns the object of the selection's types; NULL if out of memory. The caller
// owns it. is_truncated: something could not be read.
json_t *context_types_json(
    const rollup *total, const query_selection *selection, bool is_truncated);
