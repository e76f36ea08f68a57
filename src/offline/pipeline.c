// SPDX-License-Identifier: Apache-2.0
#include "offline/pipeline.h"

#include "common/base/lp_assert.h"
#include "engine/job/job.h"
#include "engine/write/merge.h"
#include "offline/crew.h"
#include "offline/far_contexts.h"
#include "offline/reach.h"

#include <stdlib.h>
#include <uv.h>

// Design notes
//
// Every chunk goes through the stages below, in a slot of a ring. Under the lock a thread looks for
// the most urgent step that can be done, the one of the foremost chunk, does it without the lock,
// and wakes the others. One thread alone does the same.

// Larger chunks are also released between opening and writing. Reading one again from the disk
// cache takes 4 % of the time, which is worth the saved memory. JVMs make chunks of 12 to 18 MB.
enum { RELEASE_BYTES_MIN = 20 << 20 };

typedef enum stage {
    STAGE_WAITING,
    STAGE_OPENED, // or found unreadable: then err is set, and there is nothing to write
    STAGE_DECIDED,
    STAGE_KNOWN, // with its requests
    STAGE_WRITTEN,
    STAGE_TAKEN,
} stage;

typedef struct slot {
    stage stage;
    bool is_busy; // a thread is at the step from this stage to the next
    lp_err err;
    lp_problem problem;
    compact_source source;
    compact_view view;
    compact_job job;      // until it is written
    compact_carry *carry; // of job, for the next chunk
    compact_result result;
} slot;

typedef struct pipeline {
    const pipeline_input *in;
    chunk_reach reach;
    far_contexts far; // empty, where events are not selected by context and contexts not sampled
    slot *slots;      // chunk i is in slot i % slot_count
    size_t slot_count;
    size_t first; // the first chunk whose slot is in use
    size_t taken; // number of outcomes taken, in the order of the chunks
    uv_mutex_t lock;
    uv_cond_t changed;
    compact_schema *schema; // the last one that was made
    lp_err err;             // ends the run
} pipeline;

static slot *
slot_of(const pipeline *p, size_t index)
{
    return &p->slots[index % p->slot_count];
}

static size_t
lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

// first_undecided returns the first chunk in use that is not decided; behind them all if there is
// none.
static size_t
first_undecided(const pipeline *p)
{
    size_t end = lesser(p->in->count, p->first + p->slot_count);
    size_t index = p->first;
    while (index < end && slot_of(p, index)->stage >= STAGE_DECIDED) {
        index++;
    }
    return index;
}

// end_of_turns is behind the chunks that are open because it is their turn soon.
static size_t
end_of_turns(const pipeline *p)
{
    return p->first + p->in->threads + 2;
}

// end_of_window is behind the last chunk that may be worked on: those beyond end_of_turns are open
// because the next decision needs them.
static size_t
end_of_window(const pipeline *p)
{
    size_t end = end_of_turns(p);
    size_t next = first_undecided(p);
    if (next < p->in->count && p->reach.ends[next] > end) {
        end = p->reach.ends[next];
    }
    return lesser(p->in->count, lesser(end, p->first + p->slot_count));
}

// goes_on_to_next returns whether chunk index + 1 belongs to the session of chunk index.
static bool
goes_on_to_next(const pipeline *p, size_t index)
{
    return index + 1 < p->in->count && p->in->chunks[index].goes_on;
}

// --- The steps, each without the lock

static void
step_open(pipeline *p, size_t index, compact_schema *like, bool is_far)
{
    slot *s = slot_of(p, index);
    const compact_options *options = p->in->options;
    const pipeline_chunk *chunk = &p->in->chunks[index];
    s->source = (compact_source){
        .jfr = chunk->jfr, .merge = chunk->merge, .merge_source = chunk->merge_source};
    s->problem = (lp_problem){.text = ""};
    if (chunk->merge != NULL) { // it has read the types of every chunk
        like = compact_merge_find_schema(chunk->merge, chunk->jfr);
    }
    s->err =
        compact_view_open_chosen(&s->view, s->source.jfr, options == NULL ? NULL : options->policy,
            like, far_contexts_chosen(&p->far, index), &s->problem);
    if (is_far || s->source.jfr.len > RELEASE_BYTES_MIN) {
        p->in->release(p->in->arg, index);
    }
}

// pass_on hands the carry of the chunk before over a chunk that cannot be read.
static lp_err
pass_on(const compact_carry *carry, compact_carry **out_carry)
{
    lp_buf bytes = {0};
    lp_err err = compact_carry_save(carry, &bytes);
    LP_THEN(err, compact_carry_load(lp_buf_slice(&bytes), out_carry, NULL));
    lp_buf_fini(&bytes);
    return err;
}

