// SPDX-License-Identifier: Apache-2.0
// request_detail: one request whole: its parts on all threads on one time axis, the tasks that were
// handed over, where its time went, and its events.
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
// Starts count from t0_ns, when it began. A `thread` is an index of threads; ids of threads are
// Java's, or null. Threads may share a name, or have none: by the id a hand-over or an event finds
// its thread. Lists are in the order of their begin. Events are those of its stays, and the pauses
// of the JVM meanwhile. why: why_json.h; owners: lock_owners.h; rows: event_rows.h.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  that of listings of QUERY_REQUEST_EVENTS and QUERY_REQUEST_PARTS; 48 bytes for each stay
//          and each hand-over, of which QUERY_REQUEST_PARTS are listed.

#ifndef LP_QUERY_REQUEST_DETAIL_H
#define LP_QUERY_REQUEST_DETAIL_H

#include "query/events/event_rows.h"
#include "query/events/lock_owners.h"
#include "query/why/why.h"

enum {
    QUERY_REQUEST_EVENTS = 1000, // the first ones
    QUERY_REQUEST_PARTS = 1000,  // the same, and so of stays and hand-overs
};

typedef struct query_request_thread {
    uint32_t name;   // its number
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

// With names and the lists' limits and sort (query_request_detail_begin) it is empty.
typedef struct query_request_detail {
    const query_names *names;
    bool is_found;
    query_listing self; // the request
    query_listing parts;
    query_listing events;
    LP_VEC(query_request_thread) threads;
    LP_VEC(query_request_time_range) stays;
    LP_VEC(query_request_time_range) hand_overs;
    query_why why;
    query_lock_owners owners;
    query_attributes attributes;
    bool is_truncated;
} query_request_detail;

// query_request_detail_begin returns one without a request. names are borrowed.
query_request_detail query_request_detail_begin(const query_names *names);
void query_request_detail_fini(query_request_detail *detail);

// query_request_detail_prepare makes question, whose selection has the id of a request, ask for
// what is needed.
void query_request_detail_prepare(query_request_detail *detail, query_question *question);

// query_request_detail_add adds a request, as on_context of a prepared question. Of several with
// one id the first counts. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_detail_add(
    query_request_detail *detail, const query_answer *answer);

// query_request_detail_read finishes the lists, and reads the parts and the owners from the chunks.
// It is called once a request was found. Errors: as query_listing_each
LP_MUST_USE lp_err query_request_detail_read(query_request_detail *detail,
    const query_sources *sources, query_names *names, const atomic_bool *is_cancelled);

// query_request_detail_thread returns the index of the thread of a part that was read.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_detail_thread(
    query_request_detail *detail, const query_listed *part, uint32_t *out_thread);

// query_request_detail_json makes the object of what was read, and reads the events: *out_json is
// the caller's. Errors: as query_listing_each
LP_MUST_USE lp_err query_request_detail_json(query_request_detail *detail, const char *recording,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json);

#endif // LP_QUERY_REQUEST_DETAIL_H
