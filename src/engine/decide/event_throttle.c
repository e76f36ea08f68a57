// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/event_throttle.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "engine/read/rows.h"
#include "engine/sample/choose.h"

// Design notes
//
// A throttle chooses when all events of a slot are known, in the order of their commit times. A
// chunk decides whole seconds, frame->sampled. Later chunks store some events of the last second;
// each of these chunks looks up the decisions on its own events. An event that such a decision does
// not cover came too late for its slot.
//
// The kept samples of a slot stand for all bytes of the slot. If a slot keeps none, its bytes are
// added to the next sample.

static bool
is_ahead(const compact_frame *frame, int64_t start_ticks)
{
    bool is_one = false;
    for (size_t i = 0; i < frame->ahead_count; i++) {
        is_one |= frame->aheads[i].view->info.start_ticks == start_ticks;
    }
    return is_one;
}

// copy_early copies the previous chunk's decisions on later chunks to the new carry.
static void
copy_early(compact_decider *d)
{
    compact_decider_check(d);
    const compact_carry *carry = d->frame->carry;
    bool is_wanted = false;
    for (size_t i = 0; carry != NULL && i < carry->throttles.early.count; i++) {
        const compact_early *early = &carry->throttles.early.items[i];
        if (i == 0 || early->start_ticks != early[-1].start_ticks) { // they come in runs
            is_wanted = is_ahead(d->frame, early->start_ticks);
        }
        if (is_wanted) {
            lp_arena_note(&d->arena, compact_throttles_add_early(d->throttles, early));
        }
    }
}

void
compact_event_throttle_find(compact_decider *d)
{
    compact_decider_check(d);
    LP_ASSERT(d->view_throttles == NULL); // called once
    const compact_frame *frame = d->frame;
    d->view_throttles = compact_throttles_map(d->throttles, d->view->schema, &d->arena);
    for (size_t i = 0; i < frame->ahead_count; i++) {
        d->aheads[i].throttles =
            compact_throttles_map(d->throttles, frame->aheads[i].view->schema, &d->arena);
    }
    if (!d->samples) {
        copy_early(d);
    }
}

// allocated_bytes returns the bytes for which the event at offset stands, INT64_MAX at most. The
// plan of its type is_allocation.
static uint64_t
allocated_bytes(const compact_view *view, uint32_t offset)
{
    compact_event event = compact_view_event(view, offset);
    uint64_t bytes;
    LP_ASSERT(view->schema->plans[event.type].is_allocation);
    bool is_whole = jfr_layout_walk(&view->schema->layout,
                        view->schema->plans[event.type].before_bytes, &event.payload) &&
                    jfr_varint_read(&event.payload, &bytes);
    LP_ASSERT(is_whole); // reading the chunk checked that it fits its type
    return bytes > INT64_MAX ? INT64_MAX : bytes;
}

static uint64_t
bytes_of(const compact_decider *d, const compact_offer *offer)
{
    return allocated_bytes(compact_offer_view(d, offer->chunk), offer->offset);
}

// add_pending adds bytes to the next sample's weight, up to INT64_MAX.
static void
add_pending(compact_decider *d, uint64_t bytes)
{
    uint64_t sum = *d->pending_bytes + bytes;
    *d->pending_bytes = sum < INT64_MAX ? sum : INT64_MAX;
}

// take_pending returns the weight of a kept sample: its own, and the pending bytes.
static uint64_t
take_pending(compact_decider *d, uint64_t weight)
{
    add_pending(d, weight);
    weight = *d->pending_bytes;
    *d->pending_bytes = 0;
    return weight;
}

// settle notes a decision; weight is that of a kept sample.
static void
settle(compact_decider *d, const compact_offer *offer, bool is_kept, uint64_t weight)
{
    if (offer->chunk > 0 && !d->samples) { // copy_early has noted it
        return;
    }
    if (offer->chunk > 0) {
        const compact_early early = {
            .start_ticks = compact_offer_view(d, offer->chunk)->info.start_ticks,
            .offset = offer->offset,
            .is_sample = offer->is_sample,
            .is_kept = is_kept,
            .weight = weight,
        };
        lp_arena_note(&d->arena, compact_throttles_add_early(d->throttles, &early));
        return;
    }
    d->view->dropped[offer->type].by[COMPACT_BY_THROTTLE] += !is_kept;
    if (offer->is_sample && is_kept) {
        LP_ARENA_PUSH_BESIDE(
            &d->arena, &d->view->weights, (compact_weight){.bytes = weight, .row = offer->index});
    }
}

void
compact_event_throttle_settle(compact_decider *d, const compact_offer *offer, bool is_kept)
{
    settle(d, offer, is_kept, 0);
}

// --- Earlier decisions

