// SPDX-License-Identifier: Apache-2.0
// sim_recall: pins of raw data at the collector at sim.side, and whether what the catalog says of
// chunks that were stored again is there.
//
// Threads: the one of the test.

#pragma once

#include <stdbool.h>
#include <stdint.h>

// sim_recall_pin pins all chunks that there are and that come: everything, or a thread, which is
// another one each time. number: of the pin.
void sim_recall_pin(unsigned number, bool wants_all);

// sim_recall_is_done returns whether no chunk waits for a pin.
bool sim_recall_is_done(void);

// sim_recall_is_whole returns whether no pin of everything lacks a chunk of those that it knows.
bool sim_recall_is_whole(void);

// sim_recall_check_agent returns whether each chunk of an agent that the catalog names has its
// file. wants_all: each is stored with all events.
bool sim_recall_check_agent(uint64_t seed, unsigned agent, bool wants_all);
