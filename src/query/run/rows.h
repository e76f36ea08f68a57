// SPDX-License-Identifier: Apache-2.0
// rows: the events of a thread, or the pauses of a JVM, that contexts may still need: which of them
// are in a context, and in what order they go on.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  56 bytes for each row; 76 bytes more for each of the context that is asked for.

#ifndef LP_QUERY_ROWS_H
#define LP_QUERY_ROWS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "common/rollup/time_split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An event that lies in a context, or a pause.
typedef struct query_row {
    int64_t begin;  // ticks
    int64_t commit; // ticks
    union {
        int64_t period_ns; // of samples that are TIME_CPU; 0: unknown
        int64_t bytes;     // that the event says were allocated, where they are asked for; else 0
    };
    uint32_t type;    // the number of its name
    uint32_t frame;   // the number of its name (frames.h), where they are asked for
    uint32_t via;     // the same: the frame on top of it, QUERY_NAME_NONE if there is none
    uint32_t counted; // the number of the name of the row in which it is counted; else none
    uint32_t stack;   // the node of its stack trace (stacks.h), where it is asked for
    uint32_t chunk;   // that has it; counts in the session
    uint32_t offset;  // in that
    uint8_t category;
    bool has_duration; // its type has
} query_row;

// {0} has none. Who adds one pushes it.
typedef struct query_rows {
    LP_VEC(query_row) items;
    size_t sorted_count; // rows' own: of the last time that rows were looked for
} query_rows;

typedef struct query_row_range {
    const query_row *items;
    size_t count;
} query_row_range;

typedef LP_VEC(time_span) query_span_list;

// A row in the order in which they go on.
typedef struct query_ordered_row {
    int64_t begin;
    int64_t commit;
    uint32_t index;
} query_ordered_row;

// Room to sort in, for all rows of a query; {0} has none yet.
typedef struct query_rows_room {
    LP_VEC(query_row) rows;
    LP_VEC(query_ordered_row) order;
} query_rows_room;

void query_rows_fini(query_rows *rows);
void query_rows_room_fini(query_rows_room *room);

// query_rows_find returns the rows that were committed from begin to end, both included, in the
// order of their ends; equal ones in that of the file. They are lent until rows change.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_rows_find(query_rows *rows, query_rows_room *room, int64_t begin,
    int64_t end, query_row_range *out_range);

// query_rows_span makes the spans of rows, in the order that time_split wants; `event` of a
// span indexes them. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_rows_span(
    query_row_range range, query_rows_room *room, const jfr_clock *clock, query_span_list *out);

// query_rows_drop drops the rows that were committed before a time, and returns how many those are;
// none while rows were added since the last query_rows_find: then contexts need them that are not
// complete.
size_t query_rows_drop(query_rows *rows, int64_t ticks);

#endif // LP_QUERY_ROWS_H
