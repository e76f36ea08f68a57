// SPDX-License-Identifier: Apache-2.0
#include "query/run/run.h"

#include "common/base/lp_assert.h"
#include "query/frames/application.h"
#include "query/frames/frames.h"
#include "query/run/answer_order.h"
#include "query/run/request_contexts.h"
#include "query/run/request_rows.h"
#include "query/run/rows.h"

#include <stdlib.h>

// The state of a query. end_session resets what belongs to a session.
typedef struct runner {
    query_names *names;
    query_outcome *outcome;
    size_t done;  // steps
    size_t first; // the session's first source
    size_t count; // the session's sources
    compact_schema *like;
    bool *is_needed; // by chunk: read in the first pass
    query_contexts contexts;
    query_application application; // of the session
    query_answer_order order;
    query_thread_rows rows;
    query_span_list spans;
    query_span_list pause_spans;
    query_known_attribute attributes[QUERY_REQUEST_ATTRIBUTES_MAX]; // of an answer
    query_rows_room room;
    query_request_rows request_rows;
    query_attributes own_attributes; // of requests, if only the selection needs them
} runner;

// --- Chunks

// open_chunk opens a chunk of the session. *out_is_open is false if it is unreadable, which is
// reported: a chunk that was read before may be unreadable now.
static lp_err
open_chunk(const query_question *q, runner *r, size_t index, query_chunk *chunk, bool *out_is_open)
{
    LP_ASSERT(index < r->count);
    size_t source = r->first + index;
    lp_problem problem;
    bool is_chained =
        index < r->contexts.chunks.count && r->contexts.chunks.items[index].is_chained;
    LP_TRY(query_sources_next(
        q->sources, source, r->names, is_chained, &r->like, chunk, out_is_open, &problem));
    return !*out_is_open && q->on_unreadable != NULL ? q->on_unreadable(q->arg, source, &problem)
                                                     : LP_OK;
}

// count_damage counts the damage of a chunk that was read for the first time.
static void
count_damage(query_outcome *outcome, const query_chunk *chunk)
{
    outcome->unreadable_events += chunk->unreadable_events;
    outcome->damaged_places += chunk->view.damage.place_count;
}

static bool
has_one_pass(const query_question *question)
{
    return question->contexts_only || question->on_session != NULL;
}

static void
pass_chunk(const query_question *q, runner *r, size_t index)
{
    r->done++;
    if (q->on_passed != NULL) {
        q->on_passed(
            q->arg, r->first + index, r->done, (has_one_pass(q) ? 1 : 2) * q->sources->count);
    }
}

// --- Contexts

static uint8_t
in_of(const query_source *source)
{
    return source->in == 0 ? QUERY_IN_SELECTION | QUERY_IN_BASE : source->in;
}

static lp_err
read_contexts(const query_question *q, runner *r, const query_wanted *wanted, size_t index)
{
    LP_ASSERT(index < r->count && r->is_needed[index]);
    query_chunk chunk;
    bool is_open;
    LP_TRY(open_chunk(q, r, index, &chunk, &is_open));
    if (!is_open) {
        return query_contexts_skip(&r->contexts, (query_chunk_times){INT64_MAX, INT64_MIN});
    }
    uint8_t in = in_of(&q->sources->items[r->first + index]);
    lp_err err = query_contexts_add(&r->contexts, wanted, &chunk, in, q->is_cancelled);
    count_damage(r->outcome, &chunk);
    query_sources_close(q->sources, r->first + index, &chunk);
    return err;
}

static lp_err
pass_contexts(const query_question *q, runner *r, const query_wanted *wanted, size_t index)
{
    LP_ASSERT(index == r->contexts.chunks.count);
    lp_err err = query_check_cancelled(q->is_cancelled);
    const query_source *source = &q->sources->items[r->first + index];
    LP_THEN(err, r->is_needed[index]
                     ? read_contexts(q, r, wanted, index)
                     : query_contexts_skip(&r->contexts, query_needed_times(source)));
    pass_chunk(q, r, index);
    return err;
}

