// SPDX-License-Identifier: Apache-2.0
// reach: how far one has to look to decide a chunk.
//
// Events are stored up to COMPACT_LATENESS_MS late: so a chunk needs those behind it that begin as
// soon after its end, and a second more where the policy samples, for samples are of whole seconds.
// Of the rest it needs no more than the contextual events that begin before the first of them
// (far_contexts.h).
//
// Threads: any thread; pure functions.

#ifndef LP_OFFLINE_REACH_H
#define LP_OFFLINE_REACH_H

#include "engine/clock.h"
#include "offline/pipeline_input.h"

#include <stddef.h>
#include <stdint.h>

enum {
    REACH_SAMPLES_MS = 1000,
    // Of more chunks than these, which are below 32 ms each, the last are not looked at in time:
    // their events count as late.
    REACH_CHUNKS_MAX = 64,
};

// reach_find sets for each chunk of in, in out_ends, the index behind the last chunk that it needs:
// of its session the next one at least, if there is one.
void reach_find(const pipeline_input *in, size_t *out_ends);

#endif // LP_OFFLINE_REACH_H
