// SPDX-License-Identifier: Apache-2.0
// settings: what the policy says, as events of the type jdk.ActiveSetting, in which JFR
// says with each chunk what its own settings are.
//
// There is one event for each event type that the chunk describes and each setting of Loupe's that
// the policy has for it (policy_each_own). JFR's own events tell the rest. Where `throttle` is
// Loupe's work, JFR says `off`, and there is an event of either.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_WRITE_SETTINGS_H
#define LP_ENGINE_WRITE_SETTINGS_H

#include "common/base/lp_buf.h"
#include "engine/read/view.h"

#include <stdint.h>

// compact_settings_append writes the events and says in view->keeps which types they need. There
// are none in a chunk that does not describe their type, and where the policy disables that.
void compact_settings_append(
    compact_view *view, const policy *rules, int64_t start_ticks, lp_buf *out);

#endif // LP_ENGINE_WRITE_SETTINGS_H
