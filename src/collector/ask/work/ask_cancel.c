// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/work/ask_cancel.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stddef.h>

void
ask_cancel_begin(ask_cancel *cancel, int64_t ns_max)
{
    cancel->deadline_mono_ns = lp_time_mono_ns() + ns_max;
}

bool
ask_cancel_look(ask_cancel *cancel)
{
    LP_ASSERT(cancel->is_stopping != NULL && cancel->is_gone != NULL);
    if (!atomic_load_explicit(&cancel->is_cancelled, memory_order_relaxed)) {
        bool is_cancelled = atomic_load_explicit(cancel->is_stopping, memory_order_relaxed) ||
                            cancel->is_gone(cancel->arg);
        cancel->is_late = !is_cancelled && lp_time_mono_ns() > cancel->deadline_mono_ns;
        atomic_store_explicit(
            &cancel->is_cancelled, is_cancelled || cancel->is_late, memory_order_relaxed);
    }
    return atomic_load_explicit(&cancel->is_cancelled, memory_order_relaxed);
}
