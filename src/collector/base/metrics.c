// SPDX-License-Identifier: Apache-2.0

#include "collector/base/metrics.h"

#include "common/base/lp_assert.h"

#include <stdatomic.h>

#define NAME_COUNTER(id) "loupe_" #id "_total"
#define NAME_GAUGE(id)   "loupe_" #id

static const metrics_info infos[METRICS_COUNT] = {
#define LOUPE_METRIC(kind, id, help) [METRICS_##id] = {METRICS_##kind, NAME_##kind(id), "", help},
#define LOUPE_METRIC_OF(kind, family, id, label, help)                                             \
    [METRICS_##family##_##id] = {METRICS_##kind, NAME_##kind(family), label, help},
#include "collector/base/collector_metrics.def"
#undef LOUPE_METRIC
#undef LOUPE_METRIC_OF
};

// Relaxed everywhere: a metric orders nothing.
static _Atomic uint64_t values[METRICS_COUNT];

const metrics_info *
metrics_describe(metrics_id id)
{
    LP_ASSERT(id < METRICS_COUNT);
    return &infos[id];
}

void
metrics_add(metrics_id id, uint64_t amount)
{
    LP_ASSERT(id < METRICS_COUNT);
    atomic_fetch_add_explicit(&values[id], amount, memory_order_relaxed);
}

void
metrics_sub(metrics_id id, uint64_t amount)
{
    LP_ASSERT(id < METRICS_COUNT);
    atomic_fetch_sub_explicit(&values[id], amount, memory_order_relaxed);
}

uint64_t
metrics_get(metrics_id id)
{
    LP_ASSERT(id < METRICS_COUNT);
    return atomic_load_explicit(&values[id], memory_order_relaxed);
}
