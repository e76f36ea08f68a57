// SPDX-License-Identifier: Apache-2.0
#include "engine/write/types.h"

#include "common/base/lp_assert.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>
#include <string.h>

// Types that Loupe knows by name: those that added ones need, and that the input may lack, and
// those that readers look for (types.h): all of what grafana/jfr-parser names in parser/parser.go,
// checkTypes, and the other primitive types. New ones go to the end: the place makes the id.
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
compact_types_init(compact_types *types, const jfr_metadata *metadata, const compact_merge *merge)
{
    *types = (compact_types){
        .is_used = calloc(metadata->types.count + 1, sizeof(*types->is_used)),
        .spare_id = COMPACT_TYPE_IDS_SPARE,
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

bool
compact_types_has_id(const compact_types *types, uint64_t id)
{
    return jfr_metadata_find_type(&types->metadata, id) != JFR_NONE ||
           (types->merge != NULL && compact_merge_has_type(types->merge, id));
}

lp_err
compact_types_add_class(compact_types *types, const char *name, const char *super,
    uint64_t wanted_id, uint64_t *out_id, uint32_t *out_element)
{
    uint64_t id = wanted_id;
    while (compact_types_has_id(types, id)) {
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
use_found(compact_types *types, const char *name, uint32_t type)
{
    struct compact_types_found *found = LP_VEC_PUSH(&types->found);
    if (found == NULL) {
        return LP_ENOMEM;
    }
    *found = (struct compact_types_found){name, types->metadata.types.items[type].id};
    return compact_types_use(types, type);
}

// compact_types_use_named remembers the answer: a search through all types for each type with a
// sampledThread would take time without end where there are many.
lp_err
compact_types_use_named(compact_types *types, const char *name, const char *super, uint64_t *out_id)
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
    lp_err err = compact_types_add_class(types, name, super, known_id(name), out_id, &element);
    if (err == LP_OK) {
        types->added.items[types->added.count - 1].name = name;
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

static lp_err
use_looked_for(compact_types *types)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < KNOWN_COUNT && err == LP_OK; i++) {
        uint32_t type = known_types[i].is_looked_for
                            ? jfr_metadata_find_type_named(&types->metadata, known_types[i].name)
                            : (uint32_t)JFR_NONE;
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

lp_err
compact_types_complete(compact_types *types)
{
    uint64_t id;
    lp_err err = use_looked_for(types);
    bool is_empty = types->pending.count == 0 && types->added.count == 0;
    // JMC fails without any class, and this one names no other.
    err = err == LP_OK && is_empty ? compact_types_use_named(types, "long", NULL, &id) : err;
    return err == LP_OK ? use_reachable(types) : err;
}
