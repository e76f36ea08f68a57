// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/rollup_parts.h"

#include "common/rollup/rollup_bytes.h"

void
rollup_parts_fini(rollup_parts *parts)
{
    for (rollup_part i = 0; i < ROLLUP_PARTS; i++) {
        lp_buf_fini(&parts->of[i]);
    }
}

// type_part returns the fields of a type that a part holds, borrowed.
static rollup_type
type_part(const rollup_type *type, rollup_part part)
{
    rollup_type made = {.name = type->name};
    switch (part) {
    case ROLLUP_PART_TYPES:
        made.numbers = type->numbers;
        made.has_more_attributes = type->has_more_attributes;
        break;
    case ROLLUP_PART_EXEMPLARS:
        made.exemplars.items = type->exemplars.items;
        made.exemplars.count = type->exemplars.count;
        made.slices.items = type->slices.items;
        made.slices.count = type->slices.count;
        break;
    case ROLLUP_PART_ATTRIBUTES:
        made.attributes.items = type->attributes.items;
        made.attributes.count = type->attributes.count;
        break;
    case ROLLUP_PARTS:
        break;
    }
    return made;
}

// types_part returns types with the fields that a part holds, borrowed; the array is in arena.
static rollup_types
types_part(lp_arena *arena, const rollup_types *types, rollup_part part)
{
    rollup_types made = {.items = LP_ARENA_ARRAY(arena, rollup_type, types->count)};
    for (size_t i = 0; i < types->count && made.items != NULL; i++) {
        made.items[i] = type_part(&types->items[i], part);
    }
    made.count = made.items == NULL ? 0 : types->count;
    return made;
}

lp_err
rollup_parts_encode(rollup_parts *parts, const rollup *whole)
{
    lp_arena arena = {0};
    lp_err err = LP_OK;
    for (rollup_part part = 0; part < ROLLUP_PARTS && err == LP_OK; part++) {
        rollup made;
        rollup_init(&made);
        if (part == ROLLUP_PART_TYPES) {
            made = *whole;
        }
        made.slice_ns = part == ROLLUP_PART_EXEMPLARS ? whole->slice_ns : 0;
        made.types = types_part(&arena, &whole->types, part);
        made.requests = types_part(&arena, &whole->requests, part);
        err = lp_arena_err(&arena);
        lp_buf_clear(&parts->of[part]);
        LP_THEN(err, rollup_bytes_encode(&made, &parts->of[part]));
    }
    lp_arena_fini(&arena);
    return err;
}

lp_err
rollup_parts_read(rollup *chunk, const lp_slice parts[ROLLUP_PARTS], const char *recording)
{
    lp_err err = LP_OK;
    for (rollup_part i = 0; i < ROLLUP_PARTS && err == LP_OK; i++) {
        err = parts[i].len == 0 ? LP_OK : rollup_bytes_read(chunk, parts[i], recording);
    }
    return err;
}

lp_err
rollup_parts_add(rollup *total, const lp_slice parts[ROLLUP_PARTS], const char *recording)
{
    lp_err err = LP_OK;
    for (rollup_part i = 0; i < ROLLUP_PARTS && err == LP_OK; i++) {
        err = parts[i].len == 0 ? LP_OK : rollup_bytes_add(total, parts[i], recording);
    }
    return err;
}
