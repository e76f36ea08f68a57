// SPDX-License-Identifier: Apache-2.0
// pools: CPU, allocations and waits of the threads of JVMs, summed by thread pool (pool_name.h).
//
//   {"pools": [{"pool": "http-nio-8080-exec-*", "threads": 10, "samples": 812,
//      "cpu_ns": 16240000000, "alloc_bytes": 52428800, "blocked_ns": 91000000000,
//      "waits": {"lock": 1000000000, "park": 90000000000}}, ..],
//    "pool_count": 41, "is_truncated": false}
//
// Threads without a name are the pool "". cpu_ns is a period for each sample of a running thread.
// waits is the time that threads waited, by category; each moment counts once, as in why.h.
// blocked_ns is the sum of waits. Pools are sorted by CPU time, then by blocked_ns, the highest
// first.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_pools.c
// Memory:  some 150 bytes for each pool, up to QUERY_POOLS_MAX.

#pragma once

#include "query/run/run.h"

#include <jansson.h>

enum { QUERY_POOLS_MAX = 4096 }; // threads of further pools are left out

typedef struct query_pool {
    uint32_t name; // the number of its pattern
    uint64_t threads;
    uint64_t samples;
    int64_t cpu_ns;
    int64_t alloc_bytes;
    int64_t blocked_ns;
    int64_t waits_ns[TIME_CATEGORY_COUNT]; // only of categories that block a thread
} query_pool;

// To begin, set names; all other members are 0.
typedef struct query_pools {
    query_names *names; // the question's; borrowed
    LP_VEC(query_pool) items;
    lp_map by_name;
    bool is_truncated;
} query_pools;

void query_pools_fini(query_pools *pools);

// query_pools_prepare makes question, which is about threads, ask for the parts that pools need.
void query_pools_prepare(query_question *question);

// query_pools_add adds a thread to pools, a query_pools. Pass it as on_context of a prepared
// question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_pools_add(void *pools, const query_answer *answer);

// query_pools_finish sorts the pools once all threads were added.
void query_pools_finish(query_pools *pools);

// query_pools_json returns the object with the first limit pools; NULL if out of memory. The caller
// owns it.
json_t *query_pools_json(const query_pools *pools, size_t limit, const query_outcome *outcome);
