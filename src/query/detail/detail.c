// SPDX-License-Identifier: Apache-2.0
#include "query/detail/detail.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_time.h"
#include "engine/read/threads.h"
#include "query/run/request_contexts.h"
#include "query/select/json_list.h"
#include "query/why/why_json.h"

#include <string.h>

static void
detail_check(const query_detail *detail)
{
    LP_ASSERT(detail->names != NULL);
    LP_ASSERT(detail->reasons.count <= QUERY_DETAIL_TYPES);
    LP_ASSERT(detail->stays.count <= QUERY_DETAIL_PARTS);
    LP_ASSERT(detail->hand_overs.count <= QUERY_DETAIL_PARTS);
}

static void
found_check(const query_detail *detail)
{
    detail_check(detail);
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1); // query_detail_add adds no second one
}

query_detail
query_detail_begin(query_unit unit, const query_names *names)
{
    LP_ASSERT(unit == QUERY_UNIT_CONTEXTS || unit == QUERY_UNIT_REQUESTS);
    LP_ASSERT(names != NULL);
    return (query_detail){
        .unit = unit,
        .names = names,
        .self = {.sort = QUERY_SORT_START, .limit = 1},
        .events = {.sort = QUERY_SORT_START, .limit = QUERY_DETAIL_EVENTS},
        .children = {.sort = QUERY_SORT_START, .limit = QUERY_DETAIL_CHILDREN},
        .parts = {.sort = QUERY_SORT_START, .limit = QUERY_DETAIL_PARTS},
    };
}

void
query_detail_fini(query_detail *detail)
{
    query_listing_fini(&detail->self);
    query_listing_fini(&detail->events);
    query_listing_fini(&detail->children);
    query_listing_fini(&detail->parts);
    query_why_fini(&detail->why);
    query_lock_owners_fini(&detail->owners);
    query_attributes_fini(&detail->attributes);
    LP_VEC_FINI(&detail->reasons);
    LP_VEC_FINI(&detail->threads);
    LP_VEC_FINI(&detail->stays);
    LP_VEC_FINI(&detail->hand_overs);
    lp_arena_fini(&detail->arena);
}

void
query_detail_prepare(query_detail *detail, query_question *question)
{
    detail_check(detail);
    LP_ASSERT(!detail->is_found);
    question->wants_frames = true;
    if (detail->unit == QUERY_UNIT_REQUESTS) {
        question->wants_parts = true;
        question->wants_thread_names = true;
        question->attributes = &detail->attributes;
    }
}

// --- Stays, hand-overs and parts of a request

// find_thread finds or adds a thread.
static lp_err
find_thread(query_detail *detail, uint32_t name, int64_t java_id, uint32_t *out_index)
{
    const query_request_thread *items = detail->threads.items;
    const query_request_thread *known = LP_FIND(
        items, detail->threads.count, at->java_id == java_id && (java_id != 0 || at->name == name));
    *out_index = (uint32_t)(known == NULL ? detail->threads.count : (size_t)(known - items));
    return known != NULL ? LP_OK
                         : LP_VEC_ADD(&detail->threads, (query_request_thread){name, java_id});
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
add_stays(query_detail *detail, const query_answer *answer)
{
    const query_requests *requests = &answer->contexts->requests;
    for (uint32_t i = 0; i < answer->request->stay_count; i++) {
        const query_stay *stay =
            &requests->stays.items[requests->stays_of.items[answer->request->first_stay + i]];
        bool is_java = (stay->thread & 3) == COMPACT_IDENTITY_JAVA;
        query_request_time_range range = range_of(answer, stay->begin, stay->end);
        if (detail->stays.count == QUERY_DETAIL_PARTS) {
            detail->is_truncated = true;
            break;
        }
        LP_TRY(find_thread(
            detail, stay->thread_name, is_java ? (int64_t)(stay->thread >> 2) : 0, &range.thread));
        LP_TRY(LP_VEC_ADD(&detail->stays, range));
    }
    return LP_OK;
}

static lp_err
add_hand_overs(query_detail *detail, const query_answer *answer)
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
        if (detail->hand_overs.count == QUERY_DETAIL_PARTS) {
            detail->is_truncated = true;
            break;
        }
        LP_TRY(LP_VEC_ADD(&detail->hand_overs, range));
    }
    return LP_OK;
}

