// SPDX-License-Identifier: Apache-2.0
#include "cli/base/program.h"

#include "common/base/lp_assert.h"

#include <signal.h>
#include <stdio.h>

// run_command runs a command, whose name is argv[0].
static int
run_command(int (*run)(const options *opts), options_command command, int argc, char **argv)
{
    char name[512];
    (void)snprintf(name, sizeof(name), "loupe %s", argv[0]);
    argv[0] = name;
    options opts;
    int code = cmd_parse(command, argc, argv, &opts);
    return code >= 0 ? code : run(&opts);
}

int
program_main(int argc, char **argv, program_runs runs, int (*on_missing)(char **argv))
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
    options_command command = options_find_command(chosen.operands[0]);
    if (command == OPTIONS_program) {
        return cmd_refuse(&chosen, "no command '%s'", chosen.operands[0]);
    }
    if (runs[command] == NULL) {
        LP_ASSERT(on_missing != NULL);
        return on_missing(argv);
    }
    return run_command(runs[command], command, (int)chosen.operand_count, chosen.operands);
}
