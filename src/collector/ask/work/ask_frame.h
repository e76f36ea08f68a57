// SPDX-License-Identifier: Apache-2.0
// ask_frame: the parameter `frame` of a route, a regular expression for frames (frame_filter.h).
//
// The values of a route with this parameter begin with an ask_frame; its pattern is the parameter.
// The route's `prepare` is ask_frame_prepare, because compiling takes too long for the threads of
// HTTP.
//
// Threads: as in ask_query.h.
// Tests:   tests/unit/collector/ask/test_ask.c, tests/unit/collector/ask/test_ask_work.c

#pragma once

#include "collector/ask/work/ask_work.h"
#include "query/select/frame_filter.h"

typedef struct ask_frame {
    const char *pattern; // NULL: none was given
    query_frame_filter filter;
} ask_frame;

LP_MUST_USE lp_err ask_frame_prepare(void *own, lp_problem *problem);

// ask_frame_filter returns the filter of a question, with the store's limit, borrowed until the
// query ends; NULL if the question has none.
query_frame_filter *ask_frame_filter(const ask_work *work);

// If the filter has reached its limit, ask_frame_refuse sets the answer's problem and counts the
// question. filter may be NULL. Always returns LP_ELIMIT.
LP_MUST_USE lp_err ask_frame_refuse(const query_frame_filter *filter, ask_answer *out_answer);
