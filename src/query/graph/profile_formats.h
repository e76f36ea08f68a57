// SPDX-License-Identifier: Apache-2.0
// profile_formats: a profile as a file for other tools: pprof (pprof.c) and speedscope
// (speedscope.c).
//
// pprof (pprof.proto), compressed with gzip: a sample is the amount of a stack trace in contexts
// with the same labels. Time that nothing explains has no labels. Labels are `thread`, `trace_id`,
// `span_id`, `recording` if there are several JVMs, and the attributes with at most
// QUERY_PPROF_VALUES_MAX values, as numbers if all of them are whole.
//
//   measure      sample types
//   time         events/count time/nanoseconds
//   cpu          samples/count cpu/nanoseconds
//   alloc        samples/count alloc_space/bytes
//   lock         contentions/count delay/nanoseconds
//   park         parks/count delay/nanoseconds
//   io           operations/count delay/nanoseconds
//   count        events/count
//
// speedscope (https://www.speedscope.app/file-format-schema.json), as JSON: a sampled profile for
// each thread, ordered by thread name, then by JVM, and a profile for amounts without a thread.
// Weights are amounts. Leaves such as [lock] are topmost.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py
// Memory:  pprof: 24 bytes for each group, its ids, and 8 for each of its attributes, together at
//          most QUERY_LABEL_BYTES_MAX; some 24 more for each group in a table; attributes.h; 24 for
//          each frame; 60 and the text for each name; and the file. speedscope: some 60 bytes for
//          each thread; and the file.

#pragma once

#include "common/base/lp_buf.h"
#include "query/graph/profile.h"

// --- pprof

enum {
    QUERY_PPROF_VALUES_MAX = 100,
    QUERY_LABEL_BYTES_MAX = 64 << 20, // further contexts are of group 0
};

typedef struct query_label {
    uint32_t key;   // indexes attributes.keys
    uint32_t value; // indexes attributes.values
} query_label;

typedef struct query_label_set {
    uint32_t session;     // the first source of its JVM
    uint32_t thread_name; // the number of the thread's name
    lp_slice trace;       // "" if there is none
    lp_slice span;
    size_t count;
    query_label items[COMPACT_KIND_ATTRIBUTES_MAX];
} query_label_set;

// The groups of the profile: contexts of one JVM, thread name, trace and span (rollup_id.h), with
// the same values of the other attributes. {0} has only group 0, which has no labels.
typedef struct query_label_sets {
    query_attributes attributes;
    bool is_truncated;

    // Private:
    lp_buf bytes;
    LP_VEC(uint32_t) begins; // offsets into `bytes`, of the groups from 1 on
    lp_map group_of;         // by a hash of the group's bytes
    lp_buf made;
} query_label_sets;

void query_label_sets_fini(query_label_sets *sets);

// query_label_sets_group finds or adds the group of a context. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_label_sets_group(
    query_label_sets *sets, const query_answer *answer, uint32_t *out_group);

// query_label_sets_get reads the labels of a group other than 0, lent until the next
// query_label_sets_group.
void query_label_sets_get(const query_label_sets *sets, uint32_t group, query_label_set *out);

// The contexts of a profile. {0} has none.
typedef struct query_pprof {
    query_label_sets labels;
    bool is_truncated; // valid once the file was written

    // Private:
    bool has_times;
    int64_t begin_wall_ns;
    int64_t end_wall_ns;
    bool has_several; // contexts of several JVMs
    uint32_t session; // of the first context
} query_pprof;

void query_pprof_fini(query_pprof *pprof);

// query_pprof_prepare makes question and the profile, which is empty, ask for labels and lines.
void query_pprof_prepare(query_pprof *pprof, query_profile *profile, query_question *question);

// query_pprof_group finds the group of a context. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_pprof_group(
    query_pprof *pprof, const query_answer *answer, uint32_t *out_group);

// query_pprof_write appends the file for a finished profile. recording returns the name of the
// recording of a source. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_pprof_write(query_pprof *pprof, const query_profile *profile,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg, lp_buf *out);

// --- speedscope

enum { QUERY_SPEEDSCOPE_THREADS_MAX = 10000 }; // all others share one profile

// The threads, which are the groups of the profile. Threads of a JVM with the same name, or without
// one, are one thread. {0} is empty.
typedef struct query_speedscope {
    LP_VEC(struct query_speedscope_thread {
        uint32_t session; // the first source of its JVM
        uint32_t name;    // the number of the thread's name
        uint32_t group;
    })
    threads;
    lp_map index_of;   // by session and name
    bool is_truncated; // valid once the file was written
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
