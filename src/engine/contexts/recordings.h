// SPDX-License-Identifier: Apache-2.0
// recordings: the maps of the RecordingContexts that contexts name, and how the output shows them.
//
// A context of a type that is_recording has two values: the id of a map, and that of the request to
// which it belongs. The map is read only once it is known
// which contexts a chunk shows; these then get its entries as values. The type's attributes are the
// keys of the session up to the end of this chunk, in the order in which they came: JDK 25's `jfr
// print` and JMC need types that change little, and with this order a type is known by the number
// of its keys.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_CONTEXTS_RECORDINGS_H
#define LP_ENGINE_CONTEXTS_RECORDINGS_H

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
    bool is_ended; // no later record begins it
} compact_recording;

// With an arena, and nothing else, it is empty.
typedef struct compact_recordings {
    lp_arena *arena;                 // of the maps and keys; fails where memory runs out
    LP_VEC(compact_recording) items; // in the order in which they came
    lp_map by_id;                    // id to index
    size_t own_count; // of items: those of chunks behind follow, and come again with their chunk
    size_t key_count;
    const char *keys[CTX_RECORDING_KEYS_MAX];
} compact_recordings;

void compact_recordings_fini(compact_recordings *recordings);

// compact_recordings_add copies map, unless there is a map with its id.
void compact_recordings_add(
    compact_recordings *recordings, const ctx_recording *map, bool is_ended);

// compact_recordings_add_key adds a key to those of the session, unless it is there. Keys that a
// JVM cannot have sent are left out.
void compact_recordings_add_key(compact_recordings *recordings, const char *key);

// compact_recordings_copy copies all maps and keys to out, which is empty.
void compact_recordings_copy(const compact_recordings *recordings, compact_recordings *out);

// compact_recordings_find returns the map with this id, NULL if there is none.
const ctx_recording *compact_recordings_find(const compact_recordings *recordings, uint64_t id);

// compact_recordings_end notes that no later record begins a context with the map of this id.
void compact_recordings_end(compact_recordings *recordings, uint64_t id);

// compact_recordings_id returns the id of the map that a context of such a type names; 0 if the
// context is damaged.
uint64_t compact_recordings_id(const compact_contexts *contexts, const compact_context *context);

// compact_recordings_request returns the id of the request to which such a context belongs; 0 for
// none, and if the context is damaged.
uint64_t compact_recordings_request(
    const compact_contexts *contexts, const compact_context *context);

// compact_recordings_is_rooted returns whether roots say when the request with this id begins and
// ends: the Java API gives such requests odd ids.
static inline bool
compact_recordings_is_rooted(uint64_t request)
{
    return (request & CTX_REQUEST_ROOTED) != 0;
}

// compact_recordings_keep removes the maps that no context of a type that is_recording names, if
// they have ended, or if they are not among the last CTX_RECORDINGS_LIVE_MAX that have not: a JVM
// cannot have more. Those of chunks behind do not count, and go. Their memory stays with the arena.
void compact_recordings_keep(compact_recordings *recordings, const ctx_type *types,
    size_t type_count, const compact_contexts *contexts);

// compact_recordings_show returns type, which is_recording, with the keys of the session as its
// attributes, after adding the keys of the shown contexts to them. These contexts get the values of
// their maps in place of the id: nulls for the id 0, of a map for which the agent had no place. A
// context whose map is lost has no values then. is_shown is parallel to contexts->items. The texts
// of the returned type are in the arena of contexts. Errors: as of both arenas
ctx_type compact_recordings_show(compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown, const ctx_type *type);

#endif // LP_ENGINE_CONTEXTS_RECORDINGS_H
