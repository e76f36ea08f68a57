// SPDX-License-Identifier: Apache-2.0

// ask_service: answers questions, on threads of its own. Narrow questions (of one recording, of one
// instance, or of the catalog alone) have other threads than the others, which may take minutes, so
// that they do not wait for those.
//
// Threads: any thread asks; start and stop on one.
// Tests:   tests/unit/collector/ask/test_ask_work.c, tests/e2e/compare.py

#ifndef LP_COLLECTOR_ASK_ASK_SERVICE_H
#define LP_COLLECTOR_ASK_ASK_SERVICE_H

#include "collector/ask/work/ask_query.h"
#include "collector/ask/work/ask_sources.h"
#include "query/select/frame_filter.h"

enum {
    ASK_WORKERS_MAX = 2,    // questions that are answered at once, of narrow ones and of others
    ASK_WAITING_MAX = 16,   // further ones of each that wait for their turn
    ASK_ANSWER_S_MAX = 120, // that one may take, once it has its turn
    ASK_FRAME_STEPS_MAX = QUERY_FRAME_FILTER_STEPS_MAX, // of its regular expression
};

typedef struct ask_service ask_service;

// Who asks. Both are called exactly once or, is_gone, from time to time before the answer, on a
// thread of the service's or on the one that asks, and must not block.
typedef struct ask_client {
    bool (*is_gone)(void *arg);                       // nobody waits for the answer any more
    void (*on_answer)(void *arg, ask_answer *answer); // and owns it; NULL: memory ran out
    void *arg;
    bool reads_gzip; // the answer may be compressed
} ask_client;

// ask_service_start borrows the blobs and snapshots of store until ask_service_stop. Errors:
// LP_ENOMEM, for threads as well
LP_MUST_USE lp_err ask_service_start(const ask_store *store, ask_service **out_service);

// ask_service_ask takes query, which was checked, and answers it, possibly before it returns: with
// LP_EAGAIN while ASK_WAITING_MAX wait.
void ask_service_ask(ask_service *service, ask_query *query, ask_client client);

// ask_service_stop cancels what is asked, and returns when all of it was answered. Nobody may ask
// any more, and answers that are files were destroyed. NULL is fine.
void ask_service_stop(ask_service *service);

// ask_service_answer_offline answers a question of the catalog alone (ask_route's is_of_catalog)
// without a collector, for callers that may read all of it. What is wrong with the query or the
// catalog is in *out_problem, as over HTTP. The caller ends out_answer with ask_answer_destroy.
// Errors: LP_ECORRUPT of either; those of catalog_open_reader and of the route
LP_MUST_USE lp_err ask_service_answer_offline(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem);

#endif // LP_COLLECTOR_ASK_ASK_SERVICE_H
