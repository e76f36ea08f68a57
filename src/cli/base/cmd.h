// SPDX-License-Identifier: Apache-2.0

// cmd: the subcommands of `loupe`, as listed in options.def. Each takes its options, which are read
// and valid one by one, and returns the exit code.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/cli.py

#pragma once

#include "cli/base/options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum cmd_exit {
    CMD_DONE = 0,
    CMD_FAILED = 1, // the reason is on standard error, in one line
    CMD_USAGE = 2,  // wrong usage
    CMD_STUCK = 3,  // `loupe collect` did not end in time after a signal: see end_watch.h
} cmd_exit;

// cmd_parse reads the options of a command, and refuses operands if it has none in options.def.
// Returns -1, or the exit code after printing the help or a usage error.
int cmd_parse(options_command command, int argc, char **argv, options *out);

// cmd_refuse prints a usage error (a line without a full stop) and the usage of the command on
// standard error. Returns CMD_USAGE.
int cmd_refuse(const options *opts, const char *format, ...) __attribute__((format(printf, 2, 3)));

// cmd_refuse_overwriting prints that the output is also an input. Returns CMD_USAGE.
int cmd_refuse_overwriting(const char *program, const char *output);

// cmd_complain prints the problem of a file on standard error, in one line.
void cmd_complain(const char *program, const char *file, const lp_problem *problem);

// cmd_print_json prints json, which it takes, indented. Returns false if memory or out's disk ran
// out; json may be NULL.
bool cmd_print_json(FILE *out, json_t *json);

// cmd_end flushes standard output and returns the exit code; it prints the reason of a failure.
// is_printed is false if memory or the output's disk ran out.
int cmd_end(const char *program, bool is_printed);

// cmd_hide_files makes the process create files that only its user and group can open, or fewer if
// the umask says so. Call it before there are threads.
void cmd_hide_files(void);

#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) int cmd_##name(const options *opts);
#include "cli/base/options.def"
