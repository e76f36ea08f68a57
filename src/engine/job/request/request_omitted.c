// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/job/request/test_request_omitted.c
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "engine/carry/identities.h"
#include "engine/job/request/request_step.h"
#include "engine/read/view.h"

// Design notes
//
// Most contextual events of a thread nest. Walked backwards in the order of their ends, an
// outermost one comes before those inside it, and the next event that ends before it begins starts
// another group. No request has parts in two groups. A group in which all lie inside the outermost
// one is one request; others stay, for requests.h to find out. With a tally, a kept request is
// counted here, too, but its parts stay: the output has events of it.
//
// The events that stay are listed thread by thread, as most steps of requests.h visit them.

typedef compact_tally_part item;

// An event that contains others comes after them.
LP_SORT_BY(sort_items, item, x->end != y->end ? x->end < y->end : x->begin > y->begin)

// The order of the parts of a request.
LP_SORT_BY(sort_parts, item,
    x->begin != y->begin ? x->begin < y->begin
    : x->end != y->end   ? x->end > y->end
                         : x->span < y->span)

typedef struct thread {
    uint32_t group;    // the first thread with the same identity
    bool is_unordered; // of a group: its events may not come in the order of their ends
    int64_t open_from; // of a group: from here on, events may lie in one of a later chunk
} thread;

typedef struct finder {
    const compact_frame *frame;
    const compact_opened *opened;
    lp_arena work;
    thread *threads;   // parallel to the view's
    size_t *ends;      // by group: where its items end
    item *items;       // by group
    item *spare;       // for half of the largest group
    bool *are_omitted; // parallel to the view's spans
    bool *are_tallied; // the same: parts of kept requests that the tally has
    size_t omitted_count;
    compact_rollup_tally *tally;
    compact_request_omitted *out;
} finder;

static void
finder_check(const finder *f)
{
    LP_ASSERT(f->threads != NULL && f->ends != NULL);
    LP_ASSERT(f->are_omitted != NULL && f->are_tallied != NULL);
    LP_ASSERT(f->omitted_count <= f->frame->view->spans.count);
}

// --- Threads

static void
note_open(finder *f, const lp_map *threads, uint64_t identity, int64_t begin)
{
    uint32_t group = lp_map_find(threads, identity);
    if (group != LP_MAP_NONE && begin < f->threads[group].open_from) {
        f->threads[group].open_from = begin;
    }
}

static void
prepare_threads(finder *f)
{
    finder_check(f);
    const compact_view *view = f->frame->view;
    lp_map numbers = {0};
    compact_identities_map(view, f->frame->identities, &f->work, &numbers);
    for (uint32_t i = 0; i < view->threads.count && !f->work.is_failed; i++) {
        uint32_t group = lp_map_find(&numbers, f->frame->identities[i]);
        f->threads[i] = (thread){.group = group, .open_from = INT64_MAX};
        f->threads[group].is_unordered |= group != i; // it is not after i
    }
    for (size_t i = 0; i < f->opened->open_spans.count && !f->work.is_failed; i++) {
        const compact_later_span *later = &f->opened->open_spans.items[i];
        note_open(f, &numbers, later->ahead->identities[later->span.thread], later->span.begin);
    }
    for (size_t i = 0; i < f->opened->open_far.count && !f->work.is_failed; i++) {
        const compact_interval *far = &f->opened->open_far.items[i];
        note_open(f, &numbers, far->thread, far->begin);
    }
    for (size_t i = 0; i < view->strays.count && !f->work.is_failed; i++) {
        f->threads[f->threads[view->strays.items[i].thread].group].is_unordered = true;
    }
    lp_map_fini(&numbers);
}

// place_items fills items.
static void
place_items(finder *f)
{
    finder_check(f);
    const compact_view *view = f->frame->view;
    size_t largest = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            thread *group = &f->threads[f->threads[span->thread].group];
            group->is_unordered |= span->commit < span->begin; // it ends where it begins
            f->ends[f->threads[span->thread].group]++;
        }
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        largest = f->ends[i] > largest ? f->ends[i] : largest;
    }
    size_t count = lp_prefix_sum(f->ends, view->threads.count);
    f->items = lp_arena_alloc(&f->work, count * sizeof(item), alignof(item));
    f->spare = lp_arena_alloc(&f->work, largest / 2 * sizeof(item), alignof(item));
    for (size_t i = 0; i < view->spans.count && !f->work.is_failed; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            f->items[f->ends[f->threads[span->thread].group]++] = (item){
                .begin = span->begin,
                .end = span->commit > span->begin ? span->commit : span->begin,
                .span = i & INT32_MAX,
                .is_kept = compact_span_is_kept(span),
            };
        }
    }
}

