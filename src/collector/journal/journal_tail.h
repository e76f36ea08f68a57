// SPDX-License-Identifier: Apache-2.0

// journal_tail: cuts off batches that a power cut left without acknowledgement. With SYNC_ALWAYS
// all acknowledged batches are on the disk; of later batches some may be, or parts of some. Their
// agent resends all of them under the same numbers. So the journals have to end before the first
// missing number.
//
// A number that was acknowledged and is missing is damage: nothing is cut off behind it. Such a
// number
//   - is WIRE_WINDOW_MAX or more below another one: an agent has no more unanswered batches; or
//   - has a damaged record that did reach the disk. Bytes that did not reach it read as zeros at
//     the ends of sectors, or are missing at the end of a file.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/journal/test_journal_tail.c

#pragma once

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"
#include "common/base/lp_ranges.h"

#include <stddef.h>
#include <stdint.h>

// journal_tail_cut cuts the session's journals with these ordinals, and removes those that end up
// empty. Batches that are settled (NULL: those below the lowest in the journals) are not expected
// in them. *out_next is the number of the next batch to receive. Errors: LP_EIO with errno,
// LP_ENOMEM
LP_MUST_USE lp_err journal_tail_cut(const data_dir *dir, const char *session_id,
    const uint32_t *ordinals, size_t count, const lp_ranges *settled, uint64_t *out_next);
