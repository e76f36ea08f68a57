// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/decide/test_decide.c
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_prefix_sum.h"
#include "common/context/ctx_type.h"
#include "engine/contexts/filters.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/decider.h"
#include "engine/read/recorded.h"

// --- Events of later chunks that were committed in this one

// is_sampled returns whether an event has a throttle or is a sample.
static bool
is_sampled(const compact_view *view, const compact_plain *row)
{
    return row->fate == COMPACT_UNDECIDED &&
           (row->is_sample ||
               view->schema->plans[compact_view_type(view, row)].throttle.per_ns > 0);
}

static void
find_early_plain(compact_decider *d, uint32_t ahead, size_t begin, size_t end)
{
    const compact_view *view = d->frame->aheads[ahead].view;
    const compact_plain *rows = view->plain.items;
    for (size_t i = begin; i < end; i++) {
        if (rows[i].commit <= d->span_limit ||
            (rows[i].commit <= d->plain_limit && is_sampled(view, &rows[i]))) {
            LP_ARENA_PUSH(
                &d->arena, &d->early_plain, (compact_early_row){ahead, .row = (uint32_t)i});
        }
    }
}

static void
find_early_spans(compact_decider *d, uint32_t ahead, size_t begin, size_t end)
{
    const compact_span *rows = d->frame->aheads[ahead].view->spans.items;
    for (size_t i = begin; i < end; i++) {
        if (rows[i].commit <= d->span_limit &&
            compact_decided_matters_ahead(d->decided, ahead, i)) {
            LP_ARENA_PUSH(
                &d->arena, &d->early_spans, (compact_early_row){ahead, .row = (uint32_t)i});
        }
    }
}

// has_early returns whether a block of a later chunk may have rows that are decided now.
static inline bool
has_early(const compact_decider *d, const compact_block *block)
{
    return block->commit_min <= d->plain_limit;
}

// reserve_early reserves room for all rows of such blocks: to grow in an arena is to copy.
static void
reserve_early(compact_decider *d)
{
    compact_decider_check(d);
    size_t plain_count = 0;
    size_t span_count = 0;
    for (size_t i = 0; i < d->frame->ahead_count; i++) {
        const compact_view *view = d->frame->aheads[i].view;
        for (size_t k = 0; k < view->blocks.count; k++) {
            const compact_block *block = &view->blocks.items[k];
            if (has_early(d, block)) {
                const compact_block after = compact_view_block_after(view, k);
                plain_count += after.plain_begin - block->plain_begin;
                span_count += after.span_begin - block->span_begin;
            }
        }
    }
    (void)LP_ARENA_RESERVE(&d->arena, &d->early_plain, plain_count);
    (void)LP_ARENA_RESERVE(&d->arena, &d->early_spans, span_count);
}

static void
find_early_in(compact_decider *d, uint32_t ahead)
{
    const compact_view *view = d->frame->aheads[ahead].view;
    for (size_t i = 0; i < view->blocks.count; i++) {
        const compact_block *block = &view->blocks.items[i];
        if (has_early(d, block)) {
            const compact_block after = compact_view_block_after(view, i);
            find_early_plain(d, ahead, block->plain_begin, after.plain_begin);
            find_early_spans(d, ahead, block->span_begin, after.span_begin);
        }
    }
}

// --- Times at which events need a context

// needs_context returns whether an undecided plain event is kept only in a context.
static bool
needs_context(const compact_decider *d, const compact_view *view, const compact_plain *row)
{
    bool all_do = !d->has_filters && !d->throttles_plain && !d->makes_samples;
    return all_do || view->schema->plans[compact_view_type(view, row)].needs_context;
}

static void
extend_asked(compact_asked *asked, int64_t commit)
{
    asked->first = commit < asked->first ? commit : asked->first;
    asked->last = commit > asked->last ? commit : asked->last;
}

