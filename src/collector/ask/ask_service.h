// SPDX-License-Identifier: Apache-2.0

// ask_service: answers questions on its own threads. Narrow questions (about one recording, about
// one instance, or from the catalog alone) have their own threads, so that they do not wait for
// questions that take minutes.
//
// Threads: any thread calls ask_service_ask; start and stop on one thread.
// Tests:   tests/unit/collector/ask/test_ask_work.c, tests/e2e/compare.py

#pragma once

#include "collector/ask/work/ask_query.h"
#include "collector/ask/work/ask_sources.h"
#include "query/select/frame_filter.h"

enum {
    ASK_WORKERS_MAX = 2,    // narrow questions in work, and as many other questions
    ASK_WAITING_MAX = 16,   // waiting narrow questions, and as many other questions
    ASK_ANSWER_S_MAX = 120, // for an answer, without the time in the queue
    ASK_FRAME_STEPS_MAX = QUERY_FRAME_FILTER_STEPS_MAX, // of the regular expression of a question
};

typedef struct ask_service ask_service;

// The client of a question. Its functions are called on a thread of the service or on the asking
// thread, and must not block.
typedef struct ask_client {
    bool (*is_gone)(void *arg); // called now and then; true: nobody waits for the answer
    void (*on_answer)(void *arg, ask_answer *answer); // once; takes ownership. NULL: no memory
    void *arg;
    bool reads_gzip; // the answer may be compressed
} ask_client;

// ask_service_start borrows the blobs and snapshots of store until ask_service_stop.
// Errors: LP_ENOMEM, also if a thread cannot be started
LP_MUST_USE lp_err ask_service_start(const ask_store *store, ask_service **out_service);

// ask_service_ask answers a checked query, possibly before it returns. If ASK_WAITING_MAX
// questions of the same kind (narrow or not) wait, the answer is LP_EAGAIN. Takes ownership of
// query.
void ask_service_ask(ask_service *service, ask_query *query, ask_client client);

// ask_service_stop cancels all questions, and returns when all of them are answered. The caller has
// destroyed all answers in files, and asks nothing afterwards. NULL is fine.
void ask_service_stop(ask_service *service);

// ask_service_answer_offline answers a question from the catalog alone (is_of_catalog of
// ask_route), without a collector, from all recordings if query->caller is {0}. End *out_answer
// with ask_answer_destroy. Errors: LP_ECORRUPT for the query or the catalog; as
// catalog_open_reader and the route. *out_problem has the reason
LP_MUST_USE lp_err ask_service_answer_offline(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem);
