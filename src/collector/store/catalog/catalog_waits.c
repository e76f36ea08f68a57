// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_waits.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

// Independent numbers: a reader may see an earlier or a later one.
static atomic_uint_fast64_t waiting;
static atomic_uint_fast64_t round_trips;
static atomic_uint_fast64_t waited_ns;
static atomic_int_fast64_t writer_begin_ns; // of the writer's current wait; 0: none

int64_t
catalog_waits_begin(bool is_writer)
{
    int64_t begin_ns = lp_time_mono_ns();
    atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
    if (is_writer) {
        atomic_store_explicit(&writer_begin_ns, begin_ns, memory_order_relaxed);
    }
    return begin_ns;
}

void
catalog_waits_end(bool is_writer, int64_t begin_ns)
{
    atomic_fetch_sub_explicit(&waiting, 1, memory_order_relaxed);
    if (is_writer) {
        atomic_store_explicit(&writer_begin_ns, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(
            &waited_ns, (uint64_t)(lp_time_mono_ns() - begin_ns), memory_order_relaxed);
    }
}

void
catalog_waits_count(void)
{
    atomic_fetch_add_explicit(&round_trips, 1, memory_order_relaxed);
}

catalog_waits
catalog_waits_get(void)
{
    int64_t begin_ns = atomic_load_explicit(&writer_begin_ns, memory_order_relaxed);
    int64_t since_ns = begin_ns == 0 ? 0 : lp_time_mono_ns() - begin_ns;
    return (catalog_waits){
        .waiting = atomic_load_explicit(&waiting, memory_order_relaxed),
        .round_trips = atomic_load_explicit(&round_trips, memory_order_relaxed),
        .waited_ns = atomic_load_explicit(&waited_ns, memory_order_relaxed) + (uint64_t)since_ns,
    };
}

void
catalog_waits_note(catalog_waits_pace *self, uint64_t mono_ms, const catalog_waits *waits)
{
    size_t at = self->count++ % CATALOG_WAITS_SAMPLES;
    self->samples[at].mono_ms = mono_ms;
    self->samples[at].waits = *waits;
}

bool
catalog_waits_explain(const catalog_waits_pace *self, uint64_t mono_ms, const catalog_waits *waits,
    char *out_text, size_t text_bytes)
{
    LP_ASSERT(text_bytes > 0);
    // The newest sample that is old enough.
    size_t kept = self->count < CATALOG_WAITS_SAMPLES ? self->count : CATALOG_WAITS_SAMPLES;
    for (size_t i = 0; i < kept; i++) {
        size_t at = (self->count - 1 - i) % CATALOG_WAITS_SAMPLES;
        uint64_t span_ms = mono_ms - self->samples[at].mono_ms;
        if (span_ms < CATALOG_WAITS_MS) {
            continue;
        }
        const catalog_waits *then = &self->samples[at].waits;
        uint64_t waited_ms = (waits->waited_ns - then->waited_ns) / 1000000;
        uint64_t trips = waits->round_trips - then->round_trips;
        (void)snprintf(out_text, text_bytes,
            "the catalog is behind: the collector waited for it for %.1f s of the last %.1f s, "
            "%" PRIu64 " ms for an answer",
            (double)waited_ms / 1000, (double)span_ms / 1000, waited_ms / (trips > 0 ? trips : 1));
        return waited_ms * 100 >= span_ms * CATALOG_WAITS_PERCENT_MAX;
    }
    return false;
}
