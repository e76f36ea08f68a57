// SPDX-License-Identifier: Apache-2.0

// ask_sources: finds the chunks for a selection and its base in the catalog: the recordings of a
// service and instance, or one recording, and their chunks that may overlap the time range. The
// part of a running session that is not compacted yet comes from a snapshot.
//
// A context that began in the time range may end long after it. If a context spans several chunks,
// a query needs all of these, from the begin of the context on, to see whether it began before the
// range. So the chunks within ASK_REACH_S of the range are sources, too; longer contexts are not
// seen completely. Most chunks lack the setting of the sampling period. So the last earlier chunk
// that has it is also a source, at any distance.
//
// A chunk is read when it is opened, and a stored chunk is compared with the catalog's hash. A
// query opens the chunks of a recording several times. So the first chunks are cached while there
// is room, until a chunk of another recording is opened.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c
// Memory:  96 bytes for each chunk, a cache of twice ask_store.large_bytes, and the open chunk.

#pragma once

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
    ASK_RECORDINGS_MAX = 10000,      // of each selection, the newest
    ASK_CHUNKS_MAX = 1 << 20,        // of all recordings
    ASK_CHUNK_BYTES_MAX = 256 << 20, // larger chunks are left out
};

struct ask_hits;

typedef struct ask_recording {
    char id[CATALOG_ID_CHARS + 1];
    const char *service;
    const char *instance;
    const char *version; // "": unknown, as jvm_name and jvm_version
    const char *jvm_name;
    const char *jvm_version;
    uint64_t pid;
    int64_t start_wall_ns;
    uint8_t in; // QUERY_IN_.. bits of the selections that include it
    bool is_running;
    bool has_clock;    // false if its first or last chunk cannot be read
    jfr_clock clock;   // of the first chunk
    query_drift drift; // of the stored chunks
    snapshot *pending; // NULL: all is stored, or the rest is left out
} ask_recording;

typedef struct ask_chunk {
    uint32_t recording; // index in ask_sources.recordings
    uint32_t ordinal;
    uint64_t size_bytes;
    uint64_t content_hash;
    // The next six are of a stored chunk.
    uint64_t stored_bytes;
    blob_place place;
    int64_t end_wall_ns;
    bool has_times;
    bool has_period; // it has a setting of the sampling period, or this is unknown
    query_source_times times;
    bool is_pending; // it is in its recording's snapshot
    uint32_t pending_index;
    bool is_left_out;
} ask_chunk;

// A cached chunk.
typedef struct ask_kept {
    size_t chunk; // index in ask_sources.chunks
    lp_buf bytes;
    size_t counted; // its part of kept_bytes; a file may be larger than its row says
} ask_kept;

typedef struct ask_sources {
    blobs *blobs;
    blobs_reader reader;              // keeps the chunks from being deleted until ask_sources_fini
    LP_VEC(ask_recording) recordings; // by start
    LP_VEC(ask_chunk) chunks;         // by recording, then by ordinal
    uint64_t left_out;                // chunks, or the pending part of a recording
    bool is_truncated;                // a limit was reached
    lp_arena arena;
    lp_buf bytes; // of the open chunk, if it is not cached
    // The cache: kept_count chunks of a recording; the buffers after them are free.
    LP_VEC(ask_kept) kept;
    size_t kept_count;
    uint32_t kept_recording; // index in recordings
    size_t kept_bytes;       // `counted` of all buffers
    size_t kept_bytes_max;
} ask_sources;

// The stores from which questions are answered, borrowed, and limits.
typedef struct ask_store {
    int64_t answer_ns_max;
    uint64_t frame_steps_max; // of a regular expression (frame_filter.h)
    const char *catalog_path;
    blobs *blobs;
    snapshot_source snapshots;
    id_index *ids;
    size_t large_bytes; // larger blocks of memory are stored in files (lp_large.h)
} ask_store;

// ask_sources_find fills sources, which must be {0}, with chunks that the query's caller may read.
// The caller calls ask_sources_fini, even after an error. If hits are known, contexts are searched
// only in the chunks of the hits and in pending chunks. Events are searched in the chunks that the
// found contexts span. After the snapshots are made, hits are searched again, because chunks may
// have been stored in between.
// Errors: LP_ECLOSED if cancelled; LP_ENOMEM; as the catalog
LP_MUST_USE lp_err ask_sources_find(ask_sources *sources, const ask_store *store,
    const ask_query *query, struct ask_hits *hits, ask_cancel *cancel);
void ask_sources_fini(ask_sources *sources);

// The next functions make the sources of a question that finds them itself (ask_slowest.h).
// ask_sources_begin begins with none. ask_sources_add_recording and ask_sources_add_chunk add one;
// a failure is in sources->arena. ask_sources_stored_chunk and ask_sources_pending_chunk return a
// chunk of a recording (index), without times and period: all of it is read.
// ask_sources_period_chunk returns one of which only the sampling period is read.
void ask_sources_begin(ask_sources *sources, const ask_store *store);
void ask_sources_add_recording(ask_sources *sources, const catalog_session *row, uint8_t in);
void ask_sources_add_chunk(ask_sources *sources, ask_chunk chunk);
ask_chunk ask_sources_stored_chunk(const catalog_chunk *chunk, uint32_t recording);
ask_chunk ask_sources_period_chunk(const catalog_chunk *chunk, uint32_t recording);
ask_chunk ask_sources_pending_chunk(const snapshot *pending, uint32_t recording, uint32_t index);

// ask_sources_open returns the bytes of a chunk, borrowed until ask_sources_release or the next
// ask_sources_open. Errors: LP_ECORRUPT if the chunk is missing or damaged, which is counted and
// logged; LP_ENOMEM
LP_MUST_USE lp_err ask_sources_open(ask_sources *sources, size_t index, lp_slice *out_bytes);
void ask_sources_release(ask_sources *sources);

// ask_sources_leave_out counts a chunk that cannot be read.
void ask_sources_leave_out(ask_sources *sources, size_t index);
