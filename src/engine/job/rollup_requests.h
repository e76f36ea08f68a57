// SPDX-License-Identifier: Apache-2.0
// rollup_requests: counts the requests of a chunk for its rollup. Each counts once, in the chunk in
// whose window it is known to be over, whole, however many chunks it spans: with its duration, the
// values of its attributes, and whether it is kept. Of a kept one also count how long its tasks
// were queued, and how long it was elsewhere; what its threads did counts with each chunk that has
// stays of it (rollup_make.h).
//
// A request whose type is not known, since no part of it is, has COMPACT_REQUEST_UNKNOWN_TYPE.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_rollup_requests.c, tests/prop/test_rollup_prop.c

#ifndef LP_ENGINE_JOB_ROLLUP_REQUESTS_H
#define LP_ENGINE_JOB_ROLLUP_REQUESTS_H

#include "common/rollup/rollup.h"
#include "engine/frame.h"
#include "engine/requests/requests.h"

#define COMPACT_REQUEST_UNKNOWN_TYPE "dev.loupe.Request"

// compact_rollup_requests_count adds to out the requests that count in the window of a frame with
// sums. What is of the caller of the requests is filled in. Where memory runs out, out's arena
// fails.
void compact_rollup_requests_count(
    const compact_frame *frame, const compact_requests *requests, rollup *out);

// compact_rollup_add_slice finds or adds the slice of a type that is the chunk's index-th. NULL if
// memory ran out.
rollup_slice *compact_rollup_add_slice(
    const compact_frame *frame, rollup *out, rollup_type *type, size_t index);

// compact_rollup_requests_add adds numbers to the type of a request and to the values of its
// attributes. NULL where the type is left out, or memory ran out.
rollup_type *compact_rollup_requests_add(
    rollup *out, const compact_request *request, const rollup_numbers *numbers);

#endif // LP_ENGINE_JOB_ROLLUP_REQUESTS_H
