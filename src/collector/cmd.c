// SPDX-License-Identifier: Apache-2.0
#include "collector/cmd.h"

#include "common/base/lp_printable.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int
cmd_refuse_option(int code, char **argv, const char *usage)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *last = argv[optind - 1]; // the option, unless it is one of several letters
    bool is_letter = optopt != 0 && strncmp(last, "--", 2) != 0;
    lp_printable_line(stderr, "%s: '%s' %s", argv[0], is_letter ? letter : last,
        code == ':' ? "needs an argument" : "is not an option");
    (void)fprintf(stderr, "\n%s", usage);
    return CMD_USAGE;
}
