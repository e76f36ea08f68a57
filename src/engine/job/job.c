// SPDX-License-Identifier: Apache-2.0
#include "engine/job/job.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/context_throttle.h"
#include "engine/decide/decide.h"
#include "engine/decide/late_contexts.h"
#include "engine/decide/worth.h"
#include "engine/job/carry_make.h"
#include "engine/job/request_step.h"
#include "engine/job/rollup_contexts.h"
#include "engine/job/rollup_make.h"
#include "engine/job/sample_periods.h"
#include "engine/job/tally.h"
#include "engine/write/account.h"
#include "engine/write/write.h"

static const compact_options DEFAULTS = {0};

void
compact_job_init(compact_job *job, const compact_frame *given)
{
    LP_ASSERT(given->source != NULL);
    *job = (compact_job){.frame = *given};
    if (given->options == NULL) {
        job->frame.options = &DEFAULTS;
    }
}

// remember_judged notes what has to be known of contexts when they are judged again: that one was
// open where this chunk ended, and what context-throttle said.
static void
remember_judged(compact_job *j)
{
    compact_carry *carry = j->new_carry;
    size_t known = carry->contexts.items.count; // they are the first
    for (size_t i = 0; i < j->opened.contexts.items.count; i++) {
        const compact_context *judged = &j->opened.contexts.items.items[i];
        if (i < known) {
            carry->contexts.items.items[i].is_unmeasured = judged->is_unmeasured;
            carry->contexts.items.items[i].standing = judged->standing;
            continue;
        }
        const compact_standing_ahead ahead = {judged->id, judged->standing};
        if (ahead.standing != COMPACT_STANDING_NONE) {
            LP_ARENA_PUSH_BESIDE(&j->arena, &carry->standings_ahead, ahead);
        }
    }
}

// judge_contexts finds the contexts that matter.
static void
judge_contexts(compact_job *j)
{
    compact_worth_judge(&j->frame, &j->opened.contexts, &j->arena);
    compact_context_throttle_judge(
        &j->frame, &j->opened.contexts, &j->new_carry->quotas, &j->arena, &j->decided);
    remember_judged(j);
    j->decided.late_contexts = compact_late_contexts_count(&j->frame);
}

static bool
has_recordings(const compact_frame *frame)
{
    for (size_t i = 0; i < frame->type_count; i++) {
        if (frame->types[i].is_recording) {
            return true;
        }
    }
    return false;
}

// list_shown marks the contexts of which the output shows anything: those with a part that is kept;
// in other styles than events, all those that may apply to an event.
static void
list_shown(const compact_frame *frame, const compact_parts *parts, bool *is_shown)
{
    for (size_t i = 0; i < parts->count; i++) {
        is_shown[parts->items[i].context] = true;
    }
    for (size_t i = 0;
         frame->options->style != COMPACT_STYLE_EVENTS && i < frame->contexts->items.count; i++) {
        const compact_context *c = &frame->contexts->items.items[i];
        is_shown[i] = is_shown[i] || (!c->is_ignored && c->begin <= frame->view->commit_max);
    }
}

// make_shown_types returns the types of contexts as the output describes them, parallel to
// frame->types, in arena; NULL where nothing differs from these. RecordingContexts, which have no
// attributes in records, get one for each key, with its values in those that are shown.
static const ctx_type *
make_shown_types(compact_job *j)
{
    const compact_frame *frame = &j->frame;
    compact_contexts *contexts = &j->opened.contexts;
    if (!has_recordings(frame)) {
        return NULL;
    }
    bool *is_shown = LP_ARENA_ARRAY(&j->arena, bool, contexts->items.count);
    ctx_type *types = LP_ARENA_ARRAY(&j->arena, ctx_type, frame->type_count);
    if (j->arena.is_failed) {
        return NULL;
    }
    list_shown(frame, &j->decided.parts, is_shown);
    for (size_t i = 0; i < frame->type_count; i++) {
        const ctx_type *type = &frame->types[i];
        types[i] = type->is_recording ? compact_recordings_show(
                                            &j->new_carry->recordings, contexts, is_shown, type)
                                      : ctx_type_copy_in(&j->arena, type);
    }
    return types;
}

