// SPDX-License-Identifier: Apache-2.0

// tally: the statistics of one chunk, once its output is written.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/write/test_accounts.c, tests/prop/test_account_prop.c

#ifndef LP_ENGINE_JOB_TALLY_H
#define LP_ENGINE_JOB_TALLY_H

#include "common/base/lp_err.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/write/write.h"

// compact_tally fills stats, which is zeroed. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_tally(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, const compact_output *output, compact_stats *stats);

#endif // LP_ENGINE_JOB_TALLY_H
