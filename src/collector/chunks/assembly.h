// SPDX-License-Identifier: Apache-2.0

// assembly: builds a chunk from the batches in its journal.
//
// It concatenates the bytes that the agent read from the chunk file. In front it puts the latest
// header whose size these bytes reach. Without holes the chunk ends at that size. So it can be read
// by itself, although the JVM was still writing it.
//
// If bytes of the chunk are missing, the events before and behind them are used. The bytes behind a
// hole do not show where an event begins, but some offsets are known: the size in a header, the
// checkpoints and the metadata to which a header leads, and batches that begin with an event. So a
// hole extends from the end of the last whole event before the missing bytes to the first such
// offset behind them. The assembly fills it with a checkpoint without constants: readers skip it,
// and all other offsets stay. Constants in a hole are lost; references to them read as null. A
// chunk with holes ends with the last whole event that can be found.
//
// Missing batches may have had the ends of contexts. So each context that is open before missing
// batches ends there, as if the agent had lost records (CTX_THREAD_ALL). The same holds where a
// batch announces records but has none, because they arrived too late (docs/internals/wire.md).
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/chunks/test_assembly.c, test_unpack_limit.c,
//          tests/prop/test_holes_prop.c

#pragma once

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

// {0} has no holes.
typedef struct chunk_holes {
    LP_VEC(chunk_hole) items; // in order
    bool is_open;             // no event is known to begin behind the last hole
} chunk_holes;

// The bytes [begin, end) of the context records of an assembly.
typedef struct assembly_span {
    size_t begin;
    size_t end;
} assembly_span;

// Limits on the bytes of JFR chunks that journals may unpack to. A zstd frame of 60 bytes may
// unpack to a megabyte, and a batch may claim to begin a gigabyte behind the previous batch. So the
// limits are in proportion to the bytes that arrived.
//
//   unpacked                   always allowed               and for each byte of the journals
//   a chunk, up to             UNPACK_LIMIT_CHUNK_BYTES     UNPACK_LIMIT_RATIO
//     UNPACK_LIMIT_BYTES_MAX
//   all chunks of a session    UNPACK_LIMIT_SESSION_BYTES   UNPACK_LIMIT_RATIO
//     at a time
//
// JFR begins a new chunk after 12 MB by default. An agent packs a chunk to a third of its size, and
// events with a long repeated text to a 200th. So no chunk of an agent reaches a limit, however
// large it is. Context records need no limit: a packed byte cannot unpack to more than
// CTX_PACK_RATIO_MAX bytes.
enum {
    UNPACK_LIMIT_RATIO = 256,
    // A chunk of this size, and the memory of its compaction (chunk_task.h), fit into the jobs'
    // share of --memory.
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

// If the agent begins a chunk again repeatedly, the chunk's frames may unpack to this many times
// its limit.
enum { ASSEMBLY_ROUNDS_MAX = 8 };

// {0} with the limits set is empty. Bytes over a limit count as missing.
typedef struct assembly {
    size_t jfr_bytes_max;
    size_t record_bytes_max;
    uint64_t unpacked_bytes; // of frames
    uint64_t over_bytes;     // of frames and records over a limit
    lp_buf jfr;
    lp_buf records;
    LP_VEC(assembly_span) others;     // records of earlier chunks in the part being added
    LP_VEC(ctx_type) types;           // owned
    LP_VEC(ctx_recording) recordings; // in the arena
    lp_arena arena;
    LP_VEC(uint64_t) recordings_ended;
    LP_VEC(ctx_filter) filters;            // owned
    uint8_t header[JFR_CHUNK_HEADER_SIZE]; // the latest one whose size jfr reaches
    uint64_t header_bytes;                 // the chunk's size in it; 0: no header yet
    uint64_t end_bytes;                    // of the chunk, according to the batches
    chunk_holes holes;                     // in jfr
    uint64_t next_sequence;                // of the batch that should follow, if has_batch
    bool has_batch;
    size_t unset_break;     // 1 + offset of the record that gets the chunk's start time; 0: none
    lp_ranges lost;         // missing batches before existing ones
    lp_ranges lost_of_part; // missing batches of the part being added
    uint64_t damaged_bytes; // of journals
    uint64_t lost_record_bytes; // of context records that could not be unpacked
    uint64_t lost_bytes;        // of chunk and context records; set by assembly_finish
    bool has_gap;               // bytes were missing or damaged
    lp_problem gap;             // where and why, of the first
} assembly;

// A journal to add, up to its size when the task was made.
typedef struct assembly_part {
    journal *journal;
    uint64_t end_bytes;
    uint32_t ordinal;      // of the chunk
    bool has_jfr;          // usable bytes of the chunk, not only context records
    bool is_damaged;       // the chunk's bytes are in damaged/
    lp_range gap_before;   // missing batches before its own
    bool owns_gap;         // gap_before belongs to this chunk or to later ones
    lp_ranges due;         // batches that count as lost if missing; the others were late, or are
                           // in other chunks
    uint64_t ignored_from; // bytes and records of the chunk's batches from this number on do not
                           // count (session_get_ignored_from); 0: all count
} assembly_part;

// assembly_add adds the bytes of the chunk, the context records and the types of a journal's
// batches. Add the parts without JFR bytes first, in order, then the part with JFR bytes. Errors:
// LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err assembly_add(assembly *assembly, const assembly_part *part);

// assembly_finish makes the chunk readable. Errors: LP_ECORRUPT if no header covers any bytes
LP_MUST_USE lp_err assembly_finish(assembly *assembly, lp_problem *out_problem);

// assembly_lend_metadata copies the first metadata event of `from`, another chunk of the same JVM,
// into a hole of a finished chunk that lost all its metadata. It describes the chunk's events, too,
// because a JVM never gives a type another id. Returns false, and changes nothing, if the chunk has
// metadata, if no hole has room, or if `from` has no metadata.
bool assembly_lend_metadata(assembly *self, const assembly *from);

// assembly_view returns the chunk with its context records, borrowed until the assembly changes.
compact_source assembly_view(const assembly *assembly);

void assembly_fini(assembly *assembly);
