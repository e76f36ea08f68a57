// SPDX-License-Identifier: Apache-2.0
#include "engine/write/describe.h"

#include <string.h>

uint32_t
compact_describe_field_of(
    compact_classes *classes, uint32_t class, const char *name, uint64_t type_id, bool is_constant)
{
    jfr_metadata_id id_attribute = jfr_metadata_id_text(type_id);
    const char *attributes[] = {"name", name, "class", id_attribute.text, "constantPool", "true"};
    return compact_classes_append_element(classes, class, "field", attributes, is_constant ? 3 : 2);
}

uint32_t
compact_describe_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, bool is_constant)
{
    uint64_t id = compact_classes_use_named(classes, type_name, NULL);
    return compact_describe_field_of(classes, class, name, id, is_constant);
}

void
compact_describe_annotation(
    compact_classes *classes, uint32_t parent, const char *type_name, const char *value)
{
    size_t place = classes->added.count;
    uint64_t id = compact_classes_use_named(classes, type_name, COMPACT_CLASSES_ANNOTATION);
    if (value != NULL && place < classes->added.count) {
        (void)compact_describe_field(
            classes, classes->added.items[place].element, "value", "java.lang.String", false);
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value", value};
    (void)compact_classes_append_element(
        classes, parent, "annotation", attributes, value == NULL ? 1 : 2);
}

uint32_t
compact_describe_labelled_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, const char *label)
{
    bool is_constant = strcmp(type_name, "java.lang.Thread") == 0;
    uint32_t field = compact_describe_field(classes, class, name, type_name, is_constant);
    if (label[0] != '\0') {
        compact_describe_annotation(classes, field, "jdk.jfr.Label", label);
    }
    return field;
}

void
compact_describe_fields(
    compact_classes *classes, uint32_t class, const compact_described_field *fields, size_t count)
{
    compact_classes_check(classes);
    for (const compact_described_field *from = fields; from < fields + count; from++) {
        uint32_t field =
            compact_describe_labelled_field(classes, class, from->name, from->type, from->label);
        if (from->timespan != NULL) {
            compact_describe_annotation(classes, field, "jdk.jfr.Timespan", from->timespan);
        }
        if (from->timestamp != NULL) {
            compact_describe_annotation(classes, field, "jdk.jfr.Timestamp", from->timestamp);
        }
        if (from->is_contextual) {
            compact_describe_annotation(classes, field, "jdk.jfr.Contextual", NULL);
        }
    }
}

void
compact_describe_event_fields(compact_classes *classes, uint32_t class)
{
    static const compact_described_field fields[] = {
        {"startTime", "long", "Start Time", .timestamp = "TICKS"},
        {"duration", "long", "Duration", .timespan = "TICKS"},
        {"eventThread", "java.lang.Thread", "Event Thread"},
    };
    compact_describe_fields(classes, class, fields, sizeof(fields) / sizeof(fields[0]));
}
