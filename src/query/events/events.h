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

enum { QUERY_EVENT_TYPES_MAX = 4096 }; // events of further types are left out

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

// query_events_add adds the events in a context (to a query_events), as on_context of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_events_add(void *events, const query_answer *answer);

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

typedef struct query_event_count {
    uint32_t type;          // the number of its name
    time_category category; // by the event; TIME_OTHER: that of the type
    bool is_context;
    uint64_t count;
    int64_t total_ns; // up to INT64_MAX
} query_event_count;

// How many events there are of each type: of those in the contexts that a selection wants, or of
// all.
//
//   {"types": [{"type": "jdk.JavaMonitorEnter", "category": "lock", "count": 91,
//      "total_ns": 30100000000}, ..], "events": 9410, "contexts": 212, "is_truncated": false}
//
// The type with the most events comes first, then by name. One whose events have several categories
// (jdk.MethodTrace) is there for each. category is a row of why (why.h), or "context"; total_ns the
// sum of the events' durations, each of them whole. contexts is null where all events are counted.
//
// An event in a context that lies within another one counts once; one in contexts that cross counts
// in each.
//
// {0} has none. It takes 48 bytes for each type.
typedef struct query_event_types {
    LP_VEC(query_event_count) items;
    lp_map by_type;  // and category
    uint64_t events; // of all types
    bool is_truncated;
} query_event_types;

void query_event_types_fini(query_event_types *types);

// query_event_types_add counts the events in a context, as on_context of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add(void *types, const query_answer *answer);

// query_event_types_add_event counts an event (a query_event_types), as on_event of
// query_events_scan. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add_event(
    void *types, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_event_types_json puts them in order and returns the object, which the caller owns; NULL
// where memory ran out. has_contexts: the events are those in contexts.
json_t *query_event_types_json(query_event_types *types, const query_names *names,
    const query_outcome *outcome, bool has_contexts);

#endif // LP_QUERY_EVENTS_H
