// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/kept_times.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"

#include <string.h>

static void
kept_times_check(const compact_kept_times *past)
{
    size_t count = past->threads.count;
    LP_ASSERT(past->times.count == (count == 0 ? 0 : past->threads.items[count - 1].end));
    LP_ASSERT(count <= past->times.count); // each thread has a time
}

void
compact_kept_times_fini(compact_kept_times *past)
{
    LP_VEC_FINI(&past->threads);
    LP_VEC_FINI(&past->times);
}

compact_times
compact_kept_times_find(const compact_kept_times *past, uint64_t identity)
{
    size_t low = LP_BISECT(past->threads.items, 0, past->threads.count, at->identity < identity);
    bool is_there = low < past->threads.count && past->threads.items[low].identity == identity;
    return is_there ? compact_kept_times_at(past, low) : (compact_times){0};
}

static size_t
count_before(compact_times times, int64_t ticks)
{
    return LP_BISECT(times.items, 0, times.count, *at < ticks);
}

int64_t
compact_times_last(compact_times times, int64_t ticks)
{
    size_t count = ticks == INT64_MAX ? times.count : count_before(times, ticks + 1);
    return count == 0 ? COMPACT_NEVER : times.items[count - 1];
}

// forget_old removes the times before recent_min, and returns the last of them.
static int64_t
forget_old(compact_times *times, int64_t recent_min)
{
    size_t old = count_before(*times, recent_min);
    if (old == 0) {
        return COMPACT_NEVER;
    }
    times->items += old;
    times->count -= old;
    return times->items[-1];
}

static void
merge(compact_times a, compact_times b, int64_t *out)
{
    size_t i = 0;
    size_t j = 0;
    while (i < a.count && j < b.count) {
        *out++ = b.items[j] < a.items[i] ? b.items[j++] : a.items[i++];
    }
    if (i < a.count) {
        memcpy(out, a.items + i, (a.count - i) * sizeof(*out));
    } else if (j < b.count) {
        memcpy(out, b.items + j, (b.count - j) * sizeof(*out));
    }
}

// join is merge, but faster if the first list ends before the second begins, as lists of two chunks
// mostly do.
static void
join(compact_times a, compact_times b, int64_t *out)
{
    if (a.count > 0 && b.count > 0 && a.items[a.count - 1] > b.items[0]) {
        merge(a, b, out);
        return;
    }
    if (a.count > 0) {
        memcpy(out, a.items, a.count * sizeof(*out));
    }
    if (b.count > 0) {
        memcpy(out + a.count, b.items, b.count * sizeof(*out));
    }
}

lp_err
compact_kept_times_add(compact_kept_times *past, uint64_t identity, compact_times some,
    compact_times others, int64_t recent_min)
{
    kept_times_check(past);
    LP_ASSERT(past->threads.count == 0 ||
              past->threads.items[past->threads.count - 1].identity < identity);
    int64_t last_old = forget_old(&some, recent_min);
    int64_t other_old = forget_old(&others, recent_min);
    last_old = other_old > last_old ? other_old : last_old;
    size_t count = some.count + others.count + (last_old != COMPACT_NEVER);
    if (count == 0) {
        return LP_OK;
    }
    LP_REQUIRE(LP_VEC_ROOM(&past->threads) && LP_VEC_RESERVE(&past->times, count), LP_ENOMEM);
    int64_t *out = past->times.items + past->times.count;
    if (last_old != COMPACT_NEVER) {
        *out++ = last_old;
    }
    join(some, others, out);
    past->times.count += count;
    past->threads.items[past->threads.count++] =
        (compact_kept_times_thread){.identity = identity, .end = past->times.count};
    kept_times_check(past);
    return LP_OK;
}

LP_COMPARE(compare_latest_first, int64_t, LP_ORDER(*other, *one))

static void
forget_until(compact_kept_times *past, int64_t ticks)
{
    size_t thread_count = 0;
    size_t time_count = 0;
    size_t begin = 0;
    for (size_t i = 0; i < past->threads.count; i++) {
        compact_kept_times_thread thread = past->threads.items[i];
        for (size_t k = begin; k < thread.end; k++) {
            if (past->times.items[k] > ticks) {
                past->times.items[time_count++] = past->times.items[k];
            }
        }
        begin = thread.end;
        size_t known = thread_count == 0 ? 0 : past->threads.items[thread_count - 1].end;
        if (time_count > known) {
            past->threads.items[thread_count++] =
                (compact_kept_times_thread){.identity = thread.identity, .end = time_count};
        }
    }
    past->threads.count = thread_count;
    past->times.count = time_count;
    kept_times_check(past);
}

lp_err
compact_kept_times_limit(compact_kept_times *past, size_t count)
{
    kept_times_check(past);
    if (past->times.count <= count) {
        return LP_OK;
    }
    int64_t *sorted = lp_large_alloc(past->times.count * sizeof(*sorted));
    LP_REQUIRE(sorted != NULL, LP_ENOMEM);
    memcpy(sorted, past->times.items, past->times.count * sizeof(*sorted));
    qsort(sorted, past->times.count, sizeof(*sorted), compare_latest_first);
    forget_until(past, sorted[count]);
    lp_large_free(sorted);
    return LP_OK;
}

// --- Moments

LP_SORT_BY(sort_ticks, int64_t, *x < *y)

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
    LP_ASSERT(moments->items == NULL); // once
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
