// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/decider.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"

#include <stdlib.h>

// --- Threads

static void
number_thread(compact_decider *d, uint64_t identity)
{
    if (lp_map_find(&d->threads, identity) != LP_MAP_NONE) {
        return;
    }
    lp_arena_put(&d->arena, &d->threads, identity, (uint32_t)d->threads.count);
    LP_ARENA_PUSH(&d->arena, &d->identities, identity);
}

// number_interval numbers the thread of a context that another chunk stores. Filters need all
// threads.
static void
number_interval(compact_decider *d, const compact_interval *interval)
{
    if (d->has_filters || compact_asked_meets(&d->asked_of_all, interval->begin, interval->end)) {
        number_thread(d, interval->thread);
    }
}

static uint32_t *
map_threads(compact_decider *d, const compact_view *view, const uint64_t *identities)
{
    uint32_t *numbers = LP_ARENA_ARRAY(&d->arena, uint32_t, view->threads.count);
    for (size_t i = 0; numbers != NULL && i < view->threads.count; i++) {
        numbers[i] = lp_map_find(&d->threads, identities[i]);
    }
    return numbers;
}

static void
find_earlier(compact_decider *d)
{
    compact_decider_check(d);
    const compact_carry *carry = d->frame->carry;
    d->earlier = LP_ARENA_ARRAY(&d->arena, compact_earlier, d->identities.count);
    for (size_t i = 0; d->earlier != NULL && i < d->identities.count; i++) {
        compact_times times = {0};
        if (carry != NULL) {
            times = compact_kept_times_find(&carry->past, d->identities.items[i]);
        }
        d->earlier[i] = (compact_earlier){
            .times = times,
            .last = times.count == 0 ? COMPACT_NEVER : times.items[times.count - 1],
        };
    }
}

static void
number_ahead_threads(compact_decider *d, const compact_ahead *ahead)
{
    for (size_t i = 0; i < ahead->view->threads.count; i++) {
        if (ahead->view->threads.items[i].has_spans) {
            number_thread(d, ahead->identities[i]);
        }
    }
}

void
compact_decider_number_threads(compact_decider *d)
{
    compact_decider_check(d);
    LP_ASSERT(d->identities.count == 0); // called once
    const compact_frame *frame = d->frame;
    const compact_carry *carry = frame->carry;
    for (size_t i = 0; i < d->view->threads.count; i++) {
        number_thread(d, frame->identities[i]);
    }
    for (size_t i = 0; i < frame->ahead_count; i++) {
        number_ahead_threads(d, &frame->aheads[i]);
    }
    for (size_t i = 0; i < frame->contexts->items.count; i++) {
        number_thread(d, compact_identity_java(frame->contexts->items.items[i].thread_id));
    }
    for (size_t i = 0; carry != NULL && i < carry->intervals.count; i++) {
        number_interval(d, &carry->intervals.items[i]);
    }
    for (size_t i = 0; i < frame->far_count; i++) {
        number_interval(d, &frame->far[i]);
    }
    d->view_threads = map_threads(d, d->view, frame->identities);
    d->aheads = LP_ARENA_ARRAY(&d->arena, compact_decider_ahead, frame->ahead_count);
    for (size_t i = 0; d->aheads != NULL && i < frame->ahead_count; i++) {
        d->aheads[i].threads = map_threads(d, frame->aheads[i].view, frame->aheads[i].identities);
    }
    find_earlier(d);
}

// --- Parts

void
compact_decider_keep_part(
    compact_decider *d, uint32_t index, int64_t begin, int64_t end, int64_t last_kept)
{
    compact_decider_check(d);
    LP_ASSERT(index < d->frame->contexts->items.count);
    LP_ASSERT(begin <= end);
    begin = begin > d->frame->window.lo ? begin : d->frame->window.lo;
    if (compact_moments_is_since(last_kept, begin)) {
        LP_ARENA_PUSH_BESIDE(
            &d->arena, d->parts, (compact_part){.context = index, .begin = begin, .end = end});
    }
}

void
compact_decider_end_part(const compact_decider *d, compact_part *part, int64_t last_kept)
{
    compact_decider_check(d);
    const compact_context *context = &d->frame->contexts->items.items[part->context];
    LP_ASSERT(last_kept >= part->begin && last_kept <= part->end); // so the new end stays behind it
    uint64_t spare_ticks = (uint64_t)part->end - (uint64_t)last_kept;
    if (context->is_replaced && context->end == part->end && spare_ticks >= d->gap_ticks) {
        part->end -= (int64_t)d->gap_ticks;
    }
}

// --- From one chunk to the next

typedef struct numbered {
    uint64_t identity;
    uint32_t number;
} numbered;

LP_COMPARE(compare_identities, numbered, LP_ORDER(one->identity, other->identity))

// join_past merges the threads of before and of the chunk, both by identity, into d->past.
static void
join_past(compact_decider *d, const compact_kept_times *before, const numbered *threads)
{
    compact_decider_check(d);
    size_t count = d->threads.count;
    size_t i = 0;
    size_t k = 0;
    while (i < before->threads.count || k < count) {
        bool is_before =
            k == count ||
            (i < before->threads.count && before->threads.items[i].identity <= threads[k].identity);
        bool is_here = k < count && (i == before->threads.count ||
                                        threads[k].identity <= before->threads.items[i].identity);
        uint64_t identity = is_here ? threads[k].identity : before->threads.items[i].identity;
        compact_times earlier = is_before ? compact_kept_times_at(before, i) : (compact_times){0};
        compact_times now = {0};
        if (is_here) {
            size_t begin = compact_moments_begin(&d->plain, threads[k].number);
            now = (compact_times){d->plain.items + begin, d->plain.ends[threads[k].number] - begin};
        }
        lp_arena_note(&d->arena,
            compact_kept_times_add(d->past, identity, earlier, now, d->frame->recent_min));
        i += is_before;
        k += is_here;
    }
}

void
compact_decider_make_kept_times(compact_decider *d)
{
    compact_decider_check(d);
    LP_ASSERT(d->past->threads.count == 0);
    static const compact_kept_times nothing = {0};
    const compact_carry *carry = d->frame->carry;
    numbered *threads = LP_ARENA_ARRAY(&d->arena, numbered, d->threads.count);
    if (threads == NULL) {
        return;
    }
    for (uint32_t i = 0; i < d->threads.count; i++) {
        threads[i] = (numbered){d->identities.items[i], i};
    }
    qsort(threads, d->threads.count, sizeof(*threads), compare_identities);
    join_past(d, carry == NULL ? &nothing : &carry->past, threads);
}