static void
add_needed(const query_question *q, const runner *r, const query_selection *selection, uint8_t in)
{
    const query_source *first = &q->sources->items[r->first];
    query_needed_find(first, r->count, selection, in, r->is_needed);
    if (!q->contexts_only) {
        query_needed_find_periods(first, r->count, selection, in, r->is_needed);
    }
}

static lp_err
find_needed(const query_question *q, runner *r)
{
    LP_ASSERT(r->is_needed == NULL); // of the session before
    r->is_needed = calloc(r->count, sizeof(*r->is_needed));
    LP_REQUIRE(r->is_needed != NULL, LP_ENOMEM);
    add_needed(q, r, q->selection, QUERY_IN_SELECTION);
    if (q->base != NULL) {
        add_needed(q, r, q->base, QUERY_IN_BASE);
    }
    return LP_OK;
}

// needs_attributes returns whether only the selections need the attributes of requests.
static bool
needs_attributes(const query_question *q)
{
    return q->selection->unit == QUERY_UNIT_REQUESTS && q->attributes == NULL &&
           (query_selection_needs_attributes(q->selection) ||
               (q->base != NULL && query_selection_needs_attributes(q->base)));
}

static void
begin_contexts(query_contexts *contexts, const query_question *q, const jfr_clock *clock)
{
    *contexts = (query_contexts){
        .unit = q->selection->unit,
        .has_clock = clock != NULL,
        .requests.wants_thread_names = q->wants_thread_names,
    };
    if (clock != NULL) {
        contexts->clock = *clock;
    }
}

static lp_err
find_contexts(const query_question *q, runner *r)
{
    const query_wanted wanted = {
        .selection = q->selection,
        .base = q->base,
        .attributes = needs_attributes(q) ? &r->own_attributes : q->attributes,
        .wants_thread_names = q->wants_thread_names,
        .wants_parts = q->wants_parts,
    };
    begin_contexts(&r->contexts, q, q->sources->items[r->first].clock);
    LP_TRY(find_needed(q, r));
    for (size_t i = 0; i < r->count; i++) {
        LP_TRY(pass_contexts(q, r, &wanted, i));
    }
    LP_TRY(query_contexts_finish(&r->contexts, &wanted, r->names));
    return r->contexts.unit == QUERY_UNIT_REQUESTS
               ? query_request_contexts_make(&r->contexts, &wanted, r->names)
               : LP_OK;
}

// --- Events

static int64_t
period_of(const query_periods *periods, size_t index, query_chunk *chunk, const query_event *event)
{
    const char *field = event->type->of.period;
    if (field != NULL) {
        return query_chunk_length_ns(chunk, event, field);
    }
    const query_period *period = query_periods_find(periods, (uint32_t)index, event->commit);
    return period == NULL ? 0 : period->ns;
}

static int64_t
bytes_of(bool has_samples, query_chunk *chunk, const query_event *event)
{
    const query_allocation *allocation = &event->type->allocation;
    bool counts = allocation->bytes != NULL && (allocation->is_sample || !has_samples);
    return counts ? query_chunk_number(chunk, event, allocation->bytes) : 0;
}

static query_row
make_row(const query_question *q, const query_contexts *contexts, size_t index, query_chunk *chunk,
    const query_event *event)
{
    time_category category = event->type->of.category;
    bool is_sample = category == TIME_CPU;
    if (is_sample && contexts->has_own_periods && event->type->of.period == NULL) {
        category = TIME_OTHER; // other samples count the same time
        is_sample = false;
    }
    query_stack_name name = {QUERY_NAME_NONE, QUERY_NAME_NONE};
    int64_t measure = 0; // period_ns or bytes
    if (is_sample) {
        measure = period_of(&contexts->periods, index, chunk, event);
    } else if (q->wants_bytes) {
        measure = bytes_of(contexts->has_allocation_samples, chunk, event);
    }
    if (q->wants_frames) {
        name = query_frames_name(chunk, event);
    }
    return (query_row){
        .begin = event->begin,
        .commit = event->commit,
        .period_ns = measure,
        .type = event->type->name,
        .frame = name.frame,
        .via = name.via,
        .counted = event->type->counted,
        .chunk = (uint32_t)index,
        .offset = event->offset,
        .category = (uint8_t)category,
        .has_duration = event->type->has_duration,
    };
}

