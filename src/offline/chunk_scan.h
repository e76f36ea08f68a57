// SPDX-License-Identifier: Apache-2.0
// chunk_scan: finds the chunks of a recording in a file that may be damaged.
//
// Normally a chunk begins where the previous one ends, and its header has its size. If that
// position has neither a header nor the end of the file, the scan searches for the next header; the
// bytes in between are the rest of a chunk or garbage. Chunks hold copies of their own header
// (HotSpot writes one at each flush, as a constant jdk.types.ChunkHeader). So the search rejects a
// header that looks like a copy: its offsets lead nowhere, and an event surrounds it.
//
// Pieces follow one another without gaps, from the first byte of the file to its last.
//
// Threads: one thread at a time; a pure function of the bytes.
// Cost:    reads the headers of an undamaged file. Around damage, reads each byte at most three
//          times.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_chunk.h"

#include <stdint.h>

enum {
    // The largest size assumed for a chunk whose end is unknown.
    CHUNK_SCAN_CUT_BYTES_MAX = UINT32_MAX,
};

typedef enum chunk_scan_kind {
    CHUNK_SCAN_WHOLE,   // a chunk that has the size in its header
    CHUNK_SCAN_CUT,     // any other chunk: cut off, never finished, or with a damaged
                        // header or content
    CHUNK_SCAN_SKIPPED, // bytes that belong to no chunk
} chunk_scan_kind;

typedef struct chunk_scan_piece {
    chunk_scan_kind kind;
    uint64_t offset;
    uint64_t size_bytes;
    jfr_chunk_info info; // of chunks; its size_bytes is that of the header
    lp_err err;          // LP_OK for CHUNK_SCAN_WHOLE, else the kind of problem
} chunk_scan_piece;

// To start a scan, set bytes and optionally on_passed and arg; everything else is 0.
typedef struct chunk_scan {
    lp_slice bytes;
    uint64_t at;
    uint64_t found;        // result of the last search; below `at`: no search since
    uint64_t sure;         // equal to `at`: a chunk certainly begins there
    jfr_chunk_info before; // of the last chunk found
    // Unless NULL, called with each range that the scan is done with.
    void (*on_passed)(void *arg, uint64_t offset, uint64_t size_bytes);
    void *arg;
} chunk_scan;

// chunk_scan_next returns the next piece. Unless it is CHUNK_SCAN_WHOLE, *out_problem has the
// reason and the piece's offset.
//
// Errors: LP_EEND after the last piece
LP_MUST_USE lp_err chunk_scan_next(
    chunk_scan *scan, chunk_scan_piece *out_piece, lp_problem *out_problem);
