// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/decide.h"

#include "common/context/ctx_type.h"
#include "engine/decide/decider.h"

#include <stdlib.h>

// Design notes
//
// A context [begin, end] is triggered when an event was kept in it. Whether a plain event is kept
// depends on where contexts are, but not on whether they are kept. So plain events are decided
// first, in any order; then a context is triggered by them if the last that was kept up to its end
// was not before its begin.
//
// Contextual events that are kept trigger others, in the order of their ends. But as long as one
// lies within the other, what triggered the inner one lies in the outer one, too: nothing new comes
// of it. Only where contexts cross (one ends within another in which it did not begin), or tie, or
// are kept without a trigger, is there more to decide; and only on such threads are contexts put in
// order (compact_crossed).

typedef compact_decider decider;

// --- Threads

static lp_err
number_thread(decider *d, uint64_t identity)
{
    if (lp_map_find(&d->threads, identity) != LP_MAP_NONE) {
        return LP_OK;
    }
    if (!LP_VEC_ROOM(&d->identities)) {
        return LP_ENOMEM;
    }
    d->identities.items[d->identities.count++] = identity;
    return lp_map_put(&d->threads, identity, (uint32_t)d->threads.count);
}

static lp_err
number_view_threads(decider *d)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < d->view->threads.count && err == LP_OK; i++) {
        err = number_thread(d, d->frame->identities[i]);
    }
    return err;
}

static lp_err
number_ahead_threads(decider *d)
{
    const compact_view *ahead = d->frame->ahead;
    lp_err err = LP_OK;
    for (size_t i = 0; ahead != NULL && i < ahead->threads.count && err == LP_OK; i++) {
        if (ahead->threads.items[i].has_spans) {
            err = number_thread(d, d->frame->ahead_identities[i]);
        }
    }
    return err;
}

static lp_err
map_threads(
    const decider *d, const compact_view *view, const uint64_t *identities, uint32_t **out_numbers)
{
    uint32_t *numbers = malloc((view->threads.count + 1) * sizeof(*numbers));
    if (numbers == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        numbers[i] = lp_map_find(&d->threads, identities[i]);
    }
    *out_numbers = numbers;
    return LP_OK;
}

static lp_err
number_threads(decider *d)
{
    const compact_frame *frame = d->frame;
    lp_err err = number_view_threads(d);
    if (err == LP_OK) {
        err = number_ahead_threads(d);
    }
    for (size_t i = 0; i < frame->contexts->items.count && err == LP_OK; i++) {
        err = number_thread(d, compact_identity_java(frame->contexts->items.items[i].thread_id));
    }
    for (size_t i = 0; frame->carry != NULL && i < frame->carry->intervals.count && err == LP_OK;
         i++) {
        err = number_thread(d, frame->carry->intervals.items[i].thread);
    }
    if (err == LP_OK) {
        err = map_threads(d, frame->view, frame->identities, &d->view_threads);
    }
    if (err == LP_OK && frame->ahead != NULL) {
        err = map_threads(d, frame->ahead, frame->ahead_identities, &d->ahead_threads);
    }
    return err == LP_OK ? compact_decider_find_earlier(d) : err;
}

// --- Events of the next chunk that were committed in this one

static lp_err
add_row(compact_rows *rows, size_t index)
{
    if (!LP_VEC_ROOM(rows)) {
        return LP_ENOMEM;
    }
    rows->items[rows->count++] = (uint32_t)index;
    return LP_OK;
}

// is_ignored_ahead says whether a contextual event of the next chunk does not matter.
static bool
is_ignored_ahead(const decider *d, size_t index)
{
    return d->ahead_is_ignored != NULL && d->ahead_is_ignored[index];
}

static lp_err
find_early_in(decider *d, const compact_block *block, size_t plain_end, size_t span_end)
{
    const compact_view *ahead = d->frame->ahead;
    lp_err err = LP_OK;
    for (size_t i = block->plain_begin; i < plain_end && err == LP_OK; i++) {
        if (ahead->plain.items[i].commit <= d->frame->limit_ticks) {
            err = add_row(&d->early_plain, i);
        }
    }
    for (size_t i = block->span_begin; i < span_end && err == LP_OK; i++) {
        if (ahead->spans.items[i].commit <= d->frame->limit_ticks && !is_ignored_ahead(d, i)) {
            err = add_row(&d->early_spans, i);
        }
    }
    return err;
}

