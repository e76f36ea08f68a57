// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/decide.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "engine/decide/decider.h"
#include "engine/decide/event_throttle.h"

// Design notes
//
// An event that is kept within a context [begin, end] triggers the context. Whether a plain event
// is kept depends on the times of contexts, but not on whether these are kept. So plain events are
// decided first, in any order. They trigger a context if the last one that is kept up to its end is
// not before its begin.
//
// Kept contextual events trigger others, in the order of their ends. If contexts nest, this adds
// nothing: the event that triggered the inner one lies in the outer one, too. More has to be
// decided only where contexts cross (one ends within another in which it did not begin), tie, or
// are kept without a trigger. Only the contexts of such threads are sorted (crossed.c).

// --- What plain events trigger

// gather calls put twice to fill moments: first to count them, then to store them.
static void
gather(compact_decider *d, compact_moments *moments, void (*put)(compact_decider *d))
{
    compact_decider_check(d);
    compact_moments_init(moments, &d->arena, d->threads.count);
    if (d->arena.is_failed) {
        return;
    }
    put(d);
    compact_moments_allot(moments);
    if (d->arena.is_failed) {
        return;
    }
    put(d);
    compact_moments_sort(moments);
}

// count_plain counts as put_plain does, if reading the chunk has counted all kept plain events.
static void
count_plain(compact_decider *d)
{
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->threads.count; i++) {
        if (d->view_threads[i] != LP_MAP_NONE) {
            d->plain.ends[d->view_threads[i]] += view->threads.items[i].plain_count;
        }
    }
}

static void
put_plain(compact_decider *d)
{
    const compact_view *view = d->view;
    if (d->plain.items == NULL && !view->has_undecided) {
        count_plain(d);
        return;
    }
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, row->thread);
        if (thread != LP_MAP_NONE && row->fate != COMPACT_UNDECIDED) {
            compact_moments_put(&d->plain, thread, row->commit);
        }
    }
}

static void
put_early(compact_decider *d)
{
    for (size_t i = 0; i < d->early_plain.count; i++) {
        const compact_plain *row = compact_decider_early_plain(d, i);
        uint32_t thread = compact_decider_number_early_plain(d, i);
        if (thread != LP_MAP_NONE && d->early_is_kept[i]) {
            compact_moments_put(&d->early, thread, row->commit);
            d->early_min = row->commit < d->early_min ? row->commit : d->early_min;
        }
    }
}

static void
gather_plain(compact_decider *d)
{
    gather(d, &d->plain, put_plain);
    gather(d, &d->early, put_early);
}

static inline bool
is_triggered_by_plain(compact_decider *d, uint32_t thread, const compact_span *span)
{
    return thread != LP_MAP_NONE &&
           compact_moments_is_since(
               compact_decider_last_plain(d, thread, span->commit), span->begin);
}

static inline void
keep_span(compact_decider *d, const compact_span *span)
{
    LP_ARENA_PUSH_BESIDE(&d->arena, &d->view->kept_spans, *span);
}

// find_sure fills d->sure_from. Reading a chunk knows only that chunk's plain events, and takes two
// names of one thread for two threads.
static void
find_sure(compact_decider *d)
{
    compact_decider_check(d);
    const compact_view *view = d->view;
    bool *is_used = LP_ARENA_ARRAY(&d->arena, bool, d->threads.count);
    d->is_shared = LP_ARENA_ARRAY(&d->arena, bool, d->threads.count);
    d->sure_from = LP_ARENA_ARRAY(&d->arena, int64_t, view->threads.count);
    if (d->sure_from == NULL) { // the arena is sticky: the others are there, then
        return;
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        uint32_t thread = d->view_threads[i];
        const compact_thread *met = &view->threads.items[i];
        if (thread != LP_MAP_NONE && (met->has_spans || met->plain_count > 0)) {
            d->is_shared[thread] = is_used[thread];
            is_used[thread] = true;
        }
    }
    bool is_decided = compact_view_decides(view) && !view->has_undecided;
    for (size_t i = 0; i < view->threads.count; i++) {
        uint32_t thread = d->view_threads[i];
        bool is_sure = is_decided && thread != LP_MAP_NONE && !d->is_shared[thread] &&
                       !view->threads.items[i].is_unsure;
        d->sure_from[i] = is_sure ? d->earlier[thread].last : INT64_MAX;
    }
}

