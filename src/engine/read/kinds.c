// SPDX-License-Identifier: Apache-2.0
#include "engine/read/kinds.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <string.h>

// --- Kinds and attributes

void
compact_kinds_check(const compact_kinds *kinds)
{
    LP_ASSERT(kinds->items.count <= COMPACT_KINDS_MAX);
}

uint32_t
compact_kinds_find(const compact_kinds *kinds, const char *type_name)
{
    compact_kinds_check(kinds);
    for (size_t i = 0; i < kinds->items.count; i++) {
        if (strcmp(kinds->items.items[i].name, type_name) == 0) {
            return (uint32_t)i;
        }
    }
    return COMPACT_KINDS_MAX;
}

LP_COMPARE(compare_kinds, compact_kind, strcmp(one->name, other->name))

void
compact_kinds_sort(compact_kinds *kinds)
{
    compact_kinds_check(kinds);
    LP_QSORT(kinds->items.items, kinds->items.count, compare_kinds);
}

// add_kind adds a kind of this name. NULL if it exists, there are too many, or memory ran out.
static compact_kind *
add_kind(compact_kinds *kinds, const char *name, const char *label)
{
    compact_kinds_check(kinds);
    LP_ASSERT(kinds->arena != NULL);
    if (kinds->items.count == COMPACT_KINDS_MAX ||
        compact_kinds_find(kinds, name) != COMPACT_KINDS_MAX ||
        !LP_ARENA_RESERVE(kinds->arena, &kinds->items, 1)) {
        return NULL;
    }
    compact_kind *kind = &kinds->items.items[kinds->items.count++];
    *kind = (compact_kind){
        .name = lp_arena_text(kinds->arena, name),
        .label = lp_arena_text(kinds->arena, label),
    };
    return kind;
}

uint8_t
compact_attribute_number(ctx_kind primitive)
{
    bool is_text = primitive == CTX_STRING || primitive == CTX_CHAR || primitive == CTX_HEX;
    ctx_kind number = primitive == CTX_BYTE ? CTX_INT : primitive;
    return is_text ? 0 : (uint8_t)number;
}

static uint8_t
number_of(const compact_kinds *kinds, ctx_kind primitive)
{
    return kinds->has_numbers ? compact_attribute_number(primitive) : 0;
}

static void
add_attribute(compact_kinds *kinds, compact_kind *kind, compact_attribute attribute)
{
    compact_kinds_check(kinds);
    LP_ASSERT(kind->attribute_count <= COMPACT_KIND_ATTRIBUTES_MAX);
    if (kind->attribute_count == COMPACT_KIND_ATTRIBUTES_MAX) {
        return;
    }
    kind->attributes[kind->attribute_count++] = (compact_attribute){
        .name = lp_arena_text(kinds->arena, attribute.name),
        .label = lp_arena_text(kinds->arena, attribute.label),
        .description = lp_arena_text(kinds->arena, attribute.description),
        .reference =
            attribute.reference == NULL ? NULL : lp_arena_text(kinds->arena, attribute.reference),
        .number = attribute.number,
    };
}

void
compact_kinds_add_context(compact_kinds *kinds, const ctx_type *type)
{
    compact_kinds_check(kinds);
    compact_kind *kind = add_kind(kinds, type->name, type->label);
    for (size_t i = 0; kind != NULL && i < type->attribute_count; i++) {
        const ctx_attribute *from = &type->attributes[i];
        const compact_attribute attribute = {.name = from->name,
            .label = from->label,
            .description = from->description,
            .number = number_of(kinds, from->kind)};
        add_attribute(kinds, kind, attribute);
    }
}

void
compact_kinds_add_copy(compact_kinds *kinds, const compact_kind *kind)
{
    compact_kinds_check(kinds);
    compact_kind *copy = add_kind(kinds, kind->name, kind->label);
    for (size_t i = 0; copy != NULL && i < kind->attribute_count; i++) {
        add_attribute(kinds, copy, kind->attributes[i]);
    }
}

static const char *const type_names[] = {
    [CTX_BOOLEAN] = "boolean",
    [CTX_BYTE] = "byte",
    [CTX_CHAR] = "char",
    [CTX_SHORT] = "short",
    [CTX_INT] = "int",
    [CTX_LONG] = "long",
    [CTX_FLOAT] = "float",
    [CTX_DOUBLE] = "double",
    [CTX_STRING] = "java.lang.String",
    [CTX_HEX] = "java.lang.String",
};

const char *
compact_kinds_type_name(ctx_kind kind)
{
    LP_ASSERT(kind >= CTX_BOOLEAN && kind <= CTX_HEX);
    return type_names[kind];
}

// primitive_of finds the primitive (or CTX_STRING) of a type. Returns false if it has none.
static bool
primitive_of(const jfr_metadata *metadata, uint32_t type, ctx_kind *out_primitive)
{
    const char *name = jfr_metadata_type_name(metadata, type);
    for (ctx_kind kind = CTX_BOOLEAN; kind <= CTX_STRING; kind++) {
        if (strcmp(name, type_names[kind]) == 0) {
            *out_primitive = kind;
            return true;
        }
    }
    return false;
}

// is_one_text returns whether constants of a type are strings or have a string as their only field,
// as the enumerations of a JVM do.
static bool
is_one_text(const jfr_metadata *metadata, uint32_t type)
{
    const jfr_type *t = &metadata->types.items[type];
    ctx_kind primitive;
    if (t->field_count == 1) {
        const jfr_field *field = &metadata->fields.items[t->field_begin];
        return field->type != JFR_NONE && !field->is_array && !field->is_constant &&
               primitive_of(metadata, field->type, &primitive) && primitive == CTX_STRING;
    }
    return primitive_of(metadata, type, &primitive) && primitive == CTX_STRING;
}

