// SPDX-License-Identifier: Apache-2.0
// loupe version: prints the version of the program and the features that the build lacks.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"

int
cmd_version(const options *opts)
{
    (void)puts("loupe " LOUPE_VERSION LOUPE_WITHOUT);
    return cmd_end(opts->program, true);
}
