// SPDX-License-Identifier: Apache-2.0
// comparison: a selection and, where one is asked for, the base that it is compared with. The base
// has the same parameters with base_ before their names; or base=rest makes it all contexts with
// the selection's service, instance, recording, from, to and context that the selection does not
// have.
//
// Threads: one thread at a time while it is read; then any.
// Tests:   tests/unit/query/select/test_selection.c

#ifndef LP_QUERY_COMPARISON_H
#define LP_QUERY_COMPARISON_H

#include "query/select/selection.h"

typedef struct query_comparison {
    query_selection selection;
    query_selection base;
    bool has_base;
} query_comparison;

// query_comparison_begin returns the selection of everything, without a base.
query_comparison query_comparison_begin(bool is_of_options);

// query_comparison_set sets a parameter of either, as query_selection_set does; `base` as well.
LP_MUST_USE lp_err query_comparison_set(
    query_comparison *comparison, const char *name, const char *value, lp_problem *out_problem);

// query_comparison_finish makes the base, and finds parameters that exclude each other.
// Errors: LP_ECORRUPT with both of them in *out_problem
LP_MUST_USE lp_err query_comparison_finish(query_comparison *comparison, lp_problem *out_problem);

#endif // LP_QUERY_COMPARISON_H
