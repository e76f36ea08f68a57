// SPDX-License-Identifier: Apache-2.0
#include "engine/job/job.h"

#include "common/context/ctx_type.h"
#include "engine/carry/identities.h"
#include "engine/contexts/complete.h"
#include "engine/decide/context_throttle.h"
#include "engine/decide/worth.h"
#include "engine/write/account.h"

#include <stdlib.h>

static lp_err
take_carry(compact_job *j)
{
    j->is_first = j->carry == NULL;
    j->new_carry = compact_carry_create();
    if (j->new_carry == NULL) {
        return LP_ENOMEM;
    }
    if (j->carry == NULL) {
        return LP_OK;
    }
    lp_err err =
        compact_carry_add_types(j->new_carry, j->carry->types.items, j->carry->types.count);
    if (err == LP_OK) {
        err = compact_carry_add_types(
            j->new_carry, j->carry->completing.items, j->carry->completing.count);
    }
    if (err == LP_OK) {
        err = compact_recordings_copy(&j->carry->recordings, &j->new_carry->recordings);
    }
    if (err == LP_OK) {
        err = compact_filters_copy(&j->carry->filters, &j->new_carry->filters);
    }
    if (err == LP_OK) {
        err = compact_throttles_copy(&j->carry->throttles, &j->new_carry->throttles);
    }
    if (err == LP_OK) {
        err = compact_weights_copy(&j->carry->weights, &j->new_carry->weights);
    }
    if (err == LP_OK) {
        err = compact_throttles_copy(&j->carry->quotas, &j->new_carry->quotas);
    }
    return err != LP_OK
               ? err
               : compact_contexts_copy(&j->carry->contexts, INT64_MIN, &j->new_carry->contexts);
}

// note_written_ahead tells which of the contexts from first on have a part in the chunk before
// already.
static void
note_written_ahead(compact_job *j, size_t first)
{
    compact_contexts *known = &j->new_carry->contexts;
    size_t next = 0; // both lists ascend
    for (size_t i = first; j->carry != NULL && i < known->items.count; i++) {
        compact_context *context = &known->items.items[i];
        while (next < j->carry->written_ahead.count &&
               j->carry->written_ahead.items[next] < context->id) {
            next++;
        }
        context->is_written = next < j->carry->written_ahead.count &&
                              j->carry->written_ahead.items[next] == context->id;
    }
}

// note_standings tells what was decided with the chunk before of the contexts from first on.
static void
note_standings(compact_job *j, size_t first)
{
    compact_contexts *known = &j->new_carry->contexts;
    size_t next = 0; // both lists ascend
    for (size_t i = first; j->carry != NULL && i < known->items.count; i++) {
        compact_context *context = &known->items.items[i];
        while (next < j->carry->standings_ahead.count &&
               j->carry->standings_ahead.items[next].id < context->id) {
            next++;
        }
        if (next < j->carry->standings_ahead.count &&
            j->carry->standings_ahead.items[next].id == context->id) {
            context->standing = j->carry->standings_ahead.items[next].standing;
        }
    }
}

// count_contexts counts those from first on, by type.
static lp_err
count_contexts(compact_job *j, size_t first)
{
    const compact_carry *carry = j->new_carry;
    j->contexts_in = calloc(carry->types.count + 1, sizeof(*j->contexts_in));
    if (j->contexts_in == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = first; i < carry->contexts.items.count; i++) {
        const compact_context *context = &carry->contexts.items.items[i];
        size_t type = ctx_type_find(carry->types.items, carry->types.count, context->type_id);
        j->contexts_in[type].events++; // the last is for those of an unknown type
        j->contexts_in[type].bytes += CTX_RECORD_HEADER_BYTES + context->values_bytes;
    }
    return LP_OK;
}

static lp_err
add_recordings(compact_job *j, const compact_source *source)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < source->recording_count && err == LP_OK; i++) {
        err = compact_recordings_add(&j->new_carry->recordings, &source->recordings[i], false);
    }
    return err;
}

static lp_err
add_filters(compact_job *j, const compact_source *source)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < source->filter_count && err == LP_OK; i++) {
        err = compact_filters_add(&j->new_carry->filters, &source->filters[i]);
    }
    return err;
}

// add_keys adds the keys of the maps that came with the chunk.
static lp_err
add_keys(compact_job *j)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < j->chunk->recording_count; i++) {
        const ctx_recording *map = &j->chunk->recordings[i];
        for (size_t k = 0; k < map->entry_count && err == LP_OK; k++) {
            err = compact_recordings_add_key(&j->new_carry->recordings, map->entries[k].key);
        }
    }
    return err;
}

