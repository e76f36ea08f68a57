// SPDX-License-Identifier: Apache-2.0
// blob_pack: a chunk as a zstd file, which any zstd can unpack. The chunk's header (the first
// JFR_CHUNK_HEADER_SIZE bytes) is a frame of its own, so reading the header unpacks nothing else.
// The rest is a second frame. Each frame has a checksum of its content.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/store/chunks/test_blobs.c
// Memory:  a reader uses at most BLOB_PACK_WINDOW_BYTES and a third of a megabyte, a writer twice
//          that

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stddef.h>
#include <stdint.h>

enum {
    // Measured in bench/README.md: level 3 takes twice the time for 7 to 10 % smaller files; a
    // window of twice the size makes them up to 5 % smaller.
    BLOB_PACK_LEVEL = 1,
    BLOB_PACK_WINDOW_LOG = 19,
    BLOB_PACK_WINDOW_BYTES = 1 << BLOB_PACK_WINDOW_LOG,
};

// blob_pack_write packs bytes into a file, and sets *out_size_bytes to the packed size.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err blob_pack_write(int fd, lp_slice bytes, uint64_t *out_size_bytes);

typedef struct blob_unpacker blob_unpacker;

// blob_unpacker_create unpacks a file of blob_pack_write. It borrows fd. NULL if memory ran out.
blob_unpacker *blob_unpacker_create(int fd);
void blob_unpacker_destroy(blob_unpacker *unpacker);

// blob_unpacker_read reads the next size_bytes of the content. After an error do not call it again.
// Errors: LP_ECORRUPT if the file is damaged or too short; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err blob_unpacker_read(blob_unpacker *unpacker, void *out, size_t size_bytes);

// blob_unpacker_finish checks the last checksum, and that the file has no more content. Errors: as
// blob_unpacker_read
LP_MUST_USE lp_err blob_unpacker_finish(blob_unpacker *unpacker);
