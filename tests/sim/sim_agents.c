// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_agents.h"

#include "sim/sim_agent.h"
#include "sim/sim_net.h"
#include "sim/sim_world.h"

#include <string.h>

enum { RECORDS = 1000 }; // in so many of 10,000 steps an agent does

static unsigned agents;
static int64_t paused_until_ms[SIM_AGENTS_MAX];

void
sim_agents_begin(unsigned count, const char *parent)
{
    agents = count;
    memset(paused_until_ms, 0, sizeof(paused_until_ms));
    for (unsigned i = 0; i < agents; i++) {
        sim_agent_begin(i, parent);
    }
}

void
sim_agents_end(void)
{
    for (unsigned i = 0; i < agents; i++) {
        sim_agent_end(i);
    }
}

void
sim_agents_pause(unsigned ms_max)
{
    paused_until_ms[sim_below(agents)] = sim.now_ms + sim_below(ms_max);
}

void
sim_agents_step(bool (*is_down)(void))
{
    for (unsigned i = 0; i < agents; i++) {
        if (sim.now_ms < paused_until_ms[i]) {
            continue;
        }
        if (sim_happens(RECORDS)) {
            sim_agent_record(i);
        }
        sim.side = sim_net_get_collector(i);
        sim_agent_step(i, !is_down());
    }
}

void
sim_agents_finish(void)
{
    memset(paused_until_ms, 0, sizeof(paused_until_ms));
    for (unsigned i = 0; i < agents; i++) {
        sim_agent_finish(i);
    }
}

bool
sim_agents_are_done(void)
{
    for (unsigned i = 0; i < agents; i++) {
        if (!sim_agent_is_done(i)) {
            return false;
        }
    }
    return true;
}