static lp_err
find_early(decider *d)
{
    const compact_view *ahead = d->frame->ahead;
    lp_err err = LP_OK;
    for (size_t i = 0; ahead != NULL && i < ahead->blocks.count && err == LP_OK; i++) {
        const compact_block *block = &ahead->blocks.items[i];
        bool is_last = i + 1 == ahead->blocks.count;
        if (block->commit_min <= d->frame->limit_ticks) {
            err = find_early_in(d, block, is_last ? ahead->plain.count : block[1].plain_begin,
                is_last ? ahead->spans.count : block[1].span_begin);
        }
    }
    return err;
}

// --- Plain events that need a context

static lp_err
cover_spans(decider *d, const compact_view *view, const uint32_t *numbers)
{
    bool is_ahead = view == d->frame->ahead;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(numbers, span->thread);
        bool matters = !is_ahead || !is_ignored_ahead(d, i);
        if (thread != LP_MAP_NONE && span->begin <= d->frame->limit_ticks && matters) {
            err = compact_span_cover_add(&d->cover, thread, span->begin, span->commit);
        }
    }
    return err;
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

static lp_err
cover_carried(decider *d)
{
    const compact_carry *carry = d->frame->carry;
    int64_t first = first_undecided(d->view);
    int64_t first_ahead = first_undecided(d->frame->ahead);
    first = first_ahead < first ? first_ahead : first;
    lp_err err = LP_OK;
    for (size_t i = 0; carry != NULL && i < carry->intervals.count && err == LP_OK; i++) {
        const compact_interval *interval = &carry->intervals.items[i];
        uint32_t thread = lp_map_find(&d->threads, interval->thread);
        if (interval->end >= first) {
            err = compact_span_cover_add(&d->cover, thread, interval->begin, interval->end);
        }
    }
    return err;
}

static lp_err
build_cover(decider *d)
{
    const compact_frame *frame = d->frame;
    lp_err err = cover_spans(d, frame->view, d->view_threads);
    if (err == LP_OK && frame->ahead != NULL) {
        err = cover_spans(d, frame->ahead, d->ahead_threads);
    }
    for (size_t i = 0; i < frame->contexts->items.count && err == LP_OK; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        if (!context->is_ignored) {
            err = compact_span_cover_add(&d->cover, compact_decider_number_context(d, context),
                context->begin, context->end);
        }
    }
    if (err == LP_OK) {
        err = cover_carried(d);
    }
    return err == LP_OK ? compact_span_cover_join(&d->cover, d->threads.count) : err;
}

// build_installed finds out where the RecordingContexts were that filters ask for.
static lp_err
build_installed(decider *d)
{
    const compact_frame *frame = d->frame;
    lp_err err = LP_OK;
    for (size_t i = 0; i < frame->contexts->items.count && err == LP_OK; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        size_t type = ctx_type_find(frame->types, frame->type_count, context->type_id);
        if (type < frame->type_count && frame->types[type].is_recording) {
            uint64_t id = compact_recordings_id(frame->contexts, context);
            err = compact_map_timeline_add(&d->installed,
                compact_recordings_find(frame->recordings, id),
                compact_decider_number_context(d, context), context->begin, context->end);
        }
    }
    for (size_t i = 0; i < frame->recorded->items.count && err == LP_OK; i++) {
        const compact_recorded_item *item = &frame->recorded->items.items[i];
        uint32_t thread = lp_map_find(&d->threads, item->thread);
        if (thread != LP_MAP_NONE) { // else no event is on it
            err =
                compact_map_timeline_add(&d->installed, &item->map, thread, item->begin, item->end);
        }
    }
    return err == LP_OK ? compact_map_timeline_sort(&d->installed, d->threads.count) : err;
}

