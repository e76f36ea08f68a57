// SPDX-License-Identifier: Apache-2.0
#include "query/detail/request_detail.h"

#include "common/base/lp_assert.h"
#include "engine/read/threads.h"
#include "query/run/request_contexts.h"
#include "query/select/json_parts.h"
#include "query/why/why_json.h"

query_request_detail
query_request_detail_begin(const query_names *names)
{
    LP_ASSERT(names != NULL);
    return (query_request_detail){
        .names = names,
        .self = {.sort = QUERY_SORT_START, .limit = 1},
        .parts = {.sort = QUERY_SORT_START, .limit = QUERY_REQUEST_PARTS},
        .events = {.sort = QUERY_SORT_START, .limit = QUERY_REQUEST_EVENTS},
    };
}

void
query_request_detail_fini(query_request_detail *detail)
{
    query_listing_fini(&detail->self);
    query_listing_fini(&detail->parts);
    query_listing_fini(&detail->events);
    LP_VEC_FINI(&detail->threads);
    LP_VEC_FINI(&detail->stays);
    LP_VEC_FINI(&detail->hand_overs);
    query_why_fini(&detail->why);
    query_lock_owners_fini(&detail->owners);
    query_attributes_fini(&detail->attributes);
}

void
query_request_detail_prepare(query_request_detail *detail, query_question *question)
{
    LP_ASSERT(!detail->is_found);
    question->wants_frames = true;
    question->wants_parts = true;
    question->wants_thread_names = true;
    question->attributes = &detail->attributes;
}

// --- Adding

// find_thread finds a thread, and adds it where it is not there.
static lp_err
find_thread(query_request_detail *detail, uint32_t name, int64_t java_id, uint32_t *out_index)
{
    for (uint32_t i = 0; i < detail->threads.count; i++) {
        const query_request_thread *thread = &detail->threads.items[i];
        if (thread->java_id == java_id && (java_id != 0 || thread->name == name)) {
            *out_index = i;
            return LP_OK;
        }
    }
    *out_index = (uint32_t)detail->threads.count;
    query_request_thread *added = LP_VEC_PUSH(&detail->threads);
    if (added == NULL) {
        return LP_ENOMEM;
    }
    *added = (query_request_thread){name, java_id};
    return LP_OK;
}

static query_request_time_range
range_of(const query_answer *answer, int64_t begin, int64_t end)
{
    return (query_request_time_range){
        .start_ns = jfr_clock_between_ns(&answer->clock, answer->request->begin, begin),
        .duration_ns = jfr_clock_between_ns(&answer->clock, begin, end),
    };
}

static lp_err
add_stays(query_request_detail *detail, const query_answer *answer)
{
    const query_requests *requests = &answer->contexts->requests;
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < answer->request->stay_count && err == LP_OK; i++) {
        const query_stay *stay =
            &requests->stays.items[requests->stays_of.items[answer->request->first_stay + i]];
        bool is_java = (stay->thread & 3) == COMPACT_IDENTITY_JAVA;
        query_request_time_range range = range_of(answer, stay->begin, stay->end);
        if (detail->stays.count == QUERY_REQUEST_PARTS) {
            detail->is_truncated = true;
            break;
        }
        err = find_thread(
            detail, stay->thread_name, is_java ? (int64_t)(stay->thread >> 2) : 0, &range.thread);
        if (err == LP_OK && !LP_VEC_ROOM(&detail->stays)) {
            err = LP_ENOMEM;
        }
        if (err == LP_OK) {
            detail->stays.items[detail->stays.count++] = range;
        }
    }
    return err;
}

static lp_err
add_hand_overs(query_request_detail *detail, const query_answer *answer)
{
    const query_request *request = answer->request;
    for (uint32_t i = 0; i < request->hand_over_count; i++) {
        const query_hand_over *task =
            &answer->contexts->requests.hand_overs.items[request->first_hand_over + i];
        query_request_time_range range = range_of(answer, task->handed, task->taken);
        range.from = task->from;
        range.to = task->to;
        range.pool = task->pool;
        range.from_id = task->from_id;
        range.to_id = task->to_id;
        if (detail->hand_overs.count == QUERY_REQUEST_PARTS) {
            detail->is_truncated = true;
            break;
        }
        if (!LP_VEC_ROOM(&detail->hand_overs)) {
            return LP_ENOMEM;
        }
        detail->hand_overs.items[detail->hand_overs.count++] = range;
    }
    return LP_OK;
}

