// SPDX-License-Identifier: Apache-2.0
// compact_contexts: the contexts of the Loupe API, put together from their begin and end records.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_CONTEXTS_H
#define LP_COLLECTOR_COMPACT_COMPACT_CONTEXTS_H

#include "collector/compact/compact_completions.h"
#include "collector/compact/compact_reason.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_record.h"

#include <stdbool.h>
#include <stdint.h>

static const int64_t COMPACT_OPEN_END = INT64_MAX;

// What context-throttle says of a context (compact_quota.h).
typedef enum compact_standing {
    COMPACT_STANDING_NONE,   // nothing yet
    COMPACT_STANDING_OPEN,   // it matters, since it was open where a chunk ended; it is not counted
    COMPACT_STANDING_CHOSEN, // it matters, and is counted
    COMPACT_STANDING_PASSED, // it does not matter
} compact_standing;

typedef struct compact_context {
    uint64_t id; // counts the contexts of a session in the order of their records, from 1
    int64_t thread_id;
    int64_t begin;          // ticks
    int64_t end;            // ticks; COMPACT_OPEN_END while it is open
    uint32_t values_offset; // into values, as in the record
    uint32_t values_bytes;
    uint16_t type_id;
    bool is_written;    // a part of it is in an earlier chunk
    bool is_unmeasured; // it was open where a chunk ended, or when it ended was lost
    bool is_replaced;   // the next of its type on its thread begins at the tick at which it ends
    compact_standing standing;
    // It does not matter (compact_worth.h, compact_quota.h) to this chunk, and for what reason.
    bool is_ignored;
    compact_reason ignored_by;
} compact_context;

typedef struct compact_contexts {
    LP_VEC(compact_context) items; // in the order of their ids
    lp_buf values;
    lp_map open;     // (thread, type) to the latest of its items, which may have ended since
    size_t open_min; // the items before it have ended, all of them
    uint64_t next_id;
} compact_contexts;

void compact_contexts_init(compact_contexts *contexts);
void compact_contexts_fini(compact_contexts *contexts);

// compact_contexts_feed applies records (ctx_record.h) in their order. What they say of contexts
// that have begun already is added to completions, and not yet applied. Errors: LP_ECORRUPT with an
// offset into records; LP_ENOMEM
LP_MUST_USE lp_err compact_contexts_feed(compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *out_problem);

// compact_contexts_values lends the values_bytes of a context's values; never NULL.
const uint8_t *compact_contexts_values(
    const compact_contexts *contexts, const compact_context *context);

// compact_contexts_set_values gives a context other values, copied. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_contexts_set_values(
    compact_contexts *contexts, compact_context *context, lp_slice values);

// compact_contexts_copy appends to out every context of contexts that ends at or after end_min.
LP_MUST_USE lp_err compact_contexts_copy(
    const compact_contexts *contexts, int64_t end_min, compact_contexts *out);

// compact_contexts_add appends one context with the values at values; how carry-overs are read
// again.
LP_MUST_USE lp_err compact_contexts_add(
    compact_contexts *contexts, const compact_context *context, const uint8_t *values);

#endif // LP_COLLECTOR_COMPACT_COMPACT_CONTEXTS_H
