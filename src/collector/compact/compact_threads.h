// SPDX-License-Identifier: Apache-2.0
// compact_threads: which threads a chunk speaks of, and which of them are the same.
//
// A thread has a number in its chunk, which indexes view->threads, and an identity, which is the
// same in all chunks of a session.
//
// Threads: one thread at a time; any may find while nobody numbers.

#ifndef LP_COLLECTOR_COMPACT_COMPACT_THREADS_H
#define LP_COLLECTOR_COMPACT_COMPACT_THREADS_H

#include "collector/compact/compact_view.h"

// compact_threads_list makes the threads of the pool of java.lang.Thread, once that is read. Those
// that no event names are wanted as well: contexts may be on them. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_threads_list(compact_view *view);

// compact_threads_find gives the number of the thread with a key, LP_MAP_NONE if there is none.
uint32_t compact_threads_find(const compact_view *view, uint64_t key);

// compact_threads_number also gives one to a thread that has no constant. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_threads_number(compact_view *view, uint64_t key, uint32_t *out_thread);

// compact_identity_java is the identity of the thread with this Java thread id (above 0).
uint64_t compact_identity_java(int64_t java_thread_id);

// compact_identity_is_known says whether an identity goes further than its own chunk: JFR may write
// the constant of a virtual thread after its first events, even into the next chunk.
bool compact_identity_is_known(uint64_t identity);

#endif // LP_COLLECTOR_COMPACT_COMPACT_THREADS_H