// find_later finds whether the session of a chunk has one that can be read behind those that the
// chunk needs: none of these can be.
static lp_err
find_later(const pipeline *p, size_t index, compact_schema *like, bool *out_is_there)
{
    const policy *rules = p->in->options == NULL ? NULL : p->in->options->policy;
    *out_is_there = false;
    for (size_t i = p->reach.ends[index]; goes_on_to_next(p, i - 1); i++) {
        compact_view view;
        lp_err err = compact_view_open(&view, p->in->chunks[i].jfr, rules, false, like, NULL);
        compact_view_close(&view);
        p->in->release(p->in->arg, i);
        if (err == LP_OK || err == LP_ENOMEM) {
            *out_is_there = err == LP_OK;
            return err;
        }
    }
    return LP_OK;
}

// decide decides a chunk that can be read.
static lp_err
decide(pipeline *p, size_t index, const compact_carry *carry)
{
    slot *s = slot_of(p, index);
    compact_ahead aheads[REACH_CHUNKS_MAX];
    compact_frame given = {
        .source = &s->source,
        .view = &s->view,
        .aheads = aheads,
        .carry = carry,
        .options = p->in->options,
        .is_in_pieces = true,
    };
    for (size_t i = index + 1; i < p->reach.ends[index]; i++) {
        const slot *ahead = slot_of(p, i);
        if (ahead->err == LP_OK) {
            LP_ASSERT(given.ahead_count < REACH_CHUNKS_MAX);
            aheads[given.ahead_count++] =
                (compact_ahead){.source = &ahead->source, .view = &ahead->view};
        }
    }
    if (given.ahead_count == 0 &&
        find_later(p, index, s->view.schema, &given.is_followed) != LP_OK) {
        return LP_ENOMEM;
    }
    LP_REQUIRE(
        p->far.reach == NULL || far_contexts_take(&p->far, index, &given) == LP_OK, LP_ENOMEM);
    compact_job_init(&s->job, &given);
    return compact_job_decide(&s->job, &s->problem);
}

static void
step_decide(pipeline *p, size_t index)
{
    slot *s = slot_of(p, index);
    const compact_carry *carry =
        index > 0 && goes_on_to_next(p, index - 1) ? slot_of(p, index - 1)->carry : NULL;
    if (s->err == LP_OK) {
        s->err = decide(p, index, carry);
        s->carry = s->job.new_carry;
    } else if (carry != NULL && s->err != LP_ENOMEM) {
        lp_err err = pass_on(carry, &s->carry);
        s->err = err == LP_ENOMEM ? err : s->err;
    }
}

// end_job ends the job of a slot, but not the carry.
static void
end_job(slot *s)
{
    s->job.new_carry = NULL;
    compact_job_fini(&s->job);
}

static void
step_find_requests(pipeline *p, size_t index)
{
    slot *s = slot_of(p, index);
    if (s->err == LP_OK) {
        s->err = compact_job_find_requests(&s->job);
    }
}

static void
step_write(pipeline *p, size_t index)
{
    slot *s = slot_of(p, index);
    if (s->err == LP_OK) {
        s->err = compact_job_write(&s->job, &s->result, &s->problem);
    }
    end_job(s);
    compact_view_close(&s->view);
}

static lp_err
step_take(pipeline *p, size_t index)
{
    slot *s = slot_of(p, index);
    const pipeline_outcome outcome = {
        .index = index,
        .err = s->err,
        .result = s->err == LP_OK ? &s->result : NULL,
        .problem = s->err == LP_OK ? NULL : &s->problem,
    };
    lp_err err = p->in->take(p->in->arg, &outcome);
    compact_result_fini(&s->result);
    p->in->release(p->in->arg, index);
    return err;
}

// --- Which step is next, under the lock

static bool
has_stage(const pipeline *p, size_t index, stage least)
{
    return index < p->first || slot_of(p, index)->stage >= least;
}

// is_in_reach returns whether all chunks that one needs to be decided are open.
static bool
is_in_reach(const pipeline *p, size_t index)
{
    bool is_open = p->reach.ends[index] <= end_of_window(p);
    for (size_t i = index + 1; i < p->reach.ends[index] && is_open; i++) {
        is_open = has_stage(p, i, STAGE_OPENED);
    }
    return is_open;
}

// is_after returns whether the previous chunk of the session, if there is one, has a stage.
static bool
is_after(const pipeline *p, size_t index, stage least)
{
    return index == 0 || !p->in->chunks[index - 1].goes_on || has_stage(p, index - 1, least);
}

// can_go returns whether the chunk's next step can be done now.
static bool
can_go(const pipeline *p, size_t index)
{
    const slot *s = slot_of(p, index);
    switch (s->is_busy ? STAGE_TAKEN : s->stage) {
    case STAGE_WAITING:
    case STAGE_KNOWN:
        return true;
    case STAGE_OPENED: // a chunk that cannot be read passes all of the carry on
        return is_after(p, index, s->err == LP_OK ? STAGE_DECIDED : STAGE_KNOWN) &&
               is_in_reach(p, index);
    case STAGE_DECIDED:
        return is_after(p, index, STAGE_KNOWN);
    case STAGE_WRITTEN:
        return index == 0 || has_stage(p, index - 1, STAGE_TAKEN);
    case STAGE_TAKEN:
        break;
    }
    return false;
}

