// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/span_throttle.h"

#include "common/base/lp_assert.h"
#include "engine/decide/event_throttle.h"

void
compact_span_throttle_init(compact_span_throttle *throttle, compact_decider *d)
{
    *throttle = (compact_span_throttle){
        .d = d,
        .current = LP_ARENA_ARRAY(&d->arena, uint32_t, d->throttles->items.count),
    };
}

// find_slot returns the index of the slot in which an event lies, which is the last of its throttle
// or a new one.
static uint32_t
find_slot(compact_span_throttle *t, uint32_t throttle, int64_t commit)
{
    const compact_sampler *sampler = &t->d->throttles->items.items[throttle].sampler;
    int64_t number =
        compact_sampler_slot(sampler, compact_clock_wall_ns(&t->d->frame->clock, commit));
    uint32_t *current = &t->current[throttle];
    if (*current == 0 || t->slots.items[*current - 1].number != number) {
        LP_ARENA_PUSH(
            &t->d->arena, &t->slots, (compact_span_slot){.number = number, .throttle = throttle});
        *current = (uint32_t)t->slots.count;
    }
    return *current - 1;
}

static bool
is_of_slot(const compact_decider *d, const compact_offer *offer)
{
    return compact_event_throttle_is_now(d, offer) &&
           compact_event_throttle_find_early(d, offer) == NULL;
}

static compact_offer
offer_of(const compact_span *span, uint32_t chunk, uint32_t type)
{
    return (compact_offer){
        .commit = span->commit, .offset = span->offset, .type = type, .chunk = chunk & INT32_MAX};
}

void
compact_span_throttle_add(
    compact_span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered)
{
    compact_decider *d = throttle->d;
    const compact_view *view = compact_offer_view(d, chunk);
    uint32_t type = compact_view_event(view, span->offset).type;
    compact_span_turn turn = {
        .type = type,
        .throttle = compact_offer_throttle(d, chunk, type),
        .slot = LP_MAP_NONE,
        .is_untriggered = view->schema->plans[type].is_kept_untriggered,
    };
    const compact_offer offer = offer_of(span, chunk, type);
    if (turn.throttle != LP_MAP_NONE && is_of_slot(d, &offer) && !d->arena.is_failed) {
        turn.slot = find_slot(throttle, turn.throttle, span->commit);
        turn.is_certain = turn.is_untriggered || is_triggered;
        if (!d->arena.is_failed) {
            throttle->slots.items[turn.slot].certain += turn.is_certain;
        }
    }
    LP_ARENA_PUSH(&d->arena, &throttle->turns, turn);
}

static void
open_slot(compact_decider *d, compact_span_slot *slot)
{
    compact_sampler *sampler = &d->throttles->items.items[slot->throttle].sampler;
    slot->room = compact_sampler_open(sampler, slot->number, slot->certain, 0, &slot->chance);
    slot->is_open = true;
}

// draw returns whether an event is kept that is offered to its slot, in which only those follow
// that are counted as certain.
static bool
draw(compact_decider *d, compact_span_slot *slot, bool is_certain)
{
    compact_sampler *sampler = &d->throttles->items.items[slot->throttle].sampler;
    if (!is_certain) {
        compact_sampler_see(sampler);
    }
    uint64_t all = (uint64_t)slot->certain + 1;
    bool is_kept = slot->room >= all || compact_chance_is(&slot->chance, slot->room, all);
    slot->room -= is_kept;
    compact_sampler_take(sampler, is_kept);
    return is_kept;
}

bool
compact_span_throttle_keep(
    compact_span_throttle *throttle, const compact_span *span, uint32_t chunk, bool is_triggered)
{
    LP_ASSERT(throttle->next < throttle->turns.count);
    compact_decider *d = throttle->d;
    const compact_span_turn *turn = &throttle->turns.items[throttle->next++];
    compact_span_slot *slot = turn->slot == LP_MAP_NONE ? NULL : &throttle->slots.items[turn->slot];
    if (slot != NULL && !slot->is_open) {
        open_slot(d, slot);
    }
    if (turn->is_certain) {
        slot->certain--;
    }
    if (turn->throttle == LP_MAP_NONE || (!is_triggered && !turn->is_untriggered)) {
        return is_triggered;
    }
    const compact_offer offer = offer_of(span, chunk, turn->type);
    if (slot == NULL) {
        return compact_event_throttle_turn(d, &offer) == COMPACT_TURN_KEPT;
    }
    bool is_kept = draw(d, slot, turn->is_certain);
    compact_event_throttle_settle(d, &offer, is_kept);
    return is_kept;
}
