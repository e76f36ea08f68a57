// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/base/lp_prefix_sum.h"
#include "common/context/ctx_type.h"
#include "engine/contexts/order.h"
#include "engine/decide/decide.h"
#include "engine/read/context_sums.h"
#include "engine/read/view.h"

// Design notes
//
// A throttle chooses when all contexts are known that end in a slot. A chunk decides the contexts
// that end in frame->judged, many of which later chunks store. The chunk that stores such a
// context, or its record, looks up the decision.
//
// The chunk's own events, up to frame->sampled.hi, may also lie in contexts that end after
// frame->judged. These matter, and the next chunk has to come to the same result. So the result
// depends only on times and on the begin of the two windows. One exception: if a later chunk's
// record ends a context of the API late, the carry-over says that the context was taken for open.

typedef struct offer {
    uint32_t index; // into spans of a view, or into contexts
    uint32_t ahead; // of events of a later chunk: indexes frame->aheads
    uint32_t type;  // of events
    uint32_t quota;
    bool was_open; // it matters in any case
} offer;

typedef struct judge {
    const compact_frame *frame;
    compact_contexts *contexts;
    compact_throttles *quotas;
    lp_arena *arena;                        // of the chunk, which has all errors
    lp_arena scratch;                       // of the arrays, unless they say otherwise
    uint32_t *view_quotas;                  // by type: indexes quotas, or LP_MAP_NONE
    uint32_t **ahead_quotas;                // by ahead
    uint32_t context_quotas[CTX_TYPES_MAX]; // parallel to frame->types
    bool *view_is_ignored;                  // parallel to the spans
    bool **ahead_is_ignored;                // by ahead; in arena
    LP_VEC(offer) offers;
    LP_VEC(compact_entry) entries; // they index offers
    size_t *ends;                  // by quota: where its entries end in sorted
    compact_entry *sorted;         // by quota, in the order of entries
    bool *is_chosen;               // of a slot
    size_t early_hint;             // of compact_throttles_find_early
} judge;

static void
judge_check(const judge *j)
{
    LP_ASSERT(j->frame->contexts == j->contexts && j->frame->type_count <= CTX_TYPES_MAX);
    LP_ASSERT(j->offers.count == j->entries.count);
}

// find_context_quotas finds the quotas of contexts of the API. Returns whether there are any.
static bool
find_context_quotas(judge *j)
{
    judge_check(j);
    const compact_frame *frame = j->frame;
    bool has_any = false;
    for (size_t i = 0; i < frame->type_count; i++) {
        const char *name = frame->types[i].name;
        policy_throttle rate = policy_find(frame->options->policy, name, true).context_throttle;
        j->context_quotas[i] = LP_MAP_NONE;
        if (rate.per_ns == 0) {
            continue;
        }
        has_any = true;
        lp_arena_note(
            j->arena, compact_throttles_add(j->quotas, name, rate, &j->context_quotas[i]));
    }
    return has_any;
}

static void
find_event_quotas(judge *j)
{
    judge_check(j);
    const compact_frame *frame = j->frame;
    j->view_quotas = compact_throttles_map(j->quotas, frame->view->schema, &j->scratch);
    j->ahead_quotas = LP_ARENA_ARRAY(&j->scratch, uint32_t *, frame->ahead_count);
    for (size_t i = 0; j->ahead_quotas != NULL && i < frame->ahead_count; i++) {
        j->ahead_quotas[i] =
            compact_throttles_map(j->quotas, frame->aheads[i].view->schema, &j->scratch);
    }
}

static void
add_offer(judge *j, const offer *what, compact_entry_kind kind, int64_t begin, int64_t end)
{
    const compact_entry entry = {
        .commit = end,
        .begin = begin,
        .index = (uint32_t)j->offers.count,
        .kind = kind,
    };
    if (!LP_VEC_ROOM(&j->offers) || !LP_VEC_ROOM(&j->entries)) {
        lp_arena_fail(j->arena);
        return;
    }
    j->offers.items[j->offers.count++] = *what;
    j->entries.items[j->entries.count++] = entry;
}

// was_open returns whether the previous chunk took a context for open at its end.
static bool
was_open(const judge *j, int64_t begin, int64_t end)
{
    return begin < j->frame->sampled.lo && end >= j->frame->judged.lo;
}

// count_late returns whether a context matters that came too late for its slot.
static bool
count_late(const judge *j, uint32_t quota, bool was_open)
{
    return compact_sampler_keep_late(&j->quotas->items.items[quota].sampler) || was_open;
}

// --- Contextual events

// find_early returns the previous chunk's decision about an event; NULL: none.
static const compact_early *
find_early(judge *j, const compact_view *view, const compact_span *span)
{
    const compact_carry *carry = j->frame->carry;
    return carry == NULL ? NULL
                         : compact_throttles_find_early(&carry->quotas, view->info.start_ticks,
                               span->offset, false, &j->early_hint);
}

