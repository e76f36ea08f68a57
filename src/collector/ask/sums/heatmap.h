// SPDX-License-Identifier: Apache-2.0
// heatmap: how many contexts, or requests, of each length there were in each column of time, of all
// and of the kept ones, out of rollups. What follows says "contexts" for either.
//
// As JSON:
//
//   {"t0": "2026-01-02T03:04:00.000000000Z", "t0_ns": "1767...", "step_ns": 360000000000, "scale":
//   2,
//    "columns": [[[bucket, all, kept], ..], ..], "exemplars": [[column, bucket, recording, id],
//    ..], "all": 60114, "kept": 3021, "unknown": 0, "is_truncated": false}
//
// Buckets are those of histogram.h, in order; those without contexts are left out, -1 is the one of
// 1 ns and less. An exemplar is a kept context, one for each place, in a column those of the
// HEATMAP_EXEMPLARS_MAX longest buckets that have one; the id of a request has 16 hex digits. There
// are none where a value is asked for, as theirs is not known, where a rollup comes without them,
// and where they are not wanted.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/ask/test_heatmap.c
// Memory:  some 2 KB for each column, and 140 bytes for each exemplar

#ifndef LP_COLLECTOR_ASK_HEATMAP_H
#define LP_COLLECTOR_ASK_HEATMAP_H

#include "collector/ask/sums/time_columns.h"
#include "common/rollup/rollup.h"

enum { HEATMAP_EXEMPLARS_MAX = 4 }; // of a column

typedef struct heatmap {
    time_columns columns;
    const query_selection *selection; // its context and where count
    rollup_unit unit;
    bool has_no_exemplars; // those of rollups are left out
    rollup sums;           // has the memory of cells
    rollup_type *cells;    // by column: numbers.all and .kept, and exemplars
    uint64_t unknown;  // contexts that may or may not have the value: their attribute has too many
    uint64_t left_out; // contexts of types that rollups leave out, which may be wanted
} heatmap;

// heatmap_init makes an empty one, and borrows selection until heatmap_fini. Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_init(
    heatmap *map, const time_columns *columns, const query_selection *selection, rollup_unit unit);
void heatmap_fini(heatmap *map);

// heatmap_add adds a rollup of a column; its types without attributes where no value is asked for.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_add(heatmap *map, size_t column, const rollup *found);

// heatmap_add_slices adds a rollup of a chunk that has slices, each to the column in which it lies;
// what lies in none is left out. No value is asked for. Errors: LP_ENOMEM
LP_MUST_USE lp_err heatmap_add_slices(heatmap *map, const rollup *found);

// heatmap_json returns the object, which the caller owns; NULL where memory ran out. is_truncated:
// something could not be read.
json_t *heatmap_json(const heatmap *map, bool is_truncated);

#endif // LP_COLLECTOR_ASK_HEATMAP_H
