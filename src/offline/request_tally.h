// SPDX-License-Identifier: Apache-2.0
// request_tally: what a recording says of its requests: the sums of its events
// dev.loupe.RequestAccounting (docs/run/durability.md).
//
// Fields that such an event may have one day are passed over, behind those that are known.
//
// Threads: one thread at a time.
// Tests:   tests/unit/offline/test_request_tally.c

#ifndef LP_OFFLINE_REQUEST_TALLY_H
#define LP_OFFLINE_REQUEST_TALLY_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/request_losses.h"
#include "engine/request_reasons.h"

#include <stdbool.h>
#include <stdint.h>

// {0} is an empty one.
typedef struct request_tally {
    uint64_t offered; // requests that ended
    uint64_t kept;    // of these
    compact_request_losses losses;
    compact_request_reasons reasons;
} request_tally;

// request_tally_is_in returns whether a chunk with this metadata, which is resolved, may have such
// events.
bool request_tally_is_in(const jfr_metadata *metadata);

// request_tally_add adds the events of a chunk.
// Errors: LP_ECORRUPT with an offset into the chunk: no event begins there, or one that cannot be
//         read; what can be read before that is added
LP_MUST_USE lp_err request_tally_add(
    request_tally *tally, const jfr_metadata *metadata, lp_slice chunk, lp_problem *out_problem);

#endif // LP_OFFLINE_REQUEST_TALLY_H
