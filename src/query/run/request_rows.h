// SPDX-License-Identifier: Apache-2.0
// request_rows: what happened in a request, as an answer has it (run.h): the events in its
// stays, one stay after the other, and the time that counts for each (request_times.h). Behind them
// are rows that are in no stay:
//
//   TIME_QUEUED     for each hand-over: its frame is the pool of the thread that took the task
//   TIME_ELSEWHERE  the time in which nothing of the request is known; there is one if it is not 0
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_query_requests.c
// Memory:  112 bytes for each event of the request, and that of request_times.h

#ifndef LP_QUERY_REQUEST_ROWS_H
#define LP_QUERY_REQUEST_ROWS_H

#include "query/run/request_times.h"
#include "query/run/run.h"

// {0} has none yet.
typedef struct query_request_rows {
    LP_VEC(query_row) rows;
    query_span_list spans;
    LP_VEC(query_request_stay) stays;
    LP_VEC(query_request_wait) waits;
    query_span_list stay_spans; // of the stay that is added
    query_request_room room;
} query_request_rows;

void query_request_rows_fini(query_request_rows *rows);

// query_request_context returns what a request has in common with a context: its times, place, type
// and attributes. It lies in no other one.
query_context query_request_context(const query_request *request);

// query_request_rows_begin begins the rows of a request.
void query_request_rows_begin(query_request_rows *rows);

// query_request_rows_add adds the rows of its next stay, with spans by clock. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_rows_add(query_request_rows *rows, const query_context *stay,
    query_row_range range, query_rows_room *room, const jfr_clock *clock);

// query_request_rows_divide divides the time of answer, which has its request, clock, times and
// pauses, and lends it the rows, with their spans and what is left, until query_request_rows_begin.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_request_rows_divide(query_request_rows *rows,
    const query_contexts *contexts, const query_question *question, time_span *pauses,
    query_answer *answer);

#endif // LP_QUERY_REQUEST_ROWS_H
