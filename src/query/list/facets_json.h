// SPDX-License-Identifier: Apache-2.0
// facets_json: the values of attributes, as JSON.
//
//   {"contexts": 212, "base_contexts": 20811, "keys": [{"key": "path", "label": "", "distinct": 9,
//    "search_only": false, "values": [{"value": "/orders", "count": 200, "base_count": 10,
//    "total_ns": 90, "p99_ns": 7, "lift": 1963.3, "histogram": [[11, 150], [12, 50]]}],
//    "other": {"count": 12, "base_count": ..}}], "is_truncated": false}
//
// The pairs of a histogram are a bucket of histogram.h (-1: zero) and its count. Keys are in the
// order of their names. What is not known is null: the p99 and the histogram where there was no
// room for all durations, the lift where the base has none, and where there is no base base_count
// as well, and `distinct` of a key that is search_only. So is `other` where there is nothing else.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_facets.c

#ifndef LP_QUERY_FACETS_JSON_H
#define LP_QUERY_FACETS_JSON_H

#include "query/list/facets.h"

#include <jansson.h>

// query_facets_json returns the object, which the caller owns; NULL where memory ran out. limit: of
// the values of a key.
json_t *query_facets_json(
    query_facets *facets, size_t limit, bool has_base, const query_outcome *outcome);

#endif // LP_QUERY_FACETS_JSON_H
