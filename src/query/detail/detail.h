// SPDX-License-Identifier: Apache-2.0
// detail: one context whole: its attributes, what is around it and in it, why it was kept, where
// its time went, and its events.
//
//   {"t0_ns": "1767...", "recording": "3f6c..", "id": "6f1a2b-9f86d081", "type": "shop.Request",
//    "duration": 639000000, "thread": "exec-6", "attributes": {"path": "/orders"},
//    "parent": null, "children": [{"id": .., "type": .., "start": 70, "duration": 9}, ..],
//    "kept_because": [{"event": "jdk.JavaMonitorEnter", "count": 3, "setting": "threshold=10 ms"}],
//    "why": {..}, "owners": [..], "events": {"columns": [..], "rows": [..]}, "is_truncated": false}
//
// Starts count from t0_ns, when it began. The parent is the innermost context around it, and it is
// that of its children; these and the events are in the order of their begin. Events are those of
// its thread, and the pauses of the JVM. why: why_json.h; owners: lock_owners.h; rows:
// event_rows.h.
//
// Events trigger the contexts that they lie in (docs/internals/elimination.md). kept_because has
// those on its thread by type, and what the settings in its chunk say of the type: its threshold,
// and select, filter and throttle unless these let all pass; null if they say nothing.
//
// It takes two questions: one for the context, by its id, and, once that is there, one for all
// contexts of the recording that were open while it was (query_detail_around).
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c
// Memory:  that of listings of QUERY_DETAIL_EVENTS and QUERY_DETAIL_CHILDREN.

#ifndef LP_QUERY_DETAIL_H
#define LP_QUERY_DETAIL_H

#include "query/events/event_rows.h"
#include "query/events/lock_owners.h"
#include "query/why/why.h"

enum {
    QUERY_DETAIL_EVENTS = 1000,   // the first ones
    QUERY_DETAIL_CHILDREN = 1000, // the same
    QUERY_DETAIL_TYPES = 256,     // of events in kept_because
};

// The settings of a type that choose among its events.
typedef enum query_chooser {
    QUERY_CHOOSER_THRESHOLD,
    QUERY_CHOOSER_SELECT,
    QUERY_CHOOSER_FILTER,
    QUERY_CHOOSER_THROTTLE,
    QUERY_CHOOSERS,
} query_chooser;

// The events of one type that triggered the context.
typedef struct query_reason {
    uint32_t type; // the number of its name
    uint64_t count;
    const char *settings[QUERY_CHOOSERS]; // NULL: nothing is said
} query_reason;

// With names and the lists' limits and sort (query_detail_begin) it is empty.
typedef struct query_detail {
    const query_names *names;
    bool is_found;
    query_listing self; // the context
    query_listing events;
    query_listing children;
    query_listed parent;
    bool has_parent;
    query_why why;
    query_lock_owners owners;
    LP_VEC(query_reason) reasons;
    bool is_truncated;
    lp_arena arena; // of settings

    // The rest is detail's own.
    const query_context *seen; // that of the second question, while it is answered; NULL: none
    bool has_looked;           // for it
} query_detail;

// query_detail_begin returns one without a context. names are borrowed.
query_detail query_detail_begin(const query_names *names);
void query_detail_fini(query_detail *detail);

// query_detail_add adds a context, as on_context of a question that wants frames. Of several with
// one id the first counts. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_detail_add(query_detail *detail, const query_answer *answer);

// query_detail_around returns the selection of the contexts that were open while the one that was
// found was.
query_selection query_detail_around(const query_detail *detail);

// query_detail_add_around adds a context, as on_context of the question for contexts only.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_detail_add_around(query_detail *detail, const query_answer *answer);

// query_detail_json reads the rest from the chunks: *out_json is the caller's. It is called once a
// context was found. Errors: as query_listing_each
LP_MUST_USE lp_err query_detail_json(query_detail *detail, const char *recording,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json);

#endif // LP_QUERY_DETAIL_H
