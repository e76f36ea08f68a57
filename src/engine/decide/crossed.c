// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/decide/test_decide.c
#include "common/base/lp_assert.h"
#include "common/base/lp_prefix_sum.h"
#include "engine/contexts/order.h"
#include "engine/decide/decider.h"
#include "engine/decide/event_throttle.h"
#include "engine/decide/span_throttle.h"

// Design notes
//
// A context is decided at its end, when all that could trigger it has been decided. It is triggered
// if the last time at which something was kept on the thread is not before its begin. So one number
// for each thread suffices, however contexts nest or overlap.
//
// If contextual events are throttled, all threads are decided together, with the events that have
// no thread. A throttle sees the events of its type in the order of their ends, on whatever thread,
// and an event that it drops triggers nothing (span_throttle.h).

typedef struct found {
    int64_t last_plain; // commit of the last kept plain event up to the entry
    uint32_t thread;    // its number, LP_MAP_NONE if it has none
} found;

typedef struct sorter {
    compact_decider *d;
    compact_entry *entries; // by group, each in order; NULL while they are counted
    size_t group_count;     // a group is a thread, or all of them
    size_t *ends;           // by group: where its entries end
    int64_t *last_kept;     // by thread, and one for events without a thread
    found *found;           // parallel to entries; NULL: each thread is a group
    compact_span_throttle throttle;
} sorter;

static inline bool
is_crossed(const sorter *s, uint32_t thread)
{
    return thread != LP_MAP_NONE && s->d->is_crossed[thread];
}

static inline void
put_entry(sorter *s, uint32_t thread, const compact_entry *entry)
{
    bool is_together = s->d->throttles_contexts;
    if (!is_together && !is_crossed(s, thread)) {
        return;
    }
    size_t place = s->ends[is_together ? 0 : thread]++;
    if (s->entries != NULL) {
        s->entries[place] = *entry;
    }
}

static void
put_span(
    sorter *s, const compact_span *span, size_t index, uint32_t thread, compact_entry_kind kind)
{
    const compact_entry entry = {
        .commit = span->commit,
        .begin = span->begin,
        .index = (uint32_t)index,
        .kind = kind,
    };
    put_entry(s, thread, &entry);
}

// put_listed puts the contextual events of threads on which contexts do not cross: throttles decide
// the listed ones, and the others are dropped.
static void
put_listed(sorter *s)
{
    const compact_decider *d = s->d;
    for (size_t i = 0; i < d->listed.count; i++) {
        uint32_t index = d->listed.items[i];
        const compact_span *span = &d->view->spans.items[index];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (!is_crossed(s, thread)) {
            put_span(s, span, index, thread, COMPACT_ENTRY_EVENT);
        }
    }
    for (size_t i = 0; i < d->early_listed.count; i++) {
        uint32_t index = d->early_listed.items[i];
        const compact_span *span = compact_decider_early_span(d, index);
        uint32_t thread = compact_decider_number_early_span(d, index);
        if (!is_crossed(s, thread)) {
            put_span(s, span, index, thread, COMPACT_ENTRY_EVENT_AHEAD);
        }
    }
}

static void
put_spans(sorter *s)
{
    const compact_decider *d = s->d;
    const compact_view *view = d->view;
    put_listed(s);
    for (size_t i = 0; d->has_crossed && i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        if (is_crossed(s, thread)) {
            put_span(s, span, i, thread, COMPACT_ENTRY_EVENT);
        }
    }
    for (size_t i = 0; d->has_crossed && i < d->early_spans.count; i++) {
        uint32_t thread = compact_decider_number_early_span(d, i);
        if (is_crossed(s, thread)) {
            put_span(s, compact_decider_early_span(d, i), i, thread, COMPACT_ENTRY_EVENT_AHEAD);
        }
    }
}

