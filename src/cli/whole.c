// SPDX-License-Identifier: Apache-2.0

// lib/loupe/loupe-whole: all commands. main.c starts it for those that it does not have.
//
// Tests: tests/e2e/cli.py

#include "cli/base/program.h"

#include <sys/prctl.h>

static program_runs runs = {
#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) [OPTIONS_##name] = cmd_##name,
#include "cli/base/options.def"
};

int
main(int argc, char **argv)
{
    (void)prctl(PR_SET_NAME, "loupe"); // as ps and pgrep know the collector
    return program_main(argc, argv, runs, NULL);
}
