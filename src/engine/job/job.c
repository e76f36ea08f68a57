// SPDX-License-Identifier: Apache-2.0
#include "engine/job/job.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/context/ctx_type.h"
#include "engine/carry/identities.h"
#include "engine/contexts/contexts.h"
#include "engine/contexts/recordings.h"
#include "engine/decide/decide.h"
#include "engine/job/also/also.h"
#include "engine/job/request/request_step.h"
#include "engine/job/rollup/rollup_make.h"
#include "engine/job/rollup/sample_periods.h"
#include "engine/job/tally.h"
#include "engine/write/account.h"

static const compact_options DEFAULTS = {0};

static void
job_check(const compact_job *job)
{
    LP_ASSERT(job->frame.source != NULL && job->frame.options != NULL);
}

void
compact_job_init(compact_job *job, const compact_frame *given)
{
    *job = (compact_job){.frame = *given};
    if (given->options == NULL) {
        job->frame.options = &DEFAULTS;
    }
    job_check(job);
}

// remember_judged carries what later judgements of contexts need: whether a context was open where
// this chunk ended, and the decision of context-throttle.
static void
remember_judged(compact_job *j)
{
    job_check(j);
    compact_carry *carry = j->new_carry;
    size_t known = carry->contexts.items.count; // they are the first
    LP_ASSERT(known <= j->opened.contexts.items.count);
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

static bool
has_recordings(const compact_frame *frame)
{
    bool has = false;
    for (size_t i = 0; i < frame->type_count; i++) {
        has |= frame->types[i].is_recording;
    }
    return has;
}

// list_shown marks the contexts that the output shows: those with a kept part, and in styles other
// than events all that may apply to an event.
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
// frame->types, in arena; NULL if they are the same. RecordingContexts, which have no attributes in
// records, get one for each key, and the shown ones get its values.
static const ctx_type *
make_shown_types(compact_job *j)
{
    job_check(j);
    const compact_frame *frame = &j->frame;
    compact_contexts *contexts = &j->opened.contexts;
    LP_REQUIRE(has_recordings(frame), NULL);
    bool *is_shown = LP_ARENA_ARRAY(&j->arena, bool, contexts->items.count);
    ctx_type *types = LP_ARENA_ARRAY(&j->arena, ctx_type, frame->type_count);
    LP_REQUIRE(!j->arena.is_failed, NULL);
    list_shown(frame, &j->decided.parts, is_shown);
    for (size_t i = 0; i < frame->type_count; i++) {
        const ctx_type *type = &frame->types[i];
        types[i] = type->is_recording ? compact_recordings_show(
                                            &j->new_carry->recordings, contexts, is_shown, type)
                                      : ctx_type_copy_in(&j->arena, type);
    }
    return types;
}

static lp_err
show_contexts(compact_job *j)
{
    job_check(j);
    compact_decided *decided = &j->decided;
    const ctx_type *shown = make_shown_types(j);
    decided->types = shown != NULL ? shown : j->frame.types;
    if (j->arena.is_failed || j->frame.options->style == COMPACT_STYLE_EVENTS) {
        return lp_arena_err(&j->arena);
    }
    return compact_style_begin(&j->frame, decided, &j->style);
}

// Called before contexts are marked as written, and before any is forgotten.
static void
count_gone(compact_job *j)
{
    job_check(j);
    compact_dropped *gone = LP_ARENA_ARRAY(&j->arena, compact_dropped, j->frame.type_count + 1);
    if (gone != NULL) {
        compact_account_contexts(&j->frame, &j->new_carry->contexts, &j->decided.parts, gone);
    }
    j->decided.contexts_gone = gone;
}

// --- The carry-over for the next chunk

// Gathers the kept contextual events that are carried: all recent ones, and the last older one of
// each thread. A thread has a slot; the threads of the view come first, at their numbers.
typedef struct gatherer {
    const compact_frame *frame;
    const compact_decided *decided;
    compact_carry *carry;             // the new one
    lp_arena arena;                   // owns last_old and slots; has all errors
    LP_VEC(compact_trigger) last_old; // by slot; its commit is INT64_MIN before the first
    lp_map slots;                     // identity to slot; made when it is needed
    uint64_t identity;                // of the last search
    uint32_t slot;                    // of identity
} gatherer;

static void
gatherer_check(const gatherer *g)
{
    LP_ASSERT(g->carry != NULL && g->carry != g->frame->carry);
}

static void
add_trigger(gatherer *g, compact_trigger trigger)
{
    gatherer_check(g);
    LP_ARENA_PUSH_BESIDE(&g->arena, &g->carry->triggers, trigger);
}

static inline void
gather(gatherer *g, uint32_t slot, int64_t commit, int64_t begin)
{
    gatherer_check(g);
    compact_trigger *old = &g->last_old.items[slot];
    const compact_trigger trigger = {old->thread, commit, begin};
    if (commit >= g->frame->recent_min) {
        add_trigger(g, trigger);
    } else if (commit > old->commit || (commit == old->commit && begin > old->begin)) {
        // Of events at one time, the one that is decided first, which began last, is kept.
        *old = trigger;
    }
}

static void
add_slot(gatherer *g, uint64_t identity)
{
    gatherer_check(g);
    LP_ARENA_PUSH(&g->arena, &g->last_old, (compact_trigger){identity, INT64_MIN, INT64_MIN});
}

static void
gather_view(gatherer *g)
{
    gatherer_check(g);
    const compact_view *view = g->frame->view;
    bool has_list = g->decided->triggers != NULL;
    const compact_span *spans = has_list ? g->decided->triggers : view->kept_spans.items;
    size_t count = has_list ? g->decided->trigger_count : view->kept_spans.count;
    for (size_t i = 0; i < count; i++) {
        const compact_span *span = &spans[i];
        if (span->thread != COMPACT_NO_THREAD) {
            gather(g, span->thread, span->commit, span->begin);
        }
    }
}

static void
find_slot(gatherer *g, uint64_t identity)
{
    gatherer_check(g);
    g->slot = lp_map_find(&g->slots, identity);
    g->identity = identity;
    if (g->slot == LP_MAP_NONE) {
        g->slot = (uint32_t)g->last_old.count;
        add_slot(g, identity);
        lp_arena_put(&g->arena, &g->slots, identity, g->slot);
    }
}

static void
gather_carried(gatherer *g)
{
    gatherer_check(g);
    const compact_carry *before = g->frame->carry;
    if (before == NULL || before->triggers.count == 0) {
        return;
    }
    for (size_t i = 0; i < g->last_old.count; i++) {
        lp_arena_put(&g->arena, &g->slots, g->last_old.items[i].thread, (uint32_t)i);
    }
    for (size_t i = 0; i < before->triggers.count && !g->arena.is_failed; i++) {
        const compact_trigger *trigger = &before->triggers.items[i];
        if (i == 0 || trigger->thread != g->identity) {
            find_slot(g, trigger->thread);
        }
        if (!g->arena.is_failed) {
            gather(g, g->slot, trigger->commit, trigger->begin);
        }
    }
}

static void
list_triggers(gatherer *g)
{
    gatherer_check(g);
    for (size_t i = 0; i < g->frame->view->threads.count; i++) {
        add_slot(g, g->frame->identities[i]);
    }
    if (g->arena.is_failed) {
        return; // not every thread has a slot
    }
    gather_carried(g);
    gather_view(g);
    for (size_t i = 0; i < g->last_old.count; i++) {
        if (g->last_old.items[i].commit != INT64_MIN) {
            add_trigger(g, g->last_old.items[i]);
        }
    }
}

LP_COMPARE(compare_latest_first, compact_trigger,
    LP_ORDER(other->commit, one->commit) ?: LP_ORDER(one->thread, other->thread))

static void
carry_triggers(const compact_frame *frame, const compact_decided *decided, lp_arena *arena,
    compact_carry *new_carry)
{
    gatherer g = {.frame = frame, .decided = decided, .carry = new_carry};
    list_triggers(&g);
    lp_arena_note(arena, lp_arena_err(&g.arena));
    lp_arena_fini(&g.arena);
    lp_map_fini(&g.slots);
    if (new_carry->triggers.count > COMPACT_CARRY_TRIGGERS_MAX) {
        LP_QSORT(new_carry->triggers.items, new_carry->triggers.count, compare_latest_first);
        new_carry->triggers.count = COMPACT_CARRY_TRIGGERS_MAX;
    }
}

LP_COMPARE(compare_last_end_first, compact_interval,
    LP_ORDER(other->end, one->end) ?: LP_ORDER(other->thread, one->thread) ?: LP_ORDER(one->begin, other->begin))

static void
carry_intervals(const compact_frame *frame, lp_arena *arena, compact_carry *new_carry)
{
    const compact_view *view = frame->view;
    for (size_t i = 0; i < view->spans.count; i++) {
        const compact_span *span = &view->spans.items[i];
        if (span->thread != COMPACT_NO_THREAD && span->commit >= frame->recent_min) {
            const compact_interval interval = {
                .thread = frame->identities[span->thread],
                .begin = span->begin,
                .end = span->commit,
            };
            LP_ARENA_PUSH_BESIDE(arena, &new_carry->intervals, interval);
        }
    }
    const compact_carry *before = frame->carry;
    for (size_t i = 0; before != NULL && i < before->intervals.count; i++) {
        const compact_interval *interval = &before->intervals.items[i];
        if (interval->end >= frame->recent_min) {
            LP_ARENA_PUSH_BESIDE(arena, &new_carry->intervals, *interval);
        }
    }
    if (new_carry->intervals.count > COMPACT_CARRY_TRIGGERS_MAX) {
        LP_QSORT(new_carry->intervals.items, new_carry->intervals.count, compare_last_end_first);
        new_carry->intervals.count = COMPACT_CARRY_TRIGGERS_MAX;
    }
}

static void
note_written(const compact_frame *frame, const compact_parts *parts, lp_arena *arena,
    compact_carry *new_carry)
{
    const compact_contexts *contexts = frame->contexts;
    compact_contexts *known = &new_carry->contexts;
    LP_ASSERT(known->items.count <= contexts->items.count);
    size_t next = 0;
    for (size_t i = 0; i < contexts->items.count; i++) {
        bool is_written =
            compact_parts_find(parts, &next, i) != NULL || contexts->items.items[i].is_written;
        if (i < known->items.count) {
            known->items.items[i].is_written = is_written;
        } else if (is_written) {
            LP_ARENA_PUSH_BESIDE(arena, &new_carry->written_ahead, contexts->items.items[i].id);
        }
    }
}

// keep_open removes the ended contexts, and the maps that no context names any more.
static void
keep_open(const compact_frame *frame, compact_carry *new_carry)
{
    compact_contexts *known = &new_carry->contexts;
    compact_contexts left;
    compact_contexts_init(&left, &new_carry->arena);
    compact_contexts_copy(known, frame->recent_min, &left);
    compact_contexts_fini(known);
    *known = left;
    compact_recordings_keep(&new_carry->recordings, frame->types, frame->type_count, known);
}

static void
make_carry(const compact_frame *frame, const compact_decided *decided, lp_arena *arena,
    compact_carry *new_carry)
{
    compact_carry_check(new_carry);
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(new_carry->triggers.count == 0 && new_carry->intervals.count == 0);
    carry_triggers(frame, decided, arena, new_carry);
    if (policy_selects_by_context(frame->options->policy)) { // nothing else needs them
        carry_intervals(frame, arena, new_carry);
    }
    note_written(frame, &decided->parts, arena, new_carry);
    keep_open(frame, new_carry);
    lp_arena_note(arena, compact_kept_times_limit(&new_carry->past, COMPACT_CARRY_TRIGGERS_MAX));
    compact_identities_carry(frame->view, frame->identities, frame->carry, new_carry);
    lp_arena_note(arena, lp_arena_err(&new_carry->arena));
    compact_filters_forget(&new_carry->filters, frame->recent_min);
    new_carry->border_ticks = frame->window.hi;
    new_carry->limit_ticks = frame->limit_ticks;
    new_carry->sampled_end_ns = frame->sampled_end_ns;
    new_carry->judged_end_ns = frame->judged_end_ns;
    new_carry->period_ns = compact_sample_periods_after(frame);
    new_carry->clock = frame->clock;
    new_carry->start_wall_ns = frame->shown.start_wall_ns;
}

// --- Deciding and writing

static lp_err
decide(compact_job *j)
{
    job_check(j);
    compact_worth_judge(&j->frame, &j->opened.contexts, &j->arena);
    compact_context_throttle_judge(
        &j->frame, &j->opened.contexts, &j->new_carry->quotas, &j->arena, &j->decided);
    remember_judged(j);
    j->decided.late_contexts = compact_late_contexts_count(&j->frame);
    lp_err err = lp_arena_err(&j->arena);
    LP_THEN(err, compact_decide(&j->frame, j->new_carry, &j->decided));
    j->awaits_requests = err == LP_OK && compact_request_step_may_wait(&j->frame, &j->opened);
    if (err == LP_OK && !j->awaits_requests) {
        compact_request_step_run(&j->frame, &j->opened, &j->arena, j->new_carry, &j->decided);
        err = lp_arena_err(&j->arena);
    }
    return err;
}

// settle makes what follows from the decision: what the output shows, the statistics of contexts
// and, from judged, which is as the policy decided, the carry-over.
static lp_err
settle(compact_job *j, const compact_decided *judged)
{
    job_check(j);
    LP_TRY(show_contexts(j));
    count_gone(j);
    if (j->frame.view->sums != NULL) {
        compact_sample_periods_find(&j->frame);
        compact_rollup_contexts_count(&j->frame, &j->new_carry->contexts, &j->decided.parts);
        lp_arena_note(&j->arena, lp_arena_err(&j->frame.view->sums->arena));
    }
    make_carry(&j->frame, judged, &j->arena, j->new_carry);
    compact_late_contexts_carry(&j->frame, &j->arena, j->new_carry);
    return lp_arena_err(&j->arena);
}

// settle_also adds what options->also wants before.
static lp_err
settle_also(compact_job *j)
{
    job_check(j);
    compact_decided judged = j->decided;
    compact_also_add(&j->frame, &j->arena, &judged, &j->decided);
    lp_err err = lp_arena_err(&j->arena);
    LP_THEN(err, settle(j, &judged));
    LP_VEC_FINI(&judged.parts);
    return err;
}

// free_spans frees the rows that are not needed once requests are found.
static void
free_spans(compact_view *view)
{
    LP_VEC_FINI(&view->spans);
    LP_VEC_FINI(&view->strays);
    if (view->sums != NULL) {
        LP_VEC_FINI(&view->sums->rows);
    }
}

lp_err
compact_job_decide(compact_job *job, lp_problem *out_problem)
{
    job_check(job);
    LP_ASSERT(job->new_carry == NULL && job->frame.view != NULL); // it is decided once
    job->new_carry = compact_carry_create();
    lp_err err = job->new_carry == NULL ? LP_ENOMEM
                                        : compact_frame_open(&job->frame, job->new_carry,
                                              &job->arena, &job->opened, out_problem);
    LP_THEN(err, decide(job));
    LP_THEN(err, job->frame.options->also == NULL ? settle(job, &job->decided) : settle_also(job));
    LP_VEC_FINI(&job->frame.view->sure);
    if (!job->awaits_requests) {
        free_spans(job->frame.view);
    }
    return err;
}

lp_err
compact_job_find_requests(compact_job *job)
{
    job_check(job);
    LP_ASSERT(job->decided.contexts_gone != NULL); // it is decided
    if (!job->awaits_requests) {
        return LP_OK;
    }
    LP_ASSERT(job->new_carry->requests.items.count == 0);
    job->awaits_requests = false;
    compact_request_step_run(&job->frame, &job->opened, &job->arena, job->new_carry, &job->decided);
    lp_arena_note(&job->arena, lp_arena_err(&job->new_carry->arena));
    free_spans(job->frame.view);
    return lp_arena_err(&job->arena);
}

lp_err
compact_job_write(compact_job *job, compact_result *out_result, lp_problem *out_problem)
{
    job_check(job);
    const compact_frame *frame = &job->frame;
    LP_ASSERT(compact_frame_is_open(frame) && job->decided.contexts_gone != NULL); // it is decided
    LP_ASSERT(!job->awaits_requests);
    LP_TRY(compact_tally_write(
        frame, &job->opened, &job->decided, job->style, &job->arena, out_result, out_problem));
    return frame->view->sums == NULL
               ? LP_OK
               : compact_rollup_make(frame, &job->decided, &out_result->rollup);
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
