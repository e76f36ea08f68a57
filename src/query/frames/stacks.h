// SPDX-License-Identifier: Apache-2.0
// stacks: the stack traces of all chunks and JVMs of a question as one tree. A node is a frame; its
// parent is the caller. A stack trace is the node of its topmost frame. The root has no frame and
// stands for events without a stack trace. Callers may add frames of their own below any node.
//
// A stack trace that JFR has cut begins with the frame [truncated]. One with too many frames has
// [12 frames left out] in the middle.
//
// Each stack trace of a chunk is read once.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/frames/test_stacks.c
// Memory:  12 bytes for each node and some 24 in a table, up to QUERY_STACK_NODES_MAX; 4 for each
//          stack trace of the open chunk.

#pragma once

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_STACK_NODES_MAX = 1 << 20, // further frames count at their caller
    QUERY_STACK_SPARE = 64,          // of these, reserved for query_stacks_add_spare
    QUERY_STACK_DEPTH_MAX = 2048,    // frames of a stack trace; JFR's own maximum
    // With [truncated] and a leaf of profile.h.
    QUERY_STACK_LEVELS_MAX = QUERY_STACK_DEPTH_MAX + 2,
    QUERY_STACK_LINE_MAX = (1 << 24) - 1, // larger lines are unknown
    QUERY_STACK_ROOT = 0,
};

typedef struct query_stack_node {
    uint32_t parent; // less than its own index; the root's is the root
    uint32_t name;   // the number of its name; QUERY_NAME_NONE of the root
    uint32_t line;   // 0: unknown, or not wanted
} query_stack_node;

// {0} is empty.
typedef struct query_stacks {
    bool has_lines;                 // set by the caller: tell frames apart by line
    LP_VEC(query_stack_node) nodes; // empty, or from the root on
    lp_map children;                // by parent, name and line
    bool is_truncated;              // frames are missing
} query_stacks;

void query_stacks_fini(query_stacks *stacks);

// query_stacks_add finds or adds a frame below parent. *out_node is parent if there is no room.
// line is at most QUERY_STACK_LINE_MAX. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_stacks_add(
    query_stacks *stacks, uint32_t parent, uint32_t name, uint32_t line, uint32_t *out_node);

// query_stacks_add_spare finds or adds a frame below the root, without a line. QUERY_STACK_SPARE of
// them always have room. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_stacks_add_spare(query_stacks *stacks, uint32_t name, uint32_t *out_node);

// query_stacks_of returns the node of an event's stack trace. If memory runs out, the chunk fails
// (query_chunk_err).
uint32_t query_stacks_of(query_stacks *stacks, query_chunk *chunk, const query_event *event);
