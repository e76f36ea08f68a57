// SPDX-License-Identifier: Apache-2.0
// sim_net: the network between the agents and the collectors. Messages take a while, by chance, and
// so overtake each other; some are lost and some come twice. A connection that is cut loses all
// that is on its way; of one that its agent has left some requests still come to the collector.
//
// Threads: the one of the test.

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sim_message {
    unsigned agent;
    unsigned collector;
    uint64_t request;    // its number, unique in a run
    uint64_t connection; // over which it goes
    bool is_reply;
    lp_slice bytes; // borrowed during on_message
} sim_message;

// sim_net_begin empties the network.
void sim_net_begin(void (*on_message)(const sim_message *message));
void sim_net_end(void);

// sim_net_get_connection returns the number of the agent's connection, never 0.
uint64_t sim_net_get_connection(unsigned agent);

// sim_net_get_collector returns at which collector the agent is.
unsigned sim_net_get_collector(unsigned agent);

// sim_net_move has the agent leave that for another one.
void sim_net_move(unsigned agent, unsigned collector);

// sim_net_stop keeps from a collector what is sent to it, until it is to go on.
void sim_net_stop(unsigned collector, bool is_stopped);

// sim_net_cut ends the agent's connection; the next one is there at once.
void sim_net_cut(unsigned agent);

// sim_net_send copies the message, unless its connection has ended.
void sim_net_send(const sim_message *message);

// sim_net_step delivers what is due.
void sim_net_step(void);
