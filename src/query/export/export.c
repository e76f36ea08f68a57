// SPDX-License-Identifier: Apache-2.0
#include "query/export/export.h"

#include "common/base/lp_assert.h"
#include "common/rollup/rollup_id.h"
#include "engine/read/threads.h"
#include "query/events/event_values.h"
#include "query/run/request_contexts.h"
#include "query/select/json_parts.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINE_BYTES = 16 }; // of a frame, with a colon and the zero

// --- The file

static lp_err
on_bytes(void *arg, lp_slice bytes)
{
    query_export *e = arg;
    e->bytes += bytes.len;
    return e->wish.sink.on_bytes(e->wish.sink.arg, bytes);
}

query_export
query_export_begin(const query_export_wish *wish, query_names *names)
{
    LP_ASSERT(wish->table < QUERY_TABLES);
    return (query_export){.wish = *wish, .names = names, .stacks = {.has_lines = true}};
}

void
query_export_fini(query_export *e)
{
    query_stacks_fini(&e->stacks);
    query_attributes_fini(&e->attributes);
    query_table_row_fini(&e->row);
    query_ndjson_fini(&e->ndjson);
    query_parquet_fini(&e->parquet);
    lp_buf_fini(&e->fields);
    *e = (query_export){0};
}

static bool
has_stack(const query_row *row)
{
    return row->category != TIME_QUEUED; // its frame would be a pool
}

// begin_fields drops the fields of the previous JVM, whose requests are all answered.
static void
begin_fields(query_export *e, size_t source)
{
    LP_ASSERT(e->question != NULL);
    uint32_t session = e->question->sources->items[source].session;
    if (e->fields.len == 0 || session != e->session) {
        lp_buf_clear(&e->fields);
        lp_buf_append(&e->fields, "", 1); // no row has 0
        e->session = session;
    }
}

static lp_err
on_row(void *arg, size_t source, query_chunk *chunk, const query_event *event, query_row *row)
{
    static const query_field_names all = {0};
    query_export *e = arg;
    row->fields = 0;
    begin_fields(e, source);
    if (e->fields.len >= QUERY_EXPORT_FIELDS_BYTES_MAX) {
        e->is_truncated = true;
        return LP_OK;
    }
    json_t *json = query_event_values(chunk, event, &all, &e->is_truncated);
    row->fields = (uint32_t)e->fields.len;
    query_json_append(&e->fields, json);
    lp_buf_append(&e->fields, "", 1);
    json_decref(json);
    return lp_buf_check(&e->fields);
}

void
query_export_prepare(query_export *e, query_question *question)
{
    LP_ASSERT(e->question == NULL);
    const query_table table = query_table_get(e->wish.table);
    const query_table_sink sink = {on_bytes, e};
    bool is_of_requests = e->wish.table == QUERY_TABLE_REQUESTS;
    question->wants_thread_names = true;
    question->contexts_only = is_of_requests;
    question->attributes = is_of_requests ? &e->attributes : NULL;
    question->stacks = is_of_requests ? NULL : &e->stacks;
    question->wants_stack = has_stack;
    question->wants_frames = e->wish.table == QUERY_TABLE_EVENTS;
    question->on_row = e->wish.table == QUERY_TABLE_EVENTS ? on_row : NULL;
    question->row_arg = e;
    e->question = question;
    e->ndjson = (query_ndjson){.table = table, .sink = sink};
    e->parquet = (query_parquet){
        .table = table,
        .sink = sink,
        .group_rows_max = QUERY_PARQUET_GROUP_ROWS,
        .page_bytes_max = QUERY_PARQUET_PAGE_BYTES,
    };
}

static lp_err
write_row(query_export *e)
{
    e->rows++;
    return e->wish.format == QUERY_EXPORT_PARQUET ? query_parquet_add(&e->parquet, &e->row)
                                                  : query_ndjson_add(&e->ndjson, &e->row);
}

lp_err
query_export_finish(query_export *e)
{
    LP_TRY(lp_arena_err(&e->names->arena));
    return e->wish.format == QUERY_EXPORT_PARQUET ? query_parquet_finish(&e->parquet)
                                                  : query_ndjson_finish(&e->ndjson);
}

// --- Values

static void
set_name(query_export *e, size_t column, uint32_t name)
{
    query_table_row_set_name(&e->row, column, query_names_text(e->names, name));
}

// begin_row begins a row of an answer, and sets the first two columns, which all tables share.
static void
begin_row(query_export *e, const query_answer *answer)
{
    LP_ASSERT(e->wish.recording != NULL);
    char id[CTX_REF_BYTES]; // the longer one
    if (answer->request != NULL) {
        query_request_id_format(answer->request->facts.id, id);
    } else {
        ctx_ref_format(answer->ref, id);
    }
    query_table_row_clear(&e->row);
    query_table_row_set_name(&e->row, QUERY_COLUMN_requests_recording,
        e->wish.recording(e->wish.recording_arg, answer->source));
    query_table_row_set_name(&e->row, QUERY_COLUMN_requests_request, id);
}

