// SPDX-License-Identifier: Apache-2.0
// request_types: requests, and what they are found from. requests.h says what the words mean.
//
// Threads: any thread.
// Tests:   tests/unit/engine/requests/test_requests.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_TYPES_H
#define LP_ENGINE_REQUESTS_REQUEST_TYPES_H

#include "common/base/lp_arena.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "engine/request_losses.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Requests that a chunk leaves for the next, and keys. Of more, those that began first are
    // ended.
    COMPACT_REQUESTS_OPEN_MAX = 1 << 18,
    // Parts with keys that are open on one thread. A further one belongs to the thread's request.
    COMPACT_REQUESTS_AT_ONCE_MAX = 64,
    COMPACT_REQUESTS_LINGER_MS = 2000,
    COMPACT_REQUEST_ATTRIBUTES_MAX = 32,  // of a request; further ones are left out
    COMPACT_REQUEST_TEXT_BYTES_MAX = 256, // of a value; the rest of a longer one is cut off. An
                                          // attribute with a longer name is left out
    COMPACT_REQUESTS_TEXTS_BYTES_MAX = 64 << 20, // of the attributes of all requests of a window;
                                                 // further ones are left out
};

static const uint32_t COMPACT_REQUEST_NONE = UINT32_MAX;

// The type of the event that says in the output how many requests there were.
#define COMPACT_REQUEST_ACCOUNT_EVENT "dev.loupe.RequestAccounting"

// Where requests come from. Of parts that begin at one time the one of the later source is first.
typedef enum compact_request_source {
    COMPACT_REQUEST_NESTED, // parts without a key
    COMPACT_REQUEST_BY_ATTRIBUTE,
    COMPACT_REQUEST_BY_API,
} compact_request_source;

typedef struct compact_request_part {
    uint64_t thread; // identity
    int64_t begin;   // ticks
    int64_t end;     // ticks; INT64_MAX while it is open
    uint64_t key;    // 0: none
    uint64_t also;   // a further key, by which parts that begin later name its request; 0: none
    compact_request_source source;
    bool is_rooted; // a root says when requests with such keys begin and end
    // It counts among the parts of its request in this window, and in no other one. If it began
    // before the window, then its time counts from its begin, unless its request was open before.
    bool is_new;
} compact_request_part;

typedef struct compact_root {
    uint64_t key;
    uint64_t thread; // identity
    int64_t ticks;   // before the end of the window
    compact_request_source source;
    bool is_end;
} compact_root;

typedef struct compact_hand_over {
    uint64_t from;  // identity of the thread that handed the task over
    uint64_t to;    // and of the one that took it
    int64_t handed; // ticks
    int64_t taken;
} compact_hand_over;

typedef struct compact_request_attribute {
    const char *name;
    lp_slice text; // as answers have it, UTF-8
} compact_request_attribute;

// How far a request is, where a window ends (*: it is decided only if a policy decides of requests;
// **: and only if that keeps it whole):
//
//                                           is_over  is_counted  was_over  is_guessed  is_decided
//   it is open                                 -         -          -          -           -
//   none of its parts can come any more        -         -          -          -           *
//   it is over in this window                  x         -          -          -           *
//   it was over before, parts may follow       x         x          x          -           *
//   it is over as the session seems to be      x         -          -          x           **
//   the session went on, and it is open        -         x          -          -           **
//   the session went on, and it is over        x         x          -          -           *
typedef struct compact_request {
    uint64_t key;
    uint64_t id;          // as people see it: made of key and begin
    uint64_t thread;      // identity of that on which it began
    int64_t begin;        // ticks
    int64_t end;          // of its last part, or as its root says; up to the end of the window
    int64_t busy_ticks;   // some thread worked for it, between begin and end
    int64_t queued_ticks; // none did, and a task of its waited for a thread
    int64_t worked_until; // ticks; the last time at which a thread worked for it
    uint64_t part_count;  // that began until its end
    compact_request_source source;
    bool has_root;
    bool is_over;    // it counts in this window, or has counted already:
    bool is_counted; // it did in an earlier one
    bool was_over;   // it was over before the window, and parts may still belong to it
    bool is_guessed; // it is over only since the session seems to be: if that goes on, so does it
    bool is_unended; // it is over since the session is, or too many were open, or its key was used
                     // again
    bool goes_on;    // it has a part, or goes on, behind the window
    bool is_carried; // the next window has to know it: it is open, or parts may still belong to it
    // Of the caller, who fills them; carried with a request that goes on.
    const char *type; // name of the first part's type; NULL: not known yet
    compact_request_attribute *attributes;
    size_t attribute_count;
    bool is_kept;       // some part of it is, of this window or an earlier one
    bool has_event;     // something was kept in a part of it, not only the request
    bool is_decided;    // its end was known, and decided on, in an earlier window
    uint8_t kept_by;    // compact_request_kept_by
    uint8_t dropped_by; // compact_request_dropped_by
} compact_request;

