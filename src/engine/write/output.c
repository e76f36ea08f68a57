// SPDX-License-Identifier: Apache-2.0
#include "engine/write/output.h"

#include <stdlib.h>

lp_err
compact_output_init(compact_output *out, size_t view_type_count, size_t context_type_count)
{
    *out = (compact_output){
        .by_type = calloc(view_type_count + 1, sizeof(*out->by_type)),
        .by_context = calloc(context_type_count + 1, sizeof(*out->by_context)),
        .lost_contexts = calloc(context_type_count + 1, sizeof(*out->lost_contexts)),
    };
    bool is_whole = out->by_type != NULL && out->by_context != NULL && out->lost_contexts != NULL;
    return is_whole ? LP_OK : LP_ENOMEM;
}

void
compact_output_fini(compact_output *output)
{
    lp_buf_fini(&output->jfr);
    free(output->by_type);
    free(output->by_context);
    free(output->lost_contexts);
    *output = (compact_output){0};
}
