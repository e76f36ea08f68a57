// SPDX-License-Identifier: Apache-2.0
// flame: a profile for people: as a flame graph and as a list of its frames.
//
// A flame graph is a tree in which the amount of a frame includes all stack traces that have the
// frame at that place.
//
// Nodes are in depth-first order, from the root on. Children are sorted by amount, the largest
// first, then by amount in the base, then by name. Nodes without an amount are left out. A node's
// share is the larger of its shares of the selection and of the base. If there are more nodes than
// the caller wants, those with the smallest shares are cut; a parent is never cut before its
// children.
//
// Its forms are JSON, a web page and text (flame_formats.c). JSON has columns with an item for each
// node, depth first.
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
// The list (hot.c) has the frames of a profile with their amounts, from all callers together.
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
// Memory:  64 bytes for each node of stacks.h while it is made; then 48 for each node that is left.
//          The list: 32 bytes for each frame, and 12 for each name of the query while it is made.

#pragma once

#include "common/base/lp_buf.h"
#include "query/graph/profile.h"

#include <jansson.h>

enum { QUERY_FLAME_NODES = 16384 }; // the default maximum

typedef struct query_flame_node {
    uint32_t level;             // 0: the root
    uint32_t stack;             // its node in stacks.h
    int64_t value[QUERY_SIDES]; // including all nodes below it, cut or not
    int64_t self[QUERY_SIDES];
} query_flame_node;

// {0} is empty.
typedef struct query_flame {
    LP_VEC(query_flame_node) nodes;
    uint64_t cut_count;             // nodes that were cut
    int64_t cut_value[QUERY_SIDES]; // their own amounts
    int64_t of_kind[QUERY_KINDS];   // own amounts of the selection by kind of node, cut or not
} query_flame;

void query_flame_fini(query_flame *flame);

// query_flame_make makes the tree of a finished profile, with at most max nodes, at least 1.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_flame_make(query_flame *flame, const query_profile *profile, size_t max);

// --- Forms of a flame graph

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

// --- The list of frames

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
