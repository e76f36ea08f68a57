// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_end.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdatomic.h>

// An independent number: a wait that sees it late looks again.
static atomic_int_fast64_t deadline_mono_ms = LP_END_NEVER;

void
lp_end_set(int64_t end_mono_ms)
{
    atomic_store_explicit(&deadline_mono_ms, end_mono_ms, memory_order_relaxed);
}

int64_t
lp_end_get(void)
{
    return atomic_load_explicit(&deadline_mono_ms, memory_order_relaxed);
}

int64_t
lp_end_limit(int64_t ms)
{
    LP_ASSERT(ms >= 0);
    const int64_t end_mono_ms = lp_end_get();
    if (end_mono_ms == LP_END_NEVER) {
        return ms;
    }
    const int64_t left_ms = end_mono_ms - lp_time_mono_ms();
    return left_ms < 0 ? 0 : left_ms < ms ? left_ms : ms;
}