static lp_err
add_parts(query_detail *detail, const query_answer *answer)
{
    const query_contexts *contexts = answer->contexts;
    for (uint32_t i = 0; i < answer->request->part_count; i++) {
        const query_context *part = &contexts->parts.items[answer->request->first_part + i];
        query_listed item = query_listed_context(contexts, part, detail->names);
        item.source = answer->first_source + part->chunk;
        LP_TRY(query_listing_add_item(&detail->parts, &item));
    }
    return LP_OK;
}

// --- Events

static lp_err
add_reason(query_detail *detail, uint32_t type)
{
    query_reason *known = LP_FIND(detail->reasons.items, detail->reasons.count, at->type == type);
    if (known != NULL) {
        known->count++;
        return LP_OK;
    }
    if (detail->reasons.count == QUERY_DETAIL_TYPES) {
        detail->is_truncated = true;
        return LP_OK;
    }
    return LP_VEC_ADD(&detail->reasons, (query_reason){.type = type, .count = 1});
}

static lp_err
add_event(query_detail *detail, const query_answer *answer, const query_row *row)
{
    const query_listed item = query_listed_row(answer, row);
    return query_listing_add_item(&detail->events, &item);
}

static lp_err
add_events(query_detail *detail, const query_answer *answer)
{
    for (size_t i = 0; i < answer->row_count; i++) {
        const query_row *row = &answer->rows[i];
        if (row->category != TIME_QUEUED && row->category != TIME_ELSEWHERE) {
            LP_TRY(add_event(detail, answer, row));
        }
        LP_TRY(detail->unit == QUERY_UNIT_CONTEXTS ? add_reason(detail, row->type) : LP_OK);
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        LP_TRY(add_event(detail, answer, &answer->pause_rows[i]));
    }
    return LP_OK;
}

lp_err
query_detail_add(void *arg, const query_answer *answer)
{
    query_detail *detail = arg;
    detail_check(detail);
    LP_ASSERT(!detail->has_looked); // the second question comes later
    LP_ASSERT((answer->request != NULL) == (detail->unit == QUERY_UNIT_REQUESTS));
    if (detail->is_found) {
        return LP_OK;
    }
    detail->is_found = true;
    lp_err err = query_listing_add(&detail->self, answer);
    LP_THEN(err, query_why_add(&detail->why, answer));
    LP_THEN(err, query_lock_owners_note(&detail->owners, answer, detail->names));
    if (answer->request != NULL) {
        LP_THEN(err, add_stays(detail, answer));
        LP_THEN(err, add_hand_overs(detail, answer));
        LP_THEN(err, add_parts(detail, answer));
    }
    return err == LP_OK ? add_events(detail, answer) : err;
}

// --- The contexts around a context, and in it

query_selection
query_detail_around(const query_detail *detail)
{
    found_check(detail);
    const query_listed *self = &detail->self.items.items[0];
    query_selection around = query_selection_begin(false);
    around.to_wall_ns = lp_time_add(lp_time_add(self->begin_wall_ns, self->duration_ns), 1);
    around.ended_wall_ns = self->begin_wall_ns;
    return around;
}

// find_self returns self among the contexts of a session; NULL if it is of another session.
static const query_context *
find_self(const query_detail *detail, const query_contexts *contexts)
{
    const query_listed *self = &detail->self.items.items[0];
    return LP_FIND(contexts->items.items, contexts->items.count,
        at->begin == self->ref.begin && at->offset == self->offset &&
            ctx_ref_is_same(query_contexts_ref(at, detail->names), self->ref));
}

lp_err
query_detail_add_around(void *arg, const query_answer *answer)
{
    query_detail *detail = arg;
    found_check(detail);
    const query_contexts *contexts = answer->contexts;
    if (!detail->has_looked) {
        detail->context = find_self(detail, contexts);
        detail->has_looked = true;
    }
    const query_context *self = detail->context;
    if (self == NULL) {
        return LP_OK;
    }
    if (answer->context == self && self->parent != QUERY_NO_CONTEXT) {
        detail->parent =
            query_listed_context(contexts, &contexts->items.items[self->parent], detail->names);
        detail->has_parent = true;
    }
    bool is_child = answer->context->parent == (uint32_t)(self - contexts->items.items);
    query_listed item = query_listed_context(contexts, answer->context, detail->names);
    item.source = answer->source; // contexts of two chunks may have one offset
    return is_child ? query_listing_add_item(&detail->children, &item) : LP_OK;
}

// --- Settings

static const char *const chooser_names[QUERY_CHOOSERS] = {
    [QUERY_CHOOSER_THRESHOLD] = "threshold",
    [QUERY_CHOOSER_SELECT] = "select",
    [QUERY_CHOOSER_FILTER] = "filter",
    [QUERY_CHOOSER_THROTTLE] = "throttle",
};

