// SPDX-License-Identifier: Apache-2.0
// kept_times: the times at which something was kept on each thread.
//
//   compact_kept_times   times of kept plain events in this chunk and earlier ones: all recent
//                        times of each thread, and the last older one
//   compact_moments      times in one chunk; finds the last one up to a given time
//
// Threads: one thread at a time while they are made; then any thread may read a compact_kept_times.
//          compact_moments_last changes its moments: one thread at a time.
// Memory:  8 bytes for each time, 16 for each thread.
// Tests:   tests/unit/engine/contexts/test_kept_times.c, tests/unit/engine/decide/test_decide.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static const int64_t COMPACT_NEVER = INT64_MIN; // when nothing was kept

// --- The chunks so far

typedef struct compact_kept_times_thread {
    uint64_t identity;
    size_t end; // of its times; they begin where the previous thread's times end
} compact_kept_times_thread;

// {0} has no times.
typedef struct compact_kept_times {
    LP_VEC(compact_kept_times_thread) threads; // ascending by identity
    LP_VEC(int64_t) times;                     // ticks, ascending within a thread
} compact_kept_times;

// Times of one thread, borrowed, ascending.
typedef struct compact_times {
    const int64_t *items;
    size_t count;
} compact_times;

void compact_kept_times_fini(compact_kept_times *past);

// compact_kept_times_at returns the times of the thread at index of past->threads.
static inline compact_times
compact_kept_times_at(const compact_kept_times *past, size_t index)
{
    size_t begin = index == 0 ? 0 : past->threads.items[index - 1].end;
    return (compact_times){past->times.items + begin, past->threads.items[index].end - begin};
}

// compact_kept_times_find returns the times of a thread; there may be none.
compact_times compact_kept_times_find(const compact_kept_times *past, uint64_t identity);

// compact_kept_times_add adds a thread, whose identity is above all others. It adds the times of
// `some` and `others` from recent_min on, and the latest time before recent_min. It adds no thread
// without times. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_kept_times_add(compact_kept_times *past, uint64_t identity,
    compact_times some, compact_times others, int64_t recent_min);

// compact_kept_times_limit removes the oldest times until at most count are left. Equal times are
// removed together. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_kept_times_limit(compact_kept_times *past, size_t count);

// compact_times_last returns the last time up to ticks; COMPACT_NEVER if there is none.
int64_t compact_times_last(compact_times times, int64_t ticks);

// --- Moments of one chunk. Call _init, _put for each moment (which counts them), _allot, _put for
// each moment again, and _sort; then call _last. Once memory ran out, call neither _put nor _last.

typedef struct compact_moments {
    lp_arena *arena; // owns the arrays; fails if memory runs out
    size_t thread_count;
    int64_t *items; // ticks, by thread, ascending; NULL while counting
    size_t *ends;   // by thread: where its items end
    size_t *places; // by thread: the first item after the ticks last asked for
} compact_moments;

// compact_moments_init makes *moments empty, for threads below thread_count.
void compact_moments_init(compact_moments *moments, lp_arena *arena, size_t thread_count);

// compact_moments_allot makes room for the counted moments.
void compact_moments_allot(compact_moments *moments);

// compact_moments_sort sorts the moments of each thread. Call it before compact_moments_last.
void compact_moments_sort(compact_moments *moments);

// compact_moments_is_since returns whether last, a moment or COMPACT_NEVER, is at or after begin.
static inline bool
compact_moments_is_since(int64_t last, int64_t begin)
{
    return last != COMPACT_NEVER && last >= begin;
}

static inline void
compact_moments_put(compact_moments *moments, uint32_t thread, int64_t ticks)
{
    size_t place = moments->ends[thread]++;
    if (moments->items != NULL) {
        moments->items[place] = ticks;
    }
}

static inline size_t
compact_moments_begin(const compact_moments *moments, uint32_t thread)
{
    return thread == 0 ? 0 : moments->ends[thread - 1];
}

// compact_moments_search does the work of compact_moments_last if the previous answer does not fit.
int64_t compact_moments_search(compact_moments *moments, uint32_t thread, int64_t ticks);

// compact_moments_last returns the last moment of a thread up to ticks; COMPACT_NEVER if there is
// none. Cost: a few steps if the times of consecutive calls ascend
static inline int64_t
compact_moments_last(compact_moments *moments, uint32_t thread, int64_t ticks)
{
    size_t place = moments->places[thread];
    bool is_before = place < moments->ends[thread] && moments->items[place] <= ticks;
    if (is_before ||
        (place > compact_moments_begin(moments, thread) && moments->items[place - 1] > ticks)) {
        return compact_moments_search(moments, thread, ticks);
    }
    return place == compact_moments_begin(moments, thread) ? COMPACT_NEVER
                                                           : moments->items[place - 1];
}
