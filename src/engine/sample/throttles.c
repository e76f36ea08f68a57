// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/throttles.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "common/base/lp_sort.h"
#include "engine/sample/choose.h"

#include <stdlib.h>
#include <string.h>

static void
throttles_check(const compact_throttles *throttles)
{
    LP_ASSERT(throttles->names.items.count == throttles->items.count);
}

void
compact_throttles_fini(compact_throttles *throttles)
{
    throttles_check(throttles);
    for (size_t i = 0; i < throttles->items.count; i++) {
        free(throttles->items.items[i].type);
    }
    LP_VEC_FINI(&throttles->items);
    lp_names_fini(&throttles->names);
    LP_VEC_FINI(&throttles->early);
}

static lp_err
add(compact_throttles *throttles, const char *type, const compact_sampler *sampler)
{
    char *copy;
    if (!LP_VEC_ROOM(&throttles->items) ||
        lp_names_add_copy(&throttles->names, type, &copy) != LP_OK) {
        return LP_ENOMEM;
    }
    throttles->items.items[throttles->items.count++] =
        (compact_throttle){.type = copy, .sampler = *sampler};
    return LP_OK;
}

lp_err
compact_throttles_add(
    compact_throttles *throttles, const char *type, policy_throttle rate, uint32_t *out_index)
{
    throttles_check(throttles);
    LP_ASSERT(rate.per_ns > 0);
    compact_sampler fresh;
    compact_sampler_init(&fresh, type, throttles->is_of_contexts, rate);
    *out_index = lp_names_find(&throttles->names, type);
    if (*out_index == LP_MAP_NONE) {
        *out_index = (uint32_t)throttles->items.count;
        return add(throttles, type, &fresh);
    }
    compact_sampler *known = &throttles->items.items[*out_index].sampler;
    if (known->throttle.count != rate.count || known->throttle.per_ns != rate.per_ns) {
        *known = fresh;
    }
    return LP_OK;
}

uint32_t *
compact_throttles_map(compact_throttles *throttles, const compact_schema *schema, lp_arena *arena)
{
    throttles_check(throttles);
    LP_ASSERT(schema->plans != NULL);
    const jfr_metadata *metadata = &schema->metadata;
    uint32_t *by_type = LP_ARENA_ARRAY(arena, uint32_t, metadata->types.count);
    for (size_t i = 0; by_type != NULL && i < metadata->types.count; i++) {
        const compact_plan *plan = &schema->plans[i];
        policy_throttle rate = throttles->is_of_contexts ? plan->context_throttle : plan->throttle;
        const char *name = jfr_metadata_type_name(metadata, i);
        by_type[i] = LP_MAP_NONE;
        if (rate.per_ns > 0 && compact_throttles_add(throttles, name, rate, &by_type[i]) != LP_OK) {
            lp_arena_fail(arena);
            return NULL;
        }
    }
    return by_type;
}

static int64_t
commit_of(const compact_slots *s, size_t index)
{
    int64_t commit;
    const char *item = (const char *)s->items + index * s->item_bytes;
    memcpy(&commit, item + s->commit_offset, sizeof(commit));
    return commit;
}

bool
compact_slots_next(compact_slots *slots)
{
    LP_ASSERT(slots->begin <= slots->end && slots->end <= slots->count);
    slots->begin = slots->end;
    LP_REQUIRE(slots->begin != slots->count, false);
    int64_t time_ns = compact_clock_wall_ns(slots->clock, commit_of(slots, slots->begin));
    slots->slot = compact_sampler_slot(slots->sampler, time_ns);
    int64_t end_ticks =
        compact_clock_ticks(slots->clock, compact_sampler_slot_end(slots->sampler, slots->slot));
    do {
        slots->end++;
    } while (slots->end < slots->count && commit_of(slots, slots->end) < end_ticks);
    return true;
}

void
compact_throttles_choose(
    compact_sampler *sampler, int64_t slot, size_t population, size_t forced, bool *is_chosen)
{
    compact_chance chance;
    uint64_t room = compact_sampler_open(sampler, slot, population, forced, &chance);
    room = room < population ? room : population;
    compact_sampler_take(sampler, room);
    compact_choose_equal(&chance, room, population, is_chosen);
}

lp_err
compact_throttles_copy(const compact_throttles *throttles, compact_throttles *out)
{
    throttles_check(throttles);
    LP_ASSERT(out->items.count == 0);
    lp_err err = LP_OK;
    for (size_t i = 0; i < throttles->items.count && err == LP_OK; i++) {
        const compact_throttle *item = &throttles->items.items[i];
        err = add(out, item->type, &item->sampler);
    }
    return err;
}

lp_err
compact_throttles_add_early(compact_throttles *throttles, const compact_early *decision)
{
    throttles_check(throttles);
    return LP_VEC_ADD(&throttles->early, *decision);
}

static inline bool
is_before(const compact_early *x, const compact_early *y)
{
    return (LP_ORDER(x->start_ticks, y->start_ticks) ?: LP_ORDER(x->offset, y->offset)
                   ?: LP_ORDER(x->is_sample, y->is_sample)) < 0;
}

LP_COMPARE(compare_early, compact_early, is_before(other, one) - is_before(one, other))

LP_SORT_DEFINE(sort_early, compact_early, is_before)

lp_err
compact_throttles_sort_early(compact_throttles *throttles)
{
    throttles_check(throttles);
    return LP_SORT(sort_early, throttles->early.items, throttles->early.count);
}

// first_from returns the index of the first of count decisions that is not before key. The search
// starts at hint.
static size_t
first_from(const compact_early *items, size_t count, const compact_early *key, size_t hint)
{
    size_t low = 0; // all before low are before key
    size_t high = count;
    if (hint < count && is_before(&items[hint], key)) {
        low = hint + 1;
        for (size_t step = 1; high - low > step && is_before(&items[low + step - 1], key);
             step *= 2) {
            low += step;
        }
    } else if (hint < count) {
        high = hint + 1;
    }
    return LP_BISECT(items, low, high, is_before(at, key));
}

const compact_early *
compact_throttles_find_early(const compact_throttles *throttles, int64_t start_ticks,
    uint32_t offset, bool is_sample, size_t *hint)
{
    throttles_check(throttles);
    const compact_early key = {
        .start_ticks = start_ticks, .offset = offset, .is_sample = is_sample};
    const compact_early *items = throttles->early.items;
    size_t count = throttles->early.count;
    size_t at = first_from(items, count, &key, *hint);
    *hint = at;
    if (at + 1 < count && !is_before(&key, &items[at + 1])) { // chunks that start together
        return bsearch(&key, items, count, sizeof(*items), compare_early);
    }
    return at < count && !is_before(&key, &items[at]) ? &items[at] : NULL;
}
