// SPDX-License-Identifier: Apache-2.0
#include "query/run/run.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_order.h"
#include "query/frames/application.h"
#include "query/frames/frames.h"
#include "query/run/request_contexts.h"
#include "query/run/request_rows.h"

#include <stdlib.h>

typedef struct thread_group {
    uint32_t first; // of its contexts
    uint32_t count;
    uint32_t answered; // contexts before this one are answered
    query_rows rows;
} thread_group;

// The state of a query. end_session resets what belongs to a session.
typedef struct runner {
    const query_question *question;
    query_names *names;
    query_outcome *outcome;
    size_t done;  // steps
    size_t first; // the session's first source
    size_t count; // the session's sources
    compact_schema *like;
    bool *is_needed; // by chunk: read in the first pass
    query_contexts contexts;
    query_application application; // of the session
    int64_t *horizons;             // by chunk: later chunks have only events committed from here on
    uint32_t *by_end;              // units: first those with events, by end; then the others
    uint32_t with_events;          // count of the first
    uint32_t next;                 // index in by_end of the next unit to answer
    int64_t *begin_min; // parallel to by_end: the least begin of this unit and those behind it
    lp_map group_of;    // by thread
    LP_VEC(thread_group) groups;
    LP_VEC(uint32_t) filled; // the groups that have rows
    query_rows pauses;
    size_t row_count; // in all lists
    query_span_list spans;
    query_span_list pause_spans;
    query_known_attribute attributes[QUERY_REQUEST_ATTRIBUTES_MAX]; // of an answer
    query_rows_room room;
    query_request_rows request_rows;
    query_attributes own_attributes; // of requests, if only the selection needs them
} runner;

// A unit of an answer: a context or a request, with the same index.
typedef struct unit {
    int64_t begin; // ticks; INT64_MAX: a request without stays
    int64_t end;   // ticks; INT64_MIN: likewise
} unit;

static void
runner_check(const runner *r)
{
    LP_ASSERT(r->next <= r->with_events);
    LP_ASSERT(r->row_count <= QUERY_ROWS_MAX);
    LP_ASSERT(r->filled.count <= r->groups.count);
}

static lp_err
check_cancelled(const runner *r)
{
    return query_check_cancelled(r->question->is_cancelled);
}

static bool
is_of_requests(const runner *r)
{
    return r->question->selection->unit == QUERY_UNIT_REQUESTS;
}

static size_t
count_units(const runner *r)
{
    return is_of_requests(r) ? r->contexts.requests.items.count : r->contexts.items.count;
}

static unit
unit_of(const runner *r, uint32_t index)
{
    LP_ASSERT(index < count_units(r));
    if (!is_of_requests(r)) {
        const query_context *context = &r->contexts.items.items[index];
        return (unit){context->begin, context->end};
    }
    const query_request *request = &r->contexts.requests.items.items[index];
    const query_context *first =
        request->stay_count == 0
            ? NULL
            : &r->contexts.items.items[r->contexts.requests.stays_of.items[request->first_stay]];
    return (unit){first == NULL ? INT64_MAX : first->begin, request->end};
}

// --- Chunks

static const query_source *
source_of(const runner *r, size_t index)
{
    LP_ASSERT(index < r->count);
    return &r->question->sources->items[r->first + index];
}

// open_chunk opens a chunk of the session. *out_is_open is false if it is unreadable.
static lp_err
open_chunk(runner *r, size_t index, bool reports_unreadable, query_chunk *chunk, bool *out_is_open)
{
    LP_ASSERT(index < r->count);
    const query_question *q = r->question;
    size_t source = r->first + index;
    lp_problem problem;
    bool is_chained =
        index < r->contexts.chunks.count && r->contexts.chunks.items[index].is_chained;
    LP_TRY(query_sources_next(
        q->sources, source, r->names, is_chained, &r->like, chunk, out_is_open, &problem));
    return !*out_is_open && reports_unreadable && q->on_unreadable != NULL
               ? q->on_unreadable(q->arg, source, &problem)
               : LP_OK;
}

// close_chunk closes a chunk. If it was read for the first time, counts its damage.
static void
close_chunk(runner *r, size_t index, bool is_first, query_chunk *chunk)
{
    if (is_first) {
        r->outcome->unreadable_events += chunk->unreadable_events;
        r->outcome->damaged_places += chunk->view.damage.place_count;
    }
    query_sources_close(r->question->sources, r->first + index, chunk);
}

