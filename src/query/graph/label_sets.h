// SPDX-License-Identifier: Apache-2.0
// label_sets: what contexts are told apart by, as groups of a profile: their JVM, their thread's
// name, trace and span id (attributes that are called so, rollup_id.h), and the attributes with few
// values. Contexts that have all of these in common are one group.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py
// Memory:  24 bytes for each group and its ids and 8 for each of its attributes, of which
//          QUERY_LABEL_BYTES_MAX are remembered, and some 24 for each group in a table; and that of
//          attributes.h.

#ifndef LP_QUERY_LABEL_SETS_H
#define LP_QUERY_LABEL_SETS_H

#include "query/run/run.h"

enum { QUERY_LABEL_BYTES_MAX = 64 << 20 }; // contexts beyond are of group 0

typedef struct query_label {
    uint32_t key;   // indexes attributes.keys
    uint32_t value; // indexes attributes.values
} query_label;

typedef struct query_label_set {
    uint32_t session;     // the first source of its JVM
    uint32_t thread_name; // its number
    lp_slice trace;       // "" if there is none
    lp_slice span;
    size_t count;
    query_label items[COMPACT_KIND_ATTRIBUTES_MAX];
} query_label_set;

// {0} has none but group 0, which has no labels.
typedef struct query_label_sets {
    query_attributes attributes;
    bool is_truncated;

    // The rest is label_sets' own.
    lp_buf bytes;
    LP_VEC(uint32_t) begins; // in bytes, of the groups from 1 on
    lp_map group_of;         // by a hash of these bytes
    lp_buf made;
} query_label_sets;

void query_label_sets_fini(query_label_sets *sets);

// query_label_sets_prepare makes question ask for what is needed.
void query_label_sets_prepare(query_label_sets *sets, query_question *question);

// query_label_sets_group finds the group of a context. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_label_sets_group(
    query_label_sets *sets, const query_answer *answer, uint32_t *out_group);

// query_label_sets_get reads the labels of a group that is not 0. They are lent until the next
// query_label_sets_group.
void query_label_sets_get(const query_label_sets *sets, uint32_t group, query_label_set *out);

#endif // LP_QUERY_LABEL_SETS_H
