// SPDX-License-Identifier: Apache-2.0
// settings: the policy's settings as events of the type jdk.ActiveSetting, in which JFR writes its
// own settings into each chunk.
//
// One event of the type jdk.ActiveSetting itself, of the name `policy`, tells which policy decided
// the chunk, by its path. There is one event for each event type that the chunk describes and each
// setting of Loupe's that the policy has for it (policy_each_own). The other settings are in JFR's
// own events. Where Loupe does the work of `throttle`, JFR's event has `off`, and there is an event
// of either. Of the types of contexts of the Loupe API that the chunk has events of, it is
// context-index alone: by that ids are found in what is stored. Those of requests are there where
// the chunk has requests.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_settings.c

#ifndef LP_ENGINE_WRITE_SETTINGS_H
#define LP_ENGINE_WRITE_SETTINGS_H

#include "engine/write/context_events.h"
#include "engine/write/request_events.h"
#include "engine/write/writer.h"

#include <stdint.h>

// compact_settings_append writes the events and marks the types that they need in view->keeps.
// There are none in a chunk that does not describe their type, or if the policy disables that type.
void compact_settings_append(compact_writer *w, const compact_context_events *contexts,
    const compact_request_events *requests, int64_t start_ticks);

#endif // LP_ENGINE_WRITE_SETTINGS_H
