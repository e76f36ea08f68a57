// SPDX-License-Identifier: Apache-2.0
// catalog_waits: how often, and for how long, this process waits for a catalog's server. Writers,
// of which a collector has one, are counted apart: its loop stands still meanwhile.
//
// Threads: any thread, wait-free.
// Tests:   tests/unit/collector/store/catalog/test_catalog_waits.c

#ifndef LP_COLLECTOR_STORE_CATALOG_WAITS_H
#define LP_COLLECTOR_STORE_CATALOG_WAITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct catalog_waits {
    uint64_t waiting;     // calls that wait now, those of readers included
    uint64_t round_trips; // of writers: to the server and back
    uint64_t waited_ns;   // by writers in all, up to now
} catalog_waits;

// catalog_waits_begin and catalog_waits_end enclose the time in which a call waits.
// catalog_waits_begin returns the time of the monotonic clock, which catalog_waits_end needs.
int64_t catalog_waits_begin(bool is_writer);
void catalog_waits_end(bool is_writer, int64_t begin_ns);

// catalog_waits_count counts a round trip of a writer's.
void catalog_waits_count(void);

catalog_waits catalog_waits_get(void);

#endif // LP_COLLECTOR_STORE_CATALOG_WAITS_H
