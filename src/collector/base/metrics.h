// SPDX-License-Identifier: Apache-2.0

// metrics: the process's counters and gauges, as collector_metrics.def lists them.
//
// Threads: any thread, wait-free.
// Tests:   tests/unit/collector/http/test_http.c

#ifndef LP_COLLECTOR_BASE_METRICS_H
#define LP_COLLECTOR_BASE_METRICS_H

#include <stdint.h>

typedef enum metrics_kind { METRICS_COUNTER, METRICS_GAUGE } metrics_kind;

typedef enum metrics_id {
#define LOUPE_METRIC(kind, id, help)                   METRICS_##id,
#define LOUPE_METRIC_OF(kind, family, id, label, help) METRICS_##family##_##id,
#include "collector/base/collector_metrics.def"
#undef LOUPE_METRIC
#undef LOUPE_METRIC_OF
    METRICS_COUNT,
} metrics_id;

typedef struct metrics_info {
    metrics_kind kind;
    const char *name;  // as Prometheus sees it
    const char *label; // the same, in braces, for metrics of one name; empty for others
    const char *help;
} metrics_info;

// metrics_describe returns the description of a metric, which is static.
const metrics_info *metrics_describe(metrics_id id);

void metrics_add(metrics_id id, uint64_t amount);

// metrics_sub is for gauges.
void metrics_sub(metrics_id id, uint64_t amount);

uint64_t metrics_get(metrics_id id);

#endif // LP_COLLECTOR_BASE_METRICS_H
