// SPDX-License-Identifier: Apache-2.0
// account_tally: how many events of each type Loupe dropped from a recording: the sums of its
// events dev.loupe.Accounting (docs/run/durability.md).
//
// Such an event has a text eventTypes that lists event types, each with its numbers
// (account.h draws it).
//
// Another version of Loupe may have other reasons to drop an event. Each is a number of the list,
// so every number without a known meaning counts as dropped for an unknown reason.
//
// Threads: one thread at a time.
// Memory:  a little per type, of which there are limited many, and the longest list.

#ifndef LP_OFFLINE_ACCOUNT_TALLY_H
#define LP_OFFLINE_ACCOUNT_TALLY_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_names.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/reason.h"

#include <stdbool.h>
#include <stdint.h>

// How many events were dropped.
typedef struct account_tally_dropped {
    compact_dropped known;
    uint64_t unknown; // for reasons that are not known here
} account_tally_dropped;

typedef struct account_tally_type {
    char *name; // owned; no two are the same
    account_tally_dropped dropped;
} account_tally_type;

// {0} is an empty one.
typedef struct account_tally {
    LP_VEC(account_tally_type) types; // in the order in which they turned up

    // The rest is account_tally's own.
    lp_names type_names;
    lp_buf text; // of the event at hand
} account_tally;

void account_tally_fini(account_tally *tally);

// account_tally_is_in returns whether a chunk with this metadata, which is resolved, may have
// accounts.
bool account_tally_is_in(const jfr_metadata *metadata);

// account_tally_add adds the accounts of a chunk.
//
// Errors: LP_ECORRUPT with an offset into the chunk: no event begins there, or one that is no
//         account; what can be read before that is added
//         LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err account_tally_add(
    account_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

// account_tally_find returns the type of this name, borrowed until something is added, or NULL.
const account_tally_type *account_tally_find(const account_tally *tally, const char *name);

// account_tally_get_total returns the sum over all types, account_tally_sum that over all reasons.
account_tally_dropped account_tally_get_total(const account_tally *tally);
uint64_t account_tally_sum(const account_tally_dropped *dropped);

#endif // LP_OFFLINE_ACCOUNT_TALLY_H
