// SPDX-License-Identifier: Apache-2.0
// loupe help: how the program or a command is called.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

int
cmd_help(int argc, char **argv)
{
    options chosen;
    char text[512];
    options_command command = OPTIONS_program;
    int code = cmd_parse(OPTIONS_help, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    if (chosen.operand_count > 1) {
        return cmd_refuse(OPTIONS_help, argv[0], "more than one command");
    }
    if (chosen.operand_count == 1) {
        command = options_find_command(chosen.operands[0]);
        if (command == OPTIONS_program) {
            (void)snprintf(text, sizeof(text), "no command '%s'", chosen.operands[0]);
            return cmd_refuse(OPTIONS_program, argv[0], text);
        }
    }
    options_print_help(stdout, command);
    return cmd_end(argv[0], true);
}
