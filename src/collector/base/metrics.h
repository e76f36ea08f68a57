// SPDX-License-Identifier: Apache-2.0

// metrics: the process's counters and gauges, as collector_metrics.def lists them, and the two text
// formats of metrics: Prometheus (0.0.4), and OpenMetrics 1.0, which has exemplars.
//
//   METRICS_PROMETHEUS    # HELP loupe_x_total ..
//                         # TYPE loupe_x_total counter
//                         loupe_x_total 1
//   METRICS_OPENMETRICS   # TYPE loupe_x counter
//                         # HELP loupe_x ..
//                         loupe_x_total 1
//                         and # EOF at the end
//
// Threads: any thread, wait-free; one thread at a time for each text.
// Tests:   tests/unit/collector/http/test_http.c,
//          tests/unit/collector/base/test_service_metrics.c

#pragma once

#include "common/base/lp_buf.h"

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
    const char *name;  // in Prometheus
    const char *label; // in braces, for metrics that share a name; else empty
    const char *help;
} metrics_info;

// metrics_describe returns the static description of a metric.
const metrics_info *metrics_describe(metrics_id id);

void metrics_add(metrics_id id, uint64_t amount);

// metrics_sub is for gauges.
void metrics_sub(metrics_id id, uint64_t amount);

uint64_t metrics_get(metrics_id id);

typedef enum metrics_format { METRICS_PROMETHEUS, METRICS_OPENMETRICS } metrics_format;

// metrics_text_head appends the lines that come before the samples of a metric. type is "counter",
// "gauge" or "histogram"; the name of a counter ends in _total.
void metrics_text_head(
    lp_buf *text, metrics_format format, const char *name, const char *type, const char *help);

// metrics_text_print appends as printf does, up to 1023 bytes.
void metrics_text_print(lp_buf *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// metrics_text_label appends NAME="VALUE", escaped; bytes that are not UTF-8 become '?'.
void metrics_text_label(lp_buf *text, const char *name, const char *value);

// metrics_text_seconds appends a time in seconds, exactly, as a decimal with a point.
void metrics_text_seconds(lp_buf *text, uint64_t ns);

// metrics_text_end appends the last line of the format, if it has one.
void metrics_text_end(lp_buf *text, metrics_format format);
