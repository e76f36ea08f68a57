// SPDX-License-Identifier: Apache-2.0
// event_tally: counts the events and the bytes of each event type in a run of chunks.
//
// It reads only the size and the type id of an event, and resolves type ids at the end of a chunk.
// It skips metadata that equals the metadata of the previous chunk. Chunks that Loupe wrote are
// read a second time for their accounts of dropped events.
//
// Threads: one thread at a time.
// Cost:    a few ns per event (docs/internals/speed.md).
// Memory:  the metadata of one chunk, and a little per type.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_metadata.h"
#include "offline/own_tally.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct event_tally_type {
    char *name;       // owned
    bool is_built_in; // metadata or checkpoint
    bool is_contextual;
    uint64_t events;
    uint64_t bytes;
} event_tally_type;

// The events of one type id in the current chunk.
typedef struct event_tally_count {
    uint64_t id;
    uint64_t events;
    uint64_t bytes;
    uint32_t type; // indexes types; JFR_NONE: not looked up yet
} event_tally_count;

typedef struct event_tally {
    LP_VEC(event_tally_type)
    types; // several may share a name before event_tally_finish; types with accounts are always
           // here, even without events
    account_tally accounts;
    loss_tally losses;
    request_tally requests;
    // Unless NULL, called with bytes of a chunk that are not needed again soon.
    void (*on_passed)(void *arg, lp_slice bytes);
    void *arg;

    // Private
    LP_VEC(event_tally_count) counts; // the first item is of metadata events
    uint32_t *count_by_small_id;      // indexes counts; 0: use the map
    lp_map count_by_id;
    LP_VEC(lp_slice) payloads; // of the metadata events of the current chunk
    jfr_metadata metadata;     // of the last chunk; empty if unreadable
} event_tally;

// Errors: LP_ENOMEM; call event_tally_fini even then.
LP_MUST_USE lp_err event_tally_init(event_tally *tally);
void event_tally_fini(event_tally *tally);

// event_tally_add counts the events of a chunk. In a damaged chunk with readable metadata, it
// counts the events before the damage.
//
// Errors: LP_ECORRUPT with an offset into the chunk, LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err event_tally_add(
    event_tally *tally, const jfr_chunk_info *info, lp_slice chunk, lp_problem *out_problem);

// event_tally_finish merges the entries of each name and sorts them by the number of events,
// highest first.
void event_tally_finish(event_tally *tally);
