// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/show/test_style.c
#include "engine/contexts/contexts.h"
#include "engine/read/kind_values.h"

#include <string.h>

static void
append_record_value(
    const compact_attribute *attribute, const compact_value *value, ctx_kind primitive, lp_buf *out)
{
    bool is_number = attribute->number != 0;
    if (value->is_null || (is_number && compact_attribute_number(primitive) != attribute->number)) {
        compact_kind_append_null(out);
    } else if (is_number) {
        compact_kind_append_number(primitive, value->bits, out);
    } else if (primitive != CTX_STRING) {
        compact_kind_append_bits(primitive, value->bits, out);
    } else {
        lp_buf utf8 = {0};
        compact_value_append_utf8(value, &utf8);
        compact_kind_append_text(out, &utf8);
        lp_buf_fini(&utf8);
    }
}

// find_attribute returns the index in type of an attribute of the kind, or type->attribute_count.
static size_t
find_attribute(const compact_kind *kind, size_t index, const ctx_type *type)
{
    const compact_attribute *attribute = &kind->attributes[index];
    if (attribute->reference != NULL) {
        return type->attribute_count;
    }
    if (index < type->attribute_count &&
        strcmp(type->attributes[index].name, attribute->name) == 0) { // names may repeat
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
            compact_kind_append_null(out);
        } else {
            append_record_value(&kind->attributes[i], &read[at], type->attributes[at].kind, out);
        }
    }
    return true;
}
