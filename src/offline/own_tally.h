// SPDX-License-Identifier: Apache-2.0
// own_tally: sums over the events in which a recording reports its losses (dev.loupe.Loss) and its
// requests (dev.loupe.RequestAccounting). docs/run/durability.md describes both.
//
// Readers ignore fields behind the known ones, which later versions may add.
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_loss_tally.c, tests/unit/offline/test_request_tally.c

#ifndef LP_OFFLINE_OWN_TALLY_H
#define LP_OFFLINE_OWN_TALLY_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_metadata.h"
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

// loss_tally_is_in returns whether a chunk with this resolved metadata may have losses.
bool loss_tally_is_in(const jfr_metadata *metadata);

// loss_tally_add adds the losses of a chunk.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; everything before it is added.
//         LP_ENOMEM
LP_MUST_USE lp_err loss_tally_add(
    loss_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

// {0} is an empty one.
typedef struct request_tally {
    uint64_t offered; // requests that ended
    uint64_t kept;    // of these
    compact_request_losses losses;
    compact_request_reasons reasons;
} request_tally;

// request_tally_is_in returns whether a chunk with this resolved metadata may have such events.
bool request_tally_is_in(const jfr_metadata *metadata);

// request_tally_add adds the events of a chunk.
// Errors: LP_ECORRUPT with the offset of the bad event in the chunk; everything before it is added
LP_MUST_USE lp_err request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

#endif // LP_OFFLINE_OWN_TALLY_H
