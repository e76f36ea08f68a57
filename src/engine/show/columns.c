// SPDX-License-Identifier: Apache-2.0
#include "engine/show/columns.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/jfr/jfr_name.h"
#include "engine/read/text.h"

#include <string.h>

enum { NUMBERS_MAX = 100 }; // numbers that are tried; if all are used, two fields share a name

static const char *
last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

static bool
has_namesake(const compact_kinds *kinds, const compact_kind *kind)
{
    return LP_ANY(kinds->items.items, kinds->items.count,
        at != kind && strcmp(last_name(at->name), last_name(kind->name)) == 0);
}

static const char *
field_name_of(lp_arena *arena, const char *text)
{
    lp_buf name = {0};
    jfr_field_name_append(&name, text);
    return compact_text_take(&name, arena);
}

static bool
has_column(const compact_columns *columns, const char *name)
{
    return LP_ANY(columns->items, columns->count, strcmp(at->name, name) == 0);
}

const char *
compact_columns_name_for(const compact_columns *columns, lp_arena *arena, const char *name,
    const jfr_metadata *metadata, const jfr_type *type)
{
    const char *out = name;
    bool is_free = jfr_metadata_find_field(metadata, type, name) == JFR_NONE;
    for (size_t number = 2; !is_free && number < NUMBERS_MAX; number++) {
        out = lp_arena_print(arena, "%s_%zu", name, number);
        is_free =
            jfr_metadata_find_field(metadata, type, out) == JFR_NONE && !has_column(columns, out);
    }
    return out;
}

static const char *
name_of(
    const compact_columns *columns, lp_arena *arena, const char *type_name, const char *attribute)
{
    const char *name = field_name_of(arena, lp_arena_print(arena, "%s_%s", type_name, attribute));
    const char *out = name;
    for (size_t number = 2; has_column(columns, out) && !arena->is_failed; number++) {
        out = lp_arena_print(arena, "%s_%zu", name, number);
    }
    return out;
}

static void
add_column(compact_columns *columns, lp_arena *arena, const compact_kind *kind,
    const char *type_name, const compact_attribute *attribute, const jfr_metadata *metadata)
{
    const char *kind_label = kind->label[0] != '\0' ? kind->label : last_name(kind->name);
    const char *label = attribute->label[0] != '\0' ? attribute->label : attribute->name;
    LP_ASSERT(columns->count < COMPACT_COLUMNS_MAX);
    columns->items[columns->count] = (compact_column){
        .kind = kind->name,
        .attribute = attribute,
        .name = name_of(columns, arena, type_name, attribute->name),
        .label = lp_arena_print(arena, "%s: %s", kind_label, label),
        .description = attribute->description,
        .pool = attribute->reference == NULL
                    ? (uint32_t)JFR_NONE
                    : jfr_metadata_find_type_named(metadata, attribute->reference),
        .values = attribute->number == 0 ? CTX_STRING : (ctx_kind)attribute->number,
    };
    columns->count++;
}

static void
add_kind(compact_columns *columns, lp_arena *arena, const compact_kinds *kinds, uint32_t index,
    const jfr_metadata *metadata)
{
    const compact_kind *kind = &kinds->items.items[index];
    if (kind->attribute_count == 0 ||
        columns->count + kind->attribute_count > COMPACT_COLUMNS_MAX) {
        return;
    }
    const char *name = has_namesake(kinds, kind) ? kind->name : last_name(kind->name);
    columns->kinds |= (uint64_t)1 << index;
    columns->first[index] = columns->count;
    for (size_t i = 0; i < kind->attribute_count; i++) {
        add_column(columns, arena, kind, name, &kind->attributes[i], metadata);
    }
}

void
compact_columns_init(compact_columns *columns, lp_arena *arena, const compact_kinds *kinds,
    const jfr_metadata *metadata)
{
    LP_ASSERT(kinds->items.count <= COMPACT_KINDS_MAX);
    *columns = (compact_columns){0};
    for (uint32_t i = 0; i < kinds->items.count; i++) {
        add_kind(columns, arena, kinds, i, metadata);
    }
}
