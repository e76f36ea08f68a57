// SPDX-License-Identifier: Apache-2.0

// tally: writes the output of a decided chunk, and its statistics.
//
// Threads: one thread at a time for each frame.
// Tests:   tests/unit/engine/write/test_account.c, tests/prop/test_account_prop.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"
#include "engine/show/style.h"
#include "engine/types.h"

// compact_tally_write writes the output, statistics and damage into result, which is zeroed. style
// is NULL if contexts are events. arena is the chunk's.
// Owns:   the caller ends *result with compact_result_fini, also after an error.
// Errors: LP_ENOMEM; LP_ECORRUPT for damage that the options refuse
LP_MUST_USE lp_err compact_tally_write(const compact_frame *frame, const compact_opened *opened,
    const compact_decided *decided, compact_style *style, lp_arena *arena, compact_result *result,
    lp_problem *problem);
