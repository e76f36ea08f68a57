// SPDX-License-Identifier: Apache-2.0
#include "engine/job/request_step.h"

#include "engine/job/request_attributes.h"
#include "engine/job/request_keep.h"
#include "engine/job/request_parts.h"
#include "engine/job/request_told.h"
#include "engine/requests/request_rules_bytes.h"
#include "engine/requests/requests.h"

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
    if (!frame->options->has_requests) {
        return;
    }
    if (compact_request_told_is(frame)) {
        compact_request_told_keep(frame, arena, decided);
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
