// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/kept_times.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"

#include <stdlib.h>
#include <string.h>

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

// count_before returns how many of times are before ticks.
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

// merge writes both lists to out, in order.
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

// join is merge, but faster where the first list ends before the second begins, as lists of two
// chunks mostly do.
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
    LP_ASSERT(past->threads.count == 0 ||
              past->threads.items[past->threads.count - 1].identity < identity);
    int64_t last_old = forget_old(&some, recent_min);
    int64_t other_old = forget_old(&others, recent_min);
    last_old = other_old > last_old ? other_old : last_old;
    size_t count = some.count + others.count + (last_old != COMPACT_NEVER);
    if (count == 0) {
        return LP_OK;
    }
    if (!LP_VEC_ROOM(&past->threads) || !LP_VEC_RESERVE(&past->times, count)) {
        return LP_ENOMEM;
    }
    int64_t *out = past->times.items + past->times.count;
    if (last_old != COMPACT_NEVER) {
        *out++ = last_old;
    }
    join(some, others, out);
    past->times.count += count;
    past->threads.items[past->threads.count++] =
        (compact_kept_times_thread){.identity = identity, .end = past->times.count};
    return LP_OK;
}

static int
compare_latest_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

// forget_until forgets all times up to ticks.
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
}

lp_err
compact_kept_times_limit(compact_kept_times *past, size_t count)
{
    if (past->times.count <= count) {
        return LP_OK;
    }
    int64_t *sorted = lp_large_alloc(past->times.count * sizeof(*sorted));
    if (sorted == NULL) {
        return LP_ENOMEM;
    }
    memcpy(sorted, past->times.items, past->times.count * sizeof(*sorted));
    qsort(sorted, past->times.count, sizeof(*sorted), compare_latest_first);
    forget_until(past, sorted[count]);
    lp_large_free(sorted);
    return LP_OK;
}
