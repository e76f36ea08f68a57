// SPDX-License-Identifier: Apache-2.0
// ship_source: reads the bytes of the JVM's JFR chunks and the context records of its threads.
//
// The source looks for published JFR bytes and drains the context rings after each look. So when
// the bytes are sent, the begins of all contexts that matter for them are in the spool. After a
// flush it rests until the next one can come, and then looks often. Under load it also drains the
// rings between two looks, and at once if a ring is full.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/ship/test_ship_source.c, test_ship.c

#pragma once

#include "agent/context/ctx_rings.h"
#include "agent/ship/batch/ship_known.h"
#include "agent/tail/tail.h"
#include "agent/tail/tail_events.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- ship_spool
//
// Packed context records in blocks, oldest first: blocks that wait for their batch, and sent
// blocks, which may be sent again until they are released.
//
// Records are packed into `pending` and sealed into blocks. A block belongs to one chunk (by rank,
// see tail.h). It is sent before any JFR bytes of that chunk that were published after the block
// was drained. Over the limit, the spool frees sent blocks first, then drops new blocks. After a
// drop, the next block begins with a CTX_RECORD_THREAD_END for all threads, at the time of the
// first lost record: so no context whose end was lost stays open.

enum { SHIP_BLOCK_BYTES = 960 << 10 }; // a block with so many bytes of unpacked records is sealed

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
    uint64_t sent_count;    // blocks sent so far
    uint64_t freed_count;   // blocks freed so far
    uint32_t whole_from;    // all sent blocks of chunks from here on are kept
    ship_block *first;
    ship_block *next; // to send; NULL: none
    ship_block *last;
    ctx_packer pending;  // the owner adds to it
    size_t marker_bytes; // bytes of pending that do not come from the rings
} ship_spool;

// Makes an empty spool, whose blocks take at most bytes_max.
void ship_spool_init(ship_spool *spool, size_t bytes_max);

void ship_spool_fini(ship_spool *spool);

// Makes blocks of the pending records. Counts records without room or memory in dropped_bytes.
void ship_spool_seal(ship_spool *spool, uint64_t rank);

// Returns the number of the block with the last record, counted from 1 over all blocks; 0: none. If
// that record was dropped, returns the number of a later block.
uint64_t ship_spool_last_block(const ship_spool *spool);

// Returns the oldest unsent block, borrowed; NULL if there is none.
const ship_block *ship_spool_find(const ship_spool *spool);

// Notes that the block that ship_spool_find returned was sent with this chunk.
void ship_spool_note_sent(ship_spool *spool, uint32_t chunk);

// Frees the blocks that were sent with chunks below end.
void ship_spool_release(ship_spool *spool, uint32_t end);

// Makes the blocks that were sent with this chunk or a later one unsent.
void ship_spool_go_back(ship_spool *spool, uint32_t chunk);

// Returns the number of unsent bytes of records.
size_t ship_spool_get_unsent(const ship_spool *spool);

typedef struct ship_source {
    ctx_rings *rings;    // borrowed for good
    ship_known *known;   // borrowed for good
    tail *tail;          // owned
    tail_events *events; // owned; counts the bytes that the tail has returned
    ship_spool spool;
    uint64_t drain_rank;    // of the chunk to which drained records belong now
    uint64_t drained_bytes; // of records of that chunk (drain_rank)
    bool is_drain_overdue;  // the drain after the last look failed for lack of memory
    bool is_all_read;       // the last look at the end of the JVM was made
    int64_t drain_at_ms;
    int64_t drain_wait_ms; // between the last drain and drain_at_ms
    int64_t drained_ms;    // time of the last drain
    int64_t look_at_ms;
    int64_t looked_ms;  // time of the last look
    int64_t flushed_ms; // time of the last look that found bytes
    uint64_t missed_chunks_logged;
    bool is_look_failing;
} ship_source;

// Starts with the chunks in directory. The caller calls ship_source_close even after an error.
// Errors: as tail_open
LP_MUST_USE lp_err ship_source_open(ship_source *source, const char *directory, ctx_rings *rings,
    ship_known *known, lp_problem *out_problem);

// Closes a zeroed source, or a source that ship_source_open has written, even after an error. It
// frees no blocks of the spool (ship_spool_fini).
void ship_source_close(ship_source *source);

// Continues in another directory, in which the JVM now writes its chunks. Logs a directory that
// cannot be read.
void ship_source_move(ship_source *source, const char *directory);

// Does the work that is due at now_ms (monotonic). If is_end, reads everything that is left, and
// sets is_all_read. No step may follow: threads of the application may still run, but nothing can
// follow the last batch.
void ship_source_step(ship_source *source, bool is_end, int64_t now_ms);

// Notes that the descriptor of ship_source_get_fd became readable: the next step looks.
void ship_source_note_file(ship_source *source);

// Notes that a ring is full: the next step drains.
void ship_source_note_full(ship_source *source);

// Returns a descriptor that is readable when a file has appeared; -1: none.
int ship_source_get_fd(const ship_source *source);

// Returns the time of the next step; INT64_MAX: never.
int64_t ship_source_get_due_ms(const ship_source *source);

// Returns whether the growing chunk has so many records that JFR should begin another chunk.
bool ship_source_is_chunk_full(const ship_source *source);

// Seals all drained records into blocks of the spool.
void ship_source_seal(ship_source *source);
