// SPDX-License-Identifier: Apache-2.0
// request_parts: the inner functions of request_step.h: which parts a chunk has for requests.h,
// which contextual events need not be parts, and the types and attributes of requests.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/request/test_request_step.c,
//          tests/unit/engine/job/request/test_request_omitted.c

#pragma once

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/job/rollup/rollup_tally.h"
#include "engine/requests/request_rules.h"
#include "engine/requests/requests.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The input for requests.h: the parts of a chunk, and its signs, which are roots and hand-overs.
//
// The parts are the contexts of the Loupe API, the contextual events of the chunk, and the
// contextual events of later chunks that are open at its end. If the policy names the types that
// are requests, only parts of such requests are listed. If fields of events name requests, the far
// events (frame.h) are left out, because only their threads and times are known.
typedef struct compact_request_parts {
    compact_requests_input input;
    uint32_t *item_of;  // parallel to the parts: index of the context, or of the span
    size_t span_begin;  // the first part that is a span of the chunk; contexts lie before it
    size_t ahead_begin; // the first that is a span of a later chunk
    // Parallel to the spans of the chunk: they are parts of kept requests that the tally has, and
    // whose time is divided. NULL: none is.
    const bool *are_tallied;
    compact_local_requests locals; // whose parts are not listed (requests.h)
    uint64_t signs_left_out; // signs beyond COMPACT_REQUESTS_OPEN_MAX, which belong to later chunks
} compact_request_parts;

// Which contextual events of a chunk need not be parts: their requests only count, or are local.
typedef struct compact_request_omitted {
    uint64_t request_count; // that only count
    compact_local_requests locals;
    // Indexes of the view's spans with a thread that stay: thread by thread, in the order of the
    // chunk.
    LP_VEC(uint32_t) others;
    // Parallel to others: as in compact_request_parts. NULL: no tally
    bool *are_tallied;
} compact_request_omitted;

// compact_request_omitted_find fills out, which is empty, in arena, but its locals in locals_arena.
// The frame has no contexts of the API, and no event of the view has a key. It finds most of the
// requests. With a tally (else NULL) it counts these in tally, and at most
// COMPACT_ROLLUP_DIVIDED_MAX kept ones stay, to be divided. Errors: in both arenas and that of the
// tally. Memory, until it returns: 4 bytes for each contextual event, and 36 for each of the thread
// that has most
void compact_request_omitted_find(const compact_frame *frame, const compact_opened *opened,
    compact_rollup_tally *tally, lp_arena *arena, lp_arena *locals_arena,
    compact_request_omitted *out);

// compact_request_parts_find fills out, in arena, but its locals in locals_arena. decided has the
// kept parts of contexts, and the tally of the requests that are left out. It leaves the signs that
// belong to later chunks in new_carry. Errors: as of both arenas, of new_carry->arena and of the
// arena of the tally
void compact_request_parts_find(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, lp_arena *arena, lp_arena *locals_arena,
    compact_carry *new_carry, compact_request_parts *out);

// compact_request_parts_are_listed returns whether all requests must be listed, because rules or
// options->also look at each.
static inline bool
compact_request_parts_are_listed(const compact_frame *frame)
{
    return frame->options->also != NULL ||
           compact_request_rules_are_set(policy_get_requests(frame->options->policy));
}

// compact_request_parts_are_read returns whether statistics or rules read the parts of all listed
// requests. Otherwise only kept requests matter, and of their attributes only the type.
static inline bool
compact_request_parts_are_read(const compact_frame *frame)
{
    return frame->options->has_rollup || compact_request_parts_are_listed(frame);
}

// The parts of each request, in the order in which they begin.
typedef struct compact_request_members {
    uint32_t *parts; // indexes of parts
    size_t *ends;    // by request: where its parts end
} compact_request_members;

// compact_request_members_find fills out. Errors: in arena
void compact_request_members_find(const compact_request_parts *parts,
    const compact_requests *requests, lp_arena *arena, compact_request_members *out);

// compact_request_types_find gives the kept and the carried requests the type of their first part.
// arena owns the texts. Errors: in arena
void compact_request_types_find(const compact_frame *frame, const compact_request_parts *parts,
    lp_arena *arena, compact_requests *requests);

// compact_request_attributes_find gives each request the type of its first part, and each attribute
// of its parts in this chunk; where two parts differ, the earlier one counts. Attributes beyond
// COMPACT_REQUESTS_TEXTS_BYTES_MAX are left out and counted in requests->losses.over_limit. arena
// owns the new texts. Errors: as of arena
void compact_request_attributes_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, lp_arena *arena, compact_requests *requests);

// --- Intervals (carry.h), whose thread is an identity or an index in view->threads

void compact_intervals_sort(compact_intervals *intervals); // by thread and begin

// compact_intervals_join joins those of a thread that overlap. They are sorted.
void compact_intervals_join(compact_intervals *intervals);

// compact_intervals_find returns the last interval of a thread that begins up to ticks; NULL if
// there is none. The intervals are sorted.
const compact_interval *compact_intervals_find(
    const compact_intervals *intervals, uint64_t thread, int64_t ticks);
