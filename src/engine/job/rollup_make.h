// SPDX-License-Identifier: Apache-2.0
// rollup_make: makes the rollup of a chunk (docs/internals/storage.md#statistics).
//
//   compact_rollup_contexts_count   counts the contexts of the Loupe API, once the chunk is decided
//   compact_rollup_make             makes the rollup, once the chunk is written
//     compact_rollup_divide         divides the time of kept contexts and requests by category
//
// Where memory runs out, the arena of the sums fails.
//
// Threads: one thread at a time for each job.
// Memory:  40 bytes for each kept event that takes time in a divided context; 128 for each divided
//          context

#pragma once

#include "common/rollup/rollup.h"
#include "engine/contexts/contexts.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/context_sums.h"
#include "engine/requests/requests.h"

enum {
    // At most this many kept contextual events of a chunk, parts of contexts, and stays of requests
    // are divided by category. Of more, every second, third ... is divided.
    COMPACT_ROLLUP_DIVIDED_MAX = 1024,
    // Events in all divided contexts of a chunk; an event in several contexts counts in each. If
    // there are more, only every second, third ... context is divided.
    COMPACT_ROLLUP_ROWS_MAX = 1 << 22,
};

// compact_rollup_stride returns n: every n-th of count is divided.
static inline size_t
compact_rollup_stride(size_t count)
{
    return count <= COMPACT_ROLLUP_DIVIDED_MAX
               ? 1
               : (count + COMPACT_ROLLUP_DIVIDED_MAX - 1) / COMPACT_ROLLUP_DIVIDED_MAX;
}

// compact_rollup_contexts_count counts contexts in frame->view->sums, and lists there the parts to
// divide. A context is counted once, in the chunk whose window it ends in: then its duration is
// known, and whether it is kept. Its ids are noted with each chunk that has a part of it, and where
// the session ends even if it is open.
//
// known are the contexts of the new carry before any is forgotten: the first ones of frame. parts
// are the decided ones.
void compact_rollup_contexts_count(
    const compact_frame *frame, const compact_contexts *known, const compact_parts *parts);

// compact_rollup_divide adds the times of kept contexts to frame->view->sums, and the times of kept
// requests (NULL: none) to out. The time of a context is divided (time_split.h) by the kept events
// of the chunk that were committed in it on its thread, and by the pauses of the JVM; that of a
// request by its stays. If only some stays are divided, their time stands for the others too.
//
// An event counts with the chunk that stores it. The time of a context before the chunk is left
// out, and so is the time of an event before the part of a context of the Loupe API.
void compact_rollup_divide(
    const compact_frame *frame, const compact_requests *requests, rollup *out);

// compact_rollup_make adds to out, which is empty, what frame->view->sums have counted, the kept
// events and contexts, and the requests of decided. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_rollup_make(
    const compact_frame *frame, const compact_decided *decided, rollup *out);

// --- Requests (rollup_requests.c)
//
// A request counts once, as a whole, in the chunk in whose window its end becomes known: with its
// duration, the values of its attributes, and whether it is kept. For a kept request, the times
// count in which its tasks were queued and in which it was elsewhere; the work of its threads
// counts with each chunk that has stays of it. A request without known parts has the type
// COMPACT_REQUEST_UNKNOWN_TYPE.

#define COMPACT_REQUEST_UNKNOWN_TYPE "dev.loupe.Request"

// compact_rollup_requests_count adds to out the requests that count in the window of a frame with
// sums. Their types, attributes and fates are set. If memory runs out, out's arena fails.
void compact_rollup_requests_count(
    const compact_frame *frame, const compact_requests *requests, rollup *out);

// compact_rollup_add_slice finds or adds slice index of the chunk in a type. NULL if memory ran
// out, or the time of the slice overflows.
rollup_slice *compact_rollup_add_slice(
    const compact_frame *frame, rollup *out, rollup_type *type, size_t index);

// compact_rollup_requests_add adds numbers to the type of a request and to the values of its
// attributes. Returns the type; NULL if it is left out or memory ran out.
rollup_type *compact_rollup_requests_add(
    rollup *out, const compact_request *request, const rollup_numbers *numbers);