static bool
is_covered(const decider *d, uint32_t thread, int64_t commit)
{
    return thread != LP_MAP_NONE && compact_span_cover_has(&d->cover, thread, commit);
}

// passes_filters says whether an event passes the policy's filter and the JVM's.
static bool
passes_filters(const decider *d, const compact_view *view, const compact_plain *row, uint32_t type,
    uint32_t thread)
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

// is_kept_by_context says whether an undecided plain event of a view is kept. What a filter drops
// is counted in dropped, by type, unless that is NULL.
static bool
is_kept_by_context(const decider *d, const compact_view *view, const compact_plain *row,
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
decide_plain(decider *d)
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

static lp_err
decide_early(decider *d)
{
    d->early_is_kept = calloc(d->early_plain.count + 1, sizeof(*d->early_is_kept));
    if (d->early_is_kept == NULL) {
        return LP_ENOMEM;
    }
    const compact_view *ahead = d->frame->ahead;
    for (size_t i = 0; i < d->early_plain.count; i++) {
        const compact_plain *row = &ahead->plain.items[d->early_plain.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, row->thread);
        d->early_is_kept[i] =
            row->fate != COMPACT_UNDECIDED || is_kept_by_context(d, ahead, row, thread, NULL);
    }
    return LP_OK;
}

// --- What plain events trigger

// gather fills moments with what put puts. put is called twice, and counts the first time.
static lp_err
gather(decider *d, compact_moments *moments, void (*put)(decider *d))
{
    lp_err err = compact_moments_init(moments, d->threads.count);
    if (err != LP_OK) {
        return err;
    }
    put(d);
    err = compact_moments_allot(moments);
    if (err != LP_OK) {
        return err;
    }
    put(d);
    return compact_moments_sort(moments);
}

static void
put_plain(decider *d)
{
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, row->thread);
        if (thread != LP_MAP_NONE && row->fate != COMPACT_UNDECIDED) {
            compact_moments_put(&d->plain, thread, row->commit);
        }
    }
}

static void
put_early(decider *d)
{
    const compact_view *ahead = d->frame->ahead;
    for (size_t i = 0; i < d->early_plain.count; i++) {
        const compact_plain *row = &ahead->plain.items[d->early_plain.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, row->thread);
        if (thread != LP_MAP_NONE && d->early_is_kept[i]) {
            compact_moments_put(&d->early, thread, row->commit);
            d->early_min = row->commit < d->early_min ? row->commit : d->early_min;
        }
    }
}

static inline bool
is_triggered_by_plain(decider *d, uint32_t thread, const compact_span *span)
{
    return thread != LP_MAP_NONE &&
           compact_moments_is_since(
               compact_decider_last_plain(d, thread, span->commit), span->begin);
}

static lp_err
keep_span(compact_view *view, const compact_span *span)
{
    if (!LP_VEC_ROOM(&view->kept_spans)) {
        return LP_ENOMEM;
    }
    view->kept_spans.items[view->kept_spans.count++] = *span;
    return LP_OK;
}

// start_watch knows of what was kept on each thread before the chunk. Where contextual events of
// the next one are early, the order in which they come tells nothing.
static lp_err
start_watch(decider *d)
{
    d->watches = malloc((d->threads.count + 1) * sizeof(*d->watches));
    d->may_cross = calloc(d->threads.count + 1, sizeof(*d->may_cross));
    if (d->watches == NULL || d->may_cross == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < d->threads.count; i++) {
        d->watches[i] = (compact_watch){INT64_MIN, COMPACT_NEVER};
    }
    const compact_carry *carry = d->frame->carry;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        uint32_t thread = lp_map_find(&d->threads, trigger->thread);
        if (thread != LP_MAP_NONE && trigger->commit > d->watches[thread].last_kept) {
            d->watches[thread].last_kept = trigger->commit;
        }
    }
    for (size_t i = 0; i < d->early_spans.count; i++) {
        const compact_span *span = &d->frame->ahead->spans.items[d->early_spans.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, span->thread);
        if (thread != LP_MAP_NONE) {
            d->may_cross[thread] = true;
            d->has_to_look = true;
        }
    }
    return LP_OK;
}

