// SPDX-License-Identifier: Apache-2.0
// completion: scripts by which shells complete the command line. All that they know of it comes
// from options.def.
//
// An argument whose name begins with FILE or DIR is completed with names of files or directories, a
// choice with its values, other arguments not at all.
//
// Threads: the first thread of the program.
// Tests:   tests/unit/cli/test_completion.c, tests/e2e/cli.py

#ifndef LP_CLI_COMPLETION_H
#define LP_CLI_COMPLETION_H

#include <stddef.h>
#include <stdio.h>

enum { COMPLETION_SHORT_BYTES = 80 }; // of a description, with its NUL

void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

// completion_shorten writes the first clause of the help of an option, cut between two words with
// `...` behind if it is longer than out_text.
void completion_shorten(const char *help, char out_text[COMPLETION_SHORT_BYTES]);

#endif // LP_CLI_COMPLETION_H
