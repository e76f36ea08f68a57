// SPDX-License-Identifier: Apache-2.0

// pending_bytes: snapshots as one collector sends them to another (proto/pending.proto).
//
// Threads: pure but for the file, any thread.
// Tests:   tests/unit/collector/base/test_pending_bytes.c

#ifndef LP_COLLECTOR_BASE_PENDING_BYTES_H
#define LP_COLLECTOR_BASE_PENDING_BYTES_H

#include "collector/base/snapshot.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stdint.h>

enum { PENDING_BYTES_HEAD_MAX = 1 << 20 }; // of what is before the chunks

// pending_bytes_encode appends what is before the chunks of a snapshot that did not fail;
// snapshot_read reads those. Errors: LP_ENOMEM
LP_MUST_USE lp_err pending_bytes_encode(const snapshot *snapshot, lp_buf *out_head);

// pending_bytes_decode makes a snapshot of a file that has all of it, which it takes in any case.
// The chunks stay in the file.
// Errors: LP_ECORRUPT the file is something else, or not whole; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err pending_bytes_decode(int fd, snapshot **out_snapshot);

#endif // LP_COLLECTOR_BASE_PENDING_BYTES_H
