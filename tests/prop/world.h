// SPDX-License-Identifier: Apache-2.0
// world: random sessions, and the naive decision of what is kept of them: quadratic, and written
// straight from docs/internals/elimination.md.
//
// Of a session only this is fixed: an event is stored less than a second late, and not behind the
// chunk after those in which something is that needs it (the engine looks ahead one chunk). Keys of
// threads are of any chunk up to the next: described there, but not always where they are named.

#pragma once

#include "support/jfr_build.h"
#include "support/jfr_sample.h"

#include "engine/compact.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORLD_EVENTS_MAX = 40,
    WORLD_RECORDS_MAX = 24,
    WORLD_THREADS = 3,
    WORLD_CHUNKS_MAX = 4,
    WORLD_KINDS = 7,
};

// The event types there are.
typedef struct world_kind {
    uint64_t id;
    const char *name;
    bool has_duration;
    bool has_thread;
    bool is_contextual;
} world_kind;
extern const world_kind world_kinds[WORLD_KINDS];

// What the policy asks of the contexts of a type.
typedef struct world_wants {
    bool is_none;      // of a type of the API: contextual=false
    int64_t threshold; // ticks
    bool has_match;    // of the attribute: the index of the event, or of the record that begins it
    bool is_prefix;
    uint64_t value;
} world_wants;

// What the policy says of a type.
typedef struct world_settings {
    bool is_disabled;
    bool is_contextual;
    policy_select select;
    int64_t threshold;
    world_wants wants;
    policy_throttle throttle; // of few types that world_throttle chose
} world_settings;

typedef struct world_item {
    uint64_t type;
    int64_t begin;
    int64_t commit;
    uint64_t thread; // Java thread id; 0 where the type has none
    size_t chunk;    // in which it is stored
    uint64_t key;    // of the thread, in that chunk
    size_t order;    // in the files
    bool is_sampled; // by its throttle, if it has one: the naive decision is told
    bool is_decided;
    bool is_kept; // by the naive decision
} world_item;

typedef struct world_record {
    ctx_record_kind kind;
    uint16_t type;
    uint64_t thread;
    int64_t time;
    size_t chunk; // with which it comes
} world_record;

// A context of the API, put together by the naive reading of the records.
typedef struct world_context {
    uint16_t type;
    uint64_t thread;
    int64_t begin;
    int64_t end;
    size_t record; // that begins it
    bool is_kept;
} world_context;

typedef struct world {
    world_item items[WORLD_EVENTS_MAX];
    size_t item_count;
    world_record records[WORLD_RECORDS_MAX];
    size_t record_count;
    world_context contexts[WORLD_RECORDS_MAX];
    size_t context_count;
    world_settings rules[JFR_SAMPLE_BOTH + 1]; // by type id
    world_wants context_wants[2];              // of the context types
    int64_t borders[WORLD_CHUNKS_MAX];         // where each chunk begins
    size_t chunk_count;
    int64_t ticks; // of the whole session
    int64_t ticks_per_s;
    bool is_long; // many rows lie between two events
} world;

// world_spacer_count returns how many events of JFR_SAMPLE_SPAN a chunk has that are no items: they
// last no time, have no thread and are never kept.
size_t world_spacer_count(const world *w, size_t chunk);

// world_make makes everything but the chunks; w is zeroed before.
void world_make(world *w, uint64_t *chance);

// world_cut cuts it into chunks, stores each event in the chunk of its commit time or, now and
// then, in a later one, and each record with that of its time or with the next, and decides.
void world_cut(world *w, uint64_t *chance);

// world_want asks something of the contexts of some types.
void world_want(world *w, uint64_t *chance);

// world_throttle throttles some types.
void world_throttle(world *w, uint64_t *chance);

// world_join makes the same session in one chunk, with the events in the order of the files.
void world_join(const world *w, world *out);

// world_decide decides again, for other items that are sampled.
void world_decide(world *w);

// world_chunk_at returns the chunk in which a time lies.
size_t world_chunk_at(const world *w, int64_t time);

// world_policy makes a policy of the rules. The caller ends it with policy_destroy.
policy *world_policy(const world *w);

// world_item_worth and world_context_worth judge an event and a context of the API by what the
// policy asks of contexts.
typedef enum world_worth {
    WORLD_MATTERS,
    WORLD_NO_CONTEXT,
    WORLD_TOO_SHORT,
    WORLD_NO_MATCH,
} world_worth;
world_worth world_item_worth(const world *w, const world_item *it);
world_worth world_context_worth(const world *w, const world_context *c);

// world_comes_before is the order of decisions.
bool world_comes_before(const world *w, const world_item *a, const world_item *b);

// A session as bytes.
typedef struct world_bytes {
    jfr_build chunks[WORLD_CHUNKS_MAX];
    lp_buf records[WORLD_CHUNKS_MAX];
    compact_source sources[WORLD_CHUNKS_MAX];
} world_bytes;

// world_build makes the chunks. Texts of events are the indexes of items.
void world_build(const world *w, world_bytes *out);
void world_bytes_fini(const world *w, world_bytes *bytes);

// world_round makes one session out of a seed, cuts it in several ways, and fails the test where
// is_right says that one is not. world_rounds does so with some seeds, or with those that
// LOUPE_PROP_SEED and LOUPE_PROP_ROUNDS name.
typedef bool world_check(const world *w, const world_bytes *bytes, const policy *rules);
void world_round(uint64_t seed, int cuts, world_check *is_right);
void world_rounds(uint64_t rounds, int cuts, world_check *is_right);

// world_decided_with returns the chunk with which the engine decides an event: its own, or the one
// before.
size_t world_decided_with(const world *w, const world_item *it);
