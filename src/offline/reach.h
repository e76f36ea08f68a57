// SPDX-License-Identifier: Apache-2.0
// reach: how far one has to look to decide a chunk.
//
// A chunk needs those behind it that begin soon after its end (engine/job/reach.h). Of the rest it
// needs no more than the contextual events that begin before the first of them (far_contexts.h).
//
// Threads: any thread; pure functions.

#ifndef LP_OFFLINE_REACH_H
#define LP_OFFLINE_REACH_H

#include "offline/pipeline_input.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // Of more chunks than these, which are below 50 ms each, the last are not looked at in time:
    // their events count as late.
    REACH_CHUNKS_MAX = 64,
};

// reach_find sets for each chunk of in, in out_ends, the index behind the last chunk that it needs:
// of its session the next one at least, if there is one.
void reach_find(const pipeline_input *in, size_t *out_ends);

#endif // LP_OFFLINE_REACH_H
