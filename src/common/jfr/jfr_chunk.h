// SPDX-License-Identifier: Apache-2.0

// jfr_chunk: the fixed header at the start of each chunk of a Flight Recorder file.
//
// A recording is a run of chunks. Every integer of the header is big-endian (events use varints
// instead, see jfr_varint.h):
//
//   OFFSET  SIZE  FIELD
//        0     4  magic "FLR\0"
//        4     2  major version (we read 1 and 2)
//        6     2  minor version
//        8     8  chunk size in bytes, header included; of a live chunk, what has been flushed
//       16     8  offset of the last checkpoint event, from the chunk start
//       24     8  offset of the last metadata event, from the chunk start
//       32     8  chunk start, ns since the Unix epoch
//       40     8  chunk duration, ns
//       48     8  chunk start, ticks
//       56     8  ticks per second
//       64     1  version 2.1: 0 = finished, 0xff = header being rewritten, else counts flushes
//       65     1  padding
//       66     2  flags; bit 0 = varint-compressed integers, bit 1 = last chunk
//
// Threads: pure functions, any thread.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    JFR_CHUNK_HEADER_SIZE = 68,
    JFR_CHUNK_STATE_OFFSET = 64,
    JFR_CHUNK_STATE_FINISHED = 0,
    JFR_CHUNK_STATE_WRITING = 0xff,
};

// The header, decoded and checked. Offsets are bytes from the chunk start.
typedef struct jfr_chunk_info {
    uint16_t major;
    uint16_t minor;
    uint64_t size_bytes;
    uint64_t checkpoint_offset; // 0: nothing flushed yet
    uint64_t metadata_offset;   // 0: nothing flushed yet
    int64_t start_wall_ns;
    int64_t duration_ns;
    int64_t start_ticks;
    int64_t ticks_per_s; // above 0
    uint8_t state;
    bool is_last;
} jfr_chunk_info;

// jfr_chunk_parse decodes the header at the start of bytes. It reads nothing behind the header,
// so size_bytes may exceed bytes.
//
// Errors: LP_EEND     fewer bytes than a header has
//         LP_EVERSION a version other than 1.x and 2.x
//         LP_ECORRUPT not a chunk, or fields that contradict each other
LP_MUST_USE lp_err jfr_chunk_parse(
    lp_slice bytes, jfr_chunk_info *out_info, lp_problem *out_problem);

// jfr_chunk_parse_cut decodes the header of a chunk that is unfinished, cut off or damaged: magic,
// version and clock must be valid, size_bytes and the offsets may be anything.
//
// Errors: as jfr_chunk_parse
LP_MUST_USE lp_err jfr_chunk_parse_cut(
    lp_slice bytes, jfr_chunk_info *out_info, lp_problem *out_problem);

// jfr_chunk_encode writes the header of a chunk in version 2.1 with the varint flag set.
void jfr_chunk_encode(const jfr_chunk_info *info, uint8_t out_header[JFR_CHUNK_HEADER_SIZE]);

// jfr_chunk_set_size writes a chunk's size into its header and nothing else.
void jfr_chunk_set_size(uint8_t header[JFR_CHUNK_HEADER_SIZE], uint64_t size_bytes);

// jfr_chunk_start_behind moves the start of a chunk to after wall_ns, unless it already is later.
// The start moves to the first tick that is a whole number of nanoseconds from the old start, so
// that readers compute the same times as before. Returns whether it moved; a start with absurd
// times does not move.
bool jfr_chunk_start_behind(jfr_chunk_info *info, int64_t wall_ns);
