// SPDX-License-Identifier: Apache-2.0
// ship_spool: packed context records in blocks, oldest first: those that wait for their batch, and
// the sent ones, which may be sent again until they are released.
//
// Records are packed into `pending` and sealed into blocks. A block belongs to one chunk (by rank,
// see tail.h), and is sent before any JFR bytes of that chunk that were published after it was
// drained. Over the limit, sent blocks are freed first, and then new blocks are dropped. So that no
// context stays open whose end was lost, the next block then begins with a CTX_RECORD_THREAD_END
// for all threads, at the time of the first lost record.
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
    uint64_t rank;       // of its chunk
    uint32_t chunk;      // number of the chunk that it was sent with
    uint32_t size_bytes; // of the records
    uint32_t packed_bytes;
    uint8_t packed[]; // the records (ctx_pack.h)
} ship_block;

typedef struct ship_spool {
    size_t bytes_max; // of all blocks, packed
    size_t bytes;
    uint64_t dropped_bytes; // of records
    uint64_t sealed_count;  // blocks so far
    uint64_t sent_count;    // of these, sent
    uint64_t freed_count;   // of these, freed
    uint32_t whole_from;    // all sent blocks of chunks from here on are kept
    ship_block *first;
    ship_block *next; // to send; NULL: none
    ship_block *last;
    ctx_packer pending;  // the owner adds to it
    size_t marker_bytes; // of pending that do not come from the rings
} ship_spool;

// Makes an empty spool, whose blocks take at most bytes_max.
void ship_spool_init(ship_spool *spool, size_t bytes_max);

void ship_spool_fini(ship_spool *spool);

// Makes blocks of the pending records. Counts records without room or memory in dropped_bytes.
void ship_spool_seal(ship_spool *spool, uint64_t rank);

// Returns the number of the block with the last record, counted from 1 over all blocks; 0: none.
// Dropped records make no block: then the number is of a later one.
uint64_t ship_spool_last_block(const ship_spool *spool);

// Lends the oldest unsent block; NULL if there is none.
const ship_block *ship_spool_find(const ship_spool *spool);

// Notes that the block of ship_spool_find was sent with this chunk.
void ship_spool_note_sent(ship_spool *spool, uint32_t chunk);

// Frees the blocks that were sent with chunks below end.
void ship_spool_release(ship_spool *spool, uint32_t end);

// Makes the blocks that were sent with this chunk or a later one unsent.
void ship_spool_go_back(ship_spool *spool, uint32_t chunk);

// Returns the number of unsent bytes of records.
size_t ship_spool_get_unsent(const ship_spool *spool);

#endif // LP_AGENT_SHIP_BATCH_SHIP_SPOOL_H
