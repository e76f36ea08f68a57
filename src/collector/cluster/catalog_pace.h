// SPDX-License-Identifier: Apache-2.0

// catalog_pace: the share of its time that the loop waits for the catalog's server. If that share
// of the last CATALOG_PACE_MS reaches CATALOG_PACE_PERCENT_MAX, the catalog is behind: agents'
// batches and connections wait until the share falls.
//
// Threads: one at a time; catalog_pace_explain may be called while the loop waits.

#pragma once

#include "collector/store/catalog/catalog_waits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CATALOG_PACE_MS = 10 * 1000,
    CATALOG_PACE_PERCENT_MAX = 80,
    CATALOG_PACE_SAMPLES = 16, // a second apart; the oldest is older than CATALOG_PACE_MS
};

// Zeroed: no samples yet.
typedef struct catalog_pace {
    struct {
        uint64_t mono_ms;
        catalog_waits waits;
    } samples[CATALOG_PACE_SAMPLES]; // a ring
    size_t count;                    // of all samples noted so far
} catalog_pace;

// catalog_pace_note adds a sample. The loop calls it every second.
void catalog_pace_note(catalog_pace *pace, uint64_t mono_ms, const catalog_waits *waits);

// catalog_pace_explain returns whether the catalog is behind, and writes the figures to out_text.
bool catalog_pace_explain(const catalog_pace *pace, uint64_t mono_ms, const catalog_waits *waits,
    char *out_text, size_t text_bytes);
