// SPDX-License-Identifier: Apache-2.0
// sim_collector: of each collector (sim.side's each time) the real server (server.h) on the
// simulated loop and disk, behind an agent_socket that is the simulated network. A chunk is not
// compacted but read, by the collector's assembly and by sim_reader, which must agree; what it has
// is kept in DATA/sim. The same is an edition for pins.
//
// Threads: the one of the test.

#pragma once

#include "sim/sim_net.h"

#include "collector/journal/sync_rounds.h"
#include "collector/server/server.h"

#include <stdbool.h>
#include <stddef.h>

// sim_collector_start returns false where the catalog that it shares does not let it.
bool sim_collector_start(sync_mode mode);

// sim_collector_stop ends it as SIGTERM does, and sim_collector_kill as SIGKILL.
void sim_collector_stop(void);
void sim_collector_kill(void);

// sim_collector_get returns the server; NULL: it does not run.
server *sim_collector_get(void);

// sim_collector_get_name returns its name as a node.
const char *sim_collector_get_name(void);

// sim_collector_drain has it ask agents to go elsewhere.
void sim_collector_drain(bool is_drained);

void sim_collector_take_request(const sim_message *message);

// sim_collector_chunk_path writes where what a compaction made of a chunk is kept.
void sim_collector_chunk_path(
    const char *session_id, uint32_t ordinal, uint64_t hash, char *out, size_t size);

// sim_collector_late_path writes where what came of it too late is put aside.
void sim_collector_late_path(const char *session_id, uint32_t ordinal, char *out, size_t size);
