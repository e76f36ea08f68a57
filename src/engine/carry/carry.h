// SPDX-License-Identifier: Apache-2.0
// carry: the members of the carry-over, which one chunk leaves for the next (types.h).
//
// Threads: one thread at a time; any may read it once made.
// Tests:   tests/prop/test_compact_prop.c
// Memory:  some bytes for each open context, for each thread that has kept an event and each thread
//          of the chunk, and for each event of the last COMPACT_LATENESS_MS that was kept or is
//          contextual.

#ifndef LP_ENGINE_CARRY_CARRY_H
#define LP_ENGINE_CARRY_CARRY_H

#include "common/base/lp_arena.h"
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
    // How many times at which plain events were kept are remembered, how many contextual events
    // that were kept, and how many contextual events in all; the oldest are forgotten first.
    COMPACT_CARRY_TRIGGERS_MAX = 1 << 21,
};

// A contextual event that was kept.
typedef struct compact_trigger {
    uint64_t thread; // identity
    int64_t commit;  // ticks
    int64_t begin;   // ticks
} compact_trigger;

// The time of a contextual JFR event, kept or not.
typedef struct compact_interval {
    uint64_t thread; // identity
    int64_t begin;   // ticks
    int64_t end;     // ticks
} compact_interval;

// The thread that a key means. A chunk need not describe a thread that the chunk before described:
// the JDK's readers know it from there, and the constant that described it may be damaged.
typedef struct compact_known_thread {
    uint64_t key;
    uint64_t identity;
} compact_known_thread;

// What context-throttle has decided about a context of the API whose record comes with a later
// chunk.
typedef struct compact_standing_ahead {
    uint64_t id;
    compact_standing standing;
} compact_standing_ahead;

// Where a chunk ended, and up to where contexts were known when it was decided.
typedef struct compact_border {
    int64_t ticks;
    int64_t known;
} compact_border;

typedef LP_VEC(ctx_type) compact_carry_types;

struct compact_carry {
    lp_arena arena; // of types, maps, filters, late texts and threads; fails where memory runs out
    compact_carry_types types;      // Types of contexts
    compact_carry_types completing; // Types whose records begin no contexts (ctx_record.h)
    compact_recordings recordings;  // the maps that contexts may name
    compact_filters filters;        // the ones for recent and for later events
    compact_throttles throttles;
    uint64_t pending_bytes;   // of allocations, for the next sample that is kept
    compact_throttles quotas; // those of context-throttle
    compact_contexts contexts;
    compact_signs signs;            // later than the chunk, that came with it or before
    uint64_t next_sign;             // number of the first sign that comes with the next chunk
    uint64_t signs_seen;            // signs below this number were known when requests were found
    uint64_t contexts_seen;         // contexts below this id likewise
    compact_open_requests requests; // of the chunk and of those before
    compact_request_rules request_rules;
    compact_kept_times past;            // when plain events were kept
    LP_VEC(compact_trigger) triggers;   // all recent ones, and the last older one of each thread
    LP_VEC(compact_interval) intervals; // recent ones
    compact_recorded recorded;          // recent ones; they are not saved (recorded.h)
    LP_VEC(uint64_t) written_ahead;     // ids, ascending, of contexts that come with later chunks
    LP_VEC(compact_standing_ahead) standings_ahead; // of such contexts, ascending by id
    // The threads of the chunk, and threads of earlier chunks: all of them, up to prune_at; beyond
    // it only threads on which anything above was. The last item with a key counts.
    LP_VEC(compact_known_thread) threads;
    size_t prune_at;
    LP_VEC(compact_border) borders; // ascending: those of late_contexts.h
    int64_t border_ticks;           // where the chunk ended and the next begins
    int64_t limit_ticks;    // contextual events up to here were decided, whatever their chunk
    int64_t sampled_end_ns; // wall time up to which throttles have chosen, and context-throttle
    int64_t judged_end_ns;
    int64_t period_ns;   // of samples, in the chunks behind (sample_periods.h); 0: nothing is known
    compact_clock clock; // of the session's first chunk
    int64_t start_wall_ns; // of the output's last chunk, as its header has it
};

// compact_carry_create makes an empty carry-over; NULL if memory ran out.
compact_carry *compact_carry_create(void);

// compact_carry_add_types copies the types that are not there yet. All are sound
// (ctx_type_is_sound).
// Errors: LP_ELIMIT for more types than a JVM can have (CTX_TYPES_MAX)
LP_MUST_USE lp_err compact_carry_add_types(
    compact_carry *carry, const ctx_type *types, size_t count);

#endif // LP_ENGINE_CARRY_CARRY_H
