// SPDX-License-Identifier: Apache-2.0

// left_journals: journals of a recording that is being removed. They were deleted when it was
// compacted, but a power failure can undo that; a start would then recover an unknown recording.
//
// Threads: any, while no other thread writes journals of the session.
// Tests:   tests/unit/collector/server/test_power_cuts.c

#ifndef LP_COLLECTOR_JOURNAL_LEFT_JOURNALS_H
#define LP_COLLECTOR_JOURNAL_LEFT_JOURNALS_H

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

// left_journals_remove deletes the session's journals, if any, and syncs their directories.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err left_journals_remove(const data_dir *dir, const char *session_id);

#endif // LP_COLLECTOR_JOURNAL_LEFT_JOURNALS_H
