// SPDX-License-Identifier: Apache-2.0
// ship_policy: the collector's settings for the recording of this JVM.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship.c

#ifndef LP_AGENT_SHIP_SHIP_POLICY_H
#define LP_AGENT_SHIP_SHIP_POLICY_H

#include "common/wire/wire.h"

#include <stdint.h>

// {0}: the collector has none, and the policy that the agent was started with holds.
typedef struct ship_policy {
    uint64_t id;                      // another policy has another one
    Loupe__Wire__JvmPolicy *settings; // owned; NULL: none
} ship_policy;

// ship_policy_fini leaves policy zeroed.
void ship_policy_fini(ship_policy *policy);

#endif // LP_AGENT_SHIP_SHIP_POLICY_H
