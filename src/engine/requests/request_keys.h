// SPDX-License-Identifier: Apache-2.0
// request_keys: the keys of a window's parts and roots, and which of them mean one request.
//
// Parts without a key that may be requests have one that is made of their thread and their begin.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/requests/test_requests.c

#ifndef LP_ENGINE_REQUESTS_REQUEST_KEYS_H
#define LP_ENGINE_REQUESTS_REQUEST_KEYS_H

#include "common/base/lp_map.h"
#include "engine/requests/requests.h"

// In place of an index of a key.
enum { COMPACT_KEY_NONE = LP_MAP_NONE };

typedef struct compact_request_key {
    uint64_t key;
    compact_request_source source;
    bool is_rooted;
    bool is_carried;   // its request was open before the window
    bool is_dissolved; // of a part without a key: it is no request
    bool has_inner;    // parts with keys begin in it
    bool goes_on;      // it has a part that is open, or known to begin, behind the window
    uint32_t inner;    // the key of those; COMPACT_KEY_NONE where they have several
    uint32_t joined;   // the key that it is joined to; COMPACT_KEY_NONE: none
} compact_request_key;

// That a key is joined to another, from a time on.
typedef struct compact_key_join {
    int64_t ticks;
    uint32_t from;
    uint32_t to;
} compact_key_join;

typedef struct compact_request_keys {
    lp_arena *arena; // fails where memory runs out
    LP_VEC(compact_request_key) items;
    LP_VEC(compact_key_join) joins;
    lp_map by_key;
} compact_request_keys;

void compact_request_keys_fini(compact_request_keys *keys);

// compact_request_keys_add finds or adds a key and returns its index; COMPACT_KEY_NONE where memory
// runs out.
uint32_t compact_request_keys_add(
    compact_request_keys *keys, uint64_t key, compact_request_source source, bool is_rooted);

// compact_request_keys_nested is that for a part without a key.
uint32_t compact_request_keys_nested(compact_request_keys *keys, uint64_t thread, int64_t begin);

// compact_request_keys_join notes that a key is to be joined to another.
void compact_request_keys_join(
    compact_request_keys *keys, int64_t ticks, uint32_t from, uint32_t to);

// compact_request_keys_resolve joins the keys, in the order of time. A key is joined once.
void compact_request_keys_resolve(compact_request_keys *keys);

// compact_request_keys_final returns the key of the request that a key means, once they are joined.
// COMPACT_KEY_NONE: it means none.
uint32_t compact_request_keys_final(const compact_request_keys *keys, uint32_t key);

#endif // LP_ENGINE_REQUESTS_REQUEST_KEYS_H
