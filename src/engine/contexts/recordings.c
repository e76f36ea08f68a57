// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/recordings.h"

#include "common/context/ctx_type.h"
#include "common/jfr/jfr_name.h"
#include "engine/contexts/value.h"

#include <stdlib.h>
#include <string.h>

void
compact_recordings_fini(compact_recordings *recordings)
{
    for (size_t i = 0; i < recordings->items.count; i++) {
        ctx_recording_fini(&recordings->items.items[i].map);
    }
    LP_VEC_FINI(&recordings->items);
    lp_map_fini(&recordings->by_id);
    for (size_t i = 0; i < recordings->key_count; i++) {
        free(recordings->keys[i]);
    }
    recordings->key_count = 0;
}

lp_err
compact_recordings_add(compact_recordings *recordings, const ctx_recording *map, bool is_ended)
{
    if (lp_map_find(&recordings->by_id, map->id) != LP_MAP_NONE) {
        return LP_OK;
    }
    compact_recording *slot = LP_VEC_PUSH(&recordings->items);
    lp_err err = slot == NULL ? LP_ENOMEM : ctx_recording_copy(map, &slot->map, NULL);
    if (err != LP_OK) {
        return err;
    }
    slot->is_ended = is_ended;
    return lp_map_put(&recordings->by_id, map->id, (uint32_t)(recordings->items.count - 1));
}

lp_err
compact_recordings_add_key(compact_recordings *recordings, const char *key)
{
    size_t i = 0;
    while (i < recordings->key_count && strcmp(recordings->keys[i], key) != 0) {
        i++;
    }
    if (i < recordings->key_count || i == CTX_RECORDING_KEYS_MAX) {
        return LP_OK;
    }
    recordings->keys[i] = strdup(key);
    if (recordings->keys[i] == NULL) {
        return LP_ENOMEM;
    }
    recordings->key_count++;
    return LP_OK;
}

lp_err
compact_recordings_copy(const compact_recordings *recordings, compact_recordings *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < recordings->key_count && err == LP_OK; i++) {
        err = compact_recordings_add_key(out, recordings->keys[i]);
    }
    for (size_t i = 0; i < recordings->items.count && err == LP_OK; i++) {
        const compact_recording *recording = &recordings->items.items[i];
        err = compact_recordings_add(out, &recording->map, recording->is_ended);
    }
    return err;
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

uint64_t
compact_recordings_id(const compact_contexts *contexts, const compact_context *context)
{
    jfr_cursor cursor = jfr_cursor_over(compact_contexts_recorded(contexts, context));
    compact_value value;
    return compact_value_read(CTX_LONG, &cursor, &value) ? value.bits : 0;
}

// --- Which are kept

// note_named marks the maps that contexts name.
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

// remove_others leaves those that are marked.
static lp_err
remove_others(compact_recordings *recordings, const bool *is_kept)
{
    size_t kept = 0;
    lp_map_fini(&recordings->by_id);
    lp_err err = LP_OK;
    for (size_t i = 0; i < recordings->items.count; i++) {
        compact_recording recording = recordings->items.items[i];
        if (!is_kept[i] || err != LP_OK) {
            ctx_recording_fini(&recording.map);
            continue;
        }
        err = lp_map_put(&recordings->by_id, recording.map.id, (uint32_t)kept);
        recordings->items.items[kept++] = recording;
    }
    recordings->items.count = kept;
    return err;
}

lp_err
compact_recordings_keep(compact_recordings *recordings, const ctx_type *types, size_t type_count,
    const compact_contexts *contexts)
{
    size_t count = recordings->items.count;
    if (count == 0) {
        return LP_OK;
    }
    bool *is_kept = calloc(count, sizeof(*is_kept));
    if (is_kept == NULL) {
        return LP_ENOMEM;
    }
    note_named(recordings, types, type_count, contexts, is_kept);
    size_t live = 0;
    for (size_t i = count; i > 0; i--) {
        if (!recordings->items.items[i - 1].is_ended && live < CTX_RECORDINGS_LIVE_MAX) {
            is_kept[i - 1] = true;
            live++;
        }
    }
    lp_err err = remove_others(recordings, is_kept);
    free(is_kept);
    return err;
}

// --- How they show

typedef struct shower {
    compact_recordings *recordings;
    compact_contexts *contexts;
    const bool *is_shown;
    uint16_t type_id;
    lp_map shown; // index of a map to where its values begin in contexts, by index of spans
    LP_VEC(struct shower_span {
        uint32_t offset;
        uint32_t size_bytes;
    })
    spans;
} shower;