static lp_err
add_parts(query_request_detail *detail, const query_answer *answer)
{
    const query_contexts *contexts = answer->contexts;
    lp_err err = LP_OK;
    for (uint32_t i = 0; i < answer->request->part_count && err == LP_OK; i++) {
        const query_context *part = &contexts->parts.items[answer->request->first_part + i];
        query_listed item = query_listed_context(contexts, part, detail->names);
        item.source = answer->first_source + part->chunk;
        err = query_listing_add_item(&detail->parts, &item);
    }
    return err;
}

static lp_err
add_event(query_request_detail *detail, const query_answer *answer, const query_row *row)
{
    const query_listed item = query_listed_row(answer, row);
    return query_listing_add_item(&detail->events, &item);
}

static lp_err
add_events(query_request_detail *detail, const query_answer *answer)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < answer->row_count && err == LP_OK; i++) {
        bool is_event =
            answer->rows[i].category != TIME_QUEUED && answer->rows[i].category != TIME_ELSEWHERE;
        err = is_event ? add_event(detail, answer, &answer->rows[i]) : LP_OK;
    }
    for (size_t i = 0; i < answer->pause_count && err == LP_OK; i++) {
        err = add_event(detail, answer, &answer->pause_rows[i]);
    }
    return err;
}

lp_err
query_request_detail_add(query_request_detail *detail, const query_answer *answer)
{
    LP_ASSERT(detail->stays.count <= QUERY_REQUEST_PARTS);
    if (detail->is_found) {
        return LP_OK;
    }
    detail->is_found = true;
    lp_err err = query_listing_add(&detail->self, answer);
    LP_THEN(err, query_why_add(&detail->why, answer));
    LP_THEN(err, query_lock_owners_note(&detail->owners, answer, detail->names));
    LP_THEN(err, add_stays(detail, answer));
    LP_THEN(err, add_hand_overs(detail, answer));
    LP_THEN(err, add_parts(detail, answer));
    return err == LP_OK ? add_events(detail, answer) : err;
}

// --- At the end

lp_err
query_request_detail_read(query_request_detail *detail, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled)
{
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1);
    query_listing_finish(&detail->self);
    query_listing_finish(&detail->events);
    query_why_finish(&detail->why, names);
    lp_err err = query_listing_read(&detail->parts, sources, names, is_cancelled);
    err =
        err == LP_OK ? query_lock_owners_read(&detail->owners, sources, names, is_cancelled) : err;
    detail->is_truncated |=
        detail->parts.has_more || detail->events.has_more || detail->owners.owners.is_truncated;
    return err;
}

lp_err
query_request_detail_thread(
    query_request_detail *detail, const query_listed *part, uint32_t *out_thread)
{
    LP_ASSERT(detail->is_found);
    return find_thread(detail, part->thread, part->java_thread_id, out_thread);
}

static json_t *
threads_json(const query_request_detail *detail)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < detail->threads.count; i++) {
        const query_request_thread *thread = &detail->threads.items[i];
        (void)json_array_append_new(
            threads, json_pack("{s:s, s:o}", "name", query_names_text(detail->names, thread->name),
                         "id", query_json_thread_id(thread->java_id)));
    }
    return query_json_whole(threads, detail->threads.count);
}

static json_t *
stays_json(const query_request_detail *detail)
{
    json_t *stays = json_array();
    for (size_t i = 0; i < detail->stays.count; i++) {
        const query_request_time_range *stay = &detail->stays.items[i];
        (void)json_array_append_new(
            stays, json_pack("{s:I, s:I, s:I}", "thread", (json_int_t)stay->thread, "start",
                       (json_int_t)stay->start_ns, "duration", (json_int_t)stay->duration_ns));
    }
    return query_json_whole(stays, detail->stays.count);
}