// is_sure returns whether it is certain that no plain event triggers an undecided contextual one.
static inline bool
is_sure(const compact_decider *d, const compact_span *span)
{
    return span->begin > d->sure_from[span->thread] && span->commit < d->early_min;
}

static inline void
mark_may_cross(compact_decider *d, uint32_t thread)
{
    d->may_cross[thread] = true;
    d->has_to_look = true;
}

static void
watch_trigger(compact_decider *d, const compact_trigger *trigger, uint32_t thread)
{
    if (thread != LP_MAP_NONE && trigger->commit > d->last_kept[thread]) {
        d->last_kept[thread] = trigger->commit;
    }
}

// each_trigger calls on_trigger for each carried trigger, with the number of its thread.
static void
each_trigger(compact_decider *d,
    void (*on_trigger)(compact_decider *d, const compact_trigger *trigger, uint32_t thread))
{
    compact_decider_check(d);
    const compact_carry *carry = d->frame->carry;
    uint32_t number = LP_MAP_NONE;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        if (i == 0 || trigger->thread != trigger[-1].thread) { // they come in runs
            number = lp_map_find(&d->threads, trigger->thread);
        }
        on_trigger(d, trigger, number);
    }
}

// start_watch sets d->last_kept to the last contextual event that earlier chunks kept on each
// thread, and finds d->early_spans_min.
static void
start_watch(compact_decider *d)
{
    compact_decider_check(d);
    d->last_kept = LP_ARENA_ARRAY(&d->arena, int64_t, d->threads.count);
    d->may_cross = LP_ARENA_ARRAY(&d->arena, bool, d->threads.count);
    if (d->may_cross == NULL) { // the arena is sticky: last_kept is there, then
        return;
    }
    for (size_t i = 0; i < d->threads.count; i++) {
        d->last_kept[i] = COMPACT_NEVER;
    }
    each_trigger(d, watch_trigger);
    for (size_t i = 0; i < d->early_spans.count; i++) {
        int64_t commit = compact_decider_early_span(d, i)->commit;
        d->early_spans_min = commit < d->early_spans_min ? commit : d->early_spans_min;
    }
}

static int64_t
last_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// find_open finds the blocks with contextual events that reading the chunk may not have decided.
static void
find_open(compact_decider *d)
{
    compact_decider_check(d);
    const compact_view *view = d->view;
    compact_open_blocks_init(&d->open, view, &d->arena);
    d->open.has_all = view->has_undecided || !compact_view_decides(view) || d->throttles_contexts;
    d->open.commit_min = d->early_min < d->early_spans_min ? d->early_min : d->early_spans_min;
    for (size_t i = 0; i < view->threads.count; i++) {
        uint32_t thread = d->view_threads[i];
        const compact_thread *met = &view->threads.items[i];
        if (thread == LP_MAP_NONE || !met->has_spans) {
            continue;
        }
        if (met->may_cross || d->is_shared[thread]) {
            mark_may_cross(d, thread);
        }
        if (d->is_shared[thread]) {
            compact_thread_set_add(&d->open.threads, (uint32_t)i);
        }
        int64_t last = last_of(d->earlier[thread].last, d->last_kept[thread]);
        d->open.begin_max = last_of(d->open.begin_max, last);
    }
}

// watch marks a thread whose contexts may cross: a kept contextual event ends in an undecided one.
static inline void
watch(compact_decider *d, uint32_t thread, const compact_span *span, bool is_kept)
{
    if (is_kept) {
        d->last_kept[thread] = last_of(d->last_kept[thread], span->commit);
    } else if (compact_moments_is_since(d->last_kept[thread], span->begin)) {
        mark_may_cross(d, thread);
    }
}

// decide_span decides a contextual event, unless reading the chunk has.
static inline void
decide_span(compact_decider *d, compact_span *span)
{
    uint32_t thread = compact_decider_number(d->view_threads, span->thread);
    if (span->fate == COMPACT_UNDECIDED && thread != LP_MAP_NONE) {
        bool is_kept = !is_sure(d, span) && is_triggered_by_plain(d, thread, span);
        if (is_kept) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
            compact_open_blocks_keep(&d->open, span);
        }
        watch(d, thread, span, is_kept);
    }
    if (compact_span_is_kept(span)) {
        keep_span(d, span);
    }
}

