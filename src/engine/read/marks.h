// SPDX-License-Identifier: Apache-2.0
// marks: marks the constants of a kept event.
//
// Marking visits every constant of every kept event. Most events refer to constants that earlier
// events have marked, so the view remembers the constants marked last. Marking an event that
// consists of numbers, texts and references needs no function calls.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/read/test_marks.c
// Memory:  8 KiB for each view.

#pragma once

#include "engine/read/rows.h"

#include <stdbool.h>

// compact_marks_init forgets all remembered constants. Errors: in view->arena
void compact_marks_init(compact_view *view);

// compact_marks_value does the same as jfr_pools_mark_value on the pools of view. The caller must
// not unmark constants between calls.
bool compact_marks_value(compact_view *view, jfr_program program, jfr_cursor *cursor);
