// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/plain_events.h"

#include "common/context/ctx_type.h"
#include "engine/contexts/filters.h"
#include "engine/contexts/recordings.h"
#include "engine/read/recorded.h"

// --- Events of the next chunk that were committed in this one

// is_ignored_ahead returns whether a contextual event of the next chunk does not matter.
static bool
is_ignored_ahead(const compact_decider *d, size_t index)
{
    return d->ahead_is_ignored != NULL && d->ahead_is_ignored[index];
}

static void
find_early_in(compact_decider *d, const compact_block *block, size_t plain_end, size_t span_end)
{
    const compact_view *ahead = d->frame->ahead;
    for (size_t i = block->plain_begin; i < plain_end; i++) {
        if (ahead->plain.items[i].commit <= d->frame->limit_ticks) {
            LP_ARENA_PUSH(&d->arena, &d->early_plain, (uint32_t)i);
        }
    }
    for (size_t i = block->span_begin; i < span_end; i++) {
        if (ahead->spans.items[i].commit <= d->frame->limit_ticks && !is_ignored_ahead(d, i)) {
            LP_ARENA_PUSH(&d->arena, &d->early_spans, (uint32_t)i);
        }
    }
}

void
compact_plain_events_find_early(compact_decider *d)
{
    const compact_view *ahead = d->frame->ahead;
    for (size_t i = 0; ahead != NULL && i < ahead->blocks.count; i++) {
        const compact_block *block = &ahead->blocks.items[i];
        bool is_last = i + 1 == ahead->blocks.count;
        if (block->commit_min <= d->frame->limit_ticks) {
            find_early_in(d, block, is_last ? ahead->plain.count : block[1].plain_begin,
                is_last ? ahead->spans.count : block[1].span_begin);
        }
    }
}

// --- Where contexts are

static void
cover_spans(compact_decider *d, const compact_view *view, const uint32_t *numbers)
{
    bool is_ahead = view == d->frame->ahead;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(numbers, span->thread);
        bool matters = !is_ahead || !is_ignored_ahead(d, i);
        if (thread != LP_MAP_NONE && span->begin <= d->frame->limit_ticks && matters) {
            compact_span_cover_add(&d->cover, thread, span->begin, span->commit);
        }
    }
}

// first_undecided is the first commit time for which it matters whether a context was there.
static int64_t
first_undecided(const compact_view *view)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; view != NULL && i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        first = row->fate == COMPACT_UNDECIDED && row->commit < first ? row->commit : first;
    }
    return first;
}

static void
cover_carried(compact_decider *d)
{
    const compact_carry *carry = d->frame->carry;
    int64_t first = first_undecided(d->view);
    int64_t first_ahead = first_undecided(d->frame->ahead);
    first = first_ahead < first ? first_ahead : first;
    for (size_t i = 0; carry != NULL && i < carry->intervals.count; i++) {
        const compact_interval *interval = &carry->intervals.items[i];
        uint32_t thread = lp_map_find(&d->threads, interval->thread);
        if (interval->end >= first) {
            compact_span_cover_add(&d->cover, thread, interval->begin, interval->end);
        }
    }
}

static void
build_cover(compact_decider *d)
{
    const compact_frame *frame = d->frame;
    cover_spans(d, d->view, d->view_threads);
    if (frame->ahead != NULL) {
        cover_spans(d, frame->ahead, d->ahead_threads);
    }
    for (size_t i = 0; i < frame->contexts->items.count; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        if (!context->is_ignored) {
            compact_span_cover_add(&d->cover, compact_decider_number_context(d, context),
                context->begin, context->end);
        }
    }
    cover_carried(d);
    compact_span_cover_join(&d->cover, d->threads.count);
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

// build_installed finds out where the RecordingContexts were that filters ask for.
static void
build_installed(compact_decider *d)
{
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
    return thread != LP_MAP_NONE && compact_span_cover_has(&d->cover, thread, commit);
}

// passes_filters returns whether an event passes the policy's filter and the JVM's.
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
    const policy_filter *filter = compact_filters_find(d->frame->filters,
        jfr_metadata_text(metadata, metadata->types.items[type].name),
        plan->thread_field != COMPACT_THREAD_NONE, row->commit);
    return filter == NULL ||
           compact_map_timeline_passes(&d->installed, filter, thread, row->commit);
}

// is_kept_by_context returns whether an undecided plain event of a view is kept. What a filter
// drops is counted in dropped, by type, unless that is NULL.
static bool
is_kept_by_context(const compact_decider *d, const compact_view *view, const compact_plain *row,
    uint32_t thread, compact_dropped *dropped)
{
    if (!d->has_filters && !d->throttles_plain && !d->makes_samples) {
        return is_covered(d, thread, row->commit);
    }
    uint32_t type = compact_view_type(view, row);
    bool needs_context = view->schema->plans[type].needs_context;
    if (needs_context && !is_covered(d, thread, row->commit)) {
        return false;
    }
    bool is_kept = !d->has_filters || passes_filters(d, view, row, type, thread);
    if (!is_kept && dropped != NULL) {
        dropped[type].by[COMPACT_BY_FILTER]++;
    }
    return is_kept;
}

static void
decide_plain(compact_decider *d)
{
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
    const compact_view *ahead = d->frame->ahead;
    d->early_is_kept = LP_ARENA_ARRAY(&d->arena, bool, d->early_plain.count);
    for (size_t i = 0; d->early_is_kept != NULL && i < d->early_plain.count; i++) {
        const compact_plain *row = &ahead->plain.items[d->early_plain.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, row->thread);
        d->early_is_kept[i] =
            row->fate != COMPACT_UNDECIDED || is_kept_by_context(d, ahead, row, thread, NULL);
    }
}

void
compact_plain_events_decide(compact_decider *d)
{
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
