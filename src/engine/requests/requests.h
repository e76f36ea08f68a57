// SPDX-License-Identifier: Apache-2.0
// requests: finds the request of each part, and how long requests took. A pure function.
//
//   part      a context, or a contextual event: a time of a thread
//   request   one outermost unit of work in a JVM, on any number of threads
//   key       identifies a request. Its parts share the key: its id from the API, or the value of
//             an attribute. Most parts have no key, and belong to the request around them
//   root      a record that begins or ends a request with a key
//   stay      a time in which a thread worked for one request
//   hand-over a task that was handed to another thread, and the time it waited for that thread
//
// Parts of a thread
//
//   A part is open from its begin to its end. If a part ends at the tick at which another part
//   begins, the two are not open together.
//
//   If several parts with keys are open on a thread, the thread works for one of them: the one that
//   began first among those that are is_rooted, or among all if none is. The requests of the parts
//   become the request of this part: the other keys are joined to its key as long as parts may
//   belong to the request, and the roots of the other keys are ignored. A request that is over is
//   not joined. If only one of two joined requests has a root, the request without a root is joined
//   to it, even if the thread works for the request without a root.
//
//   A part may have a further key (`also`). The further key is joined to the key of the part's
//   request, unless the further key means a request that is not over when the part begins. A
//   further key never joins two requests. If a key means request A only as a further key, and A and
//   a request B have roots, the key does not join them later either. If a part with this key begins
//   while the thread works for B, the key means B from then on. If B begins within a part with this
//   key, the key still means A.
//
//   A part without a key belongs to the request for which its thread works when the part begins. If
//   the thread works for none, the part is a request itself (COMPACT_REQUEST_NESTED), which is over
//   when the part ends. Two such parts that begin at the same tick are one request.
//
//   If a part with a key begins within a part that would be such a request, the outer part is a
//   shell and no request. A shell and the keyless parts in it belong to the request of the
//   outermost parts with keys in it. If these parts have several requests in the window, the shell
//   belongs to none. A shell and its keyless parts do not count for times or among parts.
//
// Requests with a key
//
//   A request with a root begins and ends as the root says. Parts that begin up to linger_ticks
//   after its end belong to it, unless the key begins again.
//
//   A request without a root begins with its first part that has a key, and ends with its last
//   part. It is over when no part was open for linger_ticks. A later part with the key begins
//   another request. If a root begins while the key's request is open, an open request without a
//   root gets this root. If the open request has a root, the new root begins another request.
//
//   Parts whose key is_rooted begin no request. They are ignored if they begin before the root, or
//   later than linger_ticks after its end. After that time no thread works for them.
//
// A request counts in the window in which it is known to be over: when its root ends it, or when
// linger_ticks have passed. At the end of the session all requests are over. If further windows
// follow nevertheless, the requests that were open go on, and do not count again.
//
// The result does not depend on where windows are cut, except for:
// - counts and times that are defined by window
// - the queued time of a task that waits across a border
// - two open requests that a later window joins: time in which both worked counts twice
// - parts that last longer than their request, or than the request to which their root's key was
//   joined
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c, tests/prop/test_requests_prop.c
// Cost:    n log n for n parts, roots, hand-overs and requests
// Memory:  up to 300 bytes for each part, 100 for each hand-over, 600 for each request

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "engine/request_losses.h"
#include "engine/request_reasons.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // The most requests, and joined keys, that a window carries to the next one. If there are more,
    // the oldest are ended.
    COMPACT_REQUESTS_OPEN_MAX = 1 << 18,
    // The most open parts with keys on one thread. A further part belongs to the thread's request.
    COMPACT_REQUESTS_AT_ONCE_MAX = 64,
    COMPACT_REQUESTS_LINGER_MS = 2000,
    COMPACT_REQUEST_ATTRIBUTES_MAX = 32,         // of a request; further ones are dropped
    COMPACT_REQUEST_TEXT_BYTES_MAX = 256,        // longer values are cut; longer names dropped
    COMPACT_REQUESTS_TEXTS_BYTES_MAX = 64 << 20, // attributes of a window; further ones are dropped
};

static const uint32_t COMPACT_REQUEST_NONE = UINT32_MAX;

// The type of the output's event that counts requests.
#define COMPACT_REQUEST_ACCOUNT_EVENT "dev.loupe.RequestAccounting"

// The source of a request's key. Parts that begin at the same tick are ordered by descending
// source.
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
    bool is_kept;   // its request becomes is_kept, has_event, and kept_by its parts
    // This is the one window in which the part counts among its request's parts. If the part began
    // earlier, its time counts from its begin, unless its request was already open.
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

