// SPDX-License-Identifier: Apache-2.0
#include "engine/write/metadata_event.h"

#include "common/base/lp_hash.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_string.h"

#include <stdalign.h>
#include <string.h>

// The state of writing: elements in order, strings numbered as they are met.
typedef struct writer {
    const jfr_metadata *metadata;
    const compact_classes *classes;
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

// find_child returns the first child of that name, or JFR_NONE.
static uint32_t
find_child(const jfr_metadata *metadata, uint32_t element, const char *name)
{
    uint32_t child = metadata->elements.items[element].first_child;
    while (child != JFR_NONE && !jfr_metadata_is_named(metadata, child, name)) {
        child = metadata->elements.items[child].next_sibling;
    }
    return child;
}

// complete_root adds the elements that readers need: the root is that of the last metadata event,
// which need not have all of them.
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
compact_metadata_event_append(
    compact_classes *classes, int64_t start_ticks, uint64_t salt, lp_buf *out)
{
    complete_root(classes);
    size_t string_bytes = classes->metadata.strings.count * sizeof(uint32_t);
    writer w = {
        .metadata = &classes->metadata,
        .classes = classes,
        .string_numbers = lp_arena_alloc(classes->arena, string_bytes, alignof(uint32_t)),
    };
    if (lp_arena_err(classes->arena) != LP_OK) {
        return; // classes may be incomplete as well
    }
    memset(w.string_numbers, 0xff, string_bytes);
    write_root(&w);
    append_event(&w, start_ticks, salt, out);
    lp_buf_fini(&w.strings);
    lp_buf_fini(&w.elements);
}
