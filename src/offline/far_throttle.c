// SPDX-License-Identifier: Apache-2.0
#include "offline/far_throttle.h"

#include "common/base/lp_sort.h"
#include "engine/job/chunk_times.h"
#include "engine/read/view.h"

#include <stdlib.h>

// Design notes
//
// The rules are those of engine/decide/context_throttle.c. A context that came too late there is
// too late here.

typedef LP_VEC(far_offer) far_offers;

// A chunk whose turn it is.
typedef struct turn {
    far_throttle *throttle;
    size_t end; // of the chunks that it may look at
    compact_window judged;
    int64_t latest_ticks; // a chunk that starts later has no say
    far_offers *by_quota; // what is decided now
} turn;

// --- Adding

static bool
is_found(const compact_span *span, int64_t before)
{
    return span->thread != COMPACT_NO_THREAD && span->begin < before;
}

static lp_err
add_offer(far_throttle *t, const compact_span *span, uint32_t quota, uint32_t found)
{
    far_offer *offer = LP_VEC_PUSH(&t->offers);
    if (offer == NULL) {
        return LP_ENOMEM;
    }
    *offer = (far_offer){
        .begin = span->begin,
        .commit = span->commit,
        .chunk = t->chunks.count - 1,
        .found = found,
        .offset = span->offset,
        .quota = quota,
    };
    return LP_OK;
}

static lp_err
add_offers(far_throttle *t, compact_view *view, uint32_t next_found, int64_t before)
{
    const uint32_t *quotas = compact_throttles_map(&t->quotas, view->schema, &view->arena);
    lp_err err = quotas == NULL ? LP_ENOMEM : LP_OK;
    for (size_t i = 0; err == LP_OK && i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t quota = quotas[compact_view_event(view, span->offset).type];
        uint32_t found = is_found(span, before) ? next_found++ : FAR_NOT_FOUND;
        if (quota != LP_MAP_NONE) {
            err = add_offer(t, span, quota, found);
        }
    }
    return err;
}

lp_err
far_throttle_add_chunk(
    far_throttle *throttle, compact_view *view, uint32_t first_found, int64_t before)
{
    far_chunk *chunk = LP_VEC_PUSH(&throttle->chunks);
    if (chunk == NULL) {
        return LP_ENOMEM;
    }
    *chunk = (far_chunk){0};
    if (view == NULL) {
        return LP_OK;
    }
    *chunk = (far_chunk){view->info.start_ticks, view->info.start_wall_ns, view->info.ticks_per_s};
    throttle->quotas.is_of_contexts = true;
    return view->schema->has_quotas ? add_offers(throttle, view, first_found, before) : LP_OK;
}

// --- The time of a turn

// border_of returns where the chunk ends whose turn it is: where the next one starts that can be
// read, or behind all that it has.
static int64_t
border_of(const turn *now)
{
    const far_throttle *t = now->throttle;
    for (size_t i = t->turn + 1; i < now->end; i++) {
        if (t->chunks.items[i].ticks_per_s > 0) {
            return t->chunks.items[i].start_ticks;
        }
    }
    int64_t border = t->chunks.items[t->turn].start_ticks;
    for (size_t i = 0; i < t->offers.count; i++) {
        const far_offer *offer = &t->offers.items[i];
        border = offer->chunk == t->turn && offer->commit > border ? offer->commit : border;
    }
    return border;
}

static void
find_times(turn *now)
{
    far_throttle *t = now->throttle;
    const far_chunk *chunk = &t->chunks.items[t->turn];
    bool is_first = !t->has_clock;
    if (is_first || t->clock.ticks_per_s != chunk->ticks_per_s) {
        t->clock = (compact_clock){chunk->start_wall_ns, chunk->start_ticks, chunk->ticks_per_s};
    }
    t->has_clock = true;
    now->judged = compact_frame_judged(
        &t->clock, is_first, chunk->start_ticks, border_of(now), &t->judged_end_ns);
    __int128 lateness = (__int128)COMPACT_LATENESS_MS * chunk->ticks_per_s / 1000;
    __int128 latest = now->judged.hi + lateness;
    now->latest_ticks = latest < INT64_MAX ? (int64_t)latest : INT64_MAX;
}

// --- Deciding

static lp_err
decide(far_throttle *t, const far_offer *offer, bool is_chosen)
{
    if (offer->found != FAR_NOT_FOUND && !is_chosen) {
        uint32_t *unchosen = LP_VEC_PUSH(&t->unchosen);
        if (unchosen == NULL) {
            return LP_ENOMEM;
        }
        *unchosen = offer->found;
    }
    const compact_early decision = {
        .start_ticks = t->chunks.items[offer->chunk].start_ticks,
        .offset = offer->offset,
        .is_kept = is_chosen,
    };
    return offer->is_looked_up ? compact_throttles_add_early(&t->quotas, &decision) : LP_OK;
}

