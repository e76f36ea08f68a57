// SPDX-License-Identifier: Apache-2.0
// heatmap: the numbers of contexts or requests, all and kept, by duration and by column of time,
// from rollups. Below, "contexts" means contexts or requests.
//
//   {"t0": "2026-01-02T03:04:00.000000000Z", "t0_ns": "1767...", "step_ns": 360000000000,
//    "scale": 2, "columns": [[[bucket, all, kept], ..], ..],
//    "exemplars": [[column, bucket, recording, id], ..],
//    "all": 60114, "kept": 3021, "unknown": 0, "is_truncated": false}
//
// bucket is the number of a bucket of histogram.h (-1: 1 ns and less). Empty buckets are left out.
// An exemplar is a kept context of a bucket in a column. A column has at most HEATMAP_EXEMPLARS_MAX
// exemplars: those with the longest durations, one of a bucket. The id of a request has 16 hex
// digits. `exemplars` is empty if the selection has a value, if the rollups were read without
// exemplars, or if has_no_exemplars.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_heatmap.c
// Memory:  some 2 KB for each column, and 140 bytes for each exemplar

#pragma once

#include "collector/ask/sums/time_columns.h"
#include "common/rollup/rollup.h"

enum { HEATMAP_EXEMPLARS_MAX = 4 }; // of a column

typedef struct heatmap {
    time_columns columns;
    const query_selection *selection; // only its `context` and `where` are used
    rollup_unit unit;
    bool has_no_exemplars; // set by the caller
    rollup sums;           // owns the memory of cells
    rollup_type *cells;    // by column: numbers.all and .kept, and exemplars
    uint64_t unknown;      // contexts whose value the rollups leave out
    uint64_t left_out;     // contexts of types that the rollups leave out
} heatmap;

// heatmap_init makes *map empty. It borrows selection until heatmap_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_init(
    heatmap *map, const time_columns *columns, const query_selection *selection, rollup_unit unit);
void heatmap_fini(heatmap *map);

// heatmap_add adds a rollup to a column. If the selection has a value, the rollup's types need
// attributes.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_add(heatmap *map, size_t column, const rollup *found);

// heatmap_add_slices adds each slice of a rollup to the column of the slice's middle, and leaves
// out slices outside of all columns. The selection must have no value. Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_add_slices(heatmap *map, const rollup *found);

// heatmap_json returns the JSON object, which the caller owns; NULL if memory ran out.
// is_truncated: some rollups could not be read.
json_t *heatmap_json(const heatmap *map, bool is_truncated);