static bool
has_one_pass(const query_question *question)
{
    return question->contexts_only || question->on_session != NULL;
}

static void
pass_chunk(runner *r, size_t index)
{
    const query_question *q = r->question;
    r->done++;
    if (q->on_passed != NULL) {
        q->on_passed(
            q->arg, r->first + index, r->done, (has_one_pass(q) ? 1 : 2) * q->sources->count);
    }
}

static uint8_t
in_of(const query_source *source)
{
    return source->in == 0 ? QUERY_IN_SELECTION | QUERY_IN_BASE : source->in;
}

static lp_err
read_contexts(runner *r, size_t index)
{
    query_chunk chunk;
    bool is_open;
    LP_TRY(open_chunk(r, index, true, &chunk, &is_open));
    if (!is_open) {
        return query_contexts_skip(&r->contexts, (query_chunk_times){INT64_MAX, INT64_MIN});
    }
    lp_err err = query_contexts_add(&r->contexts, &chunk, in_of(source_of(r, index)));
    close_chunk(r, index, true, &chunk);
    return err;
}

static lp_err
find_contexts(runner *r, size_t index)
{
    lp_err err = check_cancelled(r);
    LP_THEN(err, r->is_needed[index]
                     ? read_contexts(r, index)
                     : query_contexts_skip(&r->contexts, query_needed_times(source_of(r, index))));
    pass_chunk(r, index);
    return err;
}

static void
add_needed(runner *r, const query_selection *selection, uint8_t in)
{
    query_needed_find(source_of(r, 0), r->count, selection, in, r->is_needed);
    if (!r->question->contexts_only) {
        query_needed_find_periods(source_of(r, 0), r->count, selection, in, r->is_needed);
    }
}

static lp_err
find_needed(runner *r)
{
    LP_ASSERT(r->is_needed == NULL); // of the session before
    const query_question *q = r->question;
    r->is_needed = calloc(r->count, sizeof(*r->is_needed));
    LP_REQUIRE(r->is_needed != NULL, LP_ENOMEM);
    add_needed(r, q->selection, QUERY_IN_SELECTION);
    if (q->base != NULL) {
        add_needed(r, q->base, QUERY_IN_BASE);
    }
    return LP_OK;
}

// --- The order of work

static lp_err
add_groups(runner *r)
{
    for (uint32_t i = 0; i < r->contexts.items.count; i++) {
        const query_context *context = &r->contexts.items.items[i];
        if (i == 0 || context[-1].thread != context->thread) {
            LP_TRY(lp_map_put(&r->group_of, context->thread, (uint32_t)r->groups.count));
            LP_TRY(LP_VEC_ADD(&r->groups, (thread_group){.first = i}));
        }
        r->groups.items[r->groups.count - 1].count++;
    }
    return LP_OK;
}

static void
find_horizons(runner *r)
{
    LP_ASSERT(r->contexts.chunks.count == r->count);
    int64_t horizon = INT64_MAX;
    for (size_t i = r->count; i > 0; i--) {
        const query_chunk_times *times = &r->contexts.chunks.items[i - 1].times;
        r->horizons[i - 1] = horizon;
        horizon = times->commit_min < horizon ? times->commit_min : horizon;
    }
}

static int
compare_ends(const void *a, const void *b, void *arg)
{
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    return LP_ORDER(unit_of(arg, one).end, unit_of(arg, other).end) ?: LP_ORDER(one, other);
}

static bool
wants_events(const runner *r, uint32_t index)
{
    const query_question *q = r->question;
    if (q->wants_events == NULL) {
        return true;
    }
    if (is_of_requests(r)) {
        const query_request *request = &r->contexts.requests.items.items[index];
        return q->wants_events(
            q->arg, query_request_wall_ns(&r->contexts, request), request->facts.duration_ns);
    }
    const query_context *context = &r->contexts.items.items[index];
    return q->wants_events(q->arg, query_contexts_wall_ns(&r->contexts, context),
        query_contexts_duration_ns(&r->contexts, context));
}

