// SPDX-License-Identifier: Apache-2.0
// requests: which request each part belongs to, and how long requests took. A pure function.
//
//   part      a context, or a contextual event: a time of a thread
//   request   one outermost unit of work in a JVM, on any number of threads
//   key       parts of one request share it: its id from the API, or the value of an attribute.
//             Most parts have none, and belong to the request around them
//   root      begins or ends a request with a key
//   stay      a time in which a thread worked for one request
//   hand-over a task that was handed to another thread, and waited for it
//
// Parts of a thread
//
//   A part is open from its begin to its end. If it ends at the tick at which another one begins,
//   the two are not open together.
//   If several parts with keys are open on a thread, the thread works for one that is_rooted, else
//   for the one that began first. The other parts' requests become the same request: their keys are
//   joined to its key, as long as parts may belong to it, and their roots are ignored. A request
//   that is over is not joined. If only one of two joined requests has a root, it is the one that
//   stays, even if the thread works for the other.
//   A part may have a further key (also). This is joined to the key of the part's request, unless
//   it means a request that is not over when the part begins; requests are not joined by this. Nor
//   does a key that means a request as a further key join two requests with roots later. If a part
//   with that key begins while the thread works for the other request, the key means that one from
//   then on. If the other request begins within such a part, nothing changes.
//   A part without a key belongs to the request for which its thread works when it begins. If there
//   is none, the part is a request itself (COMPACT_REQUEST_NESTED), which is over when the part is;
//   two that begin at one time are one request. If a part with a key begins within such a part,
//   this is a shell and no request. A shell and the keyless parts in it belong to the request of
//   the outermost parts with keys in it, if these have only one in the window, else to none. They
//   count neither for times nor among parts.
//
// Requests with a key
//
//   A request with a root begins and ends as the root says. Parts that begin up to linger_ticks
//   after the end belong to it, unless the key begins again. A request without a root begins with
//   its first part that has a key, ends with its last, and is over when no part was open for
//   linger_ticks. A later part begins another request with the same key. So does a root that begins
//   while the key's request is open, unless only parts have begun that: then it gets the root.
//   Parts whose key is_rooted begin no request. They are ignored if they begin before the root, or
//   later than linger_ticks after its end, and no thread works for them longer.
//
// A request counts in the window in which it is known to be over: when its root ends it, or when
// linger_ticks have passed. At the end of the session all requests are over. If windows follow all
// the same, the requests that were open go on, and do not count again.
//
// Requests do not depend on where windows are cut, except for
// - counts and times that are defined by window
// - the queued time of a task that waits over a border
// - two open requests that a later window joins: time in which both worked counts twice
// - parts that outlast their request, or the request to which their root's key was joined
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c, tests/prop/test_requests_prop.c
// Cost:    n log n for n parts, roots, hand-overs and requests
// Memory:  up to 300 bytes for each part, 100 for each hand-over, 600 for each request

#pragma once

#include "common/base/lp_arena.h"
#include "engine/request_reasons.h"
#include "engine/requests/request_types.h"

#include <stdint.h>

// compact_requests_make finds the requests of a window. out is empty; its arrays and texts are in
// arena. A carried request has copies of the caller's members in input->open. Errors: as of arena
void compact_requests_make(
    const compact_requests_input *input, lp_arena *arena, compact_requests *out);

// compact_requests_count returns the counts of the window's requests.
compact_request_counts compact_requests_count(const compact_requests *requests);

// compact_requests_count_reasons returns why these are kept or dropped.
compact_request_reasons compact_requests_count_reasons(const compact_requests *requests);

// compact_requests_carry copies the requests that are carried, with the caller's members, to out,
// of which only arena is set. Errors: as of out->arena
void compact_requests_carry(const compact_requests *requests, compact_open_requests *out);
