// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request/request_step.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_string.h"
#include "engine/contexts/contexts.h"
#include "engine/job/request/request_parts.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"
#include "engine/requests/request_rules.h"
#include "engine/requests/requests.h"

#include <stdlib.h>
#include <string.h>

void
compact_request_step_save_triggers(
    const compact_frame *frame, lp_arena *arena, compact_decided *decided)
{
    const compact_view *view = frame->view;
    if (decided->triggers != NULL) {
        return;
    }
    size_t count = view->kept_spans.count;
    compact_span *triggers = LP_ARENA_ARRAY(arena, compact_span, count + 1);
    if (triggers != NULL && count > 0) {
        memcpy(triggers, view->kept_spans.items, count * sizeof(*triggers));
    }
    decided->triggers = triggers;
    decided->trigger_count = triggers == NULL ? 0 : count;
}

// list_kept_spans lists the kept contextual events again, after fates were changed.
static void
list_kept_spans(const compact_frame *frame, lp_arena *arena)
{
    compact_view *view = frame->view;
    view->kept_spans.count = 0;
    for (size_t i = 0; i < view->spans.count; i++) {
        if (compact_span_is_kept(&view->spans.items[i])) {
            LP_ARENA_PUSH_BESIDE(arena, &view->kept_spans, view->spans.items[i]);
        }
    }
}

// --- Chunks that Loupe has written: their events list the requests, so none is searched.
// Contextual events that were kept for a whole request are kept again, and trigger nothing.

static bool
is_named(const compact_view *view, uint32_t type, const char *name)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_type *t = &metadata->types.items[type];
    return t->is_event && strcmp(jfr_metadata_text(metadata, t->name), name) == 0;
}

static bool
lists_requests(const compact_frame *frame)
{
    for (uint32_t i = 0; i < frame->view->schema->metadata.types.count; i++) {
        if (is_named(frame->view, i, JFR_REQUEST_TYPE) ||
            is_named(frame->view, i, COMPACT_REQUEST_ACCOUNT_EVENT)) {
            return true;
        }
    }
    return false;
}

// find_field moves cursor to the field of this name. Returns false if the event has none.
static bool
find_field(const compact_view *view, uint32_t type, const char *name, jfr_cursor *cursor)
{
    const compact_schema *schema = view->schema;
    const jfr_type *t = &schema->metadata.types.items[type];
    uint32_t field = jfr_metadata_find_field(&schema->metadata, t, name);
    LP_REQUIRE(field != JFR_NONE, false);
    return jfr_layout_walk(
        &schema->layout, jfr_layout_before(&schema->layout, type, field), cursor);
}

static bool
read_number(const compact_view *view, const compact_event *event, const char *name, uint64_t *out)
{
    jfr_cursor cursor = event->payload;
    return find_field(view, event->type, name, &cursor) && jfr_varint_read(&cursor, out);
}

static bool
is_whole(const compact_view *view, const compact_event *event, lp_arena *arena)
{
    jfr_cursor cursor = event->payload;
    lp_buf text = {0};
    bool is_read =
        find_field(view, event->type, "keptBy", &cursor) && jfr_string_read_utf8(&cursor, &text);
    lp_buf_append(&text, "", 1);
    lp_arena_note(arena, lp_buf_check(&text));
    bool is_part =
        text.is_failed ||
        strcmp((const char *)text.ptr, compact_request_kept_name(COMPACT_REQUEST_KEPT_PARTS)) == 0;
    lp_buf_fini(&text);
    return is_read && !is_part;
}

// add_stay adds the time in which a thread worked for a request that is kept whole.
static void
add_stay(
    const compact_view *view, const compact_event *event, lp_arena *arena, compact_intervals *out)
{
    uint64_t begin;
    uint64_t duration;
    uint64_t key;
    if (!read_number(view, event, "startTime", &begin) ||
        !read_number(view, event, "duration", &duration) ||
        !read_number(view, event, "eventThread", &key) || !is_whole(view, event, arena)) {
        return;
    }
    uint32_t thread = compact_threads_find(view, key);
    if (thread != LP_MAP_NONE) {
        const compact_interval stay = {thread, (int64_t)begin, (int64_t)(begin + duration)};
        LP_ARENA_PUSH(arena, out, stay);
    }
}

