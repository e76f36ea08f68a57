// SPDX-License-Identifier: Apache-2.0
// request_reasons: counts why requests are kept or dropped, by the reasons of request_reasons.def.
//
// Threads: any thread.
// Tests:   tests/unit/engine/job/rollup/test_rollup_requests.c,
//          tests/unit/engine/job/request/test_request_step.c

#pragma once

#include <stdint.h>

typedef enum compact_request_kept_by {
    COMPACT_REQUEST_KEPT_NO,
#define COMPACT_REQUEST_KEPT(id, name, field, label) COMPACT_REQUEST_KEPT_##id,
#include "engine/request_reasons.def"
    COMPACT_REQUEST_KEPT_COUNT,
} compact_request_kept_by;

typedef enum compact_request_dropped_by {
    COMPACT_REQUEST_DROPPED_NO, // by no rule
#define COMPACT_REQUEST_DROPPED(id, name, field, label) COMPACT_REQUEST_DROPPED_##id,
#include "engine/request_reasons.def"
    COMPACT_REQUEST_DROPPED_COUNT,
} compact_request_dropped_by;

// Numbers of requests by reason. Index 0 stays 0, so the sum of kept is the number of kept
// requests. A request that is kept only in part may also count in dropped.
typedef struct compact_request_reasons {
    uint64_t kept[COMPACT_REQUEST_KEPT_COUNT];
    uint64_t dropped[COMPACT_REQUEST_DROPPED_COUNT];
} compact_request_reasons;

// In recordings, the reason of a request that the policy has dropped and options->also wants.
#define COMPACT_REQUEST_KEPT_BY_PIN "pin"

// Returns the name of a reason in recordings, JSON and metrics, such as "slowest".
const char *compact_request_kept_name(compact_request_kept_by kept_by);

// Returns the name of a reason for which a request was dropped, such as "budget".
const char *compact_request_dropped_name(compact_request_dropped_by dropped_by);

void compact_request_reasons_add(
    compact_request_reasons *total, const compact_request_reasons *reasons);
