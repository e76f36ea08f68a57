// SPDX-License-Identifier: Apache-2.0

// tally: the statistics of a chunk, once its output is written.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/write/test_account.c, tests/prop/test_account_prop.c

#ifndef LP_ENGINE_JOB_TALLY_H
#define LP_ENGINE_JOB_TALLY_H

#include "common/base/lp_arena.h"
#include "engine/decide/decided.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/types.h"
#include "engine/write/output.h"

// compact_tally fills stats, which is zeroed. arena is the chunk's. Errors: as of arena
void compact_tally(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, const compact_output *output, lp_arena *arena,
    compact_stats *stats);

#endif // LP_ENGINE_JOB_TALLY_H
