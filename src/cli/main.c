// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

#include <signal.h>
#include <stdio.h>

static int (*const runs[])(int argc, char **argv) = {
#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) [OPTIONS_##name] = cmd_##name,
#include "cli/base/options.def"
};

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
        return cmd_version(1, argv);
    }
    if (chosen.operand_count == 0) {
        options_print_help(stderr, OPTIONS_program);
        return CMD_USAGE;
    }
    char text[512];
    options_command command = options_find_command(chosen.operands[0]);
    if (command == OPTIONS_program) {
        (void)snprintf(text, sizeof(text), "no command '%s'", chosen.operands[0]);
        return cmd_refuse(OPTIONS_program, self, text);
    }
    (void)snprintf(text, sizeof(text), "loupe %s", chosen.operands[0]);
    chosen.operands[0] = text;
    return runs[command]((int)chosen.operand_count, chosen.operands);
}
