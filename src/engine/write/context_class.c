// SPDX-License-Identifier: Apache-2.0
#include "engine/write/context_class.h"

#include "common/base/lp_buf.h"
#include "common/jfr/jfr_name.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
type_name_of(ctx_kind kind)
{
    switch (kind) {
    case CTX_BOOLEAN:
        return "boolean";
    case CTX_BYTE:
        return "byte";
    case CTX_CHAR:
        return "char";
    case CTX_SHORT:
        return "short";
    case CTX_INT:
        return "int";
    case CTX_LONG:
        return "long";
    case CTX_FLOAT:
        return "float";
    case CTX_DOUBLE:
        return "double";
    case CTX_STRING:
    case CTX_HEX:
        break;
    }
    return "java.lang.String";
}

// add_implicit_fields adds what every context event has before its attributes.
static lp_err
add_implicit_fields(compact_classes *classes, uint32_t class)
{
    uint32_t field;
    lp_err err =
        compact_describe_labelled_field(classes, class, "startTime", "long", "Start Time", &field);
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, field, "jdk.jfr.Timestamp", "TICKS");
    }
    if (err == LP_OK) {
        err =
            compact_describe_labelled_field(classes, class, "duration", "long", "Duration", &field);
    }
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, field, "jdk.jfr.Timespan", "TICKS");
    }
    if (err == LP_OK) {
        err = compact_describe_labelled_field(
            classes, class, "eventThread", "java.lang.Thread", "Event Thread", &field);
    }
    if (err == LP_OK) {
        err = compact_describe_labelled_field(
            classes, class, "contextId", "long", "Context Id", &field);
    }
    return err;
}

// is_taken says whether attribute index cannot have its own name as a field: a reader finds only
// one field of a name.
static bool
is_taken(const ctx_type *context, size_t index)
{
    static const char *const implicit[] = {
        "startTime", "duration", "eventThread", "stackTrace", "contextId"};
    const char *name = context->attributes[index].name;
    for (size_t i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
        if (strcmp(name, implicit[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < index; i++) {
        if (strcmp(name, context->attributes[i].name) == 0) {
            return true;
        }
    }
    return false;
}

static lp_err
add_attribute(compact_classes *classes, uint32_t class, const ctx_type *context, size_t index)
{
    const ctx_attribute *attribute = &context->attributes[index];
    const char *label = attribute->label;
    char *other_name = NULL;
    if (is_taken(context, index)) {
        if (asprintf(&other_name, "%s_%zu", attribute->name, index + 1) < 0) {
            return LP_ENOMEM;
        }
        label = label[0] == '\0' ? attribute->name : label;
    }
    uint32_t field;
    lp_err err = compact_describe_labelled_field(classes, class,
        other_name == NULL ? attribute->name : other_name, type_name_of(attribute->kind), label,
        &field);
    free(other_name);
    if (err == LP_OK && attribute->description[0] != '\0') {
        err = compact_describe_annotation(
            classes, field, "jdk.jfr.Description", attribute->description);
    }
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, field, "jdk.jfr.Contextual", NULL);
    }
    return err;
}

// add_context_class makes the class of a context type, under a name that Java allows.
static lp_err
add_context_class(
    compact_classes *classes, const ctx_type *context, uint64_t *out_id, uint32_t *out_class)
{
    lp_buf name = {0};
    jfr_type_name_append(&name, context->name);
    lp_buf_append(&name, "", 1);
    lp_err err = lp_buf_check(&name);
    if (err == LP_OK) {
        uint64_t id = context->is_recording
                          ? (uint64_t)COMPACT_TYPE_IDS_RECORDINGS + context->attribute_count +
                                (uint64_t)context->id * COMPACT_TYPE_IDS_KEY_COUNTS
                          : (uint64_t)COMPACT_TYPE_IDS_CONTEXTS + context->id;
        err = compact_classes_add_class(
            classes, (const char *)name.ptr, COMPACT_CLASSES_EVENT, id, out_id, out_class);
    }
    bool is_changed = err == LP_OK && strcmp((const char *)name.ptr, context->name) != 0;
    lp_buf_fini(&name);
    const char *label = context->label[0] == '\0' && is_changed ? context->name : context->label;
    if (err == LP_OK && label[0] != '\0') {
        err = compact_describe_annotation(classes, *out_class, "jdk.jfr.Label", label);
    }
    if (err == LP_OK && context->description[0] != '\0') {
        err = compact_describe_annotation(
            classes, *out_class, "jdk.jfr.Description", context->description);
    }
    return err;
}

lp_err
compact_context_class_add(compact_classes *classes, const ctx_type *context, uint64_t *out_id)
{
    uint32_t class;
    lp_err err = add_context_class(classes, context, out_id, &class);
    if (err == LP_OK) {
        err = add_implicit_fields(classes, class);
    }
    for (size_t i = 0; i < context->attribute_count && err == LP_OK; i++) {
        err = add_attribute(classes, class, context, i);
    }
    return err;
}
