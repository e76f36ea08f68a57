// SPDX-License-Identifier: Apache-2.0
// request_attributes: the type and the attributes of requests, from those of their parts.
//
// A request has the type of its first part. It has each attribute of each of its parts; where they
// have different values, that of the earlier part.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_JOB_REQUEST_ATTRIBUTES_H
#define LP_ENGINE_JOB_REQUEST_ATTRIBUTES_H

#include "common/base/lp_arena.h"
#include "engine/frame.h"
#include "engine/job/request_parts.h"
#include "engine/requests/requests.h"

// The parts of each request, in the order of their begin.
typedef struct compact_request_members {
    uint32_t *parts; // indexes of parts
    size_t *ends;    // by request: where its parts end
} compact_request_members;

// compact_request_members_find fills out. Errors: as of arena
void compact_request_members_find(const compact_request_parts *parts,
    const compact_requests *requests, lp_arena *arena, compact_request_members *out);

// compact_request_attributes_find adds to each request what its parts in this chunk have. Texts are
// in arena, or are those that were carried. What is left out by COMPACT_REQUESTS_TEXTS_BYTES_MAX is
// counted in requests->losses.over_limit. Errors: as of arena
void compact_request_attributes_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, lp_arena *arena, compact_requests *requests);

#endif // LP_ENGINE_JOB_REQUEST_ATTRIBUTES_H
