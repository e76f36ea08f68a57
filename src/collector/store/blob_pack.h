// SPDX-License-Identifier: Apache-2.0
// blob_pack: a chunk as a zstd file, which any zstd unpacks: its header (the first
// JFR_CHUNK_HEADER_SIZE bytes) is a frame of its own, so that who wants to know the clock of a
// chunk unpacks nothing else; the rest is another one. Each frame has a checksum of its content.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/chunks/test_blobs.c
// Memory:  BLOB_PACK_WINDOW_BYTES and a third of a megabyte for each reader, less of a smaller
//          chunk; twice that while one is written

#ifndef LP_COLLECTOR_STORE_BLOB_PACK_H
#define LP_COLLECTOR_STORE_BLOB_PACK_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // As bench/README.md has it: level 3 takes twice the time for files that are 7 to 10 % smaller;
    // a
    // window of twice the size makes them up to 5 % smaller.
    BLOB_PACK_LEVEL = 1,
    BLOB_PACK_WINDOW_LOG = 19,
    BLOB_PACK_WINDOW_BYTES = 1 << BLOB_PACK_WINDOW_LOG,
};

// blob_pack_write writes the frames of bytes to a file, and returns how many bytes these are.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err blob_pack_write(int fd, lp_slice bytes, uint64_t *out_size_bytes);

typedef struct blob_unpacker blob_unpacker;

// blob_unpacker_create borrows fd, a file that blob_pack_write wrote. NULL if memory ran out.
blob_unpacker *blob_unpacker_create(int fd);
void blob_unpacker_destroy(blob_unpacker *unpacker);

// blob_unpacker_read reads the next size_bytes of the content.
// Errors: LP_ECORRUPT the file is damaged, or has no more than that; LP_EIO, LP_ENOMEM. After any
//         error it reads nothing any more
LP_MUST_USE lp_err blob_unpacker_read(blob_unpacker *unpacker, void *out, size_t size_bytes);

// blob_unpacker_finish returns LP_OK if everything was read and the last checksum is right; else as
// blob_unpacker_read.
LP_MUST_USE lp_err blob_unpacker_finish(blob_unpacker *unpacker);

#endif // LP_COLLECTOR_STORE_BLOB_PACK_H
