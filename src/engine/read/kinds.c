// SPDX-License-Identifier: Apache-2.0
#include "engine/read/kinds.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/value.h"
#include "engine/read/text.h"

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

// --- Values of events

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

static void
append_null(lp_buf *out)
{
    const uint8_t null = JFR_STRING_NULL; // which is also key 0
    lp_buf_append(out, &null, 1);
}

static void
append_utf8(lp_buf *out, const lp_buf *utf8)
{
    lp_slice text = lp_buf_slice(utf8);
    text.len = compact_text_cut(text, CTX_VALUE_BYTES_MAX);
    jfr_string_append(out, text);
    out->is_failed |= utf8->is_failed;
}

// append_text appends the text at cursor: null where there is none, or a constant again.
static void
append_text(jfr_cursor cursor, lp_buf *out)
{
    lp_buf utf8 = {0};
    bool is_null = jfr_cursor_left(&cursor) > 0 && *cursor.at == JFR_STRING_NULL;
    if (!is_null && jfr_string_read_utf8(&cursor, &utf8)) {
        append_utf8(out, &utf8);
    } else {
        append_null(out);
    }
    lp_buf_fini(&utf8);
}

static jfr_cursor
value_of(const jfr_pools *pools, const jfr_constant *constant)
{
    const uint8_t *value = pools->chunk.ptr + constant->offset;
    return (jfr_cursor){value, value + constant->size_bytes};
}

// append_pooled appends a constant of the type java.lang.String.
static void
append_pooled(const jfr_pools *pools, uint64_t key, bool keeps_constants, lp_buf *out)
{
    uint32_t type = pools->layout->string_type;
    const jfr_constant *constant = type == JFR_NONE ? NULL : jfr_pools_find(pools, type, key);
    if (constant == NULL) {
        append_null(out);
    } else if (keeps_constants) {
        const uint8_t encoding = JFR_STRING_CONSTANT;
        lp_buf_append(out, &encoding, 1);
        jfr_varint_append(out, key);
    } else {
        append_text(value_of(pools, constant), out);
    }
}

// append_string appends the string at cursor, which may be a constant of pools.
static bool
append_string(const jfr_pools *pools, jfr_cursor *cursor, bool keeps_constants, lp_buf *out)
{
    jfr_cursor start = *cursor;
    uint64_t key;
    if (!jfr_string_skip(cursor, &key)) {
        return false;
    }
    if (*start.at == JFR_STRING_CONSTANT) {
        append_pooled(pools, key, keeps_constants, out);
    } else {
        append_text(start, out);
    }
    return true;
}

// append_constant appends what the constant of a type with one text (is_one_text) says.
static void
append_constant(
    const jfr_pools *pools, uint32_t type, uint64_t key, bool keeps_constants, lp_buf *out)
{
    if (type == pools->layout->string_type) {
        append_pooled(pools, key, keeps_constants, out);
        return;
    }
    const jfr_constant *constant = jfr_pools_find(pools, type, key);
    jfr_cursor cursor = constant == NULL ? (jfr_cursor){0} : value_of(pools, constant);
    if (constant == NULL || !append_string(pools, &cursor, keeps_constants, out)) {
        append_null(out);
    }
}

// read_bits gives a primitive as a context record has it (ctx_record.h).
static bool
read_bits(ctx_kind primitive, jfr_cursor *cursor, uint64_t *out_bits)
{
    size_t bytes = 0;
    switch (primitive) {
    case CTX_BOOLEAN:
    case CTX_BYTE:
        bytes = 1;
        break;
    case CTX_FLOAT:
        bytes = 4;
        break;
    case CTX_DOUBLE:
        bytes = 8;
        break;
    case CTX_CHAR:
    case CTX_SHORT:
    case CTX_INT:
    case CTX_LONG:
    case CTX_STRING:
    case CTX_HEX:
        return jfr_varint_read(cursor, out_bits);
    }
    if (jfr_cursor_left(cursor) < bytes) {
        return false;
    }
    *out_bits = 0;
    for (; bytes > 0; bytes--) {
        *out_bits = *out_bits << 8 | *cursor->at++;
    }
    return true;
}