// find_step finds the foremost chunk that can go on; false if none can at the moment.
static bool
find_step(const pipeline *p, size_t *out_index)
{
    size_t end = end_of_window(p);
    for (size_t i = p->first; i < end; i++) {
        if (can_go(p, i)) {
            *out_index = i;
            return true;
        }
    }
    return false;
}

// do_step does the chunk's next step. Called with the lock, which it releases meanwhile.
static void
do_step(pipeline *p, size_t index)
{
    slot *s = slot_of(p, index);
    stage from = s->stage;
    lp_err err = LP_OK;
    LP_ASSERT(!s->is_busy && from != STAGE_TAKEN && (from != STAGE_WRITTEN || index == p->taken));
    compact_schema *like = compact_schema_hold(p->schema);
    bool is_far = index >= end_of_turns(p);
    s->is_busy = true;
    uv_mutex_unlock(&p->lock);
    switch (from) {
    case STAGE_WAITING:
        step_open(p, index, like, is_far);
        break;
    case STAGE_OPENED:
        step_decide(p, index);
        break;
    case STAGE_DECIDED:
        step_find_requests(p, index);
        break;
    case STAGE_KNOWN:
        step_write(p, index);
        break;
    case STAGE_WRITTEN:
    case STAGE_TAKEN:
        err = step_take(p, index);
        break;
    }
    uv_mutex_lock(&p->lock);
    s->is_busy = false;
    s->stage = from + 1;
    p->taken += s->stage == STAGE_TAKEN;
    p->err = p->err == LP_OK ? err : p->err;
    p->err = p->err == LP_OK && s->err == LP_ENOMEM ? LP_ENOMEM : p->err;
    if (from == STAGE_WAITING && s->err == LP_OK) {
        compact_schema_release(p->schema);
        p->schema = compact_schema_hold(s->view.schema);
    }
    compact_schema_release(like);
}

static void
clear_slot(slot *s)
{
    end_job(s);
    compact_carry_destroy(s->carry);
    compact_view_close(&s->view);
    compact_result_fini(&s->result);
    *s = (slot){0};
}

// leave_behind frees the slots of chunks that nobody needs any more.
static void
leave_behind(pipeline *p)
{
    while (p->first < p->in->count && has_stage(p, p->first, STAGE_TAKEN) &&
           !slot_of(p, p->first)->is_busy &&
           (!goes_on_to_next(p, p->first) || has_stage(p, p->first + 1, STAGE_KNOWN))) {
        clear_slot(slot_of(p, p->first));
        p->first++;
    }
}

static void
work(void *arg)
{
    pipeline *p = arg;
    uv_mutex_lock(&p->lock);
    while (p->err == LP_OK && p->first < p->in->count) {
        size_t index;
        if (find_step(p, &index)) {
            do_step(p, index);
            leave_behind(p);
            uv_cond_broadcast(&p->changed);
        } else {
            uv_cond_wait(&p->changed, &p->lock);
        }
    }
    uv_mutex_unlock(&p->lock);
}

// find_reach finds what each chunk needs to be decided, and makes room for as many.
static lp_err
find_reach(pipeline *p)
{
    const pipeline_input *in = p->in;
    LP_TRY(reach_find(in, &p->reach));
    size_t farthest = 0;
    for (size_t i = 0; i < in->count; i++) {
        farthest = p->reach.ends[i] - i > farthest ? p->reach.ends[i] - i : farthest;
    }
    p->slot_count = in->threads + 1 + farthest;
    p->slots = calloc(p->slot_count, sizeof(*p->slots));
    LP_REQUIRE(p->slots != NULL, LP_ENOMEM);
    bool is_needed = in->options != NULL && (policy_selects_by_context(in->options->policy) ||
                                                policy_samples_contexts(in->options->policy));
    return is_needed ? far_contexts_find(in, &p->reach, &p->far) : LP_OK;
}

static void
run(pipeline *p)
{
    LP_ASSERT(uv_mutex_init(&p->lock) == 0 && uv_cond_init(&p->changed) == 0);
    crew_run(p->in->threads, p->in->count, work, p);
    for (size_t i = 0; i < p->slot_count; i++) {
        clear_slot(&p->slots[i]);
    }
    compact_schema_release(p->schema);
    uv_cond_destroy(&p->changed);
    uv_mutex_destroy(&p->lock);
}

lp_err
pipeline_run(const pipeline_input *in)
{
    LP_ASSERT(in->take != NULL && in->release != NULL);
    LP_ASSERT(in->threads >= 1 && in->threads <= CREW_THREADS_MAX);
    pipeline p = {.in = in};
    p.err = find_reach(&p);
    if (p.err == LP_OK) {
        run(&p);
    }
    far_contexts_fini(&p.far);
    free(p.slots);
    reach_fini(&p.reach);
    return p.err;
}
