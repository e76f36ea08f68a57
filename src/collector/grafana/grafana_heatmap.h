// SPDX-License-Identifier: Apache-2.0
// grafana_heatmap: the parts of a heat map of ask (heatmap.h) in Pyroscope's form.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py

#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

// grafana_heatmap_time returns the begin of a column in milliseconds since 1970.
int64_t grafana_heatmap_time(const json_t *map, size_t column);

// grafana_heatmap_exemplars returns the Exemplars of a column: kept contexts or requests, with
// RECORDING/ID as the id of their profile, the begin of the column as their time, and the least
// duration of their bucket as their value. NULL: out of memory.
json_t *grafana_heatmap_exemplars(const json_t *map, size_t column);

// grafana_heatmap_slots returns the HeatmapSlots of all columns. Each has the same buckets, from
// the shortest to the longest of the map. NULL: out of memory.
json_t *grafana_heatmap_slots(const json_t *map);

// grafana_heatmap_amount returns the sum of the counts of a HeatmapSeries.
double grafana_heatmap_amount(const json_t *series);