static lp_err
plan(runner *r)
{
    LP_ASSERT(r->by_end == NULL && r->groups.count == 0); // of the session before
    size_t count = count_units(r);
    r->horizons = calloc(r->count, sizeof(*r->horizons));
    r->by_end = calloc(count + 1, sizeof(*r->by_end));
    r->begin_min = calloc(count + 1, sizeof(*r->begin_min));
    LP_REQUIRE(r->horizons != NULL && r->by_end != NULL && r->begin_min != NULL, LP_ENOMEM);
    find_horizons(r);
    size_t others = count;
    for (uint32_t i = 0; i < count; i++) {
        r->by_end[wants_events(r, i) ? r->with_events++ : --others] = i;
    }
    qsort_r(r->by_end, r->with_events, sizeof(*r->by_end), compare_ends, r);
    r->begin_min[r->with_events] = INT64_MAX;
    for (size_t i = r->with_events; i > 0; i--) {
        int64_t begin = unit_of(r, r->by_end[i - 1]).begin;
        r->begin_min[i - 1] = begin < r->begin_min[i] ? begin : r->begin_min[i];
    }
    return add_groups(r);
}

// --- Events

static int64_t
period_of(const runner *r, size_t index, query_chunk *chunk, const query_event *event)
{
    const char *field = event->type->of.period;
    if (field != NULL) {
        return query_chunk_length_ns(chunk, event, field);
    }
    const query_period *period =
        query_periods_find(&r->contexts.periods, (uint32_t)index, event->commit);
    return period == NULL ? 0 : period->ns;
}

static int64_t
bytes_of(const runner *r, query_chunk *chunk, const query_event *event)
{
    const query_allocation *allocation = &event->type->allocation;
    bool counts = r->question->wants_bytes && allocation->bytes != NULL &&
                  (allocation->is_sample || !r->contexts.has_allocation_samples);
    return counts ? query_chunk_number(chunk, event, allocation->bytes) : 0;
}

