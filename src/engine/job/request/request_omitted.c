// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/job/request/test_request_omitted.c
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"
#include "engine/carry/identities.h"
#include "engine/job/request/request_parts.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/read/view.h"

// Design notes
//
// Most contextual events of a thread nest. Walked backwards in the order of their ends, the events
// fall into groups: the next event that ends before all of a group begin starts another group. No
// request has parts in two groups. If all events of a group begin and end in the window, no other
// event of the thread can change their requests, and the group is taken. If all lie inside the last
// one, they are one request. Otherwise, in the order of their begins, the first event that does not
// begin in the request before begins another request (requests.h).
//
// A taken group has requests that only count, and local ones. If there is a tally, it counts them.
// Of the kept ones, statistics divide the time of every n-th by the events in it (rollup_make.h):
// the parts of that one stay, and so do those of a request that the tally has no room for. Each
// request of a group can be found from its own parts alone.
//
// The events that stay are listed thread by thread, as most steps of requests.h visit them. Threads
// are visited one after the other, so the rows of one stay in the cache, and their room is reused.

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
    lp_arena *arena;        // of out->others
    lp_arena *locals_arena; // of out->locals
    thread *threads;        // parallel to the view's
    size_t *ends;           // by group: where its spans end
    uint32_t *spans;        // by group: indexes of the view's spans, in the order of the chunk
    item *items;            // of the current group
    item *spare;            // half as many
    bool *are_tallied; // parallel to the view's spans: parts that stay, of requests in the tally
    compact_rollup_tally *tally;
    size_t stride;        // the parts of every n-th kept request in the tally stay
    size_t tallied_count; // kept requests in the tally
    compact_request_omitted *out;
} finder;

static void
finder_check(const finder *f)
{
    LP_ASSERT(f->threads != NULL && f->ends != NULL);
    LP_ASSERT((f->tally == NULL) == (f->are_tallied == NULL));
    LP_ASSERT(f->tally == NULL || f->stride > 0);
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

// group_spans fills spans, and makes room for the items of any group.
static void
group_spans(finder *f)
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
    f->spans = lp_arena_alloc(&f->work, count * sizeof(uint32_t), alignof(uint32_t));
    f->items = lp_arena_alloc(&f->work, largest * sizeof(item), alignof(item));
    f->spare = lp_arena_alloc(&f->work, largest / 2 * sizeof(item), alignof(item));
    for (size_t i = 0; i < view->spans.count && !f->work.is_failed; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            f->spans[f->ends[f->threads[span->thread].group]++] = (uint32_t)i;
        }
    }
}

// The spans of a thread.
typedef struct met_thread {
    uint64_t identity;
    uint32_t number; // of its group
    const uint32_t *spans;
    size_t count;
} met_thread;

LP_SORT_BY(sort_threads, met_thread, x->identity > y->identity)

// order_threads returns the threads with spans in the order of compact_requests.locals; NULL if
// memory ran out.
static met_thread *
order_threads(finder *f, size_t *out_count)
{
    size_t count = f->frame->view->threads.count;
    met_thread *order = LP_ARENA_ARRAY(&f->work, met_thread, count);
    met_thread *spare = LP_ARENA_ARRAY(&f->work, met_thread, count / 2);
    LP_REQUIRE(spare != NULL, NULL);
    size_t met = 0;
    for (uint32_t i = 0; i < count; i++) {
        size_t begin = i == 0 ? 0 : f->ends[i - 1];
        if (f->ends[i] > begin) {
            order[met++] =
                (met_thread){f->frame->identities[i], i, &f->spans[begin], f->ends[i] - begin};
        }
    }
    sort_threads(order, met, spare);
    *out_count = met;
    return order;
}

// --- Groups of events

// leave_parts lists parts that stay.
static void
leave_parts(finder *f, const item *parts, size_t count)
{
    for (size_t i = count; i-- > 0;) {
        LP_ARENA_PUSH(f->arena, &f->out->others, parts[i].span);
    }
}

// tally_request counts a request whose parts are in order. Returns false if they stay.
static bool
tally_request(finder *f, item *parts, size_t count, bool is_kept)
{
    LP_REQUIRE(compact_rollup_tally_take(f->tally, parts, count, is_kept), false);
    bool is_divided = is_kept && f->tallied_count++ % f->stride == 0;
    for (size_t i = 0; i < count && is_divided; i++) {
        f->are_tallied[parts[i].span] = true;
    }
    return !is_divided;
}

// take_request takes a request whose first part is parts[0]. If there is a tally, the others are in
// order, too.
static void
take_request(finder *f, const met_thread *of, item *parts, size_t count, bool is_kept)
{
    LP_DEBUG_ASSERT(count > 0 && count <= UINT32_MAX);
    if (f->tally != NULL && !tally_request(f, parts, count, is_kept)) {
        leave_parts(f, parts, count);
        return;
    }
    f->out->request_count += !is_kept;
    if (is_kept) {
        const compact_local_request local = {
            .begin = parts->begin,
            .end = parts->end,
            .offset = f->frame->view->spans.items[parts->span].offset,
            .thread = of->number,
            .part_count = (uint32_t)count,
        };
        LP_ARENA_PUSH(f->locals_arena, &f->out->locals, local);
    }
}

// reverse_locals reverses the order of the local requests from first on.
static void
reverse_locals(finder *f, size_t first)
{
    compact_local_requests *locals = &f->out->locals;
    for (size_t last = locals->count; first + 1 < last; first++, last--) {
        const compact_local_request moved = locals->items[first];
        locals->items[first] = locals->items[last - 1];
        locals->items[last - 1] = moved;
    }
}

