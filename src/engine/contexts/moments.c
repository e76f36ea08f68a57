// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/moments.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>

static bool
is_before(const int64_t *x, const int64_t *y)
{
    return *x < *y;
}

LP_SORT_DEFINE(sort_ticks, int64_t, is_before)

void
compact_moments_init(compact_moments *moments, lp_arena *arena, size_t thread_count)
{
    LP_ASSERT(arena != NULL);
    *moments = (compact_moments){
        .arena = arena,
        .thread_count = thread_count,
        .ends = LP_ARENA_ARRAY(arena, size_t, thread_count),
        .places = LP_ARENA_ARRAY(arena, size_t, thread_count),
    };
}

void
compact_moments_allot(compact_moments *moments)
{
    size_t count = lp_prefix_sum(moments->ends, moments->thread_count);
    moments->items =
        lp_arena_alloc(moments->arena, count * sizeof(*moments->items), alignof(int64_t));
}

void
compact_moments_sort(compact_moments *moments)
{
    size_t largest = 0;
    for (uint32_t i = 0; i < moments->thread_count; i++) {
        size_t count = moments->ends[i] - compact_moments_begin(moments, i);
        largest = count > largest ? count : largest;
    }
    int64_t *spare = lp_large_alloc((largest / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        lp_arena_fail(moments->arena);
        return;
    }
    for (uint32_t i = 0; i < moments->thread_count; i++) {
        size_t begin = compact_moments_begin(moments, i);
        sort_ticks(moments->items + begin, moments->ends[i] - begin, spare);
        moments->places[i] = begin;
    }
    lp_large_free(spare);
}

int64_t
compact_moments_search(compact_moments *moments, uint32_t thread, int64_t ticks)
{
    const int64_t *items = moments->items;
    size_t begin = compact_moments_begin(moments, thread);
    size_t place = moments->places[thread];
    size_t low = begin;                  // all before low are at ticks or before
    size_t high = moments->ends[thread]; // all from high on are after
    for (size_t step = 1; place < high && items[place] <= ticks; step *= 2) {
        low = place + 1;
        place = low + step - 1;
    }
    if (place < high) {
        high = place;
        for (size_t step = 1; high > low; step *= 2) {
            size_t probe = high - low > step ? high - step : low;
            if (items[probe] <= ticks) {
                low = probe + 1;
                break;
            }
            high = probe;
        }
    }
    low = LP_BISECT(items, low, high, *at <= ticks);
    moments->places[thread] = low;
    return low == begin ? COMPACT_NEVER : items[low - 1];
}
