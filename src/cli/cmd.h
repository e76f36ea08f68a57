// SPDX-License-Identifier: Apache-2.0

// cmd: the subcommands of the program `loupe`; main.c has the table. Each is main() of its own:
// argv[0] is the subcommand's name, and what it returns is the exit code.
//
// Threads: the first thread of the program.

#ifndef LP_CLI_CMD_H
#define LP_CLI_CMD_H

#include <getopt.h>

typedef enum cmd_exit {
    CMD_DONE = 0,
    CMD_FAILED = 1, // the reason is on standard error, in one line
    CMD_USAGE = 2,  // called wrongly
} cmd_exit;

// cmd_refuse_option prints on standard error which option is wrong, and how the subcommand is
// called. It is for a subcommand whose getopt_long, with longs, opterr 0 and a ':' before the short
// options, returned code: '?' or ':'. Returns CMD_USAGE.
int cmd_refuse_option(int code, char **argv, const struct option *longs, const char *usage);

int cmd_collect(int argc, char **argv);
int cmd_compact(int argc, char **argv);
int cmd_policy(int argc, char **argv);
int cmd_summary(int argc, char **argv);

#endif // LP_CLI_CMD_H
