// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/recordings.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_name.h"
#include "engine/contexts/value.h"
#include "engine/read/text.h"

#include <string.h>

static void
recordings_check(const compact_recordings *recordings)
{
    LP_ASSERT(recordings->arena != NULL);
    LP_ASSERT(recordings->own_count <= recordings->items.count);
    LP_ASSERT(recordings->key_count <= CTX_RECORDING_KEYS_MAX);
}

void
compact_recordings_fini(compact_recordings *recordings)
{
    lp_map_fini(&recordings->by_id);
    *recordings = (compact_recordings){.arena = recordings->arena};
}

// add is compact_recordings_add for a map that is in the arena already.
static void
add(compact_recordings *recordings, const compact_recording *recording)
{
    lp_arena_put(recordings->arena, &recordings->by_id, recording->map.id,
        (uint32_t)recordings->items.count);
    LP_ARENA_PUSH(recordings->arena, &recordings->items, *recording);
}

void
compact_recordings_add(compact_recordings *recordings, const ctx_recording *map, bool is_ended)
{
    recordings_check(recordings);
    if (lp_map_find(&recordings->by_id, map->id) == LP_MAP_NONE) {
        const compact_recording copy = {ctx_recording_copy_in(recordings->arena, map), is_ended};
        add(recordings, &copy);
    }
}

void
compact_recordings_add_key(compact_recordings *recordings, const char *key)
{
    size_t i = 0;
    while (i < recordings->key_count && strcmp(recordings->keys[i], key) != 0) {
        i++;
    }
    if (i == recordings->key_count && i < CTX_RECORDING_KEYS_MAX) {
        recordings->keys[recordings->key_count++] = lp_arena_text(recordings->arena, key);
    }
}

void
compact_recordings_copy(const compact_recordings *recordings, compact_recordings *out)
{
    LP_ASSERT(out->items.count == 0 && out->key_count == 0);
    recordings_check(recordings);
    for (size_t i = 0; i < recordings->key_count; i++) {
        compact_recordings_add_key(out, recordings->keys[i]);
    }
    for (size_t i = 0; i < recordings->items.count; i++) {
        const compact_recording *recording = &recordings->items.items[i];
        compact_recordings_add(out, &recording->map, recording->is_ended);
    }
}

const ctx_recording *
compact_recordings_find(const compact_recordings *recordings, uint64_t id)
{
    uint32_t index = lp_map_find(&recordings->by_id, id);
    return index == LP_MAP_NONE ? NULL : &recordings->items.items[index].map;
}

void
compact_recordings_end(compact_recordings *recordings, uint64_t id)
{
    uint32_t index = lp_map_find(&recordings->by_id, id);
    if (index != LP_MAP_NONE) {
        recordings->items.items[index].is_ended = true;
    }
}

// read_long reads the value at index. Returns false if the record does not have it.
static bool
read_long(const compact_contexts *contexts, const compact_context *context, size_t index,
    uint64_t *out_bits)
{
    jfr_cursor cursor = jfr_cursor_over(compact_contexts_recorded(contexts, context));
    compact_value value = {0};
    bool is_read = true;
    for (size_t i = 0; is_read && i <= index; i++) {
        is_read = compact_value_read(CTX_LONG, &cursor, &value);
    }
    *out_bits = is_read ? value.bits : 0;
    return is_read;
}

uint64_t
compact_recordings_id(const compact_contexts *contexts, const compact_context *context)
{
    uint64_t id;
    (void)read_long(contexts, context, 0, &id);
    return id;
}

uint64_t
compact_recordings_request(const compact_contexts *contexts, const compact_context *context)
{
    uint64_t request;
    (void)read_long(contexts, context, 1, &request);
    return request;
}

// --- Which maps are kept

static void
note_named(const compact_recordings *recordings, const ctx_type *types, size_t type_count,
    const compact_contexts *contexts, bool *is_named)
{
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *context = &contexts->items.items[i];
        size_t type = ctx_type_find(types, type_count, context->type_id);
        if (type < type_count && types[type].is_recording) {
            uint32_t index =
                lp_map_find(&recordings->by_id, compact_recordings_id(contexts, context));
            if (index != LP_MAP_NONE) {
                is_named[index] = true;
            }
        }
    }
}

static void
remove_others(compact_recordings *recordings, const bool *is_kept)
{
    recordings_check(recordings);
    size_t count = recordings->items.count;
    lp_map_fini(&recordings->by_id);
    recordings->items.count = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_kept[i]) {
            const compact_recording kept = recordings->items.items[i];
            add(recordings, &kept);
        }
    }
}

void
compact_recordings_keep(compact_recordings *recordings, const ctx_type *types, size_t type_count,
    const compact_contexts *contexts)
{
    LP_ASSERT(type_count <= CTX_TYPES_MAX);
    recordings_check(recordings);
    size_t count = recordings->items.count;
    bool *is_kept = LP_ARENA_ARRAY(recordings->arena, bool, count);
    if (is_kept == NULL) {
        return;
    }
    note_named(recordings, types, type_count, contexts, is_kept);
    size_t live = 0;
    for (size_t i = recordings->own_count; i > 0; i--) {
        if (!recordings->items.items[i - 1].is_ended && live < CTX_RECORDINGS_LIVE_MAX) {
            is_kept[i - 1] = true;
            live++;
        }
    }
    remove_others(recordings, is_kept);
    recordings->own_count = recordings->items.count;
    recordings_check(recordings);
}

// --- How maps are shown

