// SPDX-License-Identifier: Apache-2.0
// ctx_pack: context records in about half as many bytes, for a tenth of what a general compressor
// takes: the thread that records them pays for it.
//
// Records follow each other in runs; each is
//
//   lead   1 byte: kind (2 bits, the lowest), type id (4), and how many words of values there are
//          (2): 0, 1 or 2, or 3 where two more bytes, little-endian, say it
//   words  thread id and time, both as the difference to the record before in the run (from 0 for
//          the first), in zigzag form; then those of the values
//
// Words go in pairs, the last one with a 0 if it is alone: a byte with how many bytes each of the
// two has (0 to 8; the first in the lower 4 bits), then these bytes, lowest first.
//
// A record that does not fit into that (no kind, a type id over 15, a size that is no multiple of
// 8) is as it was behind a lead of 0 and its size in 4 bytes.
//
// This layout is part of the wire protocol: see proto/README.md.
//
// Threads: any thread.

#ifndef LP_COMMON_CONTEXT_CTX_PACK_H
#define LP_COMMON_CONTEXT_CTX_PACK_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"

#include <stddef.h>
#include <stdint.h>

// No run has more bytes of records than so many times its own: each two words, of 8 bytes, take one
// at least.
enum { CTX_PACK_RATIO_MAX = 16 };

// Records that were packed on end, and are unpacked on end.
typedef struct ctx_pack_run {
    size_t packed_end;   // of its bytes; they begin where those of the run before end
    size_t size_bytes;   // of its records before
    int64_t first_ticks; // the earliest of them
} ctx_pack_run;

// Packs records, one by one, into runs. A zeroed one with run_bytes set is an empty one.
typedef struct ctx_packer {
    size_t run_bytes;  // a run ends with the record with which it has so many
    size_t size_bytes; // of all records before
    lp_buf packed;
    LP_VEC(ctx_pack_run) runs; // in order; more goes to the last one, as long as it is not full
    // What the differences in the next record are to.
    int64_t thread_id;
    int64_t time_ticks;
} ctx_packer;

void ctx_packer_fini(ctx_packer *packer);

// ctx_packer_clear forgets all records, and keeps the memory.
void ctx_packer_clear(ctx_packer *packer);

// ctx_packer_reserve makes room for records of so many bytes in all.
// Errors: LP_ENOMEM; packer is as before
LP_MUST_USE lp_err ctx_packer_reserve(ctx_packer *packer, size_t size_bytes);

// ctx_packer_put packs a record of at least CTX_RECORD_HEADER_BYTES and at most
// CTX_RECORD_BYTES_MAX, for which there is room: its header is taken from header, but for its
// flags, which become 0; the rest from record.
void ctx_packer_put(ctx_packer *packer, const ctx_record_header *header, const uint8_t *record);

// ctx_unpack appends the records of a run, which are size_bytes, to out.
// Errors: LP_ECORRUPT if packed is not exactly that; LP_ENOMEM; on any error out is as before
LP_MUST_USE lp_err ctx_unpack(lp_slice packed, size_t size_bytes, lp_buf *out);

#endif // LP_COMMON_CONTEXT_CTX_PACK_H
