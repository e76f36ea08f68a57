// SPDX-License-Identifier: Apache-2.0

// pending_bytes: the format of snapshots between collectors (proto/pending.proto): a head, and the
// chunks.
//
// Threads: pure but for the file, any thread.
// Tests:   tests/unit/collector/base/test_pending_bytes.c

#pragma once

#include "collector/base/snapshot.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

enum { PENDING_BYTES_HEAD_MAX = 1 << 20 };

// pending_bytes_encode appends the head of a snapshot that did not fail; snapshot_read reads the
// chunks. Errors: LP_ENOMEM
LP_MUST_USE lp_err pending_bytes_encode(const snapshot *snapshot, lp_buf *out_head);

// pending_bytes_decode creates a snapshot from a file with head and chunks. Takes ownership of fd,
// after errors too. The chunks stay in the file.
// Errors: LP_ECORRUPT another format, or cut off; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err pending_bytes_decode(int fd, snapshot **out_snapshot);
