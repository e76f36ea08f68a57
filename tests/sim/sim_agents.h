// SPDX-License-Identifier: Apache-2.0
// sim_agents: all agents of a schedule, some of which stand still now and then.
//
// Threads: the one of the test.

#pragma once

#include <stdbool.h>

// sim_agents_begin begins so many agents, with their repositories in parent. The schedule ends them
// by sim_agents_end.
void sim_agents_begin(unsigned count, const char *parent);
void sim_agents_end(void);

// sim_agents_pause has one stand still for less than ms_max from now on.
void sim_agents_pause(unsigned ms_max);

// sim_agents_step has those that do not stand still record something, perhaps, and take a step.
// is_down says of the collector at sim.side whether it is.
void sim_agents_step(bool (*is_down)(void));

// sim_agents_finish has all end that have not, from now on without standing still.
void sim_agents_finish(void);

// sim_agents_are_done returns whether all that they recorded is acknowledged.
bool sim_agents_are_done(void);
