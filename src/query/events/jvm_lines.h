// SPDX-License-Identifier: Apache-2.0
// jvm_lines: heap, GC pauses, CPU, memory and threads of JVMs over time. The time is divided into
// columns of equal length. Each column has the least, mean and largest value of all JVMs together.
// A pause is in the column in which it began.
//
//   {"t0_ns": "1767...", "step_ns": 15000000000, "column_count": 240,
//    "lines": [{"line": "heap_used", "unit": "bytes", "event": "jdk.GCHeapSummary",
//      "points": [[0, 4, 20971520, 52428800, 83886080], ..]}, ..],
//    "chunks": {"read": 60, "all": 60}}
//
// A point is [column, count, min, mean, max]; columns without a value have no point. A line without
// points is listed as well: its events were not recorded or not kept.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_jvm_lines.c, tests/e2e/ask.py
// Memory:  32 bytes for each column of each line.

#pragma once

#include "query/events/events.h"

#include <jansson.h>

enum {
    QUERY_JVM_COLUMNS_MAX = 1000,
    QUERY_JVM_LINES = 7,
};

typedef struct query_jvm_point {
    uint64_t count; // of values; 0: min, max and sum are undefined
    double min;
    double max;
    double sum;
} query_jvm_point;

typedef struct query_jvm_line {
    const char *name;
    const char *unit;      // bytes, ns, ratio (1: all processors) or count
    const char *type;      // of its events
    const char *fields[2]; // the value is their sum; none: the duration of the event
} query_jvm_line;

// query_jvm_line_of returns the line at an index.
const query_jvm_line *query_jvm_line_of(size_t index);

typedef struct query_jvm_lines {
    const query_names *names; // the question's; borrowed
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    int64_t step_ns;
    size_t columns;
    query_jvm_point *points; // all columns of the first line, then of the next
    size_t chunks_read;
    size_t chunks_all;
} query_jvm_lines;

// query_jvm_lines_init makes empty lines over [from, to), which is not empty, in 1 to
// QUERY_JVM_COLUMNS_MAX columns. Borrows names until query_jvm_lines_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_jvm_lines_init(query_jvm_lines *lines, const query_names *names,
    int64_t from_wall_ns, int64_t to_wall_ns, size_t columns);
void query_jvm_lines_fini(query_jvm_lines *lines);

// query_jvm_lines_choose chooses the sources to read: those that may have events between from and
// to. If these are more than chunks_max (at least 1), it chooses chunks_max of them, evenly.
// out_is_chosen has an item for each source.
void query_jvm_lines_choose(
    query_jvm_lines *lines, const query_sources *sources, size_t chunks_max, bool *out_is_chosen);

// query_jvm_lines_add adds an event to lines, a query_jvm_lines. Pass it as on_event to
// query_events_scan.
LP_MUST_USE lp_err query_jvm_lines_add(
    void *lines, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_jvm_lines_all returns a point that sums up all columns of a line.
query_jvm_point query_jvm_lines_all(const query_jvm_lines *lines, size_t line);

// query_jvm_lines_json returns the object; NULL if out of memory. The caller owns it.
json_t *query_jvm_lines_json(const query_jvm_lines *lines);
