// SPDX-License-Identifier: Apache-2.0
// flame: a profile as a tree, in which the amount of a frame is that of all stack traces that have
// it there: a flame graph.
//
// Nodes are depth first, the root before all. The order of the children of a node is total: those
// with the larger amount come first, then those with the larger amount in the base, then by name.
// Stack traces without an amount are left out. Where there are more than so many nodes, those with
// the smallest share are cut, of the selection or of the base, whichever is larger; a node is never
// cut before those below it.
//
// Threads: one thread at a time.
// Memory:  64 bytes for each node of stacks.h while it is made; then 48 for each that is left.

#ifndef LP_QUERY_FLAME_H
#define LP_QUERY_FLAME_H

#include "query/graph/profile.h"

enum { QUERY_FLAME_NODES = 16384 }; // that a flame graph has if nobody says otherwise

typedef struct query_flame_node {
    uint32_t level;             // 0: the root
    uint32_t stack;             // its node in stacks.h
    int64_t value[QUERY_SIDES]; // with that of all below, those that were cut included
    int64_t self[QUERY_SIDES];  // its own
} query_flame_node;

// {0} has none.
typedef struct query_flame {
    LP_VEC(query_flame_node) nodes;
    uint64_t cut_count;             // nodes that were cut
    int64_t cut_value[QUERY_SIDES]; // their amounts
    int64_t
        of_kind[QUERY_KINDS]; // of the selection: the amounts of the nodes of a kind, cut or not
} query_flame;

void query_flame_fini(query_flame *flame);

// query_flame_make makes the tree of a profile that is finished, of at most max nodes, which is not
// 0.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_flame_make(query_flame *flame, const query_profile *profile, size_t max);

#endif // LP_QUERY_FLAME_H
