// SPDX-License-Identifier: Apache-2.0
// blob: a stored chunk that is open for reading. Where it is read from its begin to its end, in
// order, its last bytes are returned only if the content is the one that the catalog knows; so a
// damaged chunk is noticed at the latest there. Reading from anywhere else is right, too, and costs
// unpacking what is before that.
//
// A chunk that is removed or replaced stays readable for those that have it open.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/chunks/test_blobs.c
// Memory:  that of a blob_unpacker, from the first blob_read on

#ifndef LP_COLLECTOR_STORE_BLOB_H
#define LP_COLLECTOR_STORE_BLOB_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct blob blob;

enum { BLOB_OBJECT_CHARS = 36 }; // of the name of an object with several chunks (object_pack.h)

// Where a chunk is that lies in an object with others. {""} for one that is stored by itself.
typedef struct blob_place {
    char object[BLOB_OBJECT_CHARS + 1];
    uint64_t offset;
} blob_place;

// Which chunk, as the catalog knows it.
typedef struct blob_name {
    const char *session_id;
    uint32_t ordinal;
    uint64_t size_bytes; // of its content, as is content_hash
    uint64_t content_hash;
    uint64_t stored_bytes; // only looked at with a place
    blob_place place;
} blob_name;

// blob_open takes fd, the file of a chunk, either way: a blob_pack. Errors: LP_ENOMEM
LP_MUST_USE lp_err blob_open(int fd, const blob_name *name, blob **out_blob);

// blob_close closes the file. NULL is fine.
void blob_close(blob *blob);

// blob_read reads size_bytes from offset on, which the chunk has.
// Errors: LP_ECORRUPT the content is not the one that the catalog knows; LP_EIO with errno;
//         LP_ENOMEM
LP_MUST_USE lp_err blob_read(blob *blob, uint64_t offset, void *out, size_t size_bytes);

#endif // LP_COLLECTOR_STORE_BLOB_H
