// SPDX-License-Identifier: Apache-2.0
// ctx_pack: packs context records to about half their size, for a tenth of the cost of a general
// compressor. The agent's own thread packs them when it drains the rings (ctx_rings.h).
//
// Records are packed in runs. A packed record is
//
//   lead   1 byte: kind (the lowest 2 bits), type id (4 bits), and the number of value words (2
//          bits): 0, 1 or 2; 3 means that two more bytes, little-endian, hold the number
//   words  thread id and time, both as the zigzag difference to the previous record of the run (to
//          0 for the first); then the values
//
// Words go in pairs; a 0 completes the last pair. One byte holds the lengths of both words (0 to 8
// bytes; the first in the lower 4 bits). The bytes of both words follow, the lowest first.
//
// A record that this form cannot express (unknown kind, a type id over 15, a size that is no
// multiple of 8) follows unchanged after a lead of 0 and its size in 4 bytes.
//
// This layout is part of the wire protocol: see proto/README.md.
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"

#include <stddef.h>
#include <stdint.h>

// The records of a run are at most this many times as large as the run: two words, 16 bytes, take
// at least one byte.
enum { CTX_PACK_RATIO_MAX = 16 };

// Records that were packed one after the other and are unpacked together.
typedef struct ctx_pack_run {
    size_t packed_end;   // end of its bytes; they begin at the end of the previous run
    size_t size_bytes;   // of its unpacked records
    int64_t first_ticks; // of its earliest record
} ctx_pack_run;

// The record before, to which the next one is the difference.
typedef struct ctx_pack_state {
    int64_t thread_id;
    int64_t time_ticks;
} ctx_pack_state;

// Packs records into runs. A packer is empty if only run_bytes is set.
typedef struct ctx_packer {
    size_t run_bytes;  // a run ends once its records have at least this size
    size_t size_bytes; // of all records, unpacked
    lp_buf packed;
    LP_VEC(ctx_pack_run) runs; // in order; new records join the last one until it is full
    ctx_pack_state before;
} ctx_packer;

void ctx_packer_fini(ctx_packer *packer);

// ctx_packer_clear forgets all records, and keeps the memory.
void ctx_packer_clear(ctx_packer *packer);

// ctx_packer_reserve makes room for records of size_bytes in all.
// Errors: LP_ENOMEM; packer is then unchanged
LP_MUST_USE lp_err ctx_packer_reserve(ctx_packer *packer, size_t size_bytes);

// ctx_packer_put packs a record of CTX_RECORD_HEADER_BYTES to CTX_RECORD_BYTES_MAX bytes, for which
// room was reserved. It takes the header from header, with flags 0, and the rest from record.
void ctx_packer_put(ctx_packer *packer, const ctx_record_header *header, const uint8_t *record);

// ctx_packer_put_plain packs the records from `at` up to `end`, for which room was reserved. It
// stops at a record that is invalid (ctx_record_is_valid) or CTX_RECORD_LOOSE, and returns where it
// stopped. It adds the number of CTX_RECORD_SET to *inout_sets. It reads each header once, so
// records that change meanwhile do no harm.
const uint8_t *ctx_packer_put_plain(
    ctx_packer *packer, const uint8_t *at, const uint8_t *end, uint64_t *inout_sets);

// ctx_unpack appends the records of a run, size_bytes in all, to out.
// Errors: LP_ECORRUPT if packed is not one run of size_bytes; LP_ENOMEM; on any error out is
//         unchanged
LP_MUST_USE lp_err ctx_unpack(lp_slice packed, size_t size_bytes, lp_buf *out);
