// SPDX-License-Identifier: Apache-2.0
// A library that holds or asks for the claim, as a copy of the agent's does.

#include "agent/agent_claim.h"

const char *claim_copy_take(void);
void claim_copy_release(void);

__attribute__((visibility("default"))) const char *
claim_copy_take(void)
{
    return agent_claim_take();
}

__attribute__((visibility("default"))) void
claim_copy_release(void)
{
    agent_claim_release();
}
