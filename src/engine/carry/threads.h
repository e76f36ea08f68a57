// SPDX-License-Identifier: Apache-2.0
// threads: which threads a chunk speaks of, and which of them are the same.
//
// A thread has a number in its chunk, which indexes view->threads, and an identity, which is the
// same in all chunks of a session. The chunk's own constants tell it; where they do not, as JFR may
// write the constant of a virtual thread after its first events, even into the next chunk, or leave
// it to the chunk before, its neighbours do.
//
// Threads: one thread at a time; any may find while nobody numbers.

#ifndef LP_ENGINE_CARRY_THREADS_H
#define LP_ENGINE_CARRY_THREADS_H

#include "engine/carry/carry.h"
#include "engine/read/view.h"

// compact_threads_list makes the threads of the pool of java.lang.Thread, once that is read. Those
// that no event names are wanted as well: contexts may be on them.
// Errors: LP_ENOMEM; LP_ELIMIT for more than COMPACT_NO_THREAD
LP_MUST_USE lp_err compact_threads_list(compact_view *view);

// compact_threads_find gives the number of the thread with a key, LP_MAP_NONE if there is none.
uint32_t compact_threads_find(const compact_view *view, uint64_t key);

// compact_threads_number also gives one to a thread that has no constant.
// Errors: those of compact_threads_list
LP_MUST_USE lp_err compact_threads_number(compact_view *view, uint64_t key, uint32_t *out_thread);

// compact_threads_mark marks the constant of a thread, if it has one.
static inline void
compact_threads_mark(compact_view *view, uint32_t thread)
{
    uint32_t type = view->schema->thread_type;
    if (thread < view->pools.pools[type].constants.count) {
        jfr_pools_mark_index(&view->pools, type, thread);
    }
}

// compact_identity_java is the identity of the thread with this Java thread id (above 0).
uint64_t compact_identity_java(int64_t java_thread_id);

// compact_threads_identify gives the identities of view's threads, parallel to view->threads. Those
// that view does not tell come from before, then carry, then next; each may be NULL. NULL if memory
// ran out. The caller frees them.
uint64_t *compact_threads_identify(const compact_view *view, const compact_view *before,
    const compact_carry *carry, const compact_view *next);

// compact_threads_map puts where in view->threads each identity is, of several the first.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_threads_map(
    const compact_view *view, const uint64_t *identities, lp_map *out_threads);

// compact_threads_carry notes in carry, which has everything else, the threads of view and those of
// the carry-over before (or NULL), as far as somebody may need them. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_threads_carry(const compact_view *view, const uint64_t *identities,
    const compact_carry *before, compact_carry *carry);

#endif // LP_ENGINE_CARRY_THREADS_H
