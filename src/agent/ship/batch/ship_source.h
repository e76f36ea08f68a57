// SPDX-License-Identifier: Apache-2.0
// ship_source: reads the bytes of the JVM's JFR chunks and the context records of its threads, to
// be sent.
//
// It looks for published JFR bytes at intervals and drains the context rings after each look: so
// every begin that matters for those bytes is in the spool when they are sent. While much comes, it
// also drains the rings between two looks, and at once where a ring is full.
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
    tail_events *events; // owned; of the bytes that the tail has given out
    ship_spool spool;
    uint64_t drain_rank;    // of the chunk that records drained now belong to
    uint64_t drained_bytes; // of that chunk's records
    bool is_drain_overdue;  // the rings were not drained since the last look, as memory was short
    bool is_all_read;       // the end has come and the last look was had
    int64_t drain_at_ms;
    int64_t drain_wait_ms;
    int64_t look_at_ms;
    uint64_t missed_chunks_told;
    bool is_look_failing;
} ship_source;

// ship_source_open begins with the chunks in directory. Errors: as of tail_open; ship_source_close
// ends it also then
LP_MUST_USE lp_err ship_source_open(ship_source *source, const char *directory, ctx_rings *rings,
    ship_known *known, lp_problem *out_problem);

// ship_source_close is for a source that is zeroed, or that ship_source_open got, whatever it
// returned, and from which nothing was read.
void ship_source_close(ship_source *source);

// ship_source_move follows the JVM, which puts its chunks into directory from now on. One that
// cannot be read is logged.
void ship_source_move(ship_source *source, const char *directory);

// ship_source_step does what is due at now_ms (monotonic). With is_end everything that there is is
// taken in. Once that was done (is_all_read) there are no more steps: threads of the application
// may run on, but nothing can follow the last batch.
void ship_source_step(ship_source *source, bool is_end, int64_t now_ms);

// ship_source_note_file is for when the descriptor became readable: the next step looks.
void ship_source_note_file(ship_source *source);

// ship_source_note_full is for when a ring is full: the next step drains.
void ship_source_note_full(ship_source *source);

// ship_source_get_fd is readable when a file has appeared; -1: there is nothing to wait for.
int ship_source_get_fd(const ship_source *source);

// ship_source_get_due_ms returns when the next step is due by the clock; INT64_MAX: never.
int64_t ship_source_get_due_ms(const ship_source *source);

// ship_source_is_chunk_full returns whether the chunk that grows has so many records that it is
// time for another.
bool ship_source_is_chunk_full(const ship_source *source);

// ship_source_seal makes blocks of the spool of all records that were drained.
void ship_source_seal(ship_source *source);

#endif // LP_AGENT_SHIP_BATCH_SHIP_SOURCE_H
