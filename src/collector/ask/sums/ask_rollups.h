// SPDX-License-Identifier: Apache-2.0
// ask_rollups: reads the rollups that a question is about out of the catalog, for routes that need
// nothing else (ask_route's is_of_catalog).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_rollups.c

#ifndef LP_COLLECTOR_ASK_ASK_ROLLUPS_H
#define LP_COLLECTOR_ASK_ASK_ROLLUPS_H

#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/rollup/rollup.h"

// Of one recording, instance or version each chunk is read by itself, and no more than these: a day
// of 138 JVMs with a chunk a minute.
enum { ASK_ROLLUPS_CHUNKS_MAX = 200000 };

// What a route may be asked for: each has what the one before it has, and more.
typedef enum ask_rollups_part {
    ASK_ROLLUPS_TIMES,      // from and to
    ASK_ROLLUPS_RECORDINGS, // service, instance and recording
    ASK_ROLLUPS_CONTEXT,    // context
    ASK_ROLLUPS_VALUE,      // one where of KEY=VALUE
} ask_rollups_part;

// ask_rollups_check refuses what the route, or rollups, cannot tell. Errors: LP_ECORRUPT with the
// parameter and what is allowed in *problem
LP_MUST_USE lp_err ask_rollups_check(
    const query_selection *selection, ask_rollups_part allowed, lp_problem *problem);

// ask_rollups_read calls on_rollup for each rollup or sum of a query, in no order. Those that
// cannot be read are counted in *out_left_out, and so are those that a sum could not have; what is
// over ASK_ROLLUPS_CHUNKS_MAX counts as one. found is lent until on_rollup returns, and place has
// its service and its start, but no bytes. Errors: LP_ECLOSED cancelled; those of a catalog; what
// on_rollup returns
LP_MUST_USE lp_err ask_rollups_read(ask_work *work, catalog *from,
    const catalog_rollup_query *query,
    lp_err (*on_rollup)(void *arg, const catalog_rollup *place, const rollup *found), void *arg,
    uint64_t *out_left_out);

#endif // LP_COLLECTOR_ASK_ASK_ROLLUPS_H
