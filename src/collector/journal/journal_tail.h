// SPDX-License-Identifier: Apache-2.0

// journal_tail: after a power cut, cuts off batches that were not acknowledged. With SYNC_ALWAYS
// all acknowledged batches are on the disk. Of later batches, some may be on the disk in whole or
// in part. Their agent resends all of them under the same numbers, so the journals must end before
// the first missing number.
//
// If an acknowledged number is missing, this is damage, and nothing after it is cut off. A missing
// number counts as acknowledged if
//   - it is WIRE_WINDOW_MAX or more below another number: an agent has at most that many unanswered
//     batches; or
//   - its record is damaged but did reach the disk. Bytes that did not reach the disk read as zeros
//     at the ends of sectors, or are missing at the end of a file.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/journal/test_journal_tail.c

#pragma once

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"
#include "common/base/lp_ranges.h"

#include <stddef.h>
#include <stdint.h>

// journal_tail_cut cuts the session's journals with these ordinals, and removes journals that
// become empty. The journals may lack the batches in settled; NULL: the batches below the lowest
// one in the journals. *out_next is the number of the next batch to receive. Errors: LP_EIO with
// errno, LP_ENOMEM
LP_MUST_USE lp_err journal_tail_cut(const data_dir *dir, const char *session_id,
    const uint32_t *ordinals, size_t count, const lp_ranges *settled, uint64_t *out_next);
