// SPDX-License-Identifier: Apache-2.0
// ctx_pack: context records in about half as many bytes, for a tenth of what a general compressor
// takes: the thread that records them pays for it.
//
// Records follow each other; each is
//
//   lead   1 byte: kind (2 bits, the lowest), type id (4), and how many words of values there are
//          (2): 0, 1 or 2, or 3 where two more bytes, little-endian, say it
//   words  thread id and time, both as the difference to the record before (from 0), in zigzag
//          form; then those of the values
//
// Words go in pairs, the last one with a 0 if it is alone: a byte with how many bytes each of the
// two has (0 to 8; the first in the lower 4 bits), then these bytes, lowest first.
//
// A record that does not fit into that (no kind, a type id over 15, flags, a size that is no
// multiple of 8) is as it was behind a lead of 0 and its size in 4 bytes.
//
// This layout is part of the wire protocol: see proto/README.md.
//
// Threads: any thread.

#ifndef LP_COMMON_CONTEXT_CTX_PACK_H
#define LP_COMMON_CONTEXT_CTX_PACK_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>

// ctx_pack appends the packed form of records to out.
// Errors: LP_ECORRUPT if records is not a run of whole records, each of at most
//         CTX_RECORD_BYTES_MAX; LP_ENOMEM; on any error out is as before
LP_MUST_USE lp_err ctx_pack(lp_slice records, lp_buf *out);

// ctx_unpack appends the records, which are size_bytes, to out.
// Errors: LP_ECORRUPT if packed is not exactly that; LP_ENOMEM; on any error out is as before
LP_MUST_USE lp_err ctx_unpack(lp_slice packed, size_t size_bytes, lp_buf *out);

#endif // LP_COMMON_CONTEXT_CTX_PACK_H
