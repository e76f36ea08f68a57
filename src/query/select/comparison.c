// SPDX-License-Identifier: Apache-2.0
#include "query/select/comparison.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <string.h>

static const char prefix[] = "base_";

query_comparison
query_comparison_begin(bool is_of_options)
{
    query_comparison comparison = {
        .selection = query_selection_begin(is_of_options),
        .base = query_selection_begin(is_of_options),
    };
    comparison.base.is_base = true;
    comparison.base.now_wall_ns = comparison.selection.now_wall_ns;
    return comparison;
}

static lp_err
set_rest(query_comparison *comparison, const char *value, lp_problem *problem)
{
    LP_ASSERT(comparison->base.is_base && !comparison->selection.is_base);
    const query_shown_name shown = query_selection_show_name(&comparison->selection, "base");
    LP_REQUIRE(strcmp(value, "rest") == 0, lp_problem_set(problem, LP_ECORRUPT, "%s '%s': not rest",
                                               shown.text, lp_quote_text(value).text));
    LP_REQUIRE(!comparison->base.is_rest,
        lp_problem_set(problem, LP_ECORRUPT, "%s: given twice", shown.text));
    comparison->has_base = true;
    comparison->base.is_rest = true;
    return LP_OK;
}

lp_err
query_comparison_set(
    query_comparison *comparison, const char *name, const char *value, lp_problem *out_problem)
{
    LP_ASSERT(comparison->base.is_base && !comparison->selection.is_base);
    if (strcmp(name, "base") == 0) {
        return set_rest(comparison, value, out_problem);
    }
    if (strncmp(name, prefix, sizeof(prefix) - 1) == 0) {
        comparison->has_base = true;
        return query_selection_set(
            &comparison->base, name + sizeof(prefix) - 1, value, out_problem);
    }
    return query_selection_set(&comparison->selection, name, value, out_problem);
}

static void
make_rest(const query_selection *selection, query_selection *base)
{
    LP_ASSERT(base->is_rest && base->is_base);
    base->service = selection->service;
    base->instance = selection->instance;
    base->version = selection->version;
    base->recording = selection->recording;
    base->context = selection->context;
    base->from_wall_ns = selection->from_wall_ns;
    base->to_wall_ns = selection->to_wall_ns;
}

lp_err
query_comparison_finish(query_comparison *comparison, lp_problem *out_problem)
{
    LP_ASSERT(comparison->base.is_base || !comparison->has_base);
    const char *given = query_selection_given(&comparison->base);
    LP_TRY(query_selection_check(&comparison->selection, out_problem));
    if (comparison->base.is_rest && given != NULL) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "%s: rest has no %s",
            query_selection_show_name(&comparison->selection, "base").text,
            query_selection_show_name(&comparison->base, given).text);
    }
    if (comparison->base.is_rest) {
        make_rest(&comparison->selection, &comparison->base);
    }
    return query_selection_check(&comparison->base, out_problem);
}
