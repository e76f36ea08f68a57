// SPDX-License-Identifier: Apache-2.0
// carry: the members of a carry-over: the state that a chunk leaves for the next chunk (types.h).
//
// Threads: one thread at a time while it is made; then any thread may read it.
// Tests:   tests/prop/test_compact_prop.c
// Memory:  some bytes for each open context, for each thread that is in the chunk or has a kept
//          event, and for each kept or contextual event of the last COMPACT_LATENESS_MS.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"
#include "engine/clock.h"
#include "engine/contexts/completions.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/filters.h"
#include "engine/contexts/kept_times.h"
#include "engine/contexts/recordings.h"
#include "engine/read/recorded.h"
#include "engine/requests/request_rules.h"
#include "engine/requests/requests.h"
#include "engine/sample/throttles.h"
#include "engine/types.h"

enum {
    // The limit of each of three lists: the times of kept plain events, the kept contextual events,
    // and all contextual events. The oldest items are forgotten first.
    COMPACT_CARRY_TRIGGERS_MAX = 1 << 21,
};

// A kept contextual event.
typedef struct compact_trigger {
    uint64_t thread; // identity
    int64_t commit;  // ticks
    int64_t begin;   // ticks
} compact_trigger;

// A contextual JFR event, kept or not.
typedef struct compact_interval {
    uint64_t thread; // identity
    int64_t begin;   // ticks
    int64_t end;     // ticks
} compact_interval;

typedef LP_VEC(compact_interval) compact_intervals;

// A thread and its key. A chunk may lack the constant of a thread that the previous chunk
// described: JFR need not repeat it (readers remember the thread), or the constant is damaged.
typedef struct compact_known_thread {
    uint64_t key;
    uint64_t identity;
} compact_known_thread;

// The decision of context-throttle about an API context whose record comes with a later chunk.
typedef struct compact_standing_ahead {
    uint64_t id;
    compact_standing standing;
} compact_standing_ahead;

// The end of a chunk, and the tick up to which contexts were known when the chunk was decided.
typedef struct compact_border {
    int64_t ticks;
    int64_t known;
} compact_border;

typedef LP_VEC(ctx_type) compact_carry_types;

struct compact_carry {
    lp_arena arena; // of types, maps, filters, late texts and threads; fails if memory runs out
    compact_carry_types types;      // types of contexts
    compact_carry_types completing; // types whose records begin no contexts (ctx_record.h)
    compact_recordings recordings;  // maps that contexts may name
    compact_filters filters;        // for recent and later events
    compact_throttles throttles;
    uint64_t pending_bytes;   // that the JVM allocated; the next kept sample stands for them
    compact_throttles quotas; // of context-throttle
    compact_contexts contexts;
    compact_signs signs;            // known signs that belong to later chunks
    uint64_t next_sign;             // number of the first sign of the next chunk
    uint64_t signs_seen;            // request_step.h has seen the signs below this number
    uint64_t contexts_seen;         // request_step.h has seen the contexts with ids below it
    compact_open_requests requests; // of this chunk and earlier ones
    compact_request_rules request_rules;
    compact_kept_times past;          // times of kept plain events
    LP_VEC(compact_trigger) triggers; // recent ones, and each thread's last older one
    compact_intervals intervals;      // recent ones
    compact_recorded recorded;        // recent ones; not saved (recorded.h)
    LP_VEC(uint64_t) written_ahead;   // ids, ascending, of written contexts of later chunks
    LP_VEC(compact_standing_ahead) standings_ahead; // for contexts of later chunks, ascending by id
    // Threads of this chunk and earlier ones. If there are more than prune_at items, threads that
    // no member above refers to are removed. If several items have the same key, the last one
    // counts.
    LP_VEC(compact_known_thread) threads;
    size_t prune_at;
    LP_VEC(compact_border) borders; // ascending, for compact_late_contexts_count
    int64_t border_ticks;           // end of the chunk, start of the next
    int64_t limit_ticks;            // contextual events of any chunk were decided up to here
    int64_t sampled_end_ns;         // wall time up to which throttles have decided
    int64_t judged_end_ns;          // the same for context-throttle
    int64_t period_ns;              // last sampling period (sample_periods.h); 0: unknown
    compact_clock clock;            // of the session's first chunk
    int64_t start_wall_ns;          // in the header of the last output chunk
};

compact_carry *compact_carry_create(void);

// compact_carry_check asserts that the members of carry use its arena.
void compact_carry_check(const compact_carry *carry);

// compact_carry_add_types copies new types. They must be sound (ctx_type_is_sound). Errors:
// LP_ELIMIT for more than CTX_TYPES_MAX types
LP_MUST_USE lp_err compact_carry_add_types(
    compact_carry *carry, const ctx_type *types, size_t count);

// compact_far_read appends to out the contextual events of chunk that matter and begin before the
// time `before` (ticks). carry (or NULL) is the carry-over of the chunk that needs these events: it
// identifies the threads that are not described in chunk. Threads that only a chunk between the two
// chunks describes stay unknown. rules must not have context-throttle. Errors: LP_ENOMEM; the
// errors of compact_view_open
LP_MUST_USE lp_err compact_far_read(lp_slice chunk, const policy *rules, int64_t before,
    const compact_carry *carry, compact_intervals *out);
