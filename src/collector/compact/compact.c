// SPDX-License-Identifier: Apache-2.0
#include "collector/compact/compact.h"

#include "collector/compact/compact_carry.h"
#include "collector/compact/compact_contexts.h"
#include "collector/compact/compact_decide.h"
#include "collector/compact/compact_view.h"
#include "collector/compact/compact_write.h"

#include <stdlib.h>
#include <string.h>

// Everything one call holds, so that it is freed in one place.
typedef struct job {
    const compact_source *chunk;
    const compact_source *next;
    const compact_carry *carry;
    compact_view view;
    compact_view ahead;
    bool has_ahead;
    compact_carry *new_carry;  // its contexts are those known when the chunk ended
    compact_contexts contexts; // those, and what the next chunk tells of them
    size_t carried_count;      // of new_carry->contexts: how many came from the chunk before
    compact_window window;
    compact_parts parts;
    compact_output output;
} job;

static int64_t
ticks_of_ms(const compact_view *view, int64_t ms)
{
    return (int64_t)((__int128)ms * view->info.ticks_per_s / 1000);
}

static lp_err
open_views(job *j, const policy *rules, lp_problem *problem)
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
take_carry(job *j)
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
note_written_ahead(job *j)
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
read_records(job *j, lp_problem *problem)
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
end_of_chunk(const job *j)
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

