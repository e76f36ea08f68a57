// SPDX-License-Identifier: Apache-2.0
// far_read: reads the contextual events of a much later chunk that an earlier chunk needs.
//
// Threads: any thread.
// Tests:   tests/unit/engine/decide/test_known.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/carry/carry.h"

#include <stdint.h>

typedef LP_VEC(compact_interval) compact_intervals;

// compact_far_read appends to out the contextual events of chunk that matter and begin before the
// time `before` (ticks). carry (or NULL) is the carry-over of the chunk that needs these events: it
// identifies the threads that are not described in chunk. Threads that only a chunk between the two
// chunks describes stay unknown. rules must not have context-throttle. Errors: LP_ENOMEM; the
// errors of compact_view_open
LP_MUST_USE lp_err compact_far_read(lp_slice chunk, const policy *rules, int64_t before,
    const compact_carry *carry, compact_intervals *out);