static bool
is_value(const jfr_metadata *metadata, const jfr_field *field)
{
    ctx_kind primitive;
    return field->type != JFR_NONE && !field->is_array &&
           (field->is_constant || primitive_of(metadata, field->type, &primitive));
}

// value_of returns the primitive of a field that is_value; CTX_STRING for constants.
static ctx_kind
value_of(const jfr_metadata *metadata, const jfr_field *field)
{
    ctx_kind primitive = CTX_STRING;
    if (!field->is_constant) {
        (void)primitive_of(metadata, field->type, &primitive);
    }
    return primitive;
}

static const char *
type_name_of(const jfr_metadata *metadata, const jfr_field *field)
{
    return jfr_metadata_type_name(metadata, field->type);
}

static bool
is_implicit(const char *name)
{
    static const char *const implicit[] = {"startTime", "duration", "eventThread", "stackTrace"};
    bool is_one = false;
    for (size_t i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
        is_one |= strcmp(name, implicit[i]) == 0;
    }
    return is_one;
}

static bool
has_contextual_field(const jfr_metadata *metadata, const jfr_type *type)
{
    bool has = false;
    for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
        has |= metadata->fields.items[i].is_contextual;
    }
    return has;
}

bool
compact_kinds_is_attribute(const jfr_metadata *metadata, uint32_t type, uint32_t field)
{
    LP_ASSERT(type < metadata->types.count);
    LP_ASSERT(field < metadata->fields.count);
    const jfr_field *f = &metadata->fields.items[field];
    bool is_chosen = has_contextual_field(metadata, &metadata->types.items[type])
                         ? f->is_contextual
                         : !is_implicit(jfr_metadata_text(metadata, f->name));
    return is_chosen && is_value(metadata, f);
}

void
compact_kinds_add_event(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type)
{
    compact_kinds_check(kinds);
    LP_ASSERT(type < metadata->types.count);
    const jfr_type *t = &metadata->types.items[type];
    compact_kind *kind = add_kind(kinds, jfr_metadata_text(metadata, t->name),
        jfr_metadata_find_annotation(metadata, t->element, "jdk.jfr.Label"));
    for (uint32_t i = 0; kind != NULL && i < t->field_count; i++) {
        if (!compact_kinds_is_attribute(metadata, type, t->field_begin + i)) {
            continue;
        }
        const jfr_field *field = &metadata->fields.items[t->field_begin + i];
        bool is_reference = field->is_constant && !is_one_text(metadata, field->type);
        const compact_attribute attribute = {
            .name = jfr_metadata_text(metadata, field->name),
            .label = jfr_metadata_find_annotation(metadata, field->element, "jdk.jfr.Label"),
            .description =
                jfr_metadata_find_annotation(metadata, field->element, "jdk.jfr.Description"),
            .reference = is_reference ? type_name_of(metadata, field) : NULL,
            .number = number_of(kinds, value_of(metadata, field)),
        };
        add_attribute(kinds, kind, attribute);
    }
}

void
compact_kinds_widen(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type)
{
    compact_kinds_check(kinds);
    LP_ASSERT(type < metadata->types.count);
    const jfr_type *t = &metadata->types.items[type];
    uint32_t index = compact_kinds_find(kinds, jfr_metadata_text(metadata, t->name));
    if (index == COMPACT_KINDS_MAX) {
        return;
    }
    compact_kind *kind = &kinds->items.items[index];
    for (size_t i = 0; i < kind->attribute_count; i++) {
        compact_attribute *attribute = &kind->attributes[i];
        uint32_t at = jfr_metadata_find_field(metadata, t, attribute->name);
        const jfr_field *field = at == JFR_NONE ? NULL : &metadata->fields.items[at];
        if (field != NULL && is_value(metadata, field) &&
            number_of(kinds, value_of(metadata, field)) != attribute->number) {
            attribute->number = 0;
        }
    }
}

// --- How events are read

// reading_of returns how to read field as attribute; is_there is false if they do not fit.
static struct compact_reading_value
reading_of(const compact_attribute *attribute, const jfr_metadata *metadata, const jfr_field *field)
{
    struct compact_reading_value value = {
        .pool = field->is_constant ? field->type : (uint32_t)JFR_NONE,
    };
    bool has_value = attribute->reference == NULL;
    bool is_text = has_value && attribute->number == 0;
    if (!field->is_constant) {
        value.is_there = primitive_of(metadata, field->type, &value.primitive) &&
                         (is_text || (has_value && compact_attribute_number(value.primitive) ==
                                                       attribute->number));
    } else if (is_one_text(metadata, field->type)) {
        value.is_there = is_text;
    } else {
        value.is_reference = true;
        value.is_there =
            !has_value && strcmp(attribute->reference, type_name_of(metadata, field)) == 0;
    }
    return value;
}

compact_reading
compact_reading_make(
    const compact_kind *kind, const jfr_metadata *metadata, uint32_t type, const jfr_pools *pools)
{
    LP_ASSERT(type < metadata->types.count);
    LP_ASSERT(kind->attribute_count <= COMPACT_KIND_ATTRIBUTES_MAX);
    compact_reading reading = {.pools = pools};
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        uint32_t index =
            jfr_metadata_find_field(metadata, &metadata->types.items[type], attribute->name);
        if (index == JFR_NONE || !is_value(metadata, &metadata->fields.items[index])) {
            continue;
        }
        reading.values[i] = reading_of(attribute, metadata, &metadata->fields.items[index]);
        reading.values[i].before = jfr_layout_before(pools->layout, type, index);
    }
    return reading;
}
