// SPDX-License-Identifier: Apache-2.0
// request_step: finds the requests of a chunk, decides which are kept, and keeps or drops their
// parts. It follows compact_decide. A part that is kept only for its request triggers nothing.
//
// A request is decided with the chunk in which its end becomes known. If the policy selects whole
// requests, and a request continues after the chunk or is open at the end of the session, its parts
// so far are kept.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/request/test_request_step.c, tests/e2e/access_log.py

#pragma once

#include "common/base/lp_arena.h"
#include "engine/carry/carry.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/job/frame_open.h"

#include <stdbool.h>
#include <stdint.h>

// compact_request_step_run finds the requests, if the options ask for them. It adds their kept
// parts to decided and to the kept contextual events of the view, and stores the open requests in
// new_carry. Errors: in arena, which owns all additions to decided, and in new_carry->arena
void compact_request_step_run(const compact_frame *frame, const compact_opened *opened,
    lp_arena *arena, compact_carry *new_carry, compact_decided *decided);

// compact_request_step_may_wait returns whether only the output and the requests of later chunks
// depend on the requests of this chunk. Then other chunks may be decided before
// compact_request_step_run is called, or meanwhile: it writes only requests, request_rules,
// signs_seen and contexts_seen of new_carry, and its arena, and no decision reads these. A chunk
// with contexts of the API may not wait: their maps are forgotten once it is decided.
bool compact_request_step_may_wait(const compact_frame *frame, const compact_opened *opened);

// compact_request_step_save_triggers copies the contextual events that are kept so far, for events
// that happened in them, unless decided has such a copy. Call it before others are kept. Errors: in
// arena
void compact_request_step_save_triggers(
    const compact_frame *frame, lp_arena *arena, compact_decided *decided);

// compact_request_step_add_part adds the part of a context in the window to out, if there is one.
// It ends earlier if the next context of its type begins there, as in compact_decider_end_part.
// Errors: in arena
void compact_request_step_add_part(
    const compact_frame *frame, uint32_t context, lp_arena *arena, compact_parts *out);
