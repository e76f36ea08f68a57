// SPDX-License-Identifier: Apache-2.0

// jfr_name: names of types that the JDK's reader accepts. That reader refuses a whole file for a
// single class whose name is not a Java class name (jdk.internal.module.Checks.isClassName).
//
// Threads: any thread.

#pragma once

#include "common/base/lp_buf.h"

#include <stdbool.h>

// jfr_type_name_append writes the Java class name nearest to name: identifiers with dots between
// them. A character that an identifier may not have becomes '_', and so does each letter beyond
// ASCII. A part that begins with a digit gets a '_' in front, a reserved word one behind, an empty
// part becomes "__". A valid ASCII name stays as it is.
void jfr_type_name_append(lp_buf *out, const char *name);

// jfr_type_name_copy writes the same to out, with a 0 at its end, and cuts the name to size bytes.
// size is at least 1.
void jfr_type_name_copy(char *out, size_t size, const char *name);

// jfr_field_name_append writes the name of a Java field nearest to name: an identifier, with '_'
// for each dot.
void jfr_field_name_append(lp_buf *out, const char *name);

// jfr_type_name_is_class returns whether JDK 17 and JDK 25 accept name, in valid UTF-8, as a Java
// class name: event types need one. jfr_type_name_is_read returns whether they accept name for any
// other type: an identifier that may contain dots and reserved words. Neither accepts characters
// beyond U+FFFF.
bool jfr_type_name_is_class(const char *name);
bool jfr_type_name_is_read(const char *name);
