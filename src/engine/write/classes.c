// SPDX-License-Identifier: Apache-2.0
#include "engine/write/classes.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/jfr/jfr_event.h"
#include "engine/read/text.h"
#include "engine/write/type_ids.h"

#include <stdalign.h>
#include <string.h>

// Types that Loupe knows by name: those that its own types need, and those that readers look for:
// the ones in checkTypes of grafana/jfr-parser (parser/parser.go), and the other primitive types.
// The place makes the id: append new ones.
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
compact_classes_check(const compact_classes *classes)
{
    LP_ASSERT(classes->arena != NULL && classes->is_used != NULL);
    LP_ASSERT(classes->spare_id >= COMPACT_TYPE_IDS_SPARE);
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
    compact_classes_check(classes);
    LP_ASSERT(type < classes->metadata.types.count);
    if (!classes->is_used[type]) {
        classes->is_used[type] = true;
        LP_ARENA_PUSH(classes->arena, &classes->pending, type);
    }
}

bool
compact_classes_has_id(const compact_classes *classes, uint64_t id)
{
    compact_classes_check(classes);
    return jfr_metadata_find_type(&classes->metadata, id) != JFR_NONE ||
           (classes->merge != NULL && compact_merge_has_type(classes->merge, id));
}

uint32_t
compact_classes_append_element(compact_classes *classes, uint32_t parent, const char *name,
    const char *const *attributes, size_t count)
{
    compact_classes_check(classes);
    uint32_t element =
        jfr_metadata_append_element(&classes->metadata, parent, name, attributes, count);
    if (element == JFR_NONE) {
        lp_arena_fail(classes->arena);
    }
    return element;
}

// add adds a class with one more attribute, unless value is NULL.
static uint32_t
add(compact_classes *classes, const char *name, const char *key, const char *value,
    uint64_t wanted_id, uint64_t *out_id)
{
    compact_classes_check(classes);
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
add_known(compact_classes *classes, const char *name, const char *super)
{
    uint64_t id;
    size_t place = classes->added.count;
    size_t known = 0;
    while (strcmp(known_types[known].name, name) != 0) {
        known++;
        LP_ASSERT(known < KNOWN_COUNT);
    }
    (void)compact_classes_add(classes, name, super, COMPACT_TYPE_IDS_KNOWN + known, &id);
    if (place < classes->added.count) {
        classes->added.items[place].name = name;
    }
    return id;
}

// It remembers the answer: a search through all types for each sampled type would be quadratic.
uint64_t
compact_classes_use_named(compact_classes *classes, const char *name, const char *super)
{
    compact_classes_check(classes);
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

// use_named_in uses the types in the attribute `class` of an element and all below it.
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
    compact_classes_check(classes);
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

// --- The metadata event

// The state of writing the metadata event; strings are numbered in the order of use.
typedef struct writer {
    const jfr_metadata *metadata;
    const compact_classes *classes;
    uint32_t *string_numbers; // by string: its number in the output, or JFR_NONE
    uint32_t string_count;
    lp_buf strings;
    lp_buf elements;
} writer;

static void
write_string(writer *w, uint32_t string)
{
    if (w->string_numbers[string] == JFR_NONE) {
        compact_text_append_string(&w->strings, jfr_metadata_text(w->metadata, string));
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

static void
write_classes(writer *w, uint32_t element)
{
    uint64_t count = w->classes->added.count;
    for (size_t i = 0; i < w->metadata->types.count; i++) {
        count += w->classes->is_used[i];
    }
    write_head(w, element, count);
    for (size_t i = 0; i < w->metadata->types.count; i++) {
        if (w->classes->is_used[i]) {
            write_element(w, w->metadata->types.items[i].element);
        }
    }
    for (size_t i = 0; i < w->classes->added.count; i++) {
        write_element(w, w->classes->added.items[i].element);
    }
}

static uint32_t
find_child(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_named(metadata, child, name)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child;
}

// complete_root adds elements that readers need. The root is that of the last metadata event, which
// may lack them.
static void
complete_root(compact_classes *classes)
{
    static const char *const names[] = {"metadata", "region"};
    uint32_t root = classes->metadata.root;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (find_child(&classes->metadata, root, names[i]) == JFR_NONE) {
            (void)compact_classes_append_element(classes, root, names[i], NULL, 0);
        }
    }
}

// write_root writes all classes below the first `metadata`, and skips others.
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

static void
append_event(const writer *w, int64_t start_ticks, uint64_t salt, lp_buf *out)
{
    uint64_t id = lp_hash_bytes(LP_HASH_FIXED ^ salt, lp_buf_slice(&w->strings));
    id = lp_hash_bytes(id, lp_buf_slice(&w->elements)) & INT64_MAX; // readers print it as signed

    lp_buf payload = {0};
    jfr_varint_append(&payload, (uint64_t)start_ticks);
    jfr_varint_append(&payload, 0); // duration
    jfr_varint_append(&payload, id);
    jfr_varint_append(&payload, w->string_count);
    lp_buf_append(&payload, w->strings.ptr, w->strings.len);
    lp_buf_append(&payload, w->elements.ptr, w->elements.len);
    jfr_event_append(out, JFR_TYPE_ID_METADATA, lp_buf_slice(&payload));
    out->is_failed |= payload.is_failed || w->strings.is_failed || w->elements.is_failed;
    lp_buf_fini(&payload);
}

void
compact_classes_append(compact_classes *classes, int64_t start_ticks, uint64_t salt, lp_buf *out)
{
    compact_classes_check(classes);
    complete_root(classes);
    size_t string_bytes = classes->metadata.strings.count * sizeof(uint32_t);
    writer w = {
        .metadata = &classes->metadata,
        .classes = classes,
        .string_numbers = lp_arena_alloc(classes->arena, string_bytes, alignof(uint32_t)),
    };
    if (lp_arena_err(classes->arena) != LP_OK) {
        return; // classes may be incomplete, too
    }
    memset(w.string_numbers, 0xff, string_bytes);
    write_root(&w);
    append_event(&w, start_ticks, salt, out);
    lp_buf_fini(&w.strings);
    lp_buf_fini(&w.elements);
}