// is_offered returns whether an undecided contextual event is offered to its throttle even if no
// other contextual event triggers it.
static inline bool
is_offered(compact_decider *d, const compact_view *view, const compact_span *span, uint32_t thread)
{
    return is_triggered_by_plain(d, thread, span) ||
           (d->offers_untriggered &&
               view->schema->plans[compact_view_event(view, span->offset).type]
                   .is_kept_untriggered);
}

// list_span replaces decide_span if contextual events are throttled: it lists those that a throttle
// may keep, to be decided later.
static inline void
list_span(compact_decider *d, uint32_t index)
{
    const compact_span *span = &d->view->spans.items[index];
    uint32_t thread = compact_decider_number(d->view_threads, span->thread);
    bool is_listed = span->fate == COMPACT_UNDECIDED ? is_offered(d, d->view, span, thread)
                                                     : compact_span_is_kept(span);
    if (thread != LP_MAP_NONE && span->fate != COMPACT_DROPPED) {
        watch(d, thread, span, is_listed);
    }
    if (is_listed) {
        keep_span(d, span);
        LP_ARENA_PUSH(&d->arena, &d->listed, index);
    }
}

static void
decide_some(compact_decider *d, size_t begin, size_t end)
{
    if (d->throttles_contexts) {
        for (size_t i = begin; i < end; i++) {
            list_span(d, (uint32_t)i);
        }
        return;
    }
    for (size_t i = begin; i < end; i++) {
        decide_span(d, &d->view->spans.items[i]);
    }
}

static void
decide_block(compact_decider *d, size_t index)
{
    compact_view *view = d->view;
    const compact_block *block = &view->blocks.items[index];
    const compact_block after = compact_view_block_after(view, index);
    if (compact_open_blocks_ask(&d->open, index)) {
        decide_some(d, block->span_begin, after.span_begin);
        return;
    }
    for (size_t i = block->sure_begin; i < after.sure_begin; i++) {
        keep_span(d, &view->spans.items[view->sure.items[i]]);
    }
}

static void
decide_blocks(compact_decider *d)
{
    compact_decider_check(d);
    compact_view *view = d->view;
    if (compact_view_has_offers(view)) { // context-throttle removed rows; blocks still count them
        decide_some(d, 0, view->spans.count);
        return;
    }
    d->kept_begins = LP_ARENA_ARRAY(&d->arena, size_t, view->blocks.count);
    for (size_t i = 0; i < view->blocks.count && !d->arena.is_failed; i++) {
        d->kept_begins[i] = view->kept_spans.count;
        decide_block(d, i);
    }
}

// last_spans returns the commit of the chunk's last contextual event on each thread. It moves
// d->last_kept past the events that reading the chunk kept.
static int64_t *
last_spans(compact_decider *d)
{
    compact_decider_check(d);
    int64_t *last = LP_ARENA_ARRAY(&d->arena, int64_t, d->threads.count);
    for (size_t i = 0; last != NULL && i < d->threads.count; i++) {
        last[i] = COMPACT_NEVER;
    }
    for (size_t i = 0; last != NULL && i < d->view->threads.count; i++) {
        uint32_t thread = d->view_threads[i];
        const compact_thread *met = &d->view->threads.items[i];
        if (thread != LP_MAP_NONE) {
            last[thread] = last_of(last[thread], met->last_span);
            d->last_kept[thread] = last_of(d->last_kept[thread], met->last_kept);
        }
    }
    return last;
}

// list_early lists the contextual events of later chunks, and watches them. Contexts of a thread
// may cross if these do not follow in the order of their ends, after the chunk's own.
static void
list_early(compact_decider *d)
{
    compact_decider_check(d);
    int64_t *last = last_spans(d);
    for (size_t i = 0; last != NULL && i < d->early_spans.count; i++) {
        const compact_span *span = compact_decider_early_span(d, i);
        const compact_view *view = d->frame->aheads[d->early_spans.items[i].ahead].view;
        uint32_t thread = compact_decider_number_early_span(d, i);
        bool is_listed = span->fate == COMPACT_UNDECIDED ? is_offered(d, view, span, thread)
                                                         : compact_span_is_kept(span);
        if (is_listed) {
            LP_ARENA_PUSH(&d->arena, &d->early_listed, (uint32_t)i);
        }
        if (thread == LP_MAP_NONE) {
            continue;
        }
        if (span->commit <= last[thread]) {
            mark_may_cross(d, thread);
        }
        last[thread] = last_of(last[thread], span->commit);
        if (span->fate != COMPACT_DROPPED) {
            watch(d, thread, span, is_listed);
        }
    }
}

