// SPDX-License-Identifier: Apache-2.0
// map_timeline: which RecordingContexts were installed at an event, for filters.
//
// An event passes a filter if one of the RecordingContexts that apply to it matches. An event to
// which none applies passes if the filter accepts events without a RecordingContext.
//
// Threads: one thread at a time while it is made; then any may ask.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  64 bytes for each RecordingContext until they are sorted, then 32

#ifndef LP_ENGINE_CONTEXTS_MAP_TIMELINE_H
#define LP_ENGINE_CONTEXTS_MAP_TIMELINE_H

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_recording.h"
#include "policy/policy_filter.h"

#include <stdbool.h>
#include <stdint.h>

// How many RecordingContexts that apply to an event are looked at. On one thread they follow one
// another, and two apply only at the tick at which one replaces the other. Where there are more
// than this, which no JVM can have caused, the event passes.
enum { COMPACT_MAP_TIMELINE_AT_ONCE_MAX = 64 };

typedef struct compact_installation {
    int64_t begin;
    int64_t end;
    const ctx_recording *map; // borrowed
    uint32_t thread;
} compact_installation;

typedef struct compact_map_timeline {
    lp_arena *arena;
    LP_VEC(compact_installation) items; // once sorted: by thread, then by begin
    size_t *ends;                       // by thread: where its items end
} compact_map_timeline;

// compact_map_timeline_init makes an empty one. arena fails where memory runs out, here and below.
// Owns: the caller ends *installed with compact_map_timeline_fini before the arena.
void compact_map_timeline_init(compact_map_timeline *installed, lp_arena *arena);

// compact_map_timeline_add adds a RecordingContext on a thread (a number of the caller's). map is
// borrowed until fini; where it is NULL, the map is not known and may have any entries.
// Errors: as of arena
void compact_map_timeline_add(compact_map_timeline *installed, const ctx_recording *map,
    uint32_t thread, int64_t begin, int64_t end);

// compact_map_timeline_sort sorts the RecordingContexts, once, before the first question; all
// threads are below thread_count. Errors: as of arena
void compact_map_timeline_sort(compact_map_timeline *installed, size_t thread_count);

// compact_map_timeline_passes returns whether an event of a thread (LP_MAP_NONE: of none) passes a
// filter.
bool compact_map_timeline_passes(const compact_map_timeline *installed, const policy_filter *filter,
    uint32_t thread, int64_t commit);

void compact_map_timeline_fini(compact_map_timeline *installed);

#endif // LP_ENGINE_CONTEXTS_MAP_TIMELINE_H
