// SPDX-License-Identifier: Apache-2.0
// loupe completion: a script that completes commands in a shell.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/base/completion.h"

#include <string.h>

int
cmd_completion(const options *opts)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } shells[] = {
        {"bash", completion_print_bash},
        {"zsh", completion_print_zsh},
        {"fish", completion_print_fish},
    };
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]) && opts->operand_count == 1; i++) {
        if (strcmp(opts->operands[0], shells[i].name) == 0) {
            shells[i].print(stdout);
            return cmd_end(opts->program, true);
        }
    }
    return cmd_refuse(opts, "name one shell: bash, zsh or fish");
}
