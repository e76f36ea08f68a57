// SPDX-License-Identifier: Apache-2.0
// flame_formats: a flame graph as JSON, as a web page of its own and as text.
//
// JSON has columns, with an item for each node, depth first.
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
// The page is this JSON and a script that draws it (flame_page.html). Nothing is fetched when it is
// opened.
//
// Most tools that draw flame graphs read the text: a line for each stack trace, with its own
// amount, in the order of the flame graph.
//
//   java.lang.Thread.run;shop.Checkout.pay;shop.Inventory.reserve;[lock] 70
//
// Amounts that were cut are missing there. Characters that would end a frame or a line are _, and
// what counts at the root has no frame.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_flame.c

#ifndef LP_QUERY_FLAME_FORMATS_H
#define LP_QUERY_FLAME_FORMATS_H

#include "common/base/lp_buf.h"
#include "query/graph/flame.h"

#include <jansson.h>

// query_flame_json returns the object, which the caller owns; NULL where memory ran out.
json_t *query_flame_json(const query_flame *flame, const query_profile *profile,
    const query_outcome *outcome, bool has_base);

// query_flame_html_write appends the page. graph is what query_flame_json returned, to which a
// member "title" is added. Where memory runs out, out fails.
void query_flame_html_write(json_t *graph, const char *title, lp_buf *out);

// query_flame_collapsed_write appends the text, and returns whether it is whole: it has up to
// QUERY_PROFILE_BYTES_MAX and a line. Where memory runs out, out fails.
bool query_flame_collapsed_write(
    const query_flame *flame, const query_profile *profile, lp_buf *out);

#endif // LP_QUERY_FLAME_FORMATS_H