// take_requests takes the requests of a group.
static void
take_requests(finder *f, const met_thread *of, item *parts, size_t count)
{
    size_t first = f->out->locals.count;
    sort_parts(parts, count, f->spare);
    for (size_t i = 0; i < count;) {
        item *outer = &parts[i];
        bool is_kept = false;
        size_t begin = i;
        do {
            is_kept |= parts[i++].is_kept;
        } while (i < count && (parts[i].begin < outer->end || parts[i].begin == outer->begin));
        take_request(f, of, outer, i - begin, is_kept);
    }
    reverse_locals(f, first);
}

// order_parts brings the parts of a request from the order of their ends into that of sort_parts:
// the last one contains the others, which mostly follow each other.
static void
order_parts(item *parts, size_t count, item *spare)
{
    const item outer = parts[count - 1];
    for (size_t i = count - 1; i > 0; i--) {
        parts[i] = parts[i - 1];
    }
    parts[0] = outer;
    for (size_t i = 1; i < count; i++) {
        if (parts[i].begin <= parts[i - 1].begin) {
            sort_parts(parts, count, spare);
            return;
        }
    }
}

typedef struct group {
    item *parts;
    size_t count;
    item *first;    // in the order of the parts of a request
    bool is_nested; // all lie inside the last one
    bool is_kept;   // one is
} group;

// find_group finds the group that ends with items[end - 1].
static group
find_group(const finder *f, size_t end)
{
    item *outer = &f->items[end - 1];
    group g = {.first = outer, .is_nested = true, .is_kept = outer->is_kept};
    size_t at = end - 1;
    for (; at > 0 && f->items[at - 1].end >= g.first->begin; at--) {
        item *inner = &f->items[at - 1];
        g.is_nested &= inner->begin >= outer->begin && inner->begin < outer->end;
        g.is_kept |= inner->is_kept;
        g.first = sort_parts_is_before(inner, g.first) ? inner : g.first;
    }
    g.parts = &f->items[at];
    g.count = end - at;
    return g;
}

static void
take_group(finder *f, const met_thread *of, const group *g)
{
    const compact_window *window = &f->frame->window;
    int64_t end = g->parts[g->count - 1].end;
    bool is_alone =
        g->first->begin >= window->lo && end < window->hi && end < f->threads[of->number].open_from;
    if (!is_alone) {
        leave_parts(f, g->parts, g->count);
    } else if (!g->is_nested) {
        take_requests(f, of, g->parts, g->count);
    } else if (f->tally == NULL) {
        take_request(f, of, g->first, g->count, g->is_kept);
    } else {
        order_parts(g->parts, g->count, f->spare);
        take_request(f, of, g->parts, g->count, g->is_kept);
    }
}

LP_SORT_BY(sort_spans, uint32_t, *x < *y)

// order_others puts the events of a thread that stay, from first on, in the order of the chunk.
static void
order_others(finder *f, size_t first)
{
    uint32_t *others = &f->out->others.items[first];
    size_t count = f->out->others.count - first;
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t moved = others[i];
        others[i] = others[count - 1 - i];
        others[count - 1 - i] = moved;
    }
    sort_spans(others, count, (uint32_t *)f->spare);
}

static void
take_thread(finder *f, const met_thread *of)
{
    finder_check(f);
    for (size_t i = 0; i < of->count; i++) {
        const compact_span *span = &f->frame->view->spans.items[of->spans[i]];
        f->items[i] = (item){
            .begin = span->begin,
            .end = span->commit > span->begin ? span->commit : span->begin,
            .span = of->spans[i] & INT32_MAX,
            .is_kept = compact_span_is_kept(span),
        };
    }
    if (f->threads[of->number].is_unordered) {
        sort_items(f->items, of->count, f->spare);
    }
    size_t first = f->out->others.count;
    for (size_t end = of->count; end > 0;) {
        const group g = find_group(f, end);
        end -= g.count;
        take_group(f, of, &g);
    }
    order_others(f, first);
}

static void
mark_tallied(finder *f)
{
    finder_check(f);
    size_t count = f->out->others.count;
    f->out->are_tallied = lp_arena_alloc(f->arena, count * sizeof(bool), alignof(bool));
    for (size_t i = 0; i < count && !f->arena->is_failed; i++) {
        f->out->are_tallied[i] = f->are_tallied[f->out->others.items[i]];
    }
}

static void
run(finder *f)
{
    size_t count = 0;
    prepare_threads(f);
    group_spans(f);
    const met_thread *order = f->work.is_failed ? NULL : order_threads(f, &count);
    for (size_t i = 0; order != NULL && i < count && !f->arena->is_failed; i++) {
        take_thread(f, &order[i]);
    }
    if (f->tally != NULL) {
        mark_tallied(f);
    }
}

void
compact_request_omitted_find(const compact_frame *frame, const compact_opened *opened,
    compact_rollup_tally *tally, lp_arena *arena, lp_arena *locals_arena,
    compact_request_omitted *out)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts->items.count == 0);
    LP_ASSERT(out->others.count == 0 && out->locals.count == 0 && out->request_count == 0);
    const compact_view *view = frame->view;
    finder f = {
        .frame = frame,
        .opened = opened,
        .arena = arena,
        .locals_arena = locals_arena,
        .tally = tally,
        .stride = compact_rollup_spans_stride(view),
        .out = out,
    };
    f.threads = LP_ARENA_ARRAY(&f.work, thread, view->threads.count);
    f.ends = LP_ARENA_ARRAY(&f.work, size_t, view->threads.count);
    f.are_tallied = tally == NULL ? NULL : LP_ARENA_ARRAY(&f.work, bool, view->spans.count);
    if (!f.work.is_failed) {
        run(&f);
    }
    lp_arena_note(arena, lp_arena_err(&f.work));
    lp_arena_fini(&f.work);
}
