// SPDX-License-Identifier: Apache-2.0
// loupe policy: what is wrong with a policy, before it is used.

#include "cli/cmd.h"
#include "common/base/lp_printable.h"
#include "policy/policy_check.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: loupe policy check FILE.jfc...\n"
    "\n"
    "Says of each file what is wrong with it, in lines on standard error, or that it is fine.\n"
    "\n"
    "  FILE.jfc    a policy; any file that JFR reads is one\n"
    "  -h, --help  this text\n"
    "\n"
    "Exit status: 0 all files are fine; 1 something is wrong, or a file cannot be read; 2 called\n"
    "wrongly.\n";

static void
print_problem(void *arg, const char *text)
{
    lp_printable_line(stderr, "%s: %s", (const char *)arg, text);
}

static bool
check_file(char *path)
{
    policy_check_counts counts;
    lp_problem problem;
    if (policy_check(path, print_problem, path, &counts, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s", problem.text); // which begins with the path
        return false;
    }
    if (counts.problems == 0) {
        lp_printable_line(stdout, "%s: fine, %zu settings", path, counts.settings);
    }
    return counts.problems == 0;
}

int
cmd_policy(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int code;
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (code != 'h') {
            return cmd_refuse_option(code, argv, long_options, usage);
        }
        (void)fputs(usage, stdout);
        return CMD_DONE;
    }
    if (argc - optind < 2 || strcmp(argv[optind], "check") != 0) {
        (void)fputs(usage, stderr);
        return CMD_USAGE;
    }
    bool is_fine = true;
    for (int i = optind + 1; i < argc; i++) {
        is_fine = check_file(argv[i]) && is_fine;
    }
    return is_fine ? CMD_DONE : CMD_FAILED;
}
