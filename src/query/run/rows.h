// SPDX-License-Identifier: Apache-2.0
// rows: the events of a thread, or the pauses of a JVM, that contexts may still need.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  56 bytes for each row; 76 bytes more for each row of the context at hand.

#pragma once

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
        int64_t period_ns; // of TIME_CPU samples; 0: unknown
        int64_t bytes;     // allocated, if the question wants them; else 0
    };
    uint32_t type;  // in names
    uint32_t frame; // in names (frames.h), if the question wants frames
    union {
        uint32_t via;    // in names: the frame on top of it, or QUERY_NAME_NONE
        uint32_t fields; // what the question's on_row sets
    };
    uint32_t counted; // in names: the row of answers that counts it, or QUERY_NAME_NONE
    uint32_t stack;   // node of its stack trace (stacks.h), if the question wants it
    uint32_t chunk;   // index in the session
    uint32_t offset;  // in the chunk
    uint8_t category;
    bool has_duration; // its type has durations
} query_row;

// {0} is empty. Callers push rows.
typedef struct query_rows {
    LP_VEC(query_row) items;
    size_t sorted_count; // private: count at the last query_rows_find
} query_rows;

typedef struct query_row_range {
    const query_row *items;
    size_t count;
} query_row_range;

typedef LP_VEC(time_span) query_span_list;

// A row, in the order of time_split.
typedef struct query_ordered_row {
    int64_t begin;
    int64_t commit;
    uint32_t index;
} query_ordered_row;

// Working memory for all rows of a query; {0} is empty.
typedef struct query_rows_room {
    LP_VEC(query_row) rows;
    LP_VEC(query_ordered_row) order;
} query_rows_room;

void query_rows_fini(query_rows *rows);
void query_rows_room_fini(query_rows_room *room);

// query_rows_find returns the rows committed from begin to end, both inclusive, by commit time,
// equal ones in file order. They are valid until rows change. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_rows_find(query_rows *rows, query_rows_room *room, int64_t begin,
    int64_t end, query_row_range *out_range);

// query_rows_span writes the spans of rows, in the order of time_split. `event` of a span is an
// index of rows. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_rows_span(
    query_row_range range, query_rows_room *room, const jfr_clock *clock, query_span_list *out);

// query_rows_drop drops the rows committed before a time, and returns their count. It drops nothing
// if rows were added since the last query_rows_find, as incomplete contexts need the added rows.
size_t query_rows_drop(query_rows *rows, int64_t ticks);
