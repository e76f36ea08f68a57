// SPDX-License-Identifier: Apache-2.0
#include "engine/decide/context_throttle.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_map.h"
#include "common/context/ctx_type.h"
#include "engine/carry/carry.h"
#include "engine/contexts/order.h"
#include "engine/read/view.h"

// Design notes
//
// A sampler wants the contexts of its type in the order of their ends, over the whole session. What
// is decided with a chunk are the contextual events that were committed up to its limit, those
// that are stored in later chunks, too, and the contexts of the API that ended before the border.
// What is decided before its own chunk's turn comes is looked up then.
//
// Events up to the limit may also lie in contexts that end later. These matter, and the next chunk
// has to see it the same way. So that depends on nothing but times, and the border and the limit of
// the chunk before, which the carry-over has. How much is known of the next chunk's records does
// not count: a context that ends behind the border is open there, whether its end is known or not.
// Only of a context whose end came late (it lies before the border, its record in the next chunk)
// is it remembered that it was taken for open.

// A context whose turn to be counted has come.
typedef struct offer {
    uint32_t index; // into spans of a view, or into contexts
    uint32_t ahead; // of events of a later chunk: indexes frame->aheads
    uint32_t type;  // of events
    uint32_t quota;
} offer;

typedef struct judge {
    const compact_frame *frame;
    compact_contexts *contexts;
    compact_throttles *quotas;
    lp_arena *arena;                        // of the chunk, which has all errors
    lp_arena scratch;                       // has the rest, but for vectors
    uint32_t *view_quotas;                  // by type: indexes quotas, or LP_MAP_NONE
    uint32_t **ahead_quotas;                // by ahead
    uint32_t context_quotas[CTX_TYPES_MAX]; // parallel to frame->types
    bool *view_is_ignored;                  // parallel to the spans
    bool **ahead_is_ignored;                // by ahead; in arena
    LP_VEC(offer) offers;
    LP_VEC(compact_entry) entries; // they index offers
} judge;

