// SPDX-License-Identifier: Apache-2.0
// frame_filter: a regular expression (expression.h) for names of frames. It matches any part of a
// name.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/select/test_frame_filter.c
// Memory:  about 7 KB, all in the struct.

#pragma once

#include "query/select/expression.h"

enum {
    QUERY_FRAME_FILTER_NAME_BYTES = 1024, // the rest of a longer name is ignored
    // The most steps for all names together that a filter matches; they take about 3 s. An ordinary
    // expression takes 1 to 4 steps for each byte, so this suffices for all names of a query
    // (names.h).
    QUERY_FRAME_FILTER_STEPS_MAX = 1000000000,
};

typedef struct query_frame_filter {
    query_expression expression;
    const char *parameter; // its name in messages; borrowed
    uint64_t steps;        // so far
    uint64_t steps_max;    // QUERY_FRAME_FILTER_STEPS_MAX; tests set less
} query_frame_filter;

// query_frame_filter_init compiles pattern and borrows parameter.
// Errors: LP_ECORRUPT pattern is refused, for the reason in *out_problem
LP_MUST_USE lp_err query_frame_filter_init(query_frame_filter *filter, const char *parameter,
    const char *pattern, lp_problem *out_problem);

// query_frame_filter_match writes whether name matches. Errors: LP_ELIMIT over steps_max
LP_MUST_USE lp_err query_frame_filter_match(
    query_frame_filter *filter, const char *name, bool *out_matches);

// query_frame_filter_check checks that the filter is within steps_max.
// Errors: LP_ELIMIT with advice in *out_problem
LP_MUST_USE lp_err query_frame_filter_check(
    const query_frame_filter *filter, lp_problem *out_problem);
