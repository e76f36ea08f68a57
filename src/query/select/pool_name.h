// SPDX-License-Identifier: Apache-2.0
// pool_name: the pool of a thread, by its name: threads whose names differ in the number at their
// end alone are of one pool.
//
// Threads: pure function, any thread.
// Tests:   tests/unit/query/list/test_pools.c

#ifndef LP_QUERY_POOL_NAME_H
#define LP_QUERY_POOL_NAME_H

enum { QUERY_POOL_NAME_BYTES = 512 }; // a longer one is cut

// query_pool_name writes the pool of a thread: its name with * for the number at its end. A name
// without a number, of digits alone, or "" is a pool of its own.
void query_pool_name(const char *thread_name, char out_name[QUERY_POOL_NAME_BYTES]);

#endif // LP_QUERY_POOL_NAME_H
