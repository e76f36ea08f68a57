// SPDX-License-Identifier: Apache-2.0
// frame_filter: a regular expression (expression.h) that a frame's name has to match somewhere.
//
// Threads: one thread at a time.
// Memory:  some 7 KB, all of them in the struct.

#ifndef LP_QUERY_FRAME_FILTER_H
#define LP_QUERY_FRAME_FILTER_H

#include "query/select/expression.h"

enum {
    QUERY_FRAME_FILTER_NAME_BYTES = 1024, // of a name that are looked at
    // Of a filter, for all names together: some 3 s. An ordinary expression takes 1 to 4 for each
    // byte, so this is enough for all names that a query has (names.h).
    QUERY_FRAME_FILTER_STEPS_MAX = 1000000000,
};

typedef struct query_frame_filter {
    query_expression expression;
    const char *parameter; // what messages call it; borrowed
    uint64_t steps;        // so far
    uint64_t steps_max;    // QUERY_FRAME_FILTER_STEPS_MAX; tests have less
} query_frame_filter;

// query_frame_filter_init compiles an expression, and borrows parameter.
// Errors: LP_ECORRUPT it is none, or one that is refused: with the reason in *out_problem
LP_MUST_USE lp_err query_frame_filter_init(query_frame_filter *filter, const char *parameter,
    const char *pattern, lp_problem *out_problem);

// query_frame_filter_match finds out whether a name matches. Errors: LP_ELIMIT over steps_max
LP_MUST_USE lp_err query_frame_filter_match(
    query_frame_filter *filter, const char *name, bool *out_matches);

// query_frame_filter_check returns whether the filter is within steps_max.
// Errors: LP_ELIMIT it is not, with what to do in *out_problem
LP_MUST_USE lp_err query_frame_filter_check(
    const query_frame_filter *filter, lp_problem *out_problem);

#endif // LP_QUERY_FRAME_FILTER_H
