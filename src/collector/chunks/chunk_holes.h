// SPDX-License-Identifier: Apache-2.0

// chunk_holes: bytes of a chunk of the JVM that are missing, and what of the chunk can be used all
// the same: the events before a hole and those behind it.
//
// Nobody can see in the bytes behind a hole where an event begins. It is known of some offsets:
// that of the end of what a header covers, of the checkpoints and the metadata to which it leads,
// and of batches that say so. So a hole goes from the end of the last whole event before it to the
// first such offset behind it. There, the chunk gets a checkpoint without constants: readers pass
// over it, and all other offsets stay. Constants in a hole are lost, and events that refer to them
// have null there.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/chunks/test_assembly.c, tests/prop/test_holes_prop.c

#ifndef LP_COLLECTOR_SERVER_CHUNK_HOLES_H
#define LP_COLLECTOR_SERVER_CHUNK_HOLES_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct chunk_hole {
    uint64_t begin;
    uint64_t end; // an event begins there, unless the hole is open
} chunk_hole;

// A zeroed one is without holes.
typedef struct chunk_holes {
    LP_VEC(chunk_hole) items; // in order
    bool is_open;             // no event is known yet to begin behind the last one
} chunk_holes;

// chunk_holes_fini leaves holes without any.
void chunk_holes_fini(chunk_holes *holes);

// chunk_holes_add adds a hole behind the others. If the last one is open it becomes longer, as what
// lies between cannot be used. Errors: LP_ENOMEM
LP_MUST_USE lp_err chunk_holes_add(chunk_holes *holes, uint64_t begin, uint64_t end);

// chunk_holes_note_event is for an offset where an event begins, behind all holes.
void chunk_holes_note_event(chunk_holes *holes, uint64_t offset);

// chunk_holes_note_header is chunk_holes_note_event for all offsets to which a header leads, of
// which the first that it finds behind the holes counts. jfr is the chunk as far as it has come.
void chunk_holes_note_header(chunk_holes *holes, lp_slice jfr, const jfr_chunk_info *info);

// chunk_holes_fill makes a chunk with holes readable, whose bytes are size ones at jfr, those of
// the holes included. Returns where it ends: without holes at covered_bytes, which the latest
// header covers, else behind the last whole event that can be found. *out_lost gets the bytes of
// the holes that are filled, with those of events that lie in them in part.
uint64_t chunk_holes_fill(const chunk_holes *holes, uint8_t *jfr, uint64_t size,
    uint64_t covered_bytes, uint64_t *out_lost);

// chunk_holes_lend_metadata puts the first metadata event of another chunk of the same JVM, from,
// into a hole of a filled chunk that has lost all of its own: a JVM never gives a type another id.
// Returns false, with the chunk as it was, if it has metadata, from has none, or no hole has room.
bool chunk_holes_lend_metadata(lp_slice from, uint8_t *jfr, uint64_t size);

#endif // LP_COLLECTOR_SERVER_CHUNK_HOLES_H
