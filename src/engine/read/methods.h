// SPDX-License-Identifier: Apache-2.0
// methods: the names of the methods that a chunk has as constants.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c

#ifndef LP_ENGINE_READ_METHODS_H
#define LP_ENGINE_READ_METHODS_H

#include "common/base/lp_buf.h"
#include "engine/read/view.h"

#include <stdbool.h>
#include <stdint.h>

// A field that is a constant.
typedef struct compact_methods_field {
    uint32_t type;      // of the constants; JFR_NONE: there is no such field
    jfr_program before; // reads the fields before it
} compact_methods_field;

typedef struct compact_methods {
    uint32_t type;               // of methods
    compact_methods_field class; // in a method
    compact_methods_field name;
    compact_methods_field class_name; // in a class
    bool is_whole;                    // the chunk describes methods as JVMs do
} compact_methods;

// compact_methods_field_of returns where a type has the constant with this name.
compact_methods_field compact_methods_field_of(
    const compact_view *view, uint32_t type, const char *name);

// compact_methods_find returns where constants of a type have their names, if they are methods.
compact_methods compact_methods_find(const compact_view *view, uint32_t type);

// These append the name of the class, with dots between packages, and that of the method to out, of
// the constant with an index; nothing if methods are not whole, or the chunk does not have the
// name.
void compact_methods_append_class(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out);
void compact_methods_append_name(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out);

#endif // LP_ENGINE_READ_METHODS_H
