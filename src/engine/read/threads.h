// SPDX-License-Identifier: Apache-2.0
// threads: the threads of a chunk.
//
// A thread has a number, which is its index in view->threads, and an identity, which is the same in
// all chunks of a session. The identity comes from the thread's constant. If the chunk has no such
// constant, the identity is made from the key, until identities.h finds the thread in a
// neighbouring chunk.
//
// Threads: one thread at a time. While no thread adds to view->threads, any thread may call
//          compact_threads_find.
// Tests:   tests/unit/engine/decide/test_decide.c

#pragma once

#include "common/jfr/rewrite/jfr_pools_mark.h"
#include "engine/read/rows.h"

// The source of an identity: its low two bits.
enum {
    COMPACT_IDENTITY_JAVA = 1, // the Java thread id
    COMPACT_IDENTITY_OS = 2,   // the operating system's thread id
    COMPACT_IDENTITY_KEY = 3,  // the chunk's key, without meaning in other chunks
};

// java_thread_id must be above 0.
static inline uint64_t
compact_identity_java(int64_t java_thread_id)
{
    return (uint64_t)java_thread_id << 2 | COMPACT_IDENTITY_JAVA;
}

// compact_identity_is_known returns whether an identity is valid beyond its chunk.
static inline bool
compact_identity_is_known(uint64_t identity)
{
    return (identity & 3) != COMPACT_IDENTITY_KEY;
}

// compact_threads_list adds the threads of the pool of java.lang.Thread to view->threads, even
// those without events: contexts may be on them. Errors: in view->arena, which also fails at
// COMPACT_NO_THREAD threads
void compact_threads_list(compact_view *view);

// compact_threads_find returns the number of the thread with a key, or LP_MAP_NONE.
uint32_t compact_threads_find(const compact_view *view, uint64_t key);

// compact_threads_number finds or adds the thread with a key and returns its number;
// COMPACT_NO_THREAD if there is no room. Errors: as compact_threads_list
uint32_t compact_threads_number(compact_view *view, uint64_t key);

// compact_threads_mark marks the constant of a thread, if it has one.
static inline void
compact_threads_mark(compact_view *view, uint32_t thread)
{
    uint32_t type = view->schema->thread_type;
    if (thread < view->pools.pools[type].constants.count &&
        !jfr_pools_is_marked(&view->pools, type, thread)) { // most are marked already
        jfr_pools_mark_index(&view->pools, type, thread);
    }
}
