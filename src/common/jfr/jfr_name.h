// SPDX-License-Identifier: Apache-2.0

// jfr_name: names of types that the JDK's reader accepts. It refuses a whole file for one class
// whose name is no Java class name (jdk.internal.module.Checks.isClassName).
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"

#include <stdbool.h>

// jfr_type_name_append writes the Java class name nearest to name: identifiers with dots between
// them. A character that may not stand in one becomes '_'; so do letters beyond ASCII. A part that
// begins with a digit gets a '_' in front, a reserved word one behind, an empty part becomes "__".
// A valid ASCII name stays as it is.
void jfr_type_name_append(lp_buf *out, const char *name);

// jfr_type_name_copy writes the same to out, with a 0 at its end, and cuts what does not fit into
// size bytes, which are 1 at least.
void jfr_type_name_copy(char *out, size_t size, const char *name);

// jfr_field_name_append writes the name of a Java field nearest to name: the same for one
// identifier, with '_' for each dot.
void jfr_field_name_append(lp_buf *out, const char *name);

// jfr_type_name_is_class returns whether name, in valid UTF-8, is a Java class name to JDK 17 and
// JDK 25, as event types need. jfr_type_name_is_read returns whether it is an identifier that may
// contain dots and reserved words, as all other types need. Neither accepts characters beyond
// U+FFFF.
bool jfr_type_name_is_class(const char *name);
bool jfr_type_name_is_read(const char *name);
