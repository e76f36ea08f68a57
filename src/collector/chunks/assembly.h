// SPDX-License-Identifier: Apache-2.0

// assembly: puts a chunk together out of the batches in its journal.
//
// What the agent read of the chunk file is laid end to end, cut off where the latest header that is
// covered says, and that header is put in front, so that the chunk can be read by itself even
// though the JVM was still writing it. Where bytes are missing, the events before and behind them
// are there (chunk_holes.h).
//
// Where batches are missing, so may be ends of contexts: each that is open ends there, as if the
// agent had lost records (CTX_THREAD_ALL). The same is where a batch says that it had records, and
// has none: they came too late (docs/internals/wire.md).
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_SERVER_ASSEMBLY_H
#define LP_COLLECTOR_SERVER_ASSEMBLY_H

#include "collector/chunks/chunk_holes.h"
#include "collector/journal/journal.h"
#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_ranges.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/compact.h"

#include <stdbool.h>
#include <stdint.h>

// Context records: [begin, end) of an assembly's.
typedef struct assembly_span {
    size_t begin;
    size_t end;
} assembly_span;

// What frames may unpack to for one chunk that begins again and again: so many times its limit.
enum { ASSEMBLY_ROUNDS_MAX = 8 };

// A zeroed one with the limits set is an empty one. Bytes over a limit count as missing.
typedef struct assembly {
    size_t jfr_bytes_max;
    size_t record_bytes_max;
    uint64_t unpacked_bytes; // of frames, so far
    uint64_t over_bytes;     // that were over a limit, of frames and records
    lp_buf jfr;
    lp_buf records;
    LP_VEC(assembly_span) others; // records of the present part that came with earlier chunks
    ctx_type *types;
    size_t type_count;
    LP_VEC(ctx_recording) recordings; // in the arena
    lp_arena arena;
    LP_VEC(uint64_t) recordings_ended;
    LP_VEC(ctx_filter) filters;            // owned
    uint8_t header[JFR_CHUNK_HEADER_SIZE]; // the latest that jfr covers
    uint64_t header_bytes;                 // the size that the header has; 0: there is none yet
    uint64_t end_bytes;                    // of the chunk, by all batches
    chunk_holes holes;                     // in jfr
    uint64_t next_sequence;                // of the batch that should follow, if has_batch
    bool has_batch;
    size_t unset_break;         // 1 + the offset in records of a record whose time is to be that of
                                // the chunk's start; 0: there is none
    lp_ranges lost;             // batches that are missing before some that are there
    lp_ranges lost_of_part;     // those of the part that is being added
    uint64_t damaged_bytes;     // of journals
    uint64_t lost_record_bytes; // of context records that could not be unpacked
    uint64_t lost_bytes;        // of the chunk and its context records, after assembly_finish
    bool has_gap;               // bytes were missing or damaged
    lp_problem gap;             // where and why the first of them
} assembly;

// A journal to add to an assembly, up to the size it had when its task was made.
typedef struct assembly_part {
    journal *journal;
    uint64_t end_bytes;
    uint32_t ordinal;      // of the chunk
    bool has_jfr;          // bytes of the chunk that can be used, not only context records
    bool is_damaged;       // its bytes of the chunk are put aside
    lp_range gap_before;   // numbers of batches that did not come before those in it
    bool owns_gap;         // they are of it, or of chunks behind it
    lp_ranges due;         // batches that are lost where they do not come; others are elsewhere
    uint64_t ignored_from; // of batches of the chunk from this number on bytes and records do not
                           // count (session_get_ignored_from); 0: all do
} assembly_part;

// assembly_add adds the bytes of the chunk that the batches in part carry, and their context
// records and types. Parts without JFR bytes come first, in order, then the one with them.
// Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err assembly_add(assembly *assembly, const assembly_part *part);

// assembly_finish makes the chunk readable.
// Errors: LP_ECORRUPT if no header covers any of its bytes
LP_MUST_USE lp_err assembly_finish(assembly *assembly, lp_problem *out_problem);

// assembly_view returns the chunk with its context records, borrowed until the assembly changes.
compact_source assembly_view(const assembly *assembly);

void assembly_fini(assembly *assembly);

#endif // LP_COLLECTOR_SERVER_ASSEMBLY_H
