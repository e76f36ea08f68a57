// SPDX-License-Identifier: Apache-2.0
#include "engine/write/classes.h"

#include "common/base/lp_assert.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>
#include <string.h>

// Types that Loupe knows by name: those that added ones need, and that the input may lack, and
// those that readers look for (classes.h): all of what grafana/jfr-parser names in
// parser/parser.go, checkTypes, and the other primitive types. New ones go to the end: the place
// makes the id.
static const struct known_type {
    const char *name;
    bool is_looked_for;
} known_types[] = {
    {"java.lang.String", true},
    {"java.lang.Thread", true},
    {"boolean", true},
    {"byte", true},
    {"char", true},
    {"short", true},
    {"int", true},
    {"long", true},
    {"float", true},
    {"double", true},
    {"jdk.jfr.Label", false},
    {"jdk.jfr.Description", false},
    {"jdk.jfr.Timestamp", false},
    {"jdk.jfr.Timespan", false},
    {"jdk.jfr.Contextual", false},
    {"jdk.jfr.Category", false},
    {"java.lang.Class", true},
    {"jdk.types.ClassLoader", true},
    {"jdk.types.FrameType", true},
    {"jdk.types.Method", true},
    {"jdk.types.Package", true},
    {"jdk.types.StackFrame", true},
    {"jdk.types.StackTrace", true},
    {"jdk.types.Symbol", true},
    {"jdk.types.ThreadState", true},
};
enum { KNOWN_COUNT = sizeof(known_types) / sizeof(known_types[0]) };

_Static_assert((int)KNOWN_COUNT <= (int)COMPACT_TYPE_IDS_KNOWN_MAX, "each has an id of its own");

lp_err
compact_classes_init(
    compact_classes *classes, const jfr_metadata *metadata, const compact_merge *merge)
{
    *classes = (compact_classes){
        .is_used = calloc(metadata->types.count + 1, sizeof(*classes->is_used)),
        .spare_id = COMPACT_TYPE_IDS_SPARE,
        .merge = merge,
    };
    jfr_metadata_init(&classes->metadata);
    return classes->is_used == NULL ? LP_ENOMEM : jfr_metadata_copy(metadata, &classes->metadata);
}

void
compact_classes_fini(compact_classes *classes)
{
    jfr_metadata_fini(&classes->metadata);
    free(classes->is_used);
    LP_VEC_FINI(&classes->pending);
    LP_VEC_FINI(&classes->added);
    LP_VEC_FINI(&classes->found);
    *classes = (compact_classes){0};
}

lp_err
compact_classes_use(compact_classes *classes, uint32_t type)
{
    if (classes->is_used[type]) {
        return LP_OK;
    }
    uint32_t *pending = LP_VEC_PUSH(&classes->pending);
    if (pending == NULL) {
        return LP_ENOMEM;
    }
    *pending = type;
    classes->is_used[type] = true;
    return LP_OK;
}

bool
compact_classes_has_id(const compact_classes *classes, uint64_t id)
{
    return jfr_metadata_find_type(&classes->metadata, id) != JFR_NONE ||
           (classes->merge != NULL && compact_merge_has_type(classes->merge, id));
}

lp_err
compact_classes_add_class(compact_classes *classes, const char *name, const char *super,
    uint64_t wanted_id, uint64_t *out_id, uint32_t *out_element)
{
    uint64_t id = wanted_id;
    while (compact_classes_has_id(classes, id)) {
        id = classes->spare_id++;
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"name", name, "id", id_attribute.text, "superType", super};
    uint32_t element = jfr_metadata_append_element(
        &classes->metadata, JFR_NONE, "class", attributes, super == NULL ? 2 : 3);
    struct compact_classes_added *added = LP_VEC_PUSH(&classes->added);
    if (element == JFR_NONE || added == NULL) {
        return LP_ENOMEM;
    }
    *added = (struct compact_classes_added){.id = id, .element = element};
    *out_id = id;
    *out_element = element;
    return LP_OK;
}

static uint64_t
known_id(const char *name)
{
    size_t i = 0;
    while (strcmp(known_types[i].name, name) != 0) {
        i++;
        LP_ASSERT(i < KNOWN_COUNT);
    }
    return (uint64_t)COMPACT_TYPE_IDS_KNOWN + i;
}

// use_found takes type, which has this name, and remembers it.
static lp_err
use_found(compact_classes *classes, const char *name, uint32_t type)
{
    struct compact_classes_found *found = LP_VEC_PUSH(&classes->found);
    if (found == NULL) {
        return LP_ENOMEM;
    }
    *found = (struct compact_classes_found){name, classes->metadata.types.items[type].id};
    return compact_classes_use(classes, type);
}

// compact_classes_use_named remembers the answer: a search through all types for each type with a
// sampledThread would take time without end where there are many.
lp_err
compact_classes_use_named(
    compact_classes *classes, const char *name, const char *super, uint64_t *out_id)
{
    for (size_t i = 0; i < classes->found.count; i++) {
        if (strcmp(classes->found.items[i].name, name) == 0) {
            *out_id = classes->found.items[i].id;
            return LP_OK;
        }
    }
    uint32_t type = jfr_metadata_find_type_named(&classes->metadata, name);
    if (type != JFR_NONE) {
        *out_id = classes->metadata.types.items[type].id;
        return use_found(classes, name, type);
    }
    for (size_t i = 0; i < classes->added.count; i++) {
        const char *added = classes->added.items[i].name;
        if (added != NULL && strcmp(added, name) == 0) {
            *out_id = classes->added.items[i].id;
            return LP_OK;
        }
    }
    uint32_t element;
    lp_err err = compact_classes_add_class(classes, name, super, known_id(name), out_id, &element);
    if (err == LP_OK) {
        classes->added.items[classes->added.count - 1].name = name;
    }
    return err;
}

// use_named_in marks the types that an element and everything under it name in their attribute
// `class`.
static lp_err
use_named_in(compact_classes *classes, uint32_t element)
{
    uint64_t class;
    if (jfr_metadata_find_id(&classes->metadata, element, "class", &class)) {
        uint32_t type = jfr_metadata_find_type(&classes->metadata, class);
        lp_err err = type == JFR_NONE ? LP_OK : compact_classes_use(classes, type);
        if (err != LP_OK) {
            return err;
        }
    }
    uint32_t child = classes->metadata.elements.items[element].first_child;
    for (; child != JFR_NONE; child = classes->metadata.elements.items[child].next_sibling) {
        lp_err err = use_named_in(classes, child);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
use_looked_for(compact_classes *classes)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < KNOWN_COUNT && err == LP_OK; i++) {
        uint32_t type = known_types[i].is_looked_for
                            ? jfr_metadata_find_type_named(&classes->metadata, known_types[i].name)
                            : (uint32_t)JFR_NONE;
        err = type == JFR_NONE ? LP_OK : compact_classes_use(classes, type);
    }
    return err;
}

static lp_err
use_reachable(compact_classes *classes)
{
    while (classes->pending.count > 0) {
        uint32_t type = classes->pending.items[--classes->pending.count];
        lp_err err = use_named_in(classes, classes->metadata.types.items[type].element);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

lp_err
compact_classes_complete(compact_classes *classes)
{
    uint64_t id;
    lp_err err = use_looked_for(classes);
    bool is_empty = classes->pending.count == 0 && classes->added.count == 0;
    // JMC fails without any class, and this one names no other.
    err = err == LP_OK && is_empty ? compact_classes_use_named(classes, "long", NULL, &id) : err;
    return err == LP_OK ? use_reachable(classes) : err;
}
