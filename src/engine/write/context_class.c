// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/write/test_classes.c
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/jfr/jfr_name.h"
#include "engine/read/kinds.h"
#include "engine/read/text.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <string.h>

// is_taken returns whether another field has the name of the attribute at index: readers find only
// one field of a name.
static bool
is_taken(const ctx_type *context, size_t index)
{
    static const char *const implicit[] = {
        "startTime", "duration", "eventThread", "stackTrace", "contextId"};
    const char *name = context->attributes[index].name;
    bool is_one = false;
    for (size_t i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
        is_one |= strcmp(name, implicit[i]) == 0;
    }
    for (size_t i = 0; i < index; i++) {
        is_one |= strcmp(name, context->attributes[i].name) == 0;
    }
    return is_one;
}

static void
add_attribute(compact_classes *classes, uint32_t class, const ctx_type *context, size_t index)
{
    LP_ASSERT(index < context->attribute_count);
    const ctx_attribute *attribute = &context->attributes[index];
    const char *name = attribute->name;
    const char *label = attribute->label;
    if (is_taken(context, index)) {
        name = lp_arena_print(classes->arena, "%s_%zu", attribute->name, index + 1);
        label = label[0] == '\0' ? attribute->name : label;
    }
    uint32_t field = compact_describe_labelled_field(
        classes, class, name, compact_kinds_type_name(attribute->kind), label);
    if (attribute->description[0] != '\0') {
        compact_describe_annotation(classes, field, "jdk.jfr.Description", attribute->description);
    }
    compact_describe_annotation(classes, field, "jdk.jfr.Contextual", NULL);
}

static uint64_t
id_of(const ctx_type *context)
{
    return context->is_recording
               ? (uint64_t)COMPACT_TYPE_IDS_RECORDINGS + context->attribute_count +
                     (uint64_t)context->id * COMPACT_TYPE_IDS_KEY_COUNTS
               : (uint64_t)COMPACT_TYPE_IDS_CONTEXTS + context->id;
}

const char *
compact_context_class_name(lp_arena *arena, const ctx_type *context)
{
    lp_buf name = {0};
    jfr_type_name_append(&name, context->name);
    return compact_text_take(&name, arena);
}

uint64_t
compact_context_class_add(compact_classes *classes, const ctx_type *context)
{
    compact_classes_check(classes);
    uint64_t id;
    const char *name = compact_context_class_name(classes->arena, context);
    uint32_t class = compact_classes_add(classes, name, COMPACT_CLASSES_EVENT, id_of(context), &id);
    bool is_changed = strcmp(name, context->name) != 0;
    const char *label = context->label[0] == '\0' && is_changed ? context->name : context->label;
    if (label[0] != '\0') {
        compact_describe_annotation(classes, class, "jdk.jfr.Label", label);
    }
    if (context->description[0] != '\0') {
        compact_describe_annotation(classes, class, "jdk.jfr.Description", context->description);
    }
    compact_describe_event_fields(classes, class);
    (void)compact_describe_labelled_field(classes, class, "contextId", "long", "Context Id");
    for (size_t i = 0; i < context->attribute_count; i++) {
        add_attribute(classes, class, context, i);
    }
    if (context->attribute_count == 0) { // RecordingContexts of a session without keys
        compact_describe_annotation(classes, class, "jdk.jfr.Contextual", NULL);
    }
    return id;
}
