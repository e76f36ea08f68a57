// SPDX-License-Identifier: Apache-2.0
#include "query/select/attributes.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <string.h>

void
query_attributes_fini(query_attributes *attributes)
{
    lp_names_fini(&attributes->key_names);
    lp_map_fini(&attributes->value_of);
    lp_arena_fini(&attributes->arena);
    LP_VEC_FINI(&attributes->keys);
    LP_VEC_FINI(&attributes->values);
    LP_VEC_FINI(&attributes->kept);
    lp_buf_fini(&attributes->texts);
    *attributes = (query_attributes){0};
}

static void
attributes_check(const query_attributes *attributes)
{
    LP_ASSERT(attributes->keys.count <= QUERY_KEYS_MAX);
    LP_ASSERT(attributes->kept.count <= QUERY_ATTRIBUTES_MAX);
    LP_ASSERT(attributes->value_bytes <= QUERY_VALUES_BYTES_MAX);
    LP_ASSERT(attributes->texts.len <= QUERY_TEXTS_BYTES_MAX);
}

// --- Keys and values

static uint32_t
add_key(query_attributes *attributes, const query_attribute *item)
{
    attributes_check(attributes);
    if (attributes->keys.count == QUERY_KEYS_MAX) {
        attributes->is_truncated = true;
        return LP_MAP_NONE;
    }
    const query_key key = {
        .name = lp_arena_text(&attributes->arena, item->name),
        .label = lp_arena_text(&attributes->arena, item->label),
        .is_number = true,
    };
    lp_arena_note(&attributes->arena, lp_names_add(&attributes->key_names, key.name));
    LP_ARENA_PUSH_BESIDE(&attributes->arena, &attributes->keys, key);
    return attributes->arena.is_failed ? LP_MAP_NONE : (uint32_t)attributes->keys.count - 1;
}

static uint32_t
find_key(query_attributes *attributes, const query_attribute *item)
{
    if (attributes->arena.is_failed) { // a name may have no key
        return LP_MAP_NONE;
    }
    uint32_t key = lp_names_find(&attributes->key_names, item->name);
    key = key != LP_MAP_NONE ? key : add_key(attributes, item);
    if (key != LP_MAP_NONE && !item->is_null) {
        attributes->keys.items[key].is_number &= item->is_number;
    }
    return key;
}

// find_slot returns the key of a value in value_of: its hash, or the next free number if another
// value has this hash. *out_value is LP_MAP_NONE if the value is new.
static uint64_t
find_slot(const query_attributes *attributes, uint32_t key, lp_slice text, uint32_t *out_value)
{
    uint64_t slot = lp_hash_bytes(lp_hash_number(lp_hash_seed(), key), text);
    for (;; slot++) {
        *out_value = lp_map_find(&attributes->value_of, slot);
        if (*out_value == LP_MAP_NONE) {
            return slot;
        }
        const query_value *known = &attributes->values.items[*out_value];
        if (known->key == key && known->text.len == text.len &&
            (text.len == 0 || memcmp(known->text.ptr, text.ptr, text.len) == 0)) {
            return slot;
        }
    }
}

// find_value returns the number of a value, which it adds if it is new; QUERY_NO_VALUE if the key
// is search_only, or becomes it.
static uint32_t
find_value(query_attributes *attributes, uint32_t key_index, lp_slice text)
{
    attributes_check(attributes);
    query_key *key = &attributes->keys.items[key_index];
    uint32_t value = QUERY_NO_VALUE;
    if (key->is_search_only) {
        return value;
    }
    uint64_t slot = find_slot(attributes, key_index, text, &value);
    if (value != LP_MAP_NONE) {
        return value;
    }
    if (key->value_count == QUERY_VALUES_OF_KEY_MAX ||
        attributes->value_bytes + text.len > QUERY_VALUES_BYTES_MAX) {
        key->is_search_only = true;
        return QUERY_NO_VALUE;
    }
    value = (uint32_t)attributes->values.count;
    key->value_count++;
    attributes->value_bytes += text.len;
    lp_arena_put(&attributes->arena, &attributes->value_of, slot, value);
    LP_ARENA_PUSH_BESIDE(&attributes->arena, &attributes->values,
        (query_value){.key = key_index, .text = lp_arena_copy(&attributes->arena, text)});
    return value;
}