// note_setting notes the setting in a jdk.ActiveSetting event, if it is of one of the types.
static void
note_setting(query_detail *detail, query_chunk *chunk, const query_event *event)
{
    uint32_t type = query_chunk_named_type(chunk, event);
    size_t count = type == JFR_NONE ? 0 : detail->reasons.count;
    query_reason *reason =
        LP_FIND(detail->reasons.items, count, at->type == chunk->types[type].name);
    if (reason == NULL) {
        return;
    }
    const query_setting setting = query_chunk_setting(chunk, event);
    bool lets_pass = setting.type == JFR_NONE || setting.value.len == 0 ||
                     query_setting_is(setting.value, "off") ||
                     query_setting_is(setting.value, "all");
    for (size_t i = 0; i < QUERY_CHOOSERS && !lets_pass; i++) {
        if (query_setting_is(setting.name, chooser_names[i])) {
            reason->settings[i] = lp_arena_string(&detail->arena, setting.value);
        }
    }
}

static lp_err
read_settings(query_detail *detail, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled)
{
    found_check(detail);
    query_chunk chunk;
    query_event event;
    lp_problem problem;
    uint32_t source = detail->self.items.items[0].source;
    lp_err err = query_sources_open(sources, source, names, &chunk, &problem);
    LP_REQUIRE(err == LP_OK, err);
    query_scan scan = query_scan_begin(&chunk, is_cancelled, LP_OK);
    while (query_scan_next(&scan, &event)) {
        if (event.type->role == QUERY_ROLE_SETTING) {
            note_setting(detail, &chunk, &event);
        }
    }
    query_sources_close(sources, source, &chunk);
    return scan.err == LP_OK ? lp_arena_err(&detail->arena) : scan.err;
}

lp_err
query_detail_read(query_detail *detail, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled)
{
    found_check(detail);
    lp_err err;
    query_listing_finish(&detail->events);
    query_listing_finish(&detail->children);
    query_why_finish(&detail->why, names);
    if (detail->unit == QUERY_UNIT_REQUESTS) { // self came with its attributes
        query_listing_finish(&detail->self);
        err = query_listing_read(&detail->parts, sources, names, is_cancelled);
    } else {
        err = query_listing_read(&detail->self, sources, names, is_cancelled);
        LP_THEN(err, read_settings(detail, sources, names, is_cancelled));
    }
    LP_THEN(err, query_lock_owners_read(&detail->owners, sources, names, is_cancelled));
    detail->is_truncated |= detail->events.has_more || detail->children.has_more ||
                            detail->parts.has_more || detail->owners.owners.is_truncated;
    return err;
}

// --- A context as JSON

static int
compare_reasons(const void *a, const void *b, void *arg)
{
    const query_detail *detail = arg;
    const query_reason *one = a;
    const query_reason *other = b;
    return LP_ORDER(other->count, one->count)
               ?: strcmp(query_names_text(detail->names, one->type),
                      query_names_text(detail->names, other->type));
}

static json_t *
setting_json(const query_reason *reason)
{
    lp_buf text = {0};
    for (size_t i = 0; i < QUERY_CHOOSERS; i++) {
        if (reason->settings[i] != NULL) {
            lp_buf_append_text(&text, text.len == 0 ? "" : ", ");
            lp_buf_append_text(&text, chooser_names[i]);
            lp_buf_append_text(&text, "=");
            lp_buf_append_text(&text, reason->settings[i]);
        }
    }
    json_t *json = text.is_failed  ? NULL
                   : text.len == 0 ? json_null()
                                   : query_json_text(lp_buf_slice(&text));
    lp_buf_fini(&text);
    return json;
}

static json_t *
reasons_json(query_detail *detail)
{
    LP_VEC_SORT(&detail->reasons, compare_reasons, detail);
    return QUERY_JSON_LIST(reason, detail->reasons.items, detail->reasons.count,
        json_pack("{s:s, s:I, s:o}", "event", query_names_text(detail->names, reason->type),
            "count", (json_int_t)reason->count, "setting", setting_json(reason)));
}

static json_t *
listed_json(const query_detail *detail, const query_listed *item)
{
    char id[CTX_REF_BYTES];
    int64_t t0_ns = detail->self.items.items[0].begin_wall_ns;
    ctx_ref_format(item->ref, id);
    return json_pack("{s:s, s:s, s:I, s:I}", "id", id, "type",
        query_names_text(detail->names, item->type), "start",
        (json_int_t)((uint64_t)item->begin_wall_ns - (uint64_t)t0_ns), "duration",
        (json_int_t)item->duration_ns);
}

