// SPDX-License-Identifier: Apache-2.0
// request_kept: why a request is kept.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_KEPT_H
#define LP_ENGINE_REQUESTS_REQUEST_KEPT_H

// Why a request is kept.
typedef enum compact_request_kept_by {
    COMPACT_REQUEST_KEPT_NO,
    COMPACT_REQUEST_KEPT_PARTS, // some parts alone, for what happened in them
    COMPACT_REQUEST_KEPT_COUNT,
} compact_request_kept_by;

// compact_request_kept_name returns the name of a reason, as recordings have it.
static inline const char *
compact_request_kept_name(compact_request_kept_by kept_by)
{
    return kept_by == COMPACT_REQUEST_KEPT_PARTS ? "parts" : "";
}

#endif // LP_ENGINE_REQUESTS_REQUEST_KEPT_H