static void
find_stays(const compact_frame *frame, lp_arena *arena, compact_intervals *out)
{
    const compact_view *view = frame->view;
    for (size_t i = 0; i < view->plain.count && !arena->is_failed; i++) {
        if (view->plain.items[i].is_sample) {
            continue;
        }
        const compact_event event = compact_view_event(view, view->plain.items[i].offset);
        if (is_named(view, event.type, JFR_REQUEST_TYPE)) {
            add_stay(view, &event, arena, out);
        }
    }
    compact_intervals_sort(out);
}

static void
keep_listed(const compact_frame *frame, lp_arena *arena, compact_decided *decided)
{
    compact_intervals stays = {0};
    find_stays(frame, arena, &stays);
    if (stays.count == 0 || arena->is_failed) {
        return;
    }
    compact_request_step_save_triggers(frame, arena, decided);
    for (size_t i = 0; i < frame->view->spans.count; i++) {
        // Chunks cut stays at their borders, but not events. The stays of a thread do not overlap.
        compact_span *span = &frame->view->spans.items[i];
        const compact_interval *stay = compact_intervals_find(&stays, span->thread, span->commit);
        if (span->fate == COMPACT_UNDECIDED && span->thread != COMPACT_NO_THREAD && stay != NULL &&
            stay->end >= span->begin) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
    list_kept_spans(frame, arena);
}

typedef enum parts_fate {
    PARTS_AS_DECIDED, // each on its own
    PARTS_KEPT,
    PARTS_DROPPED,
} parts_fate;

typedef struct step {
    const compact_frame *frame;
    lp_arena *arena;      // of what decided keeps
    lp_arena work;        // of parts and members
    compact_carry *carry; // the new one
    compact_decided *decided;
    compact_request_parts parts;
    compact_requests *requests;
    compact_request_members members;
    uint8_t *fates; // by request: parts_fate
} step;

static void
step_check(const step *s)
{
    LP_ASSERT(s->requests != NULL && s->parts.span_begin <= s->parts.ahead_begin);
    LP_ASSERT(s->parts.ahead_begin <= s->parts.input.part_count);
}

// --- By the rules

// bytes_of returns about how many bytes the undecided parts of a request take.
static uint64_t
bytes_of(const step *s, size_t request)
{
    step_check(s);
    enum { HEAD_BYTES = 32, EVENT_BYTES = 48 };
    uint64_t bytes = 0;
    for (size_t i = request == 0 ? 0 : s->members.ends[request - 1]; i < s->members.ends[request];
         i++) {
        uint32_t part = s->members.parts[i];
        uint32_t item = s->parts.item_of[part];
        if (part < s->parts.span_begin) {
            bytes += HEAD_BYTES + s->frame->contexts->items.items[item].values_bytes;
        } else if (part < s->parts.ahead_begin &&
                   s->frame->view->spans.items[item].fate == COMPACT_UNDECIDED) {
            bytes += EVENT_BYTES;
        }
    }
    return bytes;
}

// is_known returns whether the end of a request is known: no further part of it can come. If it is
// open where the session ends, that is unknown, as the session may only seem to end.
static bool
is_known(const compact_request *request)
{
    bool may_go_on = request->is_guessed && request->is_unended;
    return !may_go_on && (request->is_over || !request->goes_on);
}

static void
decide(step *s, const policy_requests *wanted, size_t index)
{
    step_check(s);
    LP_ASSERT(index < s->requests->items.count);
    compact_request *request = &s->requests->items.items[index];
    compact_request asked = *request;
    asked.is_over = is_known(request);
    asked.is_counted = request->is_decided; // so that its reason stays
    int64_t duration;
    if (__builtin_sub_overflow(request->end, request->begin, &duration)) {
        duration = INT64_MAX;
    }
    __int128 ns = (__int128)duration * 1000000000 / s->frame->clock.ticks_per_s;
    const compact_request_case item = {
        .request = &asked,
        .end_wall_ns = compact_clock_wall_ns(&s->frame->clock, request->end),
        .duration_ns = ns > INT64_MAX ? INT64_MAX : (int64_t)ns,
        .bytes = bytes_of(s, index),
    };
    compact_request_fate fate = {0};
    lp_arena_note(
        s->arena, compact_request_rules_decide(&s->carry->request_rules, wanted, &item, &fate));
    // A request that only seems to have ended is decided again, unless it is kept whole anyway.
    bool stays = asked.is_counted || compact_request_is_whole(fate.kept_by);
    request->is_decided = asked.is_over && (!request->is_guessed || stays);
    request->kept_by = (uint8_t)fate.kept_by;
    request->dropped_by = (uint8_t)fate.dropped_by;
    if (compact_request_is_whole(fate.kept_by)) {
        s->fates[index] = PARTS_KEPT;
        request->is_kept = true;
    } else if (fate.dropped_by == COMPACT_REQUEST_DROPPED_DROP) {
        s->fates[index] = PARTS_DROPPED;
        request->is_kept = false;
    }
}

static int
compare_ends(const void *a, const void *b, void *context)
{
    const compact_request *x = (const compact_request *)context + *(const uint32_t *)a;
    const compact_request *y = (const compact_request *)context + *(const uint32_t *)b;
    return LP_ORDER(x->end, y->end) ?: LP_ORDER(x->id, y->id);
}

static void
decide_all(step *s, const policy_requests *wanted)
{
    step_check(s);
    size_t count = s->requests->items.count;
    uint32_t *order = LP_ARENA_ARRAY(s->arena, uint32_t, count);
    s->fates = LP_ARENA_ARRAY(s->arena, uint8_t, count);
    if (order == NULL || s->fates == NULL || count == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = (uint32_t)i;
    }
    qsort_r(order, count, sizeof(*order), compare_ends, s->requests->items.items);
    for (size_t i = 0; i < count && !s->arena->is_failed; i++) {
        decide(s, wanted, order[i]);
    }
}

// --- Parts

static parts_fate
fate_of(const step *s, size_t part)
{
    uint32_t request = s->requests->request_of[part];
    return request == COMPACT_REQUEST_NONE ? PARTS_AS_DECIDED : (parts_fate)s->fates[request];
}

void
compact_request_step_add_part(
    const compact_frame *frame, uint32_t context, lp_arena *arena, compact_parts *out)
{
    const compact_window *window = &frame->window;
    const compact_context *of = &frame->contexts->items.items[context];
    compact_part part = {
        .context = context,
        .begin = of->begin > window->lo ? of->begin : window->lo,
        .end = of->end < window->hi ? of->end : window->hi - 1,
    };
    if (part.begin > part.end) {
        return;
    }
    int64_t gap = compact_clock_gap_ticks(&frame->clock);
    if (of->is_replaced && of->end == part.end && part.end - part.begin >= gap) {
        part.end -= gap;
    }
    LP_ARENA_PUSH_BESIDE(arena, out, part);
}

static void
change_contexts(step *s)
{
    step_check(s);
    compact_parts *before = &s->decided->parts;
    compact_parts after = {0};
    size_t next = 0;
    for (size_t i = 0; i < s->parts.span_begin; i++) {
        uint32_t context = s->parts.item_of[i];
        for (; next < before->count && before->items[next].context < context; next++) {
            LP_ARENA_PUSH_BESIDE(s->arena, &after, before->items[next]);
        }
        bool is_there = next < before->count && before->items[next].context == context;
        parts_fate fate = fate_of(s, i);
        if (is_there && fate != PARTS_DROPPED) {
            LP_ARENA_PUSH_BESIDE(s->arena, &after, before->items[next]);
        } else if (!is_there && fate == PARTS_KEPT &&
                   !s->frame->contexts->items.items[context].is_ignored) {
            compact_request_step_add_part(s->frame, context, s->arena, &after);
        }
        next += is_there;
    }
    for (; next < before->count; next++) {
        LP_ARENA_PUSH_BESIDE(s->arena, &after, before->items[next]);
    }
    LP_VEC_FINI(before);
    *before = after;
}

static void
change_spans(step *s)
{
    step_check(s);
    compact_view *view = s->frame->view;
    compact_request_step_save_triggers(s->frame, s->arena, s->decided);
    for (size_t i = s->parts.span_begin; i < s->parts.ahead_begin; i++) {
        compact_span *span = &view->spans.items[s->parts.item_of[i]];
        parts_fate fate = fate_of(s, i);
        if (fate == PARTS_KEPT && span->fate == COMPACT_UNDECIDED) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
        } else if (fate == PARTS_DROPPED && compact_span_is_kept(span) && !span->is_marked) {
            span->fate = COMPACT_DROPPED;
        }
    }
    list_kept_spans(s->frame, s->arena);
}