// sum_of stops at the ends of the numbers: absurd times must not wrap around.
static int64_t
sum_of(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

static compact_window
window_of(const job *j)
{
    compact_window window = {
        .lo = j->carry == NULL ? INT64_MIN : j->carry->border_ticks,
        .hi = j->has_ahead ? j->ahead.info.start_ticks : sum_of(end_of_chunk(j), 1),
    };
    if (window.hi < window.lo) {
        window.hi = window.lo;
    }
    if (window.hi == INT64_MIN) { // there is a tick before its end
        window.hi++;
    }
    return window;
}

static compact_clock
clock_of(const job *j)
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

// --- The carry-over

typedef LP_VEC(compact_trigger) trigger_list;

static lp_err
add_trigger(trigger_list *list, compact_trigger trigger)
{
    compact_trigger *slot = LP_VEC_PUSH(list);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = trigger;
    return LP_OK;
}

static compact_trigger
trigger_of(const compact_view *view, const compact_row *row)
{
    return (compact_trigger){
        .thread = view->threads.items[row->thread].identity,
        .commit = row->commit,
        .begin = view->plans[row->type].is_contextual ? row->begin : COMPACT_PLAIN_BEGIN,
    };
}

// add_kept lists the kept events of each thread that are recent, and the last of the older ones.
static lp_err
add_kept(const compact_view *view, int64_t recent_min, trigger_list *list)
{
    compact_trigger *last_old = malloc((view->threads.count + 1) * sizeof(*last_old));
    if (last_old == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->threads.count; i++) {
        last_old[i] = (compact_trigger){.commit = INT64_MIN};
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->rows.count && err == LP_OK; i++) {
        const compact_row *row = &view->rows.items[i];
        if (!row->is_kept || row->thread == COMPACT_NO_THREAD) {
            continue;
        }
        compact_trigger trigger = trigger_of(view, row);
        if (row->commit >= recent_min) {
            err = add_trigger(list, trigger);
        } else if (row->commit > last_old[row->thread].commit) {
            last_old[row->thread] = trigger;
        }
    }
    for (size_t i = 0; i < view->threads.count && err == LP_OK; i++) {
        if (last_old[i].commit != INT64_MIN) {
            err = add_trigger(list, last_old[i]);
        }
    }
    free(last_old);
    return err;
}

static int
compare_by_thread(const void *a, const void *b)
{
    const compact_trigger *x = a;
    const compact_trigger *y = b;
    if (x->thread != y->thread) {
        return x->thread < y->thread ? -1 : 1;
    }
    if (x->commit != y->commit) {
        return x->commit < y->commit ? -1 : 1;
    }
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int
compare_latest_first(const void *a, const void *b)
{
    const compact_trigger *x = a;
    const compact_trigger *y = b;
    if (x->commit != y->commit) {
        return x->commit > y->commit ? -1 : 1;
    }
    return (x->thread > y->thread) - (x->thread < y->thread);
}

// thin_triggers drops what can decide nothing any more: of each thread, all but the last of the
// old, and of those with one commit time all but the one that is decided first, the last to begin.
static void
thin_triggers(trigger_list *list, int64_t recent_min)
{
    if (list->count == 0) {
        return;
    }
    qsort(list->items, list->count, sizeof(*list->items), compare_by_thread);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const compact_trigger *trigger = &list->items[i];
        const compact_trigger *next = i + 1 < list->count ? trigger + 1 : NULL;
        bool is_superseded = next != NULL && next->thread == trigger->thread &&
                             (next->commit < recent_min || next->commit == trigger->commit);
        if (!is_superseded) {
            list->items[count++] = *trigger;
        }
    }
    list->count = count;
    if (list->count > COMPACT_CARRY_TRIGGERS_MAX) {
        qsort(list->items, list->count, sizeof(*list->items), compare_latest_first);
        list->count = COMPACT_CARRY_TRIGGERS_MAX;
    }
}

static lp_err
carry_triggers(job *j, int64_t recent_min)
{
    trigger_list list = {0};
    lp_err err = add_kept(&j->view, recent_min, &list);
    for (size_t i = 0; j->carry != NULL && i < j->carry->triggers.count && err == LP_OK; i++) {
        err = add_trigger(&list, j->carry->triggers.items[i]);
    }
    if (err != LP_OK) {
        LP_VEC_FINI(&list);
        return err;
    }
    thin_triggers(&list, recent_min);
    j->new_carry->triggers.items = list.items;
    j->new_carry->triggers.count = list.count;
    j->new_carry->triggers.capacity = list.capacity;
    return LP_OK;
}

static lp_err
carry_interval(compact_carry *carry, uint64_t thread, int64_t begin, int64_t end)
{
    compact_interval *slot = LP_VEC_PUSH(&carry->intervals);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = (compact_interval){.thread = thread, .begin = begin, .end = end};
    return LP_OK;
}

static lp_err
carry_intervals(job *j, int64_t recent_min)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < j->view.rows.count && err == LP_OK; i++) {
        const compact_row *row = &j->view.rows.items[i];
        if (j->view.plans[row->type].is_contextual && row->thread != COMPACT_NO_THREAD &&
            row->commit >= recent_min) {
            err = carry_interval(
                j->new_carry, j->view.threads.items[row->thread].identity, row->begin, row->commit);
        }
    }
    for (size_t i = 0; j->carry != NULL && i < j->carry->intervals.count && err == LP_OK; i++) {
        const compact_interval *interval = &j->carry->intervals.items[i];
        if (interval->end >= recent_min) {
            err = carry_interval(j->new_carry, interval->thread, interval->begin, interval->end);
        }
    }
    return err;
}

// carry_contexts notes which contexts have been written and drops those that are over.
static lp_err
carry_contexts(job *j, int64_t recent_min)
{
    compact_contexts *known = &j->new_carry->contexts;
    for (size_t i = 0; i < j->parts.count; i++) {
        uint32_t index = j->parts.items[i].context;
        if (index < known->items.count) {
            known->items.items[index].is_written = true;
            continue;
        }
        uint64_t *id = LP_VEC_PUSH(&j->new_carry->written_ahead);
        if (id == NULL) {
            return LP_ENOMEM;
        }
        *id = j->contexts.items.items[index].id;
    }
    compact_contexts left;
    compact_contexts_init(&left);
    lp_err err = compact_contexts_copy(known, recent_min, &left);
    compact_contexts_fini(known);
    *known = left;
    return err;
}

static lp_err
make_carry(job *j)
{
    int64_t recent_min = sum_of(j->window.hi, -ticks_of_ms(&j->view, COMPACT_LATENESS_MS));
    lp_err err = carry_triggers(j, recent_min);
    if (err == LP_OK) {
        err = carry_intervals(j, recent_min);
    }
    if (err == LP_OK) {
        err = carry_contexts(j, recent_min);
    }
    j->new_carry->border_ticks = j->window.hi;
    j->new_carry->clock = clock_of(j);
    return err;
}

