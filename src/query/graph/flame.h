// SPDX-License-Identifier: Apache-2.0
// flame: a profile as a flame graph: a tree in which the amount of a frame includes all stack
// traces that have the frame at that place.
//
// Nodes are in depth-first order, from the root on. Children are sorted by amount, the largest
// first, then by amount in the base, then by name. Nodes without an amount are left out. A node's
// share is the larger of its shares of the selection and of the base. If there are more nodes than
// the caller wants, those with the smallest shares are cut; a parent is never cut before its
// children.
//
// Threads: one thread at a time.
// Memory:  64 bytes for each node of stacks.h while it is made; then 48 for each node that is left.

#pragma once

#include "query/graph/profile.h"

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
