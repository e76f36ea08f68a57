// SPDX-License-Identifier: Apache-2.0
#include "engine/write/types.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_name.h"
#include "common/jfr/jfr_string.h"
#include "engine/reason.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Ids of added types. HotSpot numbers types together with loaded classes, from 1; 2^27 classes
    // are out of reach, and the id still fits four bytes. They are the same in every chunk of a
    // session: the JDK's tools remember types by id over a whole file.
    HELPER_IDS = 1 << 27,         // plus the place in helpers
    STATE_ID = HELPER_IDS + 1023, // of what applies to an event
    // A version of Loupe with more reasons writes another type, maybe into the same file; and so
    // did
    // those that wrote an event for each event type, with the ids down to STATE_ID - 9.
    ACCOUNTING_ID = STATE_ID - COMPACT_REASON_COUNT - 1,
    CONTEXT_IDS = HELPER_IDS + 1024, // plus the id of the context type
    // Of context types that are RecordingContexts, plus KEYS_IDS times the id of the context type
    // and the number of their keys: of one session, as many are the same ones
    // (recordings.h).
    // JDK 25's `jfr print` knows the fields of contexts by the type's id over a whole file.
    RECORDING_IDS = CONTEXT_IDS + UINT16_MAX + 1,
    KEYS_IDS = CTX_RECORDING_KEYS_MAX + 1,
    SPARE_IDS = RECORDING_IDS + (UINT16_MAX + 1) * KEYS_IDS, // where the input uses one of those
};

static const char event_super[] = "jdk.jfr.Event";
static const char annotation_super[] = "java.lang.annotation.Annotation";

// Types that added ones need, and that the input may lack. New ones go to the end.
static const char *const helpers[] = {
    "java.lang.String",
    "java.lang.Thread",
    "boolean",
    "byte",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "jdk.jfr.Label",
    "jdk.jfr.Description",
    "jdk.jfr.Timestamp",
    "jdk.jfr.Timespan",
    "jdk.jfr.Contextual",
    "jdk.jfr.Category",
};

lp_err
compact_types_init(compact_types *types, const jfr_metadata *metadata, const compact_merge *merge)
{
    *types = (compact_types){
        .is_used = calloc(metadata->types.count + 1, sizeof(*types->is_used)),
        .spare_id = SPARE_IDS,
        .merge = merge,
    };
    jfr_metadata_init(&types->metadata);
    return types->is_used == NULL ? LP_ENOMEM : jfr_metadata_copy(metadata, &types->metadata);
}

void
compact_types_fini(compact_types *types)
{
    jfr_metadata_fini(&types->metadata);
    free(types->is_used);
    LP_VEC_FINI(&types->pending);
    LP_VEC_FINI(&types->added);
    LP_VEC_FINI(&types->found);
    *types = (compact_types){0};
}

lp_err
compact_types_use(compact_types *types, uint32_t type)
{
    if (types->is_used[type]) {
        return LP_OK;
    }
    uint32_t *pending = LP_VEC_PUSH(&types->pending);
    if (pending == NULL) {
        return LP_ENOMEM;
    }
    *pending = type;
    types->is_used[type] = true;
    return LP_OK;
}

static bool
is_taken_id(const compact_types *types, uint64_t id)
{
    return jfr_metadata_find_type(&types->metadata, id) != JFR_NONE ||
           (types->merge != NULL && compact_merge_has_type(types->merge, id));
}

// add_class makes a new class element. It gets the wanted id unless the input uses that.
static lp_err
add_class(compact_types *types, const char *name, const char *super, uint64_t wanted_id,
    uint64_t *out_id, uint32_t *out_element)
{
    uint64_t id = wanted_id;
    while (is_taken_id(types, id)) {
        id = types->spare_id++;
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"name", name, "id", id_attribute.text, "superType", super};
    uint32_t element = jfr_metadata_append_element(
        &types->metadata, JFR_NONE, "class", attributes, super == NULL ? 2 : 3);
    struct compact_types_added *added = LP_VEC_PUSH(&types->added);
    if (element == JFR_NONE || added == NULL) {
        return LP_ENOMEM;
    }
    *added = (struct compact_types_added){.id = id, .element = element};
    *out_id = id;
    *out_element = element;
    return LP_OK;
}

