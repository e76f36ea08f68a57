// SPDX-License-Identifier: Apache-2.0
#include "engine/write/attribute_events.h"

#include "common/jfr/jfr_string.h"
#include "engine/write/describe.h"
#include "engine/write/own_class.h"
#include "engine/write/type_ids.h"

#include <string.h>

static const compact_own_field fields[] = {
    {"startTime", "long", "Start Time"},
    {"contextType", "java.lang.String", "Context Type"},
    {"attribute", "java.lang.String", "Attribute"},
    {"type", "java.lang.String", "Type"},
    {"field", "java.lang.String", "Field"},
    {"label", "java.lang.String", "Label"},
    {"description", "java.lang.String", "Description"},
};

static const compact_own_class attribute_class = {
    .name = "dev.loupe.ContextAttribute",
    .label = "Context Attribute",
    .description = "An attribute of contexts that the events of this chunk show. Field is the name "
                   "of the field that has it. An event type that has a field of that name already "
                   "has a number behind it: _2, _3 and so on.",
    .wanted_id = COMPACT_TYPE_IDS_ATTRIBUTE,
    .fields = fields,
    .field_count = sizeof(fields) / sizeof(fields[0]),
};

static void
append_text(lp_buf *payload, const char *text)
{
    text = text == NULL ? "" : text;
    jfr_string_append(payload, (lp_slice){(const uint8_t *)text, strlen(text)});
}

static void
append_column(
    compact_writer *w, uint64_t type_id, const jfr_chunk_info *info, const compact_column *column)
{
    const compact_attribute *attribute = column->attribute;
    lp_buf *payload = &w->scratch;
    lp_buf_clear(payload);
    jfr_varint_append(payload, (uint64_t)info->start_ticks);
    append_text(payload, column->kind);
    append_text(payload, attribute->name);
    append_text(payload, attribute->reference == NULL ? compact_describe_value_type(column->values)
                                                      : attribute->reference);
    append_text(payload, column->name);
    append_text(payload, column->label);
    append_text(payload, column->description);
    compact_writer_end_event(w, type_id);
}

void
compact_attribute_events_append(compact_writer *w, const jfr_chunk_info *info)
{
    const compact_columns *columns = w->style == NULL ? NULL : compact_style_columns(w->style);
    if (columns == NULL || columns->count == 0) {
        return;
    }
    uint64_t type_id = compact_own_class_add(&w->classes, &attribute_class);
    for (size_t i = 0; i < columns->count; i++) {
        append_column(w, type_id, info, &columns->items[i]);
    }
}
