// SPDX-License-Identifier: Apache-2.0
#include "engine/compact.h"

#include "engine/damage.h"
#include "engine/job/job.h"

// may_filter returns whether a filter of the JVM may hold in the chunk.
static bool
may_filter(const compact_frame *f)
{
    return (f->carry != NULL && !compact_filters_is_empty(&f->carry->filters)) ||
           f->source->filter_count > 0 || (f->next != NULL && f->next->filter_count > 0);
}

// run does the steps of a job whose views are opened here.
static lp_err
run(compact_job *j, compact_view *view, compact_view *ahead, compact_result *result,
    lp_problem *problem)
{
    compact_frame *f = &j->frame;
    const policy *rules = f->options->policy;
    bool is_filtered = may_filter(f);
    lp_err err = compact_view_open(view, f->source->jfr, rules, is_filtered, NULL, problem);
    if (err != LP_OK) {
        return err;
    }
    f->view = view;
    if (f->next != NULL) {
        err = compact_view_open(ahead, f->next->jfr, rules, is_filtered, view->schema, NULL);
        f->ahead = err == LP_OK ? ahead : NULL;
    }
    if (err == LP_ENOMEM) {
        return err;
    }
    err = compact_job_decide(j, problem);
    return err == LP_OK ? compact_job_write(j, result, problem) : err;
}

lp_err
compact_chunk(const compact_source *chunk, const compact_source *next, const compact_carry *carry,
    const compact_options *options, compact_result *out_result, lp_problem *out_problem)
{
    compact_job j;
    compact_job_init(
        &j, &(compact_frame){.source = chunk, .next = next, .carry = carry, .options = options});
    compact_view view = {0};
    compact_view ahead = {0};
    compact_result result = {0};
    if (out_problem != NULL) {
        *out_problem = (lp_problem){.text = ""};
    }

    lp_err err = run(&j, &view, &ahead, &result, out_problem);
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
    compact_view_close(&view);
    compact_view_close(&ahead);
    return err;
}

void
compact_result_fini(compact_result *result)
{
    lp_buf_fini(&result->jfr);
    compact_stats_fini(&result->stats);
    compact_carry_destroy(result->carry);
    *result = (compact_result){0};
}
