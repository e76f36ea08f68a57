// SPDX-License-Identifier: Apache-2.0
// threads: the threads of a session.
//
// Which threads chunks mean by keys that they do not describe: the thread that the last chunk
// before has under this key, or else the next one.
//
// The time of each thread (query_thread_spans), from its first event to its last. Questions about
// recordings without contexts divide it. A sample of a running thread stands for the period before
// it, so a thread begins with this period. If a setting has the period, it is known only after all
// chunks were read: then the caller moves the thread's begin.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_threads.c, tests/unit/query/run/test_run.c, tests/e2e/ask.py
// Memory:  some 60 bytes for each key, of which QUERY_THREADS_MAX are remembered; 64 bytes for each
//          thread and some 24 in a table, of which QUERY_THREAD_SPANS_MAX are remembered.

#ifndef LP_QUERY_THREADS_H
#define LP_QUERY_THREADS_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "engine/read/rows.h"

#include <stdbool.h>
#include <stdint.h>

enum { QUERY_THREADS_MAX = 1 << 20 };

// {0} has none.
typedef struct query_threads {
    lp_map first_of_key; // indexes items
    LP_VEC(struct query_threads_item {
        uint64_t identity;
        uint32_t chunk; // from which on the key means this
        uint32_t next;  // of the same key, in a later chunk; LP_MAP_NONE: none
    })
    items;
    bool is_truncated; // there were more
} query_threads;

void query_threads_fini(query_threads *threads);

// query_threads_add adds what a chunk describes. Chunks come in their order. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_threads_add(
    query_threads *threads, uint32_t chunk, const compact_view *view);

// query_threads_find returns the thread that a chunk means by a key; identity is what the chunk
// itself knows (threads.h of the engine), and returned where that is enough, or nobody knows more.
uint64_t query_threads_find(
    const query_threads *threads, uint32_t chunk, uint64_t key, uint64_t identity);

enum { QUERY_THREAD_SPANS_MAX = 1 << 20 };

// When a thread had events.
typedef struct query_thread_span {
    uint64_t thread;       // identity
    uint64_t thread_key;   // the thread's key in the chunk of its first event
    uint32_t name;         // the number of its name there, if names of threads are asked for
    uint32_t chunk;        // the number of that chunk in the session
    uint32_t sample_chunk; // of the chunk with the first sample whose period a setting has
    int64_t sample;        // ticks of this sample; INT64_MAX: there is none
    int64_t begin;         // ticks
    int64_t end;           // ticks
} query_thread_span;

// {0} has none.
typedef struct query_thread_spans {
    LP_VEC(query_thread_span) items; // in the order in which threads were met
    lp_map of_thread;                // by identity
    bool is_truncated;               // there were more
} query_thread_spans;

void query_thread_spans_fini(query_thread_spans *spans);

// query_thread_spans_add adds the span of one event, which has all members. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_spans_add(
    query_thread_spans *spans, const query_thread_span *event);

#endif // LP_QUERY_THREADS_H
