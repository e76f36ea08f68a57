// SPDX-License-Identifier: Apache-2.0
// facets: the values of the attributes of a selection's contexts. Each value has the number of
// contexts with this value, in the selection and in the base, and their durations.
//
// Every context counts, even a context within another context. Null is not a value.
//
//   {"contexts": 212, "base_contexts": 20811, "keys": [{"key": "path", "label": "", "distinct": 9,
//    "search_only": false, "values": [{"value": "/orders", "count": 200, "base_count": 10,
//    "total_ns": 90, "p99_ns": 7, "lift": 1963.3, "histogram": [[11, 150], [12, 50]]}],
//    "other": {"count": 12, "base_count": ..}}], "is_truncated": false}
//
// The pairs of a histogram are a bucket of histogram.h (-1: zero) and its count. Keys are in the
// order of their names. A member is null if it is unknown or does not apply:
//
//   p99_ns, histogram  if memory for histograms was used up
//   lift               if the base does not have the value
//   base_count         if the question has no base
//   distinct           if the key is search_only
//   other              if all values are listed
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/list/test_facets.c
// Memory:  some 80 bytes for each value and key (attributes.h), and QUERY_FACETS_BYTES_MAX of
//          histograms; durations beyond are in no histogram.

#pragma once

#include "common/rollup/histogram.h"
#include "query/run/run.h"

#include <jansson.h>

enum { QUERY_FACETS_BYTES_MAX = 64 << 20 };

// The contexts with a value, or with any value of a key.
typedef struct query_facet {
    uint64_t count;
    uint64_t base_count;
    int64_t total_ns;
    histogram lengths; // fewer than count if memory for histograms was used up
} query_facet;

typedef LP_VEC(query_facet) query_facet_list;

// To begin, set attributes; all other members are 0.
typedef struct query_facets {
    const query_attributes *attributes; // the question's
    uint64_t contexts;
    uint64_t base_contexts;
    query_facet_list of_key;   // parallel to the keys of attributes, or shorter
    query_facet_list of_value; // parallel to its values, or shorter
    bool is_truncated;
    lp_arena arena; // of histograms
    uint64_t bytes; // private
} query_facets;

void query_facets_fini(query_facets *facets);

// query_facets_add adds a context to facets, a query_facets. Pass it as on_context of a question
// for contexts only. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_facets_add(void *facets, const query_answer *answer);

// query_facets_lift returns the share of the selection's contexts that a facet has, divided by its
// share of the base's contexts. NAN if it has none of the base's, or the selection has no contexts.
double query_facets_lift(const query_facets *facets, const query_facet *facet);

// query_facets_order writes the keys of the selection's contexts, in the order of their names, and
// returns their number.
size_t query_facets_order(const query_facets *facets, uint32_t out_keys[QUERY_KEYS_MAX]);

// The values of a key as they are shown: the most frequent ones, and the rest together.
typedef struct query_key_facets {
    uint64_t distinct;      // values in the selection; unknown of a search_only key
    const uint32_t *values; // index the attributes' values: the most frequent first, then by text
    size_t value_count;
    query_facet other; // of all other values; of all values of a search_only key
} query_key_facets;

// query_facets_of_key returns up to limit values of a key, lent until query_facets_fini. If memory
// runs out, facets->arena fails.
query_key_facets query_facets_of_key(query_facets *facets, uint32_t key, size_t limit);

// query_facets_json returns the object, with up to limit values of each key; NULL if out of memory.
// The caller owns it.
json_t *query_facets_json(
    query_facets *facets, size_t limit, bool has_base, const query_outcome *outcome);
