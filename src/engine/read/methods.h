// SPDX-License-Identifier: Apache-2.0
// methods: the names of a chunk's method constants, and the time categories of traced methods
// (jdk.MethodTrace), which time_category.h knows by name.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/unit/engine/job/rollup/test_rollup_make.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/rollup/time_category.h"
#include "engine/read/view.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct compact_methods_field {
    uint32_t type;      // of its constants; JFR_NONE: no such field
    jfr_program before; // skips the fields before it
} compact_methods_field;

typedef struct compact_methods {
    uint32_t type;               // of methods
    compact_methods_field class; // in a method
    compact_methods_field name;
    compact_methods_field class_name; // in a class
    bool is_whole;                    // the metadata describes methods as JVMs do
} compact_methods;

// compact_methods_field_of returns the field of a type that has this name and holds a constant.
compact_methods_field compact_methods_field_of(
    const compact_view *view, uint32_t type, const char *name);

// compact_methods_find returns in which fields the constants of a method type have their names.
compact_methods compact_methods_find(const compact_view *view, uint32_t type);

// The next two functions append the class name (with dots between packages) or the method name of
// the constant at index. They append nothing if methods->is_whole is false, or the chunk lacks the
// name.
void compact_methods_append_class(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out);
void compact_methods_append_name(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out);

// --- Traced methods

typedef struct compact_traced {
    compact_methods_field method; // in an event; JFR_NONE: none, and every category is TIME_OTHER
    compact_methods methods;
} compact_traced;

// compact_traced_find finds the field of a type that holds the traced method. name_or_null is the
// name of the field; NULL: the type has no such field.
compact_traced compact_traced_find(
    const compact_view *view, uint32_t type, const char *name_or_null);

// compact_traced_category returns the category of an event whose fields start at payload. text is
// scratch; it fails if memory runs out.
time_category compact_traced_category(
    const compact_view *view, const compact_traced *traced, jfr_cursor payload, lp_buf *text);
