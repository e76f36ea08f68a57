// SPDX-License-Identifier: Apache-2.0
// pool_name: the pool of a thread, derived from its name. Threads whose names differ only in a
// number at the end form a pool.
//
// Threads: any thread; pure function.
// Tests:   tests/unit/query/list/test_pools.c

#pragma once

enum { QUERY_POOL_NAME_BYTES = 512 }; // a longer one is cut

// query_pool_name writes the thread's name with * for the number at its end. A name without a
// number at its end, a name of digits alone, and "" are pools by themselves.
void query_pool_name(const char *thread_name, char out_name[QUERY_POOL_NAME_BYTES]);
