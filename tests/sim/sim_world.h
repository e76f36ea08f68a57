// SPDX-License-Identifier: Apache-2.0
// sim_world: what all parts of a simulated run share: its chance, its clock, and what is broken
// just now.
//
// Threads: the one of the test.

#ifndef LP_TESTS_SIM_SIM_WORLD_H
#define LP_TESTS_SIM_SIM_WORLD_H

#include "support/chance.h"

#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIM_AGENTS_MAX = 3, SIM_COLLECTORS_MAX = 2 };

typedef struct sim_world {
    uint64_t chance;
    int64_t now_ms;
    unsigned collectors; // so many there are, each with its own disk, clock and data
    unsigned side;       // the one that is looked at or takes a step
    int64_t collector_ahead_ms[SIM_COLLECTORS_MAX]; // of now_ms: how far its clock has jumped
    // Of the network, in percent of messages, and ms.
    unsigned lost_percent;
    unsigned twice_percent;
    unsigned delay_ms_max;
    unsigned disk_ms_max; // that a sync, or a compaction, takes
    bool is_disk_full[SIM_COLLECTORS_MAX];
    bool has_moved; // an agent, from one collector to another
    bool is_traced; // messages are logged
} sim_world;

extern sim_world sim;

// sim_below returns a number in [0, limit); limit is not 0.
static inline unsigned
sim_below(unsigned limit)
{
    return (unsigned)chance_below(&sim.chance, limit);
}

// sim_happens returns true in this many of 10,000 cases.
static inline bool
sim_happens(unsigned often)
{
    return sim_below(10000) < often;
}

#endif // LP_TESTS_SIM_SIM_WORLD_H
