// SPDX-License-Identifier: Apache-2.0

// auto_pin: pins that the collector makes by itself, if the file of a service asks for it
// (policy_keep.h): of the last minutes of a JVM that was killed or crashed (`pin-when crash`), and
// of a service whose requests are slow (latency_watch.h). recall_budget.h limits what they store.
//
// Of a slow service there is one pin in a time (`pin-pause`). Pins are remembered for an hour and
// over restarts (pin_file.h), and so is the pause.
//
// Threads: the loop that owns the sessions.
// Tests:   tests/unit/collector/recall/rule/test_auto_pin.c,
// tests/unit/collector/server/test_server_recall.c

#pragma once

#include "collector/recall/pin/pins.h"
#include "collector/recall/raw/raw_list.h"
#include "collector/recall/rule/latency_watch.h"
#include "collector/recall/rule/recall_budget.h"
#include "collector/store/catalog/catalog.h"
#include "policy/policy_dir.h"

#include <stdint.h>

enum {
    AUTO_PIN_BEFORE_S = 300,     // before the end of the JVM, or before the slow minutes
    AUTO_PIN_AFTER_CRASH_S = 60, // what still waits begins then
    AUTO_PIN_AFTER_SLOW_S = 120, // after the slow minutes
    AUTO_PIN_PAUSE_S = 900,      // without `pin-pause`
    AUTO_PINS_MAX = 64,          // by one rule, of all services at a time: others find room, too
};

// Borrowed. policies may be NULL: then nothing is pinned.
typedef struct auto_pin_to {
    policy_dir *policies;
    pins *pins;
    raw_list *raw;
    recall_budget *budget;
} auto_pin_to;

// auto_pin_crash pins the end of a recording. It may continue after its connection was gone, and
// crash later: that is another pin. Pins over AUTO_PINS_MAX are counted; failures are logged.
void auto_pin_crash(const auto_pin_to *to, const catalog_session *recording);

// auto_pin_slow pins a service that is slow, unless it has a pause. As above.
void auto_pin_slow(const auto_pin_to *to, const latency_finding *found);
