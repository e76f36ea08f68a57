// SPDX-License-Identifier: Apache-2.0
// stack_filter: which stack traces (stacks.h) have a frame that matches a filter (frame_filter.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/why/test_why.c, tests/unit/query/graph/test_profile.c
// Memory:  a byte for each node and for each name.

#pragma once

#include "query/frames/stacks.h"
#include "query/select/frame_filter.h"

// To begin, set the first three members, which are borrowed; all others are 0.
typedef struct query_stack_filter {
    query_frame_filter *frame;
    const query_stacks *stacks;
    const query_names *names;

    // Private:
    LP_VEC(bool) matching; // by node
    LP_VEC(uint8_t) known; // by name
} query_stack_filter;

void query_stack_filter_fini(query_stack_filter *filter);

// query_stack_filter_match writes whether a frame of a node's stack trace matches. stacks may grow
// between calls. Errors: LP_ENOMEM; LP_ELIMIT as query_frame_filter_match
LP_MUST_USE lp_err query_stack_filter_match(
    query_stack_filter *filter, uint32_t node, bool *out_matches);
