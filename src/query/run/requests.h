// SPDX-License-Identifier: Apache-2.0
// requests: the requests of a session, as its recording describes them: what one outermost unit of
// work did in the JVM, on whichever threads.
//
//   dev.loupe.Request    one for each stay of a request in a chunk, and one without a duration
//                        where a request ended in a chunk in which it has none. Its numbers are
//                        those of the whole request so far: of several events the latest counts
//   dev.loupe.HandOver   a task of a request was handed to another thread, and waited for it
//
// A stay is a stretch in which a thread works for the request. It is cut at the end of a chunk:
// stays of a thread for one request that follow each other are one stay.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  128 bytes for each request and some 24 in a table, of which QUERY_REQUESTS_MAX are
//          remembered; 52 for each stay, 64 for each hand-over, of which QUERY_STAYS_MAX are

#ifndef LP_QUERY_REQUESTS_H
#define LP_QUERY_REQUESTS_H

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"
#include "query/chunk/threads.h"
#include "query/select/request_id.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    QUERY_REQUESTS_MAX = 1 << 22, // of a session
    QUERY_STAYS_MAX = 1 << 22,    // of a session; and so many hand-overs
    QUERY_NO_REQUEST = UINT32_MAX,
};

// What the latest event says of the whole request.
typedef struct query_request_facts {
    uint64_t id;
    int64_t duration_ns;
    int64_t busy_ns;      // some thread worked for it
    int64_t queued_ns;    // none did, and a task of it waited for a thread
    int64_t elsewhere_ns; // the rest
    int64_t part_count;   // contexts in it
    // These are numbers of names.
    uint32_t type;    // of its first part
    uint32_t state;   // open, over, unended
    uint32_t kept_by; // why it was kept
} query_request_facts;

typedef struct query_request {
    query_request_facts facts;
    int64_t begin;        // ticks
    int64_t end;          // ticks; of its last stay. INT64_MIN: it has none
    uint32_t begin_chunk; // that has its first event: by its clock it began
    uint32_t chunk;       // that has its latest event; counts in the session
    uint32_t offset;      // of that event
    uint32_t first_stay;  // in stays_of, once they are finished
    uint32_t stay_count;
    uint32_t first_hand_over; // in hand_overs, then
    uint32_t hand_over_count;
    uint32_t first_part; // (request_contexts.h)
    uint32_t part_count;
    uint32_t attributes; // where they begin (attributes.h), if they are asked for
    uint8_t attribute_count;
    uint8_t in;     // QUERY_IN_.. bits: whose it is
    bool has_facts; // an event of it was read; else only hand-overs name it
} query_request;

typedef struct query_stay {
    int64_t begin;        // ticks; both ends belong to it
    int64_t end;          // ticks
    uint64_t thread;      // identity
    uint64_t thread_key;  // by which the chunk names it
    uint32_t chunk;       // that has its event; counts in the session
    uint32_t request;     // indexes items
    uint32_t thread_name; // its number, if names of threads are asked for
} query_stay;

typedef struct query_hand_over {
    int64_t handed; // ticks
    int64_t taken;  // ticks
    uint32_t request;
    uint32_t chunk; // that has its event; counts in the session
    uint32_t offset;
    // These are numbers of names.
    uint32_t type;
    uint32_t from;   // the thread that handed the task over
    uint32_t to;     // that which took it
    uint32_t pool;   // of that (pool_name.h)
    int64_t from_id; // Java thread ids; 0: none
    int64_t to_id;
} query_hand_over;

// With what the caller sets and nothing else it is empty.
typedef struct query_requests {
    bool wants_thread_names; // the caller's: of stays
    LP_VEC(query_request) items;
    LP_VEC(query_stay) stays;           // by thread, then begin, once they are finished
    LP_VEC(uint32_t) stays_of;          // these by request, then begin
    LP_VEC(query_hand_over) hand_overs; // by request, then time, once they are finished
    lp_map by_id;
    bool is_truncated; // there were more
} query_requests;

void query_requests_fini(query_requests *requests);

// query_requests_add_stay adds an event of QUERY_ROLE_REQUEST of the session's index-th chunk, and
// writes the request that it is about, or QUERY_NO_REQUEST. identity is that of its thread, or
// QUERY_NO_THREAD. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_add_stay(query_requests *requests, query_chunk *chunk,
    uint32_t index, const query_event *event, uint64_t identity, uint32_t *out_request);

// query_requests_add_hand_over adds an event of QUERY_ROLE_HAND_OVER. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_add_hand_over(
    query_requests *requests, query_chunk *chunk, uint32_t index, const query_event *event);

// query_requests_id_of returns the id of the request that an event of QUERY_ROLE_REQUEST or
// QUERY_ROLE_HAND_OVER is about, 0 if it does not say. It is for chunks of which nothing is added.
uint64_t query_requests_id_of(query_chunk *chunk, const query_event *event);

// query_requests_finish puts all in order once the events of all chunks were added.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_finish(query_requests *requests, const query_threads *threads);

// query_requests_find returns the request for which a thread works at the begin of a part of it,
// or at its end if it works for none then. QUERY_NO_REQUEST: for none.
uint32_t query_requests_find(
    const query_requests *requests, uint64_t thread, int64_t begin, int64_t end);

// query_requests_drop drops the requests that are of nobody (in is 0), with their stays and
// hand-overs, and writes to out_index, which has one for each request, their indexes then, or
// QUERY_NO_REQUEST. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_drop(query_requests *requests, uint32_t *out_index);

#endif // LP_QUERY_REQUESTS_H
