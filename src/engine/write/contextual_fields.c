// SPDX-License-Identifier: Apache-2.0
#include "engine/write/contextual_fields.h"

#include "engine/read/kinds.h"
#include "engine/write/describe.h"

static const char contextual[] = "jdk.jfr.Contextual";

static bool
has_mark(const jfr_metadata *metadata, uint32_t element)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_annotation(metadata, child, contextual)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child != JFR_NONE;
}

// mark_fields adds the annotation to the attributes of a type that lack it, and returns whether
// there are any attributes.
static bool
mark_fields(compact_classes *classes, const jfr_metadata *metadata, uint32_t type)
{
    const jfr_type *t = &metadata->types.items[type];
    bool has_attribute = false;
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count; i++) {
        uint32_t element = metadata->fields.items[i].element;
        if (!compact_kinds_is_attribute(metadata, type, i)) {
            continue;
        }
        has_attribute = true;
        if (!has_mark(metadata, element)) {
            compact_describe_annotation(classes, element, contextual, NULL);
        }
    }
    return has_attribute;
}

void
compact_contextual_fields_mark(
    compact_classes *classes, const compact_schema *schema, uint32_t type)
{
    const jfr_type *t = &schema->metadata.types.items[type];
    bool is_contextual = schema->plans[type].rule == COMPACT_RULE_CONTEXTUAL;
    bool is_marked = is_contextual && mark_fields(classes, &schema->metadata, type);
    bool is_read_so = t->is_contextual || (is_marked && !t->is_denied);
    if (is_read_so != is_contextual) {
        compact_describe_annotation(
            classes, t->element, "dev.loupe.jfr.Contextual", is_contextual ? "true" : "false");
    }
}
