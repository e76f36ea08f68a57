// SPDX-License-Identifier: Apache-2.0
#include "cli/cmd.h"

#include "common/base/lp_printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// is_surplus returns whether arg gives an argument to the refused long option, which takes none. A
// letter that is no option may be the optopt of a long option, too.
static bool
is_surplus(const char *arg, const struct option *longs)
{
    size_t len = strcspn(arg, "=");
    bool is_found = false;
    for (; longs->name != NULL && strncmp(arg, "--", 2) == 0 && arg[len] == '='; longs++) {
        is_found |= longs->val == optopt && longs->has_arg == no_argument &&
                    strncmp(arg + 2, longs->name, len - 2) == 0;
    }
    return is_found;
}

int
cmd_refuse_option(int code, char **argv, const struct option *longs, const char *usage)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *last = argv[optind - 1]; // for a letter, that may be the argument before it
    bool is_long = code == ':' ? strncmp(last, "--", 2) == 0 : optopt == 0;
    const char *problem = code == ':' ? "needs an argument" : "is not an option";
    if (code == '?' && optopt != 0 && is_surplus(last, longs)) {
        is_long = true;
        problem = "takes no argument";
    }
    lp_printable_line(stderr, "%s: '%s' %s", argv[0], is_long ? last : letter, problem);
    (void)fprintf(stderr, "\n%s", usage);
    return CMD_USAGE;
}
