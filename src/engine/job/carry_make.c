// SPDX-License-Identifier: Apache-2.0
#include "engine/job/carry_make.h"

#include "engine/carry/identities.h"
#include "engine/read/view.h"

#include <stdlib.h>

typedef LP_VEC(compact_trigger) trigger_list;

static lp_err
add_trigger(trigger_list *list, compact_trigger trigger)
{
    if (!LP_VEC_ROOM(list)) {
        return LP_ENOMEM;
    }
    list->items[list->count++] = trigger;
    return LP_OK;
}

// What is gathered of the kept contextual events: all the recent ones, and of each thread the last
// of the older. A thread has a slot; those of the view come first, at their numbers.
typedef struct gatherer {
    const compact_frame *frame;
    LP_VEC(compact_trigger) last_old; // by slot; its commit is INT64_MIN before the first
    lp_map slots;                     // identity to slot, once it is needed
    uint64_t identity;                // of the last that was looked for, and its slot
    uint32_t slot;
    trigger_list *list;
} gatherer;

static inline lp_err
gather(gatherer *g, uint32_t slot, int64_t commit, int64_t begin)
{
    compact_trigger *old = &g->last_old.items[slot];
    const compact_trigger trigger = {old->thread, commit, begin};
    if (commit >= g->frame->recent_min) {
        return add_trigger(g->list, trigger);
    }
    // At one time the one that is decided first, the last to begin, stands for the others.
    if (commit > old->commit || (commit == old->commit && begin > old->begin)) {
        *old = trigger;
    }
    return LP_OK;
}

static lp_err
add_slot(gatherer *g, uint64_t identity)
{
    if (!LP_VEC_ROOM(&g->last_old)) {
        return LP_ENOMEM;
    }
    g->last_old.items[g->last_old.count++] = (compact_trigger){identity, INT64_MIN, INT64_MIN};
    return LP_OK;
}

static lp_err
add_view_slots(gatherer *g)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < g->frame->view->threads.count && err == LP_OK; i++) {
        err = add_slot(g, g->frame->identities[i]);
    }
    return err;
}

static lp_err
gather_view(gatherer *g)
{
    const compact_view *view = g->frame->view;
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->kept_spans.count && err == LP_OK; i++) {
        const compact_span *span = &view->kept_spans.items[i];
        if (span->thread != COMPACT_NO_THREAD) {
            err = gather(g, span->thread, span->commit, span->begin);
        }
    }
    return err;
}

// find_slot finds or makes the slot of an identity, for triggers that were carried here.
static lp_err
find_slot(gatherer *g, uint64_t identity)
{
    g->slot = lp_map_find(&g->slots, identity);
    g->identity = identity;
    if (g->slot != LP_MAP_NONE) {
        return LP_OK;
    }
    g->slot = (uint32_t)g->last_old.count;
    lp_err err = add_slot(g, identity);
    return err == LP_OK ? lp_map_put(&g->slots, identity, g->slot) : err;
}

static lp_err
gather_carried(gatherer *g)
{
    const compact_carry *carry = g->frame->carry;
    if (carry == NULL || carry->triggers.count == 0) {
        return LP_OK;
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < g->last_old.count && err == LP_OK; i++) {
        err = lp_map_put(&g->slots, g->last_old.items[i].thread, (uint32_t)i);
    }
    for (size_t i = 0; i < carry->triggers.count && err == LP_OK; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        if (i == 0 || trigger->thread != g->identity) {
            err = find_slot(g, trigger->thread);
        }
        if (err == LP_OK) {
            err = gather(g, g->slot, trigger->commit, trigger->begin);
        }
    }
    return err;
}