static lp_err
add_row(const query_question *q, runner *r, query_thread_group *group, size_t index,
    query_chunk *chunk, const query_event *event)
{
    if (query_thread_rows_is_full(&r->rows)) {
        r->outcome->is_truncated = true;
        return LP_OK;
    }
    query_row made = make_row(q, &r->contexts, index, chunk, event);
    if (q->wants_row != NULL && !q->wants_row(&made)) {
        return LP_OK;
    }
    if (q->stacks != NULL && q->wants_stack(&made)) {
        made.stack = query_stacks_of(q->stacks, chunk, event);
    }
    if (q->on_row != NULL) {
        LP_TRY(q->on_row(q->row_arg, r->first + index, chunk, event, &made));
    }
    return query_thread_rows_add(&r->rows, group, &made);
}

static lp_err
take_event(
    const query_question *q, runner *r, size_t index, query_chunk *chunk, const query_event *event)
{
    if (event->type->role == QUERY_ROLE_SETTING &&
        !r->is_needed[index]) { // read for the first time
        return query_periods_add(&r->contexts.periods, chunk, (uint32_t)index, event);
    }
    if (event->type->role != QUERY_ROLE_EVENT) {
        return LP_OK;
    }
    if (!query_answer_order_needs(&r->order, event->commit)) {
        return LP_OK;
    }
    if (event->type->of.scope == TIME_IN_JVM) {
        return query_chunk_counts(chunk, event) ? add_row(q, r, NULL, index, chunk, event) : LP_OK;
    }
    uint64_t identity = query_chunk_identity(chunk, event);
    if (identity == QUERY_NO_THREAD) {
        return LP_OK;
    }
    uint64_t thread =
        query_threads_find(&r->contexts.threads, (uint32_t)index, event->thread_key, identity);
    query_thread_group *group =
        query_thread_rows_find(&r->rows, &r->contexts, thread, event->commit);
    return group == NULL ? LP_OK : add_row(q, r, group, index, chunk, event);
}

// has_wanted returns whether a chunk may have events of contexts or requests that are not answered.
static bool
has_wanted(const runner *r, size_t index)
{
    const query_chunk_times *times = &r->contexts.chunks.items[index].times;
    return times->commit_min <= times->commit_max &&
           query_answer_order_needs(&r->order, times->commit_max);
}

static lp_err
read_events(const query_question *q, runner *r, size_t index)
{
    query_chunk chunk;
    bool is_open;
    bool is_first = !r->is_needed[index];
    lp_err err = open_chunk(q, r, index, &chunk, &is_open);
    if (err != LP_OK || !is_open) {
        return err;
    }
    chunk.skips_contexts = !is_first; // the first time unreadable contexts are counted
    r->contexts.chunks.items[index].info = chunk.view.info;
    if (q->wants_frames) {
        query_application_learn(&r->application, &chunk);
        chunk.application = &r->application;
    }
    query_scan scan = query_scan_begin(&chunk, q->is_cancelled, LP_OK);
    query_event event;
    while (query_scan_next(&scan, &event)) {
        scan.err = take_event(q, r, index, &chunk, &event);
    }
    if (is_first) {
        count_damage(r->outcome, &chunk);
    }
    query_sources_close(q->sources, r->first + index, &chunk);
    return scan.err;
}

// --- Answers

static lp_err
send_answer(const query_question *q, runner *r, query_answer *found)
{
    LP_ASSERT(found->context != NULL && found->row_count <= QUERY_ROWS_MAX);
    const query_context *context = found->context;
    if (q->attributes != NULL) {
        query_attributes_read(
            q->attributes, context->attributes, context->attribute_count, r->attributes);
    }
    found->contexts = &r->contexts;
    found->in = context->in;
    found->first_source = (uint32_t)r->first;
    found->source = (uint32_t)(r->first + context->chunk);
    found->attributes = r->attributes;
    found->attribute_count = context->attribute_count;
    r->outcome->contexts += (context->in & QUERY_IN_SELECTION) != 0;
    r->outcome->base_contexts += (context->in & QUERY_IN_BASE) != 0;
    return q->on_context(q->arg, found);
}

