// SPDX-License-Identifier: Apache-2.0
// marks: marks the constants of a kept event.
//
// Every kept event is walked. Most refer to constants that earlier events have marked, so the last
// marked constants are remembered, and events of numbers, texts and references alone are walked
// without calls.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_marks.c
// Memory:  8 KiB for each view.

#pragma once

#include "engine/read/rows.h"

#include <stdbool.h>

// compact_marks_init forgets all. Errors: in view->arena
void compact_marks_init(compact_view *view);

// compact_marks_value is jfr_pools_mark_value for the pools of view. No constant may be unmarked
// meanwhile.
bool compact_marks_value(compact_view *view, jfr_program program, jfr_cursor *cursor);