static void
append_bits(ctx_kind primitive, uint64_t bits, lp_buf *out)
{
    lp_buf text = {0};
    float single;
    double value;
    switch (primitive) {
    case CTX_BOOLEAN:
        lp_buf_append(&text, (uint8_t)bits != 0 ? "true" : "false", (uint8_t)bits != 0 ? 4 : 5);
        break;
    case CTX_CHAR:
        compact_text_append_char(&text, (uint16_t)bits);
        break;
    case CTX_BYTE:
        compact_text_append_integer(&text, (int8_t)bits);
        break;
    case CTX_SHORT:
        compact_text_append_integer(&text, (int16_t)bits);
        break;
    case CTX_INT:
        compact_text_append_integer(&text, (int32_t)bits);
        break;
    case CTX_FLOAT:
        memcpy(&single, &(uint32_t){(uint32_t)bits}, sizeof(single));
        compact_text_append_float(&text, single);
        break;
    case CTX_DOUBLE:
        memcpy(&value, &bits, sizeof(value));
        compact_text_append_double(&text, value);
        break;
    case CTX_LONG:
    case CTX_STRING:
        compact_text_append_integer(&text, (int64_t)bits);
        break;
    case CTX_HEX:
        compact_text_append_hex(&text, bits);
        break;
    }
    append_utf8(out, &text);
    lp_buf_fini(&text);
}

static bool
append_value(const compact_reading *reading, const struct compact_reading_value *value,
    jfr_cursor *cursor, bool keeps_constants, lp_buf *out)
{
    bool is_constant = value->pool != JFR_NONE;
    if (!is_constant && value->primitive == CTX_STRING) {
        return append_string(reading->pools, cursor, keeps_constants, out);
    }
    uint64_t bits;
    bool is_whole =
        is_constant ? jfr_varint_read(cursor, &bits) : read_bits(value->primitive, cursor, &bits);
    if (!is_whole) {
        return false;
    }
    if (value->is_reference) {
        jfr_varint_append(out, bits);
    } else if (is_constant) {
        append_constant(reading->pools, value->pool, bits, keeps_constants, out);
    } else {
        append_bits(value->primitive, bits, out);
    }
    return true;
}

void
compact_kind_append_event(const compact_kind *kind, const compact_reading *reading,
    jfr_cursor payload, bool keeps_constants, lp_buf *out)
{
    for (size_t i = 0; i < kind->attribute_count; i++) {
        const struct compact_reading_value *value = &reading->values[i];
        jfr_cursor cursor = payload;
        if (!value->is_there || !jfr_layout_walk(reading->pools->layout, value->before, &cursor) ||
            !append_value(reading, value, &cursor, keeps_constants, out)) {
            append_null(out);
        }
    }
}

void
compact_kind_append_nulls(const compact_kind *kind, lp_buf *out)
{
    for (size_t i = 0; i < kind->attribute_count; i++) {
        append_null(out);
    }
}

lp_slice
compact_kind_next_value(const compact_attribute *attribute, jfr_cursor *cursor, uint64_t *out_key)
{
    const uint8_t *begin = cursor->at;
    bool is_whole = attribute->reference == NULL ? jfr_string_skip(cursor, out_key)
                                                 : jfr_varint_read(cursor, out_key);
    LP_ASSERT(is_whole); // it was made here
    return (lp_slice){begin, (size_t)(cursor->at - begin)};
}

// --- Values of context records

static void
append_record_value(const compact_value *value, ctx_kind primitive, lp_buf *out)
{
    if (value->is_null) {
        append_null(out);
    } else if (primitive != CTX_STRING) {
        append_bits(primitive, value->bits, out);
    } else {
        lp_buf utf8 = {0};
        compact_value_append_utf8(value, &utf8);
        append_utf8(out, &utf8);
        lp_buf_fini(&utf8);
    }
}

// find_attribute gives where attribute index of the kind is in type, or type->attribute_count.
static size_t
find_attribute(const compact_kind *kind, size_t index, const ctx_type *type)
{
    const compact_attribute *attribute = &kind->attributes[index];
    if (attribute->reference != NULL) {
        return type->attribute_count;
    }
    if (index < type->attribute_count &&
        strcmp(type->attributes[index].name, attribute->name) == 0) { // names may be there twice
        return index;
    }
    size_t i = 0;
    while (i < type->attribute_count && strcmp(type->attributes[i].name, attribute->name) != 0) {
        i++;
    }
    return i;
}

bool
compact_kind_append_record(
    const compact_kind *kind, const ctx_type *type, compact_values values, lp_buf *out)
{
    compact_value read[CTX_RECORDING_KEYS_MAX];
    for (size_t i = 0; i < type->attribute_count; i++) {
        if (!compact_values_read(&values, type->attributes[i].kind, &read[i])) {
            compact_kind_append_nulls(kind, out);
            return false;
        }
    }
    for (size_t i = 0; i < kind->attribute_count; i++) {
        size_t at = find_attribute(kind, i, type);
        if (at == type->attribute_count) {
            append_null(out);
        } else {
            append_record_value(&read[at], type->attributes[at].kind, out);
        }
    }
    return true;
}
