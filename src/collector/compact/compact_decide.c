// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact_decide.h"

#include "collector/compact/compact_order.h"

#include <stdlib.h>

// Design notes
//
// A context [begin, end] is triggered when an event was kept in it. Events are decided in the order
// of their commit times, so when the context's turn comes (at its end) every event that could
// trigger it has been decided, and it is enough to know the last moment at which one was kept on
// the thread: the context is triggered if that moment is not before its begin. One number per
// thread decides it all, however contexts nest or overlap.
//
// Only threads on which there is a context need to be sorted; everything else is decided on its
// own.

// An interval in which a context was there, for select=if-context.
typedef struct cover {
    int64_t begin;
    int64_t end;
    uint32_t thread;
} cover;

typedef LP_VEC(compact_item) item_list;
typedef LP_VEC(cover) cover_list;

typedef struct decider {
    compact_view *view;
    const compact_view *ahead;
    const compact_contexts *contexts;
    const compact_carry *carry;
    compact_window window;
    int64_t limit;          // what is stored ahead matters up to here
    lp_map threads;         // identity to a number, for threads on which there is a context
    uint32_t *view_threads; // parallel to view->threads: number, or LP_MAP_NONE
    uint32_t *ahead_threads;
    item_list items;
    cover_list covers; // per thread disjoint and in order
    compact_parts *parts;
} decider;

static lp_err
number_thread(decider *d, uint64_t identity)
{
    if (lp_map_find(&d->threads, identity) != LP_MAP_NONE) {
        return LP_OK;
    }
    return lp_map_put(&d->threads, identity, (uint32_t)d->threads.count);
}

// matters_ahead says whether a row of the next chunk can change anything in this one.
static bool
matters_ahead(const decider *d, const compact_row *row)
{
    return d->ahead->plans[row->type].is_contextual ? row->begin <= d->limit
                                                    : row->commit <= d->limit;
}