static void
apply_rules(step *s, const policy_requests *wanted)
{
    step_check(s);
    decide_all(s, wanted);
    if (s->requests->items.count > 0 && !s->arena->is_failed) {
        change_contexts(s);
        change_spans(s);
    }
    s->requests->losses.routes_over_limit += s->carry->request_rules.over_limit;
}

// --- All of it

static void
take_rules(step *s)
{
    step_check(s);
    if (s->frame->carry != NULL) {
        lp_arena_note(s->arena,
            compact_request_rules_copy(&s->frame->carry->request_rules, &s->carry->request_rules));
    }
}

// mark_tallied notes which listed requests the tally has.
static void
mark_tallied(step *s)
{
    step_check(s);
    const bool *parts = s->parts.are_tallied;
    size_t count = s->requests->items.count;
    bool *tallied = parts == NULL ? NULL : LP_ARENA_ARRAY(s->arena, bool, count);
    for (size_t i = s->parts.span_begin; tallied != NULL && i < s->parts.ahead_begin; i++) {
        if (parts[i - s->parts.span_begin]) {
            LP_ASSERT(s->requests->request_of[i] != COMPACT_REQUEST_NONE);
            tallied[s->requests->request_of[i]] = true;
        }
    }
    s->decided->are_tallied = tallied;
}

