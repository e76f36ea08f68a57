// SPDX-License-Identifier: Apache-2.0
// loupe completion: a script that completes commands in a shell.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/base/completion.h"

#include <string.h>

int
cmd_completion(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(FILE *out);
    } shells[] = {
        {"bash", completion_print_bash},
        {"zsh", completion_print_zsh},
        {"fish", completion_print_fish},
    };
    options chosen;
    int code = cmd_parse(OPTIONS_completion, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]) && chosen.operand_count == 1; i++) {
        if (strcmp(chosen.operands[0], shells[i].name) == 0) {
            shells[i].print(stdout);
            return cmd_end(argv[0], true);
        }
    }
    return cmd_refuse(OPTIONS_completion, argv[0], "name one shell: bash, zsh or fish");
}
