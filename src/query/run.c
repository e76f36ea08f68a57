// SPDX-License-Identifier: Apache-2.0
#include "query/run.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_sort.h"
#include "query/frames.h"

#include <string.h>

enum { EVENTS_UNTIL_ASKED = 4096 }; // whether the query was cancelled

// Rows in the order of their ends, once they are sorted.
typedef struct row_list {
    LP_VEC(query_row) items;
    size_t sorted_count;
} row_list;

// The contexts of a thread, and the events in them.
typedef struct thread_group {
    uint32_t first; // of its contexts
    uint32_t count;
    uint32_t answered; // all before this one are
    row_list rows;
} thread_group;

// A row in the order in which they go on: by begins, the inner one later.
typedef struct ordered_row {
    int64_t begin;
    int64_t commit;
    uint32_t index;
} ordered_row;

typedef LP_VEC(query_span) span_list;

// The state of a query, of which a part is of the session at hand.
typedef struct runner {
    const query_question *question;
    query_names *names;
    query_outcome *outcome;
    size_t done;  // steps
    size_t first; // source of the session
    size_t count; // of its sources
    compact_schema *like;
    query_contexts contexts;
    int64_t *horizons;  // by chunk: no later one has an event that was committed before this
    uint32_t *by_end;   // contexts in the order of their ends
    uint32_t next;      // of by_end, that is not answered
    int64_t *begin_min; // parallel to by_end: of this and all behind it
    lp_map group_of;    // by thread
    LP_VEC(thread_group) groups;
    LP_VEC(uint32_t) filled; // the groups that have rows
    row_list pauses;
    size_t row_count; // in all lists
    span_list spans;
    span_list pause_spans;
    LP_VEC(ordered_row) order;
    LP_VEC(query_row) spare;
} runner;

static bool
row_is_before(const query_row *a, const query_row *b)
{
    return a->commit < b->commit;
}

static bool
ordered_is_before(const ordered_row *a, const ordered_row *b)
{
    if (a->begin != b->begin) {
        return a->begin < b->begin;
    }
    return a->commit != b->commit ? a->commit > b->commit : a->index > b->index;
}

LP_SORT_DEFINE(sort_rows, query_row, row_is_before)
LP_SORT_DEFINE(sort_ordered, ordered_row, ordered_is_before)

static lp_err
check_cancelled(const runner *r)
{
    const atomic_bool *flag = r->question->is_cancelled;
    // Pairs with whoever sets it; nothing is read that was written before.
    return flag != NULL && atomic_load_explicit(flag, memory_order_relaxed) ? LP_ECLOSED : LP_OK;
}

// --- Chunks

// open_chunk opens a chunk of the session. Where it cannot be read, *out_is_open is false.
static lp_err
open_chunk(runner *r, size_t index, bool is_told, query_chunk *chunk, bool *out_is_open)
{
    const query_question *q = r->question;
    size_t source = r->first + index;
    lp_err err = query_chunk_open(chunk, q->sources[source].bytes, r->names, r->like);
    *out_is_open = err == LP_OK;
    if (err == LP_ENOMEM) {
        return err;
    }
    if (err != LP_OK) {
        lp_problem problem = {.text = ""};
        (void)lp_problem_set(&problem, err, "%s", lp_err_text(err));
        return is_told && q->on_unreadable != NULL ? q->on_unreadable(q->arg, source, &problem)
                                                   : LP_OK;
    }
    compact_schema *schema = compact_schema_hold(chunk->view.schema);
    compact_schema_release(r->like);
    r->like = schema;
    return LP_OK;
}

static void
pass_chunk(runner *r, size_t index)
{
    r->done++;
    if (r->question->on_passed != NULL) {
        r->question->on_passed(
            r->question->arg, r->first + index, r->done, 2 * r->question->source_count);
    }
}