// find_early returns the previous chunk's decision about an event; NULL: none.
static const compact_early *
find_early(compact_decider *d, const compact_offer *offer)
{
    const compact_carry *carry = d->frame->carry;
    return carry == NULL ? NULL
                         : compact_throttles_find_early(&carry->throttles,
                               compact_offer_view(d, offer->chunk)->info.start_ticks, offer->offset,
                               offer->is_sample, &d->early_hint);
}

// keep_late decides on an event that came too late for its slot.
static bool
keep_late(compact_decider *d, const compact_offer *offer)
{
    compact_decider_check(d);
    uint32_t throttle = compact_offer_throttle(d, offer->chunk, offer->type);
    bool is_kept = compact_sampler_keep_late(&d->throttles->items.items[throttle].sampler);
    uint64_t weight = offer->is_sample ? bytes_of(d, offer) : 0;
    if (is_kept && offer->is_sample) {
        weight = take_pending(d, weight);
    } else {
        add_pending(d, weight);
    }
    settle(d, offer, is_kept, weight);
    return is_kept;
}

compact_turn
compact_event_throttle_turn(compact_decider *d, const compact_offer *offer)
{
    compact_decider_check(d);
    if (compact_event_throttle_is_now(d, offer)) {
        return COMPACT_TURN_NOW;
    }
    const compact_early *early = find_early(d, offer);
    bool is_kept = false;
    if (early != NULL) {
        is_kept = early->is_kept;
        settle(d, offer, is_kept, early->weight);
    } else if (offer->chunk == 0) {
        is_kept = keep_late(d, offer);
    }
    return is_kept ? COMPACT_TURN_KEPT : COMPACT_TURN_DROPPED;
}

// --- Plain events

LP_SORT_BY(sort_offers, compact_offer, x->commit < y->commit)

typedef struct chooser {
    compact_decider *d;
    LP_VEC(compact_offer) offers; // in the order of the chunks
    lp_arena scratch;             // of the following
    size_t *ends;                 // by throttle: where its offers end in sorted
    compact_offer *sorted;        // by throttle
    compact_offer *spare;         // for half the offers of any throttle
    bool *is_chosen;              // for all offers of any throttle
    compact_sized *sized;         // the same; only if makes_samples
    uint64_t *sizes;
} chooser;

static void
set_kept(compact_decider *d, const compact_offer *offer, bool is_kept)
{
    if (offer->chunk > 0) {
        d->early_is_kept[offer->index] = is_kept;
    } else if (!is_kept) {
        d->view->plain.items[offer->index].fate = COMPACT_UNDECIDED;
    }
}

// weigh_whole keeps a sample that has no throttle, unless the previous chunk had a throttle and
// decided it.
static void
weigh_whole(compact_decider *d, const compact_offer *offer)
{
    const compact_early *early = find_early(d, offer);
    if (early != NULL) {
        settle(d, offer, early->is_kept, early->weight);
        set_kept(d, offer, early->is_kept);
    } else if (offer->chunk == 0) {
        settle(d, offer, true, take_pending(d, bytes_of(d, offer)));
    }
}

static void
add_offer(chooser *c, const compact_plain *row, size_t index, uint32_t chunk)
{
    compact_decider *d = c->d;
    uint32_t type = compact_view_type(compact_offer_view(d, chunk), row);
    bool is_throttled = compact_offer_throttle(d, chunk, type) != LP_MAP_NONE;
    if (!is_throttled && !row->is_sample) {
        return;
    }
    const compact_offer offer = {
        .commit = row->commit,
        .offset = row->offset,
        .index = (uint32_t)index,
        .type = type,
        .chunk = chunk & INT32_MAX,
        .is_sample = row->is_sample,
    };
    if (!is_throttled) {
        weigh_whole(d, &offer);
        return;
    }
    compact_turn turn = compact_event_throttle_turn(d, &offer);
    if (turn == COMPACT_TURN_NOW) {
        LP_ARENA_PUSH_BESIDE(&d->arena, &c->offers, offer);
    } else {
        set_kept(d, &offer, turn == COMPACT_TURN_KEPT);
    }
}

enum { FETCHED_BEFORE = 8 }; // rows between the prefetch of an event and its use

static void
list_offers(chooser *c)
{
    compact_decider_check(c->d);
    const compact_decider *d = c->d;
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (i + FETCHED_BEFORE < view->plain.count) {
            compact_view_fetch(view, row[FETCHED_BEFORE].offset);
        }
        if (row->fate == COMPACT_KEPT_BY_CONTEXT) {
            add_offer(c, row, i, 0);
        }
    }
    for (size_t i = 0; i < d->early_plain.count; i++) {
        if (i + FETCHED_BEFORE < d->early_plain.count) {
            view = d->frame->aheads[d->early_plain.items[i + FETCHED_BEFORE].ahead].view;
            compact_view_fetch(view, compact_decider_early_plain(d, i + FETCHED_BEFORE)->offset);
        }
        if (d->early_is_kept[i]) {
            add_offer(c, compact_decider_early_plain(d, i), i, d->early_plain.items[i].ahead + 1);
        }
    }
}

