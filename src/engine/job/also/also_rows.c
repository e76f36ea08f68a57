// SPDX-License-Identifier: Apache-2.0
// also_rows: adds the wanted events and contexts to a decided chunk (also.h).
//
// Tests: tests/unit/engine/job/also/test_also.c, tests/prop/test_also_prop.c

#include "common/base/lp_assert.h"
#include "common/rollup/time_category.h"
#include "engine/job/also/also.h"
#include "engine/job/request/request_step.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"

#include <string.h>

typedef struct adder {
    const compact_frame *frame;
    compact_view *view;
    const compact_also_times *times;
    lp_arena *arena;
    bool *is_in_jvm;    // by type: pauses of the JVM
    size_t row;         // the next one of view->plain
    size_t row_count;   // before rows were added behind it
    size_t span;        // the next one of view->kept_spans
    compact_span *kept; // copy of view->kept_spans
    size_t kept_count;
} adder;

static void
adder_check(const adder *a)
{
    LP_ASSERT(a->row <= a->row_count && a->row_count <= a->view->plain.count);
    LP_ASSERT(a->span <= a->kept_count);
}

static bool
is_wanted(const adder *a, const compact_also_event *event)
{
    int64_t begin = event->begin < event->commit ? event->begin : event->commit;
    if (event->thread != COMPACT_NO_THREAD &&
        compact_also_times_meet(
            &a->times->on_threads, a->frame->identities[event->thread], begin, event->commit)) {
        return true;
    }
    return a->is_in_jvm[event->type] &&
           compact_also_times_meet(&a->times->anywhere, 0, begin, event->commit);
}

// forgive takes an event out of the dropped ones of its type. Rows have no reason that is known
// here; the accounting (account.h) corrects their sum.
static void
forgive(const adder *a, const compact_also_event *event)
{
    adder_check(a);
    const compact_plan *plan = &a->view->schema->plans[event->type];
    int64_t duration = (int64_t)((uint64_t)event->commit - (uint64_t)event->begin);
    bool is_off = plan->is_disabled || plan->rule == COMPACT_RULE_DROP;
    bool is_short = !is_off && !compact_schema_passes(plan, duration);
    uint64_t *by = a->view->dropped[event->type].by;
    if (is_off && by[COMPACT_BY_ENABLED] > 0) {
        by[COMPACT_BY_ENABLED]--;
    } else if (is_short && by[COMPACT_BY_THRESHOLD] > 0) {
        by[COMPACT_BY_THRESHOLD]--;
    }
}

// add_plain keeps the row of an event, or adds one behind all others: the statistics refer to rows
// by their indexes.
static void
add_plain(adder *a, const compact_also_event *event)
{
    adder_check(a);
    compact_view *view = a->view;
    if (view->schema->plans[event->type].is_allocation && view->makes_samples) {
        return;
    }
    while (a->row < a->row_count && view->plain.items[a->row].offset < event->offset) {
        a->row++;
    }
    compact_plain *row = a->row < a->row_count ? &view->plain.items[a->row] : NULL;
    if (row != NULL && row->offset == event->offset) {
        row->fate = row->fate == COMPACT_KEPT ? COMPACT_KEPT : COMPACT_KEPT_BY_CONTEXT;
        return;
    }
    forgive(a, event);
    const compact_plain added = {.commit = event->commit,
        .offset = event->offset,
        .thread = event->thread & COMPACT_NO_THREAD,
        .fate = COMPACT_KEPT_BY_CONTEXT};
    LP_ARENA_PUSH_BESIDE(a->arena, &view->plain, added);
}

// add_until lists the kept contextual events before an offset again.
static void
add_until(adder *a, uint32_t offset)
{
    for (; a->span < a->kept_count && a->kept[a->span].offset < offset; a->span++) {
        LP_ARENA_PUSH_BESIDE(a->arena, &a->view->kept_spans, a->kept[a->span]);
    }
}

static void
add_contextual(adder *a, const compact_also_event *event)
{
    adder_check(a);
    add_until(a, event->offset);
    if (a->span < a->kept_count && a->kept[a->span].offset == event->offset) {
        return;
    }
    forgive(a, event);
    const compact_span added = {.begin = event->begin,
        .commit = event->commit,
        .offset = event->offset,
        .thread = event->thread & COMPACT_NO_THREAD,
        .fate = COMPACT_KEPT_BY_CONTEXT};
    LP_ARENA_PUSH_BESIDE(a->arena, &a->view->kept_spans, added);
}

// begin_spans moves the kept contextual events to a list of their own.
static void
begin_spans(adder *a)
{
    adder_check(a);
    compact_view *view = a->view;
    a->kept_count = view->kept_spans.count;
    a->kept = LP_ARENA_ARRAY(a->arena, compact_span, a->kept_count + 1);
    if (a->kept != NULL && a->kept_count > 0) {
        memcpy(a->kept, view->kept_spans.items, a->kept_count * sizeof(*a->kept));
        view->kept_spans.count = 0;
    }
}

static void
find_pauses(adder *a)
{
    adder_check(a);
    const jfr_metadata *metadata = &a->view->schema->metadata;
    a->is_in_jvm = LP_ARENA_ARRAY(a->arena, bool, metadata->types.count);
    for (uint32_t i = 0; a->is_in_jvm != NULL && i < metadata->types.count; i++) {
        a->is_in_jvm[i] = metadata->types.items[i].is_event &&
                          time_category_is_in_jvm(jfr_metadata_type_name(metadata, i));
    }
}

void
compact_also_rows_add(const compact_frame *frame, const compact_also_times *times, lp_arena *arena)
{
    adder a = {.frame = frame,
        .view = frame->view,
        .times = times,
        .arena = arena,
        .row_count = frame->view->plain.count};
    find_pauses(&a);
    begin_spans(&a);
    compact_also_scan scan = compact_also_scan_begin(frame->view);
    compact_also_event event;
    while (!arena->is_failed && compact_also_scan_next(&scan, &event)) {
        if (!is_wanted(&a, &event)) {
            continue;
        }
        if (frame->view->schema->plans[event.type].rule == COMPACT_RULE_CONTEXTUAL) {
            add_contextual(&a, &event);
        } else {
            add_plain(&a, &event);
        }
    }
    if (!arena->is_failed) {
        add_until(&a, UINT32_MAX);
    }
}

compact_parts
compact_also_rows_parts(const compact_frame *frame, const compact_also_times *times,
    const compact_parts *before, lp_arena *arena)
{
    compact_parts after = {0};
    size_t next = 0;
    for (size_t i = 0; i < frame->contexts->items.count && !arena->is_failed; i++) {
        const compact_context *context = &frame->contexts->items.items[i];
        const compact_part *kept = compact_parts_find(before, &next, i);
        if (kept != NULL) {
            LP_ARENA_PUSH_BESIDE(arena, &after, *kept);
        } else if (compact_also_times_meet(&times->on_threads,
                       compact_identity_java(context->thread_id), context->begin, context->end)) {
            compact_request_step_add_part(frame, (uint32_t)i, arena, &after);
        }
    }
    return after;
}