static json_t *
hand_overs_json(const query_request_detail *detail)
{
    json_t *tasks = json_array();
    for (size_t i = 0; i < detail->hand_overs.count; i++) {
        const query_request_time_range *task = &detail->hand_overs.items[i];
        (void)json_array_append_new(
            tasks, json_pack("{s:s, s:o, s:s, s:o, s:s, s:I, s:I}", "from",
                       query_names_text(detail->names, task->from), "from_id",
                       query_json_thread_id(task->from_id), "to",
                       query_names_text(detail->names, task->to), "to_id",
                       query_json_thread_id(task->to_id), "pool",
                       query_names_text(detail->names, task->pool), "start",
                       (json_int_t)task->start_ns, "duration", (json_int_t)task->duration_ns));
    }
    return query_json_whole(tasks, detail->hand_overs.count);
}

static json_t *
parts_json(query_request_detail *detail)
{
    json_t *parts = json_array();
    int64_t t0_ns = detail->self.items.items[0].begin_wall_ns;
    for (size_t i = 0; i < detail->parts.items.count; i++) {
        const query_listed *part = &detail->parts.items.items[i];
        char id[CTX_REF_BYTES];
        uint32_t thread;
        ctx_ref_format(part->ref, id);
        if (query_request_detail_thread(detail, part, &thread) != LP_OK) {
            json_decref(parts);
            return NULL;
        }
        (void)json_array_append_new(
            parts, json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "id", id, "type",
                       query_names_text(detail->names, part->type), "thread", (json_int_t)thread,
                       "start", (json_int_t)((uint64_t)part->begin_wall_ns - (uint64_t)t0_ns),
                       "duration", (json_int_t)part->duration_ns, "attributes",
                       query_json_attributes(part->attributes, part->attribute_count)));
    }
    return query_json_whole(parts, detail->parts.items.count);
}

// about_json returns what is known without the events.
static json_t *
about_json(query_request_detail *detail, const char *recording, const query_outcome *outcome)
{
    const query_names *names = detail->names;
    const query_listed *self = &detail->self.items.items[0];
    const query_request_facts *facts = &self->request;
    char id[QUERY_REQUEST_ID_BYTES];
    query_request_id_format(facts->id, id);
    json_t *parts = parts_json(detail); // before the threads, of which it may add some
    json_t *json = json_pack("{s:o, s:o, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o}",
        "t0_ns", query_json_wall_ns(self->begin_wall_ns), "recording", query_json_name(recording),
        "id", id, "type", query_names_text(names, self->type), "state",
        query_names_text(names, facts->state), "kept_by", query_names_text(names, facts->kept_by),
        "duration", (json_int_t)self->duration_ns, "busy", (json_int_t)facts->busy_ns, "queued",
        (json_int_t)facts->queued_ns, "elsewhere", (json_int_t)facts->elsewhere_ns, "part_count",
        (json_int_t)facts->part_count, "attributes",
        query_json_attributes(self->attributes, self->attribute_count));
    json = query_json_set(json, "threads", threads_json(detail));
    json = query_json_set(json, "stays", stays_json(detail));
    json = query_json_set(json, "parts", parts);
    json = query_json_set(json, "hand_overs", hand_overs_json(detail));
    json = query_json_set(json, "why", query_why_json(&detail->why, names, outcome));
    return query_json_set(json, "owners", query_lock_owners_json(&detail->owners, names));
}

lp_err
query_request_detail_json(query_request_detail *detail, const char *recording,
    const query_sources *sources, query_names *names, const query_outcome *outcome,
    const atomic_bool *is_cancelled, json_t **out_json)
{
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1);
    LP_ASSERT(detail->parts.items.count <= QUERY_REQUEST_PARTS);
    const query_field_names all = {0};
    query_event_rows rows = {.only = &all, .t0_ns = detail->self.items.items[0].begin_wall_ns};
    json_t *json = about_json(detail, recording, outcome);
    json_t *events = json_object();
    lp_err err =
        query_event_rows_read(&rows, &detail->events, sources, names, is_cancelled, events);
    json = query_json_set(json, "events", events);
    json = query_json_set(json, "is_truncated",
        json_boolean(outcome->is_truncated || detail->is_truncated || rows.is_truncated));
    if (err != LP_OK) {
        json_decref(json);
        return err;
    }
    *out_json = json;
    return json == NULL ? LP_ENOMEM : LP_OK;
}
