// SPDX-License-Identifier: Apache-2.0

// ask_work: a question while it is answered: its sources, and a query (run.h) over them.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c

#ifndef LP_COLLECTOR_ASK_ASK_WORK_H
#define LP_COLLECTOR_ASK_ASK_WORK_H

#include "collector/ask/work/ask_hits.h"
#include "collector/ask/work/ask_query.h"
#include "collector/ask/work/ask_sources.h"
#include "query/events/events.h"
#include "query/list/listing.h"
#include "query/run/run.h"

enum {
    ASK_WORK_LIST_BYTES_MAX = 32 << 20, // of all rows of a list
    ASK_WORK_ROW_BYTES = 2048,          // of these for each row, beside its texts
};

typedef struct ask_work {
    const ask_query *query;
    const ask_store *store;
    ask_cancel *cancel;
    ask_hits hits;        // of a route that has_index
    ask_sources sources;  // none of a route that is_of_catalog
    query_sources chunks; // those of sources, as a query has them
    query_names names;
    query_outcome outcome;
    ask_files *files; // for answers that are files
    // Work's own: of the question that it has prepared
    lp_err (*on_context)(void *arg, const query_answer *answer);
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns);
    void *arg;
} ask_work;

// ask_work_open finds the sources of a query, and borrows store and files. Either way
// ask_work_close ends it. Errors: those of ask_sources_find
LP_MUST_USE lp_err ask_work_open(ask_work *work, const ask_store *store, ask_files *files,
    const ask_query *query, ask_cancel *cancel);
void ask_work_close(ask_work *work);

// ask_work_prepare completes a question: it sets the sources, cancellation, the selection if there
// is none yet, and wraps the callbacks.
void ask_work_prepare(ask_work *work, query_question *question);

// ask_work_run prepares a question and runs it over the sources. Errors: those of query_run
LP_MUST_USE lp_err ask_work_run(ask_work *work, query_question *question);

// ask_work_scan prepares a question and calls on_event for all events of the sources, in contexts
// or not. Errors: those of query_events_scan
LP_MUST_USE lp_err ask_work_scan(
    ask_work *work, query_question *question, query_on_event *on_event, void *arg);

// ask_work_list fills listing, which has its order and limit, with the contexts or the requests of
// the query, and reads them. Where they are more than an answer has room for (ask_work_cut), the
// last ones are left out, and the answer is truncated. Errors: those of query_run and of
// query_listing_read
LP_MUST_USE lp_err ask_work_list(ask_work *work, query_listing *listing);

// ask_work_cut leaves the first rows of a list that was read, which have bytes_max together, but
// one at least, and returns whether it has left out any.
bool ask_work_cut(query_listing *listing, const query_names *names, size_t bytes_max);

// ask_work_recording returns the id of the recording that has a source; arg is the work.
const char *ask_work_recording(const void *arg, uint32_t source);

// ask_work_answer makes json, which it takes, the answer, with "left_out": the chunks that could
// not be read, and what is damaged in others. NULL: memory ran out. Errors: as ask_answer_set_json
LP_MUST_USE lp_err ask_work_answer(const ask_work *work, json_t *json, ask_answer *out_answer);

// ask_work_answer_file completes an answer whose body, type and file name are there.
// Errors: LP_ELIMIT over ASK_ANSWER_BYTES_MAX, with the problem in *answer
LP_MUST_USE lp_err ask_work_answer_file(const ask_work *work, ask_answer *answer);

#endif // LP_COLLECTOR_ASK_ASK_WORK_H
