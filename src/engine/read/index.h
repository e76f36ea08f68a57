// SPDX-License-Identifier: Apache-2.0
// index: the pass over the events of a chunk, which makes the rows of its view.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/test_damage.c, tests/fuzz/fuzz_events.c

#ifndef LP_ENGINE_READ_INDEX_H
#define LP_ENGINE_READ_INDEX_H

#include "common/jfr/jfr_event.h"
#include "engine/read/rows.h"

typedef LP_VEC(jfr_event) compact_events;

// The metadata events and the checkpoints of a chunk, in the order in which they have to be read.
typedef struct compact_described {
    compact_events metadata;
    compact_events checkpoints;
} compact_described;

// Which of the described events a pass has met.
typedef struct compact_meeting {
    const compact_described *expected;
    size_t counts[2]; // how many events of the built-in types it has met, by type id
} compact_meeting;

// compact_index_meets counts an event of a built-in type, and returns whether it is the next one
// of its type that was expected.
bool compact_index_meets(compact_meeting *meeting, const jfr_event *event);

// compact_index_events fills the tables of view, whose schema, pools and threads are there, and
// marks the constants of the events that are kept at once. Events that do not fit their types are
// noted in view->damage. Where memory runs out, view->arena fails. Returns false, and the rows are
// of no use, if may_give_up and the chunk has metadata events or checkpoints that are not in
// expected; without may_give_up these are ignored.
bool compact_index_events(compact_view *view, const compact_described *expected, bool may_give_up);

// compact_index_contexts is compact_index_events for contextual events alone, and marks nothing: of
// those that matter, are on a thread and begin before a time it makes rows in view->spans, all of
// them undecided.
bool compact_index_contexts(
    compact_view *view, const compact_described *expected, bool may_give_up, int64_t before);

// compact_index_mark marks everything that an event that is kept needs: its type, the constants
// that it refers to, and the event type that it names, if it names one (jdk.ActiveSetting; JMC
// looks it up). payload begins behind the event's type id. Returns false, with nothing marked, if
// the event does not fit its type.
bool compact_index_mark(compact_view *view, uint32_t type, jfr_cursor payload);

// compact_index_note_misfit counts an event that does not fit its type as dropped, and notes in
// view->damage that it is left out.
void compact_index_note_misfit(compact_view *view, uint32_t type, lp_slice event);

#endif // LP_ENGINE_READ_INDEX_H
