// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/span_throttle.h"

#include "common/base/lp_assert.h"
#include "engine/decide/event_throttle.h"

void
compact_span_throttle_init(compact_span_throttle *throttle, compact_decider *d, size_t event_count)
{
    *throttle = (compact_span_throttle){
        .d = d,
        .turns = lp_arena_alloc(
            &d->arena, event_count * sizeof(compact_span_turn), alignof(compact_span_turn)),
        .current = LP_ARENA_ARRAY(&d->arena, uint32_t, d->throttles->items.count),
    };
}

static uint32_t
begin_slot(compact_span_throttle *t, uint32_t throttle, int64_t commit)
{
    const compact_sampler *sampler = &t->d->throttles->items.items[throttle].sampler;
    const compact_clock *clock = &t->d->frame->clock;
    int64_t number = compact_sampler_slot(sampler, compact_clock_wall_ns(clock, commit));
    const compact_span_slot slot = {
        .number = number,
        .end_ticks = compact_clock_ticks(clock, compact_sampler_slot_end(sampler, number)),
        .throttle = throttle,
    };
    LP_ARENA_PUSH(&t->d->arena, &t->slots, slot);
    t->current[throttle] = (uint32_t)t->slots.count;
    return (uint32_t)t->slots.count - 1;
}

// find_slot returns the index of an event's slot: the last of its throttle, or a new one.
static inline uint32_t
find_slot(compact_span_throttle *t, uint32_t throttle, int64_t commit)
{
    uint32_t current = t->current[throttle];
    bool is_new = current == 0 || commit >= t->slots.items[current - 1].end_ticks;
    return is_new ? begin_slot(t, throttle, commit) : current - 1;
}

static inline compact_offer
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
    uint32_t index = compact_offer_throttle(d, chunk, type);
    bool is_untriggered = view->schema->plans[type].is_kept_untriggered;
    const compact_offer offer = offer_of(span, chunk, type);
    bool is_now = index != LP_MAP_NONE && compact_event_throttle_is_now(d, &offer);
    compact_span_turn *turn = &throttle->turns[throttle->count++];
    *turn = (compact_span_turn){
        .type = type & ((1 << 29) - 1),
        .is_throttled = index != LP_MAP_NONE,
        .is_untriggered = is_untriggered,
        .is_certain = is_now && (is_untriggered || is_triggered),
        .slot = is_now ? find_slot(throttle, index, span->commit) : LP_MAP_NONE,
    };
    if (is_now && !d->arena.is_failed) {
        throttle->slots.items[turn->slot].certain += turn->is_certain;
    }
}

static void
open_slot(compact_decider *d, compact_span_slot *slot)
{
    compact_sampler *sampler = &d->throttles->items.items[slot->throttle].sampler;
    slot->room = compact_sampler_open_partly(sampler, slot->number, slot->certain, &slot->chance);
    slot->is_open = true;
}

// draw returns whether a slot keeps an event.
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
compact_span_throttle_offer(compact_span_throttle *throttle, const compact_span_turn *turn,
    const compact_span *span, uint32_t chunk)
{
    LP_ASSERT(throttle->next <= throttle->count);
    compact_decider *d = throttle->d;
    const compact_offer offer = offer_of(span, chunk, turn->type);
    if (turn->slot == LP_MAP_NONE) {
        return compact_event_throttle_turn(d, &offer) == COMPACT_TURN_KEPT;
    }
    compact_span_slot *slot = &throttle->slots.items[turn->slot];
    if (!slot->is_open) { // so no certain event of it was offered yet
        open_slot(d, slot);
    }
    slot->certain -= turn->is_certain;
    bool is_kept = draw(d, slot, turn->is_certain);
    compact_event_throttle_settle(d, &offer, is_kept);
    return is_kept;
}
