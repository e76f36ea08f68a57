// SPDX-License-Identifier: Apache-2.0
// speedscope: a profile as speedscope's JSON
// (https://www.speedscope.app/file-format-schema.json): a sampled profile for each thread, ordered
// by thread name, then by JVM, and one for amounts of no thread. Weights are amounts. Leaves such
// as [lock] are topmost.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py
// Memory:  some 60 bytes for each thread; and the text.

#ifndef LP_QUERY_SPEEDSCOPE_H
#define LP_QUERY_SPEEDSCOPE_H

#include "common/base/lp_buf.h"
#include "query/graph/profile.h"

enum { QUERY_SPEEDSCOPE_THREADS_MAX = 10000 }; // all others share one profile

// The threads, which are the groups of the profile. Threads of a JVM with the same name, or without
// one, are one thread. {0} is empty.
typedef struct query_speedscope {
    LP_VEC(struct query_speedscope_thread {
        uint32_t session; // the first source of its JVM
        uint32_t name;    // its number
        uint32_t group;
    })
    threads;
    lp_map group_of;   // by session and name
    bool is_truncated; // once it was written
} query_speedscope;

void query_speedscope_fini(query_speedscope *s);

// query_speedscope_group finds or adds the group of a context. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_speedscope_group(
    query_speedscope *s, const query_answer *answer, uint32_t *out_group);

// query_speedscope_write appends the text for a finished profile. recording returns the name of the
// recording of a source. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_speedscope_write(query_speedscope *s, const query_profile *profile,
    const char *title, const char *(*recording)(const void *arg, uint32_t source), const void *arg,
    lp_buf *out);

#endif // LP_QUERY_SPEEDSCOPE_H
