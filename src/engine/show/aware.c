// SPDX-License-Identifier: Apache-2.0
#include "engine/show/aware.h"

#include <string.h>

policy_with_context
compact_aware_annotated(const jfr_metadata *metadata, uint32_t type)
{
    policy_with_context said = POLICY_WITH_CONTEXT_UNSAID;
    uint32_t child = metadata->elements.items[metadata->types.items[type].element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (jfr_metadata_annotation_of(metadata, child) == JFR_ANNOTATION_CONTEXT_AWARE) {
            const char *value = jfr_metadata_find_attribute(metadata, child, "value");
            bool is_no = value != NULL && strcmp(value, "false") == 0;
            said = is_no ? POLICY_WITH_CONTEXT_NO : POLICY_WITH_CONTEXT_YES;
        }
    }
    return said;
}

// said_of returns the setting of an event type: by the policy, or else by annotations.
static policy_with_context
said_of(const compact_schema *schema, uint32_t type)
{
    policy_with_context said = schema->plans[type].with_context;
    return said == POLICY_WITH_CONTEXT_UNSAID ? compact_aware_annotated(&schema->metadata, type)
                                              : said;
}

static bool
is_of_jvm(const compact_schema *schema, uint32_t type)
{
    const jfr_metadata *metadata = &schema->metadata;
    return strncmp(jfr_metadata_text(metadata, metadata->types.items[type].name), "jdk.", 4) == 0;
}

void
compact_aware_add(compact_aware *aware, const compact_schema *schema)
{
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        if (schema->metadata.types.items[i].is_event &&
            said_of(schema, i) == POLICY_WITH_CONTEXT_YES) {
            bool is_jvm = is_of_jvm(schema, i);
            aware->is_chosen_of_jvm |= is_jvm;
            aware->is_chosen_of_others |= !is_jvm;
        }
    }
}

bool
compact_aware_shows(const compact_aware *aware, const compact_schema *schema, uint32_t type)
{
    policy_with_context said = said_of(schema, type);
    bool is_chosen = is_of_jvm(schema, type) ? aware->is_chosen_of_jvm : aware->is_chosen_of_others;
    return said == POLICY_WITH_CONTEXT_YES || (said == POLICY_WITH_CONTEXT_UNSAID && !is_chosen);
}