static lp_err append_field(compact_types *types, uint32_t class, const char *name,
    const char *type_name, bool is_constant, uint32_t *out_field);

static uint64_t
helper_id(const char *name)
{
    size_t i = 0;
    while (strcmp(helpers[i], name) != 0) {
        i++;
        LP_ASSERT(i < sizeof(helpers) / sizeof(helpers[0]));
    }
    return (uint64_t)HELPER_IDS + i;
}

// use_found takes type, which has this name, and remembers it.
static lp_err
use_found(compact_types *types, const char *name, uint32_t type)
{
    struct compact_types_found *found = LP_VEC_PUSH(&types->found);
    if (found == NULL) {
        return LP_ENOMEM;
    }
    *found = (struct compact_types_found){name, types->metadata.types.items[type].id};
    return compact_types_use(types, type);
}

// class_named gives the id of the class with this name, adding one where the input has none. It
// remembers the answer: a search through all types for each type with a sampledThread would take
// time without end where there are many.
static lp_err
class_named(compact_types *types, const char *name, const char *super, uint64_t *out_id)
{
    for (size_t i = 0; i < types->found.count; i++) {
        if (strcmp(types->found.items[i].name, name) == 0) {
            *out_id = types->found.items[i].id;
            return LP_OK;
        }
    }
    uint32_t type = jfr_metadata_find_type_named(&types->metadata, name);
    if (type != JFR_NONE) {
        *out_id = types->metadata.types.items[type].id;
        return use_found(types, name, type);
    }
    for (size_t i = 0; i < types->added.count; i++) {
        const char *added = types->added.items[i].name;
        if (added != NULL && strcmp(added, name) == 0) {
            *out_id = types->added.items[i].id;
            return LP_OK;
        }
    }
    uint32_t element;
    lp_err err = add_class(types, name, super, helper_id(name), out_id, &element);
    if (err == LP_OK) {
        types->added.items[types->added.count - 1].name = name;
    }
    return err;
}

