// SPDX-License-Identifier: Apache-2.0
// compact_filter: which RecordingContexts were installed at an event, for the setting `filter`.
//
// An event passes when one of the RecordingContexts that apply to it matches; where none applies,
// when the filter matches that there is none.
//
// Threads: one thread at a time while it is made; then any.
// Memory:  for each filter what compact_cover has for the contexts that match it

#ifndef LP_COLLECTOR_COMPACT_COMPACT_FILTER_H
#define LP_COLLECTOR_COMPACT_COMPACT_FILTER_H

#include "collector/compact/compact_cover.h"
#include "collector/compact/compact_recordings.h"
#include "collector/policy/policy_filter.h"

typedef struct compact_filter {
    const compact_recordings *recordings;
    compact_cover all; // every RecordingContext
    LP_VEC(struct compact_filter_one {
        const policy_filter *filter;
        compact_cover cover; // those that match it
    })
    filters;
} compact_filter;

// compact_filter_want says that events will be asked about filter. All are wanted before the first
// context is added. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_filter_want(compact_filter *filters, const policy_filter *filter);

// compact_filter_add adds a RecordingContext with the map of this id on a thread (a number of the
// caller's). Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_filter_add(
    compact_filter *filters, uint64_t id, uint32_t thread, int64_t begin, int64_t end);

// compact_filter_join makes what was added ready to be asked for. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_filter_join(compact_filter *filters, size_t thread_count);

// compact_filter_passes says whether an event of a thread (LP_MAP_NONE: of none) passes a filter
// that was wanted.
bool compact_filter_passes(
    const compact_filter *filters, const policy_filter *filter, uint32_t thread, int64_t commit);

void compact_filter_fini(compact_filter *filters);

#endif // LP_COLLECTOR_COMPACT_COMPACT_FILTER_H