// map_of gives the index of the map of a shown context; LP_MAP_NONE if there is none.
static uint32_t
map_of(const shower *s, size_t item)
{
    const compact_context *context = &s->contexts->items.items[item];
    return lp_map_find(&s->recordings->by_id, compact_recordings_id(s->contexts, context));
}

static bool
is_shown(const shower *s, size_t item)
{
    return s->is_shown[item] && s->contexts->items.items[item].type_id == s->type_id;
}

// collect_maps finds the maps of the shown contexts, and their keys.
static lp_err
collect_maps(shower *s)
{
    for (size_t i = 0; i < s->contexts->items.count; i++) {
        uint32_t map = is_shown(s, i) ? map_of(s, i) : (uint32_t)LP_MAP_NONE;
        if (map == LP_MAP_NONE || lp_map_find(&s->shown, map) != LP_MAP_NONE) {
            continue;
        }
        lp_err err = lp_map_put(&s->shown, map, (uint32_t)s->spans.count);
        if (err != LP_OK || LP_VEC_PUSH(&s->spans) == NULL) {
            return LP_ENOMEM;
        }
        const ctx_recording *entries = &s->recordings->items.items[map].map;
        for (size_t k = 0; k < entries->entry_count && err == LP_OK; k++) {
            err = compact_recordings_add_key(s->recordings, entries->entries[k].key);
        }
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// append_value appends a text as a record has it (ctx_record.h), NULL for null.
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

// append_map appends the values of a map, in the order of the keys.
static lp_err
append_map(shower *s, uint32_t map)
{
    const ctx_recording *entries = &s->recordings->items.items[map].map;
    struct shower_span *span = &s->spans.items[lp_map_find(&s->shown, map)];
    lp_buf *values = &s->contexts->values;
    size_t begin = values->len;
    for (size_t i = 0; i < s->recordings->key_count; i++) {
        append_value(ctx_recording_find(entries, s->recordings->keys[i]), values);
    }
    if (values->is_failed || values->len > UINT32_MAX) {
        return LP_ENOMEM;
    }
    *span = (struct shower_span){(uint32_t)begin, (uint32_t)(values->len - begin)};
    return LP_OK;
}

// give_values gives the shown contexts their values. Those of one map share them.
static lp_err
give_values(shower *s)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < s->contexts->items.count && err == LP_OK; i++) {
        if (!is_shown(s, i)) {
            continue;
        }
        uint32_t map = map_of(s, i);
        compact_context *context = &s->contexts->items.items[i];
        context->values_bytes = 0;
        if (map == LP_MAP_NONE) {
            continue;
        }
        const struct shower_span *span = &s->spans.items[lp_map_find(&s->shown, map)];
        if (span->size_bytes == 0) {
            err = append_map(s, map);
        }
        context->values_offset = span->offset;
        context->values_bytes = span->size_bytes;
    }
    return err;
}

// add_attribute makes an attribute out of a key: under a name that Java allows for a field, with
// the key as its label where that is another.
static lp_err
add_attribute(ctx_type *type, const char *key)
{
    lp_buf name = {0};
    jfr_field_name_append(&name, key);
    lp_buf_append(&name, "", 1);
    if (name.is_failed) {
        lp_buf_fini(&name);
        return LP_ENOMEM;
    }
    bool is_changed = strcmp((const char *)name.ptr, key) != 0;
    ctx_attribute *attribute = &type->attributes[type->attribute_count++];
    *attribute = (ctx_attribute){
        .kind = CTX_STRING,
        .name = (char *)name.ptr,
        .label = strdup(is_changed ? key : ""),
        .description = strdup(""),
    };
    return attribute->label == NULL || attribute->description == NULL ? LP_ENOMEM : LP_OK;
}

static lp_err
make_type(const shower *s, const ctx_type *type, ctx_type *out_type)
{
    ctx_type head = *type;
    head.attribute_count = 0;
    lp_err err = ctx_type_copy(&head, out_type);
    for (size_t i = 0; i < s->recordings->key_count && err == LP_OK; i++) {
        err = add_attribute(out_type, s->recordings->keys[i]);
    }
    return err;
}

lp_err
compact_recordings_show(compact_recordings *recordings, compact_contexts *contexts,
    const bool *is_shown_item, const ctx_type *type, ctx_type *out_type)
{
    *out_type = (ctx_type){0};
    shower s = {
        .recordings = recordings,
        .contexts = contexts,
        .is_shown = is_shown_item,
        .type_id = type->id,
    };
    lp_err err = collect_maps(&s);
    if (err == LP_OK) {
        err = make_type(&s, type, out_type);
    }
    if (err == LP_OK) {
        err = give_values(&s);
    }
    lp_map_fini(&s.shown);
    LP_VEC_FINI(&s.spans);
    return err;
}
