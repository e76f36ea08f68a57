// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_decide.h"

#include "collector/compact/compact_cover.h"
#include "collector/compact/compact_order.h"
#include "collector/compact/compact_threads.h"

#include <stdlib.h>

// Design notes
//
// A context [begin, end] is triggered when an event was kept in it. Events are decided in the order
// of their commit times, so when the context's turn comes (at its end) every event that could
// trigger it has been decided, and it is enough to know the last moment at which one was kept on
// the thread: the context is triggered if that moment is not before its begin. One number per
// thread decides it all, however contexts nest or overlap.
//
// Whether a plain event is kept depends on where contexts are, but not on whether they are kept. So
// plain events are decided first, in any order, and only contexts are sorted. What a plain event
// triggers is found by its place among the contexts of its thread: each context remembers the last
// plain event between itself and the context before. Events come in long ordered runs, so that
// place is mostly the one of the thread's last event, or the next.

typedef struct decider {
    const compact_decide_input *in;
    int64_t limit;          // what is stored ahead matters up to here
    lp_map threads;         // identity to a number, for threads on which there is a context
    uint32_t *view_threads; // parallel to view->threads: number, or LP_MAP_NONE
    uint32_t *ahead_threads;
    compact_cover cover;
    compact_entry *entries; // grouped by thread, each in order
    size_t *ends;           // by thread number: where its entries end
    size_t *places;         // by thread number: where its last plain event had its place
    compact_parts *parts;
} decider;

// --- Threads on which there is a context

static lp_err
number_thread(decider *d, uint64_t identity)
{
    return lp_map_find(&d->threads, identity) != LP_MAP_NONE
               ? LP_OK
               : lp_map_put(&d->threads, identity, (uint32_t)d->threads.count);
}

static lp_err
number_span_threads(decider *d, const compact_view *view, const uint64_t *identities)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->threads.count && err == LP_OK; i++) {
        if (view->threads.items[i].span_count > 0) {
            err = number_thread(d, identities[i]);
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
    const compact_decide_input *in = d->in;
    lp_err err = number_span_threads(d, in->view, in->identities);
    if (err == LP_OK && in->ahead != NULL) {
        err = number_span_threads(d, in->ahead, in->ahead_identities);
    }
    for (size_t i = 0; i < in->contexts->items.count && err == LP_OK; i++) {
        err = number_thread(d, compact_identity_java(in->contexts->items.items[i].thread_id));
    }
    for (size_t i = 0; in->carry != NULL && i < in->carry->intervals.count && err == LP_OK; i++) {
        err = number_thread(d, in->carry->intervals.items[i].thread);
    }
    if (err == LP_OK) {
        err = map_threads(d, in->view, in->identities, &d->view_threads);
    }
    if (err == LP_OK && in->ahead != NULL) {
        err = map_threads(d, in->ahead, in->ahead_identities, &d->ahead_threads);
    }
    return err;
}

static uint32_t
number_of(const uint32_t *numbers, uint32_t thread)
{
    return thread == COMPACT_NO_THREAD ? LP_MAP_NONE : numbers[thread];
}

static uint32_t
number_of_context(const decider *d, const compact_context *context)
{
    return lp_map_find(&d->threads, compact_identity_java(context->thread_id));
}

// --- Plain events that need a context

static lp_err
cover_spans(decider *d, const compact_view *view, const uint32_t *numbers)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->spans.items[i];
        uint32_t thread = number_of(numbers, span->thread);
        if (thread != LP_MAP_NONE && span->begin <= d->limit) {
            err = compact_cover_add(&d->cover, thread, span->begin, span->commit);
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
    const compact_carry *carry = d->in->carry;
    int64_t first = first_undecided(d->in->view);
    int64_t first_ahead = first_undecided(d->in->ahead);
    first = first_ahead < first ? first_ahead : first;
    lp_err err = LP_OK;
    for (size_t i = 0; carry != NULL && i < carry->intervals.count && err == LP_OK; i++) {
        const compact_interval *interval = &carry->intervals.items[i];
        uint32_t thread = lp_map_find(&d->threads, interval->thread);
        if (interval->end >= first) {
            err = compact_cover_add(&d->cover, thread, interval->begin, interval->end);
        }
    }
    return err;
}

static lp_err
build_cover(decider *d)
{
    const compact_decide_input *in = d->in;
    lp_err err = cover_spans(d, in->view, d->view_threads);
    if (err == LP_OK && in->ahead != NULL) {
        err = cover_spans(d, in->ahead, d->ahead_threads);
    }
    for (size_t i = 0; i < in->contexts->items.count && err == LP_OK; i++) {
        const compact_context *context = &in->contexts->items.items[i];
        err = compact_cover_add(
            &d->cover, number_of_context(d, context), context->begin, context->end);
    }
    if (err == LP_OK) {
        err = cover_carried(d);
    }
    return err == LP_OK ? compact_cover_join(&d->cover, d->threads.count) : err;
}

// is_kept_by_context says whether an undecided plain event is kept.
static bool
is_kept_by_context(const decider *d, const compact_plain *row, uint32_t thread)
{
    return thread != LP_MAP_NONE && compact_cover_has(&d->cover, thread, row->commit);
}

static void
decide_plain(decider *d)
{
    compact_view *view = d->in->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        compact_plain *row = &view->plain.items[i];
        if (row->fate == COMPACT_UNDECIDED &&
            is_kept_by_context(d, row, number_of(d->view_threads, row->thread))) {
            row->fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
}

// --- Contexts in order

static inline compact_entry
entry_of_span(const compact_span *span, size_t index, compact_entry_kind kind)
{
    return (compact_entry){
        .commit = span->commit,
        .begin = span->begin,
        .last_plain = INT64_MIN,
        .index = (uint32_t)index,
        .kind = kind,
    };
}

// put_entry puts an entry behind the others of its thread; while d->entries is NULL, it counts it.
static inline void
put_entry(decider *d, uint32_t thread, const compact_entry *entry)
{
    size_t place = d->ends[thread]++;
    if (d->entries != NULL) {
        d->entries[place] = *entry;
    }
}

static void
count_spans(decider *d)
{
    const compact_view *view = d->in->view;
    for (size_t i = 0; i < view->threads.count; i++) {
        if (view->threads.items[i].span_count > 0) {
            d->ends[d->view_threads[i]] += view->threads.items[i].span_count;
        }
    }
}

static void
put_spans(decider *d)
{
    const compact_view *view = d->in->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            compact_entry entry = entry_of_span(span, i, COMPACT_ENTRY_EVENT);
            put_entry(d, d->view_threads[span->thread], &entry);
        }
    }
}

