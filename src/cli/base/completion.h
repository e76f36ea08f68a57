// SPDX-License-Identifier: Apache-2.0
// completion: shell scripts that complete the command line. They are made from options.def.
//
// Shells complete an argument FILE or DIR with names of files or directories, a choice with its
// values, and other arguments not at all. options.def says how they complete operands.
//
// Threads: the first thread of the program.
// Tests:   tests/unit/cli/base/test_completion.c, tests/e2e/cli.py

#pragma once

#include <stdio.h>

enum { COMPLETION_SHORT_BYTES = 80 }; // of a description, with its NUL

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

// completion_shorten writes the first clause of the help of an option. A clause longer than
// out_text is cut between two words and ends in `...`.
void completion_shorten(const char *help, char out_text[COMPLETION_SHORT_BYTES]);