// find_asked_of_all takes each undecided event of the chunk for one that needs a context; of later
// chunks only those that do.
static void
find_asked_of_all(compact_decider *d)
{
    compact_decider_check(d);
    const compact_view *view = d->view;
    for (size_t i = 0; view->has_undecided && i < view->plain.count; i++) {
        if (view->plain.items[i].fate == COMPACT_UNDECIDED) {
            extend_asked(&d->asked_of_all, view->plain.items[i].commit);
        }
    }
    for (size_t i = 0; i < d->early_plain.count; i++) {
        const compact_plain *row = compact_decider_early_plain(d, i);
        view = d->frame->aheads[d->early_plain.items[i].ahead].view;
        if (row->fate == COMPACT_UNDECIDED && needs_context(d, view, row)) {
            extend_asked(&d->asked_of_all, row->commit);
        }
    }
}

void
compact_plain_events_find_early(compact_decider *d)
{
    compact_decider_check(d);
    LP_ASSERT(d->early_plain.count == 0); // called once
    reserve_early(d);
    for (size_t i = 0; i < d->frame->ahead_count && !d->arena.is_failed; i++) {
        find_early_in(d, (uint32_t)i);
    }
    d->asked_of_all = compact_asked_nothing;
    if (d->selects_by_context && !d->arena.is_failed) {
        find_asked_of_all(d);
    }
}

static void
ask_on_thread(compact_decider *d, uint32_t thread, const compact_plain *row)
{
    if (row->fate == COMPACT_UNDECIDED && thread != LP_MAP_NONE &&
        compact_asked_meets(&d->asked_of_all, row->commit, row->commit)) {
        extend_asked(&d->asked[thread], row->commit);
    }
}

// find_asked fills d->asked. Events of later chunks may widen it although they need no context.
static void
find_asked(compact_decider *d)
{
    const compact_view *view = d->view;
    for (size_t i = 0; i < d->threads.count; i++) {
        d->asked[i] = compact_asked_nothing;
    }
    for (size_t i = 0; view->has_undecided && i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        ask_on_thread(d, compact_decider_number(d->view_threads, row->thread), row);
    }
    for (size_t i = 0; i < d->early_plain.count; i++) {
        const compact_plain *row = compact_decider_early_plain(d, i);
        ask_on_thread(d, compact_decider_number_early_plain(d, i), row);
    }
}

// --- Times of contexts

// cover adds a context, unless it covers nothing or no event at its time needs one.
static void
cover(compact_decider *d, uint32_t thread, int64_t begin, int64_t end)
{
    if (thread != LP_MAP_NONE && end >= begin &&
        compact_asked_meets(&d->asked[thread], begin, end)) {
        const compact_entry entry = {
            .commit = end,
            .begin = begin,
            .index = thread,
            .kind = COMPACT_ENTRY_EVENT,
        };
        LP_ARENA_PUSH_BESIDE(&d->arena, &d->cover.added, entry);
    }
}

static void
cover_some_ahead(compact_decider *d, size_t ahead, size_t begin, size_t end)
{
    const compact_span *spans = d->frame->aheads[ahead].view->spans.items;
    const uint32_t *numbers = d->aheads[ahead].threads;
    for (size_t i = begin; i < end; i++) {
        const compact_span *span = &spans[i];
        if (compact_asked_meets(&d->asked_of_all, span->begin, span->commit) &&
            compact_decided_matters_ahead(d->decided, ahead, i) &&
            span->commit <= d->frame->known_ticks) {
            cover(d, compact_decider_number(numbers, span->thread), span->begin, span->commit);
        }
    }
}

// cover_spans_ahead adds the contexts of a later chunk. Few blocks have one that begins so soon.
static void
cover_spans_ahead(compact_decider *d, size_t ahead)
{
    const compact_view *view = d->frame->aheads[ahead].view;
    for (size_t i = 0; i < view->blocks.count; i++) {
        const compact_block *block = &view->blocks.items[i];
        if (compact_asked_meets(&d->asked_of_all, block->span_begin_min, block->span_commit_max)) {
            cover_some_ahead(
                d, ahead, block->span_begin, compact_view_block_after(view, i).span_begin);
        }
    }
}

static void
cover_carried(compact_decider *d)
{
    const compact_carry *carry = d->frame->carry;
    for (size_t i = 0; carry != NULL && i < carry->intervals.count; i++) {
        const compact_interval *interval = &carry->intervals.items[i];
        if (compact_asked_meets(&d->asked_of_all, interval->begin, interval->end)) {
            cover(d, lp_map_find(&d->threads, interval->thread), interval->begin, interval->end);
        }
    }
}

