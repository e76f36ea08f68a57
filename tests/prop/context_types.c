// SPDX-License-Identifier: Apache-2.0
#include "context_types.h"

const ctx_type prop_context_types[2] = {
    {.id = 1,
        .name = (char[]){"tracer"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}},
    {.id = 2,
        .name = (char[]){"order"},
        .label = (char[]){""},
        .description = (char[]){""},
        .attribute_count = 1,
        .attributes = {{CTX_LONG, (char[]){"n"}, (char[]){""}, (char[]){""}}}},
};
