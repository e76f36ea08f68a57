// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/event_throttle.h"

#include "common/base/lp_sort.h"
#include "engine/read/alloc_bytes.h"

#include <stdlib.h>

// Design notes
//
// A sampler wants the events of its type in the order of their commit times, over the whole
// session. So an event of a later chunk that was committed up to the last one of this chunk is
// decided here; when its own chunk's turn comes, what was decided is looked up. What was not known
// here and belongs before the last one that was (it came even later) is decided by the sampler as
// it stands then. Samples of allocations are weighed in the same order, throttled or not.

void
compact_event_throttle_find(compact_decider *d)
{
    const compact_frame *frame = d->frame;
    d->view_throttles = compact_throttles_map(d->throttles, d->view->schema, &d->arena);
    for (size_t i = 0; i < frame->ahead_count; i++) {
        d->aheads[i].throttles =
            compact_throttles_map(d->throttles, frame->aheads[i].view->schema, &d->arena);
    }
    compact_throttles_restart(d->throttles, compact_clock_wall_ns(&frame->clock, frame->window.hi));
}

// find_early returns the decision about an event that was made with the chunk before, or NULL.
static const compact_early *
find_early(const compact_decider *d, const compact_offer *offer)
{
    const compact_carry *carry = d->frame->carry;
    return carry == NULL ? NULL
                         : compact_throttles_find_early(&carry->throttles,
                               compact_offer_view(d, offer->chunk)->info.start_ticks, offer->offset,
                               offer->is_sample);
}

static bool
passes_throttle(const compact_decider *d, const compact_offer *offer)
{
    uint32_t throttle = compact_offer_throttles(d, offer->chunk)[offer->type];
    if (throttle == LP_MAP_NONE) {
        return true;
    }
    compact_sampler *sampler = &d->throttles->items.items[throttle].sampler;
    int64_t time_ns = compact_clock_wall_ns(&d->frame->clock, offer->commit);
    if (!offer->is_sample) {
        return compact_sampler_keep(sampler, time_ns);
    }
    uint64_t bytes = compact_alloc_bytes(compact_offer_view(d, offer->chunk), offer->offset);
    return compact_sampler_keep_sized(sampler, time_ns, compact_weights_size(d->weights, bytes));
}

// thread_of returns the identity of the thread of a plain event that was offered.
static uint64_t
thread_of(const compact_decider *d, const compact_offer *offer)
{
    uint32_t thread = offer->chunk > 0 ? compact_decider_early_plain(d, offer->index)->thread
                                       : d->view->plain.items[offer->index].thread;
    const uint64_t *identities =
        offer->chunk > 0 ? d->frame->aheads[offer->chunk - 1].identities : d->frame->identities;
    return thread == COMPACT_NO_THREAD ? (uint64_t)COMPACT_WEIGHTS_NO_THREAD : identities[thread];
}

// weigh adds the bytes of a sample to those that its thread has allocated since the last sample
// that was kept. A sample that is kept stands for all of them.
static void
weigh(compact_decider *d, const compact_offer *offer, compact_early *sample)
{
    uint64_t thread = thread_of(d, offer);
    uint64_t bytes = compact_alloc_bytes(compact_offer_view(d, offer->chunk), offer->offset);
    lp_err err = compact_weights_add(d->weights, thread, bytes);
    lp_arena_note(&d->arena, err);
    if (err == LP_OK && sample->is_kept) {
        sample->weight = compact_weights_take(d->weights, thread);
    }
}

// decide decides on what was not decided with the chunk before.
static compact_early
decide(compact_decider *d, const compact_offer *offer)
{
    compact_early decision = {
        .start_ticks = compact_offer_view(d, offer->chunk)->info.start_ticks,
        .offset = offer->offset,
        .is_sample = offer->is_sample,
        .is_kept = passes_throttle(d, offer),
    };
    if (offer->is_sample) {
        weigh(d, offer, &decision);
    }
    return decision;
}

static void
note_weight(compact_decider *d, const compact_offer *offer, uint64_t bytes)
{
    LP_ARENA_PUSH_BESIDE(
        &d->arena, &d->view->weights, (compact_weight){.bytes = bytes, .row = offer->index});
}

bool
compact_event_throttle_keep(compact_decider *d, const compact_offer *offer)
{
    const compact_early *early = find_early(d, offer);
    const compact_early decision = early != NULL ? *early : decide(d, offer);
    if (offer->chunk > 0) {
        lp_arena_note(&d->arena, compact_throttles_add_early(d->throttles, &decision));
        return decision.is_kept;
    }
    d->view->dropped[offer->type].by[COMPACT_BY_THROTTLE] += !decision.is_kept;
    if (offer->is_sample && decision.is_kept) {
        note_weight(d, offer, decision.weight);
    }
    return decision.is_kept;
}

// --- Plain events

static bool
is_before(const compact_offer *x, const compact_offer *y)
{
    return x->commit < y->commit;
}

LP_SORT_DEFINE(sort_offers, compact_offer, is_before)

typedef LP_VEC(compact_offer) offers;

static void
add_offer(compact_decider *d, offers *list, const compact_plain *row, size_t index, uint32_t chunk)
{
    uint32_t type = compact_view_type(compact_offer_view(d, chunk), row);
    if (compact_offer_throttles(d, chunk)[type] == LP_MAP_NONE && !row->is_sample) {
        return;
    }
    const compact_offer offer = {
        .commit = row->commit,
        .offset = row->offset,
        .index = (uint32_t)index,
        .type = type,
        .chunk = chunk,
        .is_sample = row->is_sample,
    };
    LP_ARENA_PUSH_BESIDE(&d->arena, list, offer);
}

// list_offers lists the events that passed everything else. Those of later chunks come behind all
// others, as in the order of the files.
static void
list_offers(compact_decider *d, offers *list)
{
    for (size_t i = 0; i < d->view->plain.count; i++) {
        const compact_plain *row = &d->view->plain.items[i];
        if (row->fate == COMPACT_KEPT_BY_CONTEXT) {
            add_offer(d, list, row, i, 0);
        }
    }
    for (size_t i = 0; i < d->early_plain.count; i++) {
        if (d->early_is_kept[i]) {
            add_offer(
                d, list, compact_decider_early_plain(d, i), i, d->early_plain.items[i].ahead + 1);
        }
    }
}

static void
decide_offers(compact_decider *d, const offers *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const compact_offer *offer = &list->items[i];
        bool is_kept = compact_event_throttle_keep(d, offer);
        if (offer->chunk > 0) {
            d->early_is_kept[offer->index] = is_kept;
        } else if (!is_kept) {
            d->view->plain.items[offer->index].fate = COMPACT_UNDECIDED;
        }
    }
}

static int
compare_rows(const void *a, const void *b)
{
    const compact_weight *x = a;
    const compact_weight *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

void
compact_event_throttle_plain(compact_decider *d)
{
    compact_view *view = d->view;
    offers list = {0};
    list_offers(d, &list);
    compact_offer *spare = malloc((list.count / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        lp_arena_fail(&d->arena);
    }
    if (!d->arena.is_failed) {
        sort_offers(list.items, list.count, spare);
        decide_offers(d, &list);
    }
    free(spare);
    LP_VEC_FINI(&list);
    if (view->weights.count > 0) {
        qsort(view->weights.items, view->weights.count, sizeof(*view->weights.items), compare_rows);
    }
}