// find_context_quotas finds the quotas of contexts of the API, and returns whether there are any.
static bool
find_context_quotas(judge *j)
{
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

// --- Contextual events

// find_early returns the decision about an event that was made with the chunk before, or NULL.
static const compact_early *
find_early(const judge *j, const compact_view *view, const compact_span *span)
{
    const compact_carry *carry = j->frame->carry;
    return carry == NULL ? NULL
                         : compact_throttles_find_early(
                               &carry->quotas, view->info.start_ticks, span->offset, false);
}

// list_span offers an event of the chunk, unless it was decided with the chunk before.
static void
list_span(judge *j, size_t index)
{
    const compact_frame *frame = j->frame;
    const compact_span *span = &frame->view->spans.items[index];
    uint32_t type = compact_view_event(frame->view, span->offset).type;
    if (j->view_quotas[type] == LP_MAP_NONE) {
        return;
    }
    const compact_early *early = find_early(j, frame->view, span);
    if (early != NULL) {
        j->view_is_ignored[index] = !early->is_kept;
        frame->view->dropped[type].by[COMPACT_BY_CONTEXT_THROTTLE] +=
            !early->is_kept && span->fate != COMPACT_DROPPED;
        return;
    }
    const offer what = {.index = (uint32_t)index, .type = type, .quota = j->view_quotas[type]};
    add_offer(j, &what, COMPACT_ENTRY_EVENT, span->begin, span->commit);
}

// list_span_ahead does the same for one of a later chunk.
static void
list_span_ahead(judge *j, size_t ahead, size_t index)
{
    const compact_view *view = j->frame->aheads[ahead].view;
    const compact_span *span = &view->spans.items[index];
    if (span->commit > j->frame->limit_ticks) {
        return;
    }
    uint32_t type = compact_view_event(view, span->offset).type;
    const offer what = {
        .index = (uint32_t)index,
        .ahead = (uint32_t)ahead,
        .type = type,
        .quota = j->ahead_quotas[ahead][type],
    };
    if (what.quota == LP_MAP_NONE) {
        return;
    }
    const compact_early *early = find_early(j, view, span);
    if (early != NULL) {
        j->ahead_is_ignored[ahead][index] = !early->is_kept;
        lp_arena_note(j->arena, compact_throttles_add_early(j->quotas, early));
        return;
    }
    add_offer(j, &what, COMPACT_ENTRY_EVENT_AHEAD, span->begin, span->commit);
}

static void
list_events(judge *j)
{
    const compact_view *view = j->frame->view;
    for (size_t i = 0; view->schema->has_quotas && i < view->spans.count; i++) {
        list_span(j, i);
    }
    for (size_t ahead = 0; ahead < j->frame->ahead_count; ahead++) {
        view = j->frame->aheads[ahead].view;
        for (size_t i = 0; view->schema->has_quotas && i < view->spans.count; i++) {
            list_span_ahead(j, ahead, i);
        }
    }
}

// was_open returns whether an event counted as a context, but not in the sample, when the chunk
// before was decided.
static bool
was_open(const judge *j, const compact_span *span)
{
    const compact_carry *carry = j->frame->carry;
    return carry != NULL && span->begin <= carry->limit_ticks && span->commit > carry->limit_ticks;
}

// --- Contexts of the API

// reaches_over returns whether a context is open where a chunk ends that decides events up to
// limit, or begins between the two. An event that far behind the border has a wrong time.
static bool
reaches_over(const judge *j, const compact_context *context, int64_t border, int64_t limit)
{
    __int128 lateness = (__int128)COMPACT_LATENESS_MS * j->frame->clock.ticks_per_s / 1000;
    return context->end >= border && context->begin <= limit && context->begin <= border + lateness;
}

static bool
is_open(const judge *j, const compact_context *context)
{
    const compact_carry *carry = j->frame->carry;
    return reaches_over(j, context, j->frame->window.hi, j->frame->limit_ticks) ||
           (carry != NULL && reaches_over(j, context, carry->border_ticks, carry->limit_ticks));
}

static void
ignore(compact_context *context)
{
    context->is_ignored = true;
    context->ignored_by = COMPACT_BY_CONTEXT_THROTTLE;
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
    if (context->standing == COMPACT_STANDING_NONE && is_open(j, context)) {
        context->standing = COMPACT_STANDING_OPEN;
    }
    if (context->standing == COMPACT_STANDING_PASSED) {
        ignore(context);
    }
    bool is_counted = context->standing == COMPACT_STANDING_CHOSEN ||
                      context->standing == COMPACT_STANDING_PASSED;
    if (is_counted || context->end >= frame->window.hi) {
        return;
    }
    const offer what = {.index = (uint32_t)index, .quota = j->context_quotas[type]};
    add_offer(j, &what, COMPACT_ENTRY_CONTEXT, context->begin, context->end);
}

static void
list_contexts(judge *j)
{
    for (size_t i = 0; i < j->contexts->items.count; i++) {
        list_context(j, i);
    }
}

// --- The decision

// count counts a context that ends at ticks in its sample, and returns whether it matters.
static bool
count(judge *j, const offer *what, int64_t ticks, bool is_open)
{
    compact_sampler *sampler = &j->quotas->items.items[what->quota].sampler;
    int64_t time_ns = compact_clock_wall_ns(&j->frame->clock, ticks);
    if (!is_open) {
        return compact_sampler_keep(sampler, time_ns);
    }
    compact_sampler_force(sampler, time_ns);
    return true;
}

static void
decide_span(judge *j, const offer *what)
{
    compact_view *view = j->frame->view;
    const compact_span *span = &view->spans.items[what->index];
    bool matters = count(j, what, span->commit, was_open(j, span));
    j->view_is_ignored[what->index] = !matters;
    view->dropped[what->type].by[COMPACT_BY_CONTEXT_THROTTLE] +=
        !matters && span->fate != COMPACT_DROPPED; // then it is counted already
}

static void
decide_span_ahead(judge *j, const offer *what)
{
    const compact_view *view = j->frame->aheads[what->ahead].view;
    const compact_span *span = &view->spans.items[what->index];
    bool matters = count(j, what, span->commit, was_open(j, span));
    j->ahead_is_ignored[what->ahead][what->index] = !matters;
    const compact_early decision = {
        .start_ticks = view->info.start_ticks,
        .offset = span->offset,
        .is_kept = matters,
    };
    lp_arena_note(j->arena, compact_throttles_add_early(j->quotas, &decision));
}

static void
decide_context(judge *j, const offer *what)
{
    compact_context *context = &j->contexts->items.items[what->index];
    bool was_open = context->standing == COMPACT_STANDING_OPEN;
    bool matters = count(j, what, context->end, was_open);
    context->standing = matters ? COMPACT_STANDING_CHOSEN : COMPACT_STANDING_PASSED;
    if (!matters) {
        ignore(context);
    }
}

static void
decide(judge *j)
{
    for (size_t i = 0; i < j->entries.count; i++) {
        const compact_entry *entry = &j->entries.items[i];
        const offer *what = &j->offers.items[entry->index];
        if (entry->kind == COMPACT_ENTRY_EVENT) {
            decide_span(j, what);
        } else if (entry->kind == COMPACT_ENTRY_EVENT_AHEAD) {
            decide_span_ahead(j, what);
        } else {
            decide_context(j, what);
        }
    }
}

static void
sort(judge *j)
{
    size_t count = j->entries.count;
    compact_entry *spare =
        lp_arena_alloc(&j->scratch, count / 2 * sizeof(*spare), alignof(compact_entry));
    if (spare != NULL) {
        compact_order_sort(j->entries.items, count, spare);
    }
}

// take_out leaves the rows of events that matter.
static void
take_out(const judge *j)
{
    compact_view *view = j->frame->view;
    size_t left = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        if (!j->view_is_ignored[i]) {
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

// start_all starts with all contextual events mattering.
static void
start_all(judge *j)
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
    const compact_frame *frame = j->frame;
    start_all(j);
    find_event_quotas(j);
    if (has_failed(j)) {
        return;
    }
    list_events(j);
    list_contexts(j);
    sort(j);
    if (has_failed(j)) {
        return;
    }
    compact_throttles_restart(j->quotas, compact_clock_wall_ns(&frame->clock, frame->window.hi));
    decide(j);
    compact_throttles_sort_early(j->quotas);
    take_out(j);
}

void
compact_context_throttle_judge(const compact_frame *frame, compact_contexts *contexts,
    compact_throttles *quotas, lp_arena *arena, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->contexts == contexts);
    judge j = {.frame = frame, .contexts = contexts, .quotas = quotas, .arena = arena};
    bool has_any = find_context_quotas(&j);
    has_any |= frame->view->schema->has_quotas;
    for (size_t i = 0; i < frame->ahead_count; i++) {
        has_any |= frame->aheads[i].view->schema->has_quotas;
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
