// SPDX-License-Identifier: Apache-2.0
// request_parts: the parts, the roots and the hand-overs of a chunk, as requests.h asks for them.
//
// Parts are the contexts of the Loupe API and the contextual events of the chunk, and the
// contextual events of chunks behind that are open where it ends. Where the policy names the type
// that is a request, only the parts of such requests are there. Of chunks so far behind that only
// the times of their events are known (compact_frame's far) nothing is there if events name their
// requests: theirs is not known yet.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_JOB_REQUEST_PARTS_H
#define LP_ENGINE_JOB_REQUEST_PARTS_H

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/requests/requests.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_request_parts {
    compact_requests_input input;
    uint32_t *item_of;       // parallel to the parts: index of the context, or of the span
    size_t span_begin;       // the first part that is a span of the chunk; contexts lie before it
    size_t ahead_begin;      // the first that is one of a chunk behind
    uint64_t signs_left_out; // of later chunks, beyond COMPACT_REQUESTS_OPEN_MAX
} compact_request_parts;

// compact_request_parts_find fills out, in arena, and leaves in new_carry the signs that belong to
// later chunks, and up to where all were known.
// Errors: as of arena, and of new_carry->arena
void compact_request_parts_find(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_carry *new_carry, compact_request_parts *out);

#endif // LP_ENGINE_JOB_REQUEST_PARTS_H
