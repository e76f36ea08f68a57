// SPDX-License-Identifier: Apache-2.0
#include "engine/write/merge.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/jfr/jfr_enumeration.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "common/jfr/rewrite/jfr_union.h"
#include "engine/write/enumerations.h"

#include <stdlib.h>

enum {
    // How long before the start of the first chunk tick 0 is. Events from before it would have
    // ticks below 0, which are legal and take nine bytes each.
    LEAD_S = 60,
};

// The types that some chunks of a source have.
typedef struct member {
    compact_schema *schema; // held
    uint32_t source;
} member;

struct compact_merge {
    uint32_t source_count;
    int64_t first_wall_ns; // the earliest start of a chunk
    bool is_numbered;      // nothing is added any more
    LP_VEC(member) members;
    lp_map member_of; // a chunk, by its address, to an index of members
    jfr_union types;  // of the members
    compact_enumerations enumerations;
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

void
compact_merge_destroy(compact_merge *merge)
{
    if (merge == NULL) {
        return;
    }
    for (size_t i = 0; i < merge->members.count; i++) {
        compact_schema_release(merge->members.items[i].schema);
    }
    LP_VEC_FINI(&merge->members);
    lp_map_fini(&merge->member_of);
    jfr_union_fini(&merge->types);
    compact_enumerations_fini(&merge->enumerations);
    free(merge);
}

// find_member searches from the end: chunks of one JVM are mostly added one after the other.
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

// add_member sets *out_index to the member that has the types of schema.
static lp_err
add_member(compact_merge *merge, uint32_t source, compact_schema *schema, size_t *out_index)
{
    *out_index = find_member(merge, source, schema);
    if (*out_index != SIZE_MAX) {
        return LP_OK;
    }
    *out_index = merge->members.count;
    lp_err err = jfr_union_add(&merge->types, &schema->metadata);
    member *slot = err == LP_OK ? LP_VEC_PUSH(&merge->members) : NULL;
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = (member){.schema = compact_schema_hold(schema), .source = source};
    return LP_OK;
}

lp_err
compact_merge_add(compact_merge *merge, uint32_t source, const compact_view *view)
{
    LP_ASSERT(source < merge->source_count && !merge->is_numbered);
    size_t index;
    lp_err err = add_member(merge, source, view->schema, &index);
    LP_THEN(err, lp_map_put(&merge->member_of, address_of(view->chunk), (uint32_t)index));
    if (err == LP_OK) {
        compact_enumerations_add(&merge->enumerations, source, view);
        err = compact_enumerations_err(&merge->enumerations);
    }
    if (view->info.start_wall_ns < merge->first_wall_ns) {
        merge->first_wall_ns = view->info.start_wall_ns;
    }
    return err;
}

// part_enumerations sets the variants of a member's enumerations.
static void
part_enumerations(compact_merge *merge, size_t index)
{
    const member *m = &merge->members.items[index];
    const jfr_metadata *metadata = &m->schema->metadata;
    for (uint32_t i = 0; i < metadata->types.count; i++) {
        if (jfr_enumeration_is(metadata, i)) {
            const char *name = jfr_metadata_text(metadata, metadata->types.items[i].name);
            jfr_union_part(&merge->types, index, i,
                compact_enumerations_variant(&merge->enumerations, name, m->source));
        }
    }
}

lp_err
compact_merge_number(compact_merge *merge)
{
    LP_ASSERT(!merge->is_numbered);
    merge->is_numbered = true;
    compact_enumerations_compare(&merge->enumerations);
    LP_TRY(compact_enumerations_err(&merge->enumerations));
    for (size_t i = 0; i < merge->members.count; i++) {
        part_enumerations(merge, i);
    }
    return jfr_union_number(&merge->types);
}

compact_schema *
compact_merge_find_schema(const compact_merge *merge, lp_slice chunk)
{
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
    LP_ASSERT(merge->is_numbered); // nothing is added any more
    int64_t zero;
    return __builtin_sub_overflow(merge->first_wall_ns, LEAD_S * INT64_C(1000000000), &zero)
               ? INT64_MIN
               : zero;
}

const uint64_t *
compact_merge_find_ids(const compact_merge *merge, uint32_t source, const compact_schema *schema)
{
    LP_ASSERT(merge->is_numbered);
    size_t index = find_member(merge, source, schema);
    return index == SIZE_MAX ? NULL : jfr_union_ids(&merge->types, index);
}

bool
compact_merge_has_type(const compact_merge *merge, uint64_t id)
{
    LP_ASSERT(merge->is_numbered);
    return jfr_union_has_id(&merge->types, id);
}
