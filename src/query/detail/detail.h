// SPDX-License-Identifier: Apache-2.0
// detail: one context, or one request, with everything that is known about it.
//
// A context: its attributes, the contexts around it and in it, why it was kept, where its time
// went, and its events.
//
//   {"t0_ns": "1767...", "recording": "3f6c..", "id": "6f1a2b-9f86d081", "type": "shop.Request",
//    "duration": 639000000, "thread": "exec-6", "attributes": {"path": "/orders"},
//    "parent": null, "children": [{"id": .., "type": .., "start": 70, "duration": 9}, ..],
//    "kept_because": [{"event": "jdk.JavaMonitorEnter", "count": 3, "setting": "threshold=10 ms"}],
//    "why": {..}, "owners": [..], "events": {"columns": [..], "rows": [..]}, "is_truncated": false}
//
// The parent is the innermost context around it; the children have it as their parent.
// kept_because counts the events on its thread that triggered it, by type
// (docs/internals/elimination.md). setting lists the settings of the type in its chunk:
// threshold, and select, filter and throttle unless they pass all events; null if there are none.
//
// A request: its parts on all threads on one time axis, the tasks that were handed over, where its
// time went, and its events.
//
//   {"t0_ns": "1767...", "recording": "3f6c..", "id": "00000000000004d3", "type": "shop.Order",
//    "state": "over", "kept_by": "slow", "duration": 639000000, "busy": 90, "queued": 70,
//    "elsewhere": 9, "part_count": 3, "attributes": {"path": "/orders"},
//    "threads": [{"name": "exec-6", "id": 33}, ..],
//    "stays": [{"thread": 0, "start": 0, "duration": 70}, ..],
//    "parts": [{"id": "6f1a2b-9f86d081", "type": "shop.Order", "thread": 0, "start": 0,
//      "duration": 60, "attributes": {..}}, ..],
//    "hand_overs": [{"from": "exec-6", "from_id": 33, "to": "pool-1-thread-2", "to_id": 48,
//      "pool": "pool-1-thread", "start": 20, "duration": 9}, ..],
//    "why": {..}, "owners": [..], "events": {"columns": [..], "rows": [..]}, "is_truncated": false}
//
// `thread` indexes threads. Thread ids are Java's, or null. Threads may share a name, or have none:
// use the id to find the thread of a hand-over or an event.
//
// In both objects, t0_ns is the begin of the context or request, and starts count from it. Lists
// are in the order of begin. The events are those on the context's thread or in the request's
// stays, and the pauses of the JVM at that time. why: why_json.h; owners: lock_owners.h; rows:
// event_rows.h.
//
// Usage: query_detail_begin; a question that query_detail_prepare prepared; for a context that was
// found, a second question for the contexts of query_detail_around; query_detail_read;
// query_detail_json; query_detail_fini.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/events/test_events.c, tests/unit/query/run/test_query_requests.c
// Memory:  listings of QUERY_DETAIL_EVENTS, _CHILDREN and _PARTS; 48 bytes for each stay and each
//          hand-over.

#pragma once

#include "query/events/event_rows.h"
#include "query/events/lock_owners.h"
#include "query/why/why.h"

// Limits of the lists. Items that begin first are listed; if there are more, the answer is
// truncated.
enum {
    QUERY_DETAIL_EVENTS = 1000,
    QUERY_DETAIL_CHILDREN = 1000,
    QUERY_DETAIL_PARTS = 1000, // also of stays, and of hand-overs
    QUERY_DETAIL_TYPES = 256,  // of events in kept_because
};

// The settings of an event type that select events.
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
    const char *settings[QUERY_CHOOSERS]; // NULL: no such setting
} query_reason;

typedef struct query_request_thread {
    uint32_t name;   // the number of its name
    int64_t java_id; // 0: none
} query_request_thread;

// A stay, or a task that waited for a thread.
typedef struct query_request_time_range {
    int64_t start_ns; // since the request began
    int64_t duration_ns;
    uint32_t thread; // of a stay: indexes threads
    // Of a task, numbers of names:
    uint32_t from;
    uint32_t to;
    uint32_t pool;
    int64_t from_id; // Java thread ids; 0: none
    int64_t to_id;
} query_request_time_range;

typedef struct query_detail {
    query_unit unit; // contexts or requests
    const query_names *names;
    bool is_found;
    query_listing self; // the context, or the request
    query_listing events;
    query_why why;
    query_lock_owners owners;
    bool is_truncated;

    // Of a context:
    query_listing children;
    query_listed parent;
    bool has_parent;
    LP_VEC(query_reason) reasons;
    lp_arena arena; // of settings

    // Of a request:
    query_listing parts;
    LP_VEC(query_request_thread) threads;
    LP_VEC(query_request_time_range) stays;
    LP_VEC(query_request_time_range) hand_overs;
    query_attributes attributes;

    // Private: self among the contexts of its session, while the second question is answered.
    const query_context *context; // NULL: not found
    bool has_looked;              // `context` was searched for
} query_detail;

// query_detail_begin returns an empty detail of a context or a request. Borrows names.
query_detail query_detail_begin(query_unit unit, const query_names *names);
void query_detail_fini(query_detail *detail);

// query_detail_prepare makes question ask for frames and, if it is about a request, for parts,
// attributes and thread names. The selection of question has the id.
void query_detail_prepare(query_detail *detail, query_question *question);

// query_detail_add adds a context or a request to detail, a query_detail. Pass it as on_context of
// a prepared question. Of several answers with the same id the first counts. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_detail_add(void *detail, const query_answer *answer);

// query_detail_around returns the selection of the contexts that were open at the same time as the
// context that was found.
query_selection query_detail_around(const query_detail *detail);

// query_detail_add_around adds a context to detail, a query_detail. Pass it as on_context of the
// second question, which is for contexts only. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_detail_add_around(void *detail, const query_answer *answer);

// query_detail_read finishes the lists, and reads attributes, settings and owners from the chunks.
// Call it only if is_found. Errors: as query_listing_each
LP_MUST_USE lp_err query_detail_read(query_detail *detail, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled);

// query_detail_json reads the events and makes the JSON object. Call it after query_detail_read.
// Owns:   *out_json is the caller's.
// Errors: as query_listing_each
LP_MUST_USE lp_err query_detail_json(query_detail *detail, const char *recording,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json);
