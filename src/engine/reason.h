// SPDX-License-Identifier: Apache-2.0
// reason: why an event is not in the output: a setting dropped it, or it could not be read or
// written.
//
// Threads: any thread.
// Tests:   tests/unit/engine/write/test_account.c

#pragma once

#include <stdint.h>

typedef enum compact_reason {
#define COMPACT_REASON(id, name, field, label) COMPACT_BY_##id,
#include "engine/reasons.def"
    COMPACT_REASON_COUNT,
} compact_reason;

// How many events were dropped, by reason.
typedef struct compact_dropped {
    uint64_t by[COMPACT_REASON_COUNT];
} compact_dropped;

// Returns the name of a reason in JSON and metrics.
const char *compact_reason_name(compact_reason reason);

// Returns the name of a reason's field in the event dev.loupe.Accounting.
const char *compact_reason_field(compact_reason reason);

uint64_t compact_dropped_sum(const compact_dropped *dropped);
void compact_dropped_add(compact_dropped *total, const compact_dropped *dropped);
