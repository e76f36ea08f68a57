// SPDX-License-Identifier: Apache-2.0
// event_rows: events of any types as a table in JSON, read from their chunks.
//
//   {"columns": ["type", "start", "duration", "thread", "stack", "fields", "thread_id"],
//    "rows": [["jdk.ThreadPark", 120, 70, "main", ["shop.Stock.take:41", ..], {"timeout": ..}, 1]]}
//
// Duration, thread, stack and thread_id are null for events without them. thread_id is the Java
// thread id: threads may share a name, or have none. A list of events of several recordings also
// has the columns recording and context (or null) before thread_id. fields: event_values.h.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  QUERY_EVENT_ROWS_BYTES_MAX, and one row.

#pragma once

#include "query/events/event_values.h"
#include "query/list/listing.h"

enum {
    QUERY_EVENT_ROWS_BYTES_MAX = 32 << 20, // of all rows, in memory and as text
    QUERY_EVENT_VALUE_BYTES = 64,          // counted for each value and name, besides its text
};

// To begin, set the first group of members; all others are 0.
typedef struct query_event_rows {
    int64_t t0_ns; // starts count from this time
    const query_field_names *only;
    // Returns the name of the recording of a source; NULL: no columns recording and context.
    const char *(*recording)(const void *arg, uint32_t source);
    const void *arg;
    const struct query_event_contexts *contexts; // NULL: the refs of the items name them
    bool is_truncated;                           // parts of events, or events, are missing

    // Private:
    query_listing *listing;
    const query_names *names;
    struct query_event_row *rows; // parallel to the items of the listing
    size_t cut;                   // rows from here on are left out
    size_t bytes;                 // of the rows
} query_event_rows;

// query_event_rows_read reads the events of a finished list (the ref of an item without a context
// is all zeros) and adds columns and rows to json, an object or NULL. Rows beyond
// QUERY_EVENT_ROWS_BYTES_MAX are cut from the list, except the first row. Errors: as
// query_listing_each
LP_MUST_USE lp_err query_event_rows_read(query_event_rows *rows, query_listing *listing,
    const query_sources *sources, query_names *names, const atomic_bool *is_cancelled,
    json_t *json);
