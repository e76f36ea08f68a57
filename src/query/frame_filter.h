// SPDX-License-Identifier: Apache-2.0
// frame_filter: a regular expression (POSIX, extended) that a frame's name has to match somewhere.
//
// Threads: one thread at a time.
// Memory:  what glibc remembers of an expression grows with the names that it was asked about; so
//          it is forgotten after QUERY_FRAME_FILTER_FORGET_BYTES of them, after which it is at most
//          a few dozen MB with the worst of expressions. Repetitions {n,m} and \1 are refused: the
//          first may need any amount of memory, the second any amount of time. So are
//          many repetitions within one another: glibc has the operand of + twice, that of (a+)+
//          four times, and a**** takes it as many times as long for each *.

#ifndef LP_QUERY_FRAME_FILTER_H
#define LP_QUERY_FRAME_FILTER_H

#include "common/base/lp_err.h"

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    QUERY_FRAME_FILTER_BYTES_MAX = 256,   // of an expression
    QUERY_FRAME_FILTER_PARTS_MAX = 1024,  // characters and operators, those that are repeated twice
    QUERY_FRAME_FILTER_NAME_BYTES = 1024, // of a name that are looked at
    QUERY_FRAME_FILTER_FORGET_BYTES = 8192,
};

typedef struct query_frame_filter {
    const char *pattern; // borrowed
    regex_t regex;
    bool is_compiled;
    size_t bytes; // of names, since it was compiled
} query_frame_filter;

// query_frame_filter_init compiles an expression, which is borrowed until query_frame_filter_fini.
// parameter is what messages call it.
// Errors: LP_ECORRUPT it is none, or one that is refused: with the reason in *out_problem
//         LP_ENOMEM
LP_MUST_USE lp_err query_frame_filter_init(query_frame_filter *filter, const char *parameter,
    const char *pattern, lp_problem *out_problem);

// query_frame_filter_fini frees the filter; a zeroed one is fine.
void query_frame_filter_fini(query_frame_filter *filter);

// query_frame_filter_match finds out whether a name matches. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_frame_filter_match(
    query_frame_filter *filter, const char *name, bool *out_matches);

#endif // LP_QUERY_FRAME_FILTER_H
