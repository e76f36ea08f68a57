// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.

#include "cli/cmd.h"
#include "common/base/lp_printable.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    const char *purpose;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"collect", "receive from agents, compact, store and serve", cmd_collect},
    {"compact", "keep what a policy wants of a recording", cmd_compact},
    {"policy", "check a policy", cmd_policy},
    {"summary", "tell what is in a recording", cmd_summary},
};

static const size_t command_count = sizeof(commands) / sizeof(commands[0]);

static void
print_usage(FILE *out)
{
    (void)fputs("usage: loupe COMMAND [OPTION...]\n\nCommands:\n", out);
    for (size_t i = 0; i < command_count; i++) {
        (void)fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].purpose);
    }
    (void)fputs(
        "\n`loupe COMMAND --help` tells more. `loupe --version` prints the version.\n", out);
}

int
main(int argc, char **argv)
{
    const char *name = argc < 2 ? "" : argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_usage(stdout);
        return CMD_DONE;
    }
    if (strcmp(name, "--version") == 0) {
        (void)puts("loupe " LOUPE_VERSION);
        return CMD_DONE;
    }
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            char program[32];
            (void)snprintf(program, sizeof(program), "loupe %s", name);
            argv[1] = program; // what getopt's messages begin with
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (name[0] != '\0') {
        lp_printable_line(stderr, "loupe: no command '%s'", name);
        (void)fputc('\n', stderr);
    }
    print_usage(stderr);
    return CMD_USAGE;
}