// watch notes whether a kept context may have ended in one that plain events did not trigger. As
// long as those of a thread come in the order of their ends, as they mostly do, one number tells.
static inline void
watch(decider *d, uint32_t thread, const compact_span *span)
{
    compact_watch *w = &d->watches[thread];
    bool may_cross = span->commit <= w->last_commit ||
                     (span->fate == COMPACT_UNDECIDED && w->last_kept >= span->begin);
    d->may_cross[thread] |= may_cross;
    d->has_to_look |= may_cross;
    w->last_commit = span->commit > w->last_commit ? span->commit : w->last_commit;
    if (compact_span_is_kept(span) && span->commit > w->last_kept) {
        w->last_kept = span->commit;
    }
}

static lp_err
decide_spans(decider *d)
{
    compact_view *view = d->view;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->spans.count && err == LP_OK; i++) {
        compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (span->fate == COMPACT_UNDECIDED && is_triggered_by_plain(d, thread, span)) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
        }
        if (compact_span_is_kept(span)) {
            err = keep_span(view, span);
        }
        if (thread != LP_MAP_NONE) {
            watch(d, thread, span);
        }
    }
    return err;
}

// --- What contextual events trigger

// is_kept_ahead says whether a contextual event of the next chunk is kept, by plain events alone.
static bool
is_kept_ahead(decider *d, const compact_span *span, uint32_t thread)
{
    return span->fate == COMPACT_UNDECIDED ? is_triggered_by_plain(d, thread, span)
                                           : span->fate == COMPACT_KEPT;
}

// is_looked_at says whether it matters when contextual events were kept on a thread.
static inline bool
is_looked_at(const decider *d, uint32_t thread)
{
    return thread != LP_MAP_NONE && (d->may_cross[thread] || d->frame->contexts->items.count > 0);
}

static void
put_kept(decider *d)
{
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->kept_spans.count; i++) {
        const compact_span *span = &view->kept_spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (is_looked_at(d, thread)) {
            compact_moments_put(&d->kept, thread, span->commit);
        }
    }
    const compact_view *ahead = d->frame->ahead;
    for (size_t i = 0; i < d->early_spans.count; i++) {
        const compact_span *span = &ahead->spans.items[d->early_spans.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, span->thread);
        if (is_looked_at(d, thread) && is_kept_ahead(d, span, thread)) {
            compact_moments_put(&d->kept, thread, span->commit);
        }
    }
    const compact_carry *carry = d->frame->carry;
    uint32_t number = LP_MAP_NONE;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        if (i == 0 || trigger->thread != trigger[-1].thread) { // they come in runs
            number = lp_map_find(&d->threads, trigger->thread);
        }
        if (is_looked_at(d, number)) {
            compact_moments_put(&d->kept, number, trigger->commit);
        }
    }
}

static inline bool
is_triggered_by_kept(decider *d, uint32_t thread, const compact_span *span)
{
    return thread != LP_MAP_NONE &&
           compact_moments_is_since(
               compact_moments_last(&d->kept, thread, span->commit), span->begin);
}

static void
cross(decider *d, uint32_t thread)
{
    d->is_crossed[thread] = true;
    d->has_crossed = true;
}

// is_crossed says whether a kept context ended in one that plain events did not trigger.
static inline bool
is_crossed(decider *d, const compact_span *span, uint32_t thread)
{
    return span->fate == COMPACT_UNDECIDED && is_triggered_by_kept(d, thread, span) &&
           !is_triggered_by_plain(d, thread, span);
}

static void
find_crossed_spans(decider *d)
{
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (thread != LP_MAP_NONE && d->may_cross[thread] && is_crossed(d, span, thread)) {
            cross(d, thread);
        }
    }
    for (size_t i = 0; i < d->early_spans.count; i++) {
        const compact_span *span = &d->frame->ahead->spans.items[d->early_spans.items[i]];
        uint32_t thread = compact_decider_number(d->ahead_threads, span->thread);
        if (is_crossed(d, span, thread)) {
            cross(d, thread);
        }
    }
}

