// SPDX-License-Identifier: Apache-2.0

// ask_service: answers questions on its own threads. Narrow questions (of one recording, of one
// instance, or of the catalog alone) have threads of their own, so that they do not wait for
// questions that take minutes.
//
// Threads: any thread asks; start and stop on one.
// Tests:   tests/unit/collector/ask/test_ask_work.c, tests/e2e/compare.py

#pragma once

#include "collector/ask/work/ask_query.h"
#include "collector/ask/work/ask_sources.h"
#include "query/select/frame_filter.h"

enum {
    ASK_WORKERS_MAX = 2,    // questions answered at once, narrow ones and others each
    ASK_WAITING_MAX = 16,   // further ones that wait, narrow ones and others each
    ASK_ANSWER_S_MAX = 120, // for an answer, without waiting
    ASK_FRAME_STEPS_MAX = QUERY_FRAME_FILTER_STEPS_MAX, // of the regular expression of a question
};

typedef struct ask_service ask_service;

// The client of a question. Its functions are called on a thread of the service or on the one that
// asks, and must not block.
typedef struct ask_client {
    bool (*is_gone)(void *arg); // from time to time: nobody waits for the answer any more
    void (*on_answer)(void *arg, ask_answer *answer); // once; takes ownership. NULL: out of memory
    void *arg;
    bool reads_gzip; // the answer may be compressed
} ask_client;

// ask_service_start borrows the blobs and snapshots of store until ask_service_stop.
// Errors: LP_ENOMEM, also if a thread cannot be started
LP_MUST_USE lp_err ask_service_start(const ask_store *store, ask_service **out_service);

// ask_service_ask answers a query that was checked, possibly before it returns: with LP_EAGAIN
// while ASK_WAITING_MAX wait. Takes ownership of query.
void ask_service_ask(ask_service *service, ask_query *query, ask_client client);

// ask_service_stop cancels all questions, and returns when all of them are answered. Nobody may ask
// any more, and answers that are files were destroyed. NULL is fine.
void ask_service_stop(ask_service *service);

// ask_service_answer_offline answers a question of the catalog alone (ask_route's is_of_catalog)
// without a collector; the caller may read all recordings. The caller ends *out_answer with
// ask_answer_destroy. Errors: LP_ECORRUPT of the query or the catalog, as catalog_open_reader, and
// as the route, with the reason in *out_problem
LP_MUST_USE lp_err ask_service_answer_offline(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem);
