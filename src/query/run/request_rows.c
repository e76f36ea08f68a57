// SPDX-License-Identifier: Apache-2.0
#include "query/run/request_rows.h"

#include "common/base/lp_assert.h"

void
query_request_rows_fini(query_request_rows *rows)
{
    LP_VEC_FINI(&rows->rows);
    LP_VEC_FINI(&rows->spans);
    LP_VEC_FINI(&rows->stays);
    LP_VEC_FINI(&rows->waits);
    LP_VEC_FINI(&rows->stay_spans);
    query_request_room_fini(&rows->room);
}

static void
rows_check(const query_request_rows *rows)
{
    LP_ASSERT(rows->spans.count == rows->rows.count);
}

query_context
query_request_context(const query_request *request)
{
    return (query_context){
        .begin = request->begin,
        .end = request->end,
        .chunk = request->chunk,
        .offset = request->offset,
        .begin_chunk = request->begin_chunk,
        .type = request->facts.type,
        .parent = QUERY_NO_CONTEXT,
        .base_parent = QUERY_NO_CONTEXT,
        .attributes = request->attributes,
        .attribute_count = request->attribute_count,
        .in = request->in,
    };
}

void
query_request_rows_begin(query_request_rows *rows)
{
    rows_check(rows);
    rows->rows.count = 0;
    rows->spans.count = 0;
    rows->stays.count = 0;
    rows->waits.count = 0;
}

lp_err
query_request_rows_add(query_request_rows *rows, const query_context *stay, query_row_range range,
    query_rows_room *room, const jfr_clock *clock)
{
    rows_check(rows);
    size_t first = rows->rows.count;
    LP_TRY(query_rows_span(range, room, clock, &rows->stay_spans));
    if (!LP_VEC_RESERVE(&rows->rows, range.count) || !LP_VEC_RESERVE(&rows->spans, range.count) ||
        !LP_VEC_ROOM(&rows->stays)) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < range.count; i++) {
        time_span span = rows->stay_spans.items[i];
        span.event += (uint32_t)first;
        rows->rows.items[rows->rows.count++] = range.items[i];
        rows->spans.items[rows->spans.count++] = span;
    }
    rows->stays.items[rows->stays.count++] = (query_request_stay){
        .begin_ns = jfr_clock_wall_ns(clock, stay->begin),
        .end_ns = jfr_clock_wall_ns(clock, stay->end),
        .span_count = range.count,
    };
    return LP_OK;
}

static const query_hand_over *
hand_over_of(const query_contexts *contexts, const query_request *request, uint32_t index)
{
    LP_ASSERT(index < request->hand_over_count);
    LP_ASSERT(request->first_hand_over + index < contexts->requests.hand_overs.count);
    return &contexts->requests.hand_overs.items[request->first_hand_over + index];
}

static lp_err
add_waits(query_request_rows *rows, const query_contexts *contexts, const query_answer *answer)
{
    const query_request *request = answer->request;
    LP_REQUIRE(LP_VEC_RESERVE(&rows->waits, request->hand_over_count), LP_ENOMEM);
    for (uint32_t i = 0; i < request->hand_over_count; i++) {
        const query_hand_over *task = hand_over_of(contexts, request, i);
        rows->waits.items[rows->waits.count++] = (query_request_wait){
            .begin_ns = jfr_clock_wall_ns(&answer->clock, task->handed),
            .end_ns = jfr_clock_wall_ns(&answer->clock, task->taken),
        };
    }
    return LP_OK;
}

// add_row adds a row outside the stays, if it is wanted. pool: a frame's name, or QUERY_NAME_NONE.
static lp_err
add_row(
    query_request_rows *rows, const query_question *q, query_row row, uint32_t pool, int64_t own_ns)
{
    if (q->wants_row != NULL && !q->wants_row(&row)) {
        return LP_OK;
    }
    row.frame = q->wants_frames ? pool : (uint32_t)QUERY_NAME_NONE;
    if (pool != QUERY_NAME_NONE && q->stacks != NULL && q->wants_stack(&row)) {
        LP_TRY(query_stacks_add(q->stacks, QUERY_STACK_ROOT, pool, 0, &row.stack));
    }
    LP_REQUIRE(LP_VEC_ROOM(&rows->rows) && LP_VEC_ROOM(&rows->spans), LP_ENOMEM);
    const time_span span = {
        .event = (uint32_t)rows->rows.count,
        .category = (time_category)row.category,
        .own_ns = own_ns,
    };
    rows->rows.items[rows->rows.count++] = row;
    rows->spans.items[rows->spans.count++] = span;
    rows_check(rows);
    return LP_OK;
}

static lp_err
add_rows(query_request_rows *rows, const query_contexts *contexts, const query_question *q,
    const query_request *request, int64_t elsewhere_ns)
{
    for (uint32_t i = 0; i < request->hand_over_count; i++) {
        const query_hand_over *task = hand_over_of(contexts, request, i);
        const query_row row = {
            .begin = task->handed,
            .commit = task->taken,
            .type = task->type,
            .chunk = task->chunk,
            .offset = task->offset,
            .category = TIME_QUEUED,
            .has_duration = true,
        };
        LP_TRY(add_row(rows, q, row, task->pool, rows->waits.items[i].own_ns));
    }
    const query_row row = {
        .begin = request->begin,
        .commit = request->begin,
        .chunk = request->chunk,
        .category = TIME_ELSEWHERE,
        .has_duration = true,
    };
    return elsewhere_ns > 0 ? add_row(rows, q, row, QUERY_NAME_NONE, elsewhere_ns) : LP_OK;
}

lp_err
query_request_rows_divide(query_request_rows *rows, const query_contexts *contexts,
    const query_question *question, time_span *pauses, query_answer *answer)
{
    rows_check(rows);
    LP_ASSERT(answer->request != NULL);
    int64_t end_ns;
    size_t first = 0;
    for (size_t i = 0; i < rows->stays.count; i++) { // spans no longer grow
        rows->stays.items[i].spans = rows->spans.items + first;
        first += rows->stays.items[i].span_count;
    }
    LP_ASSERT(first == rows->spans.count);
    LP_TRY(add_waits(rows, contexts, answer));
    if (__builtin_add_overflow(answer->begin_wall_ns, answer->duration_ns, &end_ns)) {
        end_ns = INT64_MAX; // absurd times
        answer->duration_ns = end_ns - answer->begin_wall_ns;
    }
    query_request_time time = {
        .begin_ns = answer->begin_wall_ns,
        .end_ns = end_ns,
        .stays = rows->stays.items,
        .stay_count = rows->stays.count,
        .waits = rows->waits.items,
        .wait_count = rows->waits.count,
        .pauses = pauses,
        .pause_count = answer->pause_count,
    };
    lp_err err = query_request_times(&time, &rows->room);
    LP_THEN(err, add_rows(rows, contexts, question, answer->request, time.elsewhere_ns));
    answer->rows = rows->rows.items;
    answer->row_count = rows->rows.count;
    answer->spans = rows->spans.items;
    answer->stays = rows->stays.items;
    answer->left_ns = time.left_ns;
    return err;
}