static void
put_spans_ahead(decider *d)
{
    const compact_view *ahead = d->in->ahead;
    for (size_t i = 0; ahead != NULL && i < ahead->spans.count; i++) {
        const compact_span *span = &ahead->spans.items[i];
        if (span->commit <= d->limit && span->thread != COMPACT_NO_THREAD) {
            compact_entry entry = entry_of_span(span, i, COMPACT_ENTRY_EVENT_AHEAD);
            put_entry(d, d->ahead_threads[span->thread], &entry);
        }
    }
}

static void
put_contexts(decider *d)
{
    const compact_contexts *contexts = d->in->contexts;
    for (size_t i = 0; i < contexts->items.count; i++) {
        const compact_context *context = &contexts->items.items[i];
        if (context->begin >= d->in->window.hi || context->end < context->begin) {
            continue;
        }
        bool is_cut = context->end >= d->in->window.hi;
        const compact_entry entry = {
            .commit = is_cut ? d->in->window.hi - 1 : context->end,
            .begin = context->begin,
            .last_plain = INT64_MIN,
            .index = (uint32_t)i,
            .kind = is_cut ? COMPACT_ENTRY_CONTEXT_CUT : COMPACT_ENTRY_CONTEXT,
        };
        put_entry(d, number_of_context(d, context), &entry);
    }
}

static void
put_triggers(decider *d)
{
    const compact_carry *carry = d->in->carry;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        if (trigger->begin == COMPACT_PLAIN_BEGIN) {
            continue;
        }
        uint32_t thread = lp_map_find(&d->threads, trigger->thread);
        if (thread == LP_MAP_NONE) {
            continue;
        }
        const compact_entry entry = {
            .commit = trigger->commit,
            .begin = trigger->begin,
            .last_plain = INT64_MIN,
            .index = (uint32_t)i,
            .kind = COMPACT_ENTRY_TRIGGER,
        };
        put_entry(d, thread, &entry);
    }
}

