// SPDX-License-Identifier: Apache-2.0
// requests: which request each part belongs to, and how long requests took. A pure function.
//
//   part      a context, or a contextual event: a stretch of a thread
//   request   what one outermost unit of work did in a JVM, on whichever threads
//   key       what parts of one request have in common: its id from the API, or the value of an
//             attribute. Most parts have none, and belong to the request that lies around them
//   root      says when a request with a key begins, and when it ends
//   stay      a stretch in which a thread worked for one request
//   hand-over a task that was handed to another thread, and waited for it
//
// Parts of a thread
//
//   A part is open from its begin to its end. One that ends at the tick at which another one begins
//   is not open with it.
//   Of the parts with keys that are open on a thread at one time, the thread works for one that
//   is_rooted, else for the one that began first. The requests of the others are the same request
//   from then on: their keys are joined to its key, for as long as parts may belong to it, and
//   their roots are not looked at. A request that is over stays one of its own. If one of two
//   requests that become the same has a root and the other has none, then it is the one with the
//   root, whichever the thread works for: the keys are joined to its key.
//   A part may have a further key (also). Unless that means a request that is not over where the
//   part begins, it is joined to the key of the part's request; no requests become the same. Nor
//   do two that have roots become so later by a key that means one of them as a further one: where
//   a part with that key begins while the thread works for the other, the key means that one from
//   then on, and where the other begins within such a part, all stay as they are.
//   A part without a key belongs to the request for which its thread works when it begins. If it
//   works for none, the part is a request itself (COMPACT_REQUEST_NESTED), which is over when the
//   part is; so are two that begin at one time, one request. If a part with a key begins within
//   that one, then it is no request: it belongs to the request of the outermost parts with keys in
//   it, if these have one in the window, else to none, with what lies in it. It does not count,
//   neither for times nor among parts.
//
// Requests with a key
//
//   With a root it begins and ends as the root says. Parts that begin up to linger_ticks behind the
//   end belong to it, unless the key begins again. Without a root it begins with its first part
//   that has a key, and is over when none was open for linger_ticks; it ends with the last. A part
//   that comes later is another request with the same key. So is a root that begins while one is
//   open, but where only parts have begun it: then it has a root from then on. Parts whose key
//   is_rooted make no request: where they begin before the root, or later than linger_ticks behind
//   its end, it is as if they were not there. No thread works for them longer.
//
// A request counts in the window in which it is known to be over: where its root ends it, or where
// linger_ticks are over. Where the session ends all are over. The session may only seem to end: if
// windows follow, the requests that were open go on as if it had not ended, and do not count once
// more.
//
// Requests do not depend on where windows are cut, but for what is said to be of a window; for what
// is queued in a task that waits over a border; for how much of the time before two open requests
// were joined in a later window both have worked at once, which counts twice; and for parts that
// outlast their request, or that of which the root's key was joined to.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c,
// tests/unit/engine/requests/test_requests_windows.c,
//          tests/prop/test_requests_prop.c
// Cost:    n log n for n parts, roots, hand-overs and requests, whatever they are
// Memory:  up to 300 bytes for each part, 100 for each hand-over, 600 for each request

#ifndef LP_ENGINE_REQUESTS_REQUESTS_H
#define LP_ENGINE_REQUESTS_REQUESTS_H

#include "common/base/lp_arena.h"
#include "engine/request_reasons.h"
#include "engine/requests/request_types.h"

#include <stdint.h>

// compact_requests_make finds the requests of a window. out is empty, and its arrays are in arena.
// What is of the caller of an open request is a copy of that of input->open, in arena too.
// Errors: as of arena
void compact_requests_make(
    const compact_requests_input *input, lp_arena *arena, compact_requests *out);

// compact_requests_find returns the request for which a thread works at a time of the window;
// COMPACT_REQUEST_NONE: none.
uint32_t compact_requests_find(const compact_requests *requests, uint64_t thread, int64_t ticks);

// compact_requests_count counts the requests that count in the window.
compact_request_counts compact_requests_count(const compact_requests *requests);

// compact_requests_count_reasons counts those by why they are kept or not.
compact_request_reasons compact_requests_count_reasons(const compact_requests *requests);

// compact_requests_carry copies the requests that are carried to out, which is empty but for its
// arena, and what is of the caller with them. Errors: as of out->arena
void compact_requests_carry(const compact_requests *requests, compact_open_requests *out);

#endif // LP_ENGINE_REQUESTS_REQUESTS_H
