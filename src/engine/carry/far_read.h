// SPDX-License-Identifier: Apache-2.0
// far_read: what a chunk needs of the contextual events of one that is far behind it.
//
// Threads: any thread.
// Tests:   tests/unit/engine/decide/test_known.c

#ifndef LP_ENGINE_CARRY_FAR_READ_H
#define LP_ENGINE_CARRY_FAR_READ_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "engine/carry/carry.h"

#include <stdint.h>

typedef LP_VEC(compact_interval) compact_intervals;

// compact_far_read appends the contextual events of a chunk that matter and began before a time. A
// thread that the chunk does not describe is the one of carry with its key; carry (or NULL) is the
// one that the chunk gets for which this is read. If only a chunk in between describes it, it is
// not known. rules have no context-throttle, which would choose among these events.
// Errors: LP_ENOMEM; those of compact_view_open for a chunk that cannot be read
LP_MUST_USE lp_err compact_far_read(lp_slice chunk, const policy *rules, int64_t before,
    const compact_carry *carry, compact_intervals *out);

#endif // LP_ENGINE_CARRY_FAR_READ_H
