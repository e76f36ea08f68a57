// SPDX-License-Identifier: Apache-2.0
// throttles: the samplers of one setting in a session, throttle or context-throttle: one for
// each name of a type that has it, and which events of the next chunk, and samples made of such,
// have been decided on already.
//
// Threads: one thread at a time.
// Memory:  some 150 bytes for each type, 16 for each event of the next chunk.

#ifndef LP_ENGINE_SAMPLE_THROTTLES_H
#define LP_ENGINE_SAMPLE_THROTTLES_H

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"
#include "engine/read/schema.h"
#include "engine/sample/sampler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_throttle {
    char *type; // its name; owned
    compact_sampler sampler;
} compact_throttle;

// An event that is stored in the next chunk, or the sample that is made of it, which was decided
// with this one.
typedef struct compact_early {
    uint32_t offset; // in the next chunk
    bool is_sample;
    bool is_kept;
    uint64_t weight; // of a sample that is kept
} compact_early;

// {0} is one without types.
typedef struct compact_throttles {
    bool is_of_contexts; // the setting is context-throttle
    LP_VEC(compact_throttle) items;
    lp_names names;              // of the types of items
    LP_VEC(compact_early) early; // by offset, samples last, once they are sorted
} compact_throttles;

void compact_throttles_fini(compact_throttles *throttles);

// compact_throttles_add finds the throttle of a type, or adds one. One with another rate starts
// anew. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add(
    compact_throttles *throttles, const char *type, policy_throttle rate, uint32_t *out_index);

// compact_throttles_map finds the throttles of all types of schema: indexes, parallel to them,
// LP_MAP_NONE for those without the setting. They are in arena. Errors: as of arena, NULL
uint32_t *compact_throttles_map(
    compact_throttles *throttles, const compact_schema *schema, lp_arena *arena);

// compact_throttles_restart starts those anew that are more than COMPACT_LATENESS_MS ahead of
// border_ns, where a chunk ends: no event is stored that long before it is committed, so a time was
// wrong, and must not silence its type.
void compact_throttles_restart(compact_throttles *throttles, int64_t border_ns);

// compact_throttles_copy adds copies of all types to out, which has none.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_copy(
    const compact_throttles *throttles, compact_throttles *out);

// compact_throttles_add_early notes what was decided; it can be found once they are sorted.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_throttles_add_early(
    compact_throttles *throttles, const compact_early *decision);
void compact_throttles_sort_early(compact_throttles *throttles);

// compact_throttles_find_early returns the decision about the event at offset or about its
// sample, or NULL.
const compact_early *compact_throttles_find_early(
    const compact_throttles *throttles, uint32_t offset, bool is_sample);

#endif // LP_ENGINE_SAMPLE_THROTTLES_H
