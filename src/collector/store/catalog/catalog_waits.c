// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_waits.h"

#include "common/base/lp_time.h"

#include <stdatomic.h>

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
