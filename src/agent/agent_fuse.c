// SPDX-License-Identifier: Apache-2.0
#include "agent/agent_fuse.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <stdatomic.h>

static atomic_bool is_blown; // a plain fact, it orders nothing

static void
on_broken(const char *file, int line, const char *what, const char *text)
{
    if (!atomic_exchange_explicit(&is_blown, true, memory_order_relaxed)) {
        lp_log(LP_LOG_ERROR,
            "%s:%d: %s: %s. The agent has a defect and does nothing from now on; the JVM runs on "
            "without it",
            file, line, what, text);
    }
}

void
agent_fuse_init(void)
{
    lp_assert_init(on_broken);
}

bool
agent_fuse_is_blown(void)
{
    return atomic_load_explicit(&is_blown, memory_order_relaxed);
}
