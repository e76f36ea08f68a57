// SPDX-License-Identifier: Apache-2.0
// thread_rows: the rows of a session's threads, and its pauses, that contexts or requests may still
// need.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  at most QUERY_ROWS_MAX rows (rows.h), and about 80 bytes for each thread with contexts.
// A
//          thread with rows takes room for at least 16 of them.

#pragma once

#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "query/run/contexts.h"
#include "query/run/rows.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { QUERY_ROWS_MAX = 1 << 22 }; // events in memory at a time; further ones are left out

// A thread with contexts.
typedef struct query_thread_group {
    uint32_t first; // of its contexts
    uint32_t count;
    uint32_t answered; // contexts before this one are answered
    query_rows rows;
} query_thread_group;

// {0} is empty. Callers only read, and find rows of pauses.
typedef struct query_thread_rows {
    lp_map group_of; // by thread
    LP_VEC(query_thread_group) groups;
    LP_VEC(uint32_t) filled; // the groups that have rows
    query_rows pauses;
    size_t count; // of rows in all lists
} query_thread_rows;

void query_thread_rows_fini(query_thread_rows *rows);

// query_thread_rows_begin adds the threads of the finished contexts. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_rows_begin(query_thread_rows *rows, const query_contexts *contexts);

// query_thread_rows_get lends the rows of a thread, which has contexts, until the thread is added
// to or dropped from.
query_rows *query_thread_rows_get(query_thread_rows *rows, uint64_t thread);

// query_thread_rows_find returns a thread's group if one of its contexts was open at a time, or
// NULL.
query_thread_group *query_thread_rows_find(
    query_thread_rows *rows, const query_contexts *contexts, uint64_t thread, int64_t ticks);

bool query_thread_rows_is_full(const query_thread_rows *rows);

// query_thread_rows_add adds a row to a group, or to the pauses if group is NULL. There is room.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_rows_add(
    query_thread_rows *rows, query_thread_group *group, const query_row *row);

// query_thread_rows_drop drops the rows that are only in contexts, or requests, that ended before
// horizon, and the pauses before begin_min.
void query_thread_rows_drop(
    query_thread_rows *rows, const query_contexts *contexts, int64_t horizon, int64_t begin_min);
