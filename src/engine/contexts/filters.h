// SPDX-License-Identifier: Apache-2.0
// filters: the RecordingContextFilters that a JVM has set, each from its tick on.
//
// Threads: one thread at a time; read by any once made.
// Tests:   tests/unit/engine/contexts/test_filter.c
// Memory:  some times the size of their texts.

#ifndef LP_ENGINE_CONTEXTS_FILTERS_H
#define LP_ENGINE_CONTEXTS_FILTERS_H

#include "common/base/lp_arena.h"
#include "common/context/ctx_filter.h"
#include "policy/policy_filter.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_FILTERS_MAX = 4096 }; // beyond it the oldest are forgotten

typedef struct compact_filter_rule {
    const char *type;      // in the source of the filter
    policy_filter *filter; // owned; NULL: everything passes
} compact_filter_rule;

typedef struct compact_filter {
    ctx_filter source;
    bool is_empty;              // everything passes
    compact_filter_rule *rules; // those of source, sorted by type
} compact_filter;

// With an arena, and nothing else, it is empty.
typedef struct compact_filters {
    lp_arena *arena;              // of all but the policy_filters; fails where memory runs out
    LP_VEC(compact_filter) items; // by id, and by begin
} compact_filters;

void compact_filters_fini(compact_filters *filters);

// compact_filters_add copies filter, unless its id is not above the last one: then it came before.
// A rule whose terms cannot be read lets everything pass: a later agent may know more terms.
void compact_filters_add(compact_filters *filters, const ctx_filter *filter);

// compact_filters_copy copies all filters to out, which is empty.
void compact_filters_copy(const compact_filters *filters, compact_filters *out);

// compact_filters_is_empty returns whether everything passes at all times.
bool compact_filters_is_empty(const compact_filters *filters);

// compact_filters_find lends the filter of an event type at a time; NULL: everything passes. A rule
// for all types applies to types with a thread only: no context ever applies to events without one,
// so all of them would be dropped.
const policy_filter *compact_filters_find(
    const compact_filters *filters, const char *type, bool has_thread, int64_t commit);

// compact_filters_forget removes the filters that end before from, and the oldest where there are
// more than COMPACT_FILTERS_MAX.
void compact_filters_forget(compact_filters *filters, int64_t from);

#endif // LP_ENGINE_CONTEXTS_FILTERS_H