static json_t *
context_json(query_detail *detail, const char *recording)
{
    found_check(detail);
    const query_listed *self = &detail->self.items.items[0];
    char id[CTX_REF_BYTES];
    ctx_ref_format(self->ref, id);
    json_t *json = json_pack("{s:o, s:o, s:s, s:s, s:I, s:s, s:o}", "t0_ns",
        query_json_wall_ns(self->begin_wall_ns), "recording", query_json_name(recording), "id", id,
        "type", query_names_text(detail->names, self->type), "duration",
        (json_int_t)self->duration_ns, "thread", query_names_text(detail->names, self->thread),
        "attributes", query_json_attributes(self->attributes, self->attribute_count));
    json = query_json_set(
        json, "parent", detail->has_parent ? listed_json(detail, &detail->parent) : json_null());
    json_t *children = QUERY_JSON_LIST(item, detail->children.items.items,
        detail->children.items.count, listed_json(detail, item));
    json = query_json_set(json, "children", children);
    return query_json_set(json, "kept_because", reasons_json(detail));
}

// --- A request as JSON

static json_t *
threads_json(const query_detail *detail)
{
    return QUERY_JSON_LIST(thread, detail->threads.items, detail->threads.count,
        json_pack("{s:s, s:o}", "name", query_names_text(detail->names, thread->name), "id",
            query_json_thread_id(thread->java_id)));
}

static json_t *
stays_json(const query_detail *detail)
{
    return QUERY_JSON_LIST(stay, detail->stays.items, detail->stays.count,
        json_pack("{s:I, s:I, s:I}", "thread", (json_int_t)stay->thread, "start",
            (json_int_t)stay->start_ns, "duration", (json_int_t)stay->duration_ns));
}

static json_t *
hand_overs_json(const query_detail *detail)
{
    const query_names *names = detail->names;
    return QUERY_JSON_LIST(task, detail->hand_overs.items, detail->hand_overs.count,
        json_pack("{s:s, s:o, s:s, s:o, s:s, s:I, s:I}", "from",
            query_names_text(names, task->from), "from_id", query_json_thread_id(task->from_id),
            "to", query_names_text(names, task->to), "to_id", query_json_thread_id(task->to_id),
            "pool", query_names_text(names, task->pool), "start", (json_int_t)task->start_ns,
            "duration", (json_int_t)task->duration_ns));
}

static json_t *
part_json(query_detail *detail, const query_listed *part)
{
    char id[CTX_REF_BYTES];
    uint32_t thread;
    uint64_t t0_ns = (uint64_t)detail->self.items.items[0].begin_wall_ns;
    ctx_ref_format(part->ref, id);
    LP_REQUIRE(find_thread(detail, part->thread, part->java_thread_id, &thread) == LP_OK, NULL);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o}", "id", id, "type",
        query_names_text(detail->names, part->type), "thread", (json_int_t)thread, "start",
        (json_int_t)((uint64_t)part->begin_wall_ns - t0_ns), "duration",
        (json_int_t)part->duration_ns, "attributes",
        query_json_attributes(part->attributes, part->attribute_count));
}

static json_t *
request_json(query_detail *detail, const char *recording)
{
    found_check(detail);
    const query_names *names = detail->names;
    const query_listed *self = &detail->self.items.items[0];
    const query_request_facts *facts = &self->request;
    char id[QUERY_REQUEST_ID_BYTES];
    query_request_id_format(facts->id, id);
    json_t *parts = QUERY_JSON_LIST( // first, as it may add threads
        part, detail->parts.items.items, detail->parts.items.count, part_json(detail, part));
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
    return query_json_set(json, "hand_overs", hand_overs_json(detail));
}

lp_err
query_detail_json(query_detail *detail, const char *recording, const query_sources *sources,
    query_names *names, const query_outcome *outcome, const atomic_bool *is_cancelled,
    json_t **out_json)
{
    found_check(detail);
    const query_field_names all = {0};
    query_event_rows rows = {.only = &all, .t0_ns = detail->self.items.items[0].begin_wall_ns};
    bool is_request = detail->unit == QUERY_UNIT_REQUESTS;
    json_t *json = is_request ? request_json(detail, recording) : context_json(detail, recording);
    json_t *events = json_object();
    json = query_json_set(json, "why", query_why_json(&detail->why, detail->names, outcome));
    json = query_json_set(json, "owners", query_lock_owners_json(&detail->owners, detail->names));
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
