// SPDX-License-Identifier: Apache-2.0
// request_losses: what of requests was not as it should be (requests/requests.h), counted.
//
// Threads: any thread; values without a state of their own.
// Tests:   tests/unit/engine/requests/test_requests.c, tests/unit/engine/job/test_rollup_requests.c

#ifndef LP_ENGINE_REQUEST_LOSSES_H
#define LP_ENGINE_REQUEST_LOSSES_H

#include <stdint.h>

typedef struct compact_request_losses {
    uint64_t roots_without_end;  // requests that were ended otherwise
    uint64_t ends_without_root;  // ends of requests that are not known
    uint64_t roots_twice;        // the key of a request that was open began once more
    uint64_t reopened;           // requests with the key of an earlier one
    uint64_t parts_without_root; // parts with a key, of no request
    uint64_t over_limit;         // requests that were ended by COMPACT_REQUESTS_OPEN_MAX
} compact_request_losses;

static inline void
compact_request_losses_add(compact_request_losses *total, const compact_request_losses *losses)
{
    total->roots_without_end += losses->roots_without_end;
    total->ends_without_root += losses->ends_without_root;
    total->roots_twice += losses->roots_twice;
    total->reopened += losses->reopened;
    total->parts_without_root += losses->parts_without_root;
    total->over_limit += losses->over_limit;
}

#endif // LP_ENGINE_REQUEST_LOSSES_H
