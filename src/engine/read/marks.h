// SPDX-License-Identifier: Apache-2.0
// marks: marking the constants of an event that is kept.
//
// Every kept event is walked for this, and most refer to constants that events before them have
// marked. So the constants that were marked last are remembered, and an event of numbers, texts and
// references alone, as most are, is walked without a call for any of them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_marks.c
// Memory:  8 KiB for each view.

#ifndef LP_ENGINE_READ_MARKS_H
#define LP_ENGINE_READ_MARKS_H

#include "engine/read/rows.h"

#include <stdbool.h>

// compact_marks_init remembers nothing. Where memory runs out, view->arena fails.
void compact_marks_init(compact_view *view);

// compact_marks_value is jfr_pools_mark_value for the pools of view, with the same marks. Nobody
// may unmark a constant in between.
bool compact_marks_value(compact_view *view, jfr_program program, jfr_cursor *cursor);

#endif // LP_ENGINE_READ_MARKS_H
