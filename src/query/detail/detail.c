// SPDX-License-Identifier: Apache-2.0
#include "query/detail/detail.h"

#include "common/base/lp_assert.h"
#include "query/select/json_parts.h"
#include "query/why/why_json.h"

#include <stdlib.h>
#include <string.h>

query_detail
query_detail_begin(const query_names *names)
{
    LP_ASSERT(names != NULL);
    return (query_detail){
        .names = names,
        .self = {.sort = QUERY_SORT_START, .limit = 1},
        .events = {.sort = QUERY_SORT_START, .limit = QUERY_DETAIL_EVENTS},
        .children = {.sort = QUERY_SORT_START, .limit = QUERY_DETAIL_CHILDREN},
    };
}

void
query_detail_fini(query_detail *detail)
{
    query_listing_fini(&detail->self);
    query_listing_fini(&detail->events);
    query_listing_fini(&detail->children);
    query_why_fini(&detail->why);
    query_lock_owners_fini(&detail->owners);
    LP_VEC_FINI(&detail->reasons);
    lp_arena_fini(&detail->arena);
}

// --- What is in it

static lp_err
add_reason(query_detail *detail, uint32_t type)
{
    for (size_t i = 0; i < detail->reasons.count; i++) {
        if (detail->reasons.items[i].type == type) {
            detail->reasons.items[i].count++;
            return LP_OK;
        }
    }
    if (detail->reasons.count == QUERY_DETAIL_TYPES) {
        detail->is_truncated = true;
        return LP_OK;
    }
    query_reason *reason = LP_VEC_PUSH(&detail->reasons);
    if (reason == NULL) {
        return LP_ENOMEM;
    }
    *reason = (query_reason){.type = type, .count = 1};
    return LP_OK;
}

static lp_err
add_event(query_detail *detail, const query_answer *answer, const query_row *row)
{
    const query_listed item = query_listed_row(answer, row);
    return query_listing_add_item(&detail->events, &item);
}

lp_err
query_detail_add(query_detail *detail, const query_answer *answer)
{
    LP_ASSERT(!detail->has_looked); // what is around it is asked for later
    if (detail->is_found) {
        return LP_OK;
    }
    detail->is_found = true;
    lp_err err = query_listing_add(&detail->self, answer);
    LP_THEN(err, query_why_add(&detail->why, answer));
    LP_THEN(err, query_lock_owners_note(&detail->owners, answer, detail->names));
    for (size_t i = 0; i < answer->row_count && err == LP_OK; i++) {
        err = add_event(detail, answer, &answer->rows[i]);
        LP_THEN(err, add_reason(detail, answer->rows[i].type));
    }
    for (size_t i = 0; i < answer->pause_count && err == LP_OK; i++) {
        err = add_event(detail, answer, &answer->pause_rows[i]);
    }
    return err;
}

// --- What is around it

query_selection
query_detail_around(const query_detail *detail)
{
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1);
    const query_listed *self = &detail->self.items.items[0];
    query_selection around = query_selection_begin(false);
    int64_t end_ns;
    bool has_end = !__builtin_add_overflow(self->begin_wall_ns, self->duration_ns, &end_ns) &&
                   end_ns < INT64_MAX;
    around.to_wall_ns = has_end ? end_ns + 1 : INT64_MAX;
    around.ended_wall_ns = self->begin_wall_ns;
    return around;
}

// find_self finds the context among all of its session, NULL if it is of another one.
static const query_context *
find_self(const query_detail *detail, const query_contexts *contexts)
{
    const query_listed *self = &detail->self.items.items[0];
    for (size_t i = 0; i < contexts->items.count; i++) {
        const query_context *context = &contexts->items.items[i];
        if (context->begin == self->ref.begin && context->offset == self->offset &&
            ctx_ref_is_same(query_contexts_ref(context, detail->names), self->ref)) {
            return context;
        }
    }
    return NULL;
}

