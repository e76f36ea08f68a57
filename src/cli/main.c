// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.
//
// Tests: tests/e2e/cli.py

#include "cli/cmd.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) {#name, cmd_##name},
#include "cli/options.def"
};

static const command *
find_command(const char *name)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    static char self[] = "loupe";
    options chosen;
    argv[0] = self;                 // what messages begin with
    (void)signal(SIGXFSZ, SIG_IGN); // a write over the limit then fails like one on a full disk
    int code = cmd_parse(OPTIONS_program, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    if (chosen.program_is_version) {
        (void)puts("loupe " LOUPE_VERSION);
        return CMD_DONE;
    }
    if (chosen.operand_count == 0) {
        options_print_help(stderr, OPTIONS_program);
        return CMD_USAGE;
    }
    char text[512];
    const command *called = find_command(chosen.operands[0]);
    if (called == NULL) {
        (void)snprintf(text, sizeof(text), "no command '%s'", chosen.operands[0]);
        return cmd_refuse(OPTIONS_program, self, text);
    }
    (void)snprintf(text, sizeof(text), "loupe %s", called->name);
    chosen.operands[0] = text;
    return called->run((int)chosen.operand_count, chosen.operands);
}
