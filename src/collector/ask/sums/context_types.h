// SPDX-License-Identifier: Apache-2.0
// context_types: the types of contexts and of requests, their attributes, and the values of those
// that have few, with the numbers of all of them, out of rollups.
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
// top is where most of the time of the kept requests went; null where nothing is known of it.
//
// Types and keys are in the order of their names, values in that of their bytes. What rollups leave
// out (rollup.h) is not there: an attribute with too many values has none, has_more_attributes says
// that some are missing, is_truncated that types are.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_context_types.c
// Memory:  that of a rollup (rollup.h)

#ifndef LP_COLLECTOR_ASK_CONTEXT_TYPES_H
#define LP_COLLECTOR_ASK_CONTEXT_TYPES_H

#include "common/rollup/rollup.h"
#include "query/select/selection.h"

#include <jansson.h>

// context_types_json returns the object of those types that the selection has, which the caller
// owns; NULL where memory ran out. is_truncated: something could not be read.
json_t *context_types_json(
    const rollup *total, const query_selection *selection, bool is_truncated);

#endif // LP_COLLECTOR_ASK_CONTEXT_TYPES_H
