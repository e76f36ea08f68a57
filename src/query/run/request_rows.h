// SPDX-License-Identifier: Apache-2.0
// request_rows: the rows of a request in an answer (run.h): the events in its stays, one stay after
// the other, with the time of each (request_times.h). Behind them are rows outside the stays:
//
//   TIME_QUEUED     for each hand-over; its frame is the pool of the thread that took the task
//   TIME_ELSEWHERE  for the time in which nothing of the request is known, unless it is 0
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  112 bytes for each event of the request; request_times.h

#pragma once

#include "query/run/question.h"
#include "query/run/request_times.h"

// {0} is empty.
typedef struct query_request_rows {
    LP_VEC(query_row) rows;
    query_span_list spans;
    LP_VEC(query_request_stay) stays;
    LP_VEC(query_request_wait) waits;
    query_span_list stay_spans; // of the last stay
    query_request_room room;
} query_request_rows;

void query_request_rows_fini(query_request_rows *rows);

// query_request_context returns the times, place, type and attributes of a request as a context,
// without parents.
query_context query_request_context(const query_request *request);

void query_request_rows_begin(query_request_rows *rows);

// query_request_rows_add adds the rows of the request's next stay. clock converts their ticks to
// the times of spans. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_rows_add(query_request_rows *rows, const query_context *stay,
    query_row_range range, query_rows_room *room, const jfr_clock *clock);

// query_request_rows_divide divides the time of answer, whose request, clock, times and pauses are
// set, and sets its rows, spans and left_ns. They are valid until query_request_rows_begin. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err query_request_rows_divide(query_request_rows *rows,
    const query_contexts *contexts, const query_question *question, time_span *pauses,
    query_answer *answer);