static void
set_attributes(query_export *e, const query_answer *answer)
{
    query_attribute attributes[QUERY_REQUEST_ATTRIBUTES_MAX];
    LP_ASSERT(answer->attribute_count <= QUERY_REQUEST_ATTRIBUTES_MAX);
    for (size_t i = 0; i < answer->attribute_count; i++) {
        const query_attribute *attribute = &answer->attributes[i].attribute;
        attributes[i] = *attribute;
        if (!attribute->is_null && rollup_id_is_trace(attribute->name)) {
            query_table_row_set_text(&e->row, QUERY_COLUMN_requests_trace_id, attribute->value);
        } else if (!attribute->is_null && rollup_id_is_span(attribute->name)) {
            query_table_row_set_text(&e->row, QUERY_COLUMN_requests_span_id, attribute->value);
        }
    }
    json_t *json = query_json_attributes(attributes, answer->attribute_count);
    size_t begin = e->row.texts.len;
    query_json_append(&e->row.texts, json);
    query_table_row_end_text(&e->row, QUERY_COLUMN_requests_attributes, begin);
    json_decref(json);
}

static lp_err
add_request(query_export *e, const query_answer *answer)
{
    query_table_row *row = &e->row;
    begin_row(e, answer);
    set_name(e, QUERY_COLUMN_requests_type, answer->context->type);
    query_table_row_set(row, QUERY_COLUMN_requests_start_ns, answer->begin_wall_ns);
    query_table_row_set(row, QUERY_COLUMN_requests_duration_ns, answer->duration_ns);
    if (answer->request != NULL) {
        const query_request_facts *facts = &answer->request->facts;
        query_table_row_set(row, QUERY_COLUMN_requests_busy_ns, facts->busy_ns);
        query_table_row_set(row, QUERY_COLUMN_requests_queued_ns, facts->queued_ns);
        query_table_row_set(row, QUERY_COLUMN_requests_elsewhere_ns, facts->elsewhere_ns);
        query_table_row_set(row, QUERY_COLUMN_requests_parts, facts->part_count);
        set_name(e, QUERY_COLUMN_requests_state, facts->state);
        set_name(e, QUERY_COLUMN_requests_kept_by, facts->kept_by);
    } else {
        set_name(e, QUERY_COLUMN_requests_thread, answer->context->thread_name);
    }
    set_attributes(e, answer);
    return write_row(e);
}

// --- Events

// An event of an answer, with its time and the thread that it was on.
typedef struct known_event {
    const query_row *row;
    int64_t own_ns;
    uint64_t thread; // identity; QUERY_NO_THREAD: none
    uint32_t thread_name;
} known_event;

static void
append_frame(query_export *e, const query_stack_node *node)
{
    char line[LINE_BYTES];
    lp_buf_append_text(&e->row.texts, query_names_text(e->names, node->name));
    if (node->line > 0) {
        (void)snprintf(line, sizeof(line), ":%" PRIu32, node->line);
        lp_buf_append_text(&e->row.texts, line);
    }
}

// set_stack sets the frames of a stack trace, one a line.
static void
set_stack(query_export *e, uint32_t node)
{
    size_t begin = e->row.texts.len;
    for (uint32_t at = node; at != QUERY_STACK_ROOT; at = e->stacks.nodes.items[at].parent) {
        if (at != node) {
            lp_buf_append_text(&e->row.texts, "\n");
        }
        append_frame(e, &e->stacks.nodes.items[at]);
    }
    if (node != QUERY_STACK_ROOT) {
        query_table_row_end_text(&e->row, QUERY_COLUMN_events_stack, begin);
    }
}

static void
set_event(query_export *e, const query_answer *answer, const known_event *event)
{
    LP_ASSERT(event->row != NULL && event->row->category < TIME_CATEGORY_COUNT);
    const query_row *of = event->row;
    query_table_row *row = &e->row;
    set_name(e, QUERY_COLUMN_events_type, of->type);
    query_table_row_set_name(
        row, QUERY_COLUMN_events_category, time_category_name((time_category)of->category));
    query_table_row_set(
        row, QUERY_COLUMN_events_start_ns, jfr_clock_wall_ns(&answer->clock, of->begin));
    if (of->has_duration && of->category != TIME_ELSEWHERE) {
        query_table_row_set(row, QUERY_COLUMN_events_duration_ns,
            jfr_clock_between_ns(&answer->clock, of->begin, of->commit));
    }
    query_table_row_set(row, QUERY_COLUMN_events_own_ns, event->own_ns);
    set_name(e, QUERY_COLUMN_events_thread, event->thread_name);
    if ((event->thread & 3) == COMPACT_IDENTITY_JAVA) {
        query_table_row_set(row, QUERY_COLUMN_events_thread_id, (int64_t)(event->thread >> 2));
    }
    set_name(e, QUERY_COLUMN_events_frame, of->frame);
    set_stack(e, of->stack);
    if (of->fields != 0) {
        query_table_row_set_name(
            row, QUERY_COLUMN_events_fields, (const char *)e->fields.ptr + of->fields);
    }
}

