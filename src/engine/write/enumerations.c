// SPDX-License-Identifier: Apache-2.0
#include "engine/write/enumerations.h"

#include "common/jfr/jfr_string.h"

#include <stdlib.h>
#include <string.h>

typedef struct compact_enumeration enumeration;

void
compact_enumerations_fini(compact_enumerations *enumerations)
{
    for (size_t i = 0; i < enumerations->items.count; i++) {
        LP_VEC_FINI(&enumerations->items.items[i].constants);
        lp_map_fini(&enumerations->items.items[i].by_key);
    }
    LP_VEC_FINI(&enumerations->items);
    lp_map_fini(&enumerations->places);
    for (size_t i = 0; i < enumerations->names.items.count; i++) {
        free((char *)(uintptr_t)enumerations->names.items.items[i]);
    }
    lp_names_fini(&enumerations->names);
    compact_constants_fini(&enumerations->texts);
}

static uint64_t
place_of(uint32_t name, uint32_t source)
{
    return (uint64_t)name << 32 | source;
}

static lp_err
add_name(compact_enumerations *e, const char *name, uint32_t *out_row)
{
    *out_row = lp_names_find(&e->names, name);
    if (*out_row != LP_MAP_NONE) {
        return LP_OK;
    }
    char *own; // freed as one of names
    lp_err err = lp_names_add_copy(&e->names, name, &own);
    if (err == LP_OK) {
        *out_row = (uint32_t)(e->names.items.count - 1);
    }
    return err;
}

// find_or_add returns the place of the enumeration in items.
static lp_err
find_or_add(compact_enumerations *e, const char *type_name, uint32_t source, uint32_t *out_place)
{
    uint32_t name;
    lp_err err = add_name(e, type_name, &name);
    if (err != LP_OK) {
        return err;
    }
    *out_place = lp_map_find(&e->places, place_of(name, source));
    if (*out_place != LP_MAP_NONE) {
        return LP_OK;
    }
    enumeration *item = LP_VEC_PUSH(&e->items);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = (enumeration){.name = name, .source = source};
    *out_place = (uint32_t)(e->items.count - 1);
    return lp_map_put(&e->places, place_of(name, source), *out_place);
}

// add_text numbers the text of a constant. One that is a key into the pool of java.lang.String
// means something in its source only.
static lp_err
add_text(compact_enumerations *e, uint32_t source, lp_slice value, uint32_t *out_text)
{
    lp_buf text = {0};
    lp_buf_append(&text, value.ptr, value.len);
    if (value.len > 0 && value.ptr[0] == JFR_STRING_CONSTANT) {
        lp_buf_append(&text, &source, sizeof(source));
    }
    lp_err err = lp_buf_check(&text);
    if (err == LP_OK) {
        *out_text =
            lp_map_find(&e->texts.by_key, compact_constants_add(&e->texts, lp_buf_slice(&text)));
        err = compact_constants_check(&e->texts);
    }
    lp_buf_fini(&text);
    return err;
}

static lp_err
add_constant(enumeration *item, uint64_t key, uint32_t text)
{
    struct compact_enumeration_constant *added = LP_VEC_PUSH(&item->constants);
    if (added == NULL) {
        return LP_ENOMEM;
    }
    *added = (struct compact_enumeration_constant){.key = key, .text = text};
    return lp_map_put(&item->by_key, key, text);
}

static lp_err
add_pool(compact_enumerations *e, uint32_t source, const compact_view *view, uint32_t type)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_pool *pool = &view->pools.pools[type];
    uint32_t place;
    lp_err err = find_or_add(
        e, jfr_metadata_text(metadata, metadata->types.items[type].name), source, &place);
    for (size_t i = 0; i < pool->constants.count && err == LP_OK; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        enumeration *item = &e->items.items[place];
        if (lp_map_find(&item->by_key, constant->key) != LP_MAP_NONE) {
            continue;
        }
        uint32_t text;
        err = add_text(
            e, source, (lp_slice){view->chunk.ptr + constant->offset, constant->size_bytes}, &text);
        if (err == LP_OK) {
            err = add_constant(item, constant->key, text);
        }
    }
    return err;
}

lp_err
compact_enumerations_add(
    compact_enumerations *enumerations, uint32_t source, const compact_view *view)
{
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < view->pools.pool_count && err == LP_OK; i++) {
        if (view->pools.pools[i].is_enumeration) {
            err = add_pool(enumerations, source, view, i);
        }
    }
    return err;
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

// find_variant finds the first variant that agrees with item, or adds one.
static lp_err
find_variant(variants *all, const enumeration *item, variant **out_variant)
{
    uint32_t number = 0;
    for (size_t i = 0; i < all->count; i++) {
        variant *v = &all->items[i];
        if (v->name == item->name && agrees(v, item)) {
            *out_variant = v;
            return LP_OK;
        }
        number += v->name == item->name;
    }
    variant *added = LP_VEC_PUSH(all);
    if (added == NULL) {
        return LP_ENOMEM;
    }
    *added = (variant){.name = item->name, .number = number};
    *out_variant = added;
    return LP_OK;
}

static lp_err
join(variants *all, enumeration *item)
{
    variant *v;
    lp_err err = find_variant(all, item, &v);
    if (err != LP_OK) {
        return err;
    }
    item->variant = v->number;
    for (size_t i = 0; i < item->constants.count && err == LP_OK; i++) {
        const struct compact_enumeration_constant *constant = &item->constants.items[i];
        err = lp_map_put(&v->by_key, constant->key, constant->text);
    }
    return err;
}

lp_err
compact_enumerations_compare(compact_enumerations *enumerations)
{
    variants all = {0};
    lp_err err = LP_OK;
    for (size_t i = 0; i < enumerations->items.count && err == LP_OK; i++) {
        err = join(&all, &enumerations->items.items[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        lp_map_fini(&all.items[i].by_key);
    }
    LP_VEC_FINI(&all);
    return err;
}

uint32_t
compact_enumerations_variant(
    const compact_enumerations *enumerations, const char *name, uint32_t source)
{
    uint32_t row = lp_names_find(&enumerations->names, name);
    uint32_t place = lp_map_find(&enumerations->places, place_of(row, source));
    return place == LP_MAP_NONE ? 0 : enumerations->items.items[place].variant;
}
