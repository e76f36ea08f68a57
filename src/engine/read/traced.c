// SPDX-License-Identifier: Apache-2.0
#include "engine/read/traced.h"

#include "common/base/lp_assert.h"

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
