// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_step.h"

#include "engine/job/request_attributes.h"
#include "engine/job/request_parts.h"
#include "engine/read/view.h"
#include "engine/requests/request_kept.h"
#include "engine/requests/requests.h"

#include <string.h>

typedef struct step {
    const compact_frame *frame;
    lp_arena *arena;
    compact_carry *carry;
    compact_decided *decided;
    compact_request_parts parts;
    compact_requests *requests;
    compact_request_members members;
} step;

// is_told returns whether the chunk has events that say which requests there are: Loupe has written
// it.
static bool
is_told(const compact_frame *frame)
{
    const jfr_metadata *metadata = &frame->view->schema->metadata;
    for (size_t i = 0; i < metadata->types.count; i++) {
        const jfr_type *type = &metadata->types.items[i];
        const char *name = jfr_metadata_text(metadata, type->name);
        if (type->is_event && (strcmp(name, COMPACT_REQUEST_EVENT) == 0 ||
                                  strcmp(name, COMPACT_REQUEST_ACCOUNT_EVENT) == 0)) {
            return true;
        }
    }
    return false;
}

// --- What is kept without them

static void
note_kept(step *s, size_t part)
{
    uint32_t request = s->requests->request_of[part];
    if (request != COMPACT_REQUEST_NONE) {
        compact_request *kept = &s->requests->items.items[request];
        kept->is_kept = true;
        kept->kept_by =
            kept->kept_by == COMPACT_REQUEST_KEPT_NO ? COMPACT_REQUEST_KEPT_PARTS : kept->kept_by;
    }
}

static void
find_kept(step *s)
{
    const compact_parts *kept = &s->decided->parts;
    size_t next = 0; // both ascend by context
    for (size_t i = 0; i < s->parts.span_begin; i++) {
        uint32_t context = s->parts.item_of[i];
        while (next < kept->count && kept->items[next].context < context) {
            next++;
        }
        if (next < kept->count && kept->items[next].context == context) {
            note_kept(s, i);
        }
    }
    for (size_t i = s->parts.span_begin; i < s->parts.ahead_begin; i++) {
        if (compact_span_is_kept(&s->frame->view->spans.items[s->parts.item_of[i]])) {
            note_kept(s, i);
        }
    }
}

// --- All of it

static void
run(step *s)
{
    compact_request_members_find(&s->parts, s->requests, s->arena, &s->members);
    if (s->arena->is_failed) {
        return;
    }
    find_kept(s);
    compact_request_attributes_find(s->frame, &s->parts, &s->members, s->arena, s->requests);
}

void
compact_request_step_run(const compact_frame *frame, const compact_opened *opened, lp_arena *arena,
    compact_carry *new_carry, compact_decided *decided)
{
    if (!frame->options->has_requests || is_told(frame)) {
        return;
    }
    step s = {
        .frame = frame,
        .arena = arena,
        .carry = new_carry,
        .decided = decided,
        .requests = LP_ARENA_NEW(arena, compact_requests),
    };
    compact_request_parts_find(frame, opened, arena, new_carry, &s.parts);
    if (arena->is_failed) {
        return;
    }
    compact_requests_make(&s.parts.input, arena, s.requests);
    if (!arena->is_failed) {
        run(&s);
    }
    new_carry->requests.arena = &new_carry->arena;
    if (!arena->is_failed) {
        compact_requests_carry(&s.parts.input, s.requests, &new_carry->requests);
    }
    decided->requests = s.requests;
    decided->hand_overs = s.parts.input.hand_overs;
}
