// SPDX-License-Identifier: Apache-2.0
// withheld: the number of events that a JVM has not recorded: they were outside of all contexts,
// and the policy wants them in contexts only.
//
// The agent reports the number with an event dev.loupe.Withheld for each type and chunk. The
// withheld events count as dropped events of the chunk. The events dev.loupe.Withheld do not count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_withheld.c

#ifndef LP_ENGINE_READ_WITHHELD_H
#define LP_ENGINE_READ_WITHHELD_H

#include "common/jfr/jfr_event.h"
#include "engine/read/rows.h"

// compact_withheld_plan sets the plan up to read events of a type, if it is that one.
void compact_withheld_plan(const compact_schema *schema, uint32_t type, compact_plan *plan);

// compact_withheld_take adds the number in an event, which was counted as an event of its own type,
// to the type that it names. Returns false if the event does not fit its type, or names no type.
bool compact_withheld_take(compact_view *view, uint32_t type, const jfr_event *event);

#endif // LP_ENGINE_READ_WITHHELD_H
