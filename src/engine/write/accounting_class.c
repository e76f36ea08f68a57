// SPDX-License-Identifier: Apache-2.0
#include "engine/write/accounting_class.h"

#include "engine/reason.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>
#include <string.h>

// add_category puts an event type into the category Loupe.
static void
add_category(compact_classes *classes, uint32_t class)
{
    size_t place = classes->added.count;
    uint64_t id =
        compact_classes_use_named(classes, "jdk.jfr.Category", COMPACT_CLASSES_ANNOTATION);
    if (place < classes->added.count) {
        uint32_t category = classes->added.items[place].element;
        jfr_metadata_id text =
            jfr_metadata_id_text(compact_classes_use_named(classes, "java.lang.String", NULL));
        const char *attributes[] = {"name", "value", "class", text.text, "dimension", "1"};
        (void)compact_classes_append_element(classes, category, "field", attributes, 3);
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value-0", "Loupe"};
    (void)compact_classes_append_element(classes, class, "annotation", attributes, 2);
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

// has_accounting_fields returns whether the class at element has the fields of
// dev.loupe.Accounting.
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

// find_accounting returns the type of the input that has exactly the fields that Loupe writes, or
// JFR_NONE. There may be several of that name, of other versions.
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

static void
add_accounting_fields(compact_classes *classes, uint32_t class)
{
    for (size_t i = 0; i < ACCOUNTING_FIELDS; i++) {
        const struct accounting_field *from = &accounting_fields[i];
        uint32_t field =
            compact_describe_labelled_field(classes, class, from->name, from->type, from->label);
        if (strcmp(from->name, "startTime") == 0) {
            compact_describe_annotation(classes, field, "jdk.jfr.Timestamp", "TICKS");
        }
        if (strcmp(from->name, "duration") == 0) {
            compact_describe_annotation(classes, field, "jdk.jfr.Timespan", "TICKS");
        }
    }
}

uint64_t
compact_accounting_class_add(compact_classes *classes)
{
    uint32_t known = find_accounting(&classes->metadata);
    if (known != JFR_NONE) {
        compact_classes_use(classes, known);
        return classes->metadata.types.items[known].id;
    }
    uint64_t id = COMPACT_TYPE_IDS_ACCOUNTING;
    while (id > ID_MIN && compact_classes_has_id(classes, id)) {
        id--; // in all chunks of a file in the same way
    }
    uint32_t class = compact_classes_add(classes, accounting_name, COMPACT_CLASSES_EVENT, id, &id);
    compact_describe_annotation(classes, class, "jdk.jfr.Label", "Accounting");
    compact_describe_annotation(classes, class, "jdk.jfr.Description", accounting_description);
    add_category(classes, class);
    add_accounting_fields(classes, class);
    return id;
}
