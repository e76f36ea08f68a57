// SPDX-License-Identifier: Apache-2.0
// time_columns: divides a time range into columns of equal length. Columns of a minute or less are
// made of chunks. Longer columns are multiples of 2 minutes or of an hour, so that each sum of
// rollups (catalog_rollups.h) lies in one column.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_time_columns.c

#pragma once

#include "common/base/lp_err.h"
#include "query/select/selection.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TIME_COLUMNS_MAX = 1000,
    TIME_COLUMNS_DEFAULT_S = 3600, // length of a range without a begin
    // Longer ranges have no columns of a minute, unless an instance or recording is chosen: such
    // columns read each chunk.
    TIME_COLUMNS_OF_CHUNKS_S = 3600,
    TIME_COLUMNS_FINE_S = 900, // longer ranges have no columns below a minute
    // Longer ranges of all services have columns of whole hours: otherwise a query would read each
    // service's sums of 2 minutes.
    TIME_COLUMNS_OF_ALL_S = 6 * 3600,
    TIME_COLUMNS_LONG_S = 6 * 3600, // time_columns_coarsen changes only longer ranges
    TIME_COLUMNS_DAYS_MAX = 3660,   // longer ranges are refused
};

// Column i is [t0 + i * step, t0 + (i + 1) * step), within [from, to).
typedef struct time_columns {
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    bool is_until_now; // to is now or later
    int64_t t0_wall_ns;
    int64_t step_ns;
    int64_t sum_ns; // length of the longest sums that fit a column; 0: columns of chunks
    size_t count;
} time_columns;

// time_columns_of divides the range of a selection into up to count_max columns, or one more if
// `from` is not on a border. A range without an end ends at now_wall_ns. Errors: LP_ECORRUPT with
// the reason in *problem: the range is empty, or longer than TIME_COLUMNS_DAYS_MAX
LP_MUST_USE lp_err time_columns_of(const query_selection *selection, int64_t now_wall_ns,
    size_t count_max, time_columns *out_columns, lp_problem *problem);

// time_columns_may_be_fine returns whether time_columns_refine may change the columns.
bool time_columns_may_be_fine(const time_columns *columns);

// time_columns_refine makes columns of a minute shorter, as chunk_ns and count_max allow: 1, 2, 5,
// 10, 15, 20 or 30 s. chunk_ns is the length of the longest chunk; 0: there are no chunks, and
// nothing changes.
void time_columns_refine(time_columns *columns, int64_t chunk_ns, size_t count_max);

// time_columns_coarsen makes the columns of a long range whole hours. Then fewer sums are read.
void time_columns_coarsen(time_columns *columns);

// time_columns_find returns the column of a point in time in [from, to).
size_t time_columns_find(const time_columns *columns, int64_t wall_ns);

// time_columns_json returns {"t0": RFC 3339, "t0_ns": text, "step_ns": number}, which the caller
// owns; NULL if memory ran out.
json_t *time_columns_json(const time_columns *columns);