lp_err
query_detail_add_around(query_detail *detail, const query_answer *answer)
{
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1);
    const query_contexts *contexts = answer->contexts;
    if (!detail->has_looked) {
        detail->seen = find_self(detail, contexts);
        detail->has_looked = true;
    }
    if (detail->seen == NULL) {
        return LP_OK;
    }
    if (answer->context == detail->seen && detail->seen->parent != QUERY_NO_CONTEXT) {
        detail->parent = query_listed_context(
            contexts, &contexts->items.items[detail->seen->parent], detail->names);
        detail->has_parent = true;
    }
    bool is_child = answer->context->parent == (uint32_t)(detail->seen - contexts->items.items);
    const query_listed item = query_listed_context(contexts, answer->context, detail->names);
    return is_child ? query_listing_add_item(&detail->children, &item) : LP_OK;
}

// --- Settings

static const char *const chooser_names[QUERY_CHOOSERS] = {
    [QUERY_CHOOSER_THRESHOLD] = "threshold",
    [QUERY_CHOOSER_SELECT] = "select",
    [QUERY_CHOOSER_FILTER] = "filter",
    [QUERY_CHOOSER_THROTTLE] = "throttle",
};

static bool
is_text(lp_slice text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

// note_setting notes what an event of jdk.ActiveSetting says of one of the types.
static void
note_setting(query_detail *detail, query_chunk *chunk, const query_event *event)
{
    static const char *const names[] = {"name", "value"};
    query_attribute fields[2];
    uint32_t type = query_chunk_named_type(chunk, event);
    query_reason *reason = NULL;
    for (size_t i = 0; i < detail->reasons.count && type != JFR_NONE; i++) {
        bool is_it = detail->reasons.items[i].type == chunk->types[type].name;
        reason = is_it ? &detail->reasons.items[i] : reason;
    }
    if (reason == NULL) {
        return;
    }
    query_chunk_fields(chunk, event, names, 2, fields);
    lp_slice value = fields[1].value;
    bool lets_pass =
        fields[1].is_null || value.len == 0 || is_text(value, "off") || is_text(value, "all");
    for (size_t i = 0; i < QUERY_CHOOSERS && !lets_pass && !fields[0].is_null; i++) {
        if (is_text(fields[0].value, chooser_names[i])) {
            reason->settings[i] = lp_arena_string(&detail->arena, value);
        }
    }
}

static lp_err
read_settings(query_detail *detail, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled)
{
    query_chunk chunk;
    query_event event;
    lp_problem problem;
    uint32_t source = detail->self.items.items[0].source;
    lp_err err = query_sources_open(sources, source, names, NULL, &chunk, &problem);
    if (err != LP_OK) {
        return err;
    }
    jfr_cursor rest = query_chunk_events(&chunk);
    for (size_t i = 1; err == LP_OK && query_chunk_next(&chunk, &rest, &event); i++) {
        if (event.type->role == QUERY_ROLE_SETTING) {
            note_setting(detail, &chunk, &event);
        }
        err = query_check_at_event(is_cancelled, i);
    }
    LP_THEN(err, query_chunk_err(&chunk));
    query_sources_close(sources, source, &chunk);
    return err == LP_OK ? lp_arena_err(&detail->arena) : err;
}

// --- JSON

static int
compare_reasons(const void *a, const void *b, void *arg)
{
    const query_detail *detail = arg;
    const query_reason *one = a;
    const query_reason *other = b;
    return one->count != other->count ? (one->count > other->count ? -1 : 1)
                                      : strcmp(query_names_text(detail->names, one->type),
                                            query_names_text(detail->names, other->type));
}

static void
append(lp_buf *out, const char *text)
{
    lp_buf_append(out, text, strlen(text));
}

static json_t *
setting_json(const query_reason *reason)
{
    lp_buf text = {0};
    for (size_t i = 0; i < QUERY_CHOOSERS; i++) {
        if (reason->settings[i] != NULL) {
            append(&text, text.len == 0 ? "" : ", ");
            append(&text, chooser_names[i]);
            append(&text, "=");
            append(&text, reason->settings[i]);
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
    json_t *reasons = json_array();
    if (detail->reasons.count > 0) {
        qsort_r(detail->reasons.items, detail->reasons.count, sizeof(query_reason), compare_reasons,
            detail);
    }
    for (size_t i = 0; i < detail->reasons.count; i++) {
        const query_reason *reason = &detail->reasons.items[i];
        (void)json_array_append_new(reasons,
            json_pack("{s:s, s:I, s:o}", "event", query_names_text(detail->names, reason->type),
                "count", (json_int_t)reason->count, "setting", setting_json(reason)));
    }
    return query_json_whole(reasons, detail->reasons.count);
}

static json_t *
context_json(const query_detail *detail, const query_listed *item)
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
children_json(query_detail *detail)
{
    json_t *children = json_array();
    query_listing_finish(&detail->children);
    for (size_t i = 0; i < detail->children.items.count; i++) {
        (void)json_array_append_new(
            children, context_json(detail, &detail->children.items.items[i]));
    }
    return query_json_whole(children, detail->children.items.count);
}

// about_json returns what is known without the events.
static json_t *
about_json(query_detail *detail, const char *recording, const query_outcome *outcome)
{
    const query_listed *self = &detail->self.items.items[0];
    char id[CTX_REF_BYTES];
    ctx_ref_format(self->ref, id);
    query_why_finish(&detail->why, detail->names);
    json_t *json = json_pack("{s:o, s:o, s:s, s:s, s:I, s:s, s:o}", "t0_ns",
        query_json_wall_ns(self->begin_wall_ns), "recording", query_json_name(recording), "id", id,
        "type", query_names_text(detail->names, self->type), "duration",
        (json_int_t)self->duration_ns, "thread", query_names_text(detail->names, self->thread),
        "attributes", query_json_attributes(self->attributes, self->attribute_count));
    json = query_json_set(
        json, "parent", detail->has_parent ? context_json(detail, &detail->parent) : json_null());
    json = query_json_set(json, "children", children_json(detail));
    json = query_json_set(json, "kept_because", reasons_json(detail));
    json = query_json_set(json, "why", query_why_json(&detail->why, detail->names, outcome));
    return query_json_set(json, "owners", query_lock_owners_json(&detail->owners, detail->names));
}

lp_err
query_detail_json(query_detail *detail, const char *recording, const query_sources *sources,
    query_names *names, const query_outcome *outcome, const atomic_bool *is_cancelled,
    json_t **out_json)
{
    LP_ASSERT(detail->is_found);
    LP_ASSERT(detail->self.items.count == 1);
    const query_field_names all = {0};
    query_event_rows rows = {.only = &all};
    lp_err err = query_listing_read(&detail->self, sources, names, is_cancelled);
    LP_THEN(err, read_settings(detail, sources, names, is_cancelled));
    LP_THEN(err, query_lock_owners_read(&detail->owners, sources, names, is_cancelled));
    if (err != LP_OK) {
        return err;
    }
    json_t *json = about_json(detail, recording, outcome);
    json_t *events = json_object();
    rows.t0_ns = detail->self.items.items[0].begin_wall_ns;
    query_listing_finish(&detail->events);
    err = query_event_rows_read(&rows, &detail->events, sources, names, is_cancelled, events);
    json = query_json_set(json, "events", events);
    json = query_json_set(json, "is_truncated",
        json_boolean(outcome->is_truncated || detail->is_truncated || rows.is_truncated ||
                     detail->owners.owners.is_truncated || detail->events.has_more ||
                     detail->children.has_more));
    if (err != LP_OK) {
        json_decref(json);
        return err;
    }
    *out_json = json;
    return json == NULL ? LP_ENOMEM : LP_OK;
}