// feed applies records to contexts, with the types that are known now.
static lp_err
feed(const compact_job *j, compact_contexts *contexts, lp_slice records,
    compact_completions *completions, lp_problem *problem)
{
    const compact_carry *carry = j->new_carry;
    completions->types = carry->completing.items;
    completions->type_count = carry->completing.count;
    lp_err err = compact_contexts_feed(contexts, records, completions, problem);
    lp_err applied =
        compact_completions_apply(completions, carry->types.items, carry->types.count, contexts);
    return err == LP_OK ? applied : err;
}

// read_next_records adds what the next chunk tells. What is wrong in it is an error when its own
// turn comes.
static lp_err
read_next_records(compact_job *j, compact_completions *completions)
{
    lp_err err = compact_carry_add_types(j->new_carry, j->next->types, j->next->type_count);
    if (err == LP_OK || err == LP_ELIMIT) {
        err = add_recordings(j, j->next);
    }
    if (err == LP_OK) {
        err = add_filters(j, j->next);
    }
    if (err == LP_OK) {
        err = feed(j, &j->contexts, j->next->records, completions, NULL);
    }
    return err == LP_ECORRUPT || err == LP_ELIMIT ? LP_OK : err;
}

static lp_err
read_records(compact_job *j, compact_completions *completions, lp_problem *problem)
{
    compact_contexts *known = &j->new_carry->contexts;
    size_t carried = known->items.count;
    lp_err err = compact_carry_add_types(j->new_carry, j->chunk->types, j->chunk->type_count);
    if (err == LP_OK) {
        err = add_recordings(j, j->chunk);
    }
    if (err == LP_OK) {
        err = add_filters(j, j->chunk);
    }
    if (err == LP_OK) {
        err = add_keys(j);
    }
    if (err == LP_OK) {
        err = feed(j, known, j->chunk->records, completions, problem);
    }
    j->completions_lost = completions->damaged_count;
    for (size_t i = 0; i < j->chunk->recordings_ended_count; i++) {
        compact_recordings_end(&j->new_carry->recordings, j->chunk->recordings_ended[i]);
    }
    note_written_ahead(j, carried);
    note_standings(j, carried);
    if (err == LP_OK) {
        err = compact_contexts_copy(known, INT64_MIN, &j->contexts);
    }
    if (err == LP_OK && j->next != NULL) {
        err = read_next_records(j, completions);
    }
    return err == LP_OK ? count_contexts(j, carried) : err;
}

