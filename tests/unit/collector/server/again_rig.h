// SPDX-License-Identifier: Apache-2.0

// again_rig: an agent, played by the test, and a collector, which lacks what was acknowledged.

#pragma once

#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/tick_chunk.h"
#include "unit/collector/server/wire_client.h"

#include "collector/store/catalog/catalog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AGAIN_RIG_CHUNKS = 3,
    AGAIN_RIG_PIECES = 4, // of each chunk
    AGAIN_RIG_EVENTS = 5, // of each piece
    AGAIN_RIG_NUMBERS = AGAIN_RIG_CHUNKS * AGAIN_RIG_PIECES * AGAIN_RIG_EVENTS,
};

extern const int64_t again_rig_start_ns; // of the first chunk
extern const int64_t again_rig_chunk_ns; // longer than any look-ahead

typedef struct again_rig {
    collector_rig rig;
    wire_client client;
    char id[33];
    uint64_t sequence;   // of the next batch
    int64_t duration_ns; // of a chunk, by its header
    unsigned counts[AGAIN_RIG_NUMBERS];
} again_rig;

// These are for cmocka: at first the collector runs.
int again_rig_set_up(void **state);
int again_rig_tear_down(void **state);

// again_rig_hello says that all batches so far were acknowledged.
void again_rig_hello(again_rig *f, uint32_t lacking_chunk);

// again_rig_ask sends a message until it is not put off any more: a late batch is, until the disk
// has it.
wire_answer again_rig_ask(again_rig *f, const lp_buf *message);

// again_rig_send sends a piece that has to be taken.
void again_rig_send(again_rig *f, const wire_piece *piece);

// again_rig_send_pieces sends the pieces of a chunk from first up to end.
void again_rig_send_pieces(
    again_rig *f, uint32_t chunk, unsigned first, unsigned end, bool is_again);
void again_rig_send_whole(again_rig *f, uint32_t chunk, bool is_again);

// again_rig_send_empty sends batches of a chunk without anything in them: after WIRE_WINDOW_MAX of
// them what lacks is not waited for any more.
void again_rig_send_empty(again_rig *f, uint32_t chunk, unsigned count);

// again_rig_start starts the collector again.
void again_rig_start(again_rig *f);

// again_rig_is_kind returns whether what was told at index is such a loss.
bool again_rig_is_kind(const tick_losses *told, size_t index, catalog_loss loss);

// again_rig_end has the agent say that it ends, and waits until all chunks are compacted.
void again_rig_end(again_rig *f);

// again_rig_end_and_check ends the session, and checks that of all chunks from first on each event
// is there once, and what is lost.
void again_rig_end_and_check(again_rig *f, uint32_t first, uint64_t batches_lost);
