// SPDX-License-Identifier: Apache-2.0
#include "query/select/frame_filter.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_quote.h"

#include <inttypes.h>
#include <string.h>

lp_err
query_frame_filter_init(
    query_frame_filter *filter, const char *parameter, const char *pattern, lp_problem *out_problem)
{
    lp_problem reason;
    lp_err err = query_expression_compile(&filter->expression, pattern, &reason);
    if (err != LP_OK) {
        return lp_problem_set(out_problem, err, "%s '%s': not a regular expression: %s", parameter,
            lp_quote_text(pattern).text, reason.text);
    }
    filter->parameter = parameter;
    filter->steps = 0;
    filter->steps_max = QUERY_FRAME_FILTER_STEPS_MAX;
    return LP_OK;
}

lp_err
query_frame_filter_match(query_frame_filter *filter, const char *name, bool *out_matches)
{
    LP_ASSERT(filter->steps_max > 0);
    LP_ASSERT(filter->expression.state_count > 0); // it is compiled
    const lp_slice text = {(const uint8_t *)name, strnlen(name, QUERY_FRAME_FILTER_NAME_BYTES)};
    *out_matches = query_expression_matches(&filter->expression, text, &filter->steps);
    return query_frame_filter_check(filter, NULL);
}

lp_err
query_frame_filter_check(const query_frame_filter *filter, lp_problem *out_problem)
{
    LP_ASSERT(filter->parameter != NULL);
    if (filter->steps <= filter->steps_max) {
        return LP_OK;
    }
    return lp_problem_set(out_problem, LP_ELIMIT,
        "%s: comparing this expression with the names of frames takes more than %" PRIu64
        " steps: use one with fewer repetitions, or select fewer requests",
        filter->parameter, filter->steps_max);
}
