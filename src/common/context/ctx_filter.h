// SPDX-License-Identifier: Apache-2.0

// ctx_filter: a RecordingContextFilter of the Java API and the tick of its JVM from which on it
// applies.
//
// A filter has rules. A rule has terms that the RecordingContext at the events of a type must meet.
// A filter applies until the next filter of the JVM; a filter without rules drops no events.
//
// Threads: one thread at a time.
// Tests:   tests/unit/agent/context/test_ctx_filters.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <stdint.h>

enum {
    CTX_FILTER_BYTES_MAX = 64 << 10, // of one filter, by ctx_filter_measure
    CTX_FILTERS_UNSENT_MAX = 1024,   // filters of a JVM that the collector has not received
    CTX_FILTERS_UNSENT_BYTES_MAX = 256 << 10, // of all these filters together
    // A batch has the unsent filters and resends up to SHIP_KNOWN_KEPT_FILTERS_MAX earlier ones.
    CTX_FILTERS_BATCH_MAX = CTX_FILTERS_UNSENT_MAX + CTX_FILTERS_UNSENT_MAX / 2,
};

typedef struct ctx_filter_rule {
    const char *type;  // name of an event type; "": all types without a rule of their own
    const char *terms; // in the syntax of the policy's setting `filter`; "": no terms
} ctx_filter_rule;

// A filter. A copy owns its rules and texts in one allocation.
typedef struct ctx_filter {
    uint64_t id; // 1 and up, ascending
    int64_t begin_ticks;
    size_t rule_count;
    ctx_filter_rule *rules;
} ctx_filter;

// ctx_filter_measure returns the size of a copy in bytes, without the struct itself.
size_t ctx_filter_measure(const ctx_filter *filter);

// ctx_filter_copy makes an independent copy.
// Owns:   on LP_OK the caller ends *out_filter with ctx_filter_fini
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_filter_copy(const ctx_filter *filter, ctx_filter *out_filter);

// ctx_filter_copy_in makes a copy that lasts as long as arena. The copy has no rules if memory ran
// out.
ctx_filter ctx_filter_copy_in(lp_arena *arena, const ctx_filter *filter);

void ctx_filter_fini(ctx_filter *filter);
