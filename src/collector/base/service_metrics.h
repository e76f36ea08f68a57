// SPDX-License-Identifier: Apache-2.0

// service_metrics: the metrics with a label `service`: the counters of chunk_metrics.def, dropped
// events and contexts by setting, requests by reason, and histograms of the durations of all
// contexts and all requests by type, with kept ones as exemplars. They count the chunks committed
// since the process started.
//
//   loupe_service_contexts_in_total{service="shop"} 60114
//   loupe_service_events_dropped_total{service="shop",by="select"} 8600
//   loupe_service_requests_kept_total{service="shop",reason="slow"} 12
//   loupe_context_duration_seconds_bucket{service="shop",type="shop.Request",le="0.134217728"} 7
//       # {trace_id="4bf9..",recording="3f6c..",context_id="6f1a-9f86d081"} 0.11 1767323045.1
//   loupe_request_duration_seconds_bucket{service="shop",type="shop.Request",le="0.134217728"} 7
//       # {trace_id="4bf9..",recording="3f6c..",request_id="00000000000006f1"} 0.11 1767323045.1
//
// Buckets of the text end at powers of two of a nanosecond, from 65.5 us to 34.4 s. These are also
// bounds of the rollups' buckets, so the counts are exact. service_metrics_each has the buckets of
// the rollups.
//
// Threads: any thread; a lock is held while a chunk is added, all counters are written, or the
//          histograms of a service are written.
// Tests:   tests/unit/collector/base/test_service_metrics.c
// Memory:  6 KB for each service and type of contexts or of requests

#pragma once

#include "collector/base/metrics.h"
#include "common/base/lp_buf.h"
#include "common/rollup/rollup.h"
#include "engine/types.h"

enum {
    // Only the first services have metrics. Chunks of further services are counted in
    // service_metrics_left_out.
    SERVICE_METRICS_SERVICES_MAX = 256,
    // Histograms of contexts, and as many of requests. Contexts of further services and types, and
    // contexts that a rollup leaves out, are counted in context_durations_left_out; such requests
    // in request_durations_left_out.
    SERVICE_METRICS_SERIES_MAX = 1024,
    SERVICE_METRICS_LE_FIRST = 16, // le of the first bucket: 2 to this power, in ns
    SERVICE_METRICS_LE_LAST = 35,
};

typedef struct service_metrics service_metrics;

// service_metrics_create returns NULL if memory ran out.
service_metrics *service_metrics_create(void);
void service_metrics_destroy(service_metrics *metrics);

// service_metrics_add adds a chunk of a recording. sums: its rollup, or NULL. If memory runs out,
// the chunk is counted in service_metrics_left_out.
void service_metrics_add(service_metrics *metrics, const char *service, const char *recording,
    const compact_stats *stats, const rollup *sums);

// service_metrics_write appends all of these metrics to text.
void service_metrics_write(service_metrics *metrics, metrics_format format, lp_buf *text);

// The durations of a type.
typedef struct service_metrics_durations {
    uint64_t zero_count;                // of HISTOGRAM_ZERO
    uint64_t counts[HISTOGRAM_BUCKETS]; // by bucket of histogram.h
    uint64_t sum_ns;
} service_metrics_durations;

// A reader of service_metrics_each. All arguments are lent during the call, which holds the lock.
typedef struct service_metrics_reader {
    void (*on_service)(void *arg, const char *name, const compact_request_reasons *reasons);
    // Of requests, for each type of the service before it.
    void (*on_requests)(void *arg, const char *type, const service_metrics_durations *durations);
    void *arg;
} service_metrics_reader;

// service_metrics_each calls reader for each service. It takes the lock for each.
void service_metrics_each(service_metrics *metrics, const service_metrics_reader *reader);
