// SPDX-License-Identifier: Apache-2.0
// leaves: the frames below stack traces that name what happened: [lock], [other: shop.Query].
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_profile.c
// Memory:  some 48 bytes for each unknown event type.

#pragma once

#include "common/base/lp_map.h"
#include "common/rollup/time_category.h"
#include "query/frames/stacks.h"

// The kind of a node: a time_category or one of these leaves, or a frame of a stack trace.
enum {
    QUERY_KIND_ALLOC = TIME_CATEGORY_COUNT,
    QUERY_KIND_UNACCOUNTED,
    QUERY_LEAVES,
    QUERY_KIND_FRAME = QUERY_LEAVES,
    QUERY_KINDS,
};

typedef struct query_leaves {
    uint32_t of[QUERY_LEAVES]; // the numbers of their names

    // Private:
    query_names *names;
    lp_map other_of; // the name of the leaf of an unknown type, by type
    lp_map is_other; // a set: the names in other_of
} query_leaves;

// query_leaves_begin adds the names of all leaves but those of unknown types. Call it while names
// has room. Borrows names until query_leaves_fini.
query_leaves query_leaves_begin(query_names *names);
void query_leaves_fini(query_leaves *leaves);

// query_leaves_kind returns the kind of the nodes with a name.
unsigned query_leaves_kind(const query_leaves *leaves, uint32_t name);

// query_leaves_add_below finds or adds the leaf of an event below its stack trace; without room for
// it, the leaf of the category below the root. type is the number of its event type. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err query_leaves_add_below(query_leaves *leaves, query_stacks *stacks,
    uint32_t stack, time_category category, uint32_t type, uint32_t *out_node);
