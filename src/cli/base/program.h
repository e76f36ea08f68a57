// SPDX-License-Identifier: Apache-2.0

// program: the beginning of a program: finds the command in its arguments and runs it. There are
// two programs: main.c has the commands that read files, whole.c has all commands.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/cli.py

#pragma once

#include "cli/base/cmd.h"

// The function of each command, by options_command; NULL: another program has the command.
typedef int (*const program_runs[OPTIONS_program])(const options *opts);

// program_main returns the exit code of the command in argv. on_missing, which gets the unchanged
// argv, runs a command that runs lacks; NULL if runs has all commands.
int program_main(int argc, char **argv, program_runs runs, int (*on_missing)(char **argv));
