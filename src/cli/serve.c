// SPDX-License-Identifier: Apache-2.0
#include "cli/serve.h"

#include "cli/base/cmd.h"
#include "common/base/lp_assert.h"

static int (*const runs[OPTIONS_program])(const options *opts) = {
    [OPTIONS_admin] = cmd_admin,
    [OPTIONS_collect] = cmd_collect,
    [OPTIONS_compare] = cmd_compare,
    [OPTIONS_fsck] = cmd_fsck,
    [OPTIONS_health] = cmd_health,
    [OPTIONS_index] = cmd_index,
    [OPTIONS_open] = cmd_open,
};

int
loupe_serve(options_command command, const options *opts)
{
    LP_ASSERT(command < OPTIONS_program && runs[command] != NULL);
    return runs[command](opts);
}
