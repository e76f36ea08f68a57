// SPDX-License-Identifier: Apache-2.0
// The contexts of threads on which they cross: compact_decider_decide_crossed.

#include "collector/compact/compact_decider.h"
#include "collector/compact/compact_order.h"
#include "common/base/lp_group.h"

#include <stdlib.h>

// Design notes
//
// When the turn of a context comes, at its end, all that could trigger it has been decided. So it
// is enough to know the last moment at which something was kept on the thread: the context is
// triggered if that is not before its begin. One number for each thread decides it, however
// contexts nest or overlap.

typedef struct sorter {
    compact_decider *d;
    compact_entry *entries; // by thread, each in order; NULL while they are counted
    size_t *ends;           // by thread: where its entries end
} sorter;

static inline void
put_entry(sorter *s, uint32_t thread, const compact_entry *entry)
{
    if (thread == LP_MAP_NONE || !s->d->is_crossed[thread]) {
        return;
    }
    size_t place = s->ends[thread]++;
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
    const compact_view *view = d->in->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = compact_decider_number(d->view_threads, span->thread);
        put_span(s, span, i, thread, COMPACT_ENTRY_EVENT);
    }
    for (size_t i = 0; i < d->early_spans.count; i++) {
        uint32_t index = d->early_spans.items[i];
        const compact_span *span = &d->in->ahead->spans.items[index];
        uint32_t thread = compact_decider_number(d->ahead_threads, span->thread);
        put_span(s, span, index, thread, COMPACT_ENTRY_EVENT_AHEAD);
    }
}

static void
put_contexts(sorter *s)
{
    const compact_contexts *contexts = s->d->in->contexts;
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
    const compact_carry *carry = s->d->in->carry;
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

// gather_entries groups the entries by thread. *out_largest is how many the largest group has.
static lp_err
gather_entries(sorter *s, size_t *out_largest)
{
    size_t thread_count = s->d->threads.count;
    s->ends = calloc(thread_count + 1, sizeof(*s->ends));
    if (s->ends == NULL) {
        return LP_ENOMEM;
    }
    put_all(s); // counts
    *out_largest = 0;
    for (size_t i = 0; i < thread_count; i++) {
        *out_largest = s->ends[i] > *out_largest ? s->ends[i] : *out_largest;
    }
    size_t count = lp_group_begin(s->ends, thread_count);
    s->entries = malloc((count + 1) * sizeof(*s->entries));
    if (s->entries == NULL) {
        return LP_ENOMEM;
    }
    put_all(s);
    return LP_OK;
}

static bool
decide_span(compact_span *span, int64_t last_kept)
{
    if (span->fate == COMPACT_UNDECIDED && compact_moments_is_since(last_kept, span->begin)) {
        span->fate = COMPACT_KEPT_BY_CONTEXT;
    }
    return compact_span_is_kept(span);
}

static lp_err
decide_thread(
    compact_decider *d, uint32_t thread, const compact_entry *entry, const compact_entry *end)
{
    int64_t last_kept = COMPACT_NEVER;
    lp_err err = LP_OK;
    for (; entry < end && err == LP_OK; entry++) {
        int64_t last_plain = compact_decider_last_plain(d, thread, entry->commit);
        last_kept = last_plain > last_kept ? last_plain : last_kept;
        bool is_kept = false;
        switch (entry->kind) {
        case COMPACT_ENTRY_TRIGGER:
            is_kept = true;
            break;
        case COMPACT_ENTRY_EVENT:
            is_kept = decide_span(&d->in->view->spans.items[entry->index], last_kept);
            break;
        case COMPACT_ENTRY_EVENT_AHEAD: {
            compact_span span = d->in->ahead->spans.items[entry->index]; // not decided for good
            is_kept = decide_span(&span, last_kept);
            break;
        }
        case COMPACT_ENTRY_CONTEXT:
        case COMPACT_ENTRY_CONTEXT_CUT:
            err =
                compact_decider_keep_part(d, entry->index, entry->begin, entry->commit, last_kept);
            break;
        }
        last_kept = is_kept && entry->commit > last_kept ? entry->commit : last_kept;
    }
    return err;
}

lp_err
compact_decider_decide_crossed(compact_decider *d)
{
    sorter s = {.d = d};
    size_t largest;
    compact_entry *spare = NULL;
    lp_err err = gather_entries(&s, &largest);
    if (err == LP_OK) {
        spare = malloc((largest / 2 + 1) * sizeof(*spare));
        err = spare == NULL ? LP_ENOMEM : LP_OK;
    }
    size_t begin = 0;
    for (uint32_t i = 0; i < d->threads.count && err == LP_OK; i++) {
        compact_order_sort(s.entries + begin, s.ends[i] - begin, spare);
        err = decide_thread(d, i, s.entries + begin, s.entries + s.ends[i]);
        begin = s.ends[i];
    }
    free(spare);
    free(s.entries);
    free(s.ends);
    return err;
}
