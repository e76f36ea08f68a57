// SPDX-License-Identifier: Apache-2.0
// request_keep: which requests of a chunk are kept, and the parts that are kept or dropped for
// them.
//
// A request is decided with the chunk in which its end is known. One that goes on behind the chunk,
// or is open where the session ends, is kept as far as it has come, if the policy asks for whole
// requests.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_JOB_REQUEST_KEEP_H
#define LP_ENGINE_JOB_REQUEST_KEEP_H

#include "common/base/lp_arena.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/job/request_attributes.h"
#include "engine/job/request_parts.h"
#include "engine/requests/request_rules.h"

// compact_request_keep_find notes which requests have parts that are kept, whatever the policy says
// of requests.
void compact_request_keep_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_decided *decided, compact_requests *requests);

// compact_request_keep_decide decides the requests by the policy, if it says something of them, and
// changes what is kept in decided->parts and in the view. Errors: as of arena
void compact_request_keep_decide(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, compact_request_rules *rules, lp_arena *arena,
    compact_requests *requests, compact_decided *decided);

// compact_request_keep_begin notes which contextual events are kept by now: for what happened in
// them. compact_request_keep_end lists those that are kept after the fates of others were changed.
// Errors: as of arena
void compact_request_keep_begin(
    const compact_frame *frame, lp_arena *arena, compact_decided *decided);
void compact_request_keep_end(const compact_frame *frame, lp_arena *arena);

#endif // LP_ENGINE_JOB_REQUEST_KEEP_H
