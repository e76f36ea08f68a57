// SPDX-License-Identifier: Apache-2.0
// stacks: whole stack traces of all chunks and JVMs of a query as one tree. A node is a frame that
// was called by that of its parent; a stack trace is the node of its topmost frame. The root has no
// frame: it is the stack trace of events that have none. Those who count by stack trace may put
// frames of their own below. A stack trace that JFR cut begins with the frame [truncated]. One with
// too many frames has [12 frames left out] in the place of those in the middle.
//
// Each stack trace of a chunk is read once.
//
// Threads: one thread at a time.
// Memory:  12 bytes for each node and some 24 in a table, of which QUERY_STACK_NODES_MAX are
//          remembered; in a chunk 4 bytes for each stack trace.

#ifndef LP_QUERY_STACKS_H
#define LP_QUERY_STACKS_H

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_STACK_NODES_MAX = 1 << 20, // what does not fit counts at the frame that called it
    QUERY_STACK_SPARE = 64,          // of these only for query_stacks_add_spare
    QUERY_STACK_DEPTH_MAX = 2048,    // frames of a stack trace; JFR's own maximum
    // With [truncated], and a frame that says what went on, as profile.h adds one
    QUERY_STACK_LEVELS_MAX = QUERY_STACK_DEPTH_MAX + 2,
    QUERY_STACK_LINE_MAX = (1 << 24) - 1, // larger ones are unknown
    QUERY_STACK_ROOT = 0,
};

typedef struct query_stack_node {
    uint32_t parent; // less than its own index; of the root itself
    uint32_t name;   // its number; QUERY_NAME_NONE of the root
    uint32_t line;   // 0: unknown, or not asked for
} query_stack_node;

// {0} has none yet.
typedef struct query_stacks {
    bool has_lines;                 // the caller's: frames in other lines are others
    LP_VEC(query_stack_node) nodes; // none, or from the root on
    lp_map children;                // by parent, name and line
    bool is_truncated;              // frames are missing
} query_stacks;

void query_stacks_fini(query_stacks *stacks);

// query_stacks_add finds a frame below a parent, and adds it where it is not there; where there is
// no room for it, *out_node is the parent. line is at most QUERY_STACK_LINE_MAX. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_stacks_add(
    query_stacks *stacks, uint32_t parent, uint32_t name, uint32_t line, uint32_t *out_node);

// query_stacks_add_spare finds a frame below the root, and adds it where it is not there, without a
// line. There is room for QUERY_STACK_SPARE of them in any case. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_stacks_add_spare(query_stacks *stacks, uint32_t name, uint32_t *out_node);

// query_stacks_of returns the node of an event's stack trace. Where memory runs out, the chunk
// fails (query_chunk_err).
uint32_t query_stacks_of(query_stacks *stacks, query_chunk *chunk, const query_event *event);

#endif // LP_QUERY_STACKS_H
