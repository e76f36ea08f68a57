// SPDX-License-Identifier: Apache-2.0
// ship_policy: the collector's settings for this JVM's recording.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship.c

#pragma once

#include "common/wire/wire.h"

#include <stdint.h>

// {0}: the collector has no policy, and the agent's own policy applies.
typedef struct ship_policy {
    uint64_t id;                      // different for each policy
    Loupe__Wire__JvmPolicy *settings; // owned; NULL: none
} ship_policy;

static inline void
ship_policy_fini(ship_policy *policy)
{
    loupe__wire__jvm_policy__free_unpacked(policy->settings, NULL); // NULL is fine
    *policy = (ship_policy){0};
}
