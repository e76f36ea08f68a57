// SPDX-License-Identifier: Apache-2.0
// settings: the policy's settings as events of the type jdk.ActiveSetting, in which JFR writes its
// own settings into each chunk.
//
// There is one event for each event type that the chunk describes and each setting of Loupe's that
// the policy has for it (policy_each_own). The other settings are in JFR's own events. Where Loupe
// does the work of `throttle`, JFR's event has `off`, and there is an event of either.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_SETTINGS_H
#define LP_ENGINE_WRITE_SETTINGS_H

#include "common/base/lp_buf.h"
#include "engine/read/view.h"

#include <stdint.h>

// compact_settings_append writes the events and marks the types that they need in view->keeps.
// There are none in a chunk that does not describe their type, or if the policy disables that type.
void compact_settings_append(
    compact_view *view, const policy *rules, int64_t start_ticks, lp_buf *out);

#endif // LP_ENGINE_WRITE_SETTINGS_H