static lp_err
find_contexts(runner *r, size_t index)
{
    query_chunk chunk;
    bool is_open;
    lp_err err = check_cancelled(r);
    if (err == LP_OK) {
        err = open_chunk(r, index, true, &chunk, &is_open);
    }
    if (err != LP_OK) {
        return err;
    }
    if (is_open) {
        err = query_contexts_add(&r->contexts, &chunk);
        r->outcome->unreadable_events += chunk.unreadable_events;
        r->outcome->damaged_places += chunk.view.damage.place_count;
        query_chunk_close(&chunk);
    } else {
        err = query_contexts_skip(&r->contexts);
    }
    pass_chunk(r, index);
    return err;
}

// --- The order of work, once all contexts are known

static lp_err
add_groups(runner *r)
{
    for (uint32_t i = 0; i < r->contexts.items.count; i++) {
        const query_context *context = &r->contexts.items.items[i];
        if (i == 0 || context[-1].thread != context->thread) {
            thread_group *group = LP_VEC_PUSH(&r->groups);
            if (group == NULL ||
                lp_map_put(&r->group_of, context->thread, (uint32_t)r->groups.count - 1) != LP_OK) {
                return LP_ENOMEM;
            }
            group->first = i;
        }
        r->groups.items[r->groups.count - 1].count++;
    }
    return LP_OK;
}

static void
find_horizons(runner *r)
{
    int64_t horizon = INT64_MAX;
    for (size_t i = r->count; i > 0; i--) {
        const query_chunk_times *times = &r->contexts.chunks.items[i - 1];
        r->horizons[i - 1] = horizon;
        horizon = times->commit_min < horizon ? times->commit_min : horizon;
    }
}

static int
compare_ends(const void *a, const void *b, void *arg)
{
    const query_context *items = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    if (items[one].end != items[other].end) {
        return items[one].end < items[other].end ? -1 : 1;
    }
    return one < other ? -1 : 1;
}

static lp_err
plan(runner *r)
{
    size_t count = r->contexts.items.count;
    r->horizons = calloc(r->count, sizeof(*r->horizons));
    r->by_end = calloc(count + 1, sizeof(*r->by_end));
    r->begin_min = calloc(count + 1, sizeof(*r->begin_min));
    if (r->horizons == NULL || r->by_end == NULL || r->begin_min == NULL) {
        return LP_ENOMEM;
    }
    find_horizons(r);
    for (uint32_t i = 0; i < count; i++) {
        r->by_end[i] = i;
    }
    qsort_r(r->by_end, count, sizeof(*r->by_end), compare_ends, r->contexts.items.items);
    r->begin_min[count] = INT64_MAX;
    for (size_t i = count; i > 0; i--) {
        int64_t begin = r->contexts.items.items[r->by_end[i - 1]].begin;
        r->begin_min[i - 1] = begin < r->begin_min[i] ? begin : r->begin_min[i];
    }
    return add_groups(r);
}

// --- Events

// period_of returns the time for which a sample stands.
static int64_t
period_of(runner *r, query_chunk *chunk, const query_event *event)
{
    const char *field = event->type->of.period;
    return field != NULL ? query_chunk_length_ns(chunk, event, field)
                         : query_contexts_period_ns(&r->contexts, event->commit);
}

static lp_err
add_row(runner *r, row_list *list, query_chunk *chunk, const query_event *event)
{
    if (r->row_count == QUERY_ROWS_MAX) {
        r->outcome->is_truncated = true;
        return LP_OK;
    }
    query_row *row = LP_VEC_PUSH(&list->items);
    if (row == NULL) {
        return LP_ENOMEM;
    }
    query_category category = event->type->of.category;
    bool is_sample = category == QUERY_CPU;
    if (is_sample && r->contexts.has_own_periods && event->type->of.period == NULL) {
        category = QUERY_OTHER; // the others count the same time
        is_sample = false;
    }
    *row = (query_row){
        .begin = event->begin,
        .commit = event->commit,
        .period_ns = is_sample ? period_of(r, chunk, event) : 0,
        .type = event->type->name,
        .frame =
            r->question->wants_frames ? query_frame_of(chunk, event) : (uint32_t)QUERY_NAME_NONE,
        .category = (uint8_t)category,
        .has_duration = event->type->has_duration,
    };
    r->row_count++;
    return LP_OK;
}

