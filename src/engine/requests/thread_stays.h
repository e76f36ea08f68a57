// SPDX-License-Identifier: Apache-2.0
// thread_stays: for which key each thread works, and when, by the parts of the thread.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#ifndef LP_ENGINE_REQUESTS_THREAD_STAYS_H
#define LP_ENGINE_REQUESTS_THREAD_STAYS_H

#include "engine/requests/request_keys.h"
#include "engine/requests/requests.h"

// A stretch in which a thread works for a key. It ends where the next of the thread may begin.
typedef struct compact_key_stay {
    uint64_t thread; // identity
    int64_t begin;   // ticks, in the window
    int64_t end;     // up to the first tick behind the window
    uint32_t key;
    bool goes_on; // the part for which it works is open behind the window
} compact_key_stay;

typedef struct compact_key_stays {
    LP_VEC(compact_key_stay) items; // in the arena of the keys; by thread, then begin
    uint32_t *key_of;               // parallel to the parts: which key each belongs to, or
                                    // COMPACT_KEY_NONE
} compact_key_stays;

// compact_thread_stays_find fills out, which is empty, and adds keys and what joins them.
// Errors: as of keys->arena
void compact_thread_stays_find(
    const compact_requests_input *input, compact_request_keys *keys, compact_key_stays *out);

#endif // LP_ENGINE_REQUESTS_THREAD_STAYS_H
