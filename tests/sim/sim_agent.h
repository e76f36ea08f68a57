// SPDX-License-Identifier: Apache-2.0
// sim_agent: agents, each with a JVM that writes chunks and context records. All that
// src/agent/ship keeps and sends is the real thing, with the real tail; only NNG's half of
// ship_link and the rings are the simulation's.
//
// Threads: the one of the test.

#pragma once

#include "sim/sim_net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// sim_agent_begin starts an agent, whose JVM's repository is made in parent.
void sim_agent_begin(unsigned index, const char *parent);
void sim_agent_end(unsigned index);

// sim_agent_step is a round of the agent's thread, which has a connection or not.
void sim_agent_step(unsigned index, bool is_connected);

// sim_agent_record has the JVM do something: flush, begin another chunk, or run contexts.
void sim_agent_record(unsigned index);

// sim_agent_finish ends the JVM: the agent sends the rest.
void sim_agent_finish(unsigned index);
bool sim_agent_is_done(unsigned index);

void sim_agent_take_reply(const sim_message *message);

// sim_agent_reconnect sends again what is unanswered, as NNG does over a new connection.
void sim_agent_reconnect(unsigned index);

// What the JVM has written. The id is hex.
const char *sim_agent_get_id(unsigned index);
uint32_t sim_agent_count_chunks(unsigned index);
uint64_t sim_agent_get_size(unsigned index, uint32_t chunk);
uint8_t sim_agent_byte(unsigned index, uint32_t chunk, uint64_t offset);
int64_t sim_agent_count_records(unsigned index); // their times are 1 up to this
