// SPDX-License-Identifier: Apache-2.0
#include "engine/write/output.h"

lp_err
compact_output_init(compact_output *out, size_t view_type_count, size_t context_type_count)
{
    *out = (compact_output){0};
    out->by_type = LP_ARENA_ARRAY(&out->arena, compact_amount, view_type_count);
    out->by_context = LP_ARENA_ARRAY(&out->arena, compact_amount, context_type_count);
    // The last is for contexts of unknown types.
    out->lost_contexts = LP_ARENA_ARRAY(&out->arena, uint64_t, context_type_count + 1);
    return lp_arena_err(&out->arena);
}

void
compact_output_fini(compact_output *output)
{
    lp_buf_fini(&output->jfr);
    lp_arena_fini(&output->arena);
    *output = (compact_output){0};
}

lp_err
compact_output_err(const compact_output *output)
{
    lp_err err = lp_buf_check(&output->jfr);
    return err == LP_OK ? lp_arena_err(&output->arena) : err;
}
