// SPDX-License-Identifier: Apache-2.0
// traced: events whose type alone does not say what the thread does in them: the JVM traced a
// method (jdk.MethodTrace), and time_category.h knows the category by the method's name.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/unit/engine/job/test_rollup_make.c

#ifndef LP_ENGINE_READ_TRACED_H
#define LP_ENGINE_READ_TRACED_H

#include "common/rollup/time_category.h"
#include "engine/read/methods.h"

typedef struct compact_traced {
    compact_methods_field method; // in an event; JFR_NONE: not there, and no category is known
    compact_methods methods;
} compact_traced;

// compact_traced_find returns where events of a type have the method that was traced: in a field
// with a name, NULL if in none.
compact_traced compact_traced_find(
    const compact_view *view, uint32_t type, const char *name_or_null);

// compact_traced_category returns the category of an event whose fields begin at payload;
// TIME_OTHER if its method has none. text is room for the name; where memory runs out, it fails.
time_category compact_traced_category(
    const compact_view *view, const compact_traced *traced, jfr_cursor payload, lp_buf *text);

#endif // LP_ENGINE_READ_TRACED_H
