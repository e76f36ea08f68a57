// SPDX-License-Identifier: Apache-2.0
// request_losses: counts irregular requests (requests/requests.h), by the kinds of
// request_losses.def.
//
// Threads: any thread.
// Tests:   tests/unit/engine/job/rollup/test_rollup_requests.c

#pragma once

#include <stdint.h>

typedef struct compact_request_losses {
#define COMPACT_REQUEST_LOSS(id, field, label) uint64_t id;
#include "engine/request_losses.def"
} compact_request_losses;

static inline void
compact_request_losses_add(compact_request_losses *total, const compact_request_losses *losses)
{
#define COMPACT_REQUEST_LOSS(id, field, label) total->id += losses->id;
#include "engine/request_losses.def"
}

static inline uint64_t
compact_request_losses_sum(const compact_request_losses *losses)
{
    uint64_t sum = 0;
#define COMPACT_REQUEST_LOSS(id, field, label) sum += losses->id;
#include "engine/request_losses.def"
    return sum;
}