static void
keep_requests(step *s)
{
    step_check(s);
    if (!compact_request_parts_are_read(s->frame)) {
        compact_request_types_find(s->frame, &s->parts, s->arena, s->requests);
        return;
    }
    compact_request_members_find(&s->parts, s->requests, &s->work, &s->members);
    if (s->work.is_failed) {
        return;
    }
    mark_tallied(s);
    compact_request_attributes_find(s->frame, &s->parts, &s->members, s->arena, s->requests);
    const policy_requests *wanted = policy_get_requests(s->frame->options->policy);
    if (compact_request_rules_are_set(wanted) && !s->arena->is_failed) {
        apply_rules(s, wanted);
    }
}

static void
keep_hand_overs(step *s)
{
    step_check(s);
    size_t count = s->parts.input.hand_over_count;
    compact_hand_over *copy = LP_ARENA_ARRAY(s->arena, compact_hand_over, count);
    if (copy != NULL && count > 0) {
        memcpy(copy, s->parts.input.hand_overs, count * sizeof(*copy));
    }
    s->decided->hand_overs = copy;
}

static void
run(step *s, const compact_opened *opened)
{
    step_check(s);
    if (s->frame->view->sums != NULL && !compact_request_parts_are_listed(s->frame)) {
        s->decided->tally = compact_rollup_tally_create(s->frame, s->arena);
    }
    compact_request_parts_find(
        s->frame, opened, s->decided, &s->work, s->arena, s->carry, &s->parts);
    if (s->work.is_failed) {
        return;
    }
    compact_requests_make(&s->parts.input, s->arena, s->requests);
    s->requests->locals = s->parts.locals;
    s->requests->losses.over_limit += s->parts.signs_left_out;
    if (!s->arena->is_failed) {
        keep_requests(s);
        keep_hand_overs(s);
    }
    if (!s->arena->is_failed) {
        compact_requests_carry(s->requests, &s->carry->requests);
    }
    s->decided->requests = s->requests;
}

bool
compact_request_step_may_wait(const compact_frame *frame, const compact_opened *opened)
{
    LP_ASSERT(compact_frame_is_open(frame));
    return frame->options->has_requests && !compact_request_parts_are_read(frame) &&
           opened->signs.count == 0 && frame->contexts->items.count == 0 && !lists_requests(frame);
}

void
compact_request_step_run(const compact_frame *frame, const compact_opened *opened, lp_arena *arena,
    compact_carry *new_carry, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(decided->requests == NULL); // it is done once
    if (!frame->options->has_requests) {
        return;
    }
    if (lists_requests(frame)) {
        keep_listed(frame, arena, decided);
        return;
    }
    compact_requests *requests = LP_ARENA_NEW(arena, compact_requests);
    if (requests == NULL) {
        return;
    }
    step s = {
        .frame = frame,
        .arena = arena,
        .carry = new_carry,
        .decided = decided,
        .requests = requests,
    };
    take_rules(&s);
    if (!arena->is_failed) {
        run(&s, opened);
    }
    lp_arena_note(arena, lp_arena_err(&s.work));
    lp_arena_fini(&s.work);
}
