// SPDX-License-Identifier: Apache-2.0

// trace_keep: finds the chunks that other parts of kept traces are in. If a chunk of a service
// whose file says `trace whole` (policy_keep.h) keeps a context, then other chunks, of any JVM of
// this collector and of those that share its catalog (trace_ids.h), get an edition with what they
// dropped of its trace (recall_queue.h).
//
// Each chunk with raw data waits for TRACE_KEEP_WAIT_S after its commit, so that the chunks of the
// same time are committed. Then the trace ids that it dropped are looked up among those that were
// kept recently. So a chunk gets one such edition, with all ids. If some of these contexts began
// before the chunk, the chunk before gets an edition with their ids, too. An edition itself is no
// commit: its contexts keep no further traces. A chunk that kept a context of a trace gets nothing
// more of that trace. An id of zeros alone is no trace.
//
// Everything is in memory: a restart forgets the ids, and the chunks that wait.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/recall/rule/test_trace_keep.c,
//          tests/unit/collector/server/test_server_recall.c
// Memory:  32 bytes for each id that was kept recently, 16 for each trace id of a chunk that
//          waits, and as much again if its context began before the chunk

#pragma once

#include "collector/recall/pin/pins.h"
#include "collector/recall/rule/trace_ids.h"
#include "common/rollup/rollup_id.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TRACE_KEEP_WAIT_S = 120,       // from a chunk's commit until it is looked at
    TRACE_KEEP_IDS_S = 300,        // from the last commit of a context until its trace is forgotten
    TRACE_KEEP_IDS_MAX = 200000,   // kept in this time; further ones are left out
    TRACE_KEEP_CHUNKS_MAX = 10000, // that wait
    TRACE_KEEP_CHUNK_IDS_MAX = 200000,    // of one of them; further ones are left out
    TRACE_KEEP_WAITING_IDS_MAX = 4000000, // of all of them; further chunks are left out
    TRACE_KEEP_LOOKS_MAX = 400000,        // ids that are looked up in one tick, or one chunk
    TRACE_KEEP_WORK_MAX = 1000,           // chunks that were found and not taken
    TRACE_KEEP_EDITION_IDS_MAX = 4000,    // of one edition; further ones are left out
};

typedef struct trace_keep trace_keep;

// trace_keep_create returns NULL if memory ran out. wait_ns: TRACE_KEEP_WAIT_S, or less in tests.
trace_keep *trace_keep_create(int64_t wait_ns);
void trace_keep_destroy(trace_keep *keep); // NULL is fine

// trace_keep_share exchanges ids with other collectors from now on. with is borrowed until
// trace_keep_destroy.
void trace_keep_share(trace_keep *keep, trace_ids *with);

// trace_keep_add notes a chunk that was just committed, and whose ids are known. is_whole: what it
// kept makes traces whole.
void trace_keep_add(trace_keep *keep, const pin_stored *stored, bool is_whole, int64_t now_mono_ns);

// trace_keep_tick forgets old ids, and looks at chunks that have waited.
void trace_keep_tick(trace_keep *keep, int64_t now_mono_ns);

// A chunk to store again, with contexts of these traces.
typedef struct trace_work {
    pin_chunk chunk;
    rollup_hashes traces; // ascending, up to TRACE_KEEP_EDITION_IDS_MAX
} trace_work;

// trace_keep_take takes a chunk that was found. False: there is none. Owns: the caller frees
// traces.
bool trace_keep_take(trace_keep *keep, trace_work *out_work);
