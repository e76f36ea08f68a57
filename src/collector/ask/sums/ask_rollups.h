// SPDX-License-Identifier: Apache-2.0
// ask_rollups: reads the rollups of a question from the catalog, for routes that need nothing else
// (ask_route's is_of_catalog).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_rollups.c

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/rollup/rollup.h"

// The rollups of one recording, instance or version are read chunk by chunk, up to this many: a day
// of 138 JVMs with a chunk a minute.
enum { ASK_ROLLUPS_CHUNKS_MAX = 200000 };

// The parameters that a route supports: each part adds to the one before it.
typedef enum ask_rollups_part {
    ASK_ROLLUPS_TIMES,      // from and to
    ASK_ROLLUPS_RECORDINGS, // service, instance, version and recording
    ASK_ROLLUPS_CONTEXT,    // context
    ASK_ROLLUPS_VALUE,      // one where of KEY=VALUE
} ask_rollups_part;

// ask_rollups_columns divides the time of a selection into columns (time_columns_of), unless the
// selection has a parameter that the route does not support.
// Errors: LP_ECORRUPT with the parameter and its alternatives in *problem
LP_MUST_USE lp_err ask_rollups_columns(const query_selection *selection, ask_rollups_part allowed,
    int64_t now_wall_ns, size_t count_max, time_columns *out_columns, lp_problem *problem);

// ask_rollups_query returns the query for the rollups of a selection in columns, without their
// optional parts.
catalog_rollup_query ask_rollups_query(
    const query_selection *selection, const time_columns *columns);

// Called for each rollup or sum. found is valid until it returns; place has no bytes. LP_OK, or
// the error that ends reading
typedef lp_err ask_on_rollup(void *arg, const catalog_rollup *place, const rollup *found);

// ask_rollups_read calls on_rollup for each rollup or sum of a query that the caller may read, in
// no order. *out_left_out counts those that cannot be read and those that a sum does not include;
// all beyond ASK_ROLLUPS_CHUNKS_MAX count as one. Errors: LP_ECLOSED cancelled; as the catalog;
// what on_rollup returns
LP_MUST_USE lp_err ask_rollups_read(ask_work *work, catalog *from,
    const catalog_rollup_query *query, ask_on_rollup *on_rollup, void *arg, uint64_t *out_left_out);

// ask_rollups_read_all is ask_rollups_read with a reader of its own. Errors: also as
// catalog_open_reader
LP_MUST_USE lp_err ask_rollups_read_all(ask_work *work, const catalog_rollup_query *query,
    ask_on_rollup *on_rollup, void *arg, uint64_t *out_left_out);
