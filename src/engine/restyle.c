// SPDX-License-Identifier: Apache-2.0
#include "engine/restyle.h"

#include "engine/compact.h"
#include "engine/contexts/contexts.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/show/survey.h"
#include "engine/write/write.h"
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

// --- The thread of samples

static bool
has_samples(const compact_schema *schema)
{
    bool has = false;
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        has |= compact_schema_is_sample(schema, i);
    }
    return has;
}

static lp_err
keep_rows(compact_view *view)
{
    for (size_t i = 0; i < view->plain.count; i++) {
        if (view->plain.items[i].fate != COMPACT_KEPT) {
            view->plain.items[i].fate = COMPACT_KEPT_BY_CONTEXT;
        }
    }
    for (size_t i = 0; i < view->spans.count; i++) {
        compact_span span = view->spans.items[i];
        span.fate = COMPACT_KEPT;
        LP_TRY(LP_VEC_ADD(&view->kept_spans, span));
    }
    return LP_OK;
}

static lp_err
write_all(compact_view *view, lp_buf *out_jfr, lp_problem *problem)
{
    const jfr_chunk_info *info = &view->info;
    const compact_clock clock = {info->start_wall_ns, info->start_ticks, info->ticks_per_s};
    compact_contexts contexts;
    compact_contexts_init(&contexts, &view->arena);
    const compact_source source = {.jfr = view->chunk};
    const compact_options options = {.has_sample_contexts = true};
    const compact_frame frame = {
        .source = &source,
        .options = &options,
        .view = view,
        .contexts = &contexts,
        .clock = clock,
        .shown = clock,
        .metadata_salt = view->schema->metadata.id,
        .is_first = true, // the output describes all types of the chunk
    };
    const compact_decided decided = {0};
    compact_output output = {0};
    lp_err err = keep_rows(view);
    LP_THEN(err, compact_write(&frame, &decided, NULL, &output, problem));
    if (err == LP_OK) {
        *out_jfr = output.jfr;
        output.jfr = (lp_buf){0};
    }
    compact_output_fini(&output);
    compact_contexts_fini(&contexts);
    return err;
}

lp_err
compact_sample_contexts_add(lp_slice chunk, lp_buf *out_jfr, lp_problem *out_problem)
{
    compact_view view;
    LP_TRY(compact_view_open(&view, chunk, NULL, false, NULL, out_problem));
    lp_err err;
    if (!has_samples(view.schema)) {
        lp_buf_append(out_jfr, chunk.ptr, chunk.len);
        err = lp_buf_check(out_jfr);
    } else {
        err = write_all(&view, out_jfr, out_problem);
    }
    LP_THEN(err, compact_damage_refuse(&view.damage, COMPACT_REFUSED_UNREADABLE, out_problem));
    compact_view_close(&view);
    return err;
}
