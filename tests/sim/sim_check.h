// SPDX-License-Identifier: Apache-2.0
// sim_check: what the collectors have of an agent's session once a schedule is over, byte by byte
// and record by record, and what is wrong with that.
//
// Threads: the one of the test.

#pragma once

#include <stdbool.h>
#include <stdint.h>

// What may have come of what happened in a schedule.
typedef struct sim_allowed {
    bool is_lost;    // what was acknowledged may be gone
    bool is_counted; // a loss may be counted, whatever it costs
} sim_allowed;

// sim_check_agents looks at the sessions of the first count agents, in the catalogs of the
// collectors, none of which runs. Of each that is wrong it prints a line with the seed; then it
// returns false.
bool sim_check_agents(uint64_t seed, unsigned count, sim_allowed allowed);
