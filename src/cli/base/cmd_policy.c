// SPDX-License-Identifier: Apache-2.0
// loupe policy: finds the mistakes of a policy before it is used.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_printable.h"
#include "policy/policy_check.h"
#include "policy/policy_keep.h"

#include <stdio.h>
#include <string.h>

static void
print_problem(void *arg, const char *text)
{
    lp_printable_line(stderr, "%s: %s", (const char *)arg, text);
}

// check_keep checks a file that says how long recordings are kept.
static bool
check_keep(const char *path)
{
    policy_keep keep;
    lp_problem problem;
    if (policy_keep_read(path, &keep, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s", problem.text); // which begins with the path
        return false;
    }
    lp_printable_line(stdout, "%s: fine", path);
    return true;
}

static bool
check_file(char *path)
{
    static const char keep_suffix[] = ".keep";
    size_t len = strlen(path);
    if (len > sizeof(keep_suffix) - 1 && lp_ends_with(path, len, keep_suffix)) {
        return check_keep(path);
    }
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
cmd_policy(const options *opts)
{
    if (opts->operand_count < 2 || strcmp(opts->operands[0], "check") != 0) {
        options_print_help(stderr, OPTIONS_policy);
        return CMD_USAGE;
    }
    bool is_fine = true;
    for (size_t i = 1; i < opts->operand_count; i++) {
        is_fine = check_file(opts->operands[i]) && is_fine;
    }
    return is_fine ? CMD_DONE : CMD_FAILED;
}
