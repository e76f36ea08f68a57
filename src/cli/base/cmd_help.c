// SPDX-License-Identifier: Apache-2.0
// loupe help: how the program or a command is called.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

int
cmd_help(const options *opts)
{
    options chosen = {.command = OPTIONS_program, .program = opts->program};
    LP_REQUIRE(opts->operand_count <= 1, cmd_refuse(opts, "more than one command"));
    if (opts->operand_count == 1) {
        chosen.command = options_find_command(opts->operands[0]);
        LP_REQUIRE(chosen.command != OPTIONS_program,
            cmd_refuse(&chosen, "no command '%s'", opts->operands[0]));
    }
    options_print_help(stdout, chosen.command);
    return cmd_end(opts->program, true);
}