static void
set_span(judge *j, const offer *what, bool matters)
{
    compact_view *view = j->frame->view;
    j->view_is_ignored[what->index] = !matters;
    view->dropped[what->type].by[COMPACT_BY_CONTEXT_THROTTLE] +=
        !matters && view->spans.items[what->index].fate != COMPACT_DROPPED; // else it is counted
}

static void
set_span_ahead(judge *j, const offer *what, bool matters)
{
    const compact_view *view = j->frame->aheads[what->ahead].view;
    j->ahead_is_ignored[what->ahead][what->index] = !matters;
    const compact_early decision = {
        .start_ticks = view->info.start_ticks,
        .offset = view->spans.items[what->index].offset,
        .is_kept = matters,
    };
    lp_arena_note(j->arena, compact_throttles_add_early(j->quotas, &decision));
}

// list_span offers an event of the chunk, unless the previous chunk decided it.
static void
list_span(judge *j, size_t index)
{
    const compact_frame *frame = j->frame;
    const compact_span *span = &frame->view->spans.items[index];
    uint32_t type = compact_view_event(frame->view, span->offset).type;
    if (j->view_quotas[type] == LP_MAP_NONE) {
        return;
    }
    const offer what = {
        .index = (uint32_t)index,
        .type = type,
        .quota = j->view_quotas[type],
        .was_open = was_open(j, span->begin, span->commit),
    };
    if (compact_window_has(&frame->judged, span->commit)) {
        add_offer(j, &what, COMPACT_ENTRY_EVENT, span->begin, span->commit);
        return;
    }
    const compact_early *early = find_early(j, frame->view, span);
    set_span(j, &what, early != NULL ? early->is_kept : count_late(j, what.quota, what.was_open));
}

// list_span_ahead does the same for an event of a later chunk. If it comes too late for its slot,
// its own chunk decides it.
static void
list_span_ahead(judge *j, size_t ahead, size_t index)
{
    const compact_view *view = j->frame->aheads[ahead].view;
    const compact_span *span = &view->spans.items[index];
    if (span->commit >= j->frame->judged.hi) {
        return;
    }
    uint32_t type = compact_view_event(view, span->offset).type;
    const offer what = {
        .index = (uint32_t)index,
        .ahead = (uint32_t)ahead,
        .type = type,
        .quota = j->ahead_quotas[ahead][type],
        .was_open = was_open(j, span->begin, span->commit),
    };
    if (what.quota == LP_MAP_NONE) {
        return;
    }
    if (!compact_window_has(&j->frame->judged, span->commit)) {
        const compact_early *early = find_early(j, view, span);
        if (early != NULL) {
            set_span_ahead(j, &what, early->is_kept);
        }
    } else if (compact_frame_is_in_time(j->frame, &j->frame->judged, view->info.start_ticks)) {
        add_offer(j, &what, COMPACT_ENTRY_EVENT_AHEAD, span->begin, span->commit);
    }
}

static void
list_events(judge *j)
{
    judge_check(j);
    const compact_view *view = j->frame->view;
    for (size_t i = 0; compact_view_has_offers(view) && i < view->spans.count; i++) {
        list_span(j, i);
    }
    for (size_t ahead = 0; ahead < j->frame->ahead_count; ahead++) {
        view = j->frame->aheads[ahead].view;
        for (size_t i = 0; compact_view_has_offers(view) && i < view->spans.count; i++) {
            list_span_ahead(j, ahead, i);
        }
    }
}

// --- Contexts of the API

static void
set_context(judge *j, const offer *what, bool matters)
{
    compact_context *context = &j->contexts->items.items[what->index];
    context->standing = matters ? COMPACT_STANDING_CHOSEN : COMPACT_STANDING_PASSED;
    if (!matters) {
        context->is_ignored = true;
        context->ignored_by = COMPACT_BY_CONTEXT_THROTTLE;
    }
}

static void
list_context(judge *j, size_t index)
{
    const compact_frame *frame = j->frame;
    compact_context *context = &j->contexts->items.items[index];
    size_t type = ctx_type_find(frame->types, frame->type_count, context->type_id);
    if (type == frame->type_count || j->context_quotas[type] == LP_MAP_NONE ||
        context->is_ignored) {
        return;
    }
    const offer what = {
        .index = (uint32_t)index,
        .quota = j->context_quotas[type],
        .was_open =
            context->standing == COMPACT_STANDING_OPEN || was_open(j, context->begin, context->end),
    };
    if (context->standing == COMPACT_STANDING_CHOSEN ||
        context->standing == COMPACT_STANDING_PASSED) {
        set_context(j, &what, context->standing == COMPACT_STANDING_CHOSEN);
    } else if (compact_window_has(&frame->judged, context->end)) {
        add_offer(j, &what, COMPACT_ENTRY_CONTEXT, context->begin, context->end);
    } else if (context->end < frame->judged.lo) {
        set_context(j, &what, count_late(j, what.quota, what.was_open));
    } else if (context->begin < frame->sampled.hi) {
        context->standing = COMPACT_STANDING_OPEN;
    }
}

// --- The decision

