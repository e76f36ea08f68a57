// SPDX-License-Identifier: Apache-2.0
// index: reads the events of a chunk once and makes the rows of its view.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/test_damage.c, tests/fuzz/fuzz_events.c

#pragma once

#include "common/jfr/jfr_event.h"
#include "engine/read/rows.h"

typedef LP_VEC(jfr_event) compact_events;

// The metadata events and checkpoints of a chunk, in the order in which to read them.
typedef struct compact_described {
    compact_events metadata;
    compact_events checkpoints;
} compact_described;

typedef struct compact_meeting {
    const compact_described *expected;
    size_t counts[2]; // met events by type id: metadata, checkpoints
} compact_meeting;

// compact_index_meets counts a metadata event or checkpoint. Returns whether it is the next
// expected one of its type.
bool compact_index_meets(compact_meeting *meeting, const jfr_event *event);

// compact_index_events fills the tables of view, which has a schema, pools and threads. It marks
// the constants of the events that are kept at once (view.h). Events that do not fit their types
// become damage. If may_give_up, it returns false at the first metadata event or checkpoint that is
// not the next expected one; the rows are then useless. Errors: in view->arena
bool compact_index_events(compact_view *view, const compact_described *expected, bool may_give_up);

// compact_index_contexts makes rows in view->spans of the contextual events that matter, have a
// thread and begin before the time `before` (ticks). The rows are undecided, and no constants are
// marked. It returns false under the same condition as compact_index_events. Errors: in view->arena
bool compact_index_contexts(
    compact_view *view, const compact_described *expected, bool may_give_up, int64_t before);

// compact_index_mark marks the type of a kept event, its constants, and the event type that it
// refers to (jdk.ActiveSetting refers to one; JMC looks it up). payload starts after the type id.
// Returns false, and marks nothing, if the event does not fit its type.
bool compact_index_mark(compact_view *view, uint32_t type, jfr_cursor payload);

// compact_index_note_misfit counts an event that does not fit its type as dropped, and notes the
// damage.
void compact_index_note_misfit(compact_view *view, uint32_t type, lp_slice event);
