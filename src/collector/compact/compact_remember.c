// SPDX-License-Identifier: Apache-2.0
// What one chunk leaves for the next: compact_job_remember.

#include "collector/compact/compact_job.h"
#include "collector/compact/compact_order.h"

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
    if (!LP_VEC_ROOM(list)) {
        return LP_ENOMEM;
    }
    list->items[list->count++] = trigger;
    return LP_OK;
}

// What is gathered of the kept events, by thread: the recent ones, and the last of the older.
typedef struct gatherer {
    const compact_job *job;
    int64_t recent_min;
    lp_map slots;            // identity to a number
    uint32_t *view_slots;    // parallel to view->threads
    uint64_t *identities;    // by slot
    compact_entry *last_old; // by slot; its commit is INT64_MIN before the first
    size_t *ends;            // by slot: where its entries end
    compact_entry *entries;  // recent ones; NULL while they are counted
} gatherer;

// slot_of finds or makes the slot of an identity.
static lp_err
slot_of(gatherer *g, uint64_t identity, uint32_t *out_slot)
{
    uint32_t slot = lp_map_find(&g->slots, identity);
    lp_err err = LP_OK;
    if (slot == LP_MAP_NONE) {
        slot = (uint32_t)g->slots.count;
        g->identities[slot] = identity;
        g->last_old[slot] = (compact_entry){.commit = INT64_MIN};
        err = lp_map_put(&g->slots, identity, slot);
    }
    *out_slot = slot;
    return err;
}

static lp_err
make_slots(gatherer *g)
{
    const compact_job *j = g->job;
    size_t thread_count = j->view->threads.count;
    size_t count = thread_count + (j->carry == NULL ? 0 : j->carry->triggers.count) + 1;
    g->view_slots = malloc(count * sizeof(*g->view_slots));
    g->identities = malloc(count * sizeof(*g->identities));
    g->last_old = malloc(count * sizeof(*g->last_old));
    g->ends = calloc(count, sizeof(*g->ends));
    if (g->view_slots == NULL || g->identities == NULL || g->last_old == NULL || g->ends == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < thread_count && err == LP_OK; i++) {
        err = slot_of(g, j->identities[i], &g->view_slots[i]);
    }
    return err;
}

static inline void
gather(gatherer *g, uint32_t slot, int64_t commit, int64_t begin)
{
    compact_entry *to = &g->last_old[slot];
    if (commit >= g->recent_min) {
        size_t place = g->ends[slot]++;
        if (g->entries == NULL) {
            return;
        }
        to = &g->entries[place];
    } else if (commit < to->commit || (commit == to->commit && begin <= to->begin)) {
        return;
    }
    *to = (compact_entry){.commit = commit, .begin = begin, .kind = COMPACT_ENTRY_TRIGGER};
}

static void
gather_rows(gatherer *g)
{
    const compact_view *view = g->job->view;
    for (size_t i = 0; i < view->plain.count; i++) {
        const compact_plain *row = &view->plain.items[i];
        if (row->fate != COMPACT_UNDECIDED && row->thread != COMPACT_NO_THREAD) {
            gather(g, g->view_slots[row->thread], row->commit, COMPACT_PLAIN_BEGIN);
        }
    }
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        bool is_kept = span->fate == COMPACT_KEPT || span->fate == COMPACT_KEPT_BY_CONTEXT;
        if (is_kept && span->thread != COMPACT_NO_THREAD) {
            gather(g, g->view_slots[span->thread], span->commit, span->begin);
        }
    }
}

static lp_err
gather_carried(gatherer *g)
{
    const compact_carry *carry = g->job->carry;
    lp_err err = LP_OK;
    for (size_t i = 0; carry != NULL && i < carry->triggers.count && err == LP_OK; i++) {
        const compact_trigger *trigger = &carry->triggers.items[i];
        uint32_t slot;
        err = slot_of(g, trigger->thread, &slot);
        if (err == LP_OK) {
            gather(g, slot, trigger->commit, trigger->begin);
        }
    }
    return err;
}