// --- Groups of events

// is_outermost returns whether an event that does not lie in another one may be a request that only
// counts.
static bool
is_outermost(const finder *f, const thread *t, const item *outer)
{
    const compact_window *window = &f->frame->window;
    return outer->begin >= window->lo && outer->end < window->hi && outer->end < t->open_from;
}

// take_request counts a request by its parts. Returns false if the tally has no room for it.
static bool
take_request(finder *f, item *parts, size_t count, bool is_kept)
{
    if (f->tally == NULL) {
        return !is_kept;
    }
    if (count > 1) {
        sort_parts(parts, count, f->spare);
    }
    return compact_rollup_tally_take(f->tally, parts, count, is_kept);
}

// take_group takes the group that ends with items[end - 1]. If its events are one request that only
// counts, they are omitted. Returns where the group begins, at least at first.
static size_t
take_group(finder *f, const thread *t, size_t first, size_t end)
{
    const item *outer = &f->items[end - 1];
    bool is_one = is_outermost(f, t, outer);
    bool is_kept = outer->is_kept;
    int64_t begin = outer->begin;
    size_t at = end - 1;
    for (; at > first && f->items[at - 1].end >= begin; at--) {
        const item *inner = &f->items[at - 1];
        is_one &= inner->begin >= begin && inner->begin < outer->end;
        is_kept |= inner->is_kept;
        begin = inner->begin < begin ? inner->begin : begin;
    }
    if (is_one && take_request(f, &f->items[at], end - at, is_kept)) {
        bool *marks = is_kept ? f->are_tallied : f->are_omitted;
        for (size_t i = at; i < end; i++) {
            marks[f->items[i].span] = true;
        }
        f->omitted_count += is_kept ? 0 : end - at;
        f->out->request_count += !is_kept;
    }
    return at;
}

static void
take_groups(finder *f)
{
    finder_check(f);
    size_t first = 0;
    for (size_t i = 0; i < f->frame->view->threads.count; i++) {
        const thread *t = &f->threads[i];
        if (t->is_unordered) {
            sort_items(&f->items[first], f->ends[i] - first, f->spare);
        }
        for (size_t end = f->ends[i]; end > first;) {
            end = take_group(f, t, first, end);
        }
        first = f->ends[i];
    }
}

// --- The others

static void
list_others(finder *f, lp_arena *arena)
{
    finder_check(f);
    const compact_view *view = f->frame->view;
    size_t *places = f->ends;
    memset(places, 0, view->threads.count * sizeof(*places));
    for (size_t i = 0; i < view->spans.count; i++) {
        if (view->spans.items[i].thread != COMPACT_NO_THREAD && !f->are_omitted[i]) {
            places[f->threads[view->spans.items[i].thread].group]++;
        }
    }
    size_t count = lp_prefix_sum(places, view->threads.count);
    f->out->others = lp_arena_alloc(arena, count * sizeof(uint32_t), alignof(uint32_t));
    f->out->are_tallied = lp_arena_alloc(arena, count * sizeof(bool), alignof(bool));
    if (arena->is_failed) {
        return;
    }
    f->out->other_count = count;
    for (size_t i = 0; i < view->spans.count; i++) {
        if (view->spans.items[i].thread != COMPACT_NO_THREAD && !f->are_omitted[i]) {
            size_t place = places[f->threads[view->spans.items[i].thread].group]++;
            f->out->others[place] = (uint32_t)i;
            f->out->are_tallied[place] = f->are_tallied[i];
        }
    }
}

static void
run(finder *f, lp_arena *arena)
{
    prepare_threads(f);
    place_items(f);
    if (!f->work.is_failed) {
        take_groups(f);
        list_others(f, arena);
    }
}

void
compact_request_omitted_find(const compact_frame *frame, const compact_opened *opened,
    compact_rollup_tally *tally, lp_arena *arena, compact_request_omitted *out)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts->items.count == 0);
    LP_ASSERT(out->others == NULL && out->request_count == 0);
    const compact_view *view = frame->view;
    finder f = {.frame = frame, .opened = opened, .tally = tally, .out = out};
    f.threads = LP_ARENA_ARRAY(&f.work, thread, view->threads.count);
    f.ends = LP_ARENA_ARRAY(&f.work, size_t, view->threads.count);
    f.are_omitted = LP_ARENA_ARRAY(&f.work, bool, view->spans.count);
    f.are_tallied = LP_ARENA_ARRAY(&f.work, bool, view->spans.count);
    if (!f.work.is_failed) {
        run(&f, arena);
    }
    lp_arena_note(arena, lp_arena_err(&f.work));
    lp_arena_fini(&f.work);
}
