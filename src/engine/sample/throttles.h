// SPDX-License-Identifier: Apache-2.0
// throttles: the samplers of one setting (throttle or context-throttle) in a session, one for each
// type name. It also has the early decisions, about events of later chunks and samples of such
// events.
//
// Threads: one thread at a time.
// Memory:  some 150 bytes for each type, 32 for each early decision.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"
#include "engine/clock.h"
#include "engine/read/schema.h"
#include "engine/sample/sampler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_throttle {
    char *type; // the name of the event or context type; owned
    compact_sampler sampler;
} compact_throttle;

// A decision that this chunk made on an event of a later chunk, or on the sample of that event.
typedef struct compact_early {
    int64_t start_ticks; // of the later chunk
    uint32_t offset;     // of the event in the later chunk
    bool is_sample;
    bool is_kept;
    uint64_t weight; // of a kept sample
} compact_early;

// {0} has no types and no decisions.
typedef struct compact_throttles {
    bool is_of_contexts; // the setting is context-throttle
    LP_VEC(compact_throttle) items;
    lp_names names;              // of the types of items
    LP_VEC(compact_early) early; // once sorted: by chunk and offset, samples last
} compact_throttles;

void compact_throttles_fini(compact_throttles *throttles);

// compact_throttles_add finds or adds the throttle of a type. If the rate has changed, the throttle
// restarts with the new rate. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add(
    compact_throttles *throttles, const char *type, policy_throttle rate, uint32_t *out_index);

// compact_throttles_map finds or adds the throttles of all types of schema. Returns their indexes
// in arena, parallel to the types; LP_MAP_NONE for types without the setting. Returns NULL if
// memory ran out. Errors: in arena
uint32_t *compact_throttles_map(
    compact_throttles *throttles, const compact_schema *schema, lp_arena *arena);

// The items of a throttle, slot by slot.
typedef struct compact_slots {
    const compact_sampler *sampler;
    const compact_clock *clock;
    const void *items; // in the order of their commit times
    size_t item_bytes;
    size_t commit_offset; // in an item
    size_t count;
    int64_t slot; // the current one: items [begin, end) are in it
    size_t begin;
    size_t end;
} compact_slots;

// COMPACT_SLOTS starts before the first slot. Items are of any type with a member int64_t commit.
#define COMPACT_SLOTS(sampler, clock, items, count)                                                \
    ((compact_slots){(sampler), (clock), (items), sizeof(*(items)),                                \
        offsetof(typeof(*(items)), commit), (count), 0, 0, 0})

// compact_slots_next moves to the next slot with items. Returns false if there is none.
bool compact_slots_next(compact_slots *slots);

// compact_throttles_choose opens a slot (compact_sampler_open), and sets is_chosen[i] to whether
// the i-th event of its population is kept.
void compact_throttles_choose(
    compact_sampler *sampler, int64_t slot, size_t population, size_t forced, bool *is_chosen);

// compact_throttles_copy copies the throttles of all types, but no early decisions, to out, which
// must have no types. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_copy(
    const compact_throttles *throttles, compact_throttles *out);

// compact_throttles_add_early adds a decision. compact_throttles_find_early finds it once the
// decisions are sorted. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add_early(
    compact_throttles *throttles, const compact_early *decision);
LP_MUST_USE lp_err compact_throttles_sort_early(compact_throttles *throttles);

// compact_throttles_find_early returns the decision, borrowed, about the event at offset of the
// chunk that starts at start_ticks, or about the sample of that event; NULL if there is none. *hint
// starts at 0; the function stores in it where the search ended. Cost: a few steps if searches come
// in order; else log n
const compact_early *compact_throttles_find_early(const compact_throttles *throttles,
    int64_t start_ticks, uint32_t offset, bool is_sample, size_t *hint);