// is_before returns whether x comes before y, which is of the same quota.
static inline bool
is_before(const far_offer *x, const far_offer *y)
{
    if (x->commit != y->commit || x->begin != y->begin) {
        return x->commit != y->commit ? x->commit < y->commit : x->begin > y->begin;
    }
    return x->chunk != y->chunk ? x->chunk < y->chunk : x->offset < y->offset;
}

LP_SORT_DEFINE(sort_offers, far_offer, is_before)

// decide_slot decides the offers of a slot, the first of which is at begin, and returns where they
// end.
static size_t
decide_slot(far_throttle *t, const far_offers *offers, size_t begin, bool *is_chosen, lp_err *err)
{
    const far_offer *first = &offers->items[begin];
    compact_sampler *sampler = &t->quotas.items.items[first->quota].sampler;
    int64_t slot = compact_sampler_slot(sampler, compact_clock_wall_ns(&t->clock, first->commit));
    int64_t end_ticks = compact_clock_ticks(&t->clock, compact_sampler_slot_end(sampler, slot));
    size_t end = begin + 1;
    while (end < offers->count && offers->items[end].commit < end_ticks) {
        end++;
    }
    compact_throttles_choose(sampler, slot, end - begin, 0, is_chosen);
    for (size_t i = begin; i < end && *err == LP_OK; i++) {
        *err = decide(t, &offers->items[i], is_chosen[i - begin]);
    }
    return end;
}

// decide_quota decides the offers of a quota, slot by slot.
static lp_err
decide_quota(far_throttle *t, far_offers *offers)
{
    size_t count = offers->count;
    far_offer *spare = calloc(count / 2 + 1, sizeof(*spare));
    bool *is_chosen = calloc(count + 1, sizeof(*is_chosen));
    lp_err err = spare == NULL || is_chosen == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        sort_offers(offers->items, count, spare);
    }
    for (size_t i = 0; i < count && err == LP_OK;) {
        i = decide_slot(t, offers, i, is_chosen, &err);
    }
    free(spare);
    free(is_chosen);
    return err;
}

// sort_out takes what is decided with the chunk out of the offers, and decides what came too late.
static lp_err
sort_out(turn *now)
{
    far_throttle *t = now->throttle;
    lp_err err = LP_OK;
    size_t left = 0;
    for (size_t i = 0; i < t->offers.count && err == LP_OK; i++) {
        far_offer *offer = &t->offers.items[i];
        bool is_own = offer->chunk == t->turn;
        bool is_in_time = t->chunks.items[offer->chunk].start_ticks <= now->latest_ticks;
        if (offer->chunk >= now->end) { // it is not seen
            t->offers.items[left++] = *offer;
        } else if (compact_window_has(&now->judged, offer->commit) && (is_own || is_in_time)) {
            far_offer *taken = LP_VEC_PUSH(&now->by_quota[offer->quota]);
            if (taken == NULL) {
                return LP_ENOMEM;
            }
            *taken = *offer;
        } else if (is_own) {
            compact_sampler *sampler = &t->quotas.items.items[offer->quota].sampler;
            err = decide(t, offer, compact_sampler_keep_late(sampler));
        } else {
            offer->is_looked_up |= offer->begin < now->judged.hi && offer->commit >= now->judged.hi;
            t->offers.items[left++] = *offer;
        }
    }
    t->offers.count = left;
    return err;
}

static lp_err
take_turn(far_throttle *t, size_t end)
{
    if (t->chunks.items[t->turn].ticks_per_s == 0) {
        return LP_OK;
    }
    size_t count = t->quotas.items.count;
    turn now = {
        .throttle = t,
        .end = end,
        .by_quota = calloc(count + 1, sizeof(*now.by_quota)),
    };
    if (now.by_quota == NULL) {
        return LP_ENOMEM;
    }
    find_times(&now);
    lp_err err = sort_out(&now);
    for (size_t i = 0; i < count; i++) {
        if (err == LP_OK) {
            err = decide_quota(t, &now.by_quota[i]);
        }
        LP_VEC_FINI(&now.by_quota[i]);
    }
    free(now.by_quota);
    return err;
}

lp_err
far_throttle_take_turns(far_throttle *throttle, const size_t *ends, size_t first)
{
    lp_err err = LP_OK;
    while (err == LP_OK && throttle->turn < throttle->chunks.count &&
           ends[first + throttle->turn] <= first + throttle->chunks.count) {
        size_t end = ends[first + throttle->turn] - first;
        err = take_turn(throttle, end);
        throttle->turn++;
    }
    return err;
}

void
far_throttle_fini(far_throttle *throttle)
{
    compact_throttles_fini(&throttle->quotas);
    LP_VEC_FINI(&throttle->chunks);
    LP_VEC_FINI(&throttle->offers);
    LP_VEC_FINI(&throttle->unchosen);
    *throttle = (far_throttle){0};
}