// decide_spans decides the contextual events that plain events trigger, unless reading the chunk
// has.
static void
decide_spans(compact_decider *d)
{
    compact_decider_check(d);
    compact_view *view = d->view;
    start_watch(d);
    find_sure(d);
    if (d->arena.is_failed) {
        return;
    }
    find_open(d);
    if (!LP_VEC_RESERVE(&view->kept_spans, view->sure.count + view->sure.count / 64)) {
        lp_arena_fail(&d->arena);
    }
    decide_blocks(d);
    if (!d->arena.is_failed) {
        list_early(d);
    }
}

// --- What contextual events trigger

// needs_kept returns whether d->kept has to hold a thread's kept contextual events.
static inline bool
needs_kept(const compact_decider *d, uint32_t thread)
{
    return thread != LP_MAP_NONE && (d->may_cross[thread] || d->frame->contexts->items.count > 0);
}

static inline bool
may_cross(const compact_decider *d, uint32_t thread)
{
    return thread != LP_MAP_NONE && d->may_cross[thread];
}

// threads_where returns the threads of the view for which is_one returns true.
static compact_thread_set
threads_where(const compact_decider *d, bool (*is_one)(const compact_decider *d, uint32_t thread))
{
    compact_decider_check(d);
    compact_thread_set set = {{0}};
    for (uint32_t i = 0; i < d->view->threads.count; i++) {
        if (is_one(d, d->view_threads[i])) {
            compact_thread_set_add(&set, i);
        }
    }
    return set;
}

static void
put_kept_among(compact_decider *d, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const compact_span *span = &d->view->kept_spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (needs_kept(d, thread)) {
            compact_moments_put(&d->kept, thread, span->commit);
        }
    }
}

// put_kept_of_view puts the contextual events of the view, of which most blocks need none.
static void
put_kept_of_view(compact_decider *d)
{
    compact_decider_check(d);
    const compact_view *view = d->view;
    if (compact_view_has_offers(view)) {
        put_kept_among(d, 0, view->kept_spans.count);
        return;
    }
    compact_thread_set needed = threads_where(d, needs_kept);
    for (size_t i = 0; i < view->blocks.count; i++) {
        if (compact_thread_set_meets(&view->blocks.items[i].threads, &needed)) {
            bool is_last = i + 1 == view->blocks.count;
            put_kept_among(
                d, d->kept_begins[i], is_last ? view->kept_spans.count : d->kept_begins[i + 1]);
        }
    }
}

static void
put_trigger(compact_decider *d, const compact_trigger *trigger, uint32_t thread)
{
    if (needs_kept(d, thread)) {
        compact_moments_put(&d->kept, thread, trigger->commit);
    }
}

static void
put_kept(compact_decider *d)
{
    compact_decider_check(d);
    put_kept_of_view(d);
    for (size_t i = 0; i < d->early_listed.count; i++) {
        uint32_t index = d->early_listed.items[i];
        uint32_t thread = compact_decider_number_early_span(d, index);
        if (needs_kept(d, thread)) {
            compact_moments_put(&d->kept, thread, compact_decider_early_span(d, index)->commit);
        }
    }
    each_trigger(d, put_trigger);
}

static inline bool
is_triggered_by_kept(compact_decider *d, uint32_t thread, const compact_span *span)
{
    return thread != LP_MAP_NONE &&
           compact_moments_is_since(
               compact_moments_last(&d->kept, thread, span->commit), span->begin);
}

static void
cross(compact_decider *d, uint32_t thread)
{
    d->is_crossed[thread] = true;
    d->has_crossed = true;
}

// is_crossed returns whether a kept context ends in one that plain events do not trigger.
static inline bool
is_crossed(compact_decider *d, const compact_span *span, uint32_t thread)
{
    return span->fate == COMPACT_UNDECIDED && is_triggered_by_kept(d, thread, span) &&
           !is_triggered_by_plain(d, thread, span);
}

