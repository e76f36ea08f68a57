// SPDX-License-Identifier: Apache-2.0
#include "engine/read/kinds.h"

#include <stdlib.h>
#include <string.h>

// --- Kinds and attributes

static void
fini_attribute(compact_attribute *attribute)
{
    free(attribute->name);
    free(attribute->label);
    free(attribute->description);
    free(attribute->reference);
}

void
compact_kinds_fini(compact_kinds *kinds)
{
    for (size_t i = 0; i < kinds->items.count; i++) {
        compact_kind *kind = &kinds->items.items[i];
        for (size_t k = 0; k < kind->attribute_count; k++) {
            fini_attribute(&kind->attributes[k]);
        }
        free(kind->name);
        free(kind->label);
    }
    LP_VEC_FINI(&kinds->items);
}

uint32_t
compact_kinds_find(const compact_kinds *kinds, const char *type_name)
{
    for (size_t i = 0; i < kinds->items.count; i++) {
        if (strcmp(kinds->items.items[i].name, type_name) == 0) {
            return (uint32_t)i;
        }
    }
    return COMPACT_KINDS_MAX;
}

static int
compare_kinds(const void *a, const void *b)
{
    return strcmp(((const compact_kind *)a)->name, ((const compact_kind *)b)->name);
}

void
compact_kinds_sort(compact_kinds *kinds)
{
    if (kinds->items.count > 0) {
        qsort(kinds->items.items, kinds->items.count, sizeof(compact_kind), compare_kinds);
    }
}

// add_kind makes the kind of this name. *out_kind is NULL where there is one already, or too many.
static lp_err
add_kind(compact_kinds *kinds, const char *name, const char *label, compact_kind **out_kind)
{
    *out_kind = NULL;
    if (kinds->items.count == COMPACT_KINDS_MAX ||
        compact_kinds_find(kinds, name) != COMPACT_KINDS_MAX) {
        return LP_OK;
    }
    compact_kind *kind = LP_VEC_PUSH(&kinds->items);
    if (kind == NULL) {
        return LP_ENOMEM;
    }
    kind->name = strdup(name);
    kind->label = strdup(label);
    *out_kind = kind;
    return kind->name == NULL || kind->label == NULL ? LP_ENOMEM : LP_OK;
}

static const char *
text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

// add_attribute passes over what is over the limit.
static lp_err
add_attribute(compact_kind *kind, const char *name, const char *label, const char *description,
    const char *reference)
{
    if (kind->attribute_count == COMPACT_KIND_ATTRIBUTES_MAX) {
        return LP_OK;
    }
    compact_attribute *attribute = &kind->attributes[kind->attribute_count++];
    *attribute = (compact_attribute){
        .name = strdup(name),
        .label = strdup(text_or_empty(label)),
        .description = strdup(text_or_empty(description)),
        .reference = reference == NULL ? NULL : strdup(reference),
    };
    bool is_whole = attribute->name != NULL && attribute->label != NULL &&
                    attribute->description != NULL &&
                    (reference == NULL || attribute->reference != NULL);
    return is_whole ? LP_OK : LP_ENOMEM;
}

lp_err
compact_kinds_add_context(compact_kinds *kinds, const ctx_type *type)
{
    compact_kind *kind;
    lp_err err = add_kind(kinds, type->name, type->label, &kind);
    for (size_t i = 0; kind != NULL && i < type->attribute_count && err == LP_OK; i++) {
        const ctx_attribute *attribute = &type->attributes[i];
        err = add_attribute(kind, attribute->name, attribute->label, attribute->description, NULL);
    }
    return err;
}

lp_err
compact_kinds_add_copy(compact_kinds *kinds, const compact_kind *kind)
{
    compact_kind *copy;
    lp_err err = add_kind(kinds, kind->name, kind->label, &copy);
    for (size_t i = 0; copy != NULL && i < kind->attribute_count && err == LP_OK; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        err = add_attribute(
            copy, attribute->name, attribute->label, attribute->description, attribute->reference);
    }
    return err;
}

