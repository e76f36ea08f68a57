// SPDX-License-Identifier: Apache-2.0

// otlp_metrics: the durations and counts of requests (service_metrics.h) as a message of
// OpenTelemetry's metrics, ExportMetricsServiceRequest of proto/otlp_metrics.proto.
//
//   resource   service.name, service.instance.id: the collector, loupe.collector: the same
//     loupe.request.duration   exponential histogram of scale 2, unit ns, by loupe.request.type
//     loupe.requests.kept      sum, unit {request}, by loupe.reason
//     loupe.requests.dropped   the same
//
// All are cumulative since start_wall_ns. The buckets are those of histogram.h, unchanged: bucket i
// of an exponential histogram of scale 2 has (2^(i/4), 2^((i+1)/4)]. That is true in nanoseconds
// only; in seconds the bounds would not be powers of 2^(1/4).
//
// Threads: any thread.
// Tests:   tests/unit/collector/otlp/test_otlp_metrics.c, tests/e2e/pyroscope.py
// Memory:  4 KB for each service and type of requests, until the function returns

#pragma once

#include "collector/base/service_metrics.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

#include <stdint.h>

typedef struct otlp_metrics_about {
    const char *collector; // its address; one string for its whole life
    int64_t start_wall_ns; // of the process
    int64_t now_wall_ns;   // not before start_wall_ns
} otlp_metrics_about;

// otlp_metrics_encode appends the message, nothing if there is no service yet. Bytes of names that
// are not UTF-8 become U+FFFD. Errors: LP_ENOMEM
LP_MUST_USE lp_err otlp_metrics_encode(
    service_metrics *metrics, const otlp_metrics_about *about, lp_buf *out);
