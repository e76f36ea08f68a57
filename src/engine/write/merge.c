// SPDX-License-Identifier: Apache-2.0
#include "engine/write/merge.h"

#include "common/base/lp_arena.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/base/lp_names.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_enumeration.h"
#include "common/jfr/jfr_string.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "common/jfr/rewrite/jfr_union.h"
#include "engine/show/constants.h"

#include <stdlib.h>
#include <string.h>

enum {
    // The distance from tick 0 to the start of the first chunk. Earlier events would have negative
    // ticks: they are legal and take nine bytes each.
    LEAD_S = 60,
};

// --- Enumerations
//
// An enumeration keeps its keys in a file of several JVMs. Readers may take a constant of the same
// type and key from the previous chunk. So JVMs share the type only if they agree: a common key
// means the same in both, and key 0 (else null) is defined in both or in neither. Otherwise they
// are different variants, and each gets a type of its own (jfr_union_part).

typedef struct enumerations {
    lp_arena arena;
    LP_VEC(struct enumeration {
        uint32_t name; // of the type, index of names
        uint32_t source;
        LP_VEC(struct enumeration_constant {
            uint64_t key;
            uint32_t text; // indexes texts
        })
        constants;
        lp_map by_key; // key to text
        uint32_t variant;
    })
    items;
    lp_map places;           // name and source to an index of items
    lp_names names;          // of types, in arena
    compact_constants texts; // without duplicates
} enumerations;

typedef struct enumeration enumeration;

static void
end_enumerations(enumerations *e)
{
    for (size_t i = 0; i < e->items.count; i++) {
        lp_map_fini(&e->items.items[i].by_key);
    }
    lp_map_fini(&e->places);
    lp_names_fini(&e->names);
    compact_constants_fini(&e->texts);
    lp_arena_fini(&e->arena);
}

static lp_err
enumerations_err(const enumerations *e)
{
    lp_err err = lp_arena_err(&e->arena);
    return err == LP_OK ? compact_constants_check(&e->texts) : err;
}

static uint64_t
place_of(uint32_t name, uint32_t source)
{
    return (uint64_t)name << 32 | source;
}

static uint32_t
add_name(enumerations *e, const char *name)
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

static enumeration *
find_or_add(enumerations *e, const char *type_name, uint32_t source)
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

// add_text returns the number of a constant's text. A key of a java.lang.String has a meaning in
// its source only.
static uint32_t
add_text(enumerations *e, uint32_t source, lp_slice value)
{
    lp_buf text = {0};
    lp_buf_append(&text, value.ptr, value.len);
    if (value.len > 0 && value.ptr[0] == JFR_STRING_CONSTANT) {
        lp_buf_append(&text, &source, sizeof(source));
    }
    lp_arena_note(&e->arena, lp_buf_check(&text));
    uint64_t key = compact_constants_add(&e->texts, lp_buf_slice(&text));
    lp_buf_fini(&text);
    return lp_map_find(&e->texts.by_key, key);
}

static void
add_pool(enumerations *e, uint32_t source, const compact_view *view, uint32_t type)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_pool *pool = &view->pools.pools[type];
    enumeration *item = find_or_add(e, jfr_metadata_type_name(metadata, type), source);
    for (size_t i = 0; i < pool->constants.count && enumerations_err(e) == LP_OK; i++) {
        const jfr_constant *constant = &pool->constants.items[i];
        if (lp_map_find(&item->by_key, constant->key) != LP_MAP_NONE) {
            continue;
        }
        uint32_t text = add_text(
            e, source, (lp_slice){view->chunk.ptr + constant->offset, constant->size_bytes});
        if (text != LP_MAP_NONE) {
            LP_ARENA_PUSH(&e->arena, &item->constants,
                (struct enumeration_constant){.key = constant->key, .text = text});
            lp_arena_put(&e->arena, &item->by_key, constant->key, text);
        }
    }
}

// The constants of the enumerations of a variant.
typedef struct variant {
    uint32_t name;
    uint32_t number; // within the name
    lp_map by_key;   // key to text
} variant;

typedef LP_VEC(variant) variants;

static bool
agrees(const variant *v, const enumeration *item)
{
    bool has_zero = lp_map_find(&item->by_key, 0) != LP_MAP_NONE;
    LP_REQUIRE(has_zero == (lp_map_find(&v->by_key, 0) != LP_MAP_NONE), false);
    for (size_t i = 0; i < item->constants.count; i++) {
        uint32_t known = lp_map_find(&v->by_key, item->constants.items[i].key);
        LP_REQUIRE(known == LP_MAP_NONE || known == item->constants.items[i].text, false);
    }
    return true;
}

// find_variant returns the first variant that agrees with item, or a new one; NULL once memory ran
// out.
static variant *
find_variant(enumerations *e, variants *all, const enumeration *item)
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
join(enumerations *e, variants *all, enumeration *item)
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

static void
compare_enumerations(enumerations *e)
{
    variants all = {0};
    for (size_t i = 0; i < e->items.count; i++) {
        join(e, &all, &e->items.items[i]);
    }
    for (size_t i = 0; i < all.count; i++) {
        lp_map_fini(&all.items[i].by_key);
    }
}

static uint32_t
find_enumeration_variant(const enumerations *e, const char *name, uint32_t source)
{
    uint32_t row = lp_names_find(&e->names, name);
    uint32_t place = lp_map_find(&e->places, place_of(row, source));
    return place == LP_MAP_NONE ? 0 : e->items.items[place].variant;
}

// --- The merge

// The types of some chunks of a source.
typedef struct member {
    compact_schema *schema; // held
    uint32_t source;
} member;

