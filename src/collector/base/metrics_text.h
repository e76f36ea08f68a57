// SPDX-License-Identifier: Apache-2.0

// metrics_text: the two text formats in which metrics are served: that of Prometheus (0.0.4) and
// OpenMetrics 1.0, which has exemplars.
//
//   METRICS_PROMETHEUS    # HELP loupe_x_total ..    # TYPE loupe_x_total counter    loupe_x_total
//   1 METRICS_OPENMETRICS   # TYPE loupe_x counter     # HELP loupe_x .. loupe_x_total 1
//                         and # EOF at the end
//
// Threads: one thread at a time for each text.
// Tests:   tests/unit/collector/base/test_service_metrics.c

#ifndef LP_COLLECTOR_BASE_METRICS_TEXT_H
#define LP_COLLECTOR_BASE_METRICS_TEXT_H

#include "common/base/lp_buf.h"

#include <stdint.h>

typedef enum metrics_format { METRICS_PROMETHEUS, METRICS_OPENMETRICS } metrics_format;

// metrics_text_head appends the lines that come before the samples of a metric. type is "counter",
// "gauge" or "histogram"; the name of a counter ends in _total.
void metrics_text_head(
    lp_buf *text, metrics_format format, const char *name, const char *type, const char *help);

// metrics_text_print appends as printf does, up to 1023 bytes.
void metrics_text_print(lp_buf *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// metrics_text_label appends NAME="VALUE", with the characters escaped that need it; bytes that are
// not UTF-8 become '?'.
void metrics_text_label(lp_buf *text, const char *name, const char *value);

// metrics_text_seconds appends a time in seconds, exactly, as a decimal with a point.
void metrics_text_seconds(lp_buf *text, uint64_t ns);

// metrics_text_end appends what ends the text.
void metrics_text_end(lp_buf *text, metrics_format format);

#endif // LP_COLLECTOR_BASE_METRICS_TEXT_H
