// SPDX-License-Identifier: Apache-2.0
// lp_printable: text that came from outside, as a part of a line for a person. Control characters
// become \n, \r, \t or \x1b, so that no name makes a line of its own or speaks to the terminal.
// Those of Latin-1, which are two bytes in UTF-8, are among them: to a terminal U+009B is ESC [.
// Bytes that are no part of UTF-8 become \x9b, too: to a terminal of 8 bits that is the same.
// Ends of lines and paragraphs (U+2028, U+2029) and all that changes the direction of text, which
// would make a line read as another, become \u202e.
//
// Threads: any thread.
// Tests:   tests/unit/common/base/test_lp_base.c

#ifndef LP_COMMON_BASE_LP_PRINTABLE_H
#define LP_COMMON_BASE_LP_PRINTABLE_H

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { LP_PRINTABLE_LINE_BYTES = 8192 }; // a path and a message; the rest is cut off

// lp_printable_measure returns how many bytes the first character of text has, which is not empty,
// and in *out_is_safe whether it may stand in a line as it is. A byte that is no UTF-8 may not.
size_t lp_printable_measure(lp_slice text, bool *out_is_safe);

// lp_printable writes as much of text as fits to out, which has room for size bytes (at least one),
// with a NUL behind it, and returns how many bytes that are without the NUL. Escapes and characters
// are written whole or not at all.
size_t lp_printable(const char *text, char *out, size_t size);

// lp_printable_line writes a line to out: what format makes, as lp_printable has it, and its end.
void lp_printable_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif // LP_COMMON_BASE_LP_PRINTABLE_H
