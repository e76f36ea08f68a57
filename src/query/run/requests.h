// SPDX-License-Identifier: Apache-2.0
// requests: the requests of a session. A request is an outermost unit of work in the JVM, on any
// number of threads. Two event types describe it:
//
//   dev.loupe.Request    one for each stay of a request in a chunk, and one without a duration if
//                        the request ended in a chunk without a stay. Its numbers describe the
//                        whole request so far: the latest event counts
//   dev.loupe.HandOver   a task of a request was handed to another thread, and waited for it
//
// A stay is an interval in which a thread works for the request. The end of a chunk cuts a stay in
// two, so adjacent stays of a thread for one request are joined.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  128 bytes for each request and about 24 in a table, at most QUERY_REQUESTS_MAX;
//          52 for each stay and 64 for each hand-over, at most QUERY_STAYS_MAX each

#pragma once

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "query/chunk/chunk.h"
#include "query/chunk/threads.h"
#include "query/select/request_id.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    QUERY_REQUESTS_MAX = 1 << 22, // of a session
    QUERY_STAYS_MAX = 1 << 22,    // of a session; also the most hand-overs
    QUERY_NO_REQUEST = UINT32_MAX,
};

// The numbers of the latest event, for the whole request.
typedef struct query_request_facts {
    uint64_t id;
    int64_t duration_ns;
    int64_t busy_ns;      // a thread worked for it
    int64_t queued_ns;    // no thread worked for it, and a task waited for a thread
    int64_t elsewhere_ns; // the rest of duration_ns
    int64_t part_count;   // contexts in it
    // In names.
    uint32_t type;    // of its first part
    uint32_t state;   // open, over, unended
    uint32_t kept_by; // why it was kept
} query_request_facts;

typedef struct query_request {
    query_request_facts facts;
    int64_t begin;        // ticks
    int64_t end;          // ticks; of its last stay. INT64_MIN: no stay
    uint32_t begin_chunk; // with its first event; begin is on this chunk's clock
    uint32_t chunk;       // index in the session of the chunk with its latest event
    uint32_t offset;      // of that event
    uint32_t first_stay;  // in stays_of, after query_requests_finish
    uint32_t stay_count;
    uint32_t first_hand_over; // in hand_overs, after query_requests_finish
    uint32_t hand_over_count;
    uint32_t first_part; // (request_contexts.h)
    uint32_t part_count;
    uint32_t attributes; // index of the first (attributes.h), if the question wants them
    uint8_t attribute_count;
    uint8_t in;     // QUERY_IN_.. bits of the selections that want it
    bool has_facts; // false if only hand-overs name it
} query_request;

typedef struct query_stay {
    int64_t begin;        // ticks; begin and end are inclusive
    int64_t end;          // ticks
    uint64_t thread;      // identity
    uint64_t thread_key;  // in the chunk
    uint32_t chunk;       // index in the session
    uint32_t request;     // indexes items
    uint32_t thread_name; // in names, if the question wants them
} query_stay;

typedef struct query_hand_over {
    int64_t handed; // ticks
    int64_t taken;  // ticks
    uint32_t request;
    uint32_t chunk; // index in the session
    uint32_t offset;
    // In names.
    uint32_t type;
    uint32_t from;   // the thread that handed the task over
    uint32_t to;     // the thread that took it
    uint32_t pool;   // of the thread that took it (pool_name.h)
    int64_t from_id; // Java thread ids; 0: none
    int64_t to_id;
} query_hand_over;

// To begin, set wants_thread_names; all other members are 0.
typedef struct query_requests {
    bool wants_thread_names; // of stays
    LP_VEC(query_request) items;
    LP_VEC(query_stay) stays;           // by thread, then begin, after query_requests_finish
    LP_VEC(uint32_t) stays_of;          // indexes of stays by request, then begin
    LP_VEC(query_hand_over) hand_overs; // by request, then time, after query_requests_finish
    lp_map by_id;
    bool is_truncated; // a limit was reached
} query_requests;

void query_requests_fini(query_requests *requests);

// query_requests_add_stay adds an event of QUERY_ROLE_REQUEST of the session's index-th chunk.
// Writes the index of its request, or QUERY_NO_REQUEST. identity is that of the event's thread, or
// QUERY_NO_THREAD. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_add_stay(query_requests *requests, query_chunk *chunk,
    uint32_t index, const query_event *event, uint64_t identity, uint32_t *out_request);

LP_MUST_USE lp_err query_requests_add_hand_over(
    query_requests *requests, query_chunk *chunk, uint32_t index, const query_event *event);

// query_requests_id_of returns the id of the request of an event of QUERY_ROLE_REQUEST or
// QUERY_ROLE_HAND_OVER; 0 if it has none.
uint64_t query_requests_id_of(query_chunk *chunk, const query_event *event);

// query_requests_finish sorts stays and hand-overs once all chunks are added. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_finish(query_requests *requests, const query_threads *threads);

// query_requests_find returns the request for which a thread works at begin, or else at end;
// QUERY_NO_REQUEST if there is none.
uint32_t query_requests_find(
    const query_requests *requests, uint64_t thread, int64_t begin, int64_t end);

// query_requests_drop drops the requests whose `in` is 0, with their stays and hand-overs. Writes
// the new index of each request, or QUERY_NO_REQUEST, to out_index. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_requests_drop(query_requests *requests, uint32_t *out_index);