// show_contexts prepares the contexts for the output.
static lp_err
show_contexts(compact_job *j)
{
    compact_decided *decided = &j->decided;
    const ctx_type *shown = make_shown_types(j);
    decided->types = shown != NULL ? shown : j->frame.types;
    if (j->arena.is_failed || j->frame.options->style == COMPACT_STYLE_EVENTS) {
        return lp_arena_err(&j->arena);
    }
    return compact_style_begin(&j->frame, decided, &j->style);
}

// count_gone is called before contexts are marked as written, and before any is forgotten.
static void
count_gone(compact_job *j)
{
    compact_dropped *gone = LP_ARENA_ARRAY(&j->arena, compact_dropped, j->frame.type_count + 1);
    if (gone != NULL) {
        compact_account_contexts(&j->frame, &j->new_carry->contexts, &j->decided.parts, gone);
    }
    j->decided.contexts_gone = gone;
}

static lp_err
decide(compact_job *j)
{
    judge_contexts(j);
    lp_err err = lp_arena_err(&j->arena);
    LP_THEN(err, compact_decide(&j->frame, j->new_carry, &j->decided));
    if (err == LP_OK) {
        compact_request_step_run(&j->frame, &j->opened, &j->arena, j->new_carry, &j->decided);
        err = lp_arena_err(&j->arena);
    }
    LP_THEN(err, show_contexts(j));
    if (err != LP_OK) {
        return err;
    }
    count_gone(j);
    if (j->frame.view->sums != NULL) {
        compact_sample_periods_find(&j->frame);
        compact_rollup_contexts_count(&j->frame, &j->new_carry->contexts, &j->decided.parts);
        lp_arena_note(&j->arena, lp_arena_err(&j->frame.view->sums->arena));
    }
    compact_carry_make(&j->frame, &j->decided, &j->arena, j->new_carry);
    compact_late_contexts_carry(&j->frame, &j->arena, j->new_carry);
    return lp_arena_err(&j->arena);
}

lp_err
compact_job_decide(compact_job *job, lp_problem *out_problem)
{
    LP_ASSERT(job->new_carry == NULL && job->frame.view != NULL); // it is decided once
    job->new_carry = compact_carry_create();
    lp_err err = job->new_carry == NULL ? LP_ENOMEM
                                        : compact_frame_open(&job->frame, job->new_carry,
                                              &job->arena, &job->opened, out_problem);
    LP_THEN(err, decide(job));
    LP_VEC_FINI(&job->frame.view->spans);
    LP_VEC_FINI(&job->frame.view->sure);
    LP_VEC_FINI(&job->frame.view->strays);
    return err;
}

// refuse_damage makes an error of the first damage that is not wanted.
static lp_err
refuse_damage(const compact_frame *frame, lp_problem *problem)
{
    const lp_problem *found =
        compact_damage_find_refused(&frame->view->damage, frame->options->refused);
    if (found != NULL && problem != NULL) {
        *problem = *found;
    }
    return found == NULL ? LP_OK : LP_ECORRUPT;
}

lp_err
compact_job_write(compact_job *job, compact_result *out_result, lp_problem *out_problem)
{
    const compact_frame *frame = &job->frame;
    LP_ASSERT(compact_frame_is_open(frame) && job->decided.contexts_gone != NULL); // it is decided
    compact_output output = {0};
    lp_err err = compact_write(frame, &job->decided, job->style, &output, out_problem);
    LP_THEN(err, refuse_damage(frame, out_problem));
    if (err == LP_OK) {
        compact_tally(frame, &job->opened, &job->decided, &output, &job->arena, &out_result->stats);
        err = lp_arena_err(&job->arena);
    }
    if (err == LP_OK) {
        compact_damage_append(&out_result->damage, &frame->view->damage);
        err = compact_output_take(&output, out_result);
    }
    if (err == LP_OK && frame->view->sums != NULL) {
        err = compact_rollup_make(frame, &job->decided, &out_result->rollup);
    }
    compact_output_fini(&output);
    return err;
}

void
compact_job_fini(compact_job *job)
{
    compact_style_destroy(job->style);
    LP_VEC_FINI(&job->decided.parts);
    compact_opened_fini(&job->opened);
    compact_carry_destroy(job->new_carry);
    lp_arena_fini(&job->arena);
    *job = (compact_job){0};
}
