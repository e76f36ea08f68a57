// SPDX-License-Identifier: Apache-2.0
// loupe version: prints the version of the program and the features that the build lacks.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

int
cmd_version(int argc, char **argv)
{
    options chosen;
    int code = cmd_parse(OPTIONS_version, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    if (chosen.operand_count > 0) {
        return cmd_refuse(OPTIONS_version, argv[0], "it takes no operands");
    }
    (void)puts("loupe " LOUPE_VERSION LOUPE_WITHOUT);
    return cmd_end(argv[0], true);
}
