// SPDX-License-Identifier: Apache-2.0
// reach: how far behind the end of a chunk others may have to be at hand, as a whole, to decide it.
//
// Events are stored up to COMPACT_LATENESS_MS late; and where the policy samples, it is whole
// seconds of which samples are taken.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/offline/test_reach.c

#ifndef LP_ENGINE_JOB_REACH_H
#define LP_ENGINE_JOB_REACH_H

#include "engine/clock.h"
#include "policy/policy.h"

#include <stdint.h>

enum {
    // Where the policy samples: seconds are sampled that end up to two after the chunk.
    COMPACT_REACH_SAMPLES_MS = 2000 + COMPACT_LATENESS_MS,
};

// compact_reach_ns returns up to how long after the end of a chunk another may begin that is
// needed. rules may be NULL.
static inline int64_t
compact_reach_ns(const policy *rules)
{
    int64_t reach_ms = policy_samples(rules) ? COMPACT_REACH_SAMPLES_MS : COMPACT_LATENESS_MS;
    return reach_ms * 1000000;
}

#endif // LP_ENGINE_JOB_REACH_H