// decide_context decides a context of the Loupe API. Where a contextual event was kept at the very
// tick at which it ends, their order decides.
static lp_err
decide_context(decider *d, uint32_t index, const compact_clipped *c, uint32_t thread)
{
    int64_t last_kept = compact_moments_last(&d->kept, thread, c->end);
    int64_t last_plain = compact_decider_last_plain(d, thread, c->end);
    if (last_kept == c->end && last_plain != c->end && !c->is_cut) {
        cross(d, thread);
    }
    last_kept = last_plain > last_kept ? last_plain : last_kept;
    size_t before = d->parts->count;
    lp_err err = compact_decider_keep_part(d, index, c->begin, c->end, last_kept);
    if (d->parts->count > before) {
        compact_decider_end_part(d, &d->parts->items[before], last_kept);
    }
    return err;
}

static lp_err
decide_contexts(decider *d)
{
    const compact_contexts *contexts = d->frame->contexts;
    lp_err err = LP_OK;
    for (size_t i = 0; i < contexts->items.count && err == LP_OK; i++) {
        const compact_context *context = &contexts->items.items[i];
        compact_clipped clipped;
        if (compact_decider_clip(d, context, &clipped)) {
            uint32_t thread = compact_decider_number_context(d, context);
            err = decide_context(d, (uint32_t)i, &clipped, thread);
        }
    }
    return err;
}

lp_err
compact_decider_keep_part(
    compact_decider *d, uint32_t index, int64_t begin, int64_t end, int64_t last_kept)
{
    begin = begin > d->frame->window.lo ? begin : d->frame->window.lo;
    if (!compact_moments_is_since(last_kept, begin)) {
        return LP_OK;
    }
    compact_part *part = LP_VEC_PUSH(d->parts);
    if (part == NULL) {
        return LP_ENOMEM;
    }
    *part = (compact_part){.context = index, .begin = begin, .end = end};
    return LP_OK;
}

void
compact_decider_end_part(const compact_decider *d, compact_part *part, int64_t last_kept)
{
    const compact_context *context = &d->frame->contexts->items.items[part->context];
    // last_kept is not before the part's begin, so neither is the new end.
    uint64_t spare_ticks = (uint64_t)part->end - (uint64_t)last_kept;
    if (context->is_replaced && context->end == part->end && spare_ticks >= d->gap_ticks) {
        part->end -= (int64_t)d->gap_ticks;
    }
}

// forget_crossed_parts takes back what was decided of contexts on crossed threads.
static void
forget_crossed_parts(decider *d)
{
    size_t count = 0;
    for (size_t i = 0; i < d->parts->count; i++) {
        const compact_part *part = &d->parts->items[i];
        const compact_context *context = &d->frame->contexts->items.items[part->context];
        if (!d->is_crossed[compact_decider_number_context(d, context)]) {
            d->parts->items[count++] = *part;
        }
    }
    d->parts->count = count;
}

static int
compare_parts(const void *a, const void *b)
{
    const compact_part *x = a;
    const compact_part *y = b;
    return (x->context > y->context) - (x->context < y->context);
}

static lp_err
decide_crossed(decider *d)
{
    compact_view *view = d->view;
    forget_crossed_parts(d);
    lp_err err = compact_decider_decide_crossed(d);
    if (err == LP_OK && d->parts->count > 0) {
        qsort(d->parts->items, d->parts->count, sizeof(*d->parts->items), compare_parts);
    }
    view->kept_spans.count = 0;
    for (size_t i = 0; i < view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->spans.items[i];
        if (compact_span_is_kept(span)) {
            err = keep_span(view, span);
        }
    }
    return err;
}

// decide_by_kept decides what contextual events trigger.
static lp_err
decide_by_kept(decider *d)
{
    lp_err err = gather(d, &d->kept, put_kept);
    if (err != LP_OK) {
        return err;
    }
    d->is_crossed = calloc(d->threads.count + 1, sizeof(*d->is_crossed));
    if (d->is_crossed == NULL) {
        return LP_ENOMEM;
    }
    find_crossed_spans(d);
    err = decide_contexts(d);
    return err == LP_OK && d->has_crossed ? decide_crossed(d) : err;
}

