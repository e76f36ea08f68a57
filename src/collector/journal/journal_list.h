// SPDX-License-Identifier: Apache-2.0

// journal_list: lists, cuts and removes the journals of a session.
//
// Threads: any thread; journal_list_cut and journal_list_remove only while no other thread writes
//          journals of the session.
// Tests:   tests/unit/collector/start/test_recovery.c,
//          tests/unit/collector/server/test_power_cuts.c,
//          tests/unit/collector/journal/test_journal_tail.c

#pragma once

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"
#include "common/base/lp_ranges.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef LP_VEC(uint32_t) journal_list; // the numbers of the chunks

// journal_list_read lists the journals in a session's directory, in ascending order; none if the
// directory is missing. The caller frees out_list->items. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_list_read(const char *path, journal_list *out_list);

bool journal_list_has(const journal_list *list, uint32_t ordinal);

// journal_list_remove_raw deletes the journals of a session that were kept as raw data
// (DATA_DIR_RAW). Errors: as journal_list_remove
LP_MUST_USE lp_err journal_list_remove_raw(const data_dir *dir, const char *session_id);

// journal_list_remove deletes the remaining journals of a recording that is being removed, and
// syncs their directories. Compaction deleted the recording's journals, but a power cut can undo
// this; the next start would then recover an unknown recording. An invalid id has no journals.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_list_remove(const data_dir *dir, const char *session_id);

// journal_list_cut cuts off, after a power cut, batches that were not acknowledged. With
// SYNC_ALWAYS all acknowledged batches are on the disk. Of later batches, some may be on the disk
// in whole or in part. Their agent resends all of them under the same numbers, so the journals must
// end before the first missing number.
//
// If an acknowledged number is missing, this is damage, and nothing after it is cut off. A missing
// number counts as acknowledged if
//   - it is WIRE_WINDOW_MAX or more below another number: an agent has at most that many unanswered
//     batches; or
//   - its record is damaged but did reach the disk. Bytes that did not reach the disk read as zeros
//     at the ends of sectors, or are missing at the end of a file.
//
// The function cuts the session's journals with these ordinals, and removes journals that become
// empty. The journals may lack the batches in settled; NULL: the batches below the lowest one in
// the journals. *out_next is the number of the next batch to receive. Errors: LP_EIO with errno,
// LP_ENOMEM
LP_MUST_USE lp_err journal_list_cut(const data_dir *dir, const char *session_id,
    const uint32_t *ordinals, size_t count, const lp_ranges *settled, uint64_t *out_next);