static query_row
make_row(const runner *r, size_t index, query_chunk *chunk, const query_event *event)
{
    time_category category = event->type->of.category;
    bool is_sample = category == TIME_CPU;
    if (is_sample && r->contexts.has_own_periods && event->type->of.period == NULL) {
        category = TIME_OTHER; // other samples count the same time
        is_sample = false;
    }
    query_stack_name name = {QUERY_NAME_NONE, QUERY_NAME_NONE};
    if (r->question->wants_frames) {
        name = query_frames_name(chunk, event);
    }
    return (query_row){
        .begin = event->begin,
        .commit = event->commit,
        .period_ns = is_sample ? period_of(r, index, chunk, event) : bytes_of(r, chunk, event),
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
add_row(runner *r, query_rows *list, size_t index, query_chunk *chunk, const query_event *event)
{
    runner_check(r);
    const query_question *q = r->question;
    if (r->row_count == QUERY_ROWS_MAX) {
        r->outcome->is_truncated = true;
        return LP_OK;
    }
    query_row made = make_row(r, index, chunk, event);
    if (q->wants_row != NULL && !q->wants_row(&made)) {
        return LP_OK;
    }
    if (q->stacks != NULL && q->wants_stack(&made)) {
        made.stack = query_stacks_of(q->stacks, chunk, event);
    }
    if (q->on_row != NULL) {
        LP_TRY(q->on_row(q->row_arg, r->first + index, chunk, event, &made));
    }
    LP_TRY(LP_VEC_ADD(&list->items, made));
    r->row_count++;
    return LP_OK;
}

static thread_group *
group_of(runner *r, uint64_t thread)
{
    uint32_t index = lp_map_find(&r->group_of, thread);
    LP_ASSERT(index < r->groups.count);
    return &r->groups.items[index];
}

// find_group returns a thread's group if one of its contexts was open at a time, or NULL.
static thread_group *
find_group(runner *r, uint64_t thread, int64_t ticks)
{
    uint32_t index = lp_map_find(&r->group_of, thread);
    LP_REQUIRE(index != LP_MAP_NONE, NULL);
    thread_group *group = &r->groups.items[index];
    const query_context *items = &r->contexts.items.items[group->first];
    size_t begun = LP_BISECT(items, 0, group->count, at->begin <= ticks);
    return begun > 0 && items[begun - 1].end_max >= ticks ? group : NULL;
}

static lp_err
add_to_group(
    runner *r, thread_group *group, size_t index, query_chunk *chunk, const query_event *event)
{
    bool was_empty = group->rows.items.count == 0;
    LP_TRY(add_row(r, &group->rows, index, chunk, event));
    bool is_filled = was_empty && group->rows.items.count > 0;
    return is_filled ? LP_VEC_ADD(&r->filled, (uint32_t)(group - r->groups.items)) : LP_OK;
}

static lp_err
take_event(runner *r, size_t index, query_chunk *chunk, const query_event *event)
{
    if (event->type->role == QUERY_ROLE_SETTING &&
        !r->is_needed[index]) { // read for the first time
        return query_periods_add(&r->contexts.periods, chunk, (uint32_t)index, event);
    }
    if (event->type->role != QUERY_ROLE_EVENT) {
        return LP_OK;
    }
    bool is_early = r->next == r->with_events || event->commit < r->begin_min[r->next];
    if (is_early) { // before all contexts that are not answered
        return LP_OK;
    }
    if (event->type->of.scope == TIME_IN_JVM) {
        return query_chunk_counts(chunk, event) ? add_row(r, &r->pauses, index, chunk, event)
                                                : LP_OK;
    }
    uint64_t identity = query_chunk_identity(chunk, event);
    if (identity == QUERY_NO_THREAD) {
        return LP_OK;
    }
    uint64_t thread =
        query_threads_find(&r->contexts.threads, (uint32_t)index, event->thread_key, identity);
    thread_group *group = find_group(r, thread, event->commit);
    return group == NULL ? LP_OK : add_to_group(r, group, index, chunk, event);
}

// has_wanted returns whether a chunk may have events of units that are not answered.
static bool
has_wanted(const runner *r, size_t index)
{
    const query_chunk_times *times = &r->contexts.chunks.items[index].times;
    return r->next < r->with_events && times->commit_max >= r->begin_min[r->next] &&
           times->commit_min <= times->commit_max;
}

static lp_err
read_events(runner *r, size_t index)
{
    query_chunk chunk;
    bool is_open;
    bool is_first = !r->is_needed[index];
    runner_check(r);
    lp_err err = open_chunk(r, index, is_first, &chunk, &is_open);
    if (err != LP_OK || !is_open) {
        return err;
    }
    chunk.skips_contexts = !is_first; // the first time unreadable contexts are counted
    r->contexts.chunks.items[index].info = chunk.view.info;
    if (r->question->wants_frames) {
        query_application_learn(&r->application, &chunk);
        chunk.application = &r->application;
    }
    query_scan scan = query_scan_begin(&chunk, r->question->is_cancelled, LP_OK);
    query_event event;
    while (query_scan_next(&scan, &event)) {
        scan.err = take_event(r, index, &chunk, &event);
    }
    close_chunk(r, index, is_first, &chunk);
    return scan.err;
}

// --- Answers

static lp_err
send_answer(runner *r, query_answer *found)
{
    const query_context *context = found->context;
    if (r->question->attributes != NULL) {
        query_attributes_read(
            r->question->attributes, context->attributes, context->attribute_count, r->attributes);
    }
    found->contexts = &r->contexts;
    found->in = context->in;
    found->first_source = (uint32_t)r->first;
    found->source = (uint32_t)(r->first + context->chunk);
    found->attributes = r->attributes;
    found->attribute_count = context->attribute_count;
    r->outcome->contexts += (context->in & QUERY_IN_SELECTION) != 0;
    r->outcome->base_contexts += (context->in & QUERY_IN_BASE) != 0;
    return r->question->on_context(r->question->arg, found);
}

static lp_err
answer_context(runner *r, const query_context *context)
{
    thread_group *group = group_of(r, context->thread);
    query_row_range rows;
    query_row_range pauses;
    const jfr_clock clock = query_contexts_clock(&r->contexts, context->begin_chunk);
    LP_TRY(check_cancelled(r));
    LP_TRY(query_rows_find(&group->rows, &r->room, context->begin, context->end, &rows));
    LP_TRY(query_rows_find(&r->pauses, &r->room, context->begin, context->end, &pauses));
    LP_TRY(query_rows_span(rows, &r->room, &clock, &r->spans));
    LP_TRY(query_rows_span(pauses, &r->room, &clock, &r->pause_spans));
    int64_t begin_ns = query_contexts_wall_ns(&r->contexts, context);
    int64_t duration_ns = query_contexts_duration_ns(&r->contexts, context);
    query_answer found = {
        .context = context,
        .ref = query_contexts_ref(context, r->names),
        .clock = clock,
        .begin_wall_ns = begin_ns,
        .duration_ns = duration_ns,
        .rows = rows.items,
        .row_count = rows.count,
        .spans = r->spans.items,
        .pause_rows = pauses.items,
        .pauses = r->pause_spans.items,
        .pause_count = pauses.count,
        .left_ns = time_split(begin_ns, begin_ns + duration_ns, r->spans.items, rows.count,
            r->pause_spans.items, pauses.count),
    };
    return send_answer(r, &found);
}

static lp_err
add_stays(runner *r, const query_request *request, const jfr_clock *clock)
{
    for (uint32_t i = 0; i < request->stay_count; i++) {
        uint32_t index = r->contexts.requests.stays_of.items[request->first_stay + i];
        const query_context *stay = &r->contexts.items.items[index];
        thread_group *group = group_of(r, stay->thread);
        query_row_range rows;
        LP_TRY(query_rows_find(&group->rows, &r->room, stay->begin, stay->end, &rows));
        LP_TRY(query_request_rows_add(&r->request_rows, stay, rows, &r->room, clock));
    }
    return LP_OK;
}

static lp_err
find_pauses(
    runner *r, const query_request *request, const jfr_clock *clock, query_row_range *out_pauses)
{
    const unit times = unit_of(r, (uint32_t)(request - r->contexts.requests.items.items));
    *out_pauses = (query_row_range){0};
    if (request->stay_count > 0) {
        LP_TRY(query_rows_find(&r->pauses, &r->room, times.begin, times.end, out_pauses));
    }
    return query_rows_span(*out_pauses, &r->room, clock, &r->pause_spans);
}

static lp_err
answer_request(runner *r, const query_request *request)
{
    LP_ASSERT(request->has_facts);
    const jfr_clock clock = query_contexts_clock(&r->contexts, request->begin_chunk);
    const query_context context = query_request_context(request);
    query_row_range pauses;
    query_answer found = {
        .context = &context,
        .request = request,
        .ref = {request->begin, (uint32_t)request->facts.id},
        .clock = clock,
        .begin_wall_ns = query_request_wall_ns(&r->contexts, request),
        .duration_ns = request->facts.duration_ns,
    };
    LP_TRY(check_cancelled(r));
    query_request_rows_begin(&r->request_rows);
    LP_TRY(add_stays(r, request, &clock));
    LP_TRY(find_pauses(r, request, &clock, &pauses));
    found.pause_rows = pauses.items;
    found.pauses = r->pause_spans.items;
    found.pause_count = pauses.count;
    LP_TRY(query_request_rows_divide(
        &r->request_rows, &r->contexts, r->question, r->pause_spans.items, &found));
    return send_answer(r, &found);
}

static lp_err
answer(runner *r, uint32_t index)
{
    return is_of_requests(r) ? answer_request(r, &r->contexts.requests.items.items[index])
                             : answer_context(r, &r->contexts.items.items[index]);
}

// answer_others answers the units without events, while there are no rows.
static lp_err
answer_others(runner *r)
{
    for (size_t i = r->with_events; i < count_units(r); i++) {
        LP_TRY(answer(r, r->by_end[i]));
    }
    return LP_OK;
}

static int64_t
needed_until(const runner *r, const query_context *item)
{
    return is_of_requests(r) ? r->contexts.requests.items.items[item->request].end : item->end;
}

// drop_rows drops the rows that only answered units need.
static void
drop_rows(runner *r, int64_t horizon)
{
    runner_check(r);
    size_t left = 0;
    for (size_t i = 0; i < r->filled.count; i++) {
        thread_group *group = &r->groups.items[r->filled.items[i]];
        const query_context *items = &r->contexts.items.items[group->first];
        while (
            group->answered < group->count && needed_until(r, &items[group->answered]) < horizon) {
            group->answered++;
        }
        bool is_done = group->answered == group->count;
        r->row_count -=
            query_rows_drop(&group->rows, is_done ? INT64_MAX : items[group->answered].begin);
        if (group->rows.items.count > 0) {
            r->filled.items[left++] = r->filled.items[i];
        } else {
            query_rows_fini(&group->rows); // there may be a million threads
        }
    }
    r->filled.count = left;
    r->row_count -= query_rows_drop(&r->pauses, r->begin_min[r->next]);
    runner_check(r); // no more were dropped than there were
}

// answer_all answers the units that ended before a time.
static lp_err
answer_all(runner *r, int64_t horizon)
{
    runner_check(r);
    for (; r->next < r->with_events; r->next++) {
        uint32_t index = r->by_end[r->next];
        if (unit_of(r, index).end >= horizon && horizon != INT64_MAX) {
            break;
        }
        LP_TRY(answer(r, index));
    }
    drop_rows(r, horizon);
    return LP_OK;
}

// --- Sessions

static bool
needs_attributes(const query_question *q)
{
    return query_selection_needs_attributes(q->selection) ||
           (q->base != NULL && query_selection_needs_attributes(q->base));
}

static lp_err
find_all(runner *r)
{
    const query_question *q = r->question;
    const jfr_clock *clock = source_of(r, 0)->clock;
    r->contexts = (query_contexts){
        .selection = q->selection,
        .base = q->base,
        .is_cancelled = q->is_cancelled,
        .attributes = q->attributes,
        .wants_thread_names = q->wants_thread_names,
        .wants_parts = q->wants_parts,
        .has_clock = clock != NULL,
    };
    if (is_of_requests(r) && q->attributes == NULL && needs_attributes(q)) {
        r->contexts.attributes = &r->own_attributes;
    }
    if (clock != NULL) {
        r->contexts.clock = *clock;
    }
    LP_TRY(find_needed(r));
    for (size_t i = 0; i < r->count; i++) {
        LP_TRY(find_contexts(r, i));
    }
    LP_TRY(query_contexts_finish(&r->contexts, r->names));
    return is_of_requests(r) ? query_request_contexts_make(&r->contexts, r->names) : LP_OK;
}

static lp_err
answer_by_chunk(runner *r)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < r->count && err == LP_OK; i++) {
        err = check_cancelled(r);
        LP_THEN(err, has_wanted(r, i) ? read_events(r, i) : LP_OK);
        LP_THEN(err, answer_all(r, r->horizons[i]));
        pass_chunk(r, i);
    }
    return err;
}

