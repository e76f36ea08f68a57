// SPDX-License-Identifier: Apache-2.0
#include "engine/compact.h"

#include "common/base/lp_assert.h"
#include "engine/damage.h"
#include "engine/job/job.h"
#include "engine/read/context_sums.h"

#include <stdlib.h>

typedef struct opened {
    compact_view view;
    compact_sums sums;         // of the view, if options have has_rollup
    compact_view *ahead_views; // parallel to aheads
    compact_ahead *aheads;
    size_t ahead_count;
    LP_VEC(compact_interval) far; // of all later sources
} opened;

static lp_err
open_init(opened *o, const compact_source *nexts, size_t count)
{
    *o = (opened){
        .ahead_views = calloc(count + 1, sizeof(*o->ahead_views)),
        .aheads = calloc(count + 1, sizeof(*o->aheads)),
        .ahead_count = count,
    };
    if (o->ahead_views == NULL || o->aheads == NULL) {
        o->ahead_count = 0;
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        o->aheads[i].source = &nexts[i];
        LP_REQUIRE(LP_VEC_RESERVE(&o->far, nexts[i].interval_count), LP_ENOMEM);
        for (size_t k = 0; k < nexts[i].interval_count; k++) {
            o->far.items[o->far.count++] = nexts[i].intervals[k];
        }
    }
    return LP_OK;
}

static void
open_fini(opened *o)
{
    compact_view_close(&o->view);
    compact_sums_fini(&o->sums);
    for (size_t i = 0; i < o->ahead_count; i++) {
        compact_view_close(&o->ahead_views[i]);
    }
    free(o->ahead_views);
    free(o->aheads);
    LP_VEC_FINI(&o->far);
}

static bool
may_filter(const compact_frame *f)
{
    bool may = (f->carry != NULL && !compact_filters_is_empty(&f->carry->filters)) ||
               f->source->filter_count > 0;
    for (size_t i = 0; i < f->ahead_count; i++) {
        may |= f->aheads[i].source->filter_count > 0;
    }
    return may;
}

// open_aheads opens the views of the readable ones. Errors: LP_ENOMEM
static lp_err
open_aheads(opened *o, const policy *rules, bool is_filtered)
{
    for (size_t i = 0; i < o->ahead_count; i++) {
        lp_err err = compact_view_open(
            &o->ahead_views[i], o->aheads[i].source->jfr, rules, is_filtered, o->view.schema, NULL);
        LP_REQUIRE(err != LP_ENOMEM, err);
        o->aheads[i].view = err == LP_OK ? &o->ahead_views[i] : NULL;
    }
    return LP_OK;
}

static lp_err
run(compact_job *j, opened *o, compact_result *result, lp_problem *problem)
{
    compact_frame *f = &j->frame;
    const policy *rules = f->options->policy;
    bool is_filtered = may_filter(f);
    o->sums.has_traces = f->options->has_traces;
    lp_err err = compact_view_open_counted(&o->view, f->source->jfr, rules, is_filtered,
        f->options->has_rollup ? &o->sums : NULL, problem);
    if (err == LP_OK) {
        f->view = &o->view;
        err = open_aheads(o, rules, is_filtered);
    }
    LP_THEN(err, compact_job_decide(j, problem));
    LP_THEN(err, compact_job_find_requests(j));
    LP_THEN(err, compact_job_write(j, result, problem));
    result->ids = o->sums.ids;
    o->sums.ids = (rollup_ids){0};
    return err;
}

lp_err
compact_chunk(const compact_source *chunk, const compact_source *nexts, size_t next_count,
    const compact_carry *carry, const compact_options *options, compact_result *out_result,
    lp_problem *out_problem)
{
    LP_ASSERT(next_count == 0 || nexts != NULL);
    opened o;
    lp_err err = open_init(&o, nexts, next_count);
    compact_job j;
    compact_job_init(&j, &(compact_frame){
                             .source = chunk,
                             .aheads = o.aheads,
                             .ahead_count = o.ahead_count,
                             .far = o.far.items,
                             .far_count = o.far.count,
                             .carry = carry,
                             .options = options,
                         });
    compact_result result = {0};
    rollup_init(&result.rollup);
    if (out_problem != NULL) {
        *out_problem = (lp_problem){.text = ""};
    }

    LP_THEN(err, run(&j, &o, &result, out_problem));
    if (err == LP_OK) {
        result.carry = j.new_carry;
        j.new_carry = NULL;
        *out_result = result;
    } else {
        compact_result_fini(&result);
        if (out_problem != NULL && out_problem->text[0] == '\0') {
            (void)lp_problem_set(out_problem, err, "%s", lp_err_text(err));
        }
    }
    compact_job_fini(&j);
    open_fini(&o);
    return err;
}

void
compact_result_fini(compact_result *result)
{
    lp_buf_fini(&result->jfr);
    LP_VEC_FINI(&result->pieces);
    compact_stats_fini(&result->stats);
    compact_carry_destroy(result->carry);
    rollup_fini(&result->rollup);
    rollup_ids_fini(&result->ids);
    *result = (compact_result){0};
}