static void
put_contexts(sorter *s)
{
    const compact_contexts *contexts = s->d->frame->contexts;
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *context = &contexts->items.items[i];
        compact_clipped clipped;
        if (!compact_decider_clip(s->d, context, &clipped)) {
            continue;
        }
        const compact_entry entry = {
            .commit = clipped.end,
            .begin = clipped.begin,
            .index = (uint32_t)i,
            .kind = clipped.is_cut ? COMPACT_ENTRY_CONTEXT_CUT : COMPACT_ENTRY_CONTEXT,
        };
        put_entry(s, compact_decider_number_context(s->d, context), &entry);
    }
}

static void
put_triggers(sorter *s)
{
    const compact_carry *carry = s->d->frame->carry;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        const compact_entry entry = {
            .commit = trigger->commit,
            .begin = trigger->begin,
            .index = (uint32_t)i,
            .kind = COMPACT_ENTRY_TRIGGER,
        };
        put_entry(s, lp_map_find(&s->d->threads, trigger->thread), &entry);
    }
}

static void
put_all(sorter *s)
{
    put_spans(s);
    put_contexts(s);
    put_triggers(s);
}

// gather_entries groups the entries. *out_largest is the size of the largest group.
static void
gather_entries(sorter *s, size_t *out_largest)
{
    lp_arena *arena = &s->d->arena;
    *out_largest = 0;
    s->ends = LP_ARENA_ARRAY(arena, size_t, s->group_count);
    if (s->ends == NULL) {
        return;
    }
    put_all(s); // only counts
    for (size_t i = 0; i < s->group_count; i++) {
        *out_largest = s->ends[i] > *out_largest ? s->ends[i] : *out_largest;
    }
    size_t count = lp_prefix_sum(s->ends, s->group_count);
    s->entries = lp_arena_alloc(arena, count * sizeof(*s->entries), alignof(compact_entry));
    if (s->entries != NULL) {
        put_all(s);
    }
}

// thread_of returns the number of an entry's thread, LP_MAP_NONE if it has none.
static uint32_t
thread_of(const compact_decider *d, const compact_entry *entry)
{
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        return lp_map_find(&d->threads, d->frame->carry->triggers.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT:
        return compact_decider_number(d->view_threads, d->view->spans.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT_AHEAD:
        return compact_decider_number_early_span(d, entry->index);
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        break;
    }
    return compact_decider_number_context(d, &d->frame->contexts->items.items[entry->index]);
}

// decide_span decides a contextual event, and returns whether it is kept. chunk is as in
// compact_offer.
static bool
decide_span(sorter *s, compact_span *span, int64_t last_kept, uint32_t chunk)
{
    if (span->fate == COMPACT_UNDECIDED) {
        bool is_kept = compact_moments_is_since(last_kept, span->begin);
        if (s->d->throttles_contexts) {
            is_kept = compact_span_throttle_keep(&s->throttle, span, chunk, is_kept);
        }
        span->fate = is_kept ? COMPACT_KEPT_BY_CONTEXT : COMPACT_UNDECIDED;
    }
    return compact_span_is_kept(span);
}

// decide_entry decides an entry, and returns whether it triggers others. last_kept is that of its
// thread.
static bool
decide_entry(sorter *s, const compact_entry *entry, int64_t last_kept)
{
    compact_decider *d = s->d;
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        return true;
    case COMPACT_ENTRY_EVENT:
        return decide_span(s, &d->view->spans.items[entry->index], last_kept, 0);
    case COMPACT_ENTRY_EVENT_AHEAD: {
        compact_span span = *compact_decider_early_span(d, entry->index); // its chunk decides again
        return decide_span(s, &span, last_kept, d->early_spans.items[entry->index].ahead + 1);
    }
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        compact_decider_keep_part(d, entry->index, entry->begin, entry->commit, last_kept);
        break;
    }
    return false;
}

// end_parts calls compact_decider_end_part for the parts from first on, once all entries of the
// tick at which they end are decided.
static void
end_parts(const sorter *s, size_t first)
{
    const compact_decider *d = s->d;
    for (size_t i = first; i < d->parts->count; i++) {
        compact_part *part = &d->parts->items[i];
        const compact_context *context = &d->frame->contexts->items.items[part->context];
        uint32_t thread = compact_decider_number_context(d, context);
        compact_decider_end_part(d, part, s->last_kept[thread]);
    }
}

