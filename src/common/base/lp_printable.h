// SPDX-License-Identifier: Apache-2.0
// lp_printable: text that came from outside, as a part of a line for a person. Control characters
// become \n, \r, \t or \x1b, so that no name makes a line of its own or speaks to the terminal.
// Those of Latin-1, which are two bytes in UTF-8, are among them: to a terminal U+009B is ESC [.
//
// Threads: a pure function.

#ifndef LP_COMMON_BASE_LP_PRINTABLE_H
#define LP_COMMON_BASE_LP_PRINTABLE_H

#include <stddef.h>

// lp_printable writes what fits of text to out, which has room for size bytes (at least one), with
// a NUL behind it, and gives how many bytes that are without the NUL. Nothing of an escape is
// written that does not fit.
size_t lp_printable(const char *text, char *out, size_t size);

#endif // LP_COMMON_BASE_LP_PRINTABLE_H
