// SPDX-License-Identifier: Apache-2.0

// ctx_filters: the application's RecordingContextFilters that the collector does not have yet, and
// the last filter that it has. A collector that has lost the session needs that filter again.
//
// Threads: any thread; a mutex inside. Only the shipping thread calls ctx_filters_list and
//          ctx_filters_take.
// Tests:   tests/unit/agent/context/test_ctx_filters.c, tests/unit/agent/ship/test_ship.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"
#include "common/context/ctx_filter.h"

#include <stdint.h>

typedef struct ctx_filters ctx_filters;

typedef LP_VEC(ctx_filter) ctx_filter_list;

ctx_filters *ctx_filters_create(void); // NULL if memory ran out

// For tests: in a JVM the filters stay.
void ctx_filters_destroy(ctx_filters *filters);

// Copies filter, ignoring its id. The copy replaces the previous filter from filter->begin_ticks
// on. A filter over a limit of ctx_filter.h is refused and counted. Then no filter is set, because
// the application has replaced the previous one.
void ctx_filters_set(ctx_filters *filters, const ctx_filter *filter);

// Writes the filters with ids above `after` to out_list, in order. They are borrowed until
// ctx_filters_take removes them. Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_filters_list(
    ctx_filters *filters, uint64_t after, ctx_filter_list *out_list);

// Moves all filters before the filter with this id, which has been sent, to the end of out. The
// caller frees each with ctx_filter_fini. Errors: LP_ENOMEM: nothing was moved
LP_MUST_USE lp_err ctx_filters_take(ctx_filters *filters, uint64_t id, ctx_filter_list *out);

// Returns the number of refused filters since the start.
uint64_t ctx_filters_get_refused(ctx_filters *filters);
