// SPDX-License-Identifier: Apache-2.0
// own_tally: sums the events in which a recording reports its losses (dev.loupe.Loss) and its
// requests (dev.loupe.RequestAccounting), and counts the events of each type that Loupe dropped
// (dev.loupe.Accounting). docs/run/durability.md describes them.
//
// Readers ignore fields behind the known ones, which later versions may add.
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_loss_tally.c, tests/unit/offline/test_request_tally.c,
//          tests/unit/offline/test_account_tally.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_names.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/reason.h"
#include "engine/request_losses.h"
#include "engine/request_reasons.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOSS_TALLY_KINDS_MAX = 64, // Loupe has a dozen; the last takes all further kinds
    LOSS_TALLY_KIND_BYTES = 64,
};

typedef struct loss_tally_kind {
    char name[LOSS_TALLY_KIND_BYTES]; // cut off if it is longer
    uint64_t amount;
} loss_tally_kind;

// {0} is an empty one.
typedef struct loss_tally {
    loss_tally_kind kinds[LOSS_TALLY_KINDS_MAX]; // in order of appearance
    size_t count;
    lp_buf text; // private: of the current event
} loss_tally;

void loss_tally_fini(loss_tally *tally);

// loss_tally_add adds the losses of a chunk with this resolved metadata.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; everything before it is added.
//         LP_ENOMEM
LP_MUST_USE lp_err loss_tally_add(
    loss_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

// {0} is an empty one.
typedef struct request_tally {
    uint64_t offered; // requests that ended
    uint64_t kept;    // requests that ended and were kept
    compact_request_losses losses;
    compact_request_reasons reasons;
} request_tally;

// request_tally_add adds the events of a chunk with this resolved metadata.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; everything before it is added
LP_MUST_USE lp_err request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

// --- Accounts of dropped events
//
// The field eventTypes of dev.loupe.Accounting is a text that lists event types and the counts of
// each (format: account.h).
//
// Another version of Loupe may have other reasons to drop an event. Events that were dropped for
// an unknown reason count in `unknown`.

typedef struct account_tally_dropped {
    compact_dropped known;
    uint64_t unknown; // for unknown reasons
} account_tally_dropped;

typedef struct account_tally_type {
    char *name; // owned; no two are the same
    account_tally_dropped dropped;
} account_tally_type;

// {0} is an empty one.
typedef struct account_tally {
    LP_VEC(account_tally_type) types; // in order of appearance

    // Private
    lp_names type_names;
    lp_buf text; // of the current event
} account_tally;

void account_tally_fini(account_tally *tally);

// account_tally_add adds the accounts of a chunk with this resolved metadata.
//
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; everything before it is added.
//         LP_ELIMIT, LP_ENOMEM
LP_MUST_USE lp_err account_tally_add(
    account_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

// account_tally_find returns the type with this name, borrowed until the next account_tally_add;
// NULL if there is none.
const account_tally_type *account_tally_find(const account_tally *tally, const char *name);

// account_tally_get_total returns the sums over all types. account_tally_sum returns the sum over
// all reasons.
account_tally_dropped account_tally_get_total(const account_tally *tally);
uint64_t account_tally_sum(const account_tally_dropped *dropped);

// own_tally_is_in returns whether a chunk with this resolved metadata may have events of any of the
// three tallies.
bool own_tally_is_in(const jfr_metadata *metadata);
