// SPDX-License-Identifier: Apache-2.0
#include "engine/write/output.h"

#include "common/base/lp_assert.h"

lp_err
compact_output_init(compact_output *out, size_t view_type_count, size_t context_type_count)
{
    *out = (compact_output){0};
    out->by_type = LP_ARENA_ARRAY(&out->arena, compact_amount, view_type_count);
    out->by_context = LP_ARENA_ARRAY(&out->arena, compact_amount, context_type_count);
    out->lost_contexts = LP_ARENA_ARRAY(&out->arena, uint64_t, context_type_count + 1);
    return lp_arena_err(&out->arena);
}

void
compact_output_fini(compact_output *output)
{
    lp_buf_fini(&output->jfr);
    LP_VEC_FINI(&output->borrowed);
    lp_arena_fini(&output->arena);
    *output = (compact_output){0};
}

void
compact_output_borrow(compact_output *output, lp_slice bytes)
{
    LP_ASSERT(bytes.len > 0);
    compact_borrowed *borrowed = LP_VEC_PUSH(&output->borrowed);
    if (borrowed == NULL) {
        output->jfr.is_failed = true;
        return;
    }
    *borrowed = (compact_borrowed){output->jfr.len, bytes};
    output->borrowed_bytes += bytes.len;
}

lp_err
compact_output_take(compact_output *output, compact_result *result)
{
    LP_ASSERT(result->jfr.len == 0 && result->pieces.count == 0);
    size_t begin = 0; // of the own bytes that follow
    size_t count = output->borrowed.count;
    LP_REQUIRE(LP_VEC_RESERVE(&result->pieces, 2 * count + 1), LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        const compact_borrowed *borrowed = &output->borrowed.items[i];
        const lp_slice own = {output->jfr.ptr + begin, borrowed->at - begin};
        result->pieces.items[result->pieces.count++] = own;
        result->pieces.items[result->pieces.count++] = borrowed->bytes;
        begin = borrowed->at;
    }
    const lp_slice last = {output->jfr.ptr + begin, output->jfr.len - begin};
    result->pieces.items[result->pieces.count++] = last;
    result->jfr = output->jfr;
    output->jfr = (lp_buf){0};
    return LP_OK;
}

lp_err
compact_output_err(const compact_output *output)
{
    lp_err err = lp_buf_check(&output->jfr);
    return err == LP_OK ? lp_arena_err(&output->arena) : err;
}