typedef struct shower_span {
    uint32_t offset;
    uint32_t size_bytes;
} shower_span;

typedef struct shower {
    compact_recordings *recordings;
    compact_contexts *contexts;
    const bool *is_shown;
    uint16_t type_id;
    shower_span unknown; // the values of a map whose entries are unknown
    lp_map shown;        // index of a map to the index of its span
    LP_VEC(shower_span) spans;
} shower;

static bool
is_shown(const shower *s, size_t item)
{
    return s->is_shown[item] && s->contexts->items.items[item].type_id == s->type_id;
}

static void
collect_maps(shower *s)
{
    lp_arena *arena = s->contexts->arena;
    for (size_t i = 0; i < s->contexts->items.count; i++) {
        if (!is_shown(s, i)) {
            continue;
        }
        uint64_t id = compact_recordings_id(s->contexts, &s->contexts->items.items[i]);
        uint32_t map = lp_map_find(&s->recordings->by_id, id);
        if (map == LP_MAP_NONE || lp_map_find(&s->shown, map) != LP_MAP_NONE) {
            continue;
        }
        lp_arena_put(arena, &s->shown, map, (uint32_t)s->spans.count);
        LP_ARENA_PUSH(arena, &s->spans, (shower_span){0});
        const ctx_recording *entries = &s->recordings->items.items[map].map;
        for (size_t k = 0; k < entries->entry_count; k++) {
            compact_recordings_add_key(s->recordings, entries->entries[k].key);
        }
    }
}

// append_value appends the text of an entry in the form of a record (ctx_record.h); null for NULL.
static void
append_value(const ctx_entry *entry, lp_buf *out)
{
    bool is_null = entry == NULL || entry->is_null;
    size_t len = is_null ? 0 : entry->value.len;
    const uint32_t head[2] = {is_null ? CTX_STRING_NULL : (uint32_t)len, COMPACT_CODER_UTF8};
    static const uint8_t zeros[8];
    lp_buf_append(out, head, sizeof(head));
    if (len > 0) {
        lp_buf_append(out, entry->value.ptr, len);
        lp_buf_append(out, zeros, (8 - len % 8) % 8);
    }
}

static void
append_map(shower *s, const ctx_recording *entries, shower_span *out_span)
{
    lp_buf *values = &s->contexts->values;
    size_t begin = values->len;
    for (size_t i = 0; i < s->recordings->key_count; i++) {
        append_value(ctx_recording_find(entries, s->recordings->keys[i]), values);
    }
    if (values->is_failed || values->len > UINT32_MAX) {
        lp_arena_fail(s->contexts->arena);
        return;
    }
    *out_span = (shower_span){(uint32_t)begin, (uint32_t)(values->len - begin)};
}

// span_of returns the place of the values of a context, and appends them at first; NULL if it has
// none.
static shower_span *
span_of(shower *s, const compact_context *context)
{
    static const ctx_recording no_entries;
    uint64_t id;
    bool is_read = read_long(s->contexts, context, 0, &id);
    uint32_t map = lp_map_find(&s->recordings->by_id, id);
    bool is_known = map != LP_MAP_NONE;
    if (!is_read || (!is_known && id != CTX_RECORDING_REFUSED)) {
        return NULL;
    }
    shower_span *span = is_known ? &s->spans.items[lp_map_find(&s->shown, map)] : &s->unknown;
    if (span->size_bytes == 0) {
        append_map(s, is_known ? &s->recordings->items.items[map].map : &no_entries, span);
    }
    return span;
}

// set_values sets the values of the shown contexts. Contexts of one map share them.
static void
set_values(shower *s)
{
    for (size_t i = 0; i < s->contexts->items.count; i++) {
        if (!is_shown(s, i)) {
            continue;
        }
        compact_context *context = &s->contexts->items.items[i];
        const shower_span *span = span_of(s, context);
        context->values_offset = span == NULL ? 0 : span->offset;
        context->values_bytes = span == NULL ? 0 : span->size_bytes;
    }
}

// add_attribute makes an attribute of a key. Its name is one that Java allows for a field; if that
// differs from the key, the key is its label.
static void
add_attribute(lp_arena *arena, ctx_type *type, const char *key)
{
    lp_buf buf = {0};
    jfr_field_name_append(&buf, key);
    const char *name = compact_text_take(&buf, arena);
    type->attributes[type->attribute_count++] = (ctx_attribute){
        .kind = CTX_STRING,
        .name = lp_arena_text(arena, name),
        .label = lp_arena_text(arena, strcmp(name, key) != 0 ? key : ""),
        .description = lp_arena_text(arena, ""),
    };
}

static ctx_type
make_type(const shower *s, const ctx_type *type)
{
    ctx_type head = *type;
    head.attribute_count = 0;
    ctx_type made = ctx_type_copy_in(s->contexts->arena, &head);
    for (size_t i = 0; i < s->recordings->key_count; i++) {
        add_attribute(s->contexts->arena, &made, s->recordings->keys[i]);
    }
    return made;
}

ctx_type
compact_recordings_show(compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown_item, const ctx_type *type)
{
    LP_ASSERT(type->is_recording);
    recordings_check(recordings);
    shower s = {
        .recordings = recordings,
        .contexts = contexts,
        .is_shown = is_shown_item,
        .type_id = type->id,
    };
    collect_maps(&s);
    ctx_type made = make_type(&s, type);
    if (lp_arena_err(contexts->arena) == LP_OK) { // every shown map has a span
        set_values(&s);
    }
    lp_map_fini(&s.shown);
    return made;
}
