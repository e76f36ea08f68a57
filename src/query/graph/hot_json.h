// SPDX-License-Identifier: Apache-2.0
// hot_json: the frames of a profile as JSON:
//
//   {"of": "cpu", "unit": "ns", "requests": 212, "total": 90, "frames": [{"frame":
//    "shop.Inventory.reserve", "own": 20, "events": 2, "total": 70}, ..], "frame_count": 31,
//    "is_truncated": false}
//
// `frames` has the first frames. frame_count is the number of all frames.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c, tests/e2e/flamegraph.py

#ifndef LP_QUERY_HOT_JSON_H
#define LP_QUERY_HOT_JSON_H

#include "query/graph/hot.h"

#include <jansson.h>

// query_hot_json returns the object with the first frames, limit of them at most, which the caller
// owns; NULL where memory ran out.
json_t *query_hot_json(
    const query_hot *hot, const query_profile *profile, size_t limit, const query_outcome *outcome);

#endif // LP_QUERY_HOT_JSON_H