// cover_far adds the contexts that only chunks behind frame->aheads store.
static void
cover_far(compact_decider *d)
{
    const compact_frame *frame = d->frame;
    for (size_t i = 0; i < frame->far_count; i++) {
        const compact_interval *far = &frame->far[i];
        if (compact_asked_meets(&d->asked_of_all, far->begin, far->end) &&
            far->end <= frame->known_ticks) {
            cover(d, lp_map_find(&d->threads, far->thread), far->begin, far->end);
        }
    }
}

// join_thread joins the entries of a thread, from the last to end back to the first, and appends
// its stretches. Once an entry ends before a stretch begins, no further entry reaches into the
// stretch. Returns the end of the stretches.
static size_t
join_thread(const compact_entry *entries, size_t count, compact_stretch *stretches, size_t to)
{
    size_t first = to;
    for (size_t i = count; i > 0; i--) {
        const compact_entry *entry = &entries[i - 1];
        compact_stretch *last = to == first ? NULL : &stretches[to - 1];
        if (last == NULL || entry->commit < last->begin) {
            stretches[to++] = (compact_stretch){entry->begin, entry->commit};
        } else if (entry->begin < last->begin) {
            last->begin = entry->begin;
        }
    }
    return to;
}

// join_cover joins the contexts to stretches. Its cost is linear if the contexts of each thread
// were added in the order of their ends.
static void
join_cover(compact_decider *d)
{
    compact_span_cover *cover = &d->cover;
    LP_ASSERT(cover->ends == NULL); // once
    size_t count = cover->added.count;
    cover->ends = LP_ARENA_ARRAY(&d->arena, size_t, d->threads.count);
    cover->stretches =
        lp_arena_alloc(&d->arena, count * sizeof(*cover->stretches), alignof(compact_stretch));
    compact_entry *grouped = lp_large_alloc((count + 1) * sizeof(*grouped));
    if (cover->stretches == NULL || grouped == NULL) { // the arena is sticky: ends is there, then
        lp_arena_fail(&d->arena);
        lp_large_free(grouped);
        return;
    }
    LP_GROUP(cover->added.items, count, at->index, cover->ends, d->threads.count, grouped);
    size_t begin = 0;
    size_t to = 0;
    for (size_t i = 0; i < d->threads.count; i++) {
        size_t end = cover->ends[i];
        compact_order_sort(grouped + begin, end - begin, cover->added.items); // as spare room
        to = join_thread(grouped + begin, end - begin, cover->stretches, to);
        cover->ends[i] = to;
        begin = end;
    }
    lp_large_free(grouped);
    LP_VEC_FINI(&cover->added);
}

static void
build_cover(compact_decider *d)
{
    compact_decider_check(d);
    const compact_frame *frame = d->frame;
    d->asked = LP_ARENA_ARRAY(&d->arena, compact_asked, d->threads.count);
    if (d->asked == NULL) {
        return;
    }
    find_asked(d);
    for (size_t i = 0; i < d->view->spans.count; i++) {
        const compact_span *span = &d->view->spans.items[i];
        cover(d, compact_decider_number(d->view_threads, span->thread), span->begin, span->commit);
    }
    for (size_t i = 0; i < frame->ahead_count; i++) {
        cover_spans_ahead(d, i);
    }
    for (size_t i = 0; i < frame->contexts->items.count; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        if (!context->is_ignored) {
            cover(d, compact_decider_number_context(d, context), context->begin, context->end);
        }
    }
    cover_carried(d);
    cover_far(d);
    join_cover(d);
}

static void
add_recorded(compact_decider *d)
{
    const compact_recorded *recorded = d->frame->recorded;
    for (size_t i = 0; i < recorded->items.count; i++) {
        const compact_recorded_item *item = &recorded->items.items[i];
        uint32_t thread = lp_map_find(&d->threads, item->thread);
        if (thread != LP_MAP_NONE) { // else no event is on it
            compact_map_timeline_add(&d->installed, &item->map, thread, item->begin, item->end);
        }
    }
}

