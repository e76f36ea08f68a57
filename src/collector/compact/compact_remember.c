// SPDX-License-Identifier: Apache-2.0
// What one chunk leaves for the next: compact_job_remember.

#include "collector/compact/compact_job.h"

#include <stdlib.h>

static int64_t
ticks_of_ms(const compact_view *view, int64_t ms)
{
    return (int64_t)((__int128)ms * view->info.ticks_per_s / 1000);
}

typedef LP_VEC(compact_trigger) trigger_list;

static lp_err
add_trigger(trigger_list *list, compact_trigger trigger)
{
    compact_trigger *slot = LP_VEC_PUSH(list);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = trigger;
    return LP_OK;
}

static compact_trigger
trigger_of(const compact_view *view, const compact_row *row)
{
    return (compact_trigger){
        .thread = view->threads.items[row->thread].identity,
        .commit = row->commit,
        .begin = view->plans[row->type].is_contextual ? row->begin : COMPACT_PLAIN_BEGIN,
    };
}

// add_kept lists the kept events of each thread that are recent, and the last of the older ones.
static lp_err
add_kept(const compact_view *view, int64_t recent_min, trigger_list *list)
{
    compact_trigger *last_old = malloc((view->threads.count + 1) * sizeof(*last_old));
    if (last_old == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        last_old[i] = (compact_trigger){.commit = INT64_MIN};
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->rows.count && err == LP_OK; i++) {
        const compact_row *row = &view->rows.items[i];
        if (!row->is_kept || row->thread == COMPACT_NO_THREAD) {
            continue;
        }
        compact_trigger trigger = trigger_of(view, row);
        if (row->commit >= recent_min) {
            err = add_trigger(list, trigger);
        } else if (row->commit > last_old[row->thread].commit) {
            last_old[row->thread] = trigger;
        }
    }
    for (size_t i = 0; i < view->threads.count && err == LP_OK; i++) {
        if (last_old[i].commit != INT64_MIN) {
            err = add_trigger(list, last_old[i]);
        }
    }
    free(last_old);
    return err;
}

static int
compare_by_thread(const void *a, const void *b)
{
    const compact_trigger *x = a;
    const compact_trigger *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->commit != y->commit) {
        return x->commit < y->commit ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int
compare_latest_first(const void *a, const void *b)
{
    const compact_trigger *x = a;
    const compact_trigger *y = b;
    if (x->commit != y->commit) {
        return x->commit > y->commit ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

// thin_triggers drops what can decide nothing any more: of each thread, all but the last of the
// old, and of those with one commit time all but the one that is decided first, the last to begin.
static void
thin_triggers(trigger_list *list, int64_t recent_min)
{
    if (list->count == 0) {
        return;
    }
    qsort(list->items, list->count, sizeof(*list->items), compare_by_thread);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const compact_trigger *trigger = &list->items[i];
        const compact_trigger *next = i + 1 < list->count ? trigger + 1 : NULL;
        bool is_superseded = next != NULL && next->thread == trigger->thread &&
                             (next->commit < recent_min || next->commit == trigger->commit);
        if (!is_superseded) {
            list->items[count++] = *trigger;
        }
    }
    list->count = count;
    if (list->count > COMPACT_CARRY_TRIGGERS_MAX) {
        qsort(list->items, list->count, sizeof(*list->items), compare_latest_first);
        list->count = COMPACT_CARRY_TRIGGERS_MAX;
    }
}

static lp_err
carry_triggers(compact_job *j, int64_t recent_min)
{
    trigger_list list = {0};
    lp_err err = add_kept(&j->view, recent_min, &list);
    for (size_t i = 0; j->carry != NULL && i < j->carry->triggers.count && err == LP_OK; i++) {
        err = add_trigger(&list, j->carry->triggers.items[i]);
    }
    if (err != LP_OK) {
        LP_VEC_FINI(&list);
        return err;
    }
    thin_triggers(&list, recent_min);
    j->new_carry->triggers.items = list.items;
    j->new_carry->triggers.count = list.count;
    j->new_carry->triggers.capacity = list.capacity;
    return LP_OK;
}

static lp_err
carry_interval(compact_carry *carry, uint64_t thread, int64_t begin, int64_t end)
{
    compact_interval *slot = LP_VEC_PUSH(&carry->intervals);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = (compact_interval){.thread = thread, .begin = begin, .end = end};
    return LP_OK;
}

static lp_err
carry_intervals(compact_job *j, int64_t recent_min)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < j->view.rows.count && err == LP_OK; i++) {
        const compact_row *row = &j->view.rows.items[i];
        if (j->view.plans[row->type].is_contextual && row->thread != COMPACT_NO_THREAD &&
            row->commit >= recent_min) {
            err = carry_interval(
                j->new_carry, j->view.threads.items[row->thread].identity, row->begin, row->commit);
        }
    }
    for (size_t i = 0; j->carry != NULL && i < j->carry->intervals.count && err == LP_OK; i++) {
        const compact_interval *interval = &j->carry->intervals.items[i];
        if (interval->end >= recent_min) {
            err = carry_interval(j->new_carry, interval->thread, interval->begin, interval->end);
        }
    }
    return err;
}

// carry_contexts notes which contexts have been written and drops those that are over.
static lp_err
carry_contexts(compact_job *j, int64_t recent_min)
{
    compact_contexts *known = &j->new_carry->contexts;
    for (size_t i = 0; i < j->parts.count; i++) {
        uint32_t index = j->parts.items[i].context;
        if (index < known->items.count) {
            known->items.items[index].is_written = true;
            continue;
        }
        uint64_t *id = LP_VEC_PUSH(&j->new_carry->written_ahead);
        if (id == NULL) {
            return LP_ENOMEM;
        }
        *id = j->contexts.items.items[index].id;
    }
    compact_contexts left;
    compact_contexts_init(&left);
    lp_err err = compact_contexts_copy(known, recent_min, &left);
    compact_contexts_fini(known);
    *known = left;
    return err;
}

lp_err
compact_job_remember(compact_job *j)
{
    int64_t recent_min =
        compact_ticks_add(j->window.hi, -ticks_of_ms(&j->view, COMPACT_LATENESS_MS));
    lp_err err = carry_triggers(j, recent_min);
    if (err == LP_OK) {
        err = carry_intervals(j, recent_min);
    }
    if (err == LP_OK) {
        err = carry_contexts(j, recent_min);
    }
    j->new_carry->border_ticks = j->window.hi;
    j->new_carry->clock = compact_job_clock(j);
    return err;
}
