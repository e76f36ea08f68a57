// SPDX-License-Identifier: Apache-2.0

// ctx_filters: the RecordingContextFilters that the application has set and the collector does not
// have yet, and the last one that it has: a collector that has lost the session needs it again.
//
// Threads: any thread; a mutex inside. list and take belong to one thread, the shipping one.
// Tests:   tests/unit/agent/context/test_ctx_filters.c, tests/unit/agent/ship/test_ship.c

#ifndef LP_AGENT_CONTEXT_CTX_FILTERS_H
#define LP_AGENT_CONTEXT_CTX_FILTERS_H

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_filter.h"

#include <stdint.h>

typedef struct ctx_filters ctx_filters;

typedef LP_VEC(ctx_filter) ctx_filter_list;

ctx_filters *ctx_filters_create(void); // NULL if memory ran out

// ctx_filters_destroy is for tests: in a JVM they stay.
void ctx_filters_destroy(ctx_filters *filters);

// ctx_filters_set copies filter, whose id does not matter; it replaces the one before from its
// begin_ticks on. One that is over a limit of ctx_filter.h is refused and counted: no filter is
// then set, so that nothing is dropped by one that the application has replaced.
void ctx_filters_set(ctx_filters *filters, const ctx_filter *filter);

// ctx_filters_list replaces out_list by the filters with ids over after, in their order; it lends
// them until they are taken. Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_filters_list(
    ctx_filters *filters, uint64_t after, ctx_filter_list *out_list);

// ctx_filters_take moves those before the one with this id, which has been sent, to the end of out.
// The caller ends each with ctx_filter_fini. Errors: LP_ENOMEM: nothing was moved
LP_MUST_USE lp_err ctx_filters_take(ctx_filters *filters, uint64_t id, ctx_filter_list *out);

// ctx_filters_get_refused returns how many were refused since the start.
uint64_t ctx_filters_get_refused(ctx_filters *filters);

#endif // LP_AGENT_CONTEXT_CTX_FILTERS_H
