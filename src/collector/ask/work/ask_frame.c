// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/work/ask_frame.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

lp_err
ask_frame_prepare(void *own, lp_problem *problem)
{
    ask_frame *frame = own;
    return frame->pattern == NULL
               ? LP_OK
               : query_frame_filter_init(&frame->filter, "frame", frame->pattern, problem);
}

query_frame_filter *
ask_frame_filter(const ask_work *work)
{
    LP_ASSERT(work->query->route->own_bytes >= sizeof(ask_frame));
    ask_frame *frame = work->query->own;
    frame->filter.steps_max = work->store->frame_steps_max;
    return frame->pattern == NULL ? NULL : &frame->filter;
}

lp_err
ask_frame_refuse(const query_frame_filter *filter, ask_answer *out_answer)
{
    if (filter != NULL && query_frame_filter_check(filter, &out_answer->problem) != LP_OK) {
        metrics_add(METRICS_ask_frames_exceeded, 1);
    }
    return LP_ELIMIT;
}
