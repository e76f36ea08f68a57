// SPDX-License-Identifier: Apache-2.0

// left_journals: the journals of a recording that is removed. They went when it was compacted, and
// may be there again after a power failure: then they would be a recording that nobody knows.
//
// Threads: one that nobody writes journals of the session beside.
// Tests:   tests/unit/collector/server/test_power_cuts.c

#ifndef LP_COLLECTOR_SERVER_LEFT_JOURNALS_H
#define LP_COLLECTOR_SERVER_LEFT_JOURNALS_H

#include "collector/journal/data_dir.h"
#include "common/base/lp_err.h"

// left_journals_remove removes them, for good: the disk has it. As a rule there are none.
// Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err left_journals_remove(const data_dir *dir, const char *session_id);

#endif // LP_COLLECTOR_SERVER_LEFT_JOURNALS_H
