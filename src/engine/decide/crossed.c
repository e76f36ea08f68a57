// SPDX-License-Identifier: Apache-2.0
// The contexts of threads on which they cross: compact_decider_decide_crossed.

#include "common/base/lp_prefix_sum.h"
#include "engine/contexts/order.h"
#include "engine/decide/decider.h"

#include <stdlib.h>

// Design notes
//
// When the turn of a context comes, at its end, all that could trigger it has been decided. So it
// is enough to know the last moment at which something was kept on the thread: the context is
// triggered if that is not before its begin. One number for each thread decides it, however
// contexts nest or overlap.
//
// Where contextual events are throttled, all threads are decided together: a throttle sees the
// events of its type in the order of their ends, whatever thread they are on, and what it drops
// triggers nothing. Then the events without a thread are among them.

typedef struct sorter {
    compact_decider *d;
    compact_entry *entries; // by group, each in order; NULL while they are counted
    size_t group_count;     // a group is a thread, or all of them
    size_t *ends;           // by group: where its entries end
    int64_t *last_kept;     // by thread, and one for events without
} sorter;

static inline void
put_entry(sorter *s, uint32_t thread, const compact_entry *entry)
{
    bool is_together = s->d->throttles_contexts;
    if (!is_together && (thread == LP_MAP_NONE || !s->d->is_crossed[thread])) {
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

static void
put_spans(sorter *s)
{
    const compact_decider *d = s->d;
    const compact_view *view = d->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        put_span(s, span, i, thread, COMPACT_ENTRY_EVENT);
    }
    for (size_t i = 0; i < d->early_spans.count; i++) {
        uint32_t index = d->early_spans.items[i];
        const compact_span *span = &d->frame->ahead->spans.items[index];
        uint32_t thread = compact_decider_number(d->ahead_threads, span->thread);
        put_span(s, span, index, thread, COMPACT_ENTRY_EVENT_AHEAD);
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

// gather_entries groups the entries. *out_largest is how many the largest group has.
static lp_err
gather_entries(sorter *s, size_t *out_largest)
{
    s->ends = calloc(s->group_count + 1, sizeof(*s->ends));
    if (s->ends == NULL) {
        return LP_ENOMEM;
    }
    put_all(s); // counts
    *out_largest = 0;
    for (size_t i = 0; i < s->group_count; i++) {
        *out_largest = s->ends[i] > *out_largest ? s->ends[i] : *out_largest;
    }
    size_t count = lp_prefix_sum(s->ends, s->group_count);
    s->entries = malloc((count + 1) * sizeof(*s->entries));
    if (s->entries == NULL) {
        return LP_ENOMEM;
    }
    put_all(s);
    return LP_OK;
}

// thread_of gives the number of an entry's thread, LP_MAP_NONE if it has none.
static uint32_t
thread_of(const compact_decider *d, const compact_entry *entry)
{
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        return lp_map_find(&d->threads, d->frame->carry->triggers.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT:
        return compact_decider_number(d->view_threads, d->view->spans.items[entry->index].thread);
    case COMPACT_ENTRY_EVENT_AHEAD:
        return compact_decider_number(
            d->ahead_threads, d->frame->ahead->spans.items[entry->index].thread);
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        break;
    }
    return compact_decider_number_context(d, &d->frame->contexts->items.items[entry->index]);
}

// throttle_span decides on a contextual event that depends on its throttle, if it has one.
static lp_err
throttle_span(compact_decider *d, compact_span *span, bool is_triggered, bool is_ahead)
{
    const compact_view *view = is_ahead ? d->frame->ahead : d->view;
    const uint32_t *throttles = is_ahead ? d->ahead_throttles : d->view_throttles;
    uint32_t type = compact_view_event(view, span->offset).type;
    const compact_offer offer = {
        .commit = span->commit,
        .offset = span->offset,
        .type = type,
        .is_ahead = is_ahead,
    };
    bool is_kept = is_triggered;
    lp_err err = LP_OK;
    if (throttles[type] != LP_MAP_NONE &&
        (is_triggered || view->schema->plans[type].is_kept_untriggered)) {
        err = compact_decider_throttle(d, &offer, &is_kept);
    }
    span->fate = is_kept ? COMPACT_KEPT_BY_CONTEXT : COMPACT_UNDECIDED;
    return err;
}

static lp_err
decide_span(compact_decider *d, compact_span *span, int64_t last_kept, bool is_ahead)
{
    if (span->fate != COMPACT_UNDECIDED) {
        return LP_OK;
    }
    bool is_triggered = compact_moments_is_since(last_kept, span->begin);
    if (d->throttles_contexts) {
        return throttle_span(d, span, is_triggered, is_ahead);
    }
    span->fate = is_triggered ? COMPACT_KEPT_BY_CONTEXT : COMPACT_UNDECIDED;
    return LP_OK;
}

// decide_entry decides one entry, whose turn it is. last_kept is its thread's.
static lp_err
decide_entry(compact_decider *d, const compact_entry *entry, int64_t last_kept, bool *out_is_kept)
{
    lp_err err = LP_OK;
    *out_is_kept = false;
    switch (entry->kind) {
    case COMPACT_ENTRY_TRIGGER:
        *out_is_kept = true;
        break;
    case COMPACT_ENTRY_EVENT: {
        compact_span *span = &d->view->spans.items[entry->index];
        err = decide_span(d, span, last_kept, false);
        *out_is_kept = compact_span_is_kept(span);
        break;
    }
    case COMPACT_ENTRY_EVENT_AHEAD: {
        compact_span span = d->frame->ahead->spans.items[entry->index]; // not decided for good
        err = decide_span(d, &span, last_kept, true);
        *out_is_kept = compact_span_is_kept(&span);
        break;
    }
    case COMPACT_ENTRY_CONTEXT:
    case COMPACT_ENTRY_CONTEXT_CUT:
        err = compact_decider_keep_part(d, entry->index, entry->begin, entry->commit, last_kept);
        break;
    }
    return err;
}

// end_parts ends the parts from first on, all of which end at a tick whose entries are decided.
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

// decide_group decides entries in their order.
static lp_err
decide_group(sorter *s, uint32_t group, const compact_entry *entry, const compact_entry *end)
{
    compact_decider *d = s->d;
    size_t first_part = d->parts->count; // of those that end at the tick of entry
    lp_err err = LP_OK;
    for (; entry < end && err == LP_OK; entry++) {
        uint32_t thread = d->throttles_contexts ? thread_of(d, entry) : group;
        bool has_thread = thread != LP_MAP_NONE;
        int64_t *last_kept = &s->last_kept[has_thread ? thread : d->threads.count];
        if (has_thread) {
            int64_t last_plain = compact_decider_last_plain(d, thread, entry->commit);
            *last_kept = last_plain > *last_kept ? last_plain : *last_kept;
        }
        bool is_kept;
        err = decide_entry(d, entry, *last_kept, &is_kept);
        if (has_thread && is_kept && entry->commit > *last_kept) {
            *last_kept = entry->commit;
        }
        if (entry + 1 == end || entry[1].commit != entry->commit) {
            end_parts(s, first_part);
            first_part = d->parts->count;
        }
    }
    return err;
}

static lp_err
start_threads(sorter *s)
{
    size_t count = s->d->threads.count + 1;
    s->last_kept = malloc(count * sizeof(*s->last_kept));
    for (size_t i = 0; s->last_kept != NULL && i < count; i++) {
        s->last_kept[i] = COMPACT_NEVER;
    }
    return s->last_kept == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
compact_decider_decide_crossed(compact_decider *d)
{
    sorter s = {.d = d, .group_count = d->throttles_contexts ? 1 : d->threads.count};
    size_t largest;
    compact_entry *spare = NULL;
    lp_err err = gather_entries(&s, &largest);
    if (err == LP_OK) {
        err = start_threads(&s);
    }
    if (err == LP_OK) {
        spare = malloc((largest / 2 + 1) * sizeof(*spare));
        err = spare == NULL ? LP_ENOMEM : LP_OK;
    }
    size_t begin = 0;
    for (uint32_t i = 0; i < s.group_count && err == LP_OK; i++) {
        compact_order_sort(s.entries + begin, s.ends[i] - begin, spare);
        err = decide_group(&s, i, s.entries + begin, s.entries + s.ends[i]);
        begin = s.ends[i];
    }
    free(spare);
    free(s.last_kept);
    free(s.entries);
    free(s.ends);
    return err;
}