static lp_err
find_pauses(runner *r, int64_t begin, int64_t end, query_answer *found)
{
    query_row_range pauses;
    LP_TRY(query_rows_find(&r->rows.pauses, &r->room, begin, end, &pauses));
    LP_TRY(query_rows_span(pauses, &r->room, &found->clock, &r->pause_spans));
    found->pause_rows = pauses.items;
    found->pauses = r->pause_spans.items;
    found->pause_count = pauses.count;
    return LP_OK;
}

static lp_err
answer_context(const query_question *q, runner *r, const query_context *context)
{
    query_rows *thread_rows = query_thread_rows_get(&r->rows, context->thread);
    query_row_range rows;
    query_answer found = {
        .context = context,
        .ref = query_contexts_ref(context, r->names),
        .clock = query_contexts_clock(&r->contexts, context->begin_chunk),
        .begin_wall_ns = query_contexts_wall_ns(&r->contexts, context),
        .duration_ns = query_contexts_duration_ns(&r->contexts, context),
    };
    LP_TRY(query_rows_find(thread_rows, &r->room, context->begin, context->end, &rows));
    LP_TRY(find_pauses(r, context->begin, context->end, &found));
    LP_TRY(query_rows_span(rows, &r->room, &found.clock, &r->spans));
    found.rows = rows.items;
    found.row_count = rows.count;
    found.spans = r->spans.items;
    found.left_ns = time_split(found.begin_wall_ns, found.begin_wall_ns + found.duration_ns,
        r->spans.items, rows.count, r->pause_spans.items, found.pause_count);
    return send_answer(q, r, &found);
}

static lp_err
add_stays(runner *r, const query_request *request, const jfr_clock *clock)
{
    LP_ASSERT(request->first_stay + request->stay_count <= r->contexts.requests.stays_of.count);
    for (uint32_t i = 0; i < request->stay_count; i++) {
        uint32_t index = r->contexts.requests.stays_of.items[request->first_stay + i];
        const query_context *stay = &r->contexts.items.items[index];
        query_rows *thread_rows = query_thread_rows_get(&r->rows, stay->thread);
        query_row_range rows;
        LP_TRY(query_rows_find(thread_rows, &r->room, stay->begin, stay->end, &rows));
        LP_TRY(query_request_rows_add(&r->request_rows, stay, rows, &r->room, clock));
    }
    return LP_OK;
}

static lp_err
answer_request(const query_question *q, runner *r, uint32_t index)
{
    const query_request *request = &r->contexts.requests.items.items[index];
    LP_ASSERT(request->has_facts);
    const query_context context = query_request_context(request);
    query_answer found = {
        .context = &context,
        .request = request,
        .ref = {request->begin, (uint32_t)request->facts.id},
        .clock = query_contexts_clock(&r->contexts, request->begin_chunk),
        .begin_wall_ns = query_request_wall_ns(&r->contexts, request),
        .duration_ns = request->facts.duration_ns,
    };
    query_request_rows_begin(&r->request_rows);
    LP_TRY(add_stays(r, request, &found.clock));
    if (request->stay_count > 0) {
        const query_answer_times times = query_answer_order_times(&r->contexts, index);
        LP_TRY(find_pauses(r, times.begin, times.end, &found));
    }
    LP_TRY(
        query_request_rows_divide(&r->request_rows, &r->contexts, q, r->pause_spans.items, &found));
    return send_answer(q, r, &found);
}

static lp_err
answer(const query_question *q, runner *r, uint32_t index)
{
    LP_TRY(query_check_cancelled(q->is_cancelled));
    return r->contexts.unit == QUERY_UNIT_REQUESTS
               ? answer_request(q, r, index)
               : answer_context(q, r, &r->contexts.items.items[index]);
}

