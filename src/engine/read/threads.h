// SPDX-License-Identifier: Apache-2.0
// threads: the threads that a chunk names.
//
// A thread has a number in its chunk, which indexes view->threads, and an identity, which is the
// same in all chunks of a session. The identity comes from the chunk's constant of the thread; a
// thread without a constant has an identity made of its key, which identities.h replaces where a
// neighbouring chunk describes the thread.
//
// Threads: one thread at a time; any may find while nobody numbers.
// Tests:   tests/unit/engine/decide/test_decide.c

#ifndef LP_ENGINE_READ_THREADS_H
#define LP_ENGINE_READ_THREADS_H

#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/read/rows.h"

// The low two bits of an identity are its source.
enum {
    COMPACT_IDENTITY_JAVA = 1, // the Java thread id
    COMPACT_IDENTITY_OS = 2,   // the operating system's id of the thread
    COMPACT_IDENTITY_KEY = 3,  // the key by which events name it: it means nothing to other chunks
};

// compact_identity_java returns the identity of the thread with this Java thread id (above 0).
static inline uint64_t
compact_identity_java(int64_t java_thread_id)
{
    return (uint64_t)java_thread_id << 2 | COMPACT_IDENTITY_JAVA;
}

// compact_identity_is_known returns true for an identity that is valid beyond its own chunk.
static inline bool
compact_identity_is_known(uint64_t identity)
{
    return (identity & 3) != COMPACT_IDENTITY_KEY;
}

// compact_threads_list adds the threads of the pool of java.lang.Thread, which has been read, to
// view->threads; also threads that no event names, since contexts may be on them. Where memory runs
// out, or there are more than COMPACT_NO_THREAD, view->arena fails.
void compact_threads_list(compact_view *view);

// compact_threads_find returns the number of the thread with a key, LP_MAP_NONE if there is none.
uint32_t compact_threads_find(const compact_view *view, uint64_t key);

// compact_threads_number returns the number of the thread with a key, a new one if it has none yet.
// Where there is no room for it, view->arena fails, as above, and COMPACT_NO_THREAD is returned.
uint32_t compact_threads_number(compact_view *view, uint64_t key);

// compact_threads_mark marks the constant of a thread, if it has one.
static inline void
compact_threads_mark(compact_view *view, uint32_t thread)
{
    uint32_t type = view->schema->thread_type;
    if (thread < view->pools.pools[type].constants.count &&
        !jfr_pools_is_marked(&view->pools, type, thread)) { // most are
        jfr_pools_mark_index(&view->pools, type, thread);
    }
}

#endif // LP_ENGINE_READ_THREADS_H
