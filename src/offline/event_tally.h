// SPDX-License-Identifier: Apache-2.0
// event_tally: how many events of each type there are in a run of chunks, and how many bytes they
// take.
//
// Of an event, only its size and its type id are read. What type an id stands for is found out at
// the end of a chunk, and metadata that is the same as that of the chunk before is not read again.
// A chunk that Loupe wrote is walked over once more, for its accounts of dropped events.
//
// Threads: one thread at a time.
// Cost:    a few ns per event (docs/internals/speed.md).
// Memory:  that of the metadata of one chunk, and a little per type.

#ifndef LP_OFFLINE_EVENT_TALLY_H
#define LP_OFFLINE_EVENT_TALLY_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/jfr_metadata.h"
#include "offline/account_tally.h"
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

// The events of one type id, in the chunk at hand.
typedef struct event_tally_count {
    uint64_t id;
    uint64_t events;
    uint64_t bytes;
    uint32_t type; // indexes types; JFR_NONE: not looked up yet
} event_tally_count;

typedef struct event_tally {
    LP_VEC(event_tally_type)
    types; // there may be several of one name before event_tally_finish;
           // each type of accounts is one, if only of no events
    account_tally accounts;
    loss_tally losses;
    request_tally requests;
    // Called, where not NULL, with bytes of a chunk that will not be looked at soon again.
    void (*on_passed)(void *arg, lp_slice bytes);
    void *arg;

    // The rest is event_tally's own.
    LP_VEC(event_tally_count) counts; // the first is that of the metadata events
    uint32_t *count_by_small_id;      // indexes counts; 0: look in the map
    lp_map count_by_id;
    LP_VEC(lp_slice) payloads; // of the metadata events of the chunk at hand
    jfr_metadata metadata;     // that of the last chunk; empty if it could not be read
} event_tally;

// event_tally_init makes it empty. Errors: LP_ENOMEM; event_tally_fini may be called even so.
LP_MUST_USE lp_err event_tally_init(event_tally *tally);
void event_tally_fini(event_tally *tally);

// event_tally_add counts the events of a chunk. Where the chunk is damaged but has metadata that
// can be read, what lies before the damage is counted.
//
// Errors: LP_ECORRUPT with an offset into the chunk, LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err event_tally_add(
    event_tally *tally, const jfr_chunk_info *info, lp_slice chunk, lp_problem *out_problem);

// event_tally_finish leaves one entry per name in types: those with most events first.
void event_tally_finish(event_tally *tally);

#endif // LP_OFFLINE_EVENT_TALLY_H
