// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_keep.h"

#include "common/base/lp_assert.h"
#include "engine/contexts/contexts.h"
#include "engine/read/view.h"

#include <stdlib.h>
#include <string.h>

// What becomes of the parts of a request in this chunk.
typedef enum parts_fate {
    PARTS_AS_DECIDED, // each for itself
    PARTS_KEPT,
    PARTS_DROPPED,
} parts_fate;

typedef struct keeper {
    const compact_frame *frame;
    const compact_request_parts *parts;
    const compact_request_members *members;
    lp_arena *arena;
    compact_requests *requests;
    compact_decided *decided;
    uint8_t *fates; // by request: parts_fate
} keeper;

// --- What is kept without the policy for requests

static void
note_kept(compact_requests *requests, size_t part)
{
    uint32_t index = requests->request_of[part];
    if (index == COMPACT_REQUEST_NONE) {
        return;
    }
    compact_request *request = &requests->items.items[index];
    request->is_kept = true;
    request->has_event = true;
    if (request->kept_by == COMPACT_REQUEST_KEPT_NO) {
        request->kept_by = COMPACT_REQUEST_KEPT_PARTS;
    }
}

void
compact_request_keep_find(const compact_frame *frame, const compact_request_parts *parts,
    const compact_decided *decided, compact_requests *requests)
{
    LP_ASSERT(compact_frame_is_open(frame));
    const compact_parts *kept = &decided->parts;
    size_t next = 0; // both ascend by context
    for (size_t i = 0; i < parts->span_begin; i++) {
        uint32_t context = parts->item_of[i];
        while (next < kept->count && kept->items[next].context < context) {
            next++;
        }
        if (next < kept->count && kept->items[next].context == context) {
            note_kept(requests, i);
        }
    }
    for (size_t i = parts->span_begin; i < parts->ahead_begin; i++) {
        if (compact_span_is_kept(&frame->view->spans.items[parts->item_of[i]])) {
            note_kept(requests, i);
        }
    }
}

// --- By the rules

// bytes_of returns about how many bytes the parts of a request take that nothing has kept so far.
static uint64_t
bytes_of(const keeper *k, size_t request)
{
    enum { HEAD_BYTES = 32, EVENT_BYTES = 48 };
    uint64_t bytes = 0;
    for (size_t i = request == 0 ? 0 : k->members->ends[request - 1]; i < k->members->ends[request];
         i++) {
        uint32_t part = k->members->parts[i];
        uint32_t item = k->parts->item_of[part];
        if (part < k->parts->span_begin) {
            bytes += HEAD_BYTES + k->frame->contexts->items.items[item].values_bytes;
        } else if (part < k->parts->ahead_begin &&
                   k->frame->view->spans.items[item].fate == COMPACT_UNDECIDED) {
            bytes += EVENT_BYTES;
        }
    }
    return bytes;
}

// is_known returns whether the end of a request is known: no part of it can come any more. Of one
// that is open where the session ends it is not, as that may only seem to end.
static bool
is_known(const compact_request *request)
{
    bool may_go_on = request->is_guessed && request->is_unended;
    return !may_go_on && (request->is_over || !request->goes_on);
}

// decide decides a request.
static void
decide(keeper *k, compact_request_rules *rules, const policy_requests *wanted, size_t index)
{
    compact_request *request = &k->requests->items.items[index];
    compact_request asked = *request;
    asked.is_over = is_known(request);
    asked.is_counted = request->is_decided; // so that its reason stays
    int64_t duration;
    if (__builtin_sub_overflow(request->end, request->begin, &duration)) {
        duration = INT64_MAX;
    }
    __int128 ns = (__int128)duration * 1000000000 / k->frame->clock.ticks_per_s;
    const compact_request_case item = {
        .request = &asked,
        .end_wall_ns = compact_clock_wall_ns(&k->frame->clock, request->end),
        .duration_ns = ns > INT64_MAX ? INT64_MAX : (int64_t)ns,
        .bytes = bytes_of(k, index),
    };
    compact_request_fate fate = {0};
    lp_arena_note(k->arena, compact_request_rules_decide(rules, wanted, &item, &fate));
    // One that only seems to be over is asked about once more, unless it stays kept in any case.
    bool stays = asked.is_counted || compact_request_is_whole(fate.kept_by);
    request->is_decided = asked.is_over && (!request->is_guessed || stays);
    request->kept_by = (uint8_t)fate.kept_by;
    request->dropped_by = (uint8_t)fate.dropped_by;
    if (compact_request_is_whole(fate.kept_by)) {
        k->fates[index] = PARTS_KEPT;
        request->is_kept = true;
    } else if (fate.dropped_by == COMPACT_REQUEST_DROPPED_DROP) {
        k->fates[index] = PARTS_DROPPED;
        request->is_kept = false;
    }
}

static int
compare_ends(const void *a, const void *b, void *context)
{
    const compact_request *items = context;
    const compact_request *x = &items[*(const uint32_t *)a];
    const compact_request *y = &items[*(const uint32_t *)b];
    if (x->end != y->end) {
        return x->end < y->end ? -1 : 1;
    }
    return (x->id > y->id) - (x->id < y->id);
}

