// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_policy.h"

void
ship_policy_fini(ship_policy *policy)
{
    loupe__wire__jvm_policy__free_unpacked(policy->settings, NULL); // NULL is fine
    *policy = (ship_policy){0};
}
