// SPDX-License-Identifier: Apache-2.0
// Events that passed everything else and are throttled, and samples:
// compact_decider_find_throttles, compact_decider_throttle_plain, compact_decider_throttle.

#include "common/base/lp_sort.h"
#include "engine/decide/decider.h"
#include "engine/read/alloc_bytes.h"

#include <stdlib.h>

// Design notes
//
// A sampler wants the events of its type in the order of their commit times, over the whole
// session. So an event of the next chunk that was committed up to the last one of this chunk is
// decided here; when its own chunk's turn comes, what was decided is looked up. What was not known
// here and belongs before the last one that was (it came even later) is decided by the sampler as
// it stands then. Samples of allocations are weighed in the same order, throttled or not.

lp_err
compact_decider_find_throttles(compact_decider *d)
{
    const compact_frame *frame = d->frame;
    lp_err err = compact_throttles_map(d->throttles, frame->view->schema, &d->view_throttles);
    if (err == LP_OK && frame->ahead != NULL) {
        err = compact_throttles_map(d->throttles, frame->ahead->schema, &d->ahead_throttles);
    }
    compact_throttles_restart(d->throttles, compact_clock_wall_ns(&frame->clock, frame->window.hi));
    return err;
}

// find_early lends what was decided about an event of this chunk with the one before, or NULL.
static const compact_early *
find_early(const compact_decider *d, const compact_offer *offer)
{
    return offer->is_ahead || !compact_carry_looked_at(d->frame->carry, d->view->info.start_ticks)
               ? NULL
               : compact_throttles_find_early(
                     &d->frame->carry->throttles, offer->offset, offer->is_sample);
}

static const compact_view *
view_of(const compact_decider *d, const compact_offer *offer)
{
    return offer->is_ahead ? d->frame->ahead : d->view;
}

static bool
passes_throttle(const compact_decider *d, const compact_offer *offer)
{
    uint32_t throttle = (offer->is_ahead ? d->ahead_throttles : d->view_throttles)[offer->type];
    if (throttle == LP_MAP_NONE) {
        return true;
    }
    compact_sampler *sampler = &d->throttles->items.items[throttle].sampler;
    int64_t time_ns = compact_clock_wall_ns(&d->frame->clock, offer->commit);
    if (!offer->is_sample) {
        return compact_sampler_keep(sampler, time_ns);
    }
    uint64_t bytes = compact_alloc_bytes(view_of(d, offer), offer->offset);
    return compact_sampler_keep_sized(sampler, time_ns, compact_weights_size(d->weights, bytes));
}

// thread_of gives the identity of the thread of a plain event that was offered.
static uint64_t
thread_of(const compact_decider *d, const compact_offer *offer)
{
    uint32_t thread = offer->is_ahead
                          ? d->frame->ahead->plain.items[d->early_plain.items[offer->index]].thread
                          : d->view->plain.items[offer->index].thread;
    const uint64_t *identities =
        offer->is_ahead ? d->frame->ahead_identities : d->frame->identities;
    return thread == COMPACT_NO_THREAD ? (uint64_t)COMPACT_WEIGHTS_NO_THREAD : identities[thread];
}

// weigh adds what a sample stands for to what its thread has allocated; one that is kept takes it.
static lp_err
weigh(const compact_decider *d, const compact_offer *offer, compact_early *sample)
{
    uint64_t thread = thread_of(d, offer);
    uint64_t bytes = compact_alloc_bytes(view_of(d, offer), offer->offset);
    lp_err err = compact_weights_add(d->weights, thread, bytes);
    if (err == LP_OK && sample->is_kept) {
        sample->weight = compact_weights_take(d->weights, thread);
    }
    return err;
}

// decide decides on what was not decided with the chunk before.
static lp_err
decide(const compact_decider *d, const compact_offer *offer, compact_early *out_decision)
{
    *out_decision = (compact_early){
        .offset = offer->offset,
        .is_sample = offer->is_sample,
        .is_kept = passes_throttle(d, offer),
    };
    return offer->is_sample ? weigh(d, offer, out_decision) : LP_OK;
}

