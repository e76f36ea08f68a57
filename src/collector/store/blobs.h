// SPDX-License-Identifier: Apache-2.0

// blobs: the compacted chunks as files, DIR/<session id>/<ordinal>.jfr.
//
// Threads: any thread; no state but the directory.

#ifndef LP_COLLECTOR_STORE_BLOBS_H
#define LP_COLLECTOR_STORE_BLOBS_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdint.h>

typedef struct blobs blobs;

// blobs_open makes dir if it is missing.
LP_MUST_USE lp_err blobs_open(const char *dir, blobs **out_blobs, lp_problem *out_problem);
void blobs_close(blobs *blobs);

// blobs_put writes the chunk under a temporary name and renames it, replacing what was there.
LP_MUST_USE lp_err blobs_put(
    blobs *blobs, const char *session_id, uint32_t ordinal, lp_slice bytes);

// blobs_open_chunk opens the chunk for reading; the caller closes *out_fd.
//
// Errors: LP_ENOENT, LP_EIO
LP_MUST_USE lp_err blobs_open_chunk(
    blobs *blobs, const char *session_id, uint32_t ordinal, int *out_fd);

#endif // LP_COLLECTOR_STORE_BLOBS_H
