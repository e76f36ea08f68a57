// SPDX-License-Identifier: Apache-2.0
// traced: the time categories of traced methods (jdk.MethodTrace), which time_category.h knows by
// name.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/unit/engine/job/test_rollup_make.c

#pragma once

#include "common/rollup/time_category.h"
#include "engine/read/methods.h"

typedef struct compact_traced {
    compact_methods_field method; // in an event; JFR_NONE: none, and every category is TIME_OTHER
    compact_methods methods;
} compact_traced;

// compact_traced_find finds the field with this name, which has the traced method; NULL: none has.
compact_traced compact_traced_find(
    const compact_view *view, uint32_t type, const char *name_or_null);

// compact_traced_category returns the category of an event whose fields begin at payload. text is
// scratch, and fails if memory runs out.
time_category compact_traced_category(
    const compact_view *view, const compact_traced *traced, jfr_cursor payload, lp_buf *text);