// The state of a request at the end of a window. * means: only if the policy decides requests. **
// means: only if the policy decides requests, and keeps this request whole.
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
    int64_t end;          // of its root, or else its last part; at most the window's end
    int64_t busy_ticks;   // time in which some thread worked for it, between begin and end
    int64_t queued_ticks; // no thread worked for it, and a task of it waited for a thread
    int64_t worked_until; // ticks; the last time at which a thread worked for it
    uint64_t part_count;  // parts that began until its end
    compact_request_source source;
    bool has_root;
    bool is_over;    // it counts in this window, or counted in an earlier one
    bool is_counted; // it counted in an earlier window
    bool was_over;   // it was over before the window, and parts may still follow
    bool is_guessed; // it is over only because the session seems over; both may go on
    bool is_unended; // it is over without an end: the session ended, too many requests were open,
                     // or its key began another request
    bool goes_on;    // it lasts longer than the window
    bool is_carried; // the next window needs it: it is open, or parts may still follow
    // The caller sets the following members; requests that are carried keep them. Kept parts set
    // is_kept, has_event and kept_by.
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
    uint64_t out; // requests of `in` that are kept
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

// A kept request of parts without keys. They are events of one thread of the chunk, which begin and
// end in the window, and share no time with parts of other requests.
typedef struct compact_local_request {
    int64_t begin; // of its first part, and the end of that part
    int64_t end;
    uint32_t offset; // of the event that is its first part, in the chunk
    uint32_t thread; // index of the chunk's threads: the first with its identity
    uint32_t part_count;
} compact_local_request;

typedef LP_VEC(compact_local_request) compact_local_requests;

// compact_requests_nested_key returns the key and id of the request that a part without a key is.
static inline uint64_t
compact_requests_nested_key(uint64_t thread, int64_t begin)
{
    uint64_t key = lp_hash_number(LP_HASH_FIXED_NUMBER, thread);
    return lp_hash_number(LP_HASH_FIXED_NUMBER, key ^ (uint64_t)begin);
}

// A key that means the request of another key; or the key of an open part that belongs to no
// request from the next window on.
typedef struct compact_joined_key {
    uint64_t key;
    uint64_t to;     // the other key; 0: none
    int64_t begin;   // ticks; of its root's time (request_steps.h); INT64_MAX: it has no root
    int64_t until;   // the last tick of its root's time; INT64_MAX: not known
    bool is_further; // it means the request as a further key
} compact_joined_key;

// The requests that a window carries to the next.
typedef struct compact_open_requests {
    lp_arena *arena;                   // of the texts and arrays; has errors
    LP_VEC(compact_request) items;     // by begin
    LP_VEC(compact_joined_key) joined; // to keys of items
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
                   // begin after the window keep their requests open, and do nothing else
    int64_t linger_ticks;
    bool is_last; // the session ends with the window
    // The result does not list requests of parts without keys that are over, and of which no part
    // is_kept. They only count. It lists them nevertheless if there are hand-overs.
    bool omits_dropped;
    uint64_t omitted; // such requests whose parts are not in parts
} compact_requests_input;

// compact_requests_input_check asserts that input has the arrays that it counts.
static inline void
compact_requests_input_check(const compact_requests_input *input)
{
    LP_ASSERT(input->part_count == 0 || input->parts != NULL);
    LP_ASSERT(input->root_count == 0 || input->roots != NULL);
    LP_ASSERT(input->hand_over_count == 0 || input->hand_overs != NULL);
}

typedef struct compact_requests {
    LP_VEC(compact_request) items;     // that are open or end in the window; by begin, then key
    LP_VEC(compact_stay) stays;        // by thread, then begin; a thread's do not overlap
    LP_VEC(compact_wait) waits;        // by hand-over; only of hand-overs that have a request
    LP_VEC(compact_joined_key) joined; // that the next window needs
    uint32_t *request_of;              // parallel to parts: an index, or COMPACT_REQUEST_NONE
    uint64_t omitted;                  // requests that count in the window, but are in no list
    // That are not in items, and only if nothing but the output and counts needs them. The caller
    // sets them. By descending identity of the thread, then by descending begin.
    compact_local_requests locals;
    compact_request_losses losses;
} compact_requests;

// compact_requests_find returns the request for which a thread works at ticks;
// COMPACT_REQUEST_NONE: none. ticks must lie in the window.
uint32_t compact_requests_find(const compact_requests *requests, uint64_t thread, int64_t ticks);

// compact_requests_make finds the requests of a window. out must be empty; its arrays and texts are
// in arena. Carried requests keep the members that the caller set in input->open. Errors: in arena
void compact_requests_make(
    const compact_requests_input *input, lp_arena *arena, compact_requests *out);

compact_request_counts compact_requests_count(const compact_requests *requests);

// compact_requests_count_reasons returns why the requests of the window are kept or dropped.
compact_request_reasons compact_requests_count_reasons(const compact_requests *requests);

// compact_requests_carry copies the requests that are carried, with the members that the caller
// set, to out, of which only arena is set. Errors: in out->arena
void compact_requests_carry(const compact_requests *requests, compact_open_requests *out);
