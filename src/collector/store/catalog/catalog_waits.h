// SPDX-License-Identifier: Apache-2.0
// catalog_waits: counts how often and how long this process waits for the catalog's server. The
// waits of writers are counted separately, because they block the collector's loop: if it spent
// CATALOG_WAITS_PERCENT_MAX of the last CATALOG_WAITS_MS with them, the catalog is behind, and
// agents' batches and connections wait until the share falls.
//
// Threads: any thread, wait-free; a catalog_waits_pace: one at a time.
// Tests:   tests/unit/collector/store/catalog/test_catalog_waits.c

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CATALOG_WAITS_MS = 10 * 1000,
    CATALOG_WAITS_PERCENT_MAX = 80,
    CATALOG_WAITS_SAMPLES = 16, // a second apart; the oldest is older than CATALOG_WAITS_MS
};

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

// What the loop waited, second by second. Zeroed: no samples yet.
typedef struct catalog_waits_pace {
    struct {
        uint64_t mono_ms;
        catalog_waits waits;
    } samples[CATALOG_WAITS_SAMPLES]; // a ring
    size_t count;                     // of all samples noted so far
} catalog_waits_pace;

// catalog_waits_note adds a sample. The loop calls it every second.
void catalog_waits_note(catalog_waits_pace *pace, uint64_t mono_ms, const catalog_waits *waits);

// catalog_waits_explain returns whether the catalog is behind, and writes the figures to out_text.
// It may be called while the loop waits.
bool catalog_waits_explain(const catalog_waits_pace *pace, uint64_t mono_ms,
    const catalog_waits *waits, char *out_text, size_t text_bytes);