// begin_of is where the entries of a thread begin, once they are in their places.
static size_t
begin_of(const decider *d, uint32_t thread)
{
    return thread == 0 ? 0 : d->ends[thread - 1];
}

static lp_err
sort_entries(decider *d)
{
    size_t largest = 0;
    for (uint32_t thread = 0; thread < d->threads.count; thread++) {
        size_t count = d->ends[thread] - begin_of(d, thread);
        largest = count > largest ? count : largest;
    }
    compact_entry *spare = malloc((largest / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        return LP_ENOMEM;
    }
    for (uint32_t thread = 0; thread < d->threads.count; thread++) {
        size_t begin = begin_of(d, thread);
        compact_order_sort(d->entries + begin, d->ends[thread] - begin, spare);
        d->places[thread] = begin;
    }
    free(spare);
    return LP_OK;
}

static lp_err
order_entries(decider *d)
{
    d->ends = calloc(d->threads.count + 1, sizeof(*d->ends));
    d->places = calloc(d->threads.count + 1, sizeof(*d->places));
    if (d->ends == NULL || d->places == NULL) {
        return LP_ENOMEM;
    }
    count_spans(d);
    put_spans_ahead(d);
    put_contexts(d);
    put_triggers(d);
    size_t begin = 0;
    for (size_t i = 0; i < d->threads.count; i++) {
        size_t count = d->ends[i];
        d->ends[i] = begin; // where its next entry goes
        begin += count;
    }
    d->entries = malloc((begin + 1) * sizeof(*d->entries));
    if (d->entries == NULL) {
        return LP_ENOMEM;
    }
    put_spans(d);
    put_spans_ahead(d);
    put_contexts(d);
    put_triggers(d);
    return sort_entries(d);
}

// --- What plain events trigger

// find_place gives the first entry of [begin, end) that is committed at or after commit, looking
// around place first.
static size_t
find_place(const decider *d, size_t begin, size_t end, size_t place, int64_t commit)
{
    const compact_entry *entries = d->entries;
    size_t low = begin; // all before low are before commit
    size_t high = end;  // all from high on are not
    for (size_t step = 1; place < end && entries[place].commit < commit; step *= 2) {
        low = place + 1;
        place = low + step - 1;
    }
    if (place < end) {
        high = place;
        for (size_t step = 1; high > low; step *= 2) {
            size_t probe = high - low > step ? high - step : low;
            if (entries[probe].commit < commit) {
                low = probe + 1;
                break;
            }
            high = probe;
        }
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries[middle].commit < commit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// note_plain tells the context behind a plain event that it was kept.
static inline void
note_plain(decider *d, uint32_t thread, int64_t commit)
{
    size_t end = d->ends[thread];
    size_t place = find_place(d, begin_of(d, thread), end, d->places[thread], commit);
    d->places[thread] = place;
    if (place < end && commit > d->entries[place].last_plain) {
        d->entries[place].last_plain = commit;
    }
}

static void
note_view(decider *d)
{
    const compact_view *view = d->in->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        uint32_t thread = number_of(d->view_threads, row->thread);
        if (thread != LP_MAP_NONE && row->fate != COMPACT_UNDECIDED) {
            note_plain(d, thread, row->commit);
        }
    }
}

static void
note_ahead(decider *d)
{
    const compact_view *ahead = d->in->ahead;
    for (size_t i = 0; ahead != NULL && i < ahead->plain.count; i++) {
        const compact_plain *row = &ahead->plain.items[i];
        if (row->commit > d->limit) {
            continue;
        }
        uint32_t thread = number_of(d->ahead_threads, row->thread);
        if (thread != LP_MAP_NONE &&
            (row->fate != COMPACT_UNDECIDED || is_kept_by_context(d, row, thread))) {
            note_plain(d, thread, row->commit);
        }
    }
}

static void
note_carry(decider *d)
{
    const compact_carry *carry = d->in->carry;
    uint32_t thread = LP_MAP_NONE;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        if (i == 0 || trigger->thread != trigger[-1].thread) { // they come in runs
            thread = lp_map_find(&d->threads, trigger->thread);
        }
        if (thread != LP_MAP_NONE && trigger->begin == COMPACT_PLAIN_BEGIN) {
            note_plain(d, thread, trigger->commit);
        }
    }
}

// --- The decision

// keep_part notes the part of a context that lies in the window if an event was kept in it.
static lp_err
keep_part(decider *d, const compact_entry *entry, int64_t last_kept)
{
    int64_t lo = d->in->window.lo;
    int64_t begin = entry->begin > lo ? entry->begin : lo;
    if (entry->commit < begin || last_kept < begin) {
        return LP_OK;
    }
    compact_part *part = LP_VEC_PUSH(d->parts);
    if (part == NULL) {
        return LP_ENOMEM;
    }
    *part = (compact_part){.context = entry->index, .begin = begin, .end = entry->commit};
    return LP_OK;
}

static bool
is_span_kept(const compact_span *span, int64_t last_kept)
{
    return span->fate == COMPACT_UNDECIDED ? last_kept >= span->begin : span->fate == COMPACT_KEPT;
}

static lp_err
decide_thread(decider *d, const compact_entry *entry, const compact_entry *end)
{
    int64_t last_kept = INT64_MIN;
    lp_err err = LP_OK;
    for (; entry < end && err == LP_OK; entry++) {
        bool is_kept = false;
        last_kept = entry->last_plain > last_kept ? entry->last_plain : last_kept;
        switch (entry->kind) {
        case COMPACT_ENTRY_TRIGGER:
            is_kept = true;
            break;
        case COMPACT_ENTRY_EVENT: {
            compact_span *span = &d->in->view->spans.items[entry->index];
            is_kept = is_span_kept(span, last_kept);
            if (is_kept && span->fate == COMPACT_UNDECIDED) {
                span->fate = COMPACT_KEPT_BY_CONTEXT;
            }
            break;
        }
        case COMPACT_ENTRY_EVENT_AHEAD:
            is_kept = is_span_kept(&d->in->ahead->spans.items[entry->index], last_kept);
            break;
        case COMPACT_ENTRY_CONTEXT:
        case COMPACT_ENTRY_CONTEXT_CUT:
            err = keep_part(d, entry, last_kept);
            break;
        }
        last_kept = is_kept && entry->commit > last_kept ? entry->commit : last_kept;
    }
    return err;
}

static int
compare_parts(const void *a, const void *b)
{
    const compact_part *x = a;
    const compact_part *y = b;
    return (x->context > y->context) - (x->context < y->context);
}

static lp_err
decide_contexts(decider *d)
{
    lp_err err = order_entries(d);
    if (err != LP_OK) {
        return err;
    }
    note_view(d);
    note_ahead(d);
    note_carry(d);
    for (uint32_t thread = 0; thread < d->threads.count && err == LP_OK; thread++) {
        err = decide_thread(d, d->entries + begin_of(d, thread), d->entries + d->ends[thread]);
    }
    if (err == LP_OK && d->parts->count > 0) {
        qsort(d->parts->items, d->parts->count, sizeof(*d->parts->items), compare_parts);
    }
    return err;
}

static lp_err
run(decider *d)
{
    const compact_decide_input *in = d->in;
    lp_err err = number_threads(d);
    bool selects_by_context = in->view->schema->selects_by_context ||
                              (in->ahead != NULL && in->ahead->schema->selects_by_context);
    if (err == LP_OK && selects_by_context) {
        err = build_cover(d);
    }
    if (err == LP_OK && selects_by_context) {
        decide_plain(d);
    }
    return err != LP_OK || d->threads.count == 0 ? err : decide_contexts(d);
}

lp_err
compact_decide(const compact_decide_input *in, compact_parts *out_parts)
{
    int64_t commit_max = in->view->commit_max;
    decider d = {
        .in = in,
        .limit = commit_max > in->window.hi ? commit_max : in->window.hi,
        .parts = out_parts,
    };
    lp_err err = run(&d);
    lp_map_fini(&d.threads);
    free(d.view_threads);
    free(d.ahead_threads);
    compact_cover_fini(&d.cover);
    free(d.entries);
    free(d.ends);
    free(d.places);
    return err;
}
