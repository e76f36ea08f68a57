// SPDX-License-Identifier: Apache-2.0
// ask_rollups: reads the rollups for a question from the catalog, for routes that read nothing else
// (is_of_catalog of ask_route).
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_rollups.c

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "collector/ask/work/ask_work.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "common/rollup/rollup.h"
#include "common/rollup/rollup_pick.h"

// The most rollups that are read chunk by chunk, for one recording, instance or version: a day of
// 138 JVMs with a chunk a minute.
enum { ASK_ROLLUPS_CHUNKS_MAX = 200000 };

// The parameters that a route supports. Each part includes the parts before it.
typedef enum ask_rollups_part {
    ASK_ROLLUPS_TIMES,      // from and to
    ASK_ROLLUPS_RECORDINGS, // service, instance, version and recording
    ASK_ROLLUPS_CONTEXT,    // context
    ASK_ROLLUPS_VALUE,      // one `where` of the form KEY=VALUE
} ask_rollups_part;

// ask_rollups_columns divides the time of a selection into columns (time_columns_of). Errors:
// LP_ECORRUPT if the selection has a parameter that the route does not support; *problem names it
// and the supported ones
LP_MUST_USE lp_err ask_rollups_columns(const query_selection *selection, ask_rollups_part allowed,
    int64_t now_wall_ns, size_t count_max, time_columns *out_columns, lp_problem *problem);

// ask_rollups_query returns the query for the rollups of a selection in columns. It does not ask
// for the rollups' optional parts.
catalog_rollup_query ask_rollups_query(
    const query_selection *selection, const time_columns *columns);

// Called for each rollup or sum: place says where it belongs, found is its content. Both are valid
// until the function returns. An error ends the reading.
typedef lp_err ask_on_rollup(void *arg, const catalog_rollup *place, const rollup *found);

// ask_rollups_read calls on_rollup, in no order, for each rollup or sum of `query` that the caller
// of the question may read, with its wanted parts (NULL: all). *out_left_out counts the rollups
// that cannot be read or that a sum lacks; all rollups beyond ASK_ROLLUPS_CHUNKS_MAX count as one.
// Errors: LP_ECLOSED if cancelled; as the catalog and on_rollup
LP_MUST_USE lp_err ask_rollups_read(ask_work *work, catalog *from,
    const catalog_rollup_query *query, const rollup_wanted *wanted, ask_on_rollup *on_rollup,
    void *arg, uint64_t *out_left_out);

// ask_rollups_read_all is ask_rollups_read with its own reader of the catalog. Errors: also those
// of catalog_open_reader
LP_MUST_USE lp_err ask_rollups_read_all(ask_work *work, const catalog_rollup_query *query,
    const rollup_wanted *wanted, ask_on_rollup *on_rollup, void *arg, uint64_t *out_left_out);
