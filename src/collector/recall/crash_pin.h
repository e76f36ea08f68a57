// SPDX-License-Identifier: Apache-2.0

// crash_pin: pins the last minutes of a JVM that was killed or crashed, if the file of its service
// says `pin-when crash` (policy_keep.h).
//
// Threads: the loop that owns the catalog.
// Tests:   tests/unit/collector/server/test_server_recall.c

#pragma once

#include "collector/recall/pins.h"
#include "collector/recall/raw_list.h"
#include "collector/store/catalog/catalog.h"
#include "policy/policy_dir.h"

#include <stdint.h>

enum {
    CRASH_PIN_BEFORE_S = 300, // of what is compacted when the end is noticed
    CRASH_PIN_AFTER_S = 60,   // what still waits begins then
    CRASH_PINS_MAX = 32, // at a time, so that a service that crashes again and again leaves room
};

// Begins the key of such a pin. The id of the recording and its end follow: it may continue after
// its connection was gone, and crash later.
#define CRASH_PIN_KEY "crash "

// Borrowed. policies may be NULL: then nothing is pinned.
typedef struct crash_pin_to {
    policy_dir *policies;
    pins *pins;
    raw_list *raw;
    catalog *catalog;
} crash_pin_to;

// crash_pin_add pins the end of a recording. Failures, and pins over CRASH_PINS_MAX, are logged.
void crash_pin_add(const crash_pin_to *to, const catalog_session *recording);