static lp_err
decide_all(decider *d)
{
    lp_err err = gather(d, &d->plain, put_plain);
    if (err == LP_OK) {
        err = gather(d, &d->early, put_early);
    }
    if (err == LP_OK && d->throttles_contexts) {
        return decide_crossed(d);
    }
    if (err == LP_OK) {
        err = start_watch(d);
    }
    if (err == LP_OK) {
        err = decide_spans(d);
    }
    bool is_needed = d->has_to_look || d->frame->contexts->items.count > 0;
    return err == LP_OK && is_needed ? decide_by_kept(d) : err;
}

// ask finds out what the policy and the JVM ask of a view's events.
static void
ask(decider *d, const compact_view *view)
{
    d->selects_by_context |= view->schema->selects_by_context;
    d->has_filters |= view->is_filtered || view->schema->has_filters;
    d->throttles_plain |= view->schema->throttles_plain;
    d->throttles_contexts |= view->schema->throttles_contexts;
    d->makes_samples |= view->makes_samples;
}

static lp_err
decide_plain_and_early(decider *d)
{
    bool offers_plain = d->throttles_plain || d->makes_samples;
    if (d->selects_by_context || d->has_filters || offers_plain) {
        decide_plain(d);
    }
    lp_err err = decide_early(d);
    if (err == LP_OK && (offers_plain || d->throttles_contexts)) {
        err = compact_decider_find_throttles(d);
    }
    return err == LP_OK && offers_plain ? compact_decider_throttle_plain(d) : err;
}

static lp_err
run(decider *d)
{
    const compact_frame *frame = d->frame;
    lp_err err = number_threads(d);
    if (err == LP_OK) {
        err = find_early(d);
    }
    ask(d, frame->view);
    if (frame->ahead != NULL) {
        ask(d, frame->ahead);
    }
    if (err == LP_OK && d->selects_by_context) {
        err = build_cover(d);
    }
    if (err == LP_OK && d->has_filters) {
        err = build_installed(d);
    }
    if (err == LP_OK) {
        err = decide_plain_and_early(d);
    }
    return err == LP_OK ? decide_all(d) : err;
}

lp_err
compact_decide(const compact_frame *frame, compact_carry *new_carry, compact_decided *decided)
{
    decider d = {
        .frame = frame,
        .view = frame->view,
        .throttles = &new_carry->throttles,
        .weights = &new_carry->weights,
        .ahead_is_ignored = decided->ahead_is_ignored,
        .early_min = INT64_MAX,
        .gap_ticks = (uint64_t)(frame->clock.ticks_per_s - 1) / 1000000000 + 1,
        .parts = &decided->parts,
    };
    lp_err err = run(&d);
    if (err == LP_OK) {
        compact_throttles_sort_early(d.throttles);
        err = compact_weights_settle(d.weights);
    }
    if (err == LP_OK) {
        err = compact_decider_make_kept_times(&d, &new_carry->past);
    }
    lp_map_fini(&d.threads);
    LP_VEC_FINI(&d.identities);
    free(d.earlier);
    free(d.view_threads);
    free(d.ahead_threads);
    LP_VEC_FINI(&d.early_plain);
    LP_VEC_FINI(&d.early_spans);
    free(d.early_is_kept);
    free(d.view_throttles);
    free(d.ahead_throttles);
    compact_span_cover_fini(&d.cover);
    compact_map_timeline_fini(&d.installed);
    compact_moments_fini(&d.plain);
    compact_moments_fini(&d.early);
    compact_moments_fini(&d.kept);
    free(d.watches);
    free(d.may_cross);
    free(d.is_crossed);
    return err;
}

void
compact_decided_fini(compact_decided *decided)
{
    free(decided->ahead_is_ignored);
    LP_VEC_FINI(&decided->parts);
    free(decided->contexts_gone);
    *decided = (compact_decided){0};
}
