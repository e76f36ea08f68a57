// SPDX-License-Identifier: Apache-2.0
#include "engine/carry/carry.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

#include <stdlib.h>

compact_carry *
compact_carry_create(void)
{
    compact_carry *carry = calloc(1, sizeof(*carry));
    if (carry != NULL) {
        compact_contexts_init(&carry->contexts, &carry->arena);
        carry->recordings.arena = &carry->arena;
        carry->filters.arena = &carry->arena;
        carry->recorded.arena = &carry->arena;
        carry->requests.arena = &carry->arena;
        carry->quotas.is_of_contexts = true;
    }
    return carry;
}

void
compact_carry_check(const compact_carry *carry)
{
    LP_ASSERT(carry->contexts.arena == &carry->arena);
    LP_ASSERT(carry->recordings.arena == &carry->arena && carry->filters.arena == &carry->arena);
    LP_ASSERT(carry->recorded.arena == &carry->arena && carry->requests.arena == &carry->arena);
}

void
compact_carry_destroy(compact_carry *carry)
{
    if (carry == NULL) {
        return;
    }
    compact_carry_check(carry);
    compact_recordings_fini(&carry->recordings);
    compact_filters_fini(&carry->filters);
    compact_throttles_fini(&carry->throttles);
    compact_throttles_fini(&carry->quotas);
    compact_contexts_fini(&carry->contexts);
    compact_kept_times_fini(&carry->past);
    compact_request_rules_fini(&carry->request_rules);
    LP_VEC_FINI(&carry->triggers);
    LP_VEC_FINI(&carry->intervals);
    LP_VEC_FINI(&carry->written_ahead);
    LP_VEC_FINI(&carry->standings_ahead);
    LP_VEC_FINI(&carry->borders);
    lp_arena_fini(&carry->arena);
    free(carry);
}

static bool
has_type(const compact_carry_types *types, uint16_t id)
{
    return ctx_type_find(types->items, types->count, id) < types->count;
}

lp_err
compact_carry_add_types(compact_carry *carry, const ctx_type *types, size_t count)
{
    compact_carry_check(carry);
    for (size_t i = 0; i < count; i++) {
        LP_ASSERT(ctx_type_is_sound(&types[i]));
        if (has_type(&carry->types, types[i].id) || has_type(&carry->completing, types[i].id)) {
            continue;
        }
        LP_REQUIRE(carry->types.count + carry->completing.count != CTX_TYPES_MAX, LP_ELIMIT);
        compact_carry_types *list =
            ctx_type_begins_contexts(&types[i]) ? &carry->types : &carry->completing;
        LP_ARENA_PUSH(&carry->arena, list, ctx_type_copy_in(&carry->arena, &types[i]));
    }
    return LP_OK;
}
