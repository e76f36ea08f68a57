// SPDX-License-Identifier: Apache-2.0

// cmd: the subcommands of `loupe`, as listed in options.def. Each is a main() of its own: it uses
// argv[0] as the prefix of its messages and returns the exit code.
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

// cmd_parse reads the options of a command. Returns -1, or the exit code after printing the help or
// a usage error.
int cmd_parse(options_command command, int argc, char **argv, options *out);

// cmd_refuse prints a usage error (a line without a full stop) and the usage of the command on
// standard error. Returns CMD_USAGE.
int cmd_refuse(options_command command, const char *program, const char *problem);

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

int cmd_admin(int argc, char **argv);
int cmd_attributes(int argc, char **argv);
int cmd_collect(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_compact(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_contexts(int argc, char **argv);
int cmd_flamegraph(int argc, char **argv);
int cmd_fsck(int argc, char **argv);
int cmd_health(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_hot(int argc, char **argv);
int cmd_jvm(int argc, char **argv);
int cmd_index(int argc, char **argv);
int cmd_open(int argc, char **argv);
int cmd_policy(int argc, char **argv);
int cmd_requests(int argc, char **argv);
int cmd_slice(int argc, char **argv);
int cmd_summary(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_why(int argc, char **argv);
