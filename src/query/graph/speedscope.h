// SPDX-License-Identifier: Apache-2.0
// speedscope: a profile as speedscope's own JSON
// (https://www.speedscope.app/file-format-schema.json): a sampled profile for each thread, in the
// order of their names, then of their JVMs, and one for what is of no thread. The weights of its
// samples are amounts. Frames that say what went on are topmost.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py
// Memory:  some 60 bytes for each thread; and the text.

#ifndef LP_QUERY_SPEEDSCOPE_H
#define LP_QUERY_SPEEDSCOPE_H

#include "common/base/lp_buf.h"
#include "query/graph/profile.h"

enum { QUERY_SPEEDSCOPE_THREADS_MAX = 10000 }; // those of all others are one profile

// The threads, which are the groups of the profile. {0} has none. Those with one name in a JVM,
// such as virtual threads without one, are one.
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

// query_speedscope_group finds the group of a context. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_speedscope_group(
    query_speedscope *s, const query_answer *answer, uint32_t *out_group);

// query_speedscope_write appends the text for a profile that is finished. recording returns the
// name of the recording that has a source. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_speedscope_write(query_speedscope *s, const query_profile *profile,
    const char *title, const char *(*recording)(const void *arg, uint32_t source), const void *arg,
    lp_buf *out);

#endif // LP_QUERY_SPEEDSCOPE_H
