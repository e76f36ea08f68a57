// SPDX-License-Identifier: Apache-2.0
// jfr_pools_mark: marks the constants of a chunk (jfr_pool.h) that kept events refer to, and
// transitively those that marked constants refer to.
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/jfr/test_jfr_pool.c

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_pool.h"

#include <stdbool.h>
#include <stdint.h>

static inline bool
jfr_pools_is_marked(const jfr_pools *pools, uint32_t type, uint32_t index)
{
    return (pools->pools[type].marks[index] & JFR_MARK_NEEDED) != 0;
}

// jfr_pools_mark marks a constant. It counts undefined constants that mean null. It hides
// (jfr_pools_hide) and counts constants that cannot be printed.
void jfr_pools_mark(jfr_pools *pools, uint32_t type, uint64_t key);

// jfr_pools_may_refer returns whether constants of a type may contain references, defined or not.
bool jfr_pools_may_refer(const jfr_pools *pools, uint32_t type);

// jfr_pools_mark_index is jfr_pools_mark for the constant at index of its pool.
void jfr_pools_mark_index(jfr_pools *pools, uint32_t type, uint32_t index);

// jfr_pools_mark_value moves cursor, which lies in the chunk, over a value and marks the constants
// that it refers to. If the value does not fit, returns false with no marks and cursor unchanged.
bool jfr_pools_mark_value(jfr_pools *pools, jfr_program program, jfr_cursor *cursor);

// jfr_pools_mark_reachable marks everything that marked constants refer to, transitively. A marked
// constant of an enumeration marks all constants of the enumeration. Call it once, last.
// Errors: LP_ENOMEM, also of earlier jfr_pools_mark calls
LP_MUST_USE lp_err jfr_pools_mark_reachable(jfr_pools *pools);
