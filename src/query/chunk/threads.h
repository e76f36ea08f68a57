// SPDX-License-Identifier: Apache-2.0
// threads: the threads of a session.
//
// A chunk may use a thread's key without describing the thread. query_threads_find then returns the
// thread that the last earlier chunk describes under the key, or else the first later chunk.
//
// query_thread_spans has the time of each thread, from its first event to its last, for recordings
// without contexts. A sample of a running thread stands for the period before it, so a thread
// begins one period before its first sample. If the period is a setting, it is known only after all
// chunks: the caller then moves the begin.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_threads.c, tests/unit/query/run/test_run.c, tests/e2e/ask.py
// Memory:  about 60 bytes for each key, at most QUERY_THREADS_MAX; 64 bytes for each thread and
//          about 24 in a table, at most QUERY_THREAD_SPANS_MAX.

#pragma once

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
        uint32_t chunk; // from which on the key has this identity
        uint32_t next;  // the key's next item, of a later chunk; LP_MAP_NONE: none
    })
    items;
    bool is_truncated; // a limit was reached
} query_threads;

void query_threads_fini(query_threads *threads);

// query_threads_add adds the threads that a chunk describes. Add chunks in their order. Errors:
// LP_ENOMEM
LP_MUST_USE lp_err query_threads_add(
    query_threads *threads, uint32_t chunk, const compact_view *view);

// query_threads_find returns the thread that a chunk means by a key. identity is that of the key in
// this chunk (threads.h of the engine). The result is identity if this chunk describes the thread,
// or if no chunk does.
uint64_t query_threads_find(
    const query_threads *threads, uint32_t chunk, uint64_t key, uint64_t identity);

enum { QUERY_THREAD_SPANS_MAX = 1 << 20 };

// When a thread had events.
typedef struct query_thread_span {
    uint64_t thread;       // identity
    uint64_t thread_key;   // in the chunk of its first event
    uint32_t name;         // in names, if the question wants names of threads
    uint32_t chunk;        // index in the session of the chunk of its first event
    uint32_t sample_chunk; // index of the chunk with its first sample whose period is a setting
    int64_t sample;        // ticks of this sample; INT64_MAX: none
    int64_t begin;         // ticks
    int64_t end;           // ticks
} query_thread_span;

// {0} has none.
typedef struct query_thread_spans {
    LP_VEC(query_thread_span) items; // in order of first events
    lp_map of_thread;                // by identity
    bool is_truncated;               // a limit was reached
} query_thread_spans;

void query_thread_spans_fini(query_thread_spans *spans);

// query_thread_spans_add adds the span of one event, with all members set. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_thread_spans_add(
    query_thread_spans *spans, const query_thread_span *event);