static lp_err
list_triggers(gatherer *g)
{
    lp_err err = add_view_slots(g);
    if (err == LP_OK) {
        err = gather_carried(g);
    }
    if (err == LP_OK) {
        err = gather_view(g);
    }
    for (size_t i = 0; i < g->last_old.count && err == LP_OK; i++) {
        if (g->last_old.items[i].commit != INT64_MIN) {
            err = add_trigger(g->list, g->last_old.items[i]);
        }
    }
    return err;
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

static lp_err
carry_triggers(const compact_frame *frame, compact_carry *new_carry)
{
    trigger_list list = {0};
    gatherer g = {.frame = frame, .list = &list};
    lp_err err = list_triggers(&g);
    LP_VEC_FINI(&g.last_old);
    lp_map_fini(&g.slots);
    if (err != LP_OK) {
        LP_VEC_FINI(&list);
        return err;
    }
    if (list.count > COMPACT_CARRY_TRIGGERS_MAX) {
        qsort(list.items, list.count, sizeof(*list.items), compare_latest_first);
        list.count = COMPACT_CARRY_TRIGGERS_MAX;
    }
    new_carry->triggers.items = list.items;
    new_carry->triggers.count = list.count;
    new_carry->triggers.capacity = list.capacity;
    return LP_OK;
}

static lp_err
carry_interval(compact_carry *carry, uint64_t thread, int64_t begin, int64_t end)
{
    if (!LP_VEC_ROOM(&carry->intervals)) {
        return LP_ENOMEM;
    }
    carry->intervals.items[carry->intervals.count++] =
        (compact_interval){.thread = thread, .begin = begin, .end = end};
    return LP_OK;
}

static lp_err
carry_intervals(const compact_frame *frame, compact_carry *new_carry)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < frame->view->spans.count && err == LP_OK; i++) {
        const compact_span *span = &frame->view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD && span->commit >= frame->recent_min) {
            err = carry_interval(
                new_carry, frame->identities[span->thread], span->begin, span->commit);
        }
    }
    for (size_t i = 0; frame->carry != NULL && i < frame->carry->intervals.count && err == LP_OK;
         i++) {
        const compact_interval *interval = &frame->carry->intervals.items[i];
        if (interval->end >= frame->recent_min) {
            err = carry_interval(new_carry, interval->thread, interval->begin, interval->end);
        }
    }
    return err;
}

static int
compare_last_end_first(const void *a, const void *b)
{
    const compact_interval *x = a;
    const compact_interval *y = b;
    if (x->end != y->end) {
        return x->end > y->end ? -1 : 1;
    }
    if (x->thread != y->thread) {
        return x->thread > y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void
limit_intervals(compact_carry *carry)
{
    if (carry->intervals.count > COMPACT_CARRY_TRIGGERS_MAX) {
        qsort(carry->intervals.items, carry->intervals.count, sizeof(*carry->intervals.items),
            compare_last_end_first);
        carry->intervals.count = COMPACT_CARRY_TRIGGERS_MAX;
    }
}

// carry_contexts notes which contexts have been written and drops those that are over.
static lp_err
carry_contexts(const compact_frame *frame, const compact_parts *parts, compact_carry *new_carry)
{
    compact_contexts *known = &new_carry->contexts;
    for (size_t i = 0; i < parts->count; i++) {
        uint32_t index = parts->items[i].context;
        if (index < known->items.count) {
            known->items.items[index].is_written = true;
            continue;
        }
        uint64_t *id = LP_VEC_PUSH(&new_carry->written_ahead);
        if (id == NULL) {
            return LP_ENOMEM;
        }
        *id = frame->contexts->items.items[index].id;
    }
    compact_contexts left;
    compact_contexts_init(&left);
    lp_err err = compact_contexts_copy(known, frame->recent_min, &left);
    compact_contexts_fini(known);
    *known = left;
    return err != LP_OK ? err
                        : compact_recordings_keep(
                              &new_carry->recordings, frame->types, frame->type_count, known);
}

lp_err
compact_carry_make(const compact_frame *frame, const compact_parts *parts, compact_carry *new_carry)
{
    lp_err err = compact_kept_times_limit(&new_carry->past, COMPACT_CARRY_TRIGGERS_MAX);
    if (err == LP_OK) {
        err = carry_triggers(frame, new_carry);
    }
    if (err == LP_OK && policy_selects_by_context(frame->options->policy)) { // nothing else asks
        err = carry_intervals(frame, new_carry);
        limit_intervals(new_carry);
    }
    if (err == LP_OK) {
        err = carry_contexts(frame, parts, new_carry);
    }
    if (err == LP_OK) {
        err = compact_identities_carry(frame->view, frame->identities, frame->carry, new_carry);
    }
    compact_filters_forget(&new_carry->filters, frame->recent_min);
    new_carry->border_ticks = frame->window.hi;
    new_carry->limit_ticks = frame->limit_ticks;
    new_carry->clock = frame->clock;
    new_carry->start_ticks = frame->start.start_ticks;
    return err;
}
