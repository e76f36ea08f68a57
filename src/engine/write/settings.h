// SPDX-License-Identifier: Apache-2.0
// settings: writes the policy's settings as jdk.ActiveSetting events, as JFR writes its own into
// each chunk.
//
// The events are:
//   the setting `policy` of jdk.ActiveSetting itself: the path of the policy
//   each setting of Loupe's (policy_each_own) for each event type of the chunk
//   context-index for the types of API contexts that have events: it makes stored ids searchable
//   the settings of requests, if the chunk has requests
// JFR's own events have the other settings. If Loupe throttles a type, JFR's event says `off`, and
// another has Loupe's value.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_settings.c

#pragma once

#include "engine/write/context_events.h"
#include "engine/write/request_events.h"
#include "engine/write/writer.h"

#include <stdint.h>

// compact_settings_append writes the events and marks their types in view->keeps. It writes none if
// the chunk does not describe jdk.ActiveSetting, or the policy disables it.
void compact_settings_append(compact_writer *w, const compact_context_events *contexts,
    const compact_request_events *requests, int64_t start_ticks);
