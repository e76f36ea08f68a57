// SPDX-License-Identifier: Apache-2.0
#include "engine/write/enumerations.h"

#include "common/jfr/jfr_string.h"

#include <string.h>

typedef struct compact_enumeration enumeration;

void
compact_enumerations_fini(compact_enumerations *enumerations)
{
    for (size_t i = 0; i < enumerations->items.count; i++) {
        lp_map_fini(&enumerations->items.items[i].by_key);
    }
    lp_map_fini(&enumerations->places);
    lp_names_fini(&enumerations->names);
    compact_constants_fini(&enumerations->texts);
    lp_arena_fini(&enumerations->arena);
}

lp_err
compact_enumerations_err(const compact_enumerations *enumerations)
{
    lp_err err = lp_arena_err(&enumerations->arena);
    return err == LP_OK ? compact_constants_check(&enumerations->texts) : err;
}

static uint64_t
place_of(uint32_t name, uint32_t source)
{
    return (uint64_t)name << 32 | source;
}

// add_name returns the row of a name; LP_MAP_NONE once memory ran out.
static uint32_t
add_name(compact_enumerations *e, const char *name)
{
    uint32_t row = lp_names_find(&e->names, name);
    if (row != LP_MAP_NONE) {
        return row;
    }
    const char *own = lp_arena_string(&e->arena, (lp_slice){(const uint8_t *)name, strlen(name)});
    if (e->arena.is_failed || lp_names_add(&e->names, own) != LP_OK) {
        lp_arena_fail(&e->arena);
        return LP_MAP_NONE;
    }
    return (uint32_t)(e->names.items.count - 1);
}

// find_or_add returns an enumeration, which stays where it is until another is added; NULL once
// memory ran out.
static enumeration *
find_or_add(compact_enumerations *e, const char *type_name, uint32_t source)
{
    uint32_t name = add_name(e, type_name);
    uint32_t place = lp_map_find(&e->places, place_of(name, source));
    if (place != LP_MAP_NONE) {
        return &e->items.items[place];
    }
    place = (uint32_t)e->items.count;
    LP_ARENA_PUSH(&e->arena, &e->items, (enumeration){.name = name, .source = source});
    lp_arena_put(&e->arena, &e->places, place_of(name, source), place);
    return e->arena.is_failed ? NULL : &e->items.items[place];
}

// add_text returns the number of a constant's text. A text that is a key into the pool of
// java.lang.String has a meaning in its source only.
static uint32_t
add_text(compact_enumerations *e, uint32_t source, lp_slice value)
{
    lp_buf text = {0};
    lp_buf_append(&text, value.ptr, value.len);
    if (value.len > 0 && value.ptr[0] == JFR_STRING_CONSTANT) {
        lp_buf_append(&text, &source, sizeof(source));
    }
    if (text.is_failed) {
        lp_arena_fail(&e->arena);
    }
    uint64_t key = compact_constants_add(&e->texts, lp_buf_slice(&text));
    lp_buf_fini(&text);
    return lp_map_find(&e->texts.by_key, key);
}

static void
add_pool(compact_enumerations *e, uint32_t source, const compact_view *view, uint32_t type)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_pool *pool = &view->pools.pools[type];
    enumeration *item =
        find_or_add(e, jfr_metadata_text(metadata, metadata->types.items[type].name), source);
    for (size_t i = 0; i < pool->constants.count && compact_enumerations_err(e) == LP_OK; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        if (lp_map_find(&item->by_key, constant->key) != LP_MAP_NONE) {
            continue;
        }
        uint32_t text = add_text(
            e, source, (lp_slice){view->chunk.ptr + constant->offset, constant->size_bytes});
        if (text != LP_MAP_NONE) {
            LP_ARENA_PUSH(&e->arena, &item->constants,
                (struct compact_enumeration_constant){.key = constant->key, .text = text});
            lp_arena_put(&e->arena, &item->by_key, constant->key, text);
        }
    }
}

void
compact_enumerations_add(
    compact_enumerations *enumerations, uint32_t source, const compact_view *view)
{
    for (uint32_t i = 0; i < view->pools.pool_count; i++) {
        if (view->pools.pools[i].is_enumeration) {
            add_pool(enumerations, source, view, i);
        }
    }
}

// --- Comparing

// The constants of all enumerations of one variant.
typedef struct variant {
    uint32_t name;
    uint32_t number; // in name
    lp_map by_key;   // key to text
} variant;

typedef LP_VEC(variant) variants;

static bool
agrees(const variant *v, const enumeration *item)
{
    bool has_zero = lp_map_find(&item->by_key, 0) != LP_MAP_NONE;
    if (has_zero != (lp_map_find(&v->by_key, 0) != LP_MAP_NONE)) {
        return false;
    }
    for (size_t i = 0; i < item->constants.count; i++) {
        uint32_t known = lp_map_find(&v->by_key, item->constants.items[i].key);
        if (known != LP_MAP_NONE && known != item->constants.items[i].text) {
            return false;
        }
    }
    return true;
}

// find_variant returns the first variant that agrees with item, or a new one; NULL once memory ran
// out.
static variant *
find_variant(compact_enumerations *e, variants *all, const enumeration *item)
{
    uint32_t number = 0;
    for (size_t i = 0; i < all->count; i++) {
        variant *v = &all->items[i];
        if (v->name == item->name && agrees(v, item)) {
            return v;
        }
        number += v->name == item->name;
    }
    LP_ARENA_PUSH(&e->arena, all, (variant){.name = item->name, .number = number});
    return e->arena.is_failed ? NULL : &all->items[all->count - 1];
}

static void
join(compact_enumerations *e, variants *all, enumeration *item)
{
    variant *v = find_variant(e, all, item);
    if (v == NULL) {
        return;
    }
    item->variant = v->number;
    for (size_t i = 0; i < item->constants.count; i++) {
        lp_arena_put(
            &e->arena, &v->by_key, item->constants.items[i].key, item->constants.items[i].text);
    }
}

void
compact_enumerations_compare(compact_enumerations *enumerations)
{
    variants all = {0};
    for (size_t i = 0; i < enumerations->items.count; i++) {
        join(enumerations, &all, &enumerations->items.items[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        lp_map_fini(&all.items[i].by_key);
    }
}

uint32_t
compact_enumerations_variant(
    const compact_enumerations *enumerations, const char *name, uint32_t source)
{
    uint32_t row = lp_names_find(&enumerations->names, name);
    uint32_t place = lp_map_find(&enumerations->places, place_of(row, source));
    return place == LP_MAP_NONE ? 0 : enumerations->items.items[place].variant;
}