static lp_err
gather_all(gatherer *g)
{
    gather_rows(g); // counts
    lp_err err = gather_carried(g);
    size_t begin = 0;
    for (size_t i = 0; i < g->slots.count; i++) {
        size_t count = g->ends[i];
        g->ends[i] = begin; // where its next entry goes
        begin += count;
    }
    g->entries = malloc((begin + 1) * sizeof(*g->entries));
    if (err != LP_OK || g->entries == NULL) {
        return LP_ENOMEM;
    }
    gather_rows(g);
    return gather_carried(g);
}

// list_slot lists the triggers of a thread: of the old ones the last, of those with one commit time
// the one that is decided first, the last to begin. The others can decide nothing any more.
static lp_err
list_slot(const gatherer *g, size_t slot, compact_entry *spare, trigger_list *list)
{
    uint64_t thread = g->identities[slot];
    const compact_entry *old = &g->last_old[slot];
    lp_err err = LP_OK;
    if (old->commit != INT64_MIN) {
        err = add_trigger(list, (compact_trigger){thread, old->commit, old->begin});
    }
    size_t begin = slot == 0 ? 0 : g->ends[slot - 1];
    compact_order_sort(g->entries + begin, g->ends[slot] - begin, spare);
    for (size_t i = begin; i < g->ends[slot] && err == LP_OK; i++) {
        const compact_entry *entry = &g->entries[i];
        if (i == begin || entry->commit != entry[-1].commit) {
            err = add_trigger(list, (compact_trigger){thread, entry->commit, entry->begin});
        }
    }
    return err;
}

static lp_err
list_triggers(gatherer *g, trigger_list *list)
{
    lp_err err = make_slots(g);
    if (err == LP_OK) {
        err = gather_all(g);
    }
    if (err != LP_OK) {
        return err;
    }
    size_t all = g->slots.count == 0 ? 0 : g->ends[g->slots.count - 1];
    compact_entry *spare = malloc((all / 2 + 1) * sizeof(*spare));
    if (spare == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < g->slots.count && err == LP_OK; i++) {
        err = list_slot(g, i, spare, list);
    }
    free(spare);
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
carry_triggers(compact_job *j, int64_t recent_min)
{
    trigger_list list = {0};
    gatherer g = {.job = j, .recent_min = recent_min};
    lp_err err = list_triggers(&g, &list);
    lp_map_fini(&g.slots);
    free(g.view_slots);
    free(g.identities);
    free(g.last_old);
    free(g.ends);
    free(g.entries);
    if (err != LP_OK) {
        LP_VEC_FINI(&list);
        return err;
    }
    if (list.count > COMPACT_CARRY_TRIGGERS_MAX) {
        qsort(list.items, list.count, sizeof(*list.items), compare_latest_first);
        list.count = COMPACT_CARRY_TRIGGERS_MAX;
    }
    j->new_carry->triggers.items = list.items;
    j->new_carry->triggers.count = list.count;
    j->new_carry->triggers.capacity = list.capacity;
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
compact_job_remember(compact_job *job)
{
    int64_t recent_min =
        compact_ticks_add(job->window.hi, -ticks_of_ms(job->view, COMPACT_LATENESS_MS));
    lp_err err = carry_triggers(job, recent_min);
    bool selects_by_context =
        job->options != NULL && policy_selects_by_context(job->options->policy);
    if (err == LP_OK && selects_by_context) { // nothing else asks for them
        err = carry_intervals(job, recent_min);
    }
    if (err == LP_OK) {
        err = carry_contexts(job, recent_min);
    }
    job->new_carry->border_ticks = job->window.hi;
    job->new_carry->clock = job->clock;
    job->new_carry->start_ticks = job->start.start_ticks;
    return err;
}
