// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

#include <signal.h>
#include <stdio.h>

static int (*const runs[])(const options *opts) = {
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
        return cmd_version(&chosen);
    }
    if (chosen.operand_count == 0) {
        options_print_help(stderr, OPTIONS_program);
        return CMD_USAGE;
    }
    char text[512];
    options_command command = options_find_command(chosen.operands[0]);
    if (command == OPTIONS_program) {
        return cmd_refuse(&chosen, "no command '%s'", chosen.operands[0]);
    }
    (void)snprintf(text, sizeof(text), "loupe %s", chosen.operands[0]);
    chosen.operands[0] = text;
    options opts;
    code = cmd_parse(command, (int)chosen.operand_count, chosen.operands, &opts);
    return code >= 0 ? code : runs[command](&opts);
}
