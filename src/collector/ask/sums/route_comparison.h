// SPDX-License-Identifier: Apache-2.0
// route_comparison: compares a selection (here) with its base, from rollups: the types of requests
// or contexts, and the values of their attributes.
//
//   {"unit": "requests", "here": {"from_ns": "1767..", "to_ns": "1767..", "seconds": 3600},
//    "base": {..},
//    "types": [{"type": "shop.Request",
//      "here": {"count": 20038, "kept": 1002, "per_s": 5.566, "mean_ns": 9300000,
//        "p50_ns": 8400000, "p99_ns": 623000000,
//        "parts": [{"category": "lock", "share": 0.6101}, ..]},
//      "base": {..}, "verdicts": {"mean": null, "p50": null, "p99": "slower"},
//      "attributes": [{"key": "endpoint", "has_too_many": false,
//        "values": [{"value": "/orders", "here": {..}, "base": null, "verdicts": {..}}, ..]}, ..]},
//      ..], "is_truncated": false}
//
// count, mean_ns, p50_ns and p99_ns are of all requests. parts are the largest shares of the kept
// requests' time; one may be "unaccounted". A side without requests is null. seconds is the time
// from the begin of the first rollup with requests to the end of the last one, within the time
// range. verdict.h describes the verdicts.
//
// Types and keys are sorted by name, values by their bytes. If an attribute has too many values
// (rollup.h) on one side, it lists no values.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_route_comparison.c
// Memory:  that of two rollups (rollup.h)

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "common/rollup/rollup.h"

#include <jansson.h>

enum { ROUTE_COMPARISON_PARTS = 5 }; // of a side

typedef struct route_side {
    const query_selection *selection;
    time_columns columns;
    rollup total;
    int64_t begin_wall_ns; // of the first rollup with requests; above the end if there is none
    int64_t end_wall_ns;   // end of the last rollup with requests
} route_side;

// route_side_init makes *side empty. It borrows selection until route_side_fini.
void route_side_init(
    route_side *side, const query_selection *selection, const time_columns *columns);
void route_side_fini(route_side *side);

// route_side_add adds the rollup of length_ns from begin_wall_ns on. Errors: LP_ENOMEM
LP_MUST_USE lp_err route_side_add(route_side *side, rollup_unit unit, int64_t begin_wall_ns,
    int64_t length_ns, const rollup *found);

// route_comparison_json returns the JSON object, which the caller owns; NULL if memory ran out.
// is_truncated: some rollups could not be read.
json_t *route_comparison_json(
    const route_side *here, const route_side *base, rollup_unit unit, bool is_truncated);
