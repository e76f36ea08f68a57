// SPDX-License-Identifier: Apache-2.0
// reach: how far one has to look to decide a chunk.
//
// A chunk needs those behind it that begin soon after its end (engine/job/reach.h). Of the rest it
// needs no more than the contextual events that begin before the first of them (far_contexts.h).
//
// Threads: any thread; once it is found, nobody changes it.
// Memory:  32 bytes for each chunk.

#ifndef LP_OFFLINE_REACH_H
#define LP_OFFLINE_REACH_H

#include "common/base/lp_err.h"
#include "offline/pipeline_input.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // Of more chunks than these, which are below 50 ms each, the last are not looked at in time:
    // their events count as late.
    REACH_CHUNKS_MAX = 64,
};

// Where a chunk starts.
typedef struct reach_start {
    int64_t ticks;
    int64_t ticks_per_s; // 0: its header cannot be read
    size_t next; // the first chunk from this on of which it can be; the number of chunks: none
} reach_start;

typedef struct chunk_reach {
    reach_start *starts; // by chunk, and one for the end
    size_t *ends;        // by chunk: behind the last chunk that it needs; of its session the next
                         // one at least, if there is one
} chunk_reach;

// reach_find finds where the chunks of in start and how far they reach. A chunk counts of which no
// more than the header can be read.
// Owns:   the caller ends *out_reach with reach_fini, also after an error.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err reach_find(const pipeline_input *in, chunk_reach *out_reach);

// reach_fini takes a zeroed one, too.
void reach_fini(chunk_reach *reach);

#endif // LP_OFFLINE_REACH_H
