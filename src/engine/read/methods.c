// SPDX-License-Identifier: Apache-2.0
#include "engine/read/methods.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_string.h"

compact_methods_field
compact_methods_field_of(const compact_view *view, uint32_t type, const char *name)
{
    compact_view_check(view);
    LP_ASSERT(type < view->schema->metadata.types.count);
    const compact_schema *schema = view->schema;
    uint32_t field =
        jfr_metadata_find_field(&schema->metadata, &schema->metadata.types.items[type], name);
    const jfr_field *f = field == JFR_NONE ? NULL : &schema->metadata.fields.items[field];
    if (f == NULL || f->type == JFR_NONE || !f->is_constant || f->is_array) {
        return (compact_methods_field){.type = JFR_NONE};
    }
    return (compact_methods_field){f->type, jfr_layout_before(&schema->layout, type, field)};
}

compact_methods
compact_methods_find(const compact_view *view, uint32_t type)
{
    compact_view_check(view);
    compact_methods methods = {
        .type = type,
        .class = compact_methods_field_of(view, type, "type"),
        .name = compact_methods_field_of(view, type, "name"),
        .class_name = {.type = JFR_NONE},
    };
    if (methods.class.type != JFR_NONE) {
        methods.class_name = compact_methods_field_of(view, methods.class.type, "name");
    }
    methods.is_whole = methods.name.type != JFR_NONE && methods.class_name.type != JFR_NONE;
    return methods;
}

static const jfr_constant *
find_constant(
    const compact_view *view, const compact_methods_field *field, const jfr_constant *constant)
{
    jfr_cursor cursor = compact_view_value(view, constant);
    uint64_t key;
    bool is_there = jfr_layout_walk(&view->schema->layout, field->before, &cursor) &&
                    jfr_varint_read(&cursor, &key);
    return is_there ? jfr_pools_find(&view->pools, field->type, key) : NULL;
}

static void
append_symbol(const compact_view *view, uint32_t type, const jfr_constant *constant, lp_buf *out)
{
    if (constant == NULL) {
        return;
    }
    jfr_cursor cursor = compact_view_value(view, constant);
    jfr_cursor text = cursor;
    uint32_t string = view->schema->layout.string_type;
    uint64_t string_key;
    bool is_constant = text.at < text.end && *text.at == JFR_STRING_CONSTANT;
    if (is_constant && type != string && string != JFR_NONE &&
        jfr_string_skip(&text, &string_key)) {
        append_symbol(view, string, jfr_pools_find(&view->pools, string, string_key), out);
    } else if (!is_constant) {
        (void)jfr_string_read_utf8(&cursor, out);
    }
}

static const jfr_constant *
method_at(const compact_view *view, const compact_methods *methods, uint32_t index)
{
    return &view->pools.pools[methods->type].constants.items[index];
}

void
compact_methods_append_class(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out)
{
    const jfr_constant *class =
        methods->is_whole ? find_constant(view, &methods->class, method_at(view, methods, index))
                          : NULL;
    size_t begin = out->len;
    if (class == NULL) {
        return;
    }
    append_symbol(
        view, methods->class_name.type, find_constant(view, &methods->class_name, class), out);
    for (size_t i = begin; i < out->len; i++) {
        out->ptr[i] = out->ptr[i] == '/' ? '.' : out->ptr[i];
    }
}

void
compact_methods_append_name(
    const compact_view *view, const compact_methods *methods, uint32_t index, lp_buf *out)
{
    if (methods->is_whole) {
        append_symbol(view, methods->name.type,
            find_constant(view, &methods->name, method_at(view, methods, index)), out);
    }
}

// --- Traced methods

compact_traced
compact_traced_find(const compact_view *view, uint32_t type, const char *name_or_null)
{
    LP_ASSERT(type < view->schema->metadata.types.count);
    compact_traced traced = {.method = {.type = JFR_NONE}};
    if (name_or_null != NULL) {
        traced.method = compact_methods_field_of(view, type, name_or_null);
    }
    if (traced.method.type != JFR_NONE) {
        traced.methods = compact_methods_find(view, traced.method.type);
    }
    return traced;
}

time_category
compact_traced_category(
    const compact_view *view, const compact_traced *traced, jfr_cursor payload, lp_buf *text)
{
    uint64_t key;
    if (traced->method.type == JFR_NONE ||
        !jfr_layout_walk(&view->schema->layout, traced->method.before, &payload) ||
        !jfr_varint_read(&payload, &key)) {
        return TIME_OTHER;
    }
    uint32_t index = jfr_pools_find_index(&view->pools, traced->method.type, key);
    if (index == LP_MAP_NONE) {
        return TIME_OTHER;
    }
    lp_buf_clear(text);
    compact_methods_append_class(view, &traced->methods, index, text);
    lp_buf_append(text, ".", 1);
    compact_methods_append_name(view, &traced->methods, index, text);
    lp_buf_append(text, "", 1); // ends it
    return text->is_failed ? TIME_OTHER : time_category_of_method((const char *)text->ptr);
}
