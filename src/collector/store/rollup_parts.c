// SPDX-License-Identifier: Apache-2.0
#include "collector/store/rollup_parts.h"

#include "common/rollup/rollup_bytes.h"

void
rollup_parts_fini(rollup_parts *parts)
{
    lp_buf_fini(&parts->types);
    lp_buf_fini(&parts->attributes);
}

// encode encodes a rollup with these types, which are lent, in place of its own.
static lp_err
encode(rollup part, rollup_type *types, lp_buf *out)
{
    part.types.items = types;
    lp_buf_clear(out);
    return rollup_bytes_encode(&part, out);
}

// without_numbers returns a rollup that has nothing of its own but the count of its types.
static rollup
without_numbers(const rollup *whole)
{
    rollup none;
    rollup_init(&none);
    none.types.count = whole->types.count;
    return none;
}

lp_err
rollup_parts_encode(rollup_parts *parts, const rollup *whole)
{
    lp_arena arena = {0};
    rollup_type *plain = LP_ARENA_ARRAY(&arena, rollup_type, whole->types.count);
    rollup_type *others = LP_ARENA_ARRAY(&arena, rollup_type, whole->types.count);
    lp_err err = lp_arena_err(&arena);
    for (size_t i = 0; i < whole->types.count && err == LP_OK; i++) {
        const rollup_type *type = &whole->types.items[i];
        plain[i] = *type;
        plain[i].attributes.count = 0;
        others[i] = (rollup_type){.name = type->name};
        others[i].attributes.items = type->attributes.items;
        others[i].attributes.count = type->attributes.count;
    }
    if (err == LP_OK) {
        err = encode(*whole, plain, &parts->types);
    }
    if (err == LP_OK) {
        err = encode(without_numbers(whole), others, &parts->attributes);
    }
    lp_arena_fini(&arena);
    return err;
}

lp_err
rollup_parts_add(rollup *total, lp_slice types, lp_slice attributes, const char *recording)
{
    lp_err err = types.len == 0 ? LP_OK : rollup_bytes_add(total, types, recording);
    return err != LP_OK || attributes.len == 0 ? err
                                               : rollup_bytes_add(total, attributes, recording);
}