static found
find(compact_decider *d, const compact_entry *entry, uint32_t thread)
{
    bool has_thread = thread != LP_MAP_NONE;
    return (found){
        .last_plain =
            has_thread ? compact_decider_last_plain(d, thread, entry->commit) : COMPACT_NEVER,
        .thread = thread,
    };
}

static void
add_span(sorter *s, const compact_span *span, uint32_t chunk, const found *of_it)
{
    if (span->fate == COMPACT_UNDECIDED) {
        compact_span_throttle_add(
            &s->throttle, span, chunk, compact_moments_is_since(of_it->last_plain, span->begin));
    }
}

// throttle_all fills s->found, and adds all contextual events to s->throttle.
static void
throttle_all(sorter *s, size_t count)
{
    compact_decider *d = s->d;
    s->found = lp_arena_alloc(&d->arena, count * sizeof(*s->found), alignof(found));
    compact_span_throttle_init(&s->throttle, d, count);
    for (size_t i = 0; i < count && !d->arena.is_failed; i++) {
        const compact_entry *entry = &s->entries[i];
        s->found[i] = find(d, entry, thread_of(d, entry));
        if (entry->kind == COMPACT_ENTRY_EVENT) {
            add_span(s, &d->view->spans.items[entry->index], 0, &s->found[i]);
        } else if (entry->kind == COMPACT_ENTRY_EVENT_AHEAD) {
            uint32_t chunk = d->early_spans.items[entry->index].ahead + 1;
            add_span(s, compact_decider_early_span(d, entry->index), chunk, &s->found[i]);
        }
    }
}

static void
decide_group(sorter *s, uint32_t group, const compact_entry *entry, const compact_entry *end)
{
    compact_decider *d = s->d;
    size_t first_part = d->parts->count; // the first that ends at the tick of entry
    for (; entry < end; entry++) {
        LP_DEBUG_ASSERT(entry + 1 == end || entry[1].commit >= entry->commit);
        const found of_it = s->found != NULL ? s->found[entry - s->entries] : find(d, entry, group);
        bool has_thread = of_it.thread != LP_MAP_NONE;
        int64_t *last_kept = &s->last_kept[has_thread ? of_it.thread : d->threads.count];
        *last_kept = of_it.last_plain > *last_kept ? of_it.last_plain : *last_kept;
        bool is_kept = decide_entry(s, entry, *last_kept);
        if (has_thread && is_kept && entry->commit > *last_kept) {
            *last_kept = entry->commit;
        }
        if (entry + 1 == end || entry[1].commit != entry->commit) {
            end_parts(s, first_part);
            first_part = d->parts->count;
        }
    }
}

static void
start_threads(sorter *s)
{
    size_t count = s->d->threads.count + 1;
    s->last_kept = LP_ARENA_ARRAY(&s->d->arena, int64_t, count);
    for (size_t i = 0; s->last_kept != NULL && i < count; i++) {
        s->last_kept[i] = COMPACT_NEVER;
    }
}

void
compact_crossed_decide(compact_decider *d)
{
    LP_ASSERT(d->view == d->frame->view);
    sorter s = {.d = d, .group_count = d->throttles_contexts ? 1 : d->threads.count};
    size_t largest;
    gather_entries(&s, &largest);
    start_threads(&s);
    compact_entry *spare =
        lp_arena_alloc(&d->arena, largest / 2 * sizeof(*spare), alignof(compact_entry));
    size_t begin = 0;
    for (uint32_t i = 0; i < s.group_count && !d->arena.is_failed; i++) {
        compact_order_sort(s.entries + begin, s.ends[i] - begin, spare);
        if (d->throttles_contexts) {
            throttle_all(&s, s.ends[i]);
        }
        if (!d->arena.is_failed) {
            decide_group(&s, i, s.entries + begin, s.entries + s.ends[i]);
        }
        begin = s.ends[i];
    }
}
