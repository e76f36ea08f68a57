// SPDX-License-Identifier: Apache-2.0
// jfr_pools_mark: which constants of a chunk (jfr_pool.h) somebody needs: those that kept events
// refer to, and all that these refer to in turn.
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/jfr/test_jfr_pool.c

#ifndef LP_COMMON_JFR_JFR_POOLS_MARK_H
#define LP_COMMON_JFR_JFR_POOLS_MARK_H

#include "common/base/lp_err.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool
jfr_pools_is_marked(const jfr_pools *pools, uint32_t type, uint32_t index)
{
    return (pools->pools[type].marks[index] & JFR_MARK_NEEDED) != 0;
}

// jfr_pools_mark marks a constant. One that is not defined is counted, if it means null, and so is
// one that cannot be printed, which is hidden (jfr_pools_hide).
void jfr_pools_mark(jfr_pools *pools, uint32_t type, uint64_t key);

// jfr_pools_may_refer returns whether constants of a type may refer to others, or to nothing.
bool jfr_pools_may_refer(const jfr_pools *pools, uint32_t type);

// jfr_pools_mark_index is jfr_pools_mark for the constant at index of its pool.
void jfr_pools_mark_index(jfr_pools *pools, uint32_t type, uint32_t index);

// jfr_pools_mark_value moves cursor, which lies in the chunk, over a value and marks the constants
// that it refers to. False, with nothing marked and cursor as it was, if it does not fit.
bool jfr_pools_mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor);

// jfr_pools_mark_reachable marks everything that marked constants refer to, transitively. Of an
// enumeration of which one constant is marked it marks all. To be called once, at last.
// Errors: LP_ENOMEM, also for an earlier jfr_pools_mark
LP_MUST_USE lp_err jfr_pools_mark_reachable(jfr_pools *pools);

#endif // LP_COMMON_JFR_JFR_POOLS_MARK_H