// annotate adds an annotation with the member `value`, or none where value is NULL. Its type is
// made up where the input does not have it.
static lp_err
annotate(compact_types *types, uint32_t parent, const char *type_name, const char *value)
{
    uint64_t id;
    size_t added_before = types->added.count;
    lp_err err = class_named(types, type_name, annotation_super, &id);
    if (err != LP_OK) {
        return err;
    }
    if (value != NULL && types->added.count > added_before) {
        uint32_t field;
        err = append_field(types, types->added.items[types->added.count - 1].element, "value",
            "java.lang.String", false, &field);
        if (err != LP_OK) {
            return err;
        }
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value", value};
    uint32_t element = jfr_metadata_append_element(
        &types->metadata, parent, "annotation", attributes, value == NULL ? 1 : 2);
    return element == JFR_NONE ? LP_ENOMEM : LP_OK;
}

static lp_err
append_field_of(compact_types *types, uint32_t class, const char *name, uint64_t type_id,
    bool is_constant, uint32_t *out_field)
{
    jfr_metadata_id id_attribute = jfr_metadata_id_text(type_id);
    const char *attributes[] = {"name", name, "class", id_attribute.text, "constantPool", "true"};
    *out_field = jfr_metadata_append_element(
        &types->metadata, class, "field", attributes, is_constant ? 3 : 2);
    return *out_field == JFR_NONE ? LP_ENOMEM : LP_OK;
}

static lp_err
append_field(compact_types *types, uint32_t class, const char *name, const char *type_name,
    bool is_constant, uint32_t *out_field)
{
    uint64_t id;
    lp_err err = class_named(types, type_name, NULL, &id);
    return err != LP_OK ? err : append_field_of(types, class, name, id, is_constant, out_field);
}

static lp_err
append_labelled_field(compact_types *types, uint32_t class, const char *name, const char *type_name,
    const char *label, uint32_t *out_field)
{
    bool is_constant = strcmp(type_name, "java.lang.Thread") == 0;
    lp_err err = append_field(types, class, name, type_name, is_constant, out_field);
    if (err == LP_OK && label[0] != '\0') {
        err = annotate(types, *out_field, "jdk.jfr.Label", label);
    }
    return err;
}

lp_err
compact_types_add_event_thread(compact_types *types, uint32_t type)
{
    uint32_t field;
    return append_labelled_field(types, types->metadata.types.items[type].element, "eventThread",
        "java.lang.Thread", "Event Thread", &field);
}

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
add_implicit_fields(compact_types *types, uint32_t class)
{
    uint32_t field;
    lp_err err = append_labelled_field(types, class, "startTime", "long", "Start Time", &field);
    if (err == LP_OK) {
        err = annotate(types, field, "jdk.jfr.Timestamp", "TICKS");
    }
    if (err == LP_OK) {
        err = append_labelled_field(types, class, "duration", "long", "Duration", &field);
    }
    if (err == LP_OK) {
        err = annotate(types, field, "jdk.jfr.Timespan", "TICKS");
    }
    if (err == LP_OK) {
        err = append_labelled_field(
            types, class, "eventThread", "java.lang.Thread", "Event Thread", &field);
    }
    if (err == LP_OK) {
        err = append_labelled_field(types, class, "contextId", "long", "Context Id", &field);
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
add_attribute(compact_types *types, uint32_t class, const ctx_type *context, size_t index)
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
    lp_err err =
        append_labelled_field(types, class, other_name == NULL ? attribute->name : other_name,
            type_name_of(attribute->kind), label, &field);
    free(other_name);
    if (err == LP_OK && attribute->description[0] != '\0') {
        err = annotate(types, field, "jdk.jfr.Description", attribute->description);
    }
    if (err == LP_OK) {
        err = annotate(types, field, "jdk.jfr.Contextual", NULL);
    }
    return err;
}

// add_context_class makes the class of a context type, under a name that Java allows.
static lp_err
add_context_class(
    compact_types *types, const ctx_type *context, uint64_t *out_id, uint32_t *out_class)
{
    lp_buf name = {0};
    jfr_type_name_append(&name, context->name);
    lp_buf_append(&name, "", 1);
    lp_err err = lp_buf_check(&name);
    if (err == LP_OK) {
        uint64_t id = context->is_recording ? (uint64_t)RECORDING_IDS + context->attribute_count +
                                                  (uint64_t)context->id * KEYS_IDS
                                            : (uint64_t)CONTEXT_IDS + context->id;
        err = add_class(types, (const char *)name.ptr, event_super, id, out_id, out_class);
    }
    bool is_changed = err == LP_OK && strcmp((const char *)name.ptr, context->name) != 0;
    lp_buf_fini(&name);
    const char *label = context->label[0] == '\0' && is_changed ? context->name : context->label;
    if (err == LP_OK && label[0] != '\0') {
        err = annotate(types, *out_class, "jdk.jfr.Label", label);
    }
    if (err == LP_OK && context->description[0] != '\0') {
        err = annotate(types, *out_class, "jdk.jfr.Description", context->description);
    }
    return err;
}

lp_err
compact_types_add_context(compact_types *types, const ctx_type *context, uint64_t *out_id)
{
    uint32_t class;
    lp_err err = add_context_class(types, context, out_id, &class);
    if (err == LP_OK) {
        err = add_implicit_fields(types, class);
    }
    for (size_t i = 0; i < context->attribute_count && err == LP_OK; i++) {
        err = add_attribute(types, class, context, i);
    }
    return err;
}

// add_category puts an event type into the category Loupe.
static lp_err
add_category(compact_types *types, uint32_t class)
{
    uint64_t id;
    uint64_t text_id;
    size_t added_before = types->added.count;
    lp_err err = class_named(types, "jdk.jfr.Category", annotation_super, &id);
    bool is_added = err == LP_OK && types->added.count > added_before;
    uint32_t category = is_added ? types->added.items[added_before].element : JFR_NONE;
    if (is_added) {
        err = class_named(types, "java.lang.String", NULL, &text_id);
    }
    if (is_added && err == LP_OK) {
        jfr_metadata_id id_attribute = jfr_metadata_id_text(text_id);
        const char *attributes[] = {"name", "value", "class", id_attribute.text, "dimension", "1"};
        uint32_t field =
            jfr_metadata_append_element(&types->metadata, category, "field", attributes, 3);
        err = field == JFR_NONE ? LP_ENOMEM : LP_OK;
    }
    if (err != LP_OK) {
        return err;
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value-0", "Loupe"};
    uint32_t element =
        jfr_metadata_append_element(&types->metadata, class, "annotation", attributes, 2);
    return element == JFR_NONE ? LP_ENOMEM : LP_OK;
}

// The fields of dev.loupe.Accounting.
static const struct accounting_field {
    const char *name;
    const char *type;
    const char *label;
} accounting_fields[] = {
    {"startTime", "long", "Start Time"},
    {"duration", "long", "Duration"},
    {"offered", "long", "Offered"},
    {"kept", "long", "Kept"},
#define COMPACT_REASON(id, name, field, label) {field, "long", "Dropped: " label},
#include "engine/reasons.def"
#undef COMPACT_REASON
    {"eventTypes", "java.lang.String", "Event Types"},
};
enum {
    ACCOUNTING_FIELDS = sizeof(accounting_fields) / sizeof(accounting_fields[0]),
    ACCOUNTING_ID_MIN = HELPER_IDS + sizeof(helpers) / sizeof(helpers[0]),
};

static const char accounting_name[] = "dev.loupe.Accounting";
static const char accounting_description[] =
    "What Loupe left out of this recording: how many events a chunk of the JVM's recording had "
    "(offered), how many were written (kept), and how many each setting dropped; damaged ones "
    "could not be read. These are sums over the event types of which something was dropped, which "
    "Event Types lists with their own numbers. The time is that of the chunk.";

// has_accounting_fields says whether the class at element has the fields of dev.loupe.Accounting.
static bool
has_accounting_fields(const jfr_metadata *metadata, uint32_t element)
{
    size_t count = 0;
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        if (!jfr_metadata_is_named(metadata, child, "field")) {
            continue;
        }
        const char *name = jfr_metadata_find_attribute(metadata, child, "name");
        const char *class = jfr_metadata_find_attribute(metadata, child, "class");
        uint32_t type =
            class == NULL ? JFR_NONE : jfr_metadata_find_type(metadata, strtoull(class, NULL, 10));
        if (count == ACCOUNTING_FIELDS || name == NULL || type == JFR_NONE ||
            strcmp(name, accounting_fields[count].name) != 0 ||
            strcmp(jfr_metadata_text(metadata, metadata->types.items[type].name),
                accounting_fields[count].type) != 0 ||
            jfr_metadata_find_attribute(metadata, child, "constantPool") != NULL ||
            jfr_metadata_find_attribute(metadata, child, "dimension") != NULL) {
            return false;
        }
        count++;
    }
    return count == ACCOUNTING_FIELDS;
}

// find_accounting gives the type of the input's that is what Loupe writes, or JFR_NONE. There may
// be several of that name, of other versions.
static uint32_t
find_accounting(const jfr_metadata *metadata)
{
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        if (type->is_event &&
            strcmp(jfr_metadata_text(metadata, type->name), accounting_name) == 0 &&
            has_accounting_fields(metadata, type->element)) {
            return i;
        }
    }
    return JFR_NONE;
}

static lp_err
add_accounting_fields(compact_types *types, uint32_t class)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < ACCOUNTING_FIELDS && err == LP_OK; i++) {
        const struct accounting_field *from = &accounting_fields[i];
        uint32_t field;
        err = append_labelled_field(types, class, from->name, from->type, from->label, &field);
        if (err == LP_OK && strcmp(from->name, "startTime") == 0) {
            err = annotate(types, field, "jdk.jfr.Timestamp", "TICKS");
        }
        if (err == LP_OK && strcmp(from->name, "duration") == 0) {
            err = annotate(types, field, "jdk.jfr.Timespan", "TICKS");
        }
    }
    return err;
}