// is_true returns whether an event counts by the field that its category asks for.
static bool
counts(query_chunk *chunk, const query_event *event)
{
    const char *const name = event->type->of.only_if;
    query_attribute field;
    if (name == NULL) {
        return true;
    }
    query_chunk_fields(chunk, event, &name, 1, &field);
    return !field.is_null && field.value.len == 4 && memcmp(field.value.ptr, "true", 4) == 0;
}

// find_group returns the group of a thread if one of its contexts was open at a time, or NULL.
static thread_group *
find_group(runner *r, uint64_t thread, int64_t ticks)
{
    uint32_t index = lp_map_find(&r->group_of, thread);
    if (index == LP_MAP_NONE) {
        return NULL;
    }
    thread_group *group = &r->groups.items[index];
    const query_context *items = &r->contexts.items.items[group->first];
    uint32_t low = 0;
    uint32_t high = group->count; // the first that begins later is in [low, high]
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (items[middle].begin <= ticks) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 && items[low - 1].end_max >= ticks ? group : NULL;
}

static lp_err
add_to_group(runner *r, thread_group *group, query_chunk *chunk, const query_event *event)
{
    bool was_empty = group->rows.items.count == 0;
    lp_err err = add_row(r, &group->rows, chunk, event);
    if (err != LP_OK || !was_empty || group->rows.items.count == 0) {
        return err;
    }
    uint32_t *filled = LP_VEC_PUSH(&r->filled);
    if (filled == NULL) {
        return LP_ENOMEM;
    }
    *filled = (uint32_t)(group - r->groups.items);
    return LP_OK;
}

static lp_err
take_event(runner *r, size_t index, query_chunk *chunk, const query_event *event)
{
    if (event->type->role != QUERY_ROLE_EVENT) {
        return LP_OK;
    }
    if (event->type->of.scope == QUERY_IN_JVM) {
        bool is_needed = r->next < r->contexts.items.count &&
                         event->commit >= r->begin_min[r->next] && counts(chunk, event);
        return is_needed ? add_row(r, &r->pauses, chunk, event) : LP_OK;
    }
    if (event->thread == QUERY_NO_THREAD) {
        return LP_OK;
    }
    uint64_t thread =
        query_threads_find(&r->contexts.threads, (uint32_t)index, event->thread_key, event->thread);
    thread_group *group = find_group(r, thread, event->commit);
    return group == NULL ? LP_OK : add_to_group(r, group, chunk, event);
}

// has_wanted returns whether a chunk may have events in contexts that are not answered.
static bool
has_wanted(const runner *r, size_t index)
{
    const query_chunk_times *times = &r->contexts.chunks.items[index];
    return r->next < r->contexts.items.count && times->commit_max >= r->begin_min[r->next] &&
           times->commit_min <= times->commit_max;
}

static lp_err
read_events(runner *r, size_t index)
{
    query_chunk chunk;
    bool is_open;
    lp_err err = open_chunk(r, index, false, &chunk, &is_open);
    if (err != LP_OK || !is_open) {
        return err;
    }
    jfr_cursor rest = query_chunk_events(&chunk);
    query_event event;
    for (size_t i = 1; err == LP_OK && query_chunk_next(&chunk, &rest, &event); i++) {
        err = take_event(r, index, &chunk, &event);
        if (err == LP_OK && i % EVENTS_UNTIL_ASKED == 0) {
            err = check_cancelled(r);
        }
    }
    if (err == LP_OK) {
        err = query_chunk_err(&chunk);
    }
    query_chunk_close(&chunk);
    return err;
}

// --- Answers

static lp_err
sort_list(runner *r, row_list *list)
{
    size_t count = list->items.count;
    if (list->sorted_count == count) {
        return LP_OK;
    }
    if (!LP_VEC_RESERVE(&r->spare, count)) {
        return LP_ENOMEM;
    }
    sort_rows(list->items.items, count, r->spare.items);
    list->sorted_count = count;
    return LP_OK;
}