// group sorts the offers by throttle, and allocates room to decide any of them.
static void
group(chooser *c)
{
    compact_decider_check(c->d);
    size_t throttle_count = c->d->throttles->items.count;
    size_t most = 0;
    c->ends = LP_ARENA_ARRAY(&c->scratch, size_t, throttle_count);
    c->sorted = LP_ARENA_ARRAY(&c->scratch, compact_offer, c->offers.count);
    if (c->sorted == NULL) { // the arena is sticky: ends are there, else
        return;
    }
    LP_GROUP(c->offers.items, c->offers.count, compact_offer_throttle(c->d, at->chunk, at->type),
        c->ends, throttle_count, c->sorted);
    for (size_t i = 0; i < throttle_count; i++) {
        size_t count = c->ends[i] - (i == 0 ? 0 : c->ends[i - 1]);
        most = count > most ? count : most;
    }
    c->spare = LP_ARENA_ARRAY(&c->scratch, compact_offer, most / 2);
    c->is_chosen = LP_ARENA_ARRAY(&c->scratch, bool, most);
    if (c->d->makes_samples) {
        c->sized = LP_ARENA_ARRAY(&c->scratch, compact_sized, most);
        c->sizes = LP_ARENA_ARRAY(&c->scratch, uint64_t, most);
    }
}

// decide_equal decides a slot in which each event has the same chance. A slot has both samples and
// other events if a chunk of the same second has samples that the JVM itself made.
static void
decide_equal(
    chooser *c, const compact_offer *offers, size_t count, uint64_t room, compact_chance *chance)
{
    compact_decider *d = c->d;
    compact_choose_equal(chance, room, count, c->is_chosen);
    for (size_t i = 0; i < count; i++) {
        bool is_kept = c->is_chosen[i];
        uint64_t weight = offers[i].is_sample ? bytes_of(d, &offers[i]) : 0;
        if (offers[i].is_sample && is_kept) {
            weight = take_pending(d, weight);
        } else if (offers[i].is_sample) {
            add_pending(d, weight);
        }
        settle(d, &offers[i], is_kept, weight);
        set_kept(d, &offers[i], is_kept);
    }
}

static void
decide_samples(
    chooser *c, const compact_offer *offers, size_t count, uint64_t room, compact_chance *chance)
{
    compact_decider *d = c->d;
    for (size_t i = 0; i < count; i++) {
        c->sized[i].bytes = bytes_of(d, &offers[i]);
    }
    compact_choose_sized(chance, room, c->sized, count, c->sizes);
    for (size_t i = 0; i < count; i++) {
        const compact_sized *item = &c->sized[i];
        uint64_t weight = item->is_chosen ? take_pending(d, item->weight) : 0;
        if (room == 0) {
            add_pending(d, item->bytes);
        }
        settle(d, &offers[i], item->is_chosen, weight);
        set_kept(d, &offers[i], item->is_chosen);
    }
}

static bool
are_samples(const compact_offer *offers, size_t count)
{
    bool are = true;
    for (size_t i = 0; i < count; i++) {
        are &= offers[i].is_sample;
    }
    return are;
}

static void
decide_slot(
    chooser *c, compact_sampler *sampler, int64_t slot, const compact_offer *offers, size_t count)
{
    compact_chance chance;
    uint64_t room = compact_sampler_open(sampler, slot, count, 0, &chance);
    room = room < count ? room : count;
    compact_sampler_take(sampler, room);
    if (are_samples(offers, count)) {
        decide_samples(c, offers, count, room, &chance);
    } else {
        decide_equal(c, offers, count, room, &chance);
    }
}

static void
decide_throttle(chooser *c, compact_sampler *sampler, compact_offer *offers, size_t count)
{
    compact_decider_check(c->d);
    compact_slots slots = COMPACT_SLOTS(sampler, &c->d->frame->clock, offers, count);
    sort_offers(offers, count, c->spare);
    while (compact_slots_next(&slots)) {
        decide_slot(c, sampler, slots.slot, offers + slots.begin, slots.end - slots.begin);
    }
}

LP_COMPARE(compare_rows, compact_weight, LP_ORDER(one->row, other->row))

void
compact_event_throttle_plain(compact_decider *d)
{
    compact_decider_check(d);
    chooser c = {.d = d};
    list_offers(&c);
    group(&c);
    lp_arena_note(&d->arena, lp_arena_err(&c.scratch));
    size_t begin = 0;
    for (size_t i = 0; i < d->throttles->items.count && !d->arena.is_failed; i++) {
        compact_sampler *sampler = &d->throttles->items.items[i].sampler;
        decide_throttle(&c, sampler, c.sorted + begin, c.ends[i] - begin);
        begin = c.ends[i];
    }
    lp_arena_fini(&c.scratch);
    LP_VEC_FINI(&c.offers);
    LP_QSORT(d->view->weights.items, d->view->weights.count, compare_rows);
}
