// SPDX-License-Identifier: Apache-2.0
#include "offline/far_throttle.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "engine/job/chunk_times.h"
#include "engine/read/view.h"

#include <stdlib.h>

// Design notes
//
// The end of judged needs not be raised to that of frame->sampled, as in the engine: only where
// times are absurd does it lie before that, and whatever is chosen here is chosen by nobody else.
//
// Whoever has no more than one chunk and some behind it chooses the same, as long as no context is
// open where that knowledge ends: test_far_contexts compares the two. So a context that comes too
// late there is too late here.

// A chunk whose turn it is.
typedef struct turn {
    far_throttle *throttle;
    size_t end; // of the chunks that it may look at
    compact_window judged;
    int64_t latest_ticks; // a chunk that starts later has no say
    far_offer *taken;     // what is decided now, by quota
    size_t *ends;         // by quota: where its offers end in taken
} turn;

// --- Adding

lp_err
far_throttle_add_chunk(far_throttle *throttle, compact_view *view)
{
    far_chunk *chunk = LP_VEC_PUSH(&throttle->chunks);
    if (chunk == NULL) {
        return LP_ENOMEM;
    }
    *chunk = (far_chunk){0};
    throttle->type_quotas = NULL;
    if (view == NULL) {
        return LP_OK;
    }
    chunk->start_ticks = view->info.start_ticks;
    chunk->start_wall_ns = view->info.start_wall_ns;
    chunk->ticks_per_s = view->info.ticks_per_s;
    throttle->quotas.is_of_contexts = true;
    throttle->type_quotas = compact_throttles_map(&throttle->quotas, view->schema, &view->arena);
    return throttle->type_quotas == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
far_throttle_offer(far_throttle *throttle, const compact_view *view, const compact_span *span,
    uint32_t *out_number)
{
    far_chunk *chunk = &throttle->chunks.items[throttle->chunks.count - 1];
    uint32_t quota = throttle->type_quotas[compact_view_event(view, span->offset).type];
    *out_number = FAR_NOT_OFFERED;
    if (quota == LP_MAP_NONE) {
        return LP_OK;
    }
    far_offer *offer = LP_VEC_PUSH(&throttle->offers);
    if (offer == NULL) {
        return LP_ENOMEM;
    }
    *out_number = (uint32_t)chunk->chosen.count++;
    *offer = (far_offer){
        .begin = span->begin,
        .commit = span->commit,
        .chunk = throttle->chunks.count - 1,
        .number = *out_number,
        .quota = quota,
    };
    return LP_OK;
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
        &t->clock, is_first, chunk->start_ticks, border_of(now), 0, &t->judged_end_ns);
    __int128 lateness = (__int128)COMPACT_LATENESS_MS * chunk->ticks_per_s / 1000;
    __int128 latest = now->judged.hi + lateness;
    now->latest_ticks = latest < INT64_MAX ? (int64_t)latest : INT64_MAX;
}

// --- Deciding

static lp_err
decide(far_throttle *t, const far_offer *offer, bool is_chosen)
{
    far_chunk *chunk = &t->chunks.items[offer->chunk];
    if (chunk->bits == NULL) { // all of its offers are known now
        chunk->chosen.bits = chunk->bits = calloc(chunk->chosen.count / 64 + 1, sizeof(uint64_t));
    }
    if (chunk->bits == NULL) {
        return LP_ENOMEM;
    }
    chunk->bits[offer->number / 64] |= (uint64_t)is_chosen << (offer->number % 64);
    return LP_OK;
}

bool
far_throttle_is_chosen(const far_throttle *throttle, size_t chunk, uint32_t number)
{
    const compact_chosen *chosen = &throttle->chunks.items[chunk].chosen;
    LP_ASSERT(number < chosen->count);
    return (chosen->bits[number / 64] >> (number % 64) & 1) != 0;
}

