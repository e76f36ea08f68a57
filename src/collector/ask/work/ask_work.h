// SPDX-License-Identifier: Apache-2.0

// ask_work: a question while it is being answered: its sources, and queries (run.h) over them.
//
// Threads: the worker that answers.
// Tests:   tests/unit/collector/ask/test_ask_work.c

#pragma once

#include "collector/ask/work/ask_hits.h"
#include "collector/ask/work/ask_query.h"
#include "collector/ask/work/ask_sources.h"
#include "query/events/events.h"
#include "query/list/listing.h"
#include "query/run/run.h"

enum {
    ASK_WORK_LIST_BYTES_MAX = 32 << 20, // of all rows of a list
    ASK_WORK_ROW_BYTES = 2048,          // counted for each row, besides its texts
};

// What a list of the slowest did not look at (ask_slowest.h). {0}: it looked at everything.
typedef struct ask_unread {
    uint64_t chunks;     // stored ones
    int64_t longest_ns;  // the longest duration in them; CATALOG_LONGEST_UNKNOWN
    uint64_t recordings; // running ones, whose uncompacted data was not looked at
} ask_unread;

typedef struct ask_work {
    const ask_query *query;
    const ask_store *store;
    ask_cancel *cancel;
    ask_hits hits;        // of a route that has_index
    ask_sources sources;  // empty for a route that is_of_catalog
    query_sources chunks; // of sources
    query_names names;
    query_outcome outcome;
    ask_unread unread;
    ask_files *files; // for answers in files
    // Private: the callbacks of the prepared question
    lp_err (*on_context)(void *arg, const query_answer *answer);
    bool (*wants_events)(void *arg, int64_t begin_wall_ns, int64_t duration_ns);
    void *arg;
} ask_work;

// ask_work_open finds the sources of a query, unless its route lists_slowest. Borrows store and
// files. The caller calls ask_work_close, even after an error. Errors: as ask_hits_find and
// ask_sources_find
LP_MUST_USE lp_err ask_work_open(ask_work *work, const ask_store *store, ask_files *files,
    const ask_query *query, ask_cancel *cancel);
void ask_work_close(ask_work *work);

// ask_work_check asserts the invariants of an open work.
void ask_work_check(const ask_work *work);

// ask_work_prepare completes a question: it sets the sources, the cancellation, and the selection
// if it is not set, and wraps the callbacks.
void ask_work_prepare(ask_work *work, query_question *question);

// ask_work_run prepares a question and runs it over the sources. Errors: as query_run
LP_MUST_USE lp_err ask_work_run(ask_work *work, query_question *question);

// ask_work_scan prepares a question and calls on_event for all events of the sources, whether or
// not they are in contexts. Errors: as query_events_scan
LP_MUST_USE lp_err ask_work_scan(
    ask_work *work, query_question *question, query_on_event *on_event, void *arg);

// ask_work_list reads the contexts or the requests of the query into listing. listing has the order
// and the limit. If its rows exceed ASK_WORK_LIST_BYTES_MAX, the last rows are dropped, and the
// answer counts as truncated. Errors: as query_run and query_listing_read
LP_MUST_USE lp_err ask_work_list(ask_work *work, query_listing *listing);

// ask_work_take_sources makes chunks of the present sources. Errors: LP_ENOMEM
LP_MUST_USE lp_err ask_work_take_sources(ask_work *work);

// ask_work_read_list finishes the list of a run, and reads its rows. Errors: as query_listing_read
LP_MUST_USE lp_err ask_work_read_list(ask_work *work, query_listing *listing);

// ask_work_cut drops the last rows, as many as exceed bytes_max, but never the first row. Returns
// whether it dropped any.
bool ask_work_cut(query_listing *listing, const query_names *names, size_t bytes_max);

// ask_work_recording returns the id of the recording of a source; arg is the ask_work.
const char *ask_work_recording(const void *arg, uint32_t source);

// ask_work_answer adds "left_out" to json and makes json the answer. left_out counts chunks that
// could not be read, and damage in other chunks. Takes ownership of json, which may be NULL if
// memory ran out. Errors: as ask_answer_set_json
LP_MUST_USE lp_err ask_work_answer(const ask_work *work, json_t *json, ask_answer *out_answer);

// ask_work_answer_file sets is_truncated and left_out of a download whose other members are set.
// Errors: LP_ELIMIT over ASK_ANSWER_BYTES_MAX, with the problem in *answer
LP_MUST_USE lp_err ask_work_answer_file(const ask_work *work, ask_answer *answer);
