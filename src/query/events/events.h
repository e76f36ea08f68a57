// SPDX-License-Identifier: Apache-2.0
// events: events of any type, the first to begin first, so many of them: those in the contexts that
// a selection wants, or, where it has no condition on contexts (query_events_has_contexts), all
// that begin in its time range, on its thread.
//
// The order is total: of two that began at once, that which comes first in the sources. An event in
// several contexts is listed once, with the one that began last; without a condition on contexts as
// well (event_contexts.h).
//
//   {"t0_ns": "1767...", "columns": [..], "rows": [..], "next": null, "is_truncated": false}
//
// Columns and rows: event_rows.h.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  that of a listing (listing.h).

#ifndef LP_QUERY_EVENTS_H
#define LP_QUERY_EVENTS_H

#include "query/events/event_rows.h"
#include "query/run/run.h"

// What is called for an event. It returns LP_OK, or ends the scan with what it returns.
typedef lp_err query_on_event(
    void *arg, query_chunk *chunk, const query_event *event, const query_listed *item);

// With what the caller sets and nothing else it is empty.
typedef struct query_events {
    query_listing list; // the caller sets limit and after; the sort is QUERY_SORT_START
    const char *type;   // the name of their type, or the last part of it; NULL: any
    const query_names *names;
    bool finds_contexts; // of each, as the list does not know them: that of query_events_scan
} query_events;

void query_events_fini(query_events *events);

// query_events_has_contexts returns whether a selection has a condition that only contexts can
// satisfy: on their type, attributes, durations or id.
bool query_events_has_contexts(const query_selection *selection);

// query_events_add adds the events in a context, as on_context of a question. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_events_add(query_events *events, const query_answer *answer);

// query_events_add_event adds an event (a query_events), as on_event of query_events_scan.
LP_MUST_USE lp_err query_events_add_event(
    void *events, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_events_scan calls on_event for all events, in contexts or not; contexts are events as well.
// question has the sources, the selection, on_unreadable, on_passed and arg, is_cancelled, and
// only_sources. item is what a list has of the event, which is read from chunk. Errors: as
// query_run; what on_event returned
LP_MUST_USE lp_err query_events_scan(const query_question *question, query_names *names,
    query_on_event *on_event, void *arg, query_outcome *out_outcome);

// query_events_json finishes the list and reads its events: *out_json is the caller's. rows has
// what the caller sets, but t0_ns and contexts. Errors: as query_listing_each and query_run
LP_MUST_USE lp_err query_events_json(query_events *events, query_event_rows *rows,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json);

#endif // LP_QUERY_EVENTS_H
