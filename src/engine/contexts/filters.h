// SPDX-License-Identifier: Apache-2.0
// filters: the RecordingContextFilters of a JVM, each from its tick on, and the RecordingContexts
// that were installed at an event.
//
// Threads: one thread at a time while filters are added; then any thread may find them.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  some times the size of the filters' texts; for each RecordingContext 64 bytes until they
//          are sorted, then 32

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_filter.h"
#include "common/context/ctx_recording.h"
#include "policy/policy_filter.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_FILTERS_MAX = 4096 }; // if there are more, the oldest are forgotten

typedef struct compact_filter_rule {
    const char *type;      // in the source of the filter
    policy_filter *filter; // owned; NULL: everything passes
} compact_filter_rule;

typedef struct compact_filter {
    ctx_filter source;
    bool is_empty;              // everything passes
    compact_filter_rule *rules; // from source, sorted by type
} compact_filter;

// Empty if only arena is set.
typedef struct compact_filters {
    lp_arena *arena;              // owns all but the policy_filters; fails if memory runs out
    LP_VEC(compact_filter) items; // ascending by id and by begin
} compact_filters;

void compact_filters_fini(compact_filters *filters);

// compact_filters_add copies filter if its id is above all earlier ones; else the filter was added
// before. A rule whose terms cannot be read passes everything: a later agent may know more terms.
void compact_filters_add(compact_filters *filters, const ctx_filter *filter);

// compact_filters_copy copies all filters to out, which is empty.
void compact_filters_copy(const compact_filters *filters, compact_filters *out);

// compact_filters_is_empty returns whether everything passes at all times.
bool compact_filters_is_empty(const compact_filters *filters);

// compact_filters_find returns the filter of an event type at a time, borrowed; NULL: everything
// passes. A rule for all types applies only to types with a thread. Events without a thread have no
// context, so such a rule would drop them all.
const policy_filter *compact_filters_find(
    const compact_filters *filters, const char *type, bool has_thread, int64_t commit);

// compact_filters_forget removes the filters that end before `from`. If more than
// COMPACT_FILTERS_MAX are left, it removes the oldest of them.
void compact_filters_forget(compact_filters *filters, int64_t from);

// --- Which RecordingContexts were installed at an event

// The most RecordingContexts that are tested for one event. On a thread, RecordingContexts follow
// one another: two are installed together only at the tick at which one replaces the other. No JVM
// can exceed this limit. If more are installed at an event, the event passes.
enum { COMPACT_MAP_TIMELINE_AT_ONCE_MAX = 64 };

typedef struct compact_installation {
    int64_t begin;
    int64_t end;
    const ctx_recording *map; // borrowed
    uint32_t thread;
} compact_installation;

typedef struct compact_map_timeline {
    lp_arena *arena;                    // fails if memory runs out
    LP_VEC(compact_installation) items; // once sorted: by thread, then by begin
    size_t *ends;                       // by thread: where its items end
} compact_map_timeline;

// compact_map_timeline_init makes *installed empty.
// Owns: the caller ends *installed with compact_map_timeline_fini before the arena.
void compact_map_timeline_init(compact_map_timeline *installed, lp_arena *arena);

// compact_map_timeline_add adds a RecordingContext on a thread (a number that the caller chooses).
// map is borrowed until compact_map_timeline_fini. If map is NULL, the entries are unknown, and
// every test of them passes.
void compact_map_timeline_add(compact_map_timeline *installed, const ctx_recording *map,
    uint32_t thread, int64_t begin, int64_t end);

// compact_map_timeline_sort sorts the RecordingContexts. Call it once, before
// compact_map_timeline_passes. All threads are below thread_count.
void compact_map_timeline_sort(compact_map_timeline *installed, size_t thread_count);

// compact_map_timeline_passes returns whether an event of a thread (LP_MAP_NONE if the event has no
// thread) passes a filter. The event passes if a RecordingContext that is installed at its commit
// time matches, or if none is installed and the filter accepts events without one.
bool compact_map_timeline_passes(const compact_map_timeline *installed, const policy_filter *filter,
    uint32_t thread, int64_t commit);

void compact_map_timeline_fini(compact_map_timeline *installed);
