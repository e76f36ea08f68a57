// SPDX-License-Identifier: Apache-2.0

// journal_list: lists and removes the journals of a session.
//
// Threads: any thread; journal_list_remove only while no other thread writes journals of the
//          session.
// Tests:   tests/unit/collector/start/test_recovery.c,
//          tests/unit/collector/server/test_power_cuts.c

#pragma once

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
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