// find_first returns the index of the first row that was committed at a time or later.
static size_t
find_first(const row_list *list, int64_t ticks)
{
    size_t low = 0;
    size_t high = list->items.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items.items[middle].commit < ticks) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// make_spans lists the rows of a context in the order in which they go on.
static lp_err
make_spans(runner *r, const query_row *rows, size_t count, span_list *out)
{
    r->order.count = 0;
    out->count = 0;
    if (!LP_VEC_RESERVE(&r->order, count + count / 2 + 1) || !LP_VEC_RESERVE(out, count + 1)) {
        return LP_ENOMEM;
    }
    for (uint32_t i = 0; i < count; i++) {
        r->order.items[i] = (ordered_row){rows[i].begin, rows[i].commit, i};
    }
    sort_ordered(r->order.items, count, r->order.items + count);
    for (size_t i = 0; i < count; i++) {
        const ordered_row *row = &r->order.items[i];
        out->items[i] = (query_span){
            .begin_ns = jfr_clock_wall_ns(&r->contexts.clock, row->begin),
            .end_ns = jfr_clock_wall_ns(&r->contexts.clock, row->commit),
            .event = row->index,
        };
    }
    out->count = count;
    return LP_OK;
}

typedef struct row_range {
    const query_row *rows;
    size_t count;
} row_range;

static lp_err
find_rows(runner *r, row_list *list, const query_context *context, row_range *out)
{
    lp_err err = sort_list(r, list);
    if (err != LP_OK) {
        return err;
    }
    size_t first = find_first(list, context->begin);
    size_t end = context->end == INT64_MAX ? list->items.count : find_first(list, context->end + 1);
    *out =
        (row_range){end > first ? list->items.items + first : NULL, end > first ? end - first : 0};
    return LP_OK;
}

static lp_err
answer(runner *r, thread_group *group, const query_context *context)
{
    row_range rows;
    row_range pauses;
    lp_err err = check_cancelled(r);
    if (err == LP_OK) {
        err = find_rows(r, &group->rows, context, &rows);
    }
    if (err == LP_OK) {
        err = find_rows(r, &r->pauses, context, &pauses);
    }
    if (err == LP_OK) {
        err = make_spans(r, rows.rows, rows.count, &r->spans);
    }
    if (err == LP_OK) {
        err = make_spans(r, pauses.rows, pauses.count, &r->pause_spans);
    }
    if (err != LP_OK) {
        return err;
    }
    int64_t begin_ns = query_contexts_wall_ns(&r->contexts, context);
    int64_t duration_ns = query_contexts_duration_ns(&r->contexts, context);
    const query_answer found = {
        .contexts = &r->contexts,
        .context = context,
        .source = (uint32_t)(r->first + context->chunk),
        .begin_wall_ns = begin_ns,
        .duration_ns = duration_ns,
        .rows = rows.rows,
        .row_count = rows.count,
        .spans = r->spans.items,
        .pause_rows = pauses.rows,
        .pauses = r->pause_spans.items,
        .pause_count = pauses.count,
        .left_ns = query_time_split(begin_ns, begin_ns + duration_ns, r->spans.items, rows.count,
            r->pause_spans.items, pauses.count),
    };
    r->outcome->contexts++;
    return r->question->on_context(r->question->arg, &found);
}

// drop_before drops the rows that were committed before a time.
static void
drop_before(runner *r, row_list *list, int64_t ticks)
{
    bool is_unused = list->sorted_count != list->items.count; // nothing was answered from it
    if (is_unused || list->items.count == 0) {
        return;
    }
    size_t count = find_first(list, ticks);
    memmove(list->items.items, list->items.items + count,
        (list->items.count - count) * sizeof(query_row));
    list->items.count -= count;
    list->sorted_count = list->items.count;
    r->row_count -= count;
}

