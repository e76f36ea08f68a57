// SPDX-License-Identifier: Apache-2.0

// cmd: the subcommands of `loupe`, as listed in options.def. Each takes its options and returns the
// exit code. Each option is valid by itself; the command checks whether the options fit together.
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

// cmd_parse reads the options of a command. It refuses operands if the command has none in
// options.def. Returns -1, or the exit code after printing the help or a usage error.
int cmd_parse(options_command command, int argc, char **argv, options *out);

// cmd_refuse prints a usage error (a line without a full stop) and the usage of the command on
// standard error. Returns CMD_USAGE.
int cmd_refuse(const options *opts, const char *format, ...) __attribute__((format(printf, 2, 3)));

// cmd_refuse_overwriting prints that the output is also an input. Returns CMD_USAGE.
int cmd_refuse_overwriting(const char *program, const char *output);

// cmd_complain prints the problem of a file on standard error, in one line.
void cmd_complain(const char *program, const char *file, const lp_problem *problem);

// cmd_print_json prints json, indented, and takes ownership of it. Returns false if json is NULL,
// memory ran out, or the disk of out is full.
bool cmd_print_json(FILE *out, json_t *json);

// cmd_end flushes standard output, prints the reason of a failure, and returns the exit code.
// is_printed is false if memory ran out or the disk of the output is full.
int cmd_end(const char *program, bool is_printed);

// cmd_hide_files makes the process create files without permissions for others. The umask may
// remove further permissions. Call it before there are threads.
void cmd_hide_files(void);

#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) int cmd_##name(const options *opts);
#include "cli/base/options.def"
