// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.

#include <stdio.h>

int
main(void)
{
    (void)fputs("usage: loupe COMMAND\n", stderr);
    return 2;
}
