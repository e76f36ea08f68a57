// SPDX-License-Identifier: Apache-2.0
// Events that passed everything else and are throttled: compact_decider_find_throttles,
// compact_decider_throttle_plain, compact_decider_throttle.

#include "collector/compact/compact_decider.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>

// Design notes
//
// A sampler wants the events of its type in the order of their commit times, over the whole
// session. So an event of the next chunk that was committed up to the last one of this chunk is
// decided here; when its own chunk's turn comes, what was decided is looked up. What was not known
// here and belongs before the last one that was (it came even later) is decided by the sampler as
// it stands then.

// find_throttles finds the throttle of each type of a view.
static lp_err
find_throttles(compact_decider *d, const compact_view *view, uint32_t **out_throttles)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    uint32_t *throttles = malloc((metadata->types.count + 1) * sizeof(*throttles));
    *out_throttles = throttles;
    lp_err err = throttles == NULL ? LP_ENOMEM : LP_OK;
    for (size_t i = 0; i < metadata->types.count && err == LP_OK; i++) {
        const policy_throttle *rate = &view->schema->plans[i].throttle;
        throttles[i] = LP_MAP_NONE;
        if (rate->per_ns > 0) {
            const char *name = jfr_metadata_text(metadata, metadata->types.items[i].name);
            err = compact_throttles_add(d->in->throttles, name, *rate, &throttles[i]);
        }
    }
    return err;
}

static int64_t
wall_ns(const compact_decider *d, int64_t ticks)
{
    const compact_clock *clock = d->in->clock;
    __int128 product = ((__int128)ticks - clock->start_ticks) * 1000000000;
    __int128 passed = product / clock->ticks_per_s - (product % clock->ticks_per_s < 0);
    __int128 ns = clock->start_wall_ns + passed;
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

lp_err
compact_decider_find_throttles(compact_decider *d)
{
    lp_err err = find_throttles(d, d->in->view, &d->view_throttles);
    if (err == LP_OK && d->in->ahead != NULL) {
        err = find_throttles(d, d->in->ahead, &d->ahead_throttles);
    }
    // No event is stored that long before it is committed: a time was wrong, and must not silence
    // its type.
    __int128 latest = (__int128)wall_ns(d, d->in->window.hi) + COMPACT_LATENESS_MS * 1000000;
    for (size_t i = 0; i < d->in->throttles->items.count; i++) {
        compact_sampler *sampler = &d->in->throttles->items.items[i].sampler;
        if (sampler->time_ns > latest) {
            compact_sampler_restart(sampler);
        }
    }
    return err;
}

// find_early lends what was decided about an event of this chunk with the one before, or NULL.
static const compact_early *
find_early(const compact_decider *d, const compact_offer *offer)
{
    return offer->is_ahead || d->in->carry == NULL
               ? NULL
               : compact_throttles_find_early(&d->in->carry->throttles, offer->offset);
}

static lp_err
note_early(compact_decider *d, const compact_offer *offer, bool is_kept)
{
    compact_early *early = LP_VEC_PUSH(&d->in->throttles->early);
    if (early == NULL) {
        return LP_ENOMEM;
    }
    *early = (compact_early){.offset = offer->offset, .is_kept = is_kept};
    return LP_OK;
}

lp_err
compact_decider_throttle(compact_decider *d, const compact_offer *offer, bool *out_is_kept)
{
    const uint32_t *throttles = offer->is_ahead ? d->ahead_throttles : d->view_throttles;
    compact_throttle *throttle = &d->in->throttles->items.items[throttles[offer->type]];
    const compact_early *early = find_early(d, offer);
    *out_is_kept = early != NULL
                       ? early->is_kept
                       : compact_sampler_keep(&throttle->sampler, wall_ns(d, offer->commit));
    if (offer->is_ahead) {
        return note_early(d, offer, *out_is_kept);
    }
    d->in->view->dropped[offer->type].by[COMPACT_BY_THROTTLE] += !*out_is_kept;
    return LP_OK;
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
    uint32_t type = compact_view_event(view, row->offset).type;
    if (throttles[type] == LP_MAP_NONE) {
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
    };
    return LP_OK;
}

// list_offers lists the events that passed everything else. Those of the next chunk come behind all
// others, as in the order of the files.
static lp_err
list_offers(const compact_decider *d, offers *list)
{
    const compact_view *view = d->in->view;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->plain.count && err == LP_OK; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (row->fate == COMPACT_KEPT_BY_CONTEXT) {
            err = add_offer(list, view, d->view_throttles, i, row);
        }
    }
    size_t first_ahead = list->count;
    for (size_t i = 0; i < d->early_plain.count && err == LP_OK; i++) {
        const compact_plain *row = &d->in->ahead->plain.items[d->early_plain.items[i]];
        if (d->early_is_kept[i]) {
            err = add_offer(list, d->in->ahead, d->ahead_throttles, i, row);
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
            d->in->view->plain.items[offer->index].fate = COMPACT_UNDECIDED;
        }
    }
    return err;
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
    return err;
}