// primitive_of says which primitive, or String, a type is.
static bool
primitive_of(const jfr_metadata *metadata, uint32_t type, ctx_kind *out_primitive)
{
    static const struct {
        const char *name;
        ctx_kind kind;
    } primitives[] = {
        {"boolean", CTX_BOOLEAN},
        {"byte", CTX_BYTE},
        {"char", CTX_CHAR},
        {"short", CTX_SHORT},
        {"int", CTX_INT},
        {"long", CTX_LONG},
        {"float", CTX_FLOAT},
        {"double", CTX_DOUBLE},
        {"java.lang.String", CTX_STRING},
    };
    const char *name = jfr_metadata_text(metadata, metadata->types.items[type].name);
    for (size_t i = 0; i < sizeof(primitives) / sizeof(primitives[0]); i++) {
        if (strcmp(name, primitives[i].name) == 0) {
            *out_primitive = primitives[i].kind;
            return true;
        }
    }
    return false;
}

// is_one_text says whether constants of a type are texts: strings, and those whose only field is
// one, as in all enumerations of a JVM.
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

// is_value says whether a field can be an attribute.
static bool
is_value(const jfr_metadata *metadata, const jfr_field *field)
{
    ctx_kind primitive;
    return field->type != JFR_NONE && !field->is_array &&
           (field->is_constant || primitive_of(metadata, field->type, &primitive));
}

static const char *
type_name_of(const jfr_metadata *metadata, const jfr_field *field)
{
    return jfr_metadata_text(metadata, metadata->types.items[field->type].name);
}

static bool
is_implicit(const char *name)
{
    static const char *const implicit[] = {"startTime", "duration", "eventThread", "stackTrace"};
    for (size_t i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
        if (strcmp(name, implicit[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool
has_contextual_field(const jfr_metadata *metadata, const jfr_type *type)
{
    for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
        if (metadata->fields.items[i].is_contextual) {
            return true;
        }
    }
    return false;
}

lp_err
compact_kinds_add_event(compact_kinds *kinds, const jfr_metadata *metadata, uint32_t type)
{
    const jfr_type *t = &metadata->types.items[type];
    compact_kind *kind;
    lp_err err = add_kind(kinds, jfr_metadata_text(metadata, t->name),
        text_or_empty(jfr_metadata_find_annotation(metadata, t->element, "jdk.jfr.Label")), &kind);
    if (err != LP_OK || kind == NULL) {
        return err;
    }
    bool takes_all = !has_contextual_field(metadata, t);
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count && err == LP_OK; i++) {
        const jfr_field *field = &metadata->fields.items[i];
        const char *name = jfr_metadata_text(metadata, field->name);
        if (!is_value(metadata, field) ||
            !(takes_all ? !is_implicit(name) : field->is_contextual)) {
            continue;
        }
        const char *reference = field->is_constant && !is_one_text(metadata, field->type)
                                    ? type_name_of(metadata, field)
                                    : NULL;
        err = add_attribute(kind, name,
            jfr_metadata_find_annotation(metadata, field->element, "jdk.jfr.Label"),
            jfr_metadata_find_annotation(metadata, field->element, "jdk.jfr.Description"),
            reference);
    }
    return err;
}

// --- How events are read

// reading_of says how field is read as attribute; where they do not fit, it is not there.
static struct compact_reading_value
reading_of(const compact_attribute *attribute, const jfr_metadata *metadata, const jfr_field *field)
{
    struct compact_reading_value value = {
        .pool = field->is_constant ? field->type : (uint32_t)JFR_NONE,
    };
    bool is_text = attribute->reference == NULL;
    if (!field->is_constant) {
        value.is_there = is_text && primitive_of(metadata, field->type, &value.primitive);
    } else if (is_one_text(metadata, field->type)) {
        value.is_there = is_text;
    } else {
        value.is_reference = true;
        value.is_there =
            !is_text && strcmp(attribute->reference, type_name_of(metadata, field)) == 0;
    }
    return value;
}

compact_reading
compact_reading_make(
    const compact_kind *kind, const jfr_metadata *metadata, uint32_t type, const jfr_pools *pools)
{
    compact_reading reading = {.pools = pools};
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const compact_attribute *attribute = &kind->attributes[i];
        uint32_t index =
            jfr_metadata_find_field(metadata, &metadata->types.items[type], attribute->name);
        if (index == JFR_NONE || !is_value(metadata, &metadata->fields.items[index])) {
            continue;
        }
        reading.values[i] = reading_of(attribute, metadata, &metadata->fields.items[index]);
        reading.values[i].before = (jfr_program){
            .begin = pools->layout->types.items[type].begin,
            .end = pools->layout->field_ops.items[index],
        };
    }
    return reading;
}