// end_of_chunk is the last tick that anything in the chunk speaks of.
static int64_t
end_of_chunk(const compact_job *j)
{
    const jfr_chunk_info *info = &j->view->info;
    __int128 duration = (__int128)info->duration_ns * info->ticks_per_s / 1000000000;
    __int128 header_end = info->start_ticks + duration;
    int64_t end = j->view->commit_max;
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

// ticks_add adds and stops at the ends of the numbers: absurd times must not wrap around.
static int64_t
ticks_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

static compact_window
window_of(const compact_job *j)
{
    compact_window window = {
        .lo = j->carry == NULL ? INT64_MIN : j->carry->border_ticks,
        .hi = j->ahead != NULL ? j->ahead->info.start_ticks : ticks_add(end_of_chunk(j), 1),
    };
    if (window.hi < window.lo) {
        window.hi = window.lo;
    }
    if (window.hi == INT64_MIN) { // there is a tick before its end
        window.hi++;
    }
    return window;
}

static int64_t
recent_min_of(const compact_job *j)
{
    __int128 lateness = (__int128)COMPACT_LATENESS_MS * j->view->info.ticks_per_s / 1000;
    return ticks_add(j->window.hi, -(int64_t)lateness);
}

static compact_clock
clock_of(const compact_job *j)
{
    const jfr_chunk_info *info = &j->view->info;
    if (j->carry != NULL && j->carry->clock.ticks_per_s == info->ticks_per_s) {
        return j->carry->clock;
    }
    return (compact_clock){
        .start_wall_ns = info->start_wall_ns,
        .start_ticks = info->start_ticks,
        .ticks_per_s = info->ticks_per_s,
    };
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// start_of finds where the output chunk starts on the line of the clock: at a tick at which that
// line meets a whole nanosecond, so that readers compute the very same times from it as from the
// clock's own start. Readers round towards the chunk's start, so it should not be after the first
// event; but it is after the start of the chunk before, since JMC passes over the second of two
// chunks that start at the same time.
static compact_clock
start_of(const compact_job *j)
{
    const compact_clock *clock = &j->clock;
    int64_t divisor = (int64_t)greatest_common_divisor((uint64_t)clock->ticks_per_s, 1000000000);
    int64_t step_ticks = clock->ticks_per_s / divisor;
    int64_t step_ns = 1000000000 / divisor;
    int64_t from = j->view->info.start_ticks;
    if (step_ticks > 1 && !j->is_first &&
        ticks_add(j->view->begin_min, -step_ticks) > j->carry->start_ticks) {
        from = j->view->begin_min;
    }
    __int128 offset_ticks = (__int128)from - clock->start_ticks;
    __int128 steps = offset_ticks / step_ticks - (offset_ticks % step_ticks < 0);
    __int128 start_ticks = clock->start_ticks + steps * step_ticks;
    __int128 start_wall_ns = clock->start_wall_ns + steps * step_ns;
    if (!j->is_first && start_ticks <= j->carry->start_ticks) {
        start_ticks += step_ticks;
        start_wall_ns += step_ns;
    }
    if (start_ticks == (int64_t)start_ticks && start_wall_ns == (int64_t)start_wall_ns) {
        return (compact_clock){(int64_t)start_wall_ns, (int64_t)start_ticks, clock->ticks_per_s};
    }
    // The times are absurd, and the chunk's own line is as good as any.
    return (compact_clock){
        j->view->info.start_wall_ns, j->view->info.start_ticks, j->view->info.ticks_per_s};
}

static compact_context_style
style_of(const compact_job *j)
{
    return j->options == NULL ? COMPACT_STYLE_EVENTS : j->options->style;
}

// is_met_by_next says whether the next chunk starts at the nanosecond at which this one ends, as it
// is with those of a JVM.
static bool
is_met_by_next(const compact_job *j)
{
    const jfr_chunk_info *info = &j->view->info;
    int64_t end;
    return j->ahead != NULL && j->ahead->info.ticks_per_s == info->ticks_per_s &&
           !__builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end) &&
           end == j->ahead->info.start_wall_ns;
}

// --- RecordingContexts

static bool
has_recordings(const compact_job *j)
{
    for (size_t i = 0; i < j->new_carry->types.count; i++) {
        if (j->new_carry->types.items[i].is_recording) {
            return true;
        }
    }
    return false;
}

// list_shown marks the contexts of which the output shows anything: those with a part that is kept;
// in other styles than events, all those that may apply to an event.
static void
list_shown(const compact_job *j, bool *is_shown)
{
    for (size_t i = 0; i < j->parts.count; i++) {
        is_shown[j->parts.items[i].context] = true;
    }
    for (size_t i = 0; style_of(j) != COMPACT_STYLE_EVENTS && i < j->contexts.items.count; i++) {
        const compact_context *c = &j->contexts.items.items[i];
        is_shown[i] = is_shown[i] || (!c->is_ignored && c->begin <= j->view->commit_max);
    }
}

// show_recordings gives the RecordingContexts that are shown their entries as values.
static lp_err
show_recordings(compact_job *j)
{
    if (!has_recordings(j)) {
        return LP_OK;
    }
    bool *is_shown = calloc(j->contexts.items.count + 1, sizeof(*is_shown));
    j->type_count = j->new_carry->types.count;
    j->types = calloc(j->type_count, sizeof(*j->types));
    lp_err err = is_shown == NULL || j->types == NULL ? LP_ENOMEM : LP_OK;
    if (err == LP_OK) {
        list_shown(j, is_shown);
    }
    for (size_t i = 0; i < j->type_count && err == LP_OK; i++) {
        const ctx_type *type = &j->new_carry->types.items[i];
        err = type->is_recording ? compact_recordings_show(&j->new_carry->recordings, &j->contexts,
                                       is_shown, type, &j->types[i])
                                 : ctx_type_copy(type, &j->types[i]);
    }
    free(is_shown);
    return err;
}

static const ctx_type *
types_of(const compact_job *j)
{
    return j->types != NULL ? j->types : j->new_carry->types.items;
}

// remember_judged notes what has to be known of contexts when they are judged again: that one was
// open where this chunk ended, and what context-throttle said.
static lp_err
remember_judged(compact_job *j)
{
    compact_carry *carry = j->new_carry;
    size_t known = carry->contexts.items.count; // they are the first
    for (size_t i = 0; i < j->contexts.items.count; i++) {
        const compact_context *judged = &j->contexts.items.items[i];
        if (i < known) {
            carry->contexts.items.items[i].is_unmeasured = judged->is_unmeasured;
            carry->contexts.items.items[i].standing = judged->standing;
            continue;
        }
        const compact_standing_ahead ahead = {judged->id, judged->standing};
        if (ahead.standing == COMPACT_STANDING_NONE) {
            continue;
        }
        if (!LP_VEC_ROOM(&carry->standings_ahead)) {
            return LP_ENOMEM;
        }
        carry->standings_ahead.items[carry->standings_ahead.count++] = ahead;
    }
    return LP_OK;
}

// judge_by_quota finds those of the contexts that matter so far that go on to.
static lp_err
judge_by_quota(compact_job *j, bool **out_ahead_is_ignored)
{
    const compact_context_throttle_input in = {
        .view = j->view,
        .ahead = j->ahead,
        .rules = j->options == NULL ? NULL : j->options->policy,
        .types = j->new_carry->types.items,
        .type_count = j->new_carry->types.count,
        .carry = j->carry,
        .clock = &j->clock,
        .window = j->window,
        .contexts = &j->contexts,
        .quotas = &j->new_carry->quotas,
    };
    return compact_context_throttle_judge(&in, out_ahead_is_ignored);
}

// judge_contexts finds the contexts that matter.
static lp_err
judge_contexts(compact_job *j, bool **out_ahead_is_ignored)
{
    const compact_worth_input in = {
        .rules = j->options == NULL ? NULL : j->options->policy,
        .schema = j->view->schema,
        .types = j->new_carry->types.items,
        .type_count = j->new_carry->types.count,
        .recordings = &j->new_carry->recordings,
        .window = j->window,
    };
    lp_err err = compact_worth_judge(&in, &j->contexts);
    if (err == LP_OK) {
        err = judge_by_quota(j, out_ahead_is_ignored);
    }
    return err == LP_OK ? remember_judged(j) : err;
}

// decide_by_identities decides the rows once the contexts are known that matter.
static lp_err
decide_by_identities(compact_job *j, const uint64_t *ahead_identities, const bool *ahead_is_ignored)
{
    const compact_decide_input in = {
        .view = j->view,
        .identities = j->identities,
        .ahead = j->ahead,
        .ahead_identities = ahead_identities,
        .ahead_is_ignored = ahead_is_ignored,
        .recordings = &j->new_carry->recordings,
        .recorded = &j->recorded,
        .filters = &j->new_carry->filters,
        .types = j->new_carry->types.items,
        .type_count = j->new_carry->types.count,
        .contexts = &j->contexts,
        .carry = j->carry,
        .throttles = &j->new_carry->throttles,
        .weights = &j->new_carry->weights,
        .clock = &j->clock,
        .window = j->window,
        .recent_min = j->recent_min,
    };
    lp_err err = compact_decide(&in, &j->parts, &j->new_carry->past);
    if (err == LP_OK) {
        err = show_recordings(j);
    }
    if (err == LP_OK && style_of(j) != COMPACT_STYLE_EVENTS) {
        err =
            compact_style_begin(j->options, &in, types_of(j), j->new_carry->types.count, &j->style);
    }
    return err;
}

// read_recorded reads the RecordingContexts that are events.
static lp_err
read_recorded(compact_job *j, const uint64_t *ahead_identities)
{
    lp_err err = LP_OK;
    if (j->carry != NULL) {
        err = compact_recorded_copy(&j->carry->recorded, INT64_MIN, &j->recorded);
    }
    if (err == LP_OK) {
        err = compact_recorded_read(j->view, j->identities, &j->recorded);
    }
    if (err == LP_OK) {
        err = compact_recorded_copy(&j->recorded, j->recent_min, &j->new_carry->recorded);
    }
    return err == LP_OK && j->ahead != NULL
               ? compact_recorded_read(j->ahead, ahead_identities, &j->recorded)
               : err;
}

static lp_err
decide_rows(compact_job *j)
{
    j->window = window_of(j);
    j->recent_min = recent_min_of(j);
    j->clock = clock_of(j);
    j->start = start_of(j);
    j->is_met = is_met_by_next(j);
    j->next_start_ticks = j->is_met ? j->ahead->info.start_ticks : 0;
    j->identities = compact_identities_identify(j->view, NULL, j->carry, j->ahead);
    uint64_t *ahead =
        j->ahead == NULL ? NULL : compact_identities_identify(j->ahead, j->view, j->carry, NULL);
    bool *ahead_is_ignored = NULL;
    lp_err err = LP_ENOMEM;
    if (j->identities != NULL && (j->ahead == NULL || ahead != NULL)) {
        err = judge_contexts(j, &ahead_is_ignored);
        if (err == LP_OK) {
            err = read_recorded(j, ahead);
        }
        if (err == LP_OK) {
            err = decide_by_identities(j, ahead, ahead_is_ignored);
        }
    }
    free(ahead_is_ignored);
    free(ahead);
    return err;
}

// count_gone is called before contexts are marked as written, and before any is forgotten.
static lp_err
count_gone(compact_job *j)
{
    const compact_carry *carry = j->new_carry;
    j->contexts_gone = calloc(carry->types.count + 1, sizeof(*j->contexts_gone));
    if (j->contexts_gone == NULL) {
        return LP_ENOMEM;
    }
    compact_account_contexts(&carry->contexts, j->contexts.items.items, j->carry, &j->parts,
        &j->window, carry->types.items, carry->types.count, j->contexts_gone);
    return LP_OK;
}

lp_err
compact_job_decide(compact_job *job, lp_problem *out_problem)
{
    compact_contexts_init(&job->contexts);
    lp_err err = take_carry(job);
    if (err == LP_OK) {
        compact_completions completions = {0};
        err = read_records(job, &completions, out_problem);
        compact_completions_fini(&completions);
    }
    if (err == LP_OK) {
        err = decide_rows(job);
    }
    if (err == LP_OK) {
        err = count_gone(job);
    }
    if (err == LP_OK) {
        err = compact_carry_make(job);
    }
    LP_VEC_FINI(&job->view->spans);
    return err;
}

// refuse_damage makes an error of the first damage, where damage is not wanted.
static lp_err
refuse_damage(const compact_job *j, lp_problem *problem)
{
    const compact_damage *damage = &j->view->damage;
    if (j->options == NULL || !j->options->is_strict || damage->place_count == 0) {
        return LP_OK;
    }
    if (problem != NULL) {
        *problem = damage->notes.items[0].problem;
    }
    return LP_ECORRUPT;
}

lp_err
compact_job_write(compact_job *job, compact_result *out_result, lp_problem *out_problem)
{
    const compact_write_input in = {
        .view = job->view,
        .identities = job->identities,
        .parts = &job->parts,
        .contexts = &job->contexts,
        .types = types_of(job),
        .type_count = job->new_carry->types.count,
        .contexts_gone = job->contexts_gone,
        .start = job->start,
        .metadata_salt = (uint64_t)job->clock.start_wall_ns * 31 + (uint64_t)job->clock.start_ticks,
        .clock = job->clock,
        .is_met = job->is_met,
        .next_start_ticks = job->next_start_ticks,
        .merge = job->chunk->merge,
        .merge_source = job->chunk->merge_source,
        // `jfr view` asks the first chunk of a file which event types there are: those that it
        // lacks are not counted, and a view of several types needs the description of each.
        .has_all_types = job->is_first,
        .style = job->style,
        .has_sample_contexts = job->options != NULL && job->options->has_sample_contexts,
        .has_settings = job->options != NULL && job->options->has_settings,
        .rules = job->options == NULL ? NULL : job->options->policy,
    };
    compact_output output = {0};
    lp_err err = compact_write(&in, &output, out_problem);
    if (err == LP_OK) {
        err = refuse_damage(job, out_problem);
    }
    if (err == LP_OK) {
        err = compact_job_tally(job, &output, &out_result->stats);
    }
    if (err == LP_OK) {
        err = compact_damage_append(&out_result->damage, &job->view->damage);
    }
    if (err == LP_OK) {
        out_result->jfr = output.jfr;
        output.jfr = (lp_buf){0};
    }
    compact_output_fini(&output);
    return err;
}

void
compact_job_fini(compact_job *job)
{
    for (size_t i = 0; job->types != NULL && i < job->type_count; i++) {
        ctx_type_fini(&job->types[i]);
    }
    free(job->types);
    compact_carry_destroy(job->new_carry);
    free(job->identities);
    compact_contexts_fini(&job->contexts);
    compact_recorded_fini(&job->recorded);
    LP_VEC_FINI(&job->parts);
    free(job->contexts_in);
    free(job->contexts_gone);
    compact_style_destroy(job->style);
    *job = (compact_job){0};
}