static lp_err
number_event_threads(decider *d, const compact_view *view, bool is_ahead)
{
    for (size_t i = 0; i < view->rows.count; i++) {
        const compact_row *row = &view->rows.items[i];
        if (!view->plans[row->type].is_contextual || row->thread == COMPACT_NO_THREAD ||
            (is_ahead && !matters_ahead(d, row))) {
            continue;
        }
        lp_err err = number_thread(d, view->threads.items[row->thread].identity);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
number_threads(decider *d)
{
    lp_err err = number_event_threads(d, d->view, false);
    if (err == LP_OK && d->ahead != NULL) {
        err = number_event_threads(d, d->ahead, true);
    }
    for (size_t i = 0; i < d->contexts->items.count && err == LP_OK; i++) {
        err = number_thread(d, compact_identity_java(d->contexts->items.items[i].thread_id));
    }
    for (size_t i = 0; d->carry != NULL && i < d->carry->intervals.count && err == LP_OK; i++) {
        err = number_thread(d, d->carry->intervals.items[i].thread);
    }
    return err;
}

static lp_err
map_threads(const decider *d, const compact_view *view, uint32_t **out_numbers)
{
    uint32_t *numbers = malloc((view->threads.count + 1) * sizeof(*numbers));
    if (numbers == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        numbers[i] = lp_map_find(&d->threads, view->threads.items[i].identity);
    }
    *out_numbers = numbers;
    return LP_OK;
}

// duration_of also gives absurd durations, whose commit time wrapped, as they were.
static int64_t
duration_of(const compact_row *row)
{
    return (int64_t)((uint64_t)row->commit - (uint64_t)row->begin);
}

// passes_settings is the part of the decision that needs no context: enabled and threshold.
static bool
passes_settings(const compact_plan *plan, const compact_row *row)
{
    if (plan->settings.is_disabled) {
        return false;
    }
    // Durations below 0 happen, where CPUs disagree on the time. They are no reason to drop an
    // event of a type without threshold.
    return !plan->has_duration || plan->threshold_ticks == 0 ||
           duration_of(row) >= plan->threshold_ticks;
}

// is_covered says whether a context applies to an event at commit.
static bool
is_covered(const decider *d, uint32_t thread, int64_t commit)
{
    size_t low = 0;
    size_t high = d->covers.count;
    while (low < high) { // the first cover that begins after (thread, commit)
        size_t middle = low + (high - low) / 2;
        const cover *c = &d->covers.items[middle];
        if (c->thread < thread || (c->thread == thread && c->begin <= commit)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && d->covers.items[low - 1].thread == thread &&
           d->covers.items[low - 1].end >= commit;
}

static bool
keeps_plain(const decider *d, const compact_plan *plan, const compact_row *row, uint32_t thread)
{
    if (!passes_settings(plan, row)) {
        return false;
    }
    if (plan->settings.select != POLICY_SELECT_IF_CONTEXT) {
        return true;
    }
    return thread != LP_MAP_NONE && is_covered(d, thread, row->commit);
}

static bool
keeps_contextual(const compact_plan *plan, const compact_row *row, int64_t last_kept)
{
    if (!passes_settings(plan, row)) {
        return false;
    }
    bool takes_all = plan->settings.select == POLICY_SELECT_ALL ||
                     plan->settings.select == POLICY_SELECT_IF_CONTEXT; // not valid here: all
    return takes_all || last_kept >= row->begin;
}

static lp_err
add_cover(decider *d, uint32_t thread, int64_t begin, int64_t end)
{
    if (thread == LP_MAP_NONE || end < begin) {
        return LP_OK;
    }
    cover *slot = LP_VEC_PUSH(&d->covers);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = (cover){.begin = begin, .end = end, .thread = thread};
    return LP_OK;
}

static int
compare_covers(const void *a, const void *b)
{
    const cover *x = a;
    const cover *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// join_covers makes the covers of each thread disjoint.
static void
join_covers(cover_list *covers)
{
    if (covers->count > 0) {
        qsort(covers->items, covers->count, sizeof(*covers->items), compare_covers);
    }
    size_t count = 0;
    for (size_t i = 0; i < covers->count; i++) {
        cover *last = count == 0 ? NULL : &covers->items[count - 1];
        const cover *c = &covers->items[i];
        if (last != NULL && last->thread == c->thread && c->begin <= last->end) {
            last->end = c->end > last->end ? c->end : last->end;
        } else {
            covers->items[count++] = *c;
        }
    }
    covers->count = count;
}

static lp_err
cover_rows(decider *d, const compact_view *view, const uint32_t *threads)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->rows.count && err == LP_OK; i++) {
        const compact_row *row = &view->rows.items[i];
        if (view->plans[row->type].is_contextual && row->thread != COMPACT_NO_THREAD) {
            err = add_cover(d, threads[row->thread], row->begin, row->commit);
        }
    }
    return err;
}

static lp_err
build_covers(decider *d)
{
    lp_err err = cover_rows(d, d->view, d->view_threads);
    if (err == LP_OK && d->ahead != NULL) {
        err = cover_rows(d, d->ahead, d->ahead_threads);
    }
    for (size_t i = 0; i < d->contexts->items.count && err == LP_OK; i++) {
        const compact_context *context = &d->contexts->items.items[i];
        uint32_t thread = lp_map_find(&d->threads, compact_identity_java(context->thread_id));
        err = add_cover(d, thread, context->begin, context->end);
    }
    for (size_t i = 0; d->carry != NULL && i < d->carry->intervals.count && err == LP_OK; i++) {
        const compact_interval *interval = &d->carry->intervals.items[i];
        uint32_t thread = lp_map_find(&d->threads, interval->thread);
        err = add_cover(d, thread, interval->begin, interval->end);
    }
    join_covers(&d->covers);
    return err;
}

static lp_err
add_item(decider *d, compact_item new_item)
{
    compact_item *slot = LP_VEC_PUSH(&d->items);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = new_item;
    return LP_OK;
}

// add_rows puts the rows of threads with contexts in line; the others of the chunk are decided
// here.
static lp_err
add_rows(decider *d)
{
    for (size_t i = 0; i < d->view->rows.count; i++) {
        compact_row *row = &d->view->rows.items[i];
        const compact_plan *plan = &d->view->plans[row->type];
        uint32_t thread =
            row->thread == COMPACT_NO_THREAD ? LP_MAP_NONE : d->view_threads[row->thread];
        if (thread == LP_MAP_NONE) {
            // A contextual event without a thread is a context of nothing: it is never triggered.
            row->is_kept = plan->is_contextual ? keeps_contextual(plan, row, INT64_MIN)
                                               : keeps_plain(d, plan, row, thread);
            continue;
        }
        lp_err err =
            add_item(d, (compact_item){
                            .commit = row->commit,
                            .begin = row->begin,
                            .thread = thread,
                            .index = (uint32_t)i,
                            .kind = plan->is_contextual ? COMPACT_ITEM_EVENT : COMPACT_ITEM_ROW,
                        });
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
add_rows_ahead(decider *d)
{
    for (size_t i = 0; d->ahead != NULL && i < d->ahead->rows.count; i++) {
        const compact_row *row = &d->ahead->rows.items[i];
        if (row->thread == COMPACT_NO_THREAD || row->commit > d->limit ||
            d->ahead_threads[row->thread] == LP_MAP_NONE) {
            continue;
        }
        bool is_contextual = d->ahead->plans[row->type].is_contextual;
        lp_err err = add_item(
            d, (compact_item){
                   .commit = row->commit,
                   .begin = row->begin,
                   .thread = d->ahead_threads[row->thread],
                   .index = (uint32_t)i,
                   .kind = is_contextual ? COMPACT_ITEM_EVENT_AHEAD : COMPACT_ITEM_ROW_AHEAD,
               });
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
add_contexts(decider *d)
{
    for (size_t i = 0; i < d->contexts->items.count; i++) {
        const compact_context *context = &d->contexts->items.items[i];
        if (context->begin >= d->window.hi || context->end < context->begin) {
            continue;
        }
        bool is_cut = context->end >= d->window.hi;
        lp_err err = add_item(
            d, (compact_item){
                   .commit = is_cut ? d->window.hi - 1 : context->end,
                   .begin = context->begin,
                   .thread = lp_map_find(&d->threads, compact_identity_java(context->thread_id)),
                   .index = (uint32_t)i,
                   .kind = is_cut ? COMPACT_ITEM_CONTEXT_CUT : COMPACT_ITEM_CONTEXT,
               });
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

static lp_err
add_triggers(decider *d)
{
    for (size_t i = 0; d->carry != NULL && i < d->carry->triggers.count; i++) {
        const compact_trigger *trigger = &d->carry->triggers.items[i];
        uint32_t thread = lp_map_find(&d->threads, trigger->thread);
        if (thread == LP_MAP_NONE) {
            continue;
        }
        lp_err err = add_item(d, (compact_item){
                                     .commit = trigger->commit,
                                     .begin = trigger->begin,
                                     .thread = thread,
                                     .index = (uint32_t)i,
                                     .kind = COMPACT_ITEM_TRIGGER,
                                 });
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

// keep_part notes the part of a context that lies in the window if an event was kept in it.
static lp_err
keep_part(decider *d, const compact_item *it, int64_t last_kept)
{
    int64_t begin = it->begin > d->window.lo ? it->begin : d->window.lo;
    if (it->commit < begin || last_kept < begin) {
        return LP_OK;
    }
    compact_part *part = LP_VEC_PUSH(d->parts);
    if (part == NULL) {
        return LP_ENOMEM;
    }
    *part = (compact_part){.context = it->index, .begin = begin, .end = it->commit};
    return LP_OK;
}

static lp_err
decide_item(decider *d, const compact_item *it, int64_t last_kept, bool *out_is_kept)
{
    switch (it->kind) {
    case COMPACT_ITEM_TRIGGER:
        *out_is_kept = true;
        return LP_OK;
    case COMPACT_ITEM_ROW: {
        compact_row *row = &d->view->rows.items[it->index];
        *out_is_kept = keeps_plain(d, &d->view->plans[row->type], row, it->thread);
        row->is_kept = *out_is_kept;
        return LP_OK;
    }
    case COMPACT_ITEM_EVENT: {
        compact_row *row = &d->view->rows.items[it->index];
        *out_is_kept = keeps_contextual(&d->view->plans[row->type], row, last_kept);
        row->is_kept = *out_is_kept;
        return LP_OK;
    }
    case COMPACT_ITEM_ROW_AHEAD: {
        const compact_row *row = &d->ahead->rows.items[it->index];
        *out_is_kept = keeps_plain(d, &d->ahead->plans[row->type], row, it->thread);
        return LP_OK;
    }
    case COMPACT_ITEM_EVENT_AHEAD: {
        const compact_row *row = &d->ahead->rows.items[it->index];
        *out_is_kept = keeps_contextual(&d->ahead->plans[row->type], row, last_kept);
        return LP_OK;
    }
    case COMPACT_ITEM_CONTEXT:
    case COMPACT_ITEM_CONTEXT_CUT:
        return keep_part(d, it, last_kept);
    }
    return LP_OK;
}

static lp_err
decide_items(decider *d)
{
    uint32_t thread = LP_MAP_NONE;
    int64_t last_kept = INT64_MIN;
    for (size_t i = 0; i < d->items.count; i++) {
        const compact_item *it = &d->items.items[i];
        if (it->thread != thread) {
            thread = it->thread;
            last_kept = INT64_MIN;
        }
        bool is_kept = false;
        lp_err err = decide_item(d, it, last_kept, &is_kept);
        if (err != LP_OK) {
            return err;
        }
        if (is_kept) {
            last_kept = it->commit;
        }
    }
    return LP_OK;
}

static int
compare_parts(const void *a, const void *b)
{
    const compact_part *x = a;
    const compact_part *y = b;
    return (x->context > y->context) - (x->context < y->context);
}

static bool
selects_by_context(const compact_view *view)
{
    for (size_t i = 0; view != NULL && i < view->metadata.types.count; i++) {
        const compact_plan *plan = &view->plans[i];
        if (plan->is_event && !plan->is_contextual &&
            plan->settings.select == POLICY_SELECT_IF_CONTEXT) {
            return true;
        }
    }
    return false;
}

static lp_err
run(decider *d)
{
    lp_err err = number_threads(d);
    if (err == LP_OK) {
        err = map_threads(d, d->view, &d->view_threads);
    }
    if (err == LP_OK && d->ahead != NULL) {
        err = map_threads(d, d->ahead, &d->ahead_threads);
    }
    if (err == LP_OK && (selects_by_context(d->view) || selects_by_context(d->ahead))) {
        err = build_covers(d);
    }
    if (err == LP_OK) {
        err = add_rows(d);
    }
    if (err == LP_OK) {
        err = add_rows_ahead(d);
    }
    if (err == LP_OK) {
        err = add_contexts(d);
    }
    if (err == LP_OK) {
        err = add_triggers(d);
    }
    if (err == LP_OK) {
        err = compact_order_sort(&d->items.items, d->items.count, d->threads.count);
        d->items.capacity = d->items.count;
    }
    if (err == LP_OK) {
        err = decide_items(d);
    }
    if (err == LP_OK && d->parts->count > 0) {
        qsort(d->parts->items, d->parts->count, sizeof(*d->parts->items), compare_parts);
    }
    return err;
}

lp_err
compact_decide(compact_view *view, const compact_view *ahead, const compact_contexts *contexts,
    const compact_carry *carry, compact_window window, compact_parts *out_parts)
{
    decider d = {
        .view = view,
        .ahead = ahead,
        .contexts = contexts,
        .carry = carry,
        .window = window,
        .limit = view->commit_max > window.hi ? view->commit_max : window.hi,
        .parts = out_parts,
    };
    lp_err err = run(&d);
    lp_map_fini(&d.threads);
    free(d.view_threads);
    free(d.ahead_threads);
    LP_VEC_FINI(&d.items);
    LP_VEC_FINI(&d.covers);
    return err;
}