static void
decide_all(keeper *k, compact_request_rules *rules)
{
    const policy_requests *wanted = policy_get_requests(k->frame->options->policy);
    size_t count = k->requests->items.count;
    uint32_t *order = LP_ARENA_ARRAY(k->arena, uint32_t, count);
    k->fates = LP_ARENA_ARRAY(k->arena, uint8_t, count);
    if (order == NULL || k->fates == NULL || count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    qsort_r(order, count, sizeof(*order), compare_ends, k->requests->items.items);
    for (size_t i = 0; i < count && !k->arena->is_failed; i++) {
        decide(k, rules, wanted, order[i]);
    }
}

// --- Parts

static parts_fate
fate_of(const keeper *k, size_t part)
{
    uint32_t request = k->requests->request_of[part];
    return request == COMPACT_REQUEST_NONE ? PARTS_AS_DECIDED : (parts_fate)k->fates[request];
}

// add_context adds what of a context lies in the window. It ends sooner where the next of its type
// begins, as in compact_decider_end_part.
static void
add_context(const keeper *k, uint32_t index, compact_parts *out)
{
    const compact_window *window = &k->frame->window;
    const compact_context *context = &k->frame->contexts->items.items[index];
    compact_part part = {
        .context = index,
        .begin = context->begin > window->lo ? context->begin : window->lo,
        .end = context->end < window->hi ? context->end : window->hi - 1,
    };
    if (context->is_ignored || part.begin > part.end) {
        return;
    }
    int64_t gap = compact_clock_gap_ticks(&k->frame->clock);
    if (context->is_replaced && context->end == part.end && part.end - part.begin >= gap) {
        part.end -= gap;
    }
    LP_ARENA_PUSH_BESIDE(k->arena, out, part);
}

static void
change_contexts(keeper *k)
{
    compact_parts *before = &k->decided->parts;
    compact_parts after = {0};
    size_t next = 0;
    for (size_t i = 0; i < k->parts->span_begin; i++) {
        uint32_t context = k->parts->item_of[i];
        for (; next < before->count && before->items[next].context < context; next++) {
            LP_ARENA_PUSH_BESIDE(k->arena, &after, before->items[next]);
        }
        bool is_there = next < before->count && before->items[next].context == context;
        parts_fate fate = fate_of(k, i);
        if (is_there && fate != PARTS_DROPPED) {
            LP_ARENA_PUSH_BESIDE(k->arena, &after, before->items[next]);
        } else if (!is_there && fate == PARTS_KEPT) {
            add_context(k, context, &after);
        }
        next += is_there;
    }
    for (; next < before->count; next++) {
        LP_ARENA_PUSH_BESIDE(k->arena, &after, before->items[next]);
    }
    LP_VEC_FINI(before);
    *before = after;
}

void
compact_request_keep_begin(const compact_frame *frame, lp_arena *arena, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame));
    const compact_view *view = frame->view;
    size_t count = view->kept_spans.count;
    compact_span *triggers = LP_ARENA_ARRAY(arena, compact_span, count + 1);
    if (triggers != NULL && count > 0) {
        memcpy(triggers, view->kept_spans.items, count * sizeof(*triggers));
    }
    decided->triggers = triggers;
    decided->trigger_count = triggers == NULL ? 0 : count;
}

void
compact_request_keep_end(const compact_frame *frame, lp_arena *arena)
{
    LP_ASSERT(compact_frame_is_open(frame));
    compact_view *view = frame->view;
    view->kept_spans.count = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        if (compact_span_is_kept(&view->spans.items[i])) {
            LP_ARENA_PUSH_BESIDE(arena, &view->kept_spans, view->spans.items[i]);
        }
    }
}

static void
change_spans(keeper *k)
{
    compact_view *view = k->frame->view;
    compact_request_keep_begin(k->frame, k->arena, k->decided);
    for (size_t i = k->parts->span_begin; i < k->parts->ahead_begin; i++) {
        compact_span *span = &view->spans.items[k->parts->item_of[i]];
        parts_fate fate = fate_of(k, i);
        if (fate == PARTS_KEPT && span->fate == COMPACT_UNDECIDED) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
        } else if (fate == PARTS_DROPPED && compact_span_is_kept(span) && !span->is_marked) {
            span->fate = COMPACT_DROPPED;
        }
    }
    compact_request_keep_end(k->frame, k->arena);
}

void
compact_request_keep_decide(const compact_frame *frame, const compact_request_parts *parts,
    const compact_request_members *members, compact_request_rules *rules, lp_arena *arena,
    compact_requests *requests, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(requests != NULL);
    const policy_requests *wanted = policy_get_requests(frame->options->policy);
    if (!policy_requests_keeps(wanted) && wanted->drop == NULL) {
        return;
    }
    keeper k = {
        .frame = frame,
        .parts = parts,
        .members = members,
        .arena = arena,
        .requests = requests,
        .decided = decided,
    };
    decide_all(&k, rules);
    if (requests->items.count > 0 && !arena->is_failed) {
        change_contexts(&k);
        change_spans(&k);
    }
}