static lp_err
add_frames(query_export *e, const query_answer *answer, const known_event *event)
{
    LP_ASSERT(e->wish.table == QUERY_TABLE_FRAMES);
    const query_row *of = event->row;
    int64_t depth = 0;
    for (uint32_t at = of->stack; at != QUERY_STACK_ROOT; depth++) {
        const query_stack_node *node = &e->stacks.nodes.items[at];
        query_table_row *row = &e->row;
        begin_row(e, answer);
        query_table_row_set(row, QUERY_COLUMN_frames_event, e->events);
        set_name(e, QUERY_COLUMN_frames_type, of->type);
        query_table_row_set_name(
            row, QUERY_COLUMN_frames_category, time_category_name((time_category)of->category));
        query_table_row_set(row, QUERY_COLUMN_frames_own_ns, event->own_ns);
        query_table_row_set(row, QUERY_COLUMN_frames_depth, depth);
        set_name(e, QUERY_COLUMN_frames_frame, node->name);
        if (node->line > 0) {
            query_table_row_set(row, QUERY_COLUMN_frames_line, node->line);
        }
        LP_TRY(write_row(e));
        at = node->parent;
    }
    return LP_OK;
}

static lp_err
add_event(query_export *e, const query_answer *answer, const known_event *event)
{
    e->events++;
    if (e->wish.table == QUERY_TABLE_FRAMES) {
        return add_frames(e, answer, event);
    }
    begin_row(e, answer);
    query_table_row_set(&e->row, QUERY_COLUMN_events_event, e->events);
    set_event(e, answer, event);
    return write_row(e);
}

static int64_t
own_ns_of(const query_row *row, const time_span *span)
{
    if (row->category == TIME_CPU) {
        return span->is_left ? row->period_ns : 0;
    }
    return span->own_ns;
}

// add_rows adds the rows of a part of the spans, which are in another order than rows.
static lp_err
add_rows(query_export *e, const query_answer *answer, const query_row *rows, const time_span *spans,
    size_t first, size_t count, const known_event *on)
{
    for (size_t i = first; i < first + count; i++) {
        known_event event = *on;
        event.row = &rows[spans[i].event];
        event.own_ns = own_ns_of(event.row, &spans[i]);
        LP_TRY(add_event(e, answer, &event));
    }
    return LP_OK;
}

// add_stays adds the events of a request, stay by stay, then the rows without a thread.
static lp_err
add_stays(query_export *e, const query_answer *answer)
{
    LP_ASSERT(answer->request != NULL);
    const query_requests *requests = &answer->contexts->requests;
    const known_event none = {0};
    size_t done = 0;
    for (uint32_t i = 0; i < answer->request->stay_count; i++) {
        const query_stay *stay =
            &requests->stays.items[requests->stays_of.items[answer->request->first_stay + i]];
        const known_event on = {.thread = stay->thread, .thread_name = stay->thread_name};
        size_t count = answer->stays[i].span_count;
        LP_TRY(add_rows(e, answer, answer->rows, answer->spans, done, count, &on));
        done += count;
    }
    return add_rows(e, answer, answer->rows, answer->spans, done, answer->row_count - done, &none);
}

lp_err
query_export_add(void *arg, const query_answer *answer)
{
    LP_ASSERT(((const query_export *)arg)->question != NULL);
    query_export *e = arg;
    const known_event none = {0};
    if (e->wish.table == QUERY_TABLE_REQUESTS) {
        return add_request(e, answer);
    }
    if (query_answer_is_inner(answer, QUERY_IN_SELECTION)) {
        return LP_OK;
    }
    if (answer->request != NULL) {
        LP_TRY(add_stays(e, answer));
    } else {
        const known_event on = {
            .thread = answer->context->thread, .thread_name = answer->context->thread_name};
        LP_TRY(add_rows(e, answer, answer->rows, answer->spans, 0, answer->row_count, &on));
    }
    return add_rows(e, answer, answer->pause_rows, answer->pauses, 0, answer->pause_count, &none);
}