// is_looked_at returns whether it is not known yet whether the contexts of a thread cross.
static inline bool
is_looked_at(const compact_decider *d, uint32_t thread)
{
    return may_cross(d, thread) && !d->is_crossed[thread];
}

static void
find_crossed_among(compact_decider *d, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        const compact_span *span = &d->view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (is_looked_at(d, thread) && is_crossed(d, span, thread)) {
            cross(d, thread);
        }
    }
}

static void
find_crossed_spans(compact_decider *d)
{
    compact_decider_check(d);
    const compact_view *view = d->view;
    compact_thread_set crossing = threads_where(d, may_cross);
    for (size_t i = 0; i < view->blocks.count && !compact_view_has_offers(view); i++) {
        const compact_block *block = &view->blocks.items[i];
        // contexts that may cross are in no others
        if (d->open.is_open[i] && compact_thread_set_meets(&block->threads, &crossing)) {
            find_crossed_among(d, block->span_begin, compact_view_block_after(view, i).span_begin);
        }
    }
    if (compact_view_has_offers(view)) {
        find_crossed_among(d, 0, view->spans.count);
    }
    for (size_t i = 0; i < d->early_spans.count; i++) {
        const compact_span *span = compact_decider_early_span(d, i);
        uint32_t thread = compact_decider_number_early_span(d, i);
        if (is_looked_at(d, thread) && is_crossed(d, span, thread)) {
            cross(d, thread);
        }
    }
}

// decide_context decides a context of the Loupe API. If a contextual event is kept at the tick at
// which the context ends, their order decides, so the thread is crossed.
static void
decide_context(compact_decider *d, uint32_t index, const compact_clipped *c, uint32_t thread)
{
    int64_t last_kept = compact_moments_last(&d->kept, thread, c->end);
    int64_t last_plain = compact_decider_last_plain(d, thread, c->end);
    if (last_kept == c->end && last_plain != c->end && !c->is_cut) {
        cross(d, thread);
    }
    last_kept = last_plain > last_kept ? last_plain : last_kept;
    size_t before = d->parts->count;
    compact_decider_keep_part(d, index, c->begin, c->end, last_kept);
    if (d->parts->count > before) {
        compact_decider_end_part(d, &d->parts->items[before], last_kept);
    }
}

static void
decide_contexts(compact_decider *d)
{
    compact_decider_check(d);
    const compact_contexts *contexts = d->frame->contexts;
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *context = &contexts->items.items[i];
        compact_clipped clipped;
        if (compact_decider_clip(d, context, &clipped)) {
            uint32_t thread = compact_decider_number_context(d, context);
            decide_context(d, (uint32_t)i, &clipped, thread);
        }
    }
}

