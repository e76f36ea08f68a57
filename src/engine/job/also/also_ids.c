// SPDX-License-Identifier: Apache-2.0
// also_ids: reads the ids of contexts (also.h).
//
// Tests: tests/unit/engine/job/also/test_also.c

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/context/ctx_type.h"
#include "common/jfr/jfr_string.h"
#include "engine/job/also/also.h"
#include "engine/job/context_walk.h"
#include "engine/read/context_sums.h"
#include "engine/read/kind_values.h"
#include "engine/read/kinds.h"

#include <assert.h>

typedef struct compact_also_kind {
    compact_kind kind;
    compact_reading reading;
    uint32_t ids; // a bit for each attribute that is an id
} also_kind;

static_assert(COMPACT_KIND_ATTRIBUTES_MAX <= 32, "a bit for each attribute");

compact_also_ids
compact_also_ids_begin(const compact_frame *frame, const compact_view *view, lp_arena *arena)
{
    LP_ASSERT(frame->options->also != NULL);
    return (compact_also_ids){
        .frame = frame,
        .view = view,
        .arena = arena,
        .kinds = LP_ARENA_ARRAY(arena, also_kind *, view->schema->metadata.types.count),
    };
}

void
compact_also_ids_end(compact_also_ids *ids)
{
    lp_buf_fini(&ids->value);
    lp_buf_fini(&ids->text);
}

// is_wanted returns whether the text in ids->text is a wanted id.
static bool
is_wanted(const compact_also_ids *ids)
{
    const compact_also *also = ids->frame->options->also;
    uint64_t hash;
    LP_REQUIRE(!ids->text.is_failed && rollup_id_hash(lp_buf_slice(&ids->text), &hash), false);
    size_t first = LP_BISECT(also->ids, 0, also->id_count, *at < hash);
    return first < also->id_count && also->ids[first] == hash;
}

// know returns how to read the ids of a type; NULL if memory ran out.
static const also_kind *
know(compact_also_ids *ids, uint32_t type)
{
    LP_ASSERT(type < ids->view->schema->metadata.types.count);
    if (ids->kinds == NULL || ids->kinds[type] != NULL) {
        return ids->kinds == NULL ? NULL : ids->kinds[type];
    }
    const compact_schema *schema = ids->view->schema;
    also_kind *known = LP_ARENA_NEW(ids->arena, also_kind);
    compact_kinds kinds = {.arena = ids->arena};
    compact_kinds_add_event(&kinds, &schema->metadata, type);
    LP_REQUIRE(known != NULL && kinds.items.count > 0, NULL);
    known->kind = kinds.items.items[0];
    known->reading = compact_reading_make(&known->kind, &schema->metadata, type, &ids->view->pools);
    for (size_t i = 0; i < known->kind.attribute_count; i++) {
        bool is_id =
            compact_sums_is_id(schema->plans[type].context_index, known->kind.attributes[i].name);
        known->ids |= (uint32_t)is_id << i;
    }
    ids->kinds[type] = known;
    return known;
}

bool
compact_also_ids_of_event(compact_also_ids *ids, uint32_t type, jfr_cursor payload)
{
    const also_kind *known = know(ids, type);
    LP_REQUIRE(known != NULL && known->ids != 0, false);
    lp_buf_clear(&ids->value);
    compact_kind_append_event(&known->kind, &known->reading, payload, false, &ids->value);
    lp_arena_note(ids->arena, lp_buf_check(&ids->value));
    LP_REQUIRE(!ids->value.is_failed, false);
    jfr_cursor cursor = jfr_cursor_over(lp_buf_slice(&ids->value));
    for (size_t i = 0; i < known->kind.attribute_count; i++) {
        uint64_t key;
        lp_slice bytes = compact_kind_next_value(&known->kind.attributes[i], &cursor, &key);
        jfr_cursor text = jfr_cursor_over(bytes);
        lp_buf_clear(&ids->text);
        if ((known->ids >> i & 1) != 0 && jfr_string_read_utf8(&text, &ids->text) &&
            is_wanted(ids)) {
            return true;
        }
    }
    lp_arena_note(ids->arena, lp_buf_check(&ids->text));
    return false;
}

bool
compact_also_ids_of_context(compact_also_ids *ids, const compact_context *context)
{
    const compact_frame *frame = ids->frame;
    size_t type = ctx_type_find(frame->types, frame->type_count, context->type_id);
    LP_REQUIRE(type < frame->type_count, false);
    const policy_index *index =
        policy_find(frame->options->policy, frame->types[type].name, true).context_index;
    compact_context_walk w =
        compact_context_walk_begin(frame, frame->contexts, context, &frame->types[type]);
    while (compact_context_walk_next(&w)) {
        if (!w.is_damaged && !w.value.is_null && compact_sums_is_id(index, w.name)) {
            compact_value_text(w.kind, &w.value, &ids->value, &ids->text);
            lp_arena_note(ids->arena, lp_buf_check(&ids->text));
            if (is_wanted(ids)) {
                return true;
            }
        }
    }
    return false;
}
