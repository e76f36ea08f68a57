// SPDX-License-Identifier: Apache-2.0
// rows: the events of threads, and the pauses of a JVM, that contexts or requests may still need.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  56 bytes for each row, at most QUERY_ROWS_MAX of a session; 76 bytes more for each row
//          of the context at hand; about 80 for each thread with contexts. A thread with rows takes
//          room for at least 16 of them.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "common/rollup/time_split.h"
#include "query/run/contexts.h"

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

// --- The rows of a session

enum { QUERY_ROWS_MAX = 1 << 22 }; // events in memory at a time; further ones are left out

// A thread with contexts.
typedef struct query_thread_group {
    uint32_t first; // of its contexts
    uint32_t count;
    uint32_t answered; // contexts before this one are answered
    query_rows rows;
} query_thread_group;

// {0} is empty. Callers only read, and find rows of pauses.
typedef struct query_thread_rows {
    lp_map group_of; // by thread
    LP_VEC(query_thread_group) groups;
    LP_VEC(uint32_t) filled; // the groups that have rows
    query_rows pauses;
    size_t count; // of rows in all lists
} query_thread_rows;

void query_thread_rows_fini(query_thread_rows *rows);

// query_thread_rows_begin adds the threads of the finished contexts. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_rows_begin(query_thread_rows *rows, const query_contexts *contexts);

// query_thread_rows_get lends the rows of a thread, which has contexts, until the thread is added
// to or dropped from.
query_rows *query_thread_rows_get(query_thread_rows *rows, uint64_t thread);

// query_thread_rows_find returns a thread's group if one of its contexts was open at a time, or
// NULL.
query_thread_group *query_thread_rows_find(
    query_thread_rows *rows, const query_contexts *contexts, uint64_t thread, int64_t ticks);

bool query_thread_rows_is_full(const query_thread_rows *rows);

// query_thread_rows_add adds a row to a group, or to the pauses if group is NULL. There is room.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_rows_add(
    query_thread_rows *rows, query_thread_group *group, const query_row *row);

// query_thread_rows_drop drops the rows that are only in contexts, or requests, that ended before
// horizon, and the pauses before begin_min.
void query_thread_rows_drop(
    query_thread_rows *rows, const query_contexts *contexts, int64_t horizon, int64_t begin_min);
