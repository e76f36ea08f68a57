// SPDX-License-Identifier: Apache-2.0

#include "collector/cmd.h"

#include <stdio.h>

int
cmd_collect(int argc, char **argv)
{
    (void)argc;
    (void)fprintf(stderr, "loupe %s: not built in\n", argv[0]);
    return CMD_FAILED;
}
