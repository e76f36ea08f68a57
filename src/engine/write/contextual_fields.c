// SPDX-License-Identifier: Apache-2.0
#include "engine/write/contextual_fields.h"

#include "engine/read/kinds.h"
#include "engine/write/describe.h"

static const char contextual[] = "jdk.jfr.Contextual";

static bool
is_marked(const jfr_metadata *metadata, uint32_t element)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_annotation(metadata, child, contextual)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child != JFR_NONE;
}

void
compact_contextual_fields_mark(
    compact_classes *classes, const compact_schema *schema, uint32_t type)
{
    if (schema->plans[type].rule != COMPACT_RULE_CONTEXTUAL) {
        return;
    }
    const jfr_metadata *metadata = &schema->metadata;
    const jfr_type *t = &metadata->types.items[type];
    for (uint32_t i = t->field_begin; i < t->field_begin + t->field_count; i++) {
        uint32_t element = metadata->fields.items[i].element;
        if (compact_kinds_is_attribute(metadata, type, i) && !is_marked(metadata, element)) {
            compact_describe_annotation(classes, element, contextual, NULL);
        }
    }
}
