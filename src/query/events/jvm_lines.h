// SPDX-License-Identifier: Apache-2.0
// jvm_lines: how JVMs did over time, by the events in which they say so: the heap, pauses of the
// GC, CPU, memory and threads, in columns of equal length. Of each column there are the least, the
// mean and the largest value, of all JVMs together; pauses are in the column in which they began.
//
//   {"t0_ns": "1767...", "step_ns": 15000000000, "column_count": 240,
//    "lines": [{"line": "heap_used", "unit": "bytes", "event": "jdk.GCHeapSummary",
//      "points": [[0, 4, 20971520, 52428800, 83886080], ..]}, ..],
//    "chunks": {"read": 60, "all": 60}}
//
// A point is [column, count, min, mean, max]; columns without a value have none. A line without any
// point is there as well: these events were not recorded, or not kept.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_jvm_lines.c, tests/e2e/ask.py
// Memory:  32 bytes for each column of each line.

#ifndef LP_QUERY_JVM_LINES_H
#define LP_QUERY_JVM_LINES_H

#include "query/events/events.h"

#include <jansson.h>

enum {
    QUERY_JVM_COLUMNS_MAX = 1000,
    QUERY_JVM_LINES = 7,
};

typedef struct query_jvm_point {
    uint64_t count; // of values; 0: the others mean nothing
    double min;
    double max;
    double sum;
} query_jvm_point;

// A line: the events of a type, and the number in them.
typedef struct query_jvm_line {
    const char *name;
    const char *unit; // bytes, ns, ratio (1: all processors) or count
    const char *type;
    const char *fields[2]; // whose sum is the value; none: the duration of the event
} query_jvm_line;

// query_jvm_line_of returns the index-th line.
const query_jvm_line *query_jvm_line_of(size_t index);

typedef struct query_jvm_lines {
    const query_names *names; // those of the query; borrowed
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    int64_t step_ns;
    size_t columns;
    query_jvm_point *points; // of the first line, then of the next
    size_t chunks_read;
    size_t chunks_all;
} query_jvm_lines;

// query_jvm_lines_init begins lines over [from, to), which is not empty, in 1 to
// QUERY_JVM_COLUMNS_MAX columns. names is borrowed until query_jvm_lines_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_jvm_lines_init(query_jvm_lines *lines, const query_names *names,
    int64_t from_wall_ns, int64_t to_wall_ns, size_t columns);
void query_jvm_lines_fini(query_jvm_lines *lines);

// query_jvm_lines_choose notes which sources have to be read: those that may have events between
// from and to, or, where they are more than chunks_max (at least 1), so many of them, evenly.
// out_is_chosen has room for all.
void query_jvm_lines_choose(
    query_jvm_lines *lines, const query_sources *sources, size_t chunks_max, bool *out_is_chosen);

// query_jvm_lines_add adds an event (a query_jvm_lines) if it began in their time, as on_event of
// query_events_scan.
LP_MUST_USE lp_err query_jvm_lines_add(
    void *lines, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_jvm_lines_all returns a line's values in all columns together.
query_jvm_point query_jvm_lines_all(const query_jvm_lines *lines, size_t line);

// query_jvm_lines_json returns the object, which the caller owns; NULL where memory ran out.
json_t *query_jvm_lines_json(const query_jvm_lines *lines);

#endif // LP_QUERY_JVM_LINES_H
