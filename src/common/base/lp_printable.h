// SPDX-License-Identifier: Apache-2.0
// lp_printable: makes text from outside safe to print as a part of a line. Control characters
// become escapes such as \n or \x1b, so that no name starts a line or controls the terminal.
// Control characters of Latin-1, which are two bytes in UTF-8, are escaped as well: to a terminal
// U+009B is ESC [. Invalid UTF-8 bytes become escapes such as \x9b. Line and paragraph separators
// (U+2028, U+2029) and characters that change the direction of text become escapes such as \u202e.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LP_PRINTABLE_LINE_BYTES = 8192 }; // a path and a message; the rest is cut off

// lp_printable_measure returns the length of the first character of text, which is not empty.
// *out_is_safe says whether it may be printed unchanged; invalid UTF-8 may not.
size_t lp_printable_measure(lp_slice text, bool *out_is_safe);

// lp_printable writes the part of text that fits into size bytes (at least one) with a NUL. Returns
// the length without the NUL. It never splits escapes or characters.
size_t lp_printable(const char *text, char *out, size_t size);

// lp_printable_line writes the formatted text, escaped, and a newline to out.
void lp_printable_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