// answer_others answers what wants no events, while there are no rows.
static lp_err
answer_others(const query_question *q, runner *r)
{
    for (size_t i = r->order.with_events; i < r->order.count; i++) {
        LP_TRY(answer(q, r, r->order.by_end[i]));
    }
    return LP_OK;
}

// answer_all answers what ended before a time.
static lp_err
answer_all(const query_question *q, runner *r, int64_t horizon)
{
    uint32_t index;
    while (query_answer_order_next(&r->order, &r->contexts, horizon, &index)) {
        LP_TRY(answer(q, r, index));
    }
    query_thread_rows_drop(
        &r->rows, &r->contexts, horizon, query_answer_order_begin_min(&r->order));
    return LP_OK;
}

// --- Sessions

static lp_err
answer_by_chunk(const query_question *q, runner *r)
{
    LP_ASSERT(r->contexts.chunks.count == r->count);
    lp_err err = LP_OK;
    for (size_t i = 0; i < r->count && err == LP_OK; i++) {
        err = query_check_cancelled(q->is_cancelled);
        LP_THEN(err, has_wanted(r, i) ? read_events(q, r, i) : LP_OK);
        LP_THEN(err, answer_all(q, r, r->order.horizons[i]));
        pass_chunk(q, r, i);
    }
    return err;
}

static lp_err
answer_session(const query_question *q, runner *r)
{
    if (q->on_session != NULL) {
        return q->on_session(q->arg, &r->contexts, r->first);
    }
    LP_ASSERT(r->contexts.chunks.count == r->count);
    LP_TRY(query_answer_order_make(&r->order, &r->contexts, q->wants_events, q->arg));
    LP_TRY(query_thread_rows_begin(&r->rows, &r->contexts));
    LP_TRY(answer_others(q, r));
    return q->contexts_only ? answer_all(q, r, INT64_MAX) : answer_by_chunk(q, r);
}

static lp_err
run_session(const query_question *q, runner *r)
{
    r->application = (query_application){.packages = q->packages};
    lp_err err = find_contexts(q, r);
    LP_THEN(err, answer_session(q, r));
    r->outcome->is_truncated |= r->contexts.is_truncated;
    return err;
}

static void
end_session(runner *r)
{
    query_thread_rows_fini(&r->rows);
    query_answer_order_fini(&r->order);
    free(r->is_needed);
    r->is_needed = NULL;
    query_contexts_fini(&r->contexts);
    query_attributes_reset(&r->own_attributes);
    compact_schema_release(r->like);
    r->like = NULL;
}

static size_t
count_session(const query_sources *sources, size_t first)
{
    size_t count = 1;
    while (first + count < sources->count &&
           sources->items[first + count].session == sources->items[first].session) {
        count++;
    }
    return count;
}

lp_err
query_run(const query_question *question, query_names *names, query_outcome *out_outcome)
{
    LP_ASSERT(question->sources != NULL);
    LP_ASSERT(question->selection != NULL);
    LP_ASSERT(question->on_context != NULL || question->on_session != NULL);
    *out_outcome = (query_outcome){0};
    runner r = {.names = names, .outcome = out_outcome};
    lp_err err = LP_OK;
    while (r.first < question->sources->count && err == LP_OK) {
        r.count = count_session(question->sources, r.first);
        err = run_session(question, &r);
        end_session(&r);
        if (question->attributes != NULL) {
            query_attributes_reset(question->attributes);
        }
        r.first += r.count;
    }
    LP_VEC_FINI(&r.spans);
    LP_VEC_FINI(&r.pause_spans);
    query_rows_room_fini(&r.room);
    query_request_rows_fini(&r.request_rows);
    out_outcome->is_truncated |= r.own_attributes.is_truncated;
    query_attributes_fini(&r.own_attributes);
    out_outcome->is_truncated |=
        names->is_truncated || (question->stacks != NULL && question->stacks->is_truncated) ||
        (question->attributes != NULL && question->attributes->is_truncated);
    return err;
}