static lp_err
note_weight(compact_decider *d, const compact_offer *offer, uint64_t bytes)
{
    compact_weight *weight = LP_VEC_PUSH(&d->view->weights);
    if (weight == NULL) {
        return LP_ENOMEM;
    }
    *weight = (compact_weight){.bytes = bytes, .row = offer->index};
    return LP_OK;
}

lp_err
compact_decider_throttle(compact_decider *d, const compact_offer *offer, bool *out_is_kept)
{
    const compact_early *early = find_early(d, offer);
    compact_early decision;
    lp_err err = LP_OK;
    if (early != NULL) {
        decision = *early;
    } else {
        err = decide(d, offer, &decision);
    }
    *out_is_kept = decision.is_kept;
    if (err != LP_OK || offer->is_ahead) {
        return err == LP_OK ? compact_throttles_add_early(d->throttles, &decision) : err;
    }
    d->view->dropped[offer->type].by[COMPACT_BY_THROTTLE] += !decision.is_kept;
    return offer->is_sample && decision.is_kept ? note_weight(d, offer, decision.weight) : LP_OK;
}

// --- Plain events

static bool
is_before(const compact_offer *x, const compact_offer *y)
{
    return x->commit < y->commit;
}

LP_SORT_DEFINE(sort_offers, compact_offer, is_before)

typedef LP_VEC(compact_offer) offers;

static lp_err
add_offer(offers *list, const compact_view *view, const uint32_t *throttles, size_t index,
    const compact_plain *row)
{
    uint32_t type = compact_view_type(view, row);
    if (throttles[type] == LP_MAP_NONE && !row->is_sample) {
        return LP_OK;
    }
    compact_offer *offer = LP_VEC_PUSH(list);
    if (offer == NULL) {
        return LP_ENOMEM;
    }
    *offer = (compact_offer){
        .commit = row->commit,
        .offset = row->offset,
        .index = (uint32_t)index,
        .type = type,
        .is_sample = row->is_sample,
    };
    return LP_OK;
}

// list_offers lists the events that passed everything else. Those of the next chunk come behind all
// others, as in the order of the files.
static lp_err
list_offers(const compact_decider *d, offers *list)
{
    const compact_view *view = d->view;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->plain.count && err == LP_OK; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (row->fate == COMPACT_KEPT_BY_CONTEXT) {
            err = add_offer(list, view, d->view_throttles, i, row);
        }
    }
    size_t first_ahead = list->count;
    for (size_t i = 0; i < d->early_plain.count && err == LP_OK; i++) {
        const compact_plain *row = &d->frame->ahead->plain.items[d->early_plain.items[i]];
        if (d->early_is_kept[i]) {
            err = add_offer(list, d->frame->ahead, d->ahead_throttles, i, row);
        }
    }
    for (size_t i = first_ahead; i < list->count; i++) {
        list->items[i].is_ahead = true;
    }
    return err;
}

static lp_err
decide_offers(compact_decider *d, const offers *list)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        const compact_offer *offer = &list->items[i];
        bool is_kept = false;
        err = compact_decider_throttle(d, offer, &is_kept);
        if (offer->is_ahead) {
            d->early_is_kept[offer->index] = is_kept;
        } else if (!is_kept) {
            d->view->plain.items[offer->index].fate = COMPACT_UNDECIDED;
        }
    }
    return err;
}

static int
compare_rows(const void *a, const void *b)
{
    const compact_weight *x = a;
    const compact_weight *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

lp_err
compact_decider_throttle_plain(compact_decider *d)
{
    offers list = {0};
    compact_offer *spare = NULL;
    lp_err err = list_offers(d, &list);
    if (err == LP_OK) {
        spare = malloc((list.count / 2 + 1) * sizeof(*spare));
        err = spare == NULL ? LP_ENOMEM : LP_OK;
    }
    if (err == LP_OK) {
        sort_offers(list.items, list.count, spare);
        err = decide_offers(d, &list);
    }
    free(spare);
    LP_VEC_FINI(&list);
    if (d->view->weights.count > 0) {
        qsort(d->view->weights.items, d->view->weights.count, sizeof(compact_weight), compare_rows);
    }
    return err;
}
