// SPDX-License-Identifier: Apache-2.0

// cmd: the subcommands of the program `loupe`; options.def lists them. Each is main() of its own:
// argv[0] is the name that its messages begin with, and what it returns is the exit code.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/cli.py

#ifndef LP_CLI_CMD_H
#define LP_CLI_CMD_H

#include "cli/base/options.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum cmd_exit {
    CMD_DONE = 0,
    CMD_FAILED = 1, // the reason is on standard error, in one line
    CMD_USAGE = 2,  // called wrongly
    CMD_STUCK = 3,  // `loupe collect` was told to end, and did not in time: see end_watch.h
} cmd_exit;

// cmd_parse reads the options of a command. Returns -1, or the code to exit with at once: the help
// that was asked for, or the fault of the call, has been printed then.
int cmd_parse(options_command command, int argc, char **argv, options *out);

// cmd_refuse prints on standard error the fault of a call (problem, a line without a full stop) and
// how the command is called. Returns CMD_USAGE.
int cmd_refuse(options_command command, const char *program, const char *problem);

// cmd_refuse_overwriting prints that an output is one of the inputs. Returns CMD_USAGE.
int cmd_refuse_overwriting(const char *program, const char *output);

// cmd_complain prints the problem of a file on standard error, in one line.
void cmd_complain(const char *program, const char *file, const lp_problem *problem);

// cmd_print_json writes json, which it takes, indented. Returns false where memory or out's disk
// ran out; json may be NULL for that.
bool cmd_print_json(FILE *out, json_t *json);

// cmd_end returns the code to exit with once all was printed on standard output, or could not be:
// then it prints why. is_printed is false where memory or the output's disk ran out.
int cmd_end(const char *program, bool is_printed);

// cmd_hide_files has nobody but the user and the group of the process open what it makes from now
// on, in so far as its umask does not hide that from more. To be called before there are threads.
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

#endif // LP_CLI_CMD_H