lp_err
compact_types_add_accounting(compact_types *types, uint64_t *out_id)
{
    uint32_t known = find_accounting(&types->metadata);
    if (known != JFR_NONE) {
        *out_id = types->metadata.types.items[known].id;
        return compact_types_use(types, known);
    }
    uint64_t id = ACCOUNTING_ID;
    while (id > ACCOUNTING_ID_MIN && is_taken_id(types, id)) {
        id--; // in all chunks of a file in the same way
    }
    uint32_t class;
    lp_err err = add_class(types, accounting_name, event_super, id, out_id, &class);
    if (err == LP_OK) {
        err = annotate(types, class, "jdk.jfr.Label", "Accounting");
    }
    if (err == LP_OK) {
        err = annotate(types, class, "jdk.jfr.Description", accounting_description);
    }
    if (err == LP_OK) {
        err = add_category(types, class);
    }
    return err == LP_OK ? add_accounting_fields(types, class) : err;
}

// add_field appends a field to a class, of the input or added.
static lp_err
add_field(compact_types *types, uint32_t class, const compact_types_field *field)
{
    uint32_t element;
    lp_err err;
    if (field->pool == 0) {
        err = append_field(types, class, field->name, "java.lang.String", false, &element);
    } else {
        uint32_t type = jfr_metadata_find_type(&types->metadata, field->pool);
        err = type == JFR_NONE ? LP_OK : compact_types_use(types, type);
        if (err == LP_OK) {
            err = append_field_of(types, class, field->name, field->pool, true, &element);
        }
    }
    if (err == LP_OK) {
        err = annotate(types, element, "jdk.jfr.Label", field->label);
    }
    if (err == LP_OK && field->description[0] != '\0') {
        err = annotate(types, element, "jdk.jfr.Description", field->description);
    }
    return err;
}

