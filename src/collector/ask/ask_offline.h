// SPDX-License-Identifier: Apache-2.0
// ask_offline: answers a question of the catalog alone (ask_route's is_of_catalog) without a
// collector, for who may read all of it.
//
// Threads: one thread at a time.
// Tests:   tests/e2e/compare.py

#ifndef LP_COLLECTOR_ASK_ASK_OFFLINE_H
#define LP_COLLECTOR_ASK_ASK_OFFLINE_H

#include "collector/ask/work/ask_answer.h"
#include "collector/ask/work/ask_query.h"

// ask_offline_answer asks the catalog at a place, as a route does. What is wrong with the query is
// in *out_problem, as over HTTP, or what is wrong with the catalog. The caller ends out_answer with
// ask_answer_destroy. Errors: LP_ECORRUPT of either; those of catalog_open_reader and of the route
LP_MUST_USE lp_err ask_offline_answer(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem);

#endif // LP_COLLECTOR_ASK_ASK_OFFLINE_H
