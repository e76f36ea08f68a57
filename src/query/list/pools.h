// SPDX-License-Identifier: Apache-2.0
// pools: what the threads of JVMs did, by the pool that they belong to (pool_name.h). The answers
// of a query (run.h) about threads, added up.
//
//   {"pools": [{"pool": "http-nio-8080-exec-*", "threads": 10, "samples": 812,
//      "cpu_ns": 16240000000, "alloc_bytes": 52428800, "blocked_ns": 91000000000,
//      "waits": {"lock": 1000000000, "park": 90000000000}}, ..],
//    "pool_count": 41, "is_truncated": false}
//
// The threads without a name are the pool "". A selection with `pool` has the threads of one.
// cpu_ns is a period for each sample of a running thread. waits has the time in which threads
// waited, by category, each moment once as why.h divides it; blocked_ns is their sum. The pool with
// most CPU comes first, then that with most waits.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_pools.c
// Memory:  some 150 bytes for each pool, of which QUERY_POOLS_MAX are told apart.

#ifndef LP_QUERY_POOLS_H
#define LP_QUERY_POOLS_H

#include "query/run/run.h"

#include <jansson.h>

enum { QUERY_POOLS_MAX = 4096 }; // threads of further ones are left out

typedef struct query_pool {
    uint32_t name; // the number of its pattern
    uint64_t threads;
    uint64_t samples;
    int64_t cpu_ns;
    int64_t alloc_bytes;
    int64_t blocked_ns;
    int64_t waits_ns[TIME_CATEGORY_COUNT]; // of those in which a thread is blocked
} query_pool;

// With names and nothing else it has none.
typedef struct query_pools {
    query_names *names; // those of the query; borrowed
    LP_VEC(query_pool) items;
    lp_map by_name;
    bool is_truncated;
} query_pools;

void query_pools_fini(query_pools *pools);

// query_pools_prepare makes question, which is about threads, ask for what pools need.
void query_pools_prepare(query_question *question);

// query_pools_add adds a thread (to a query_pools), as on_context of a prepared question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_pools_add(void *pools, const query_answer *answer);

// query_pools_finish puts them in order once all threads were added.
void query_pools_finish(query_pools *pools);

// query_pools_json returns the first `limit` pools of a finished list, as an object that the caller
// owns; NULL where memory ran out.
json_t *query_pools_json(const query_pools *pools, size_t limit, const query_outcome *outcome);

#endif // LP_QUERY_POOLS_H
