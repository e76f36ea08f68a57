// SPDX-License-Identifier: Apache-2.0
#include "engine/write/own_class.h"

#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>
#include <string.h>

enum { ID_MIN = COMPACT_TYPE_IDS_KNOWN + COMPACT_TYPE_IDS_KNOWN_MAX };

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

// has_fields returns whether the class at element has the fields of own.
static bool
has_fields(const jfr_metadata *metadata, uint32_t element, const compact_own_class *own)
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
        if (count == own->field_count || name == NULL || type == JFR_NONE ||
            strcmp(name, own->fields[count].name) != 0 ||
            strcmp(jfr_metadata_text(metadata, metadata->types.items[type].name),
                own->fields[count].type) != 0 ||
            jfr_metadata_find_attribute(metadata, child, "constantPool") != NULL ||
            jfr_metadata_find_attribute(metadata, child, "dimension") != NULL) {
            return false;
        }
        count++;
    }
    return count == own->field_count;
}

// find returns the type of the input that is the same as own, or JFR_NONE.
static uint32_t
find(const jfr_metadata *metadata, const compact_own_class *own)
{
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        if (type->is_event && strcmp(jfr_metadata_text(metadata, type->name), own->name) == 0 &&
            has_fields(metadata, type->element, own)) {
            return i;
        }
    }
    return JFR_NONE;
}

static void
add_fields(compact_classes *classes, uint32_t class, const compact_own_class *own)
{
    for (size_t i = 0; i < own->field_count; i++) {
        const compact_own_field *from = &own->fields[i];
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
compact_own_class_add(compact_classes *classes, const compact_own_class *own)
{
    uint32_t known = find(&classes->metadata, own);
    if (known != JFR_NONE) {
        compact_classes_use(classes, known);
        return classes->metadata.types.items[known].id;
    }
    uint64_t id = own->wanted_id;
    while (id > ID_MIN && compact_classes_has_id(classes, id)) {
        id--; // in all chunks of a file in the same way
    }
    uint32_t class = compact_classes_add(classes, own->name, COMPACT_CLASSES_EVENT, id, &id);
    compact_describe_annotation(classes, class, "jdk.jfr.Label", own->label);
    compact_describe_annotation(classes, class, "jdk.jfr.Description", own->description);
    add_category(classes, class);
    add_fields(classes, class, own);
    return id;
}
