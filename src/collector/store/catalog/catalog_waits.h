// SPDX-License-Identifier: Apache-2.0
// catalog_waits: counts how often and how long this process waits for the catalog's server. The
// waits of writers are counted separately, because they block the collector's loop.
//
// Threads: any thread, wait-free.
// Tests:   tests/unit/collector/store/catalog/test_catalog_waits.c

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct catalog_waits {
    uint64_t waiting;     // calls that wait now, readers' included
    uint64_t round_trips; // of writers
    uint64_t waited_ns;   // by writers in total, up to now
} catalog_waits;

// catalog_waits_begin and catalog_waits_end enclose a wait. Pass the result of catalog_waits_begin
// as begin_ns.
int64_t catalog_waits_begin(bool is_writer);
void catalog_waits_end(bool is_writer, int64_t begin_ns);

// catalog_waits_count counts a round trip of a writer.
void catalog_waits_count(void);

catalog_waits catalog_waits_get(void);
