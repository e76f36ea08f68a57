// SPDX-License-Identifier: Apache-2.0
// reach: how far beyond the end of a chunk the engine needs later chunks to decide it.
//
// Events are stored up to COMPACT_LATENESS_MS late, and sampling decides whole seconds.
//
// Threads: any thread.
// Tests:   tests/unit/offline/test_reach.c

#pragma once

#include "engine/clock.h"
#include "policy/policy.h"

#include <stdint.h>

enum {
    // If the policy samples: the last sampled second ends up to two seconds after the chunk.
    COMPACT_REACH_SAMPLES_MS = 2000 + COMPACT_LATENESS_MS,
};

// compact_reach_ns returns the reach. Later chunks that begin more than this after a chunk's end
// are not needed to decide that chunk. rules may be NULL.
static inline int64_t
compact_reach_ns(const policy *rules)
{
    int64_t reach_ms = policy_samples(rules) ? COMPACT_REACH_SAMPLES_MS : COMPACT_LATENESS_MS;
    return reach_ms * 1000000;
}
