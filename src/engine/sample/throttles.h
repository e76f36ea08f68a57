// SPDX-License-Identifier: Apache-2.0
// throttles: the samplers of one setting in a session, throttle or context-throttle: one for each
// name of a type with the setting. Also the decisions that were made early, on events of later
// chunks and on samples of such events.
//
// Threads: one thread at a time.
// Memory:  some 150 bytes for each type, 32 for each such event.

#ifndef LP_ENGINE_SAMPLE_THROTTLES_H
#define LP_ENGINE_SAMPLE_THROTTLES_H

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
    char *type; // its name; owned
    compact_sampler sampler;
} compact_throttle;

// A decision on an event that is stored in a later chunk, or on the sample that is made of it, made
// with this chunk.
typedef struct compact_early {
    int64_t start_ticks; // of its chunk
    uint32_t offset;     // in that
    bool is_sample;
    bool is_kept;
    uint64_t weight; // of a sample that is kept
} compact_early;

// {0} has no types and no decisions.
typedef struct compact_throttles {
    bool is_of_contexts; // the setting is context-throttle
    LP_VEC(compact_throttle) items;
    lp_names names;              // of the types of items
    LP_VEC(compact_early) early; // by chunk and offset, samples last, once they are sorted
} compact_throttles;

void compact_throttles_fini(compact_throttles *throttles);

// compact_throttles_add finds the throttle of a type, or adds one. A throttle with another rate
// starts anew with this rate. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add(
    compact_throttles *throttles, const char *type, policy_throttle rate, uint32_t *out_index);

// compact_throttles_map finds or adds the throttles of all types of schema. Returns their indexes,
// parallel to the types, in arena; LP_MAP_NONE for types without the setting. Where memory runs
// out, arena fails, and NULL is returned.
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

// COMPACT_SLOTS is before the first slot. Items are of any type with a member int64_t commit.
#define COMPACT_SLOTS(sampler, clock, items, count)                                                \
    ((compact_slots){(sampler), (clock), (items), sizeof(*(items)),                                \
        offsetof(typeof(*(items)), commit), (count), 0, 0, 0})

// compact_slots_next goes on to the next slot that has items. Returns false if there is none.
bool compact_slots_next(compact_slots *slots);

// compact_throttles_choose goes on to a slot and sets which of its population, in their order, are
// chosen, where forced others come on top (compact_sampler_open).
void compact_throttles_choose(
    compact_sampler *sampler, int64_t slot, size_t population, size_t forced, bool *is_chosen);

// compact_throttles_copy copies the throttles of all types to out, which has none; not the early
// decisions. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_copy(
    const compact_throttles *throttles, compact_throttles *out);

// compact_throttles_add_early adds a decision; it can be found once the decisions are sorted.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add_early(
    compact_throttles *throttles, const compact_early *decision);
LP_MUST_USE lp_err compact_throttles_sort_early(compact_throttles *throttles);

// compact_throttles_find_early lends the decision on the event at offset of the chunk that starts
// at start_ticks, or on its sample; NULL if there is none. *hint starts with 0 and is where the
// last one was looked for. Cost: a few steps where they are looked for in their order; log n else
const compact_early *compact_throttles_find_early(const compact_throttles *throttles,
    int64_t start_ticks, uint32_t offset, bool is_sample, size_t *hint);

#endif // LP_ENGINE_SAMPLE_THROTTLES_H