// is_before returns whether x comes before y, which is of the same quota.
static inline bool
is_before(const far_offer *x, const far_offer *y)
{
    if (x->commit != y->commit || x->begin != y->begin) {
        return x->commit != y->commit ? x->commit < y->commit : x->begin > y->begin;
    }
    return x->chunk != y->chunk ? x->chunk < y->chunk : x->number < y->number;
}

LP_SORT_DEFINE(sort_offers, far_offer, is_before)

// decide_quota decides the offers of a quota, slot by slot.
static lp_err
decide_quota(far_throttle *t, compact_sampler *sampler, far_offer *offers, size_t count)
{
    far_offer *spare = malloc((count / 2 + 1) * sizeof(*spare));
    bool *is_chosen = malloc((count + 1) * sizeof(*is_chosen));
    lp_err err = spare == NULL || is_chosen == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        sort_offers(offers, count, spare);
    }
    compact_slots slots = COMPACT_SLOTS(sampler, &t->clock, offers, count);
    while (err == LP_OK && compact_slots_next(&slots)) {
        compact_throttles_choose(sampler, slots.slot, slots.end - slots.begin, 0, is_chosen);
        for (size_t i = slots.begin; i < slots.end && err == LP_OK; i++) {
            err = decide(t, &offers[i], is_chosen[i - slots.begin]);
        }
    }
    free(spare);
    free(is_chosen);
    return err;
}

// is_taken returns whether an offer is decided in its slot now.
static inline bool
is_taken(const turn *now, const far_offer *offer)
{
    const far_throttle *t = now->throttle;
    return offer->chunk < now->end && compact_window_has(&now->judged, offer->commit) &&
           (offer->chunk == t->turn ||
               t->chunks.items[offer->chunk].start_ticks <= now->latest_ticks);
}

// make_room makes room for what is taken, by quota.
static lp_err
make_room(turn *now)
{
    const far_throttle *t = now->throttle;
    now->ends = calloc(t->quotas.items.count + 1, sizeof(*now->ends));
    for (size_t i = 0; now->ends != NULL && i < t->offers.count; i++) {
        const far_offer *offer = &t->offers.items[i];
        now->ends[offer->quota] += is_taken(now, offer);
    }
    if (now->ends != NULL) {
        size_t count = lp_prefix_sum(now->ends, t->quotas.items.count);
        now->taken = malloc((count + 1) * sizeof(*now->taken));
    }
    return now->taken == NULL ? LP_ENOMEM : LP_OK;
}

// sort_out takes what is decided with the chunk out of the offers, and decides what came too late.
static lp_err
sort_out(turn *now)
{
    far_throttle *t = now->throttle;
    lp_err err = make_room(now);
    size_t left = 0;
    for (size_t i = 0; i < t->offers.count && err == LP_OK; i++) {
        const far_offer *offer = &t->offers.items[i];
        if (is_taken(now, offer)) {
            now->taken[now->ends[offer->quota]++] = *offer;
        } else if (offer->chunk == t->turn) {
            compact_sampler *sampler = &t->quotas.items.items[offer->quota].sampler;
            err = decide(t, offer, compact_sampler_keep_late(sampler));
        } else {
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
    turn now = {.throttle = t, .end = end};
    find_times(&now);
    lp_err err = sort_out(&now);
    size_t begin = 0;
    for (size_t i = 0; i < t->quotas.items.count && err == LP_OK; i++) {
        compact_sampler *sampler = &t->quotas.items.items[i].sampler;
        err = decide_quota(t, sampler, now.taken + begin, now.ends[i] - begin);
        begin = now.ends[i];
    }
    free(now.taken);
    free(now.ends);
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
    for (size_t i = 0; i < throttle->chunks.count; i++) {
        free(throttle->chunks.items[i].bits);
    }
    LP_VEC_FINI(&throttle->chunks);
    LP_VEC_FINI(&throttle->offers);
    *throttle = (far_throttle){0};
}
