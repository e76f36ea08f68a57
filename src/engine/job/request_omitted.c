// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/job/test_request_omitted.c
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "engine/carry/identities.h"
#include "engine/job/request_step.h"
#include "engine/read/view.h"

// Design notes
//
// Most contextual events of a thread nest and come in the order of their ends. Walked backwards, an
// outermost one comes before those inside it, and the next event that ends before it begins starts
// another group. No request has parts in two groups. A group in which all lie inside the outermost
// one is one request; others stay, for requests.h to find out.

typedef struct group {
    int64_t begin;     // of its events so far; INT64_MAX before the thread's last event
    int64_t end;       // of its last event
    int64_t open_from; // later groups may lie in an event of a later chunk
    uint32_t first;    // the event met last, which is its first so far; NONE: there is none
    bool stays;        // its events are not left out
    bool is_excluded;  // no event of the thread is left out
} group;

static const uint32_t NONE = UINT32_MAX;

typedef struct finder {
    const compact_frame *frame;
    const compact_opened *opened;
    const compact_span *spans;
    lp_arena *arena;
    group *groups;   // by thread of the view
    uint32_t *later; // parallel to spans: the next event of the group, or NONE
    compact_request_omitted *out;
} finder;

static void
finder_check(const finder *f)
{
    LP_ASSERT(f->groups != NULL && f->later != NULL && f->out->spans != NULL);
    LP_ASSERT(f->spans == f->frame->view->spans.items);
}

// --- Threads

// exclude_shared excludes threads that are one thread under two keys.
static void
exclude_shared(finder *f, const lp_map *threads)
{
    finder_check(f);
    for (uint32_t i = 0; i < f->frame->view->threads.count; i++) {
        uint32_t same = lp_map_find(threads, f->frame->identities[i]);
        f->groups[i].is_excluded |= same != i;
        f->groups[same].is_excluded |= same != i;
    }
}

static void
note_open(finder *f, const lp_map *threads, uint64_t identity, int64_t begin)
{
    uint32_t thread = lp_map_find(threads, identity);
    if (thread != LP_MAP_NONE && begin < f->groups[thread].open_from) {
        f->groups[thread].open_from = begin;
    }
}

static void
prepare_threads(finder *f)
{
    finder_check(f);
    const compact_view *view = f->frame->view;
    lp_map threads = {0};
    for (size_t i = 0; i < view->threads.count; i++) {
        f->groups[i] = (group){.begin = INT64_MAX, .open_from = INT64_MAX, .first = NONE};
    }
    compact_identities_map(view, f->frame->identities, f->arena, &threads);
    if (!f->arena->is_failed) {
        exclude_shared(f, &threads);
    }
    for (size_t i = 0; i < f->opened->open_spans.count; i++) {
        const compact_later_span *later = &f->opened->open_spans.items[i];
        note_open(f, &threads, later->ahead->identities[later->span.thread], later->span.begin);
    }
    for (size_t i = 0; i < f->opened->open_far.count; i++) {
        note_open(
            f, &threads, f->opened->open_far.items[i].thread, f->opened->open_far.items[i].begin);
    }
    for (size_t i = 0; i < view->strays.count; i++) {
        f->groups[view->strays.items[i].thread].is_excluded = true;
    }
    lp_map_fini(&threads);
}

// --- Groups

static void
end_group(finder *f, const group *g)
{
    f->out->request_count += g->first != NONE && !g->stays;
}

// let_stay takes back that the events of a group are left out.
static void
let_stay(finder *f, group *g)
{
    for (uint32_t i = g->first; i != NONE; i = f->later[i]) {
        f->out->spans[i] = false;
        f->out->span_count--;
    }
    g->stays = true;
}

// begin_group starts a group with its outermost event, if that is one.
static void
begin_group(const finder *f, group *g, const compact_span *span)
{
    const compact_window *window = &f->frame->window;
    g->begin = span->begin;
    g->end = span->commit;
    g->first = NONE;
    g->stays = span->begin > span->commit || span->begin < window->lo ||
               span->commit >= window->hi || span->commit >= g->open_from;
}

static inline void
meet(finder *f, uint32_t index)
{
    const compact_span *span = &f->spans[index];
    group *g = &f->groups[span->thread];
    bool is_inside = span->begin >= g->begin && span->begin < g->end;
    if (span->commit < g->begin) {
        end_group(f, g);
        begin_group(f, g, span);
        is_inside = true;
    }
    g->begin = span->begin < g->begin ? span->begin : g->begin;
    if (!g->stays && (!is_inside || compact_span_is_kept(span))) {
        let_stay(f, g);
    }
    if (!g->stays) {
        f->out->spans[index] = true;
        f->out->span_count++;
        f->later[index] = g->first;
        g->first = index;
    }
}

static void
find(finder *f)
{
    finder_check(f);
    const compact_view *view = f->frame->view;
    prepare_threads(f);
    for (size_t i = view->spans.count; i-- > 0 && !f->arena->is_failed;) {
        uint32_t thread = f->spans[i].thread;
        if (thread != COMPACT_NO_THREAD && !f->groups[thread].is_excluded) {
            meet(f, (uint32_t)i);
        }
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        end_group(f, &f->groups[i]);
    }
}

void
compact_request_omitted_find(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_request_omitted *out)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts->items.count == 0);
    LP_ASSERT(out->spans == NULL && out->span_count == 0);
    size_t count = frame->view->spans.count;
    finder f = {
        .frame = frame,
        .opened = opened,
        .spans = frame->view->spans.items,
        .arena = arena,
        .groups = LP_ARENA_ARRAY(arena, group, frame->view->threads.count),
        .later = lp_arena_alloc(arena, count * sizeof(uint32_t), alignof(uint32_t)),
        .out = out,
    };
    out->spans = LP_ARENA_ARRAY(arena, bool, count);
    if (!arena->is_failed) {
        find(&f);
    }
}
