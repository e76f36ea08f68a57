// SPDX-License-Identifier: Apache-2.0

// assembly: puts a chunk together out of the batches in its journal.
//
// What the agent read of the chunk file is laid end to end, cut off where the latest header that is
// covered says, and that header is put in front, so that the chunk can be read by itself even
// though the JVM was still writing it.
//
// Where bytes of the chunk are missing, the events before and behind them are used. The bytes
// behind a hole do not show where an event begins. Some offsets are known: the end of the bytes
// that a header covers, the checkpoints and the metadata to which it leads, and batches that begin
// an event. So a hole extends from the end of the last whole event before it to the first such
// offset behind it. It is filled with a checkpoint without constants: readers skip it, and all
// other offsets stay. Constants in a hole are lost; events that refer to them have null there.
//
// Where batches are missing, so may be ends of contexts: each that is open ends there, as if the
// agent had lost records (CTX_THREAD_ALL). The same is where a batch says that it had records, and
// has none: they came too late (docs/internals/wire.md).
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/chunks/test_assembly.c, test_unpack_limit.c,
//          tests/prop/test_holes_prop.c

#ifndef LP_COLLECTOR_SERVER_ASSEMBLY_H
#define LP_COLLECTOR_SERVER_ASSEMBLY_H

#include "collector/journal/journal.h"
#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_ranges.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/compact.h"

#include <stdbool.h>
#include <stdint.h>

// Missing bytes of a chunk.
typedef struct chunk_hole {
    uint64_t begin;
    uint64_t end; // an event begins there, unless the hole is open
} chunk_hole;

// A zeroed one is without holes.
typedef struct chunk_holes {
    LP_VEC(chunk_hole) items; // in order
    bool is_open;             // no event is known yet to begin behind the last one
} chunk_holes;

// Context records: [begin, end) of an assembly's.
typedef struct assembly_span {
    size_t begin;
    size_t end;
} assembly_span;

// Limits on the bytes of JFR chunks that journals may unpack to. A frame of 60 bytes may stand for
// a million, and a batch may claim to begin a gigabyte behind the one before: the cost must be in
// proportion to the bytes that were sent.
//
//   unpacked                      always allowed               and for each byte of its journals
//   a chunk, up to                UNPACK_LIMIT_CHUNK_BYTES     UNPACK_LIMIT_RATIO
//     UNPACK_LIMIT_BYTES_MAX
//   all at a time of a session    UNPACK_LIMIT_SESSION_BYTES   UNPACK_LIMIT_RATIO
//
// JFR begins a new chunk after 12 MB by default, and its bytes shrink to a third; events with a
// long repeated text to a 200th. So a chunk of an agent reaches neither limit, however large.
// Context records need no limit: a byte cannot stand for more than CTX_PACK_RATIO_MAX.
enum {
    UNPACK_LIMIT_RATIO = 256,
    // With what its compaction takes (chunk_task.h) it fits the part of --memory that jobs have.
    UNPACK_LIMIT_CHUNK_BYTES = 48 << 20,
    UNPACK_LIMIT_SESSION_BYTES = 256 << 20,
    UNPACK_LIMIT_BYTES_MAX = 1 << 30, // of a chunk, and of the context records of a chunk
};

static inline uint64_t
unpack_limit_add(uint64_t free_bytes, uint64_t journal_bytes)
{
    return journal_bytes < UINT64_MAX / UNPACK_LIMIT_RATIO - free_bytes
               ? free_bytes + UNPACK_LIMIT_RATIO * journal_bytes
               : UINT64_MAX;
}

// unpack_limit_chunk returns the limit of a chunk by the bytes of its journal.
static inline uint64_t
unpack_limit_chunk(uint64_t journal_bytes)
{
    uint64_t bytes = unpack_limit_add(UNPACK_LIMIT_CHUNK_BYTES, journal_bytes);
    return bytes < UNPACK_LIMIT_BYTES_MAX ? bytes : UNPACK_LIMIT_BYTES_MAX;
}

// unpack_limit_session returns the limit of all chunks that are unpacked at a time, by the bytes of
// their journals.
static inline uint64_t
unpack_limit_session(uint64_t journal_bytes)
{
    return unpack_limit_add(UNPACK_LIMIT_SESSION_BYTES, journal_bytes);
}

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

// assembly_lend_metadata puts the first metadata event of another chunk of the same JVM into a hole
// of a finished one that lost all its own: a JVM never gives a type another id. Returns false, and
// changes nothing, if the chunk has metadata or no holes, from has none, or no hole has room.
bool assembly_lend_metadata(assembly *self, const assembly *from);

// assembly_view returns the chunk with its context records, borrowed until the assembly changes.
compact_source assembly_view(const assembly *assembly);

void assembly_fini(assembly *assembly);

#endif // LP_COLLECTOR_SERVER_ASSEMBLY_H
