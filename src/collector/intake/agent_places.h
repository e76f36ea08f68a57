// SPDX-License-Identifier: Apache-2.0

// agent_places: the sessions of connected agents, each with its window of unacknowledged batches. A
// place lasts at most as long as its session's connection, and is only in memory.
//
//   acknowledged       next                        acknowledged + WIRE_WINDOW_MAX
//        |  in flight   |  early: held until the       |
//        |  in the sink |  earlier batches are taken   |
//
// Batches are in flight only if the sink (agent_protocol.h) answers later.
//
// Threads: the loop that owns it.
// Owns:    the requests that wait.
// Tests:   tests/unit/collector/session/test_session_places.c, test_server_log.c

#pragma once

#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "collector/net/agent_gate.h"
#include "collector/net/agent_socket.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The slot of a batch in the window: its number modulo the size of the window. Zeroed: free.
typedef struct agent_slot {
    agent_socket_request *request; // NULL: no answer is due
    uint64_t sequence;
    size_t bytes;
    bool is_sent; // in flight; else it is early
} agent_slot;

typedef struct agent_place {
    char id[CATALOG_ID_CHARS + 1]; // of the session
    uint32_t index;                // in agent_places.all
    char *service;
    agent_pass pass;       // of its last Hello
    uint64_t holders[2];   // the address and token for which it counts (peers.h)
    uint64_t connection;   // of its Hello
    uint64_t heard_ms;     // loop time of its last Hello or batch
    uint64_t run;          // changes when the batches in flight are cancelled
    bool is_greeted;       // its Hello was taken
    uint64_t acknowledged; // the sink has the batches below it
    uint64_t next;         // the next batch for the sink
    agent_slot slots[WIRE_WINDOW_MAX];
} agent_place;

// Zeroed: no places. If peers has a limit, each place counts for its holders.
typedef struct agent_places {
    LP_VEC(agent_place *) all;
    lp_map by_id; // hash of an id to an index
    peers peers;
    uint64_t last_run;
} agent_places;

void agent_places_fini(agent_places *places);

// agent_places_find returns the session's place; NULL if it has none.
agent_place *agent_places_find(const agent_places *places, const char *session_id);

// agent_places_add makes a place for a session that has none. NULL if memory ran out or another id
// has the same hash. now_ms is the loop's time.
agent_place *agent_places_add(
    agent_places *places, const char *session_id, const uint64_t holders[2], uint64_t now_ms);

void agent_places_set_holders(agent_places *places, agent_place *place, const uint64_t holders[2]);

// agent_places_drop frees a place, and drops the requests that wait in it.
void agent_places_drop(agent_places *places, agent_place *place);

// agent_places_find_limit returns the metric of the limit that one more place would exceed:
// SESSIONS_MAX, or a limit of peers, which must have one. METRICS_COUNT: no limit is reached.
metrics_id agent_places_find_limit(
    const agent_places *places, const uint64_t holders[2], uint64_t now_ms);

// sequence must be in the window.
agent_slot *agent_place_find_slot(agent_place *place, uint64_t sequence);

// agent_place_is_waiting returns whether any slot has a waiting request.
bool agent_place_is_waiting(const agent_place *place);
