// SPDX-License-Identifier: Apache-2.0
// object_pack: the chunks that a collector compacts in a minute as one object of a store. A footer
// locates them, so that a catalog's rows can be rebuilt.
//
//   OFFSET     SIZE
//   0                the chunks, each a blob_pack, perhaps with gaps
//   footer_at        for each chunk, in no order:
//                      0   16  session id, as bytes
//                     16    4  ordinal
//                     20    4  zero
//                     24    8  its offset
//                     32    8  its size here
//                     40    8  size_bytes, unpacked
//                     48    8  content_hash, of that
//                     56    8  XXH3 of its bytes here
//   end - 32         0    8  "LPPACK1\n"
//                    8    4  number of chunks
//                   12    4  zero
//                   16    8  footer_at
//                   24    8  XXH3 of the footer up to here
//
// Integers are little-endian. The footer may list a chunk that the catalog has in another object,
// or not at all: then a later object has it.
//
// A name begins with the time, so that lists are in its order, and is unique:
// 001764313529-0123456789abcdef-000042 is number 42 of a run of a collector.
//
// Threads: any thread.
// Tests:   tests/unit/collector/store/chunks/test_object_pack.c

#pragma once

#include "collector/store/blob.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    OBJECT_PACK_ENTRY_BYTES = 64,
    OBJECT_PACK_TAIL_BYTES = 32,
};

typedef struct object_pack_chunk {
    char session_id[CATALOG_ID_CHARS + 1];
    uint32_t ordinal;
    uint64_t offset;
    uint64_t stored_bytes;
    uint64_t size_bytes;
    uint64_t content_hash;
    uint64_t stored_hash;
} object_pack_chunk;

typedef LP_VEC(object_pack_chunk) object_pack_chunks;

// object_pack_append appends the entry of a chunk to a footer. object_pack_finish appends the
// footer's end; the chunks end at footer_at. The caller checks the buffer (lp_buf_check).
void object_pack_append(lp_buf *footer, const object_pack_chunk *chunk);
void object_pack_finish(lp_buf *footer, uint64_t footer_at);

// object_pack_read reads the footer of a whole object and appends its chunks, which lie within the
// object, to out_chunks.
// Errors: LP_EVERSION a later version wrote it; LP_ECORRUPT it is damaged, or no pack; LP_ENOMEM
LP_MUST_USE lp_err object_pack_read(lp_slice object, object_pack_chunks *out_chunks);

// object_pack_format_name writes the name of an object. run is a random number of the process.
void object_pack_format_name(
    int64_t wall_ns, uint64_t run, uint32_t number, char out_name[BLOB_OBJECT_CHARS + 1]);

// object_pack_name_time writes the wall time at the begin of a name; false: it is no name of an
// object.
bool object_pack_name_time(const char *name, int64_t *out_wall_ns);