struct compact_merge {
    uint32_t source_count;
    int64_t first_wall_ns; // earliest start of a chunk
    bool is_numbered;      // compact_merge_number was called
    LP_VEC(member) members;
    lp_map member_of; // address of a chunk to an index of members
    jfr_union types;  // of the members
    enumerations enumerations;
};

compact_merge *
compact_merge_create(uint32_t source_count)
{
    LP_ASSERT(source_count >= 1 && source_count <= JFR_REWRITE_SOURCES_MAX);
    compact_merge *merge = calloc(1, sizeof(*merge));
    if (merge != NULL) {
        merge->source_count = source_count;
        merge->first_wall_ns = INT64_MAX;
    }
    return merge;
}

static void
merge_check(const compact_merge *merge)
{
    LP_ASSERT(merge->source_count >= 1 && merge->source_count <= JFR_REWRITE_SOURCES_MAX);
    LP_ASSERT(merge->member_of.count == 0 || merge->members.count > 0);
}

void
compact_merge_destroy(compact_merge *merge)
{
    if (merge == NULL) {
        return;
    }
    merge_check(merge);
    for (size_t i = 0; i < merge->members.count; i++) {
        compact_schema_release(merge->members.items[i].schema);
    }
    LP_VEC_FINI(&merge->members);
    lp_map_fini(&merge->member_of);
    jfr_union_fini(&merge->types);
    end_enumerations(&merge->enumerations);
    free(merge);
}

// find_member searches backwards: chunks of a JVM are usually added together.
static size_t
find_member(const compact_merge *merge, uint32_t source, const compact_schema *schema)
{
    size_t i = merge->members.count;
    while (i > 0 && !(merge->members.items[i - 1].source == source &&
                        (merge->members.items[i - 1].schema == schema ||
                            compact_schema_is_like(merge->members.items[i - 1].schema, schema)))) {
        i--;
    }
    return i - 1; // SIZE_MAX: none
}

static uint64_t
address_of(lp_slice chunk)
{
    return (uintptr_t)chunk.ptr;
}

static lp_err
add_member(compact_merge *merge, uint32_t source, compact_schema *schema, size_t *out_index)
{
    *out_index = find_member(merge, source, schema);
    if (*out_index != SIZE_MAX) {
        return LP_OK;
    }
    *out_index = merge->members.count;
    LP_TRY(jfr_union_add(&merge->types, &schema->metadata));
    LP_TRY(LP_VEC_ADD(&merge->members, (member){.schema = schema, .source = source}));
    (void)compact_schema_hold(schema);
    return LP_OK;
}

lp_err
compact_merge_add(compact_merge *merge, uint32_t source, const compact_view *view)
{
    merge_check(merge);
    LP_ASSERT(source < merge->source_count && !merge->is_numbered);
    size_t index;
    lp_err err = add_member(merge, source, view->schema, &index);
    LP_THEN(err, lp_map_put(&merge->member_of, address_of(view->chunk), (uint32_t)index));
    if (err == LP_OK) {
        for (uint32_t i = 0; i < view->pools.pool_count; i++) {
            if (view->pools.pools[i].is_enumeration) {
                add_pool(&merge->enumerations, source, view, i);
            }
        }
        err = enumerations_err(&merge->enumerations);
    }
    if (view->info.start_wall_ns < merge->first_wall_ns) {
        merge->first_wall_ns = view->info.start_wall_ns;
    }
    return err;
}

static void
part_enumerations(compact_merge *merge, size_t index)
{
    LP_ASSERT(merge->is_numbered && index < merge->members.count);
    const member *m = &merge->members.items[index];
    const jfr_metadata *metadata = &m->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        if (jfr_enumeration_is(metadata, i)) {
            const char *name = jfr_metadata_type_name(metadata, i);
            jfr_union_part(&merge->types, index, i,
                find_enumeration_variant(&merge->enumerations, name, m->source));
        }
    }
}

lp_err
compact_merge_number(compact_merge *merge)
{
    merge_check(merge);
    LP_ASSERT(!merge->is_numbered);
    merge->is_numbered = true;
    compare_enumerations(&merge->enumerations);
    LP_TRY(enumerations_err(&merge->enumerations));
    for (size_t i = 0; i < merge->members.count; i++) {
        part_enumerations(merge, i);
    }
    return jfr_union_number(&merge->types);
}

compact_schema *
compact_merge_find_schema(const compact_merge *merge, lp_slice chunk)
{
    merge_check(merge);
    uint32_t index = lp_map_find(&merge->member_of, address_of(chunk));
    return index == LP_MAP_NONE ? NULL : merge->members.items[index].schema;
}

uint32_t
compact_merge_source_count(const compact_merge *merge)
{
    return merge->source_count;
}

int64_t
compact_merge_zero_wall_ns(const compact_merge *merge)
{
    merge_check(merge);
    LP_ASSERT(merge->is_numbered); // nothing is added any more
    int64_t zero;
    return __builtin_sub_overflow(merge->first_wall_ns, LEAD_S * INT64_C(1000000000), &zero)
               ? INT64_MIN
               : zero;
}

const uint64_t *
compact_merge_find_ids(const compact_merge *merge, uint32_t source, const compact_schema *schema)
{
    merge_check(merge);
    LP_ASSERT(merge->is_numbered);
    size_t index = find_member(merge, source, schema);
    return index == SIZE_MAX ? NULL : jfr_union_ids(&merge->types, index);
}

bool
compact_merge_has_type(const compact_merge *merge, uint64_t id)
{
    merge_check(merge);
    LP_ASSERT(merge->is_numbered);
    return jfr_union_has_id(&merge->types, id);
}