// build_installed finds the RecordingContexts of each thread, which filters match.
static void
build_installed(compact_decider *d)
{
    compact_decider_check(d);
    const compact_frame *frame = d->frame;
    for (size_t i = 0; i < frame->contexts->items.count; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        size_t type = ctx_type_find(frame->types, frame->type_count, context->type_id);
        if (type < frame->type_count && frame->types[type].is_recording) {
            uint64_t id = compact_recordings_id(frame->contexts, context);
            compact_map_timeline_add(&d->installed, compact_recordings_find(frame->recordings, id),
                compact_decider_number_context(d, context), context->begin, context->end);
        }
    }
    add_recorded(d);
    compact_map_timeline_sort(&d->installed, d->threads.count);
}

// --- The decision

static bool
is_covered(const compact_decider *d, uint32_t thread, int64_t commit)
{
    LP_REQUIRE(thread != LP_MAP_NONE, false);
    const compact_span_cover *cover = &d->cover;
    size_t begin = thread == 0 ? 0 : cover->ends[thread - 1];
    size_t end = cover->ends[thread];
    size_t latest = LP_BISECT(cover->stretches, begin, end, at->begin > commit);
    return latest < end && cover->stretches[latest].end >= commit;
}

static bool
passes_filters(const compact_decider *d, const compact_view *view, const compact_plain *row,
    uint32_t type, uint32_t thread)
{
    const compact_plan *plan = &view->schema->plans[type];
    if (plan->filter != NULL &&
        !compact_map_timeline_passes(&d->installed, plan->filter, thread, row->commit)) {
        return false;
    }
    const jfr_metadata *metadata = &view->schema->metadata;
    const policy_filter *filter =
        compact_filters_find(d->frame->filters, jfr_metadata_type_name(metadata, type),
            plan->thread_field != COMPACT_THREAD_NONE, row->commit);
    return filter == NULL ||
           compact_map_timeline_passes(&d->installed, filter, thread, row->commit);
}

// is_kept_by_context returns whether an undecided plain event is kept. It counts the events that
// filters drop in dropped, by type; dropped may be NULL.
static bool
is_kept_by_context(const compact_decider *d, const compact_view *view, const compact_plain *row,
    uint32_t thread, compact_dropped *dropped)
{
    if (!d->has_filters && !d->selects_by_context) { // only a throttle or a weight is missing
        return true;
    }
    if (!d->has_filters && !d->throttles_plain && !d->makes_samples) {
        return is_covered(d, thread, row->commit);
    }
    uint32_t type = compact_view_type(view, row);
    bool needs_context = view->schema->plans[type].needs_context;
    LP_REQUIRE(!needs_context || is_covered(d, thread, row->commit), false);
    bool is_kept = !d->has_filters || passes_filters(d, view, row, type, thread);
    if (!is_kept && dropped != NULL) {
        dropped[type].by[COMPACT_BY_FILTER]++;
    }
    return is_kept;
}

static void
decide_plain(compact_decider *d)
{
    compact_decider_check(d);
    compact_view *view = d->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        compact_plain *row = &view->plain.items[i];
        if (row->fate == COMPACT_UNDECIDED &&
            is_kept_by_context(d, view, row, compact_decider_number(d->view_threads, row->thread),
                view->dropped)) {
            row->fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
}

static void
decide_early(compact_decider *d)
{
    compact_decider_check(d);
    d->early_is_kept = LP_ARENA_ARRAY(&d->arena, bool, d->early_plain.count);
    for (size_t i = 0; d->early_is_kept != NULL && i < d->early_plain.count; i++) {
        const compact_view *view = d->frame->aheads[d->early_plain.items[i].ahead].view;
        const compact_plain *row = compact_decider_early_plain(d, i);
        uint32_t thread = compact_decider_number_early_plain(d, i);
        d->early_is_kept[i] =
            row->fate != COMPACT_UNDECIDED || is_kept_by_context(d, view, row, thread, NULL);
    }
}

void
compact_plain_events_decide(compact_decider *d)
{
    compact_decider_check(d);
    if (d->selects_by_context) {
        build_cover(d);
    }
    if (d->has_filters) {
        build_installed(d);
    }
    if (d->arena.is_failed) {
        return;
    }
    if (d->selects_by_context || d->has_filters || d->throttles_plain || d->makes_samples) {
        decide_plain(d);
    }
    decide_early(d);
}
