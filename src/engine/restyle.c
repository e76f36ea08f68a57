// SPDX-License-Identifier: Apache-2.0
#include "engine/restyle.h"

#include "engine/compact.h"
#include "engine/show/survey.h"
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

// By default, contexts in which nothing happened would be dropped.
static const char keep_all[] = "<configuration version=\"2.0\"><event name=\"*\">"
                               "<setting name=\"select\">all</setting></event></configuration>";

struct compact_restyler {
    compact_context_style style;
    bool has_sample_contexts;
    policy *rules;
    compact_survey survey;
};

compact_restyler *
compact_restyler_create(compact_context_style style, bool has_sample_contexts)
{
    compact_restyler *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    *self = (compact_restyler){
        .style = style,
        .has_sample_contexts = has_sample_contexts,
        .rules = policy_create(),
    };
    lp_problem problem;
    const lp_slice text = {(const uint8_t *)keep_all, strlen(keep_all)};
    if (self->rules == NULL ||
        policy_parse(self->rules, "context-style", text, &problem) != LP_OK) {
        compact_restyler_destroy(self);
        return NULL;
    }
    return self;
}

void
compact_restyler_destroy(compact_restyler *restyler)
{
    if (restyler != NULL) {
        compact_survey_fini(&restyler->survey); // before the policy, which its schema borrows
        policy_destroy(restyler->rules);
        free(restyler);
    }
}

lp_err
compact_restyler_survey(compact_restyler *restyler, lp_slice chunk)
{
    return compact_survey_add(&restyler->survey, chunk, restyler->rules);
}

lp_err
compact_restyler_write(const compact_restyler *restyler, lp_slice chunk, lp_slice next,
    compact_result *out_result, lp_problem *out_problem)
{
    const compact_options options = {
        .policy = restyler->rules,
        .refused = COMPACT_REFUSED_UNREADABLE,
        .has_sample_contexts = restyler->has_sample_contexts,
        .style = restyler->style,
        .survey = &restyler->survey,
    };
    const compact_source source = {.jfr = chunk};
    const compact_source behind = {.jfr = next};
    return compact_chunk(
        &source, &behind, next.len > 0 ? 1 : 0, NULL, &options, out_result, out_problem);
}
