// SPDX-License-Identifier: Apache-2.0
// event_types: how many events there are of each type: of those in the contexts that a selection
// wants, or of all (events.h).
//
//   {"types": [{"type": "jdk.JavaMonitorEnter", "category": "lock", "count": 91,
//      "total_ns": 30100000000}, ..], "events": 9410, "contexts": 212, "is_truncated": false}
//
// The type with the most events comes first, then by name. One whose events have several categories
// (jdk.MethodTrace) is there for each. category is a row of why (why.h), or
// "context"; total_ns the sum of the events' durations, each of them whole. contexts is null where
// all events are counted.
//
// An event in a context that lies within another one counts once; one in contexts that cross counts
// in each.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  48 bytes for each type, of which there are QUERY_EVENT_TYPES_MAX

#ifndef LP_QUERY_EVENT_TYPES_H
#define LP_QUERY_EVENT_TYPES_H

#include "query/list/listing.h"

#include <jansson.h>

enum { QUERY_EVENT_TYPES_MAX = 4096 }; // events of further types are left out

typedef struct query_event_count {
    uint32_t type;          // the number of its name
    time_category category; // by the event; TIME_OTHER: that of the type
    bool is_context;
    uint64_t count;
    int64_t total_ns; // up to INT64_MAX
} query_event_count;

// {0} has none.
typedef struct query_event_types {
    LP_VEC(query_event_count) items;
    lp_map by_type;  // and category
    uint64_t events; // of all types
    bool is_truncated;
} query_event_types;

void query_event_types_fini(query_event_types *types);

// query_event_types_add counts the events in a context, as on_context of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add(query_event_types *types, const query_answer *answer);

// query_event_types_add_event counts an event (a query_event_types), as on_event of
// query_events_scan. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_event_types_add_event(
    void *types, query_chunk *chunk, const query_event *event, const query_listed *item);

// query_event_types_json puts them in order and returns the object, which the caller owns; NULL
// where memory ran out. has_contexts: the events are those in contexts.
json_t *query_event_types_json(query_event_types *types, const query_names *names,
    const query_outcome *outcome, bool has_contexts);

#endif // LP_QUERY_EVENT_TYPES_H
