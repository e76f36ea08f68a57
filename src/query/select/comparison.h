// SPDX-License-Identifier: Apache-2.0
// comparison: a selection and, optionally, a base to compare it with. The base has the same
// parameters with the prefix base_. With base=rest the base is all contexts that have the
// selection's service, instance, version, recording, from, to and context, but are not selected.
//
// Threads: one thread at a time while it is read; then any.
// Tests:   tests/unit/query/select/test_selection.c

#pragma once

#include "query/select/selection.h"

typedef struct query_comparison {
    query_selection selection;
    query_selection base;
    bool has_base;
} query_comparison;

// query_comparison_begin returns the selection of all contexts, without a base.
query_comparison query_comparison_begin(bool is_of_options);

// query_comparison_set sets a parameter of the selection or the base, as query_selection_set does,
// or base=rest.
LP_MUST_USE lp_err query_comparison_set(
    query_comparison *comparison, const char *name, const char *value, lp_problem *out_problem);

// query_comparison_finish completes the base and checks both selections (query_selection_check).
// Errors: LP_ECORRUPT with both parameters in *out_problem
LP_MUST_USE lp_err query_comparison_finish(query_comparison *comparison, lp_problem *out_problem);
