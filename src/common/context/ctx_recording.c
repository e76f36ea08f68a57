// SPDX-License-Identifier: Apache-2.0

#include "common/context/ctx_recording.h"

#include "common/base/lp_find.h"

#include <stdlib.h>
#include <string.h>

size_t
ctx_recording_cut(const void *text, size_t len)
{
    const uint8_t *bytes = text;
    if (len <= CTX_RECORDING_TEXT_BYTES_MAX) {
        return len;
    }
    size_t kept = CTX_RECORDING_TEXT_BYTES_MAX;
    while (kept > 0 && (bytes[kept] & 0xc0) == 0x80) {
        kept--;
    }
    return kept;
}

size_t
ctx_recording_measure(const ctx_recording *map)
{
    size_t bytes = map->entry_count * sizeof(*map->entries);
    for (size_t i = 0; i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        bytes += ctx_recording_cut(entry->key, strlen(entry->key)) + 1;
        bytes += ctx_recording_cut(entry->value.ptr, entry->value.len);
    }
    return bytes;
}

// put copies the len bytes of a text that are kept to *at, which it moves on.
static uint8_t *
put(uint8_t **at, const void *text, size_t len)
{
    uint8_t *copy = *at;
    if (len > 0) {
        memcpy(copy, text, len);
    }
    *at += len;
    return copy;
}

// copy_to copies map into ctx_recording_measure bytes at entries, and returns how many texts it
// cut.
static size_t
copy_to(const ctx_recording *map, ctx_entry *entries)
{
    uint8_t *at = (uint8_t *)(entries + map->entry_count);
    size_t cut_count = 0;
    for (size_t i = 0; i < map->entry_count; i++) {
        const ctx_entry *entry = &map->entries[i];
        size_t key_len = strlen(entry->key);
        size_t key_kept = ctx_recording_cut(entry->key, key_len);
        size_t value_kept = ctx_recording_cut(entry->value.ptr, entry->value.len);
        cut_count += key_kept < key_len;
        cut_count += value_kept < entry->value.len;
        entries[i].key = (const char *)put(&at, entry->key, key_kept);
        (void)put(&at, "", 1);
        entries[i].value = (lp_slice){put(&at, entry->value.ptr, value_kept), value_kept};
        entries[i].is_null = entry->is_null;
    }
    return cut_count;
}

lp_err
ctx_recording_copy(const ctx_recording *map, ctx_recording *out_map, size_t *out_cut_count)
{
    ctx_entry *entries = malloc(ctx_recording_measure(map) + 1);
    LP_REQUIRE(entries != NULL, LP_ENOMEM);
    size_t cut_count = copy_to(map, entries);
    *out_map = (ctx_recording){map->id, map->entry_count, entries};
    if (out_cut_count != NULL) {
        *out_cut_count = cut_count;
    }
    return LP_OK;
}

ctx_recording
ctx_recording_copy_in(lp_arena *arena, const ctx_recording *map)
{
    ctx_entry *entries = lp_arena_alloc(arena, ctx_recording_measure(map), alignof(ctx_entry));
    if (entries == NULL) {
        return (ctx_recording){.id = map->id};
    }
    (void)copy_to(map, entries);
    return (ctx_recording){map->id, map->entry_count, entries};
}

const ctx_entry *
ctx_recording_find(const ctx_recording *map, const char *key)
{
    return LP_FIND(map->entries, map->entry_count, strcmp(at->key, key) == 0);
}

void
ctx_recording_fini(ctx_recording *map)
{
    free(map->entries);
    *map = (ctx_recording){0};
}