lp_err
compact_types_add_field(compact_types *types, uint32_t type, const compact_types_field *field)
{
    return add_field(types, types->metadata.types.items[type].element, field);
}

lp_err
compact_types_add_state(
    compact_types *types, const compact_types_field *fields, size_t count, uint64_t *out_id)
{
    uint32_t class;
    uint32_t field;
    lp_err err = add_class(types, "loupe.Context", NULL, STATE_ID, out_id, &class);
    if (err == LP_OK) {
        err = append_labelled_field(types, class, "type", "java.lang.String", "Type", &field);
    }
    if (err == LP_OK) {
        err = append_labelled_field(types, class, "startTime", "long", "Start Time", &field);
    }
    if (err == LP_OK) {
        err = annotate(types, field, "jdk.jfr.Timestamp", "TICKS");
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = add_field(types, class, &fields[i]);
    }
    if (err == LP_OK) {
        const compact_types_field parent = {
            .name = "parent", .label = "Parent", .description = "", .pool = *out_id};
        err = add_field(types, class, &parent);
    }
    if (err == LP_OK) {
        err = append_labelled_field(types, class, "truncated", "boolean", "Truncated", &field);
    }
    return err;
}

// use_named_in marks the types that an element and everything under it name in their attribute
// `class`.
static lp_err
use_named_in(compact_types *types, uint32_t element)
{
    uint64_t class;
    if (jfr_metadata_find_id(&types->metadata, element, "class", &class)) {
        uint32_t type = jfr_metadata_find_type(&types->metadata, class);
        lp_err err = type == JFR_NONE ? LP_OK : compact_types_use(types, type);
        if (err != LP_OK) {
            return err;
        }
    }
    uint32_t child = types->metadata.elements.items[element].first_child;
    for (; child != JFR_NONE; child = types->metadata.elements.items[child].next_sibling) {
        lp_err err = use_named_in(types, child);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// Types that readers look for (types.h): all of what grafana/jfr-parser names in
// parser/parser.go, checkTypes, and the other primitive types.
static const char *const looked_for[] = {
    "boolean",
    "byte",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "java.lang.String",
    "java.lang.Thread",
    "java.lang.Class",
    "jdk.types.ClassLoader",
    "jdk.types.FrameType",
    "jdk.types.Method",
    "jdk.types.Package",
    "jdk.types.StackFrame",
    "jdk.types.StackTrace",
    "jdk.types.Symbol",
    "jdk.types.ThreadState",
};

static lp_err
use_looked_for(compact_types *types)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < sizeof(looked_for) / sizeof(looked_for[0]) && err == LP_OK; i++) {
        uint32_t type = jfr_metadata_find_type_named(&types->metadata, looked_for[i]);
        err = type == JFR_NONE ? LP_OK : compact_types_use(types, type);
    }
    return err;
}

