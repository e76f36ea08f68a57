// SPDX-License-Identifier: Apache-2.0
// withheld: counts events that a JVM did not record because they were outside of all contexts and
// the policy wants them inside of one.
//
// The agent reports their number with an event dev.loupe.Withheld for each type and chunk. They
// count as dropped events of the chunk; the events dev.loupe.Withheld do not count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_withheld.c

#ifndef LP_ENGINE_READ_WITHHELD_H
#define LP_ENGINE_READ_WITHHELD_H

#include "common/jfr/jfr_event.h"
#include "engine/read/rows.h"

// compact_withheld_take moves the count of an event, already counted as one of its own type, to the
// type that it names. Returns false if the event does not fit its type or names no event type.
bool compact_withheld_take(compact_view *view, uint32_t type, const jfr_event *event);

#endif // LP_ENGINE_READ_WITHHELD_H
