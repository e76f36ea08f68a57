// SPDX-License-Identifier: Apache-2.0
// route_comparison: the types of requests, or of contexts, and the values of their attributes, in a
// selection (here) and in its base, from rollups.
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
// count and the times are of all requests; parts are the largest shares of the time of the kept
// ones, "unaccounted" among them. A side without any is null. seconds is the time from the first
// rollup that has some to the end of the last one, within the time range. verdicts: verdict.h.
//
// Types and keys are in the order of their names, values in that of their bytes. If an attribute
// has too many values (rollup.h) on one side, it lists none of either.
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
    int64_t begin_wall_ns; // of the first rollup that has some; above the end if none has
    int64_t end_wall_ns;   // of the last one
} route_side;

// route_side_init makes an empty side. Borrows selection until route_side_fini.
void route_side_init(
    route_side *side, const query_selection *selection, const time_columns *columns);
void route_side_fini(route_side *side);

// route_side_add adds a rollup of a time. Errors: LP_ENOMEM
LP_MUST_USE lp_err route_side_add(route_side *side, rollup_unit unit, int64_t begin_wall_ns,
    int64_t length_ns, const rollup *found);

// route_comparison_json returns the object; NULL if out of memory. The caller owns it.
// is_truncated: something could not be read.
json_t *route_comparison_json(
    const route_side *here, const route_side *base, rollup_unit unit, bool is_truncated);
