// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/map_timeline.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_map.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>

void
compact_map_timeline_init(compact_map_timeline *installed, lp_arena *arena)
{
    LP_ASSERT(arena != NULL);
    *installed = (compact_map_timeline){.arena = arena};
}

void
compact_map_timeline_add(compact_map_timeline *installed, const ctx_recording *map, uint32_t thread,
    int64_t begin, int64_t end)
{
    if (end < begin) {
        return; // it applies to no event
    }
    LP_ARENA_PUSH_BESIDE(installed->arena, &installed->items,
        (compact_installation){.begin = begin, .end = end, .map = map, .thread = thread});
}

static inline bool
is_before(const compact_installation *a, const compact_installation *b)
{
    return a->begin < b->begin;
}

LP_SORT_DEFINE(sort_by_begin, compact_installation, is_before)

void
compact_map_timeline_sort(compact_map_timeline *installed, size_t thread_count)
{
    size_t count = installed->items.count;
    compact_installation *added = installed->items.items;
    compact_installation *grouped = lp_large_alloc((count + 1) * sizeof(*grouped));
    installed->ends = LP_ARENA_ARRAY(installed->arena, size_t, thread_count);
    if (grouped == NULL || installed->ends == NULL) {
        lp_arena_fail(installed->arena);
        lp_large_free(grouped);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        installed->ends[added[i].thread]++;
    }
    (void)lp_prefix_sum(installed->ends, thread_count); // there is room for all
    for (size_t i = 0; i < count; i++) {
        grouped[installed->ends[added[i].thread]++] = added[i];
    }
    for (size_t i = 0, begin = 0; i < thread_count; begin = installed->ends[i++]) {
        sort_by_begin(grouped + begin, installed->ends[i] - begin, added); // as spare room
    }
    lp_large_free(added);
    installed->items.items = grouped;
    installed->items.capacity = count;
}

// passes returns whether a context passes. One whose entries are not known passes wherever a
// context can, so that no event is dropped for them.
static bool
passes(const policy_filter *filter, const ctx_recording *map)
{
    return map == NULL ? policy_filter_may_match(filter) : policy_filter_matches(filter, map);
}

bool
compact_map_timeline_passes(const compact_map_timeline *installed, const policy_filter *filter,
    uint32_t thread, int64_t commit)
{
    if (thread == LP_MAP_NONE) {
        return policy_filter_matches(filter, NULL);
    }
    size_t first = thread == 0 ? 0 : installed->ends[thread - 1];
    // Behind the last that begins at or before commit.
    size_t last =
        LP_BISECT(installed->items.items, first, installed->ends[thread], at->begin <= commit);
    size_t low = last;
    while (low > first && installed->items.items[low - 1].end >= commit) {
        low--;
        if (last - low == COMPACT_MAP_TIMELINE_AT_ONCE_MAX ||
            passes(filter, installed->items.items[low].map)) {
            return true;
        }
    }
    return low == last && policy_filter_matches(filter, NULL);
}

void
compact_map_timeline_fini(compact_map_timeline *installed)
{
    LP_VEC_FINI(&installed->items);
    *installed = (compact_map_timeline){0};
}
