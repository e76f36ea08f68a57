// SPDX-License-Identifier: Apache-2.0

// agent_places: the sessions whose agents are connected here, each with its window: which of its
// batches wait, and for what. A place lasts no longer than its session's connection; nothing of it
// is kept.
//
//   acknowledged       next                        acknowledged + WIRE_WINDOW_MAX
//        |  taken, on   |  came early: held until      |
//        |  their way   |  those before them are here  |
//
// Batches are on their way only where the sink (agent_protocol.h) answers later.
//
// Threads: the loop that owns it.
// Owns:    the requests that wait.
// Tests:   tests/unit/collector/session/test_session_places.c, test_server_log.c

#ifndef LP_COLLECTOR_INTAKE_AGENT_PLACES_H
#define LP_COLLECTOR_INTAKE_AGENT_PLACES_H

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

// The place of a batch in the window, by its number modulo the window. Zeroed: it is free.
typedef struct agent_slot {
    agent_socket_request *request; // NULL: nobody waits for the answer
    uint64_t sequence;
    size_t bytes;
    bool is_sent; // on its way; else it came before one with a lower number
} agent_slot;

typedef struct agent_place {
    char id[CATALOG_ID_CHARS + 1]; // of the session
    uint32_t index;                // among all
    char *service;
    agent_pass pass;       // that its last Hello was let in with
    uint64_t holders[2];   // whose it is (peers.h), where places are counted
    uint64_t connection;   // over which its Hello came
    uint64_t heard_ms;     // loop time when that, or a batch, came last
    uint64_t run;          // changes when what is on its way counts no more
    bool is_greeted;       // its Hello was taken
    uint64_t acknowledged; // batches below it were taken
    uint64_t next;         // the next one that is taken
    agent_slot slots[WIRE_WINDOW_MAX];
} agent_place;

// {0} has no places, and no limits: there are as many as sessions. Where peers has limits, each
// place counts as one of its holders'.
typedef struct agent_places {
    LP_VEC(agent_place *) all; // by index
    lp_map by_id;              // hash of an id to an index
    peers peers;
    uint64_t last_run;
} agent_places;

void agent_places_fini(agent_places *places);

// agent_places_find returns the place of a session; NULL: it has none.
agent_place *agent_places_find(const agent_places *places, const char *session_id);

// agent_places_add makes one, where there is none. NULL: memory ran out, or the hash of its id is
// another one's. now_ms is the loop's time.
agent_place *agent_places_add(
    agent_places *places, const char *session_id, const uint64_t holders[2], uint64_t now_ms);

// agent_places_set_holders says whose a place is from now on.
void agent_places_set_holders(agent_places *places, agent_place *place, const uint64_t holders[2]);

// agent_places_drop ends a place, and the requests that wait in it.
void agent_places_drop(agent_places *places, agent_place *place);

// agent_places_find_limit returns the metric of the limit that keeps one more place from being
// made; METRICS_COUNT: none.
metrics_id agent_places_find_limit(
    const agent_places *places, const uint64_t holders[2], uint64_t now_ms);

// agent_place_find_slot returns the slot of a batch.
agent_slot *agent_place_find_slot(agent_place *place, uint64_t sequence);

// agent_place_is_waiting returns whether a request waits in it.
bool agent_place_is_waiting(const agent_place *place);

#endif // LP_COLLECTOR_INTAKE_AGENT_PLACES_H