// --- The attributes of contexts

// add_text stores a text without a number. Returns false if there is no room.
static bool
add_text(query_attributes *attributes, lp_slice text, uint32_t *out_begin)
{
    attributes_check(attributes);
    lp_buf *texts = &attributes->texts;
    uint32_t len = (uint32_t)text.len;
    if (text.len > QUERY_TEXTS_BYTES_MAX - sizeof(len) ||
        texts->len > QUERY_TEXTS_BYTES_MAX - sizeof(len) - text.len) {
        attributes->is_truncated = true;
        return false;
    }
    *out_begin = (uint32_t)texts->len;
    lp_buf_append(texts, &len, sizeof(len));
    lp_buf_append(texts, text.ptr, text.len);
    lp_arena_note(&attributes->arena, lp_buf_check(texts));
    return !texts->is_failed;
}

size_t
query_attributes_keep(
    query_attributes *attributes, const query_attribute *items, size_t count, uint32_t *out_first)
{
    attributes_check(attributes);
    size_t first = attributes->kept.count;
    *out_first = (uint32_t)first;
    if (first + count > QUERY_ATTRIBUTES_MAX) {
        attributes->is_truncated = true;
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const query_attribute *item = &items[i];
        uint32_t key = find_key(attributes, item);
        if (key == LP_MAP_NONE) {
            continue;
        }
        struct query_kept_attribute kept = {
            .key = (uint16_t)key, .is_null = item->is_null, .is_number = item->is_number};
        kept.value =
            item->is_null ? (uint32_t)QUERY_NO_VALUE : find_value(attributes, key, item->value);
        kept.is_text = !item->is_null && kept.value == QUERY_NO_VALUE;
        if (!kept.is_text || add_text(attributes, item->value, &kept.value)) {
            LP_ARENA_PUSH_BESIDE(&attributes->arena, &attributes->kept, kept);
        }
    }
    return attributes->kept.count - first;
}

static lp_slice
text_at(const query_attributes *attributes, uint32_t begin)
{
    uint32_t len;
    memcpy(&len, attributes->texts.ptr + begin, sizeof(len));
    return (lp_slice){attributes->texts.ptr + begin + sizeof(len), len};
}

void
query_attributes_read(
    const query_attributes *attributes, uint32_t first, size_t count, query_known_attribute *out)
{
    attributes_check(attributes);
    LP_ASSERT(count == 0 || first + count <= attributes->kept.count);
    for (size_t i = 0; i < count; i++) {
        const struct query_kept_attribute *kept = &attributes->kept.items[first + i];
        const query_key *key = &attributes->keys.items[kept->key];
        out[i] = (query_known_attribute){
            .attribute = {.name = key->name,
                .label = key->label,
                .is_null = kept->is_null,
                .is_number = kept->is_number},
            .key = kept->key,
            .value = kept->is_text ? (uint32_t)QUERY_NO_VALUE : kept->value,
        };
        if (kept->is_text) {
            out[i].attribute.value = text_at(attributes, kept->value);
        } else if (!kept->is_null) {
            out[i].attribute.value = attributes->values.items[kept->value].text;
        }
    }
}

size_t
query_attributes_merge(query_attributes *attributes, uint32_t first, size_t count, uint32_t from,
    size_t from_count, size_t max)
{
    attributes_check(attributes);
    LP_ASSERT(from_count == 0 || from + from_count <= attributes->kept.count);
    LP_ASSERT(count == 0 || first + count == attributes->kept.count); // stored last
    for (size_t i = 0; i < from_count; i++) {
        const struct query_kept_attribute added = attributes->kept.items[from + i];
        const struct query_kept_attribute *items = attributes->kept.items + first;
        size_t at = 0;
        while (at < count && items[at].key != added.key) {
            at++;
        }
        if (added.is_null || at < count) {
            continue;
        }
        if (count == max || attributes->kept.count == QUERY_ATTRIBUTES_MAX) {
            attributes->is_truncated = true;
            return count;
        }
        LP_ARENA_PUSH_BESIDE(&attributes->arena, &attributes->kept, added);
        count = attributes->kept.count - first;
    }
    return count;
}

void
query_attributes_reset(query_attributes *attributes)
{
    attributes_check(attributes);
    attributes->kept.count = 0;
    lp_buf_clear(&attributes->texts);
}
