// SPDX-License-Identifier: Apache-2.0
// time_columns: a range of time in columns of equal length, such that sums of rollups
// (catalog_rollups.h) lie in one column each: minutes, or else multiples of 2 minutes, or of an
// hour.
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/ask/test_time_columns.c

#ifndef LP_COLLECTOR_ASK_TIME_COLUMNS_H
#define LP_COLLECTOR_ASK_TIME_COLUMNS_H

#include "common/base/lp_err.h"
#include "query/select/selection.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TIME_COLUMNS_MAX = 1000,
    TIME_COLUMNS_DEFAULT_S = 3600, // a range that does not say from when
    // Up to here columns may be of a minute, for which each chunk has to be read, where no instance
    // or recording is chosen, which have few.
    TIME_COLUMNS_OF_CHUNKS_S = 3600,
    // Up to here columns may be shorter than a minute (time_columns_refine).
    TIME_COLUMNS_FINE_S = 900,
    // Beyond this columns are of whole hours where not even a service is chosen: of a hundred
    // services each 2 minutes are a hundred sums.
    TIME_COLUMNS_OF_ALL_S = 6 * 3600,
    TIME_COLUMNS_LONG_S = 6 * 3600, // beyond this time_columns_coarsen does something
    // A range that says only from when, or until when, or is longer.
    TIME_COLUMNS_DAYS_MAX = 3660,
};

// Column i is [t0 + i * step, t0 + (i + 1) * step), of which only what lies in [from, to) counts.
typedef struct time_columns {
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    bool is_until_now; // to is now, or later
    int64_t t0_wall_ns;
    int64_t step_ns;
    int64_t sum_ns; // sums over this long lie in one column; see catalog_rollup_query
    size_t count;
} time_columns;

// time_columns_of divides the range of a selection into count_max columns at most, or one more
// where `from` is no border. A range without an end goes on until now_wall_ns; one without a
// beginning is of TIME_COLUMNS_DEFAULT_S.
// Errors: LP_ECORRUPT with the reason in *problem: it is empty, or over TIME_COLUMNS_DAYS_MAX
LP_MUST_USE lp_err time_columns_of(const query_selection *selection, int64_t now_wall_ns,
    size_t count_max, time_columns *out_columns, lp_problem *problem);

// time_columns_may_be_fine returns whether time_columns_refine can change them: who knows how long
// chunks are only after reading the catalog need not find out otherwise.
bool time_columns_may_be_fine(const time_columns *columns);

// time_columns_refine makes columns of a minute shorter where no chunk is longer than chunk_ns, as
// short as that and count_max allow: of 1, 2, 5, 10, 15, 20 or 30 s. It leaves those of a range
// over TIME_COLUMNS_FINE_S, and where chunk_ns is 0: there are no chunks.
void time_columns_refine(time_columns *columns, int64_t chunk_ns, size_t count_max);

// time_columns_coarsen makes columns of a range over TIME_COLUMNS_LONG_S whole hours, so that few
// sums have to be read.
void time_columns_coarsen(time_columns *columns);

// time_columns_find returns the column of a point in time in [from, to).
size_t time_columns_find(const time_columns *columns, int64_t wall_ns);

// time_columns_json returns {"t0": RFC 3339, "t0_ns": text, "step_ns": number}, which the caller
// owns; NULL where memory ran out.
json_t *time_columns_json(const time_columns *columns);

#endif // LP_COLLECTOR_ASK_TIME_COLUMNS_H
