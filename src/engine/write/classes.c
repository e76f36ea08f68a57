// SPDX-License-Identifier: Apache-2.0
#include "engine/write/classes.h"

#include "common/base/lp_assert.h"
#include "engine/write/type_ids.h"

#include <string.h>

// Types that Loupe knows by name: those that added ones need and that the input may lack, and those
// that readers look for (classes.h), which are the ones that grafana/jfr-parser names in
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
    {"dev.loupe.jfr.ContextAware", false},
    {"dev.loupe.jfr.Contextual", false},
};
enum { KNOWN_COUNT = sizeof(known_types) / sizeof(known_types[0]) };

_Static_assert((int)KNOWN_COUNT <= (int)COMPACT_TYPE_IDS_KNOWN_MAX, "each has an id of its own");

lp_err
compact_classes_init(compact_classes *classes, lp_arena *arena, const jfr_metadata *metadata,
    const compact_merge *merge)
{
    LP_ASSERT(arena != NULL);
    *classes = (compact_classes){
        .arena = arena,
        .is_used = LP_ARENA_ARRAY(arena, bool, metadata->types.count),
        .spare_id = COMPACT_TYPE_IDS_SPARE,
        .merge = merge,
    };
    jfr_metadata_init(&classes->metadata);
    lp_err err = jfr_metadata_copy(metadata, &classes->metadata);
    return err == LP_OK ? lp_arena_err(arena) : err;
}

void
compact_classes_fini(compact_classes *classes)
{
    jfr_metadata_fini(&classes->metadata);
    *classes = (compact_classes){0};
}

void
compact_classes_use(compact_classes *classes, uint32_t type)
{
    LP_ASSERT(type < classes->metadata.types.count);
    if (!classes->is_used[type]) {
        classes->is_used[type] = true;
        LP_ARENA_PUSH(classes->arena, &classes->pending, type);
    }
}

bool
compact_classes_has_id(const compact_classes *classes, uint64_t id)
{
    return jfr_metadata_find_type(&classes->metadata, id) != JFR_NONE ||
           (classes->merge != NULL && compact_merge_has_type(classes->merge, id));
}

uint32_t
compact_classes_append_element(compact_classes *classes, uint32_t parent, const char *name,
    const char *const *attributes, size_t count)
{
    uint32_t element =
        jfr_metadata_append_element(&classes->metadata, parent, name, attributes, count);
    if (element == JFR_NONE) {
        lp_arena_fail(classes->arena);
    }
    return element;
}

// add adds a class with one more attribute, unless the value of that is NULL.
static uint32_t
add(compact_classes *classes, const char *name, const char *key, const char *value,
    uint64_t wanted_id, uint64_t *out_id)
{
    uint64_t id = wanted_id;
    while (compact_classes_has_id(classes, id)) {
        id = classes->spare_id++;
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"name", name, "id", id_attribute.text, key, value};
    uint32_t element = compact_classes_append_element(
        classes, JFR_NONE, "class", attributes, value == NULL ? 2 : 3);
    LP_ARENA_PUSH(classes->arena, &classes->added,
        (struct compact_classes_added){.id = id, .element = element});
    *out_id = id;
    return element;
}

uint32_t
compact_classes_add(compact_classes *classes, const char *name, const char *super,
    uint64_t wanted_id, uint64_t *out_id)
{
    LP_ASSERT(wanted_id > 0);
    return add(classes, name, "superType", super, wanted_id, out_id);
}

uint32_t
compact_classes_add_simple(
    compact_classes *classes, const char *name, uint64_t wanted_id, uint64_t *out_id)
{
    return add(classes, name, "simpleType", "true", wanted_id, out_id);
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

// add_known adds a class that is referred to by its name.
static uint64_t
add_known(compact_classes *classes, const char *name, const char *super)
{
    uint64_t id;
    size_t place = classes->added.count;
    (void)compact_classes_add(classes, name, super, known_id(name), &id);
    if (place < classes->added.count) {
        classes->added.items[place].name = name;
    }
    return id;
}

// compact_classes_use_named remembers the answer: a search through all types for each type with a
// sampledThread would take time without end where there are many.
uint64_t
compact_classes_use_named(compact_classes *classes, const char *name, const char *super)
{
    for (size_t i = 0; i < classes->found.count; i++) {
        if (strcmp(classes->found.items[i].name, name) == 0) {
            return classes->found.items[i].id;
        }
    }
    uint32_t type = jfr_metadata_find_type_named(&classes->metadata, name);
    if (type != JFR_NONE) {
        uint64_t id = classes->metadata.types.items[type].id;
        LP_ARENA_PUSH(classes->arena, &classes->found, (struct compact_classes_found){name, id});
        compact_classes_use(classes, type);
        return id;
    }
    for (size_t i = 0; i < classes->added.count; i++) {
        const char *added = classes->added.items[i].name;
        if (added != NULL && strcmp(added, name) == 0) {
            return classes->added.items[i].id;
        }
    }
    return add_known(classes, name, super);
}

// use_named_in uses the types that an element and everything under it name in their attribute
// `class`.
static void
use_named_in(compact_classes *classes, uint32_t element)
{
    uint64_t class;
    if (jfr_metadata_find_id(&classes->metadata, element, "class", &class)) {
        uint32_t type = jfr_metadata_find_type(&classes->metadata, class);
        if (type != JFR_NONE) {
            compact_classes_use(classes, type);
        }
    }
    uint32_t child = classes->metadata.elements.items[element].first_child;
    for (; child != JFR_NONE; child = classes->metadata.elements.items[child].next_sibling) {
        use_named_in(classes, child);
    }
}

static void
use_looked_for(compact_classes *classes)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        uint32_t type = known_types[i].is_looked_for
                            ? jfr_metadata_find_type_named(&classes->metadata, known_types[i].name)
                            : (uint32_t)JFR_NONE;
        if (type != JFR_NONE) {
            compact_classes_use(classes, type);
        }
    }
}

void
compact_classes_complete(compact_classes *classes)
{
    use_looked_for(classes);
    if (classes->pending.count == 0 && classes->added.count == 0) {
        // JMC fails without any class, and this one names no other.
        (void)compact_classes_use_named(classes, "long", NULL);
    }
    while (classes->pending.count > 0) {
        uint32_t type = classes->pending.items[--classes->pending.count];
        use_named_in(classes, classes->metadata.types.items[type].element);
    }
}
