// SPDX-License-Identifier: Apache-2.0
// sim_world: what all parts of a simulated run share: its chance, its clock, and what is broken
// just now.
//
// Threads: the one of the test.

#pragma once

#include "support/chance.h"

#include "common/base/lp_assert.h"

#include <stdbool.h>
#include <stdint.h>

enum { SIM_AGENTS_MAX = 3, SIM_COLLECTORS_MAX = 3 };

typedef struct sim_world {
    uint64_t chance;
    int64_t now_ms;
    unsigned collectors; // so many there are, each with its own disk, clock and data
    unsigned side;       // the one that is looked at or takes a step
    // Where the catalog and the chunks are that the collectors share; NULL: each has its own.
    const char *shared;
    int64_t collector_ahead_ms[SIM_COLLECTORS_MAX]; // of now_ms: how far its clock has jumped
    // Of the network, in percent of messages, and ms.
    unsigned lost_percent;
    unsigned twice_percent;
    unsigned delay_ms_max;
    unsigned disk_ms_max; // that a sync, or a compaction, takes
    bool is_disk_full[SIM_COLLECTORS_MAX];
    bool has_moved;                      // an agent, from one collector to another
    bool is_cut_off[SIM_COLLECTORS_MAX]; // from the agents: what is sent to it is lost
    bool is_unheard[SIM_COLLECTORS_MAX]; // what it sends to agents is lost
    // Of the catalog that is shared.
    bool is_catalog_away[SIM_COLLECTORS_MAX];
    unsigned catalog_lost;     // in so many of 10,000 calls a connection is
    int64_t catalog_ahead_ms;  // of now_ms: its clock
    uint64_t recall_bytes_max; // of raw data; 0: none is kept
    bool is_traced;            // messages are logged
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

// sim_each_side has something done for each collector.
static inline void
sim_each_side(void (*act)(void))
{
    for (sim.side = 0; sim.side < sim.collectors; sim.side++) {
        act();
    }
    sim.side = 0;
}

// sim_mend_network has all messages come, once and soon, and disks be fast.
static inline void
sim_mend_network(void)
{
    sim.lost_percent = 0;
    sim.twice_percent = 0;
    sim.delay_ms_max = 10;
    sim.disk_ms_max = 10;
}
