// SPDX-License-Identifier: Apache-2.0

// journal_tail: what a power cut left of batches that were never acknowledged. With SYNC_ALWAYS all
// that was acknowledged is on the disk, and of what came after it some batches may be, or parts of
// them, and others not. Their agent sends all of them again, under the same numbers: so the
// journals end, from then on, before the first number that is missing.
//
// A number that was acknowledged and is missing is damage, behind which nothing is cut off. It is
// one that lies WIRE_WINDOW_MAX or more below another, as an agent has no more unanswered batches;
// or one whose record is there as far as the disk goes: what never came to it are the ends of
// sectors, which are zeros, and that of a file.
//
// Threads: before the loop runs.
// Tests:   tests/unit/collector/journal/test_journal_tail.c

#ifndef LP_COLLECTOR_SERVER_JOURNAL_TAIL_H
#define LP_COLLECTOR_SERVER_JOURNAL_TAIL_H

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"
#include "common/base/lp_ranges.h"

#include <stddef.h>
#include <stdint.h>

// journal_tail_cut cuts the journals of a session with these ordinals, in which no batch is missing
// but those that are settled (NULL: those below the lowest there is), and removes those of which
// nothing is left. *out_next is the number of the batch that is to come next.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_tail_cut(const data_dir *dir, const char *session_id,
    const uint32_t *ordinals, size_t count, const lp_ranges *settled, uint64_t *out_next);

#endif // LP_COLLECTOR_SERVER_JOURNAL_TAIL_H
