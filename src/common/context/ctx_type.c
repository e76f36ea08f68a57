// SPDX-License-Identifier: Apache-2.0

#include "common/context/ctx_type.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <stdlib.h>
#include <string.h>

static bool
has_attributes(const ctx_type *type)
{
    LP_REQUIRE(
        type->attribute_count != 0 && type->attribute_count <= CTX_TYPE_ATTRIBUTES_MAX, false);
    return !LP_ANY(
        type->attributes, type->attribute_count, at->kind < CTX_BOOLEAN || at->kind > CTX_HEX);
}

// has_kinds returns whether a type has two attributes: a long, which may be shown in hexadecimal
// digits, and one of the second kind.
static bool
has_kinds(const ctx_type *type, bool may_be_hex, ctx_kind second)
{
    ctx_kind first = type->attributes[0].kind;
    return type->attribute_count == 2 && (first == CTX_LONG || (may_be_hex && first == CTX_HEX)) &&
           type->attributes[1].kind == second;
}

bool
ctx_type_is_sound(const ctx_type *type)
{
    LP_REQUIRE(type->id != 0 && has_attributes(type), false);
    if (type->is_recording + type->is_hand_over + type->is_root + (type->completes != 0) > 1) {
        return false;
    }
    if (type->is_recording || type->is_hand_over) {
        return has_kinds(type, false, CTX_LONG);
    }
    if (type->is_root) {
        return has_kinds(type, true, CTX_BOOLEAN);
    }
    return type->completes == 0 ||
           (type->completes != type->id && has_kinds(type, true, CTX_STRING));
}

// copy_text is strdup with "" for NULL, remembering a failure in is_failed.
static char *
copy_text(const char *text, int *is_failed)
{
    char *copy = strdup(text == NULL ? "" : text);
    if (copy == NULL) {
        *is_failed = 1;
    }
    return copy;
}

lp_err
ctx_type_copy(const ctx_type *type, ctx_type *out_type)
{
    if (LP_NEVER(type->attribute_count > CTX_RECORDING_KEYS_MAX)) {
        return LP_ELIMIT;
    }
    int is_failed = 0;
    ctx_type copy = {
        .id = type->id,
        .name = copy_text(type->name, &is_failed),
        .label = copy_text(type->label, &is_failed),
        .description = copy_text(type->description, &is_failed),
        .is_recording = type->is_recording,
        .is_hand_over = type->is_hand_over,
        .is_root = type->is_root,
        .completes = type->completes,
        .attribute_count = type->attribute_count,
    };
    for (size_t i = 0; i < type->attribute_count; i++) {
        copy.attributes[i] = (ctx_attribute){
            .kind = type->attributes[i].kind,
            .name = copy_text(type->attributes[i].name, &is_failed),
            .label = copy_text(type->attributes[i].label, &is_failed),
            .description = copy_text(type->attributes[i].description, &is_failed),
            .is_root_key = type->attributes[i].is_root_key,
        };
    }
    if (is_failed) {
        ctx_type_fini(&copy);
        return LP_ENOMEM;
    }
    *out_type = copy;
    return LP_OK;
}

ctx_type
ctx_type_copy_in(lp_arena *arena, const ctx_type *type)
{
    if (LP_NEVER(type->attribute_count > CTX_RECORDING_KEYS_MAX)) {
        return (ctx_type){0};
    }
    ctx_type copy = *type;
    copy.name = lp_arena_text(arena, type->name);
    copy.label = lp_arena_text(arena, type->label);
    copy.description = lp_arena_text(arena, type->description);
    for (size_t i = 0; i < type->attribute_count; i++) {
        const ctx_attribute *attribute = &type->attributes[i];
        copy.attributes[i].name = lp_arena_text(arena, attribute->name);
        copy.attributes[i].label = lp_arena_text(arena, attribute->label);
        copy.attributes[i].description = lp_arena_text(arena, attribute->description);
    }
    return copy;
}

void
ctx_type_fini(ctx_type *type)
{
    for (size_t i = 0; i < type->attribute_count; i++) {
        free(type->attributes[i].name);
        free(type->attributes[i].label);
        free(type->attributes[i].description);
    }
    free(type->name);
    free(type->label);
    free(type->description);
    memset(type, 0, sizeof(*type));
}
