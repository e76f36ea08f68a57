// SPDX-License-Identifier: Apache-2.0
// blobs: the compacted chunks as files, DIR/<session id>/<ordinal>.jfr.
//
// Durability: a chunk is complete or absent whatever happens to the process (SIGKILL included),
// because it is written under a temporary name and renamed. Nothing waits for the disk: a power cut
// or a crash of the kernel may take the chunks of the last seconds with it, or leave them empty or
// cut short.
//
// Threads: any thread, no state but the directory; one writer a chunk at a time.

#ifndef LP_COLLECTOR_STORE_BLOBS_H
#define LP_COLLECTOR_STORE_BLOBS_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

typedef struct blobs blobs;

// blobs_open makes dir if it is missing (its parent must be there). Errors: LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem);
void blobs_close(blobs *blobs);

// blobs_hash is the content hash of a chunk (XXH3, 64 bits), as kept in the catalog: equal content
// has equal hashes in every build, so that a download's ETag survives a restart.
uint64_t blobs_hash(lp_slice bytes);

// blobs_put writes the chunk, replacing an older one, which stays readable for those that have it
// open. out_hash, where not NULL, gets blobs_hash(bytes).
// Errors: LP_ECORRUPT for a session id that is none; LP_EIO
LP_MUST_USE lp_err blobs_put(
    blobs *blobs, const char *session_id, uint32_t ordinal, lp_slice bytes, uint64_t *out_hash);

// blobs_open_chunk opens the chunk for reading; the caller closes *out_fd.
// Errors: LP_ENOENT (also for a session id that is none), LP_EIO
LP_MUST_USE lp_err blobs_open_chunk(
    blobs *blobs, const char *session_id, uint32_t ordinal, int *out_fd);

// blobs_read_chunk reads a chunk, of which the catalog has size and hash, into out_bytes, which is
// empty. Errors: LP_ENOENT; LP_ECORRUPT it has another size or content; LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err blobs_read_chunk(blobs *blobs, const char *session_id, uint32_t ordinal,
    uint64_t size_bytes, uint64_t content_hash, lp_buf *out_bytes);

// blobs_spill writes bytes into a file without a name, which goes away with *out_fd; the caller
// closes it. For content that is too large to stay in memory while it is sent to a slow reader.
// Errors: LP_EIO
LP_MUST_USE lp_err blobs_spill(blobs *blobs, lp_slice bytes, int *out_fd);

#endif // LP_COLLECTOR_STORE_BLOBS_H