static lp_err
answer_session(runner *r)
{
    const query_question *q = r->question;
    if (q->on_session != NULL) {
        return q->on_session(q->arg, &r->contexts, r->first);
    }
    LP_TRY(plan(r));
    LP_TRY(answer_others(r));
    return q->contexts_only ? answer_all(r, INT64_MAX) : answer_by_chunk(r);
}

static lp_err
run_session(runner *r)
{
    lp_err err = find_all(r);
    LP_THEN(err, answer_session(r));
    r->outcome->is_truncated |= r->contexts.is_truncated;
    return err;
}

static void
end_session(runner *r)
{
    for (size_t i = 0; i < r->groups.count; i++) {
        query_rows_fini(&r->groups.items[i].rows);
    }
    LP_VEC_FINI(&r->groups);
    LP_VEC_FINI(&r->filled);
    query_rows_fini(&r->pauses);
    lp_map_fini(&r->group_of);
    free(r->is_needed);
    free(r->horizons);
    free(r->by_end);
    free(r->begin_min);
    r->is_needed = NULL;
    r->horizons = NULL;
    r->by_end = NULL;
    r->begin_min = NULL;
    r->with_events = 0;
    r->next = 0;
    r->row_count = 0;
    r->application = (query_application){.packages = r->question->packages};
    query_contexts_fini(&r->contexts);
    if (r->question->attributes != NULL) {
        query_attributes_reset(r->question->attributes);
    }
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
    runner r = {.question = question,
        .names = names,
        .outcome = out_outcome,
        .application = {.packages = question->packages}};
    lp_err err = LP_OK;
    while (r.first < question->sources->count && err == LP_OK) {
        r.count = count_session(question->sources, r.first);
        err = run_session(&r);
        end_session(&r);
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
