// SPDX-License-Identifier: Apache-2.0
// flame_json: a flame graph as JSON: columns, with an item for each node, depth first.
//
//   {"of": "time", "unit": "ns", "requests": 212, "total": 90, "per_request": 0,
//    "of_kind": {"l": 70, "-": 20}, "names": ["all", "shop.Inventory.reserve", "[lock]", ..],
//    "kinds": "..l", "level": [0, 1, 2, ..], "name": [0, 1, 2, ..], "value": [90, 70, 70, ..],
//    "self": [0, 0, 70, ..], "cut": {"nodes": 0, "value": 0}, "is_truncated": false}
//
// level 0 is the root. name indexes names; kinds has a letter for each of these: l(ock) p(ark)
// w(ait) s(leep) i(o) v (pinned) g(c) j (safepoint) d (class_loading) m (compilation) o(ther)
// c(pu) a(lloc) - (not accounted), and . for a frame of a stack trace, whose own amount is that of
// samples. of_kind has the sums of these. cut is what max_nodes left out: the amounts are in the
// values of the nodes above.
//
// Where there is a base, "base_requests", "base_total", "base_value", "base_self" and
// "cut": {.., "base_value"} are the same of it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c

#ifndef LP_QUERY_FLAME_JSON_H
#define LP_QUERY_FLAME_JSON_H

#include "query/graph/flame.h"

#include <jansson.h>

// query_flame_json returns the object, which the caller owns; NULL where memory ran out.
json_t *query_flame_json(const query_flame *flame, const query_profile *profile,
    const query_outcome *outcome, bool has_base);

#endif // LP_QUERY_FLAME_JSON_H
