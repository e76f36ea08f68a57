// SPDX-License-Identifier: Apache-2.0
// events: lists events of any type in the order of their begin, and counts events by type.
//
// The events are those in the contexts of a selection. If the selection has no condition on
// contexts (query_events_has_contexts), they are all events that begin in its time range on its
// thread.
//
// The list:
//
//   {"t0_ns": "1767...", "columns": [..], "rows": [..], "next": null, "is_truncated": false}
//
// Events that begin at the same time are in the order of the sources. An event in several contexts
// is listed once, with the context that began last. columns and rows: event_rows.h.
//
// The numbers:
//
//   {"types": [{"type": "jdk.JavaMonitorEnter", "category": "lock", "count": 91,
//      "total_ns": 30100000000}, ..], "events": 9410, "contexts": 212, "is_truncated": false}
//
// Types are sorted by the number of events, the highest first, then by name. A type whose events
// have several categories (jdk.MethodTrace) is listed with each. category is a row of why (why.h),
// or "context". total_ns sums the whole durations. contexts is null if the selection has no
// condition on contexts. An event in nested contexts counts once. An event in contexts that overlap
// without nesting counts once in each.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  a listing (listing.h); 48 bytes for each type.

#pragma once

#include "query/events/event_rows.h"
#include "query/run/run.h"

enum { QUERY_EVENT_TYPES_MAX = 4096 }; // events of further types are left out

// Called for an event; item has its times, place and type. Returns LP_OK, or the error that ends
// the scan.
typedef lp_err query_on_event(
    void *arg, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_events_has_contexts returns whether a selection has a condition that only contexts can
// satisfy: on their type, attributes, durations, trace or id.
bool query_events_has_contexts(const query_selection *selection);

// query_events_scan calls on_event for all events, in contexts or not; contexts are events as well.
// Of question it uses sources, selection, on_unreadable, on_passed, arg, is_cancelled and
// only_sources. Errors: as query_run; what on_event returns
LP_MUST_USE lp_err query_events_scan(const query_question *question, query_names *names,
    query_on_event *on_event, void *arg, query_outcome *out_outcome);

// --- The list

// To begin, set limit, after and sort (QUERY_SORT_START) of list; its other members are 0. Set all
// members behind list.
typedef struct query_events {
    query_listing list;
    const char *type; // the name of the events' type, or its last part; NULL: any
    const query_names *names;
    bool finds_contexts; // set if events were scanned: query_events_json then finds their contexts
} query_events;

void query_events_fini(query_events *events);

// query_events_add adds the events in a context to events, a query_events. Pass it as on_context of
// a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_events_add(void *events, const query_answer *answer);

// query_events_add_event adds an event to events, a query_events. Pass it as on_event to
// query_events_scan.
LP_MUST_USE lp_err query_events_add_event(
    void *events, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_events_json finishes the list and reads its events. It sets t0_ns and contexts of rows.
// Owns:   *out_json is the caller's.
// Errors: as query_listing_each and query_run
LP_MUST_USE lp_err query_events_json(query_events *events, query_event_rows *rows,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json);

// --- The numbers

typedef struct query_event_count {
    uint32_t type;          // the number of its name
    time_category category; // of the events; TIME_OTHER: they have the type's category
    bool is_context;
    uint64_t count;
    int64_t total_ns; // up to INT64_MAX
} query_event_count;

// {0} is empty.
typedef struct query_event_types {
    LP_VEC(query_event_count) items;
    lp_map by_type;  // and category
    uint64_t events; // of all types
    bool is_truncated;
} query_event_types;

void query_event_types_fini(query_event_types *types);

// query_event_types_add counts the events in a context in types, a query_event_types. Pass it as
// on_context of a question. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add(void *types, const query_answer *answer);

// query_event_types_add_event counts an event in types, a query_event_types. Pass it as on_event to
// query_events_scan. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add_event(
    void *types, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_event_types_json sorts the types and returns the object; NULL if out of memory. The caller
// owns it. has_contexts: the events are those in contexts.
json_t *query_event_types_json(query_event_types *types, const query_names *names,
    const query_outcome *outcome, bool has_contexts);
