// SPDX-License-Identifier: Apache-2.0
// recordings: the maps of RecordingContexts, and how the output shows them.
//
// A context of a type that is_recording has two values: the id of a map, and the id of the
// context's request. For each context that the chunk shows, the entries of its map replace these
// values. The attributes of the type are the keys that the session has used up to the end of this
// chunk, in the order of their first use. With this order, the number of keys identifies a type:
// JDK 25's `jfr print` and JMC need types that change little.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_recording.h"
#include "engine/contexts/contexts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_recording {
    ctx_recording map;
    bool is_ended; // no later record begins a context with it
} compact_recording;

// Empty if only arena is set.
typedef struct compact_recordings {
    lp_arena *arena;                 // owns the maps and keys; fails if memory runs out
    LP_VEC(compact_recording) items; // in the order in which they came
    lp_map by_id;                    // id to index
    // After the first own_count items come the items of later chunks. Items of later chunks are
    // added again with their chunk.
    size_t own_count;
    size_t key_count;
    const char *keys[CTX_RECORDING_KEYS_MAX];
} compact_recordings;

void compact_recordings_fini(compact_recordings *recordings);

// compact_recordings_add copies map, unless there is a map with its id.
void compact_recordings_add(
    compact_recordings *recordings, const ctx_recording *map, bool is_ended);

// compact_recordings_add_key adds a key of the session, unless it was added before. Keys beyond
// CTX_RECORDING_KEYS_MAX, which a JVM cannot send, are left out.
void compact_recordings_add_key(compact_recordings *recordings, const char *key);

// compact_recordings_copy copies all maps and keys to out, which must be empty.
void compact_recordings_copy(const compact_recordings *recordings, compact_recordings *out);

// compact_recordings_find returns the map with this id; NULL if there is none.
const ctx_recording *compact_recordings_find(const compact_recordings *recordings, uint64_t id);

// compact_recordings_end notes that no later record begins a context with this map.
void compact_recordings_end(compact_recordings *recordings, uint64_t id);

// compact_recordings_id returns the id of the map of a context whose type is_recording; 0 if the
// context is damaged.
uint64_t compact_recordings_id(const compact_contexts *contexts, const compact_context *context);

// compact_recordings_request returns the id of the request of a context whose type is_recording; 0
// if the context has no request, or is damaged.
uint64_t compact_recordings_request(
    const compact_contexts *contexts, const compact_context *context);

// compact_recordings_is_rooted returns whether roots (requests.h) begin and end the request with
// this id. The Java API gives such requests odd ids.
static inline bool
compact_recordings_is_rooted(uint64_t request)
{
    return (request & CTX_REQUEST_ROOTED) != 0;
}

// compact_recordings_keep keeps the maps that contexts refer to, and the last
// CTX_RECORDINGS_LIVE_MAX own maps that have not ended: a JVM cannot have more. It removes all
// other maps; their memory stays in the arena.
void compact_recordings_keep(compact_recordings *recordings, const ctx_type *types,
    size_t type_count, const compact_contexts *contexts);

// compact_recordings_show adds the keys of the shown contexts to the session, and returns a copy of
// type, which is_recording, with all keys of the session as its attributes. In each shown context,
// the entries of its map replace the two ids: nulls for CTX_RECORDING_REFUSED, no values if the map
// is lost. is_shown is parallel to contexts->items. The arena of contexts owns the texts of the
// returned type. Errors: in the arenas of recordings and contexts
ctx_type compact_recordings_show(compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown, const ctx_type *type);