// forget drops what no context needs that is not answered.
static void
forget(runner *r, int64_t horizon)
{
    size_t left = 0;
    for (size_t i = 0; i < r->filled.count; i++) {
        thread_group *group = &r->groups.items[r->filled.items[i]];
        const query_context *items = &r->contexts.items.items[group->first];
        while (group->answered < group->count && items[group->answered].end < horizon) {
            group->answered++;
        }
        bool is_done = group->answered == group->count;
        drop_before(r, &group->rows, is_done ? INT64_MAX : items[group->answered].begin);
        if (group->rows.items.count > 0) {
            r->filled.items[left++] = r->filled.items[i];
        } else {
            LP_VEC_FINI(&group->rows.items); // there may be a million threads
        }
    }
    r->filled.count = left;
    drop_before(r, &r->pauses, r->begin_min[r->next]);
}

// answer_all answers the contexts that ended before a time.
static lp_err
answer_all(runner *r, int64_t horizon)
{
    lp_err err = LP_OK;
    const query_context *items = r->contexts.items.items;
    for (; r->next < r->contexts.items.count && err == LP_OK; r->next++) {
        const query_context *context = &items[r->by_end[r->next]];
        if (context->end >= horizon && horizon != INT64_MAX) {
            break;
        }
        uint32_t group = lp_map_find(&r->group_of, context->thread);
        err = answer(r, &r->groups.items[group], context);
    }
    if (err == LP_OK) {
        forget(r, horizon);
    }
    return err;
}

// --- Sessions

static lp_err
run_session(runner *r)
{
    lp_err err = LP_OK;
    query_contexts_init(&r->contexts, r->question->selection);
    for (size_t i = 0; i < r->count && err == LP_OK; i++) {
        err = find_contexts(r, i);
    }
    if (err == LP_OK) {
        err = query_contexts_finish(&r->contexts);
    }
    if (err == LP_OK) {
        err = plan(r);
    }
    for (size_t i = 0; i < r->count && err == LP_OK; i++) {
        err = check_cancelled(r);
        if (err == LP_OK && has_wanted(r, i)) {
            err = read_events(r, i);
        }
        if (err == LP_OK) {
            err = answer_all(r, r->horizons[i]);
        }
        pass_chunk(r, i);
    }
    r->outcome->is_truncated |= r->contexts.is_truncated;
    return err;
}

// end_session frees what is of one session.
static void
end_session(runner *r)
{
    for (size_t i = 0; i < r->groups.count; i++) {
        LP_VEC_FINI(&r->groups.items[i].rows.items);
    }
    LP_VEC_FINI(&r->groups);
    LP_VEC_FINI(&r->filled);
    LP_VEC_FINI(&r->pauses.items);
    r->pauses.sorted_count = 0;
    lp_map_fini(&r->group_of);
    free(r->horizons);
    free(r->by_end);
    free(r->begin_min);
    r->horizons = NULL;
    r->by_end = NULL;
    r->begin_min = NULL;
    r->next = 0;
    r->row_count = 0;
    query_contexts_fini(&r->contexts);
    compact_schema_release(r->like);
    r->like = NULL;
}

lp_err
query_run(const query_question *question, query_names *names, query_outcome *out_outcome)
{
    *out_outcome = (query_outcome){0};
    runner r = {.question = question, .names = names, .outcome = out_outcome};
    lp_err err = LP_OK;
    while (r.first < question->source_count && err == LP_OK) {
        uint32_t session = question->sources[r.first].session;
        r.count = 1;
        while (r.first + r.count < question->source_count &&
               question->sources[r.first + r.count].session == session) {
            r.count++;
        }
        err = run_session(&r);
        end_session(&r);
        r.first += r.count;
    }
    LP_VEC_FINI(&r.spans);
    LP_VEC_FINI(&r.pause_spans);
    LP_VEC_FINI(&r.order);
    LP_VEC_FINI(&r.spare);
    out_outcome->is_truncated |= names->is_truncated;
    return err;
}
