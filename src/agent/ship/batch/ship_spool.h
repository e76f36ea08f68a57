// SPDX-License-Identifier: Apache-2.0
// ship_spool: context records that wait for their batch, packed, in blocks, oldest first; and those
// that were sent, until they are released, so that they can be sent again.
//
// Records are packed into `pending` and sealed into blocks. A block belongs to one chunk (by rank,
// see tail.h), and is sent before any JFR bytes of that chunk that were published after it was
// drained. When the blocks reach the limit, those that were sent go first, and then new ones are
// given up whole. So that no context stays
// open whose end was lost, the next block then begins with a CTX_RECORD_THREAD_END for all threads,
// at the time of the first record that was lost.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship_spool.c

#ifndef LP_AGENT_SHIP_BATCH_SHIP_SPOOL_H
#define LP_AGENT_SHIP_BATCH_SHIP_SPOOL_H

#include "common/context/ctx_pack.h"

#include <stddef.h>
#include <stdint.h>

enum { SHIP_BLOCK_BYTES = 768 << 10 }; // of records at which a block is sealed, before packing

typedef struct ship_block {
    struct ship_block *next;
    uint64_t rank;       // of the chunk that it belongs to
    uint32_t chunk;      // the number of the one that it was sent with
    uint32_t size_bytes; // of the records
    uint32_t packed_bytes;
    uint8_t packed[]; // the records (ctx_pack.h)
} ship_block;

typedef struct ship_spool {
    size_t bytes_max; // of all blocks, packed
    size_t bytes;
    uint64_t dropped_bytes; // of records
    uint64_t sealed_count;  // blocks that were ever made, and of those
    uint64_t sent_count;    // how many were sent
    uint64_t freed_count;   // how many are here no more
    uint32_t whole_from;    // of chunks from this number on all blocks that were sent are here
    ship_block *first;
    ship_block *next; // that is to be sent, NULL: none
    ship_block *last;
    ctx_packer pending;  // the owner adds to it
    size_t marker_bytes; // of pending that are not from the rings
} ship_spool;

// ship_spool_init makes an empty one, whose blocks take at most bytes_max.
void ship_spool_init(ship_spool *spool, size_t bytes_max);

void ship_spool_fini(ship_spool *spool);

// ship_spool_seal makes blocks of the pending records. Those for which there is no room or memory
// are counted in dropped_bytes.
void ship_spool_seal(ship_spool *spool, uint64_t rank);

// ship_spool_last_block returns the block with which the last of all records goes, counted from 1
// over all that were ever made; 0: there was none. What is given up makes none: then it is a later
// one.
uint64_t ship_spool_last_block(const ship_spool *spool);

// ship_spool_find lends the oldest block that was not sent, NULL if there is none.
const ship_block *ship_spool_find(const ship_spool *spool);

// ship_spool_note_sent notes that the block of ship_spool_find was sent with this chunk.
void ship_spool_note_sent(ship_spool *spool, uint32_t chunk);

// ship_spool_release frees the blocks that were sent with chunks below end.
void ship_spool_release(ship_spool *spool, uint32_t end);

// ship_spool_go_back has the blocks sent again that were sent with this chunk and those behind it.
void ship_spool_go_back(ship_spool *spool, uint32_t chunk);

// ship_spool_get_unsent returns how many bytes of records were not sent.
size_t ship_spool_get_unsent(const ship_spool *spool);

#endif // LP_AGENT_SHIP_BATCH_SHIP_SPOOL_H
