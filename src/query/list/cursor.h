// SPDX-License-Identifier: Apache-2.0
// cursor: where a list of contexts (listing.h) goes on: behind a row, by what the row is ordered
// by. Who has the text of a cursor needs nothing else to ask for the rows behind it, and they are
// the same whatever was added to the recordings before them.
//
//   d.-639000000.1763839516920812760.1
//
// The first letter of the sort, then what rows are ordered by, the smallest first: its value, the
// begin, and how many rows up to here are equal in both.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/query/list/test_listing.c

#ifndef LP_QUERY_CURSOR_H
#define LP_QUERY_CURSOR_H

#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    QUERY_CURSOR_BYTES = 64,         // of a text, with its end
    QUERY_CURSOR_EQUALS_MAX = 10000, // rows that are equal to the one that it is behind
};

typedef enum query_sort {
    QUERY_SORT_DURATION, // the longest first
    QUERY_SORT_START,    // the first to begin first
    QUERY_SORT_TRIGGERS, // those with most events first
    QUERY_SORT_BLOCKED,  // those that waited longest first
} query_sort;

typedef struct query_cursor {
    query_sort sort;
    int64_t key; // what rows are ordered by, the smallest first
    int64_t begin_wall_ns;
    uint32_t equal_count; // rows up to here that have both
} query_cursor;

void query_cursor_format(const query_cursor *cursor, char out_text[QUERY_CURSOR_BYTES]);

// query_cursor_parse reads what query_cursor_format wrote for a list in this order.
// Errors: LP_ECORRUPT for anything else, with what is wrong in *out_problem
LP_MUST_USE lp_err query_cursor_parse(
    const char *text, query_sort sort, query_cursor *out_cursor, lp_problem *out_problem);

#endif // LP_QUERY_CURSOR_H
