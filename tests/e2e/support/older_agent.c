// SPDX-License-Identifier: Apache-2.0
// What makes of the agent one that knows nothing of other copies: it always takes itself for the
// only one, and no copy finds a claim of it.

#include "agent/agent_claim.h"

#include <stddef.h>

const char *
agent_claim_take(void)
{
    return NULL;
}

void
agent_claim_release(void)
{
}

const char *
agent_claim_get_name(void)
{
    return "older";
}
