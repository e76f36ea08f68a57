// SPDX-License-Identifier: Apache-2.0
#include "engine/job/also/also.h"

#include "common/base/lp_assert.h"
#include "engine/job/request/request_step.h"

void
compact_also_add(
    const compact_frame *frame, lp_arena *arena, compact_decided *judged, compact_decided *decided)
{
    LP_ASSERT(compact_frame_is_open(frame) && frame->options->also != NULL);
    compact_request_step_save_triggers(frame, arena, judged);
    *decided = *judged;
    decided->parts = (compact_parts){0};
    compact_also_times times = {0};
    if (!arena->is_failed) {
        compact_also_times_find(frame, judged, arena, &times);
    }
    if (!arena->is_failed) {
        decided->also_requests = times.requests;
        decided->has_asked = times.has_asked;
        compact_also_rows_add(frame, &times, arena);
        decided->parts = compact_also_rows_parts(frame, &times, &judged->parts, arena);
    }
}
