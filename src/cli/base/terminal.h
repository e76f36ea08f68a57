// SPDX-License-Identifier: Apache-2.0
// terminal: the width of a terminal, headings in bold, bars in colour, columns of names, and names
// that are cut in the middle to fit. In output to a file or another program nothing is cut, bold or
// coloured.
//
// COLUMNS overrides the width of the terminal. With NO_COLOR, or TERM=dumb, nothing is bold
// or coloured.
//
// Threads: the first thread of the program.
// Tests:   tests/unit/cli/base/test_terminal.c

#pragma once

#include <stddef.h>
#include <stdio.h>

// terminal_columns returns how many characters a line of out has; 0 if out is no terminal, or its
// width is unknown.
size_t terminal_columns(FILE *out);

// terminal_rest returns how many characters a line of out has behind its first `used` ones, but at
// least the width of a short name; 0 if terminal_columns returns 0.
size_t terminal_rest(FILE *out, size_t used);

// terminal_begin_heading switches bold on, terminal_end_heading switches it off.
void terminal_begin_heading(FILE *out);
void terminal_end_heading(FILE *out);

enum {
    TERMINAL_BAR_COLUMNS = 10,
    TERMINAL_BAR_BYTES = 3 * TERMINAL_BAR_COLUMNS + 1, // with its NUL
};

// terminal_bar writes a bar for a share from 0 to 1, to an eighth of a character, and blanks behind
// it: TERMINAL_BAR_COLUMNS characters in all.
void terminal_bar(double share, char out_bar[TERMINAL_BAR_BYTES]);

// terminal_print_bar prints such a bar, in colour.
void terminal_print_bar(FILE *out, double share);

// The functions below take printable texts (lp_printable) and count a column for each character.

// terminal_width returns how many characters a text has.
size_t terminal_width(const char *text);

// terminal_fit copies a text to out, which has room for size bytes (at least one). If the text has
// more characters than columns, an ellipsis replaces its middle. columns is 0 for no limit.
// Characters that do not fit into size are left out whole.
void terminal_fit(const char *text, size_t columns, char *out, size_t size);

// terminal_pad prints a text, and blanks behind it up to this many columns.
void terminal_pad(FILE *out, const char *text, size_t columns);
