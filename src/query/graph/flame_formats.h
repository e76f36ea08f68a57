// SPDX-License-Identifier: Apache-2.0
// flame_formats: a flame graph as JSON, as a web page and as text.
//
// JSON has columns with an item for each node, depth first.
//
//   {"of": "time", "unit": "ns", "requests": 212, "total": 90, "per_request": 0,
//    "of_kind": {"l": 70, "-": 20}, "names": ["all", "shop.Inventory.reserve", "[lock]", ..],
//    "kinds": "..l", "level": [0, 1, 2, ..], "name": [0, 1, 2, ..], "value": [90, 70, 70, ..],
//    "self": [0, 0, 70, ..], "cut": {"nodes": 0, "value": 0}, "is_truncated": false}
//
// Level 0 is the root. name indexes names; kinds has a letter for each name: l(ock) p(ark) w(ait)
// s(leep) i(o) v (pinned) g(c) j (safepoint) d (class_loading) m (compilation) o(ther) c(pu)
// a(lloc) q(ueued) e(lsewhere) - (not accounted), and . for a frame of a stack trace, whose own
// amount is that of samples. of_kind sums the amounts by letter. cut describes the nodes beyond
// max_nodes; the values of the nodes above include them.
//
// With a base, base_requests, base_total, base_value, base_self and cut.base_value are the base's
// numbers.
//
// The page is this JSON and a script that draws it (flame_page.html). It loads nothing.
//
// The text is the collapsed format that most tools read: a line for each stack trace with its own
// amount.
//
//   java.lang.Thread.run;shop.Checkout.pay;shop.Inventory.reserve;[lock] 70
//
// Amounts that were cut are missing. Characters that would end a frame or a line become _. The line
// of the root has no frame.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c

#pragma once

#include "common/base/lp_buf.h"
#include "query/graph/flame.h"

#include <jansson.h>

// query_flame_json returns the object; NULL if out of memory. The caller owns it.
json_t *query_flame_json(const query_flame *flame, const query_profile *profile,
    const query_outcome *outcome, bool has_base);

// query_flame_html_write appends the page of a graph, which query_flame_json returned; it adds the
// member "title" to the graph. If memory runs out, out fails.
void query_flame_html_write(json_t *graph, const char *title, lp_buf *out);

// query_flame_collapsed_write appends the text, and returns whether it is whole: a text is cut
// after QUERY_PROFILE_BYTES_MAX. If memory runs out, out fails.
bool query_flame_collapsed_write(
    const query_flame *flame, const query_profile *profile, lp_buf *out);
