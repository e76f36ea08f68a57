// SPDX-License-Identifier: Apache-2.0
// ask_rollups: reads the rollups that a question is about out of the catalog, for routes that need
// nothing else (ask_route's is_of_catalog).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_rollups.c

#ifndef LP_COLLECTOR_ASK_ASK_ROLLUPS_H
#define LP_COLLECTOR_ASK_ASK_ROLLUPS_H

#include "collector/ask/ask_work.h"
#include "collector/store/catalog_rollups.h"
#include "common/rollup/rollup.h"

// ask_rollups_check refuses what rollups cannot tell: anything but service, instance, recording,
// context and one where of KEY=VALUE, and for routes without these (only_times) all but from and
// to. Errors: LP_ECORRUPT with the parameter and what is allowed in *problem
LP_MUST_USE lp_err ask_rollups_check(
    const query_selection *selection, bool only_times, lp_problem *problem);

// ask_rollups_read calls on_rollup for each rollup or sum of a query, in no order. Those that
// cannot be read are counted in *out_left_out. found is lent until on_rollup returns, and place has
// its service and its start, but no bytes. Errors: LP_ECLOSED cancelled; those of a catalog; what
// on_rollup returns
LP_MUST_USE lp_err ask_rollups_read(ask_work *work, catalog *from,
    const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *place, const rollup *found), void *arg,
    uint64_t *out_left_out);

#endif // LP_COLLECTOR_ASK_ASK_ROLLUPS_H
