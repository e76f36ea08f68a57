// SPDX-License-Identifier: Apache-2.0
// ship_spool: context records that wait for their batch, packed, in blocks, oldest first.
//
// Records are packed into `pending` and sealed into blocks. A block belongs to one chunk (by rank,
// see tail.h), and is sent before any JFR bytes of that chunk that were published after it was
// drained. When the blocks reach the limit, new ones are given up whole. So that no context stays
// open whose end was lost, the next block then begins with a CTX_RECORD_THREAD_END for all threads,
// at the time of the first record that was lost.
//
// Threads: one thread at a time.

#ifndef LP_AGENT_SHIP_SHIP_SPOOL_H
#define LP_AGENT_SHIP_SHIP_SPOOL_H

#include "common/context/ctx_pack.h"

#include <stddef.h>
#include <stdint.h>

enum { SHIP_BLOCK_BYTES = 768 << 10 }; // of records at which a block is sealed, before packing

typedef struct ship_block {
    struct ship_block *next;
    uint64_t rank;       // of the chunk that it belongs to
    uint32_t size_bytes; // of the records
    uint32_t packed_bytes;
    uint8_t packed[]; // the records (ctx_pack.h)
} ship_block;

typedef struct ship_spool {
    size_t bytes_max; // of all blocks, packed
    size_t bytes;
    uint64_t dropped_bytes; // of records
    uint64_t sealed_count;  // blocks that were ever made, and of those
    uint64_t popped_count;  // how many were popped
    ship_block *first;
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

// ship_spool_find lends the oldest block, NULL if there is none.
const ship_block *ship_spool_find(const ship_spool *spool);

// ship_spool_pop removes the oldest block.
void ship_spool_pop(ship_spool *spool);

#endif // LP_AGENT_SHIP_SHIP_SPOOL_H
