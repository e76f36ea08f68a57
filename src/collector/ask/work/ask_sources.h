// SPDX-License-Identifier: Apache-2.0

// ask_sources: the chunks that a selection and its base may be about, out of the catalog: those of
// recordings of its service and instance, or of the one that it names, and of these the chunks that
// its time range can touch. The part of a running session that is not compacted yet comes from a
// snapshot.
//
// A chunk is read when it is opened, and a stored one compared with the catalog's hash. As a query
// opens the chunks of a recording several times, the first of them are kept, as far as there is
// room, until one of another recording is opened; the others are freed when they are released.
//
// Contexts that began in the range may end long after it; and of one that goes over several chunks,
// those from its begin on have to be there to see that it began before the range. So the chunks of
// ASK_REACH_S before and after the range are among the sources as well. Of a context that goes on
// for longer than that, what is farther away is not seen.
// The period of samples is a setting that most chunks do not have: the last chunk before the others
// that has it is among the sources, too, however far away it is.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c
// Memory:  96 bytes for each chunk, twice ask_store.large_bytes of those that are kept, and the
//          bytes of the one that is open.

#ifndef LP_COLLECTOR_ASK_ASK_SOURCES_H
#define LP_COLLECTOR_ASK_ASK_SOURCES_H

#include "collector/ask/work/ask_cancel.h"
#include "collector/ask/work/ask_query.h"
#include "collector/base/snapshot.h"
#include "collector/index/id_index.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_clock.h"
#include "query/chunk/sources.h"
#include "query/select/comparison.h"

enum {
    ASK_RECORDINGS_MAX = 10000,      // the newest ones, of each selection
    ASK_CHUNKS_MAX = 1 << 20,        // of all of them
    ASK_CHUNK_BYTES_MAX = 256 << 20, // of a stored one; a larger one is left out
};

struct ask_hits;

typedef struct ask_recording {
    char id[CATALOG_ID_CHARS + 1];
    const char *service;
    const char *instance;
    int64_t start_wall_ns;
    uint8_t in; // QUERY_IN_.. bits: whose service, instance and recording it has
    bool is_running;
    bool has_clock;    // else its first chunk or the last cannot be read
    jfr_clock clock;   // of the first
    query_drift drift; // of all that are stored
    snapshot *pending; // NULL: all of it is stored, or the rest is left out
} ask_recording;

typedef struct ask_chunk {
    uint32_t recording; // index
    uint32_t ordinal;
    uint64_t size_bytes;
    uint64_t content_hash;
    uint64_t stored_bytes; // of a stored one, as are those that follow
    blob_place place;
    int64_t end_wall_ns;
    bool has_times;
    bool has_period; // a setting of the period of samples, as far as that is known
    query_source_times times;
    bool is_pending; // it is the one at pending_index of its recording's snapshot
    uint32_t pending_index;
    bool is_left_out;
} ask_chunk;

// The bytes of a chunk.
typedef struct ask_kept {
    size_t chunk; // index
    lp_buf bytes;
} ask_kept;

typedef struct ask_sources {
    blobs *blobs;
    blobs_reader reader; // so that none of the chunks is removed before ask_sources_fini
    LP_VEC(ask_recording) recordings; // the first to start first
    LP_VEC(ask_chunk) chunks;         // those of a recording follow one another, in their order
    uint64_t left_out;                // chunks, or all that is pending of a recording
    bool is_truncated;                // there are more
    lp_arena arena;
    lp_buf bytes; // of the chunk that is open, where it is not kept
    // Chunks of a recording that are kept, and behind them room that others had.
    LP_VEC(ask_kept) kept;
    size_t kept_count;
    uint32_t kept_recording; // index
    size_t kept_bytes;       // of all of that, and how many it may be
    size_t kept_bytes_max;
} ask_sources;

// What all questions are about, borrowed, and how much each may take.
typedef struct ask_store {
    int64_t answer_ns_max;
    uint64_t frame_steps_max; // of a regular expression (frame_filter.h)
    const char *catalog_path;
    blobs *blobs;
    snapshot_source snapshots;
    id_index *ids;
    size_t large_bytes; // blocks of so many and more are in files (lp_large.h)
} ask_store;

// ask_sources_find fills sources, which is zeroed, with what the query's caller may read. Either
// way ask_sources_fini ends it. Where hits are known, contexts are looked for in those chunks
// alone, and in what is pending, and events in the chunks that these contexts go through. Hits are
// looked for again once it is known what was pending: what was stored since the first time is in
// neither else. Errors:
// LP_ECLOSED cancelled; LP_ENOMEM; those of a catalog
LP_MUST_USE lp_err ask_sources_find(ask_sources *sources, const ask_store *store,
    const ask_query *query, struct ask_hits *hits, ask_cancel *cancel);
void ask_sources_fini(ask_sources *sources);

// ask_sources_open returns the bytes of a chunk, lent until ask_sources_release, or until another
// one is opened. Errors: LP_ECORRUPT it is missing or damaged, which is counted and logged;
// LP_ENOMEM
LP_MUST_USE lp_err ask_sources_open(ask_sources *sources, size_t index, lp_slice *out_bytes);
void ask_sources_release(ask_sources *sources);

// ask_sources_leave_out counts a chunk that cannot be read.
void ask_sources_leave_out(ask_sources *sources, size_t index);

#endif // LP_COLLECTOR_ASK_ASK_SOURCES_H
