// SPDX-License-Identifier: Apache-2.0
// object_pack: an object of a store with the chunks that a collector compacts in a minute. The
// object's footer lists them, so that a catalog's rows can be rebuilt.
//
//   OFFSET     SIZE
//   0                the chunks, each a blob_pack, perhaps with gaps
//   footer_at        for each chunk, in no order:
//                      0   16  session id, as bytes
//                     16    4  ordinal
//                     20    4  zero
//                     24    8  offset in the object
//                     32    8  stored_bytes, packed
//                     40    8  size_bytes, unpacked
//                     48    8  content_hash, of the unpacked chunk
//                     56    8  stored_hash: XXH3 of the packed chunk
//   end - 32         0    8  "LPPACK1\n"
//                    8    4  number of chunks
//                   12    4  zero
//                   16    8  footer_at
//                   24    8  XXH3 of the footer up to here
//
// Integers are little-endian. The footer may list a chunk that the catalog does not have in this
// object: it was deleted or never committed, or a later object has it.
//
// Each name is unique, and begins with the time, so that lists are in the order of time:
// 001764313529-0123456789abcdef-000042 is object 42 of one run of a collector.
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

// object_pack_append appends the entry of a chunk to a footer. object_pack_finish appends the end
// of the footer; footer_at is where the chunks end. The caller checks the buffer (lp_buf_check).
void object_pack_append(lp_buf *footer, const object_pack_chunk *chunk);
void object_pack_finish(lp_buf *footer, uint64_t footer_at);

// object_pack_read reads the footer of a whole object and appends its chunks to out_chunks. All of
// them lie within the object. Errors: LP_EVERSION if a later version wrote it; LP_ECORRUPT if it is
// damaged or no pack; LP_ENOMEM
LP_MUST_USE lp_err object_pack_read(lp_slice object, object_pack_chunks *out_chunks);

// object_pack_format_name writes the name of an object. run is a random number of the process.
void object_pack_format_name(
    int64_t wall_ns, uint64_t run, uint32_t number, char out_name[BLOB_OBJECT_CHARS + 1]);

// object_pack_name_time writes the wall time at the begin of a name. Returns false if it is no name
// of an object.
bool object_pack_name_time(const char *name, int64_t *out_wall_ns);
