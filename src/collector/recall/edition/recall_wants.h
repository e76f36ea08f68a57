// SPDX-License-Identifier: Apache-2.0

// recall_wants: what all pins so far, and whole traces (trace_keep.h), want of a chunk that is not
// kept whole: the union of their selections, so that a later pin never loses the events of an
// earlier one.
//
// A record in the chunk's raw journal has it, with the counts of the edition that was made for it
// (Recalled of loupe.proto). The record is needed exactly as long as the journal is there: without
// the journal there is no further edition. It is written before the catalog names the edition; one
// that was written in vain wants too much at worst.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/recall/edition/test_recall_wants.c
// Memory:  some 10 KB at most, and 8 bytes for each trace

#pragma once

#include "collector/recall/pin/pins.h"
#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/rollup/rollup_id.h"
#include "common/wire/wire.h"
#include "engine/types.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // Ids and threads of pins together. A chunk of which more is wanted is kept whole.
    RECALL_WANTS_MAX = 128,
    RECALL_WANTS_TRACES_MAX = 8000, // ids of whole traces
};

// {0} is empty.
typedef struct recall_wants {
    uint64_t ids[RECALL_WANTS_MAX];      // ascending, as in compact_also
    uint64_t requests[RECALL_WANTS_MAX]; // ascending
    compact_also_thread threads[RECALL_WANTS_MAX];
    size_t id_count;
    size_t request_count;
    size_t thread_count;
    rollup_hashes traces; // ascending
    lp_arena arena;       // of the names
} recall_wants;

void recall_wants_fini(recall_wants *wants);

// recall_wants_add adds what a pin wants. *out_is_new is false if it was there. Errors: LP_ELIMIT
// everything is wanted: by the pin, by a pattern of names, or because RECALL_WANTS_MAX is reached;
// LP_ENOMEM
LP_MUST_USE lp_err recall_wants_add(recall_wants *wants, const pin_work *pinned, bool *out_is_new);

// recall_wants_add_traces adds traces, which are ascending. *out_is_new is false if all were there.
// Errors: LP_ELIMIT RECALL_WANTS_TRACES_MAX would be exceeded: none is added; LP_ENOMEM
LP_MUST_USE lp_err recall_wants_add_traces(
    recall_wants *wants, const rollup_hashes *traces, bool *out_is_new);

// recall_wants_view borrows wants. Errors: LP_ENOMEM
LP_MUST_USE lp_err recall_wants_view(recall_wants *wants, compact_also *out_also);

// recall_wants_ask makes a view ask for the request or the thread of a pin that was added: the
// statistics of the compaction then say whether the chunk has it. Other pins ask for nothing.
void recall_wants_ask(const recall_wants *wants, const pin_work *pinned, compact_also *view);

// How much an edition has.
typedef struct recall_counts {
    uint64_t events;
    uint64_t contexts;
    uint64_t bytes;
} recall_counts;

// recall_wants_write appends the record of an edition to a journal.
// Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err recall_wants_write(const recall_wants *wants, uint64_t edition,
    const recall_counts *counts, const char *journal_path);

// recall_wants_read replaces wants by what a record says. Errors: LP_ECORRUPT; LP_ENOMEM
LP_MUST_USE lp_err recall_wants_read(recall_wants *wants, const Loupe__Wire__Recalled *record);
