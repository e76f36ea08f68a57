// SPDX-License-Identifier: Apache-2.0
// kept_times: the times at which plain events were kept on each thread, in the chunks so far.
//
// Of each thread all recent times are known, and the last of the older ones.
//
// Threads: one thread at a time while it is made; then any may find.
// Memory:  8 bytes for each time, 16 for each thread.

#ifndef LP_ENGINE_CONTEXTS_KEPT_TIMES_H
#define LP_ENGINE_CONTEXTS_KEPT_TIMES_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "engine/contexts/moments.h"

#include <stddef.h>
#include <stdint.h>

typedef struct compact_kept_times_thread {
    uint64_t identity;
    size_t end; // of its times; they begin at the end of the thread before
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

// compact_kept_times_add adds a thread, whose identity is above all others, with the times of both
// lists from recent_min on, and the last time before recent_min. A thread without times is not
// added. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_kept_times_add(compact_kept_times *past, uint64_t identity,
    compact_times some, compact_times others, int64_t recent_min);

// compact_kept_times_limit forgets the oldest times until there are no more than count; times at
// one tick are forgotten together. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_kept_times_limit(compact_kept_times *past, size_t count);

// compact_times_last returns the last time up to ticks, COMPACT_NEVER if there is none.
int64_t compact_times_last(compact_times times, int64_t ticks);

#endif // LP_ENGINE_CONTEXTS_KEPT_TIMES_H
