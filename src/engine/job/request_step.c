// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_step.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_string.h"
#include "engine/job/request_attributes.h"
#include "engine/job/request_keep.h"
#include "engine/job/request_parts.h"
#include "engine/read/threads.h"
#include "engine/read/view.h"
#include "engine/requests/request_rules.h"
#include "engine/requests/request_rules_bytes.h"
#include "engine/requests/requests.h"

#include <stdlib.h>
#include <string.h>

// --- Chunks that Loupe has written, in which events say which requests there are. These are not
// looked for again. What was kept for a whole request is kept again, although nothing happened in
// it, and triggers nothing.

// A stretch in which a thread worked for a request that is kept whole.
typedef struct told_stay {
    uint32_t thread; // indexes view->threads
    int64_t begin;   // ticks
    int64_t end;
} told_stay;

typedef LP_VEC(told_stay) told_stays;

static bool
is_named(const compact_view *view, uint32_t type, const char *name)
{
    const jfr_metadata *metadata = &view->schema->metadata;
    const jfr_type *t = &metadata->types.items[type];
    return t->is_event && strcmp(jfr_metadata_text(metadata, t->name), name) == 0;
}

// is_told returns whether a chunk has events that say which requests there are.
static bool
is_told(const compact_frame *frame)
{
    for (uint32_t i = 0; i < frame->view->schema->metadata.types.count; i++) {
        if (is_named(frame->view, i, JFR_REQUEST_TYPE) ||
            is_named(frame->view, i, COMPACT_REQUEST_ACCOUNT_EVENT)) {
            return true;
        }
    }
    return false;
}

// find_field moves cursor to the field of this name. False if the event has none.
static bool
find_field(const compact_view *view, uint32_t type, const char *name, jfr_cursor *cursor)
{
    const compact_schema *schema = view->schema;
    const jfr_type *t = &schema->metadata.types.items[type];
    uint32_t field = jfr_metadata_find_field(&schema->metadata, t, name);
    if (field == JFR_NONE) {
        return false;
    }
    const jfr_program before = {
        .begin = schema->layout.types.items[type].begin,
        .end = schema->layout.field_ops.items[field],
    };
    return jfr_layout_walk(&schema->layout, before, cursor);
}

static bool
read_number(const compact_view *view, const compact_event *event, const char *name, uint64_t *out)
{
    jfr_cursor cursor = event->payload;
    return find_field(view, event->type, name, &cursor) && jfr_varint_read(&cursor, out);
}

// is_whole returns whether an event is of a request that was kept with all its parts.
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

static void
add_stay(const compact_view *view, const compact_event *event, lp_arena *arena, told_stays *out)
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
        const told_stay stay = {thread, (int64_t)begin, (int64_t)(begin + duration)};
        LP_ARENA_PUSH(arena, out, stay);
    }
}

static int
compare_stays(const void *a, const void *b)
{
    const told_stay *x = a;
    const told_stay *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static void
find_stays(const compact_frame *frame, lp_arena *arena, told_stays *out)
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
    if (out->count > 0) {
        qsort(out->items, out->count, sizeof(*out->items), compare_stays);
    }
}

// meets_stay returns whether the last stay that begins before a contextual event ends goes on
// behind its begin: stays are cut at the borders of chunks, and events are not. Those of a thread
// do not overlap.
static bool
meets_stay(const told_stays *stays, const compact_span *span)
{
    // The first stay behind its end.
    size_t lo = LP_BISECT(stays->items, 0, stays->count,
        at->thread < span->thread || (at->thread == span->thread && at->begin <= span->commit));
    return lo > 0 && stays->items[lo - 1].thread == span->thread &&
           stays->items[lo - 1].end >= span->begin;
}

// keep_told keeps the contextual events that lie in stays of whole requests. It
// follows compact_decide. Errors: as of arena
static void
keep_told(const compact_frame *frame, lp_arena *arena, compact_decided *decided)
{
    told_stays stays = {0};
    find_stays(frame, arena, &stays);
    if (stays.count == 0 || arena->is_failed) {
        return;
    }
    compact_request_keep_begin(frame, arena, decided);
    for (size_t i = 0; i < frame->view->spans.count; i++) {
        compact_span *span = &frame->view->spans.items[i];
        if (span->fate == COMPACT_UNDECIDED && span->thread != COMPACT_NO_THREAD &&
            meets_stay(&stays, span)) {
            span->fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
    compact_request_keep_end(frame, arena);
}

typedef struct step {
    const compact_frame *frame;
    lp_arena *arena;
    compact_carry *carry;
    compact_decided *decided;
    compact_request_parts parts;
    compact_requests *requests;
    compact_request_members members;
} step;

// --- All of it

// take_rules takes what the rules have seen in earlier chunks.
static void
take_rules(step *s)
{
    if (s->frame->carry != NULL) {
        lp_arena_note(s->arena,
            compact_request_rules_copy(&s->frame->carry->request_rules, &s->carry->request_rules));
    }
}

static void
run(step *s)
{
    compact_request_members_find(&s->parts, s->requests, s->arena, &s->members);
    if (s->arena->is_failed) {
        return;
    }
    compact_request_keep_find(s->frame, &s->parts, s->decided, s->requests);
    compact_request_attributes_find(s->frame, &s->parts, &s->members, s->arena, s->requests);
    if (!s->arena->is_failed) {
        compact_request_keep_decide(s->frame, &s->parts, &s->members, &s->carry->request_rules,
            s->arena, s->requests, s->decided);
        s->requests->losses.routes_over_limit += s->carry->request_rules.over_limit;
    }
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
    if (is_told(frame)) {
        keep_told(frame, arena, decided);
        return;
    }
    step s = {
        .frame = frame,
        .arena = arena,
        .carry = new_carry,
        .decided = decided,
        .requests = LP_ARENA_NEW(arena, compact_requests),
    };
    take_rules(&s);
    compact_request_parts_find(frame, opened, arena, new_carry, &s.parts);
    if (arena->is_failed) {
        return;
    }
    compact_requests_make(&s.parts.input, arena, s.requests);
    s.requests->losses.over_limit += s.parts.signs_left_out;
    if (!arena->is_failed) {
        run(&s);
    }
    new_carry->requests.arena = &new_carry->arena;
    if (!arena->is_failed) {
        compact_requests_carry(s.requests, &new_carry->requests);
    }
    decided->requests = s.requests;
    decided->hand_overs = s.parts.input.hand_overs;
}