static lp_err
use_reachable(compact_types *types)
{
    while (types->pending.count > 0) {
        uint32_t type = types->pending.items[--types->pending.count];
        lp_err err = use_named_in(types, types->metadata.types.items[type].element);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// What the event is written from: elements in order, strings numbered as they are met.
typedef struct writer {
    const jfr_metadata *metadata;
    const compact_types *types;
    uint32_t *string_numbers; // parallel to metadata->strings: number in the output, or JFR_NONE
    uint32_t string_count;
    lp_buf strings;
    lp_buf elements;
} writer;

static void
write_string(writer *w, uint32_t string)
{
    if (w->string_numbers[string] == JFR_NONE) {
        const char *text = jfr_metadata_text(w->metadata, string);
        jfr_string_append(&w->strings, (lp_slice){(const uint8_t *)text, strlen(text)});
        w->string_numbers[string] = w->string_count++;
    }
    jfr_varint_append(&w->elements, w->string_numbers[string]);
}

static void
write_head(writer *w, uint32_t element, uint64_t child_count)
{
    const jfr_element *e = &w->metadata->elements.items[element];
    write_string(w, e->name);
    jfr_varint_append(&w->elements, e->attribute_count);
    for (uint32_t i = 0; i < e->attribute_count; i++) {
        const jfr_attribute *attribute = &w->metadata->attributes.items[e->attribute_begin + i];
        write_string(w, attribute->key);
        write_string(w, attribute->value);
    }
    jfr_varint_append(&w->elements, child_count);
}

static uint64_t
count_children(const jfr_metadata *metadata, uint32_t element)
{
    uint64_t count = 0;
    uint32_t child = metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = metadata->elements.items[child].next_sibling) {
        count++;
    }
    return count;
}

static void
write_element(writer *w, uint32_t element)
{
    write_head(w, element, count_children(w->metadata, element));
    uint32_t child = w->metadata->elements.items[element].first_child;
    for (; child != JFR_NONE; child = w->metadata->elements.items[child].next_sibling) {
        write_element(w, child);
    }
}

// write_classes writes the element `metadata` with the used and the added classes under it.
static void
write_classes(writer *w, uint32_t element)
{
    uint64_t count = w->types->added.count;
    for (size_t i = 0; i < w->metadata->types.count; i++) {
        count += w->types->is_used[i];
    }
    write_head(w, element, count);
    for (size_t i = 0; i < w->metadata->types.count; i++) {
        if (w->types->is_used[i]) {
            write_element(w, w->metadata->types.items[i].element);
        }
    }
    for (size_t i = 0; i < w->types->added.count; i++) {
        write_element(w, w->types->added.items[i].element);
    }
}

// find_child gives the first child of that name, or JFR_NONE.
static uint32_t
find_child(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_named(metadata, child, name)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child;
}

// complete_root adds what readers cannot do without; the root is that of the last metadata event,
// which need not have all of it.
static lp_err
complete_root(jfr_metadata *metadata)
{
    static const char *const names[] = {"metadata", "region"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (find_child(metadata, metadata->root, names[i]) == JFR_NONE &&
            jfr_metadata_append_element(metadata, metadata->root, names[i], NULL, 0) == JFR_NONE) {
            return LP_ENOMEM;
        }
    }
    return LP_OK;
}

// write_root writes all classes under the first `metadata`, and no other.
static void
write_root(writer *w)
{
    const jfr_metadata *metadata = w->metadata;
    uint32_t classes = find_child(metadata, metadata->root, "metadata");
    uint32_t first = metadata->elements.items[metadata->root].first_child;
    uint64_t count = 0;
    for (uint32_t child = first; child != JFR_NONE;
         child = metadata->elements.items[child].next_sibling) {
        count += child == classes || !jfr_metadata_is_named(metadata, child, "metadata");
    }
    write_head(w, metadata->root, count);
    for (uint32_t child = first; child != JFR_NONE;
         child = metadata->elements.items[child].next_sibling) {
        if (child == classes) {
            write_classes(w, child);
        } else if (!jfr_metadata_is_named(metadata, child, "metadata")) {
            write_element(w, child);
        }
    }
}

static lp_err
append_event(const writer *w, int64_t start_ticks, uint64_t salt, lp_buf *out)
{
    uint64_t id = lp_hash_bytes(LP_HASH_START ^ salt, lp_buf_slice(&w->strings));
    id = lp_hash_bytes(id, lp_buf_slice(&w->elements)) & INT64_MAX; // readers print it as signed

    lp_buf payload = {0};
    jfr_varint_append(&payload, (uint64_t)start_ticks);
    jfr_varint_append(&payload, 0); // duration
    jfr_varint_append(&payload, id);
    jfr_varint_append(&payload, w->string_count);
    lp_buf_append(&payload, w->strings.ptr, w->strings.len);
    lp_buf_append(&payload, w->elements.ptr, w->elements.len);
    jfr_event_append(out, JFR_TYPE_ID_METADATA, lp_buf_slice(&payload));
    bool is_failed = payload.is_failed || w->strings.is_failed || w->elements.is_failed;
    lp_buf_fini(&payload);
    return is_failed ? LP_ENOMEM : lp_buf_check(out);
}

lp_err
compact_types_append(compact_types *types, int64_t start_ticks, uint64_t salt, lp_buf *out)
{
    uint64_t id;
    lp_err err = use_looked_for(types);
    bool is_empty = types->pending.count == 0 && types->added.count == 0;
    // JMC fails without any class, and this one names no other.
    err = err == LP_OK && is_empty ? class_named(types, "long", NULL, &id) : err;
    err = err == LP_OK ? use_reachable(types) : err;
    err = err == LP_OK ? complete_root(&types->metadata) : err;
    if (err != LP_OK) {
        return err;
    }
    size_t string_bytes = types->metadata.strings.count * sizeof(uint32_t);
    writer w = {
        .metadata = &types->metadata,
        .types = types,
        .string_numbers = malloc(string_bytes),
    };
    if (w.string_numbers == NULL) {
        return LP_ENOMEM;
    }
    memset(w.string_numbers, 0xff, string_bytes);
    write_root(&w);
    err = append_event(&w, start_ticks, salt, out);
    free(w.string_numbers);
    lp_buf_fini(&w.strings);
    lp_buf_fini(&w.elements);
    return err;
}
