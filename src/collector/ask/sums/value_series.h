// SPDX-License-Identifier: Apache-2.0
// value_series: from rollups, the 99th percentile of requests in each column of time, by type and
// by the values of an attribute.
//
//   {"t0": "2026-01-02T03:04:00.000000000Z", "t0_ns": "1767...", "step_ns": 120000000000,
//    "types": [{"type": "shop.Request", "spark": [p99, null, ..], "values": [
//      {"value": "/orders", "spark": [..]}, ..]}, ..], "is_truncated": false}
//
// A spark has an item for each column; null without requests. Types are sorted by name, values by
// their bytes. is_truncated: the rollups leave out types, attributes or values of the key
// (rollup.h), or there are more than VALUE_SERIES_MAX series.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_value_series.c
// Memory:  up to 4 KB for each series and column; some 0.5 KB if the longest duration is at most
//          4,000 times the shortest

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "common/base/lp_arena.h"
#include "common/base/lp_vec.h"
#include "common/rollup/rollup.h"

enum { VALUE_SERIES_MAX = 256 };

// The requests of a type, or the requests of a type and a value.
typedef struct value_series_one {
    const char *type;
    bool has_value; // false: all requests of the type
    lp_slice value;
    histogram *columns;
} value_series_one;

typedef struct value_series {
    time_columns columns;
    const query_selection *selection; // only its context is used
    const char *key;                  // the name of the attribute; NULL: types only
    lp_arena arena;                   // owns the memory of the series
    LP_VEC(value_series_one) series;
    bool is_truncated;
} value_series;

// value_series_begin returns an empty series. Borrows selection and key until value_series_fini.
value_series value_series_begin(
    const time_columns *columns, const query_selection *selection, const char *key);
void value_series_fini(value_series *all);

// value_series_add adds the requests of a column. Errors: LP_ENOMEM
LP_MUST_USE lp_err value_series_add(value_series *all, size_t column, const rollup *found);

// value_series_json sorts the series and returns the JSON object, which the caller owns; NULL if
// memory ran out. is_truncated: some rollups could not be read.
json_t *value_series_json(value_series *all, bool is_truncated);
