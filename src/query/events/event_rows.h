// SPDX-License-Identifier: Apache-2.0
// event_rows: events of any types as a table in JSON, out of the chunks that have them.
//
//   {"columns": ["type", "start", "duration", "thread", "stack", "fields", "thread_id"],
//    "rows": [["jdk.ThreadPark", 120, 70, "main", ["shop.Stock.take:41", ..], {"timeout": ..}, 1]]}
//
// The duration of an event whose type has none is null, and so is the thread, or the stack, of one
// without. thread_id is the Java thread id, or null: threads may share a name, or have none. A list
// of events of several recordings has two more columns before that one, the recording, and the
// context that the event was found in, or null. Fields: event_values.h.
//
// There are as many of the first rows as QUERY_EVENT_ROWS_BYTES_MAX has room for, but one at least.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  QUERY_EVENT_ROWS_BYTES_MAX, and that of a row.

#ifndef LP_QUERY_EVENT_ROWS_H
#define LP_QUERY_EVENT_ROWS_H

#include "query/events/event_values.h"
#include "query/list/listing.h"

enum {
    QUERY_EVENT_ROWS_BYTES_MAX = 32 << 20, // of all rows, in memory and as text
    QUERY_EVENT_VALUE_BYTES = 64,          // of these for each value and each name, beside its text
};

// With what the caller sets and nothing else it is empty.
typedef struct query_event_rows {
    int64_t t0_ns; // from which starts count
    const query_field_names *only;
    // Returns the recording that has a source; NULL: there are no columns for these.
    const char *(*recording)(const void *arg, uint32_t source);
    const void *arg;
    // Know in which context each event is; NULL: the list does.
    const struct query_event_contexts *contexts;
    bool is_truncated; // something of an event was left out, or some of the events were

    // The rest is event_rows' own.
    query_listing *listing;
    const query_names *names;
    struct query_event_row *rows; // parallel to the items of the listing
    size_t cut;                   // rows from here on are left out
    size_t bytes;                 // of the rows
} query_event_rows;

// query_event_rows_read reads the events of a finished list (in which a context is all zeros where
// there is none) and adds the columns and rows to json, which is an object. Where there is no room
// for all, the list is cut behind the last one that there is room for. is_cancelled: as of a
// question. Errors: as query_listing_each
LP_MUST_USE lp_err query_event_rows_read(query_event_rows *rows, query_listing *listing,
    const query_sources *sources, query_names *names, const atomic_bool *is_cancelled,
    json_t *json);

#endif // LP_QUERY_EVENT_ROWS_H