// compact_request_add_up adds lengths of time, up to INT64_MAX.
static inline int64_t
compact_request_add_up(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

// compact_request_counts_here returns whether a request counts in the window.
static inline bool
compact_request_counts_here(const compact_request *request)
{
    return request->is_over && !request->is_counted;
}

// How many requests count in a window, and how many of these are kept.
typedef struct compact_request_counts {
    uint64_t in;
    uint64_t out;
} compact_request_counts;

typedef struct compact_stay {
    uint64_t thread;  // identity
    int64_t begin;    // ticks; before the window for what is known late (is_new)
    int64_t end;      // inclusive, up to the first tick behind the window
    uint32_t request; // indexes requests
} compact_stay;

// A time in which a task of a request waited for a thread.
typedef struct compact_wait {
    uint32_t hand_over; // index
    uint32_t request;
} compact_wait;

// A key that means the request of another, or that of an open part that belongs to no request from
// the next window on.
typedef struct compact_joined_key {
    uint64_t key;
    uint64_t to;   // 0: none
    int64_t begin; // ticks; the time of its root, in which its parts count, INT64_MAX: it has none
    int64_t until; // the last tick; INT64_MAX: not known
    bool is_further; // it came to mean the request as a further key
} compact_joined_key;

// What a window leaves for the next.
typedef struct compact_open_requests {
    lp_arena *arena;                   // of types and attributes; fails where memory runs out
    LP_VEC(compact_request) items;     // in the order of their begin
    LP_VEC(compact_joined_key) joined; // to keys of these
} compact_open_requests;

typedef struct compact_requests_input {
    const compact_open_requests *open; // of the window before; NULL: none
    const compact_request_part *parts; // that have something in the window, and those of known
    size_t part_count;
    const compact_root *roots; // of the window, in any order, and those that are known late
    size_t root_count;
    const compact_hand_over *hand_overs; // taken in the window
    size_t hand_over_count;
    int64_t lo;    // the window's first tick, INT64_MIN for the first
    int64_t hi;    // the first behind it
    int64_t known; // parts that begin up to here are known, INT64_MAX: all. Those that begin behind
                   // the window only say which requests go on
    int64_t linger_ticks;
    bool is_last; // the session ends with the window
} compact_requests_input;

typedef struct compact_requests {
    LP_VEC(compact_request) items; // those that are open or end in the window; by begin, then key
    LP_VEC(compact_stay) stays;    // by thread, then begin; those of a thread do not overlap
    LP_VEC(compact_wait) waits;    // in the order of the hand-overs; without those of no request
    LP_VEC(compact_joined_key) joined; // that the next window has to know
    uint32_t *request_of;              // parallel to the parts: an index, or COMPACT_REQUEST_NONE
    compact_request_losses losses;
} compact_requests;

#endif // LP_ENGINE_REQUESTS_REQUEST_TYPES_H
