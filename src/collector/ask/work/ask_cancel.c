// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_cancel.h"

#include "common/base/lp_assert.h"

#include <time.h>

static int64_t
now_mono_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now); // cannot fail for this clock
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void
ask_cancel_begin(ask_cancel *cancel, int64_t ns_max)
{
    cancel->deadline_mono_ns = now_mono_ns() + ns_max;
}

bool
ask_cancel_look(ask_cancel *cancel)
{
    LP_ASSERT(cancel->is_stopping != NULL && cancel->is_gone != NULL);
    if (!atomic_load_explicit(&cancel->is_cancelled, memory_order_relaxed)) {
        bool is_cancelled = atomic_load_explicit(cancel->is_stopping, memory_order_relaxed) ||
                            cancel->is_gone(cancel->arg);
        cancel->is_late = !is_cancelled && now_mono_ns() > cancel->deadline_mono_ns;
        atomic_store_explicit(
            &cancel->is_cancelled, is_cancelled || cancel->is_late, memory_order_relaxed);
    }
    return atomic_load_explicit(&cancel->is_cancelled, memory_order_relaxed);
}
