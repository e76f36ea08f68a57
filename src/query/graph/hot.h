// SPDX-License-Identifier: Apache-2.0
// hot: the frames of a profile with their amounts, from all callers together.
//
//   own     of stack traces with the frame on top
//   total   of stack traces with the frame anywhere; each stack trace counts once
//
// A leaf such as [lock] has no row: its amount is part of the own amount of the frame that waited.
// A leaf without a stack trace ([gc], [not accounted]) has a row.
//
//   {"of": "cpu", "unit": "ns", "requests": 212, "total": 90, "frames": [{"frame":
//    "shop.Inventory.reserve", "own": 20, "events": 2, "total": 70}, ..], "frame_count": 31,
//    "is_truncated": false}
//
// frame_count counts all frames, listed or not.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c, tests/e2e/flamegraph.py
// Memory:  32 bytes for each frame, and 12 for each name of the query while it is made

#pragma once

#include "query/graph/profile.h"

#include <jansson.h>

typedef enum query_hot_order {
    QUERY_HOT_BY_OWN,
    QUERY_HOT_BY_TOTAL,
} query_hot_order;

typedef struct query_hot_frame {
    uint32_t name; // the number of its name
    query_amount own;
    int64_t total_value; // in the unit of the profile's measure
} query_hot_frame;

// {0} is empty. The largest frame comes first; equal ones are ordered by the other amount, then by
// name.
typedef struct query_hot {
    LP_VEC(query_hot_frame) frames;
} query_hot;

void query_hot_fini(query_hot *hot);

// query_hot_make finds the frames of a finished profile, on the side of the selection.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_hot_make(
    query_hot *hot, const query_profile *profile, query_hot_order order);

// query_hot_json returns the object with the first limit frames; NULL if out of memory. The caller
// owns it.
json_t *query_hot_json(
    const query_hot *hot, const query_profile *profile, size_t limit, const query_outcome *outcome);
