// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact.h"

#include "collector/compact/compact_job.h"

static lp_err
open_views(compact_job *j, const policy *rules, lp_problem *problem)
{
    lp_err err = compact_view_open(&j->view, j->chunk->jfr, rules, problem);
    if (err != LP_OK || j->next == NULL) {
        return err;
    }
    err = compact_view_open(&j->ahead, j->next->jfr, rules, NULL);
    j->has_ahead = err == LP_OK;
    if (j->has_ahead) {
        compact_view_borrow_identities(&j->view, &j->ahead);
        compact_view_borrow_identities(&j->ahead, &j->view);
    }
    return err == LP_ENOMEM ? err : LP_OK;
}

static lp_err
take_carry(compact_job *j)
{
    j->new_carry = compact_carry_create();
    if (j->new_carry == NULL) {
        return LP_ENOMEM;
    }
    if (j->carry == NULL) {
        return LP_OK;
    }
    lp_err err =
        compact_carry_add_types(j->new_carry, j->carry->types.items, j->carry->types.count);
    return err != LP_OK
               ? err
               : compact_contexts_copy(&j->carry->contexts, INT64_MIN, &j->new_carry->contexts);
}

// note_written_ahead tells which of the chunk's contexts have a part in the chunk before already.
static void
note_written_ahead(compact_job *j)
{
    compact_contexts *known = &j->new_carry->contexts;
    size_t next = 0; // both lists ascend
    for (size_t i = j->carried_count; j->carry != NULL && i < known->items.count; i++) {
        compact_context *context = &known->items.items[i];
        while (next < j->carry->written_ahead.count &&
               j->carry->written_ahead.items[next] < context->id) {
            next++;
        }
        context->is_written = next < j->carry->written_ahead.count &&
                              j->carry->written_ahead.items[next] == context->id;
    }
}

static lp_err
read_records(compact_job *j, lp_problem *problem)
{
    compact_contexts *known = &j->new_carry->contexts;
    j->carried_count = known->items.count;
    lp_err err = compact_carry_add_types(j->new_carry, j->chunk->types, j->chunk->type_count);
    if (err == LP_OK) {
        err = compact_contexts_feed(known, j->chunk->records, problem);
    }
    note_written_ahead(j);
    if (err == LP_OK) {
        err = compact_contexts_copy(known, INT64_MIN, &j->contexts);
    }
    if (err == LP_OK && j->next != NULL) {
        err = compact_carry_add_types(j->new_carry, j->next->types, j->next->type_count);
        err = err == LP_ELIMIT ? LP_OK : err; // it is an error when the chunk's turn comes
    }
    if (err == LP_OK && j->next != NULL) {
        err = compact_contexts_feed(&j->contexts, j->next->records, NULL);
        err = err == LP_ECORRUPT ? LP_OK : err; // what is readable of it has been heeded
    }
    return err;
}

// end_of_chunk is the last tick that anything in the chunk speaks of.
static int64_t
end_of_chunk(const compact_job *j)
{
    const jfr_chunk_info *info = &j->view.info;
    __int128 duration = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    __int128 header_end = info->start_ticks + duration;
    int64_t end = j->view.commit_max;
    if (header_end > end && header_end < INT64_MAX / 2) {
        end = (int64_t)header_end;
    }
    for (size_t i = 0; i < j->contexts.items.count; i++) {
        const compact_context *context = &j->contexts.items.items[i];
        int64_t last = context->end == COMPACT_OPEN_END ? context->begin : context->end;
        end = last > end ? last : end;
    }
    return end;
}

static compact_window
window_of(const compact_job *j)
{
    compact_window window = {
        .lo = j->carry == NULL ? INT64_MIN : j->carry->border_ticks,
        .hi = j->has_ahead ? j->ahead.info.start_ticks : compact_ticks_add(end_of_chunk(j), 1),
    };
    if (window.hi < window.lo) {
        window.hi = window.lo;
    }
    if (window.hi == INT64_MIN) { // there is a tick before its end
        window.hi++;
    }
    return window;
}

compact_clock
compact_job_clock(const compact_job *j)
{
    const jfr_chunk_info *info = &j->view.info;
    if (j->carry != NULL && j->carry->clock.metadata_id == j->view.metadata.id &&
        j->carry->clock.ticks_per_s == info->ticks_per_s) {
        return j->carry->clock;
    }
    return (compact_clock){
        .start_wall_ns = info->start_wall_ns,
        .start_ticks = info->start_ticks,
        .ticks_per_s = info->ticks_per_s,
        .metadata_id = j->view.metadata.id,
    };
}

static lp_err
run(compact_job *j, const policy *rules, compact_result *result, lp_problem *problem)
{
    lp_err err = open_views(j, rules, problem);
    if (err == LP_OK) {
        err = take_carry(j);
    }
    if (err == LP_OK) {
        err = read_records(j, problem);
    }
    if (err == LP_OK) {
        j->window = window_of(j);
        err = compact_decide(&j->view, j->has_ahead ? &j->ahead : NULL, &j->contexts, j->carry,
            j->window, &j->parts);
    }
    if (err == LP_OK) {
        const compact_write_input in = {
            .view = &j->view,
            .parts = &j->parts,
            .contexts = &j->contexts,
            .types = j->new_carry->types.items,
            .type_count = j->new_carry->types.count,
            .clock = compact_job_clock(j),
        };
        err = compact_write(&in, &j->output, problem);
    }
    if (err == LP_OK) {
        err = compact_job_tally(j, &result->stats);
    }
    return err == LP_OK ? compact_job_remember(j) : err;
}

lp_err
compact_chunk(const compact_source *chunk, const compact_source *next, const compact_carry *carry,
    const policy *rules, compact_result *out_result, lp_problem *out_problem)
{
    compact_job j = {.chunk = chunk, .next = next, .carry = carry};
    compact_result result = {0};
    compact_contexts_init(&j.contexts);
    if (out_problem != NULL) {
        *out_problem = (lp_problem){.text = ""};
    }

    lp_err err = run(&j, rules, &result, out_problem);
    if (err == LP_OK) {
        result.jfr = j.output.jfr;
        j.output.jfr = (lp_buf){0};
        result.carry = j.new_carry;
        j.new_carry = NULL;
        *out_result = result;
    } else {
        compact_result_fini(&result);
        if (out_problem != NULL && out_problem->text[0] == '\0') {
            (void)lp_problem_set(out_problem, err, "%s", lp_err_text(err));
        }
    }
    compact_view_close(&j.view);
    compact_view_close(&j.ahead);
    compact_carry_destroy(j.new_carry);
    compact_contexts_fini(&j.contexts);
    LP_VEC_FINI(&j.parts);
    compact_output_fini(&j.output);
    return err;
}
