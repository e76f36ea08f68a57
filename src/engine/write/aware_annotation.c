// SPDX-License-Identifier: Apache-2.0
#include "engine/write/aware_annotation.h"

#include "engine/show/aware.h"
#include "engine/write/describe.h"

void
compact_aware_annotation_add(compact_classes *classes, const compact_schema *schema, uint32_t type)
{
    policy_with_context said = schema->plans[type].with_context;
    if (said != POLICY_WITH_CONTEXT_UNSAID &&
        said != compact_aware_annotated(&schema->metadata, type)) {
        compact_describe_annotation(classes, schema->metadata.types.items[type].element,
            "dev.loupe.jfr.ContextAware", said == POLICY_WITH_CONTEXT_YES ? "true" : "false");
    }
}
