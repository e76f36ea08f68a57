// SPDX-License-Identifier: Apache-2.0
// request_types: requests, and the input and output of requests.h, which defines the words.
//
// Threads: plain values.
// Tests:   tests/unit/engine/requests/test_requests.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "engine/request_losses.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Requests, and joined keys, that a window carries to the next. Further requests are ended,
    // oldest first.
    COMPACT_REQUESTS_OPEN_MAX = 1 << 18,
    // Open parts with keys on one thread. A further one belongs to the thread's request.
    COMPACT_REQUESTS_AT_ONCE_MAX = 64,
    COMPACT_REQUESTS_LINGER_MS = 2000,
    COMPACT_REQUEST_ATTRIBUTES_MAX = 32,         // of a request; further ones are dropped
    COMPACT_REQUEST_TEXT_BYTES_MAX = 256,        // longer values are cut; longer names dropped
    COMPACT_REQUESTS_TEXTS_BYTES_MAX = 64 << 20, // attributes of a window; further ones are dropped
};

static const uint32_t COMPACT_REQUEST_NONE = UINT32_MAX;

// The type of the output's event that counts requests.
#define COMPACT_REQUEST_ACCOUNT_EVENT "dev.loupe.RequestAccounting"

// Where a request's key comes from. Parts that begin at one time are ordered by descending source.
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
    uint64_t also;   // a further key, with which later parts may name its request; 0: none
    compact_request_source source;
    bool is_rooted; // roots begin and end the requests with such keys
    // The part counts among its request's parts in this window only. If it began before the window,
    // its time counts from its begin, unless its request was open before.
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
    uint64_t to;    // identity of the thread that took it
    int64_t handed; // ticks
    int64_t taken;
} compact_hand_over;

typedef struct compact_request_attribute {
    const char *name;
    lp_slice text; // UTF-8, as query answers show it
} compact_request_attribute;

// The state of a request at the end of a window (*: only if the policy decides requests; **: and
// only if it keeps this one whole):
//
//                                             is_over  is_counted  was_over  is_guessed  is_decided
//   open                                         -         -          -          -           -
//   open, but no part can follow                 -         -          -          -           *
//   over in this window                          x         -          -          -           *
//   over in an earlier one; parts may follow     x         x          x          -           *
//   over, as the session seems to be             x         -          -          x           **
//   open again, as the session went on           -         x          -          -           **
//   over after the session went on               x         x          -          -           *
typedef struct compact_request {
    uint64_t key;
    uint64_t id;          // as users see it: made from key and begin
    uint64_t thread;      // identity of the thread on which it began
    int64_t begin;        // ticks
    int64_t end;          // of its root, or its last part; up to the end of the window
    int64_t busy_ticks;   // time in which some thread worked for it, between begin and end
    int64_t queued_ticks; // time in which none did, and a task of it waited for a thread
    int64_t worked_until; // ticks; the last time at which a thread worked for it
    uint64_t part_count;  // parts that began until its end
    compact_request_source source;
    bool has_root;
    bool is_over;    // it counts in this window, or counted in an earlier one
    bool is_counted; // it counted in an earlier window
    bool was_over;   // it was over before the window, and parts may still follow
    bool is_guessed; // it is over only because the session seems to be; it may go on
    bool is_unended; // it is over without an end: the session ended, too many requests were open,
                     // or its key began another one
    bool goes_on;    // it lasts longer than the window
    bool is_carried; // the next window needs it: it is open, or parts may still follow
    // The caller sets the following members; requests that are carried keep them.
    const char *type; // name of the first part's type; NULL: not known yet
    compact_request_attribute *attributes;
    size_t attribute_count;
    bool is_kept;       // some part is kept, in this window or an earlier one
    bool has_event;     // something other than the request was kept in a part
    bool is_decided;    // an earlier window knew its end, and decided it
    uint8_t kept_by;    // compact_request_kept_by
    uint8_t dropped_by; // compact_request_dropped_by
} compact_request;

// compact_request_add_up returns the sum of two lengths of time; INT64_MAX if it overflows.
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

typedef struct compact_request_counts {
    uint64_t in;  // requests that count in a window
    uint64_t out; // those that are kept
} compact_request_counts;

typedef struct compact_stay {
    uint64_t thread;  // identity
    int64_t begin;    // ticks; may lie before the window if the part is_new
    int64_t end;      // inclusive, up to the window's hi
    uint32_t request; // index
} compact_stay;

// A time in which a task of a request waited for a thread.
typedef struct compact_wait {
    uint32_t hand_over; // index
    uint32_t request;
} compact_wait;

// A key that means another key's request; or the key of an open part that belongs to no request
// from the next window on.
typedef struct compact_joined_key {
    uint64_t key;
    uint64_t to;     // the other key; 0: none
    int64_t begin;   // ticks; of its root's time (root_times.h); INT64_MAX: it has no root
    int64_t until;   // the last tick of that time; INT64_MAX: not known
    bool is_further; // it means the request as a further key
} compact_joined_key;

// The requests that a window carries to the next.
typedef struct compact_open_requests {
    lp_arena *arena;                   // of the texts and arrays; has errors
    LP_VEC(compact_request) items;     // by begin
    LP_VEC(compact_joined_key) joined; // to keys of these
} compact_open_requests;

typedef struct compact_requests_input {
    const compact_open_requests *open; // of the previous window; NULL: none
    const compact_request_part *parts; // that overlap the window, or begin after it up to known
    size_t part_count;
    const compact_root *roots; // of the window, in any order, and earlier ones that came late
    size_t root_count;
    const compact_hand_over *hand_overs; // taken in the window
    size_t hand_over_count;
    int64_t lo;    // the window's first tick; INT64_MIN for the first window
    int64_t hi;    // the first tick after the window
    int64_t known; // all parts that begin up to here are in parts; INT64_MAX: all parts. Parts that
                   // begin after the window only keep their requests open
    int64_t linger_ticks;
    bool is_last; // the session ends with the window
} compact_requests_input;

typedef struct compact_requests {
    LP_VEC(compact_request) items;     // that are open or end in the window; by begin, then key
    LP_VEC(compact_stay) stays;        // by thread, then begin; a thread's do not overlap
    LP_VEC(compact_wait) waits;        // by hand-over; only of hand-overs that have a request
    LP_VEC(compact_joined_key) joined; // that the next window needs
    uint32_t *request_of;              // parallel to parts: an index, or COMPACT_REQUEST_NONE
    compact_request_losses losses;
} compact_requests;

// compact_requests_find returns the request for which a thread works at ticks, which lie in the
// window; COMPACT_REQUEST_NONE: none.
uint32_t compact_requests_find(const compact_requests *requests, uint64_t thread, int64_t ticks);
