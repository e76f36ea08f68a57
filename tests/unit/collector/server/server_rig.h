// SPDX-License-Identifier: Apache-2.0
// server_rig: a collector, and the agent that the test plays, which sends chunks of numbered
// events.

#pragma once

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/recall/pin/pins.h"
#include "collector/store/catalog/catalog.h"

#include <stdint.h>

#define SERVER_RIG_START_NS  INT64_C(1700000000000000000)
#define SERVER_RIG_SECOND_NS INT64_C(1000000000)

enum { SERVER_RIG_NUMBERS_MAX = 4000 };

typedef struct server_rig {
    collector_rig rig;
    wire_client client;
    char id[33];
    tick_chunk ticks;  // the chunk that is being sent
    uint32_t chunk;    // its ordinal
    uint64_t sequence; // of the next batch
    uint64_t number;   // of the next event
    unsigned counts[SERVER_RIG_NUMBERS_MAX];
} server_rig;

// For cmocka: *state is a server_rig with a client that is connected; or one that has neither a
// server nor a client.
int server_rig_set_up(void **state);
int server_rig_set_up_stopped(void **state);

// server_rig_set_up_recall starts a collector that keeps raw data for recall_ns, with a
// default.jfc, and says Hello.
int server_rig_set_up_recall(void **state, int64_t recall_ns, const char *default_jfc);
int server_rig_tear_down(void **state);

// server_rig_write_rules writes a file of the directory of policies.
void server_rig_write_rules(const server_rig *f, const char *name, const char *text);

void server_rig_connect(server_rig *f);

// server_rig_hello says that all batches so far were acknowledged.
void server_rig_hello(server_rig *f, uint64_t next_sequence);

// server_rig_next_piece adds count events to the chunk and makes the batch that carries them.
wire_piece server_rig_next_piece(server_rig *f, unsigned count);

void server_rig_send(server_rig *f, const wire_piece *piece);

// server_rig_rotate begins the next chunk.
void server_rig_rotate(server_rig *f);

// server_rig_check_each_once checks that events 0 to number - 1 were counted once each.
void server_rig_check_each_once(const server_rig *f);

// server_rig_check_lost expects that the catalog has so much of one loss, and none of the others.
void server_rig_check_lost(const server_rig *f, catalog_loss loss, uint64_t amount);

// server_rig_end_and_check sends the last batch and checks that all is in the compacted chunks.
void server_rig_end_and_check(server_rig *f);

// server_rig_pin pins these chunks as asked, and returns the pin once none of them waits.
pin server_rig_pin(const server_rig *f, const pin *asked, const pin_chunks *chunks);
