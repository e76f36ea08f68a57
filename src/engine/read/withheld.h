// SPDX-License-Identifier: Apache-2.0
// withheld: how many events a JVM has not recorded, as they were outside of all contexts and the
// policy wants them in contexts only.
//
// The agent says so with an event dev.loupe.Withheld for each type and chunk. The numbers count as
// events that the chunk had and that were dropped, and the events themselves as if they were not
// there.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_withheld.c

#ifndef LP_ENGINE_READ_WITHHELD_H
#define LP_ENGINE_READ_WITHHELD_H

#include "common/jfr/jfr_event.h"
#include "engine/read/rows.h"

// compact_withheld_plan sets the plan up to read events of a type, if it is that one.
void compact_withheld_plan(const compact_schema *schema, uint32_t type, compact_plan *plan);

// compact_withheld_take adds the number of an event, which was counted as one of its own type, to
// the type that it names. Returns false if the event does not fit its type, or names none.
bool compact_withheld_take(compact_view *view, uint32_t type, const jfr_event *event);

#endif // LP_ENGINE_READ_WITHHELD_H
