// SPDX-License-Identifier: Apache-2.0
// ship_source: reads the bytes of the JVM's JFR chunks and the context records of its threads.
//
// It looks for published JFR bytes at intervals and drains the context rings after each look. So
// every begin that matters for those bytes is in the spool when they are sent. Under load it also
// drains the rings between two looks, and at once if a ring is full.
//
// Threads: one thread at a time.
// Tests: tests/unit/agent/ship/test_ship.c

#ifndef LP_AGENT_SHIP_BATCH_SHIP_SOURCE_H
#define LP_AGENT_SHIP_BATCH_SHIP_SOURCE_H

#include "agent/context/ctx_rings.h"
#include "agent/ship/batch/ship_known.h"
#include "agent/ship/batch/ship_spool.h"
#include "agent/tail/tail.h"
#include "agent/tail/tail_events.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ship_source {
    ctx_rings *rings;    // borrowed for good
    ship_known *known;   // borrowed for good
    tail *tail;          // owned
    tail_events *events; // owned; counts the bytes that the tail has returned
    ship_spool spool;
    uint64_t drain_rank;    // of the chunk to which drained records belong now
    uint64_t drained_bytes; // of that chunk's records
    bool is_drain_overdue;  // the drain after the last look failed for lack of memory
    bool is_all_read;       // the last look at the end of the JVM was made
    int64_t drain_at_ms;
    int64_t drain_wait_ms;
    int64_t look_at_ms;
    uint64_t missed_chunks_logged;
    bool is_look_failing;
} ship_source;

// Begins with the chunks in directory. Call ship_source_close also after an error.
// Errors: as tail_open
LP_MUST_USE lp_err ship_source_open(ship_source *source, const char *directory, ctx_rings *rings,
    ship_known *known, lp_problem *out_problem);

// For a zeroed source, or one that ship_source_open has written, also after an error, and from
// which nothing was read.
void ship_source_close(ship_source *source);

// Follows the JVM to another directory for its chunks. Logs a directory that cannot be read.
void ship_source_move(ship_source *source, const char *directory);

// Does the work that is due at now_ms (monotonic). With is_end it reads everything that is left,
// and sets is_all_read. After that there are no more steps: threads of the application may run on,
// but nothing can follow the last batch.
void ship_source_step(ship_source *source, bool is_end, int64_t now_ms);

// Notes that the descriptor became readable: the next step looks.
void ship_source_note_file(ship_source *source);

// Notes that a ring is full: the next step drains.
void ship_source_note_full(ship_source *source);

// Returns a descriptor that is readable when a file has appeared; -1: none.
int ship_source_get_fd(const ship_source *source);

// Returns the time of the next step; INT64_MAX: never.
int64_t ship_source_get_due_ms(const ship_source *source);

// Returns whether the growing chunk has so many records that JFR should begin another.
bool ship_source_is_chunk_full(const ship_source *source);

// Makes blocks of the spool of all drained records.
void ship_source_seal(ship_source *source);

#endif // LP_AGENT_SHIP_BATCH_SHIP_SOURCE_H
