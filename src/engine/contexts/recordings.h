// SPDX-License-Identifier: Apache-2.0
// recordings: the maps of the RecordingContexts that contexts name, and how they show.
//
// A context of a type that is_recording has one value, the id of a map. Nothing looks into the map
// until it is known which contexts a chunk shows; then these get their values. The type's
// attributes are the keys of the session up to and with this chunk, in the order in which they
// came: JDK 25's `jfr print` and JMC want types that change little, and so a type is known by the
// number of its keys.
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

// One with nothing but an arena is empty.
typedef struct compact_recordings {
    lp_arena *arena;                 // of the maps and keys; fails where memory runs out
    LP_VEC(compact_recording) items; // in the order in which they came
    lp_map by_id;                    // id to index
    size_t key_count;
    const char *keys[CTX_RECORDING_KEYS_MAX];
} compact_recordings;

void compact_recordings_fini(compact_recordings *recordings);

// compact_recordings_add copies map, unless there is one of its id.
void compact_recordings_add(
    compact_recordings *recordings, const ctx_recording *map, bool is_ended);

// compact_recordings_add_key notes that the session has this key. What a JVM cannot have sent is
// left out.
void compact_recordings_add_key(compact_recordings *recordings, const char *key);

// compact_recordings_copy adds to out, which is empty, what recordings has.
void compact_recordings_copy(const compact_recordings *recordings, compact_recordings *out);

// compact_recordings_find returns the map with this id, NULL if there is none.
const ctx_recording *compact_recordings_find(const compact_recordings *recordings, uint64_t id);

// compact_recordings_end notes that no later record begins the context with this id.
void compact_recordings_end(compact_recordings *recordings, uint64_t id);

// compact_recordings_id returns the id of the map that a context of such a type names; 0: it is
// damaged.
uint64_t compact_recordings_id(const compact_contexts *contexts, const compact_context *context);

// compact_recordings_keep removes the maps that have ended and that no context of types that
// is_recording names; of the others, where they are more than a JVM can have, the oldest. Their
// memory stays with the arena.
void compact_recordings_keep(compact_recordings *recordings, const ctx_type *types,
    size_t type_count, const compact_contexts *contexts);

// compact_recordings_show returns type, which is_recording and has none but its id, with the keys
// of the session and of the shown contexts as attributes, and gives these contexts the values of
// their maps. is_shown is parallel to contexts->items. A context whose map is not known has no
// values then. The texts of what is returned are in the arena of contexts. Errors: of both arenas
ctx_type compact_recordings_show(compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown, const ctx_type *type);

#endif // LP_ENGINE_CONTEXTS_RECORDINGS_H
