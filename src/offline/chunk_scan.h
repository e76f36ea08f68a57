// SPDX-License-Identifier: Apache-2.0
// chunk_scan: where the chunks of a recording lie, in a file that may be damaged.
//
// Normally a chunk begins where the one before ends, and its header has its size. Where that leads
// to something else than a header or the end of the file, the next header is searched for, and the
// bytes in between are either the rest of a chunk or of no use. A chunk holds
// copies of its own header (HotSpot writes one at each flush, as a constant jdk.types.ChunkHeader),
// so a header that is found by searching is believed only if it does not look like such a copy: a
// copy's offsets lead nowhere, and there is an event around it.
//
// Pieces follow one another without gaps, from the first byte of the file to its last.
//
// Threads: one thread at a time; a pure function of the bytes.
// Cost:    of an undamaged file, its headers. Around damage, each byte is looked at three times at
//          most.

#ifndef LP_OFFLINE_CHUNK_SCAN_H
#define LP_OFFLINE_CHUNK_SCAN_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_chunk.h"

#include <stdint.h>

enum {
    // A chunk whose end is not known is not taken to be longer than this.
    CHUNK_SCAN_CUT_BYTES_MAX = UINT32_MAX,
};

typedef enum chunk_scan_kind {
    CHUNK_SCAN_WHOLE,   // a chunk that has the size in its header
    CHUNK_SCAN_CUT,     // a chunk that does not, be it that it was cut off, that it was never
                        // finished, or that its header or what it holds is damaged
    CHUNK_SCAN_SKIPPED, // bytes that belong to no chunk
} chunk_scan_kind;

typedef struct chunk_scan_piece {
    chunk_scan_kind kind;
    uint64_t offset;
    uint64_t size_bytes;
    jfr_chunk_info info; // of chunks; its size_bytes is that of the header
    lp_err err;          // LP_OK for CHUNK_SCAN_WHOLE, else the kind of problem
} chunk_scan_piece;

// A scan starts with its bytes, everything else 0.
typedef struct chunk_scan {
    lp_slice bytes;
    uint64_t at;
    uint64_t found; // what a search found that is at `at` or behind it; smaller: none was made
    uint64_t sure;  // if that is `at`, a chunk begins there
    jfr_chunk_info before; // of the last chunk that was found
    // Called, where not NULL, with a range that will not be looked at soon again.
    void (*on_passed)(void *arg, uint64_t offset, uint64_t size_bytes);
    void *arg;
} chunk_scan;

// chunk_scan_next finds the next piece. Where it is no CHUNK_SCAN_WHOLE, *out_problem has the
// reason and the piece's offset.
//
// Errors: LP_EEND after the last piece
LP_MUST_USE lp_err chunk_scan_next(
    chunk_scan *scan, chunk_scan_piece *out_piece, lp_problem *out_problem);

#endif // LP_OFFLINE_CHUNK_SCAN_H