static void
forget_crossed_parts(compact_decider *d)
{
    compact_decider_check(d);
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

LP_COMPARE(compare_parts, compact_part, LP_ORDER(one->context, other->context))

static void
decide_crossed(compact_decider *d)
{
    compact_decider_check(d);
    compact_view *view = d->view;
    forget_crossed_parts(d);
    compact_crossed_decide(d);
    LP_QSORT(d->parts->items, d->parts->count, compare_parts);
    view->kept_spans.count = 0;
    bool are_listed = d->throttles_contexts && !d->has_crossed;
    size_t count = are_listed ? d->listed.count : view->spans.count;
    for (size_t i = 0; i < count; i++) {
        const compact_span *span = &view->spans.items[are_listed ? d->listed.items[i] : i];
        if (compact_span_is_kept(span)) {
            keep_span(d, span);
        }
    }
}

// decide_by_kept decides the contexts that contextual events trigger, and all throttled ones.
static void
decide_by_kept(compact_decider *d)
{
    compact_decider_check(d);
    d->is_crossed = LP_ARENA_ARRAY(&d->arena, bool, d->threads.count);
    if (d->has_to_look || !d->throttles_contexts) {
        gather(d, &d->kept, put_kept);
    }
    if (d->arena.is_failed) {
        return;
    }
    if (d->has_to_look) {
        find_crossed_spans(d);
    }
    if (!d->throttles_contexts) {
        decide_contexts(d);
    }
    if (d->has_crossed || d->throttles_contexts) {
        decide_crossed(d);
    }
}

static void
decide_contextual(compact_decider *d)
{
    decide_spans(d);
    bool is_needed = d->has_to_look || d->frame->contexts->items.count > 0 || d->throttles_contexts;
    if (is_needed && !d->arena.is_failed) {
        decide_by_kept(d);
    }
}

// --- The steps

// find_demands notes which settings of the policy and the JVM apply to a view's events.
static void
find_demands(compact_decider *d, const compact_view *view)
{
    d->selects_by_context |= view->schema->selects_by_context;
    d->has_filters |= view->is_filtered || view->schema->has_filters;
    d->throttles_plain |= view->schema->throttles_plain;
    d->throttles_contexts |= view->schema->throttles_contexts;
    d->offers_untriggered |= view->schema->offers_untriggered;
    d->makes_samples |= view->makes_samples;
}

// find_limits finds up to which commit the rows of later chunks are decided: the chunk's limit.
// Throttles decide whole seconds, so their rows, and all that may trigger these, go further.
static void
find_limits(compact_decider *d)
{
    compact_decider_check(d);
    int64_t limit = d->frame->limit_ticks;
    const compact_window *window = &d->frame->sampled;
    d->samples = window->lo < window->hi;
    int64_t sampled = d->samples && window->hi - 1 > limit ? window->hi - 1 : limit;
    d->span_limit = d->throttles_contexts ? sampled : limit;
    d->plain_limit = d->throttles_contexts || d->throttles_plain ? sampled : limit;
}

static void
throttle_plain(compact_decider *d)
{
    bool offers_plain = d->throttles_plain || d->makes_samples;
    if (offers_plain || d->throttles_contexts) {
        compact_event_throttle_find(d);
    }
    if (offers_plain && !d->arena.is_failed) {
        compact_event_throttle_plain(d);
    }
}

static void
sort_early(compact_decider *d)
{
    lp_arena_note(&d->arena, compact_throttles_sort_early(d->throttles));
}

static void
run(compact_decider *d)
{
    static void (*const steps[])(compact_decider * d) = {
        compact_plain_events_find_early,
        compact_decider_number_threads,
        compact_plain_events_decide,
        throttle_plain,
        gather_plain,
        decide_contextual,
        sort_early,
        compact_decider_make_kept_times,
    };
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps) && !d->arena.is_failed; i++) {
        steps[i](d);
    }
}

// is_in_order returns whether the parts lie in the window, in the order of the contexts.
static bool
is_in_order(const compact_parts *parts, const compact_window *window)
{
    for (size_t i = 0; i < parts->count; i++) {
        const compact_part *part = &parts->items[i];
        if (part->begin < window->lo || part->begin > part->end || part->end >= window->hi ||
            (i > 0 && part->context <= part[-1].context)) {
            return false;
        }
    }
    return true;
}

lp_err
compact_decide(const compact_frame *frame, compact_carry *new_carry, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(decided->parts.count == 0 && new_carry->past.threads.count == 0);
    LP_ASSERT(frame->view->kept_spans.count == 0 && frame->view->weights.count == 0);
    compact_decider d = {
        .frame = frame,
        .view = frame->view,
        .past = &new_carry->past,
        .throttles = &new_carry->throttles,
        .pending_bytes = &new_carry->pending_bytes,
        .decided = decided,
        .early_min = INT64_MAX,
        .early_spans_min = INT64_MAX,
        .gap_ticks = (uint64_t)compact_clock_gap_ticks(&frame->clock),
        .parts = &decided->parts,
    };
    compact_map_timeline_init(&d.installed, &d.arena);
    find_demands(&d, frame->view);
    for (size_t i = 0; i < frame->ahead_count; i++) {
        find_demands(&d, frame->aheads[i].view);
    }
    find_limits(&d);
    run(&d);
    lp_err err = lp_arena_err(&d.arena);
    LP_DEBUG_ASSERT(err != LP_OK || is_in_order(&decided->parts, &frame->window));
    lp_map_fini(&d.threads);
    LP_VEC_FINI(&d.cover.added);
    compact_map_timeline_fini(&d.installed);
    lp_arena_fini(&d.arena);
    return err;
}
