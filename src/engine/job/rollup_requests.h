// SPDX-License-Identifier: Apache-2.0
// rollup_requests: counts the requests of a chunk for its rollup.
//
// A request counts once, as a whole, in the chunk in whose window its end becomes known: with its
// duration, the values of its attributes, and whether it is kept. For a kept request, the times
// count in which its tasks were queued and in which it was elsewhere; the work of its threads
// counts with each chunk that has stays of it (rollup_make.h).
//
// A request without known parts has the type COMPACT_REQUEST_UNKNOWN_TYPE.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_requests.c, tests/prop/test_rollup_prop.c

#pragma once

#include "common/rollup/rollup.h"
#include "engine/frame.h"
#include "engine/requests/requests.h"

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
