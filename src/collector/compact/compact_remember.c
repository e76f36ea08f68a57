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

// What is gathered of the kept events of each thread: the recent ones, and the last of the older.
typedef struct gatherer {
    const uint64_t *identities; // of the threads
    int64_t recent_min;
    compact_trigger *last_old; // by thread; its commit is INT64_MIN before the first
    trigger_list *list;
} gatherer;

static lp_err
gather(gatherer *g, uint32_t thread, int64_t commit, int64_t begin)
{
    if (thread == COMPACT_NO_THREAD) {
        return LP_OK;
    }
    const compact_trigger trigger = {g->identities[thread], commit, begin};
    if (commit >= g->recent_min) {
        return add_trigger(g->list, trigger);
    }
    if (commit > g->last_old[thread].commit) {
        g->last_old[thread] = trigger;
    }
    return LP_OK;
}

static lp_err
gather_rows(gatherer *g, const compact_view *view)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->plain.count && err == LP_OK; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (row->fate != COMPACT_UNDECIDED) {
            err = gather(g, row->thread, row->commit, COMPACT_PLAIN_BEGIN);
        }
    }
    for (size_t i = 0; i < view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->fate == COMPACT_KEPT || span->fate == COMPACT_KEPT_BY_CONTEXT) {
            err = gather(g, span->thread, span->commit, span->begin);
        }
    }
    for (size_t i = 0; i < view->threads.count && err == LP_OK; i++) {
        if (g->last_old[i].commit != INT64_MIN) {
            err = add_trigger(g->list, g->last_old[i]);
        }
    }
    return err;
}

// add_kept lists the kept events of each thread that are recent, and the last of the older ones.
static lp_err
add_kept(const compact_job *j, int64_t recent_min, trigger_list *list)
{
    size_t count = j->view->threads.count;
    gatherer g = {
        .identities = j->identities,
        .recent_min = recent_min,
        .last_old = malloc((count + 1) * sizeof(*g.last_old)),
        .list = list,
    };
    if (g.last_old == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        g.last_old[i] = (compact_trigger){.commit = INT64_MIN};
    }
    lp_err err = gather_rows(&g, j->view);
    free(g.last_old);
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
    lp_err err = add_kept(j, recent_min, &list);
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
    for (size_t i = 0; i < j->view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &j->view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD && span->commit >= recent_min) {
            err = carry_interval(
                j->new_carry, j->identities[span->thread], span->begin, span->commit);
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
        compact_ticks_add(j->window.hi, -ticks_of_ms(j->view, COMPACT_LATENESS_MS));
    lp_err err = carry_triggers(j, recent_min);
    if (err == LP_OK) {
        err = carry_intervals(j, recent_min);
    }
    if (err == LP_OK) {
        err = carry_contexts(j, recent_min);
    }
    j->new_carry->border_ticks = j->window.hi;
    j->new_carry->clock = j->clock;
    return err;
}