static void
set(judge *j, const compact_entry *entry, bool matters)
{
    const offer *what = &j->offers.items[entry->index];
    if (entry->kind == COMPACT_ENTRY_EVENT) {
        set_span(j, what, matters);
    } else if (entry->kind == COMPACT_ENTRY_EVENT_AHEAD) {
        set_span_ahead(j, what, matters);
    } else {
        set_context(j, what, matters);
    }
}

// decide_slot decides the contexts that end in a slot. Those that were open use up room first.
static void
decide_slot(
    judge *j, compact_sampler *sampler, int64_t slot, const compact_entry *entries, size_t count)
{
    size_t open_count = 0;
    for (size_t i = 0; i < count; i++) {
        open_count += j->offers.items[entries[i].index].was_open;
    }
    compact_throttles_choose(sampler, slot, count - open_count, open_count, j->is_chosen);
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        set(j, &entries[i], j->offers.items[entries[i].index].was_open || j->is_chosen[next++]);
    }
}

static void
decide_quota(judge *j, compact_sampler *sampler, const compact_entry *entries, size_t count)
{
    compact_slots slots = COMPACT_SLOTS(sampler, &j->frame->clock, entries, count);
    while (compact_slots_next(&slots)) {
        decide_slot(j, sampler, slots.slot, entries + slots.begin, slots.end - slots.begin);
    }
}

static void
decide(judge *j)
{
    judge_check(j);
    size_t begin = 0;
    for (size_t i = 0; i < j->quotas->items.count; i++) {
        decide_quota(j, &j->quotas->items.items[i].sampler, j->sorted + begin, j->ends[i] - begin);
        begin = j->ends[i];
    }
}

// group sorts the entries by quota, and keeps their order within each.
static void
group(judge *j)
{
    judge_check(j);
    size_t count = j->entries.count;
    j->ends = LP_ARENA_ARRAY(&j->scratch, size_t, j->quotas->items.count);
    j->sorted = LP_ARENA_ARRAY(&j->scratch, compact_entry, count);
    j->is_chosen = LP_ARENA_ARRAY(&j->scratch, bool, count);
    if (j->is_chosen == NULL) { // the arena is sticky: the others are there, else
        return;
    }
    LP_GROUP(j->entries.items, count, j->offers.items[at->index].quota, j->ends,
        j->quotas->items.count, j->sorted);
}

static void
sort(judge *j)
{
    judge_check(j);
    size_t count = j->entries.count;
    compact_entry *spare =
        lp_arena_alloc(&j->scratch, count / 2 * sizeof(*spare), alignof(compact_entry));
    if (spare != NULL) {
        compact_order_sort(j->entries.items, count, spare);
    }
}

static void
remove_ignored(const judge *j)
{
    judge_check(j);
    compact_view *view = j->frame->view;
    size_t left = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        if (!j->view_is_ignored[i]) {
            if (view->sums != NULL) {
                compact_sums_move_row(view->sums, i, left);
            }
            view->spans.items[left++] = view->spans.items[i];
        }
    }
    view->spans.count = left;
}

static bool
has_failed(const judge *j)
{
    return j->arena->is_failed || j->scratch.is_failed;
}

// init_ignored marks no contextual event as ignored.
static void
init_ignored(judge *j)
{
    const compact_frame *frame = j->frame;
    j->view_is_ignored = LP_ARENA_ARRAY(&j->scratch, bool, frame->view->spans.count);
    j->ahead_is_ignored = LP_ARENA_ARRAY(j->arena, bool *, frame->ahead_count);
    for (size_t i = 0; j->ahead_is_ignored != NULL && i < frame->ahead_count; i++) {
        size_t count = frame->aheads[i].view->spans.count;
        j->ahead_is_ignored[i] = LP_ARENA_ARRAY(j->arena, bool, count);
    }
}

static void
judge_all(judge *j)
{
    judge_check(j);
    init_ignored(j);
    find_event_quotas(j);
    if (has_failed(j)) {
        return;
    }
    list_events(j);
    for (size_t i = 0; i < j->contexts->items.count; i++) {
        list_context(j, i);
    }
    sort(j);
    group(j);
    if (has_failed(j)) {
        return;
    }
    decide(j);
    lp_arena_note(j->arena, compact_throttles_sort_early(j->quotas));
    remove_ignored(j);
}

void
compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts == contexts);
    judge j = {.frame = frame, .contexts = contexts, .quotas = quotas, .arena = arena};
    bool has_any = find_context_quotas(&j);
    has_any |= compact_view_has_offers(frame->view);
    for (size_t i = 0; i < frame->ahead_count; i++) {
        has_any |= compact_view_has_offers(frame->aheads[i].view);
    }
    if (has_any && !has_failed(&j)) {
        judge_all(&j);
    }
    decided->ahead_is_ignored = (const bool *const *)j.ahead_is_ignored;
    if (has_failed(&j)) {
        lp_arena_fail(arena);
    }
    lp_arena_fini(&j.scratch);
    LP_VEC_FINI(&j.offers);
    LP_VEC_FINI(&j.entries);
}