// --- The statistics

static lp_err
add_type_stats(compact_stats *stats, const char *name, compact_type_stats numbers)
{
    compact_type_stats *types =
        realloc(stats->types, (stats->type_count + 1) * sizeof(*stats->types));
    if (types == NULL) {
        return LP_ENOMEM;
    }
    stats->types = types;
    numbers.name = strdup(name);
    if (numbers.name == NULL) {
        return LP_ENOMEM;
    }
    stats->types[stats->type_count++] = numbers;
    return LP_OK;
}

static lp_err
count_events(const job *j, compact_stats *stats)
{
    const compact_view *view = &j->view;
    compact_written *in = calloc(view->metadata.types.count + 1, sizeof(*in));
    if (in == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < view->rows.count; i++) {
        const compact_row *row = &view->rows.items[i];
        in[row->type].events++;
        in[row->type].bytes += compact_view_event(view, row->offset).len;
        stats->late_events += j->carry != NULL && row->commit < j->window.lo;
    }
    lp_err err = LP_OK;
    for (size_t i = 0; i < view->metadata.types.count && err == LP_OK; i++) {
        if (in[i].events == 0) {
            continue;
        }
        const compact_written *out = &j->output.by_type[i];
        bool is_contextual = view->plans[i].is_contextual;
        stats->events_in += in[i].events;
        stats->events_out += out->events;
        stats->contexts_in += is_contextual ? in[i].events : 0;
        stats->contexts_out += is_contextual ? out->events : 0;
        err = add_type_stats(stats,
            jfr_metadata_text(&view->metadata, view->metadata.types.items[i].name),
            (compact_type_stats){
                .is_contextual = is_contextual,
                .events_in = in[i].events,
                .events_out = out->events,
                .bytes_in = in[i].bytes,
                .bytes_out = out->bytes,
            });
    }
    free(in);
    return err;
}

static lp_err
count_contexts(const job *j, compact_stats *stats)
{
    const compact_contexts *contexts = &j->new_carry->contexts;
    for (size_t t = 0; t < j->new_carry->types.count; t++) {
        const ctx_type *type = &j->new_carry->types.items[t];
        compact_type_stats numbers = {
            .is_contextual = true,
            .events_out = j->output.by_context[t].events,
            .bytes_out = j->output.by_context[t].bytes,
        };
        for (size_t i = j->carried_count; i < contexts->items.count; i++) {
            const compact_context *context = &contexts->items.items[i];
            if (context->type_id == type->id) {
                numbers.events_in++;
                numbers.bytes_in += CTX_RECORD_HEADER_BYTES + context->values_bytes;
            }
        }
        stats->contexts_in += numbers.events_in;
        stats->contexts_out += numbers.events_out;
        if (numbers.events_in > 0 || numbers.bytes_out > 0) {
            lp_err err = add_type_stats(stats, type->name, numbers);
            if (err != LP_OK) {
                return err;
            }
        }
    }
    return LP_OK;
}

static lp_err
make_stats(const job *j, compact_stats *stats)
{
    stats->bytes_in = j->chunk->jfr.len + j->chunk->records.len;
    stats->bytes_out = j->output.jfr.len;
    stats->contexts_lost = j->output.unwritable_parts;
    stats->unknown_events = j->view.unknown_events;
    stats->start_wall_ns = j->view.info.start_wall_ns;
    stats->duration_ns = j->view.info.duration_ns;
    lp_err err = count_events(j, stats);
    return err != LP_OK ? err : count_contexts(j, stats);
}

static lp_err
run(job *j, const policy *rules, compact_result *result, lp_problem *problem)
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
            .clock = clock_of(j),
        };
        err = compact_write(&in, &j->output, problem);
    }
    if (err == LP_OK) {
        err = make_stats(j, &result->stats);
    }
    return err == LP_OK ? make_carry(j) : err;
}

lp_err
compact_chunk(const compact_source *chunk, const compact_source *next, const compact_carry *carry,
    const policy *rules, compact_result *out_result, lp_problem *out_problem)
{
    job j = {.chunk = chunk, .next = next, .carry = carry};
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
