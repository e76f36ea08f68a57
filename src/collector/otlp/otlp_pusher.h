// SPDX-License-Identifier: Apache-2.0

// otlp_pusher: sends the metrics of requests and the profiles of committed chunks by OTLP 1.11, on
// a thread of its own, once in each interval.
//
//   metrics    the sums of service_metrics.h, from the start of the process on
//   profiles   for each chunk of chunk_feed.h, the requests that ended in it (otlp_chunk.h)
//
// Nothing waits in memory but the ids of chunks and one export. While the receiver is away, a chunk
// stays in the feed, and metrics are made anew for each try. If an export of a chunk is refused,
// the next one is sent; if the receiver refuses the whole signal, the chunks that wait are left out
// until the next interval. Metrics that are due are sent between two chunks, however many wait.
//
// Threads: start and stop on one thread.
// Tests:   tests/unit/collector/otlp/test_otlp_pusher.c, tests/e2e/pyroscope.py
// Memory:  an export and its compressed form, and what a question takes (run.h)

#pragma once

#include "collector/ask/work/ask_sources.h"
#include "collector/base/chunk_feed.h"
#include "collector/base/service_metrics.h"
#include "collector/otlp/otlp_target.h"
#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    OTLP_END_MS_MAX = 3000, // for what is unsent when the collector ends
    OTLP_TRIES_MAX = 100,   // of an export of a chunk, or to read the chunk
};

typedef struct otlp_pusher otlp_pusher;

// All is borrowed until otlp_pusher_stop.
typedef struct otlp_pusher_config {
    const otlp_target *target;
    uint64_t interval_ms;
    const char *collector; // its address; one string for its whole life
    service_metrics *services;
    chunk_feed *feed;
    const ask_store *store; // has the chunks
} otlp_pusher_config;

// otlp_pusher_start logs what is sent, and where. Errors: LP_ENOMEM, also without a thread
LP_MUST_USE lp_err otlp_pusher_start(const otlp_pusher_config *config, otlp_pusher **out_pusher);

// otlp_pusher_stop sends what is unsent, for OTLP_END_MS_MAX at most, unless the last export
// failed. It counts and logs the rest. NULL is fine.
void otlp_pusher_stop(otlp_pusher *pusher);
