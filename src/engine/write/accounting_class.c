// SPDX-License-Identifier: Apache-2.0
#include "engine/write/accounting_class.h"

#include "engine/reason.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>
#include <string.h>

// add_category puts an event type into the category Loupe.
static lp_err
add_category(compact_classes *classes, uint32_t class)
{
    uint64_t id;
    uint64_t text_id;
    size_t added_before = classes->added.count;
    lp_err err =
        compact_classes_use_named(classes, "jdk.jfr.Category", COMPACT_CLASSES_ANNOTATION, &id);
    bool is_added = err == LP_OK && classes->added.count > added_before;
    uint32_t category = is_added ? classes->added.items[added_before].element : JFR_NONE;
    if (is_added) {
        err = compact_classes_use_named(classes, "java.lang.String", NULL, &text_id);
    }
    if (is_added && err == LP_OK) {
        jfr_metadata_id id_attribute = jfr_metadata_id_text(text_id);
        const char *attributes[] = {"name", "value", "class", id_attribute.text, "dimension", "1"};
        uint32_t field =
            jfr_metadata_append_element(&classes->metadata, category, "field", attributes, 3);
        err = field == JFR_NONE ? LP_ENOMEM : LP_OK;
    }
    if (err != LP_OK) {
        return err;
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value-0", "Loupe"};
    uint32_t element =
        jfr_metadata_append_element(&classes->metadata, class, "annotation", attributes, 2);
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
    ID_MIN = COMPACT_TYPE_IDS_KNOWN + COMPACT_TYPE_IDS_KNOWN_MAX,
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
add_accounting_fields(compact_classes *classes, uint32_t class)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < ACCOUNTING_FIELDS && err == LP_OK; i++) {
        const struct accounting_field *from = &accounting_fields[i];
        uint32_t field;
        err = compact_describe_labelled_field(
            classes, class, from->name, from->type, from->label, &field);
        if (err == LP_OK && strcmp(from->name, "startTime") == 0) {
            err = compact_describe_annotation(classes, field, "jdk.jfr.Timestamp", "TICKS");
        }
        if (err == LP_OK && strcmp(from->name, "duration") == 0) {
            err = compact_describe_annotation(classes, field, "jdk.jfr.Timespan", "TICKS");
        }
    }
    return err;
}

lp_err
compact_accounting_class_add(compact_classes *classes, uint64_t *out_id)
{
    uint32_t known = find_accounting(&classes->metadata);
    if (known != JFR_NONE) {
        *out_id = classes->metadata.types.items[known].id;
        return compact_classes_use(classes, known);
    }
    uint64_t id = COMPACT_TYPE_IDS_ACCOUNTING;
    while (id > ID_MIN && compact_classes_has_id(classes, id)) {
        id--; // in all chunks of a file in the same way
    }
    uint32_t class;
    lp_err err = compact_classes_add_class(
        classes, accounting_name, COMPACT_CLASSES_EVENT, id, out_id, &class);
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, class, "jdk.jfr.Label", "Accounting");
    }
    if (err == LP_OK) {
        err = compact_describe_annotation(
            classes, class, "jdk.jfr.Description", accounting_description);
    }
    if (err == LP_OK) {
        err = add_category(classes, class);
    }
    return err == LP_OK ? add_accounting_fields(classes, class) : err;
}
