// SPDX-License-Identifier: Apache-2.0
#include "query/events/events.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "query/events/event_contexts.h"
#include "query/run/sums.h"
#include "query/select/json_list.h"

#include <string.h>

void
query_events_fini(query_events *events)
{
    query_listing_fini(&events->list);
}

bool
query_events_has_contexts(const query_selection *selection)
{
    return selection->context != NULL || selection->trace != NULL || selection->has_id ||
           selection->where_count > 0 || selection->min_duration_ns > 0 ||
           selection->max_duration_ns < INT64_MAX;
}

static void
events_check(const query_events *events)
{
    LP_ASSERT(events->list.sort == QUERY_SORT_START);
    LP_ASSERT(events->names != NULL);
}

static bool
is_wanted(const query_events *events, const char *type_name)
{
    const query_selection of_type = {.context = events->type};
    return query_selection_has_type(&of_type, type_name);
}

lp_err
query_events_add(void *arg, const query_answer *answer)
{
    query_events *events = arg;
    events_check(events);
    for (size_t i = 0; i < answer->row_count; i++) {
        const query_row *row = &answer->rows[i];
        if (is_wanted(events, query_names_text(events->names, row->type))) {
            query_listed item = query_listed_row(answer, row);
            item.ref = answer->ref;
            LP_TRY(query_listing_add_item(&events->list, &item));
        }
    }
    return LP_OK;
}

lp_err
query_events_add_event(
    void *arg, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    (void)chunk;
    query_events *events = arg;
    return is_wanted(events, query_names_text(events->names, event->type->name))
               ? query_listing_add_item(&events->list, item)
               : LP_OK;
}

// --- The scan

typedef struct scan {
    query_on_event *on_event;
    void *arg;
    const query_question *question;
    query_outcome *outcome;
    query_names *names;
    compact_schema *like; // of the chunk before, of the same session; or NULL
    uint32_t source;
    query_chunk chunk;
    jfr_clock clock;     // of the chunk
    lp_map is_on_thread; // by thread key: 1 if the selection has the thread
} scan;

// has_thread returns whether the selection has the thread of an event.
static bool
has_thread(scan *s, const query_event *event)
{
    if (!query_selection_needs_thread(s->question->selection)) {
        return true;
    }
    uint32_t known = lp_map_find(&s->is_on_thread, event->thread_key);
    bool is_on_thread = query_chunk_identity(&s->chunk, event) != QUERY_NO_THREAD;
    if (!is_on_thread || known != LP_MAP_NONE) {
        return is_on_thread && known == 1;
    }
    int64_t java_id;
    uint32_t name = query_chunk_thread(&s->chunk, event->thread_key, &java_id);
    bool is_on = query_selection_has_thread(
        s->question->selection, query_names_text(s->names, name), java_id);
    lp_arena_put(&s->names->arena, &s->is_on_thread, event->thread_key, is_on);
    return is_on;
}

static lp_err
scan_event(scan *s, const query_event *event)
{
    const query_selection *selection = s->question->selection;
    query_listed item = query_listed_event(&s->clock, event->begin, event->commit);
    if (item.begin_wall_ns < selection->from_wall_ns ||
        item.begin_wall_ns >= selection->to_wall_ns || !has_thread(s, event)) {
        return LP_OK;
    }
    item.source = s->source;
    item.offset = event->offset;
    item.type = event->type->name;
    return s->on_event(s->arg, &s->chunk, event, &item);
}

static lp_err
scan_chunk(scan *s)
{
    const jfr_chunk_info *info = &s->chunk.view.info;
    s->clock = jfr_clock_make(info->start_wall_ns, info->start_ticks, info->ticks_per_s);
    query_scan events = query_scan_begin(&s->chunk, s->question->is_cancelled, LP_OK);
    query_event event;
    while (query_scan_next(&events, &event)) {
        events.err = scan_event(s, &event);
    }
    s->outcome->unreadable_events += s->chunk.unreadable_events;
    s->outcome->damaged_places += s->chunk.view.damage.place_count;
    return events.err;
}

static lp_err
scan_source(scan *s)
{
    const query_question *q = s->question;
    lp_problem problem;
    LP_TRY(query_check_cancelled(q->is_cancelled));
    bool is_open;
    LP_TRY(query_sources_next(
        q->sources, s->source, s->names, false, &s->like, &s->chunk, &is_open, &problem));
    if (!is_open) {
        return q->on_unreadable == NULL ? LP_OK : q->on_unreadable(q->arg, s->source, &problem);
    }
    lp_err err = scan_chunk(s);
    query_sources_close(q->sources, s->source, &s->chunk);
    lp_map_fini(&s->is_on_thread);
    return err;
}

lp_err
query_events_scan(const query_question *question, query_names *names, query_on_event *on_event,
    void *arg, query_outcome *out_outcome)
{
    LP_ASSERT(question->sources != NULL && question->selection != NULL && on_event != NULL);
    const query_sources *sources = question->sources;
    *out_outcome = (query_outcome){0};
    scan s = {
        .on_event = on_event,
        .arg = arg,
        .question = question,
        .outcome = out_outcome,
        .names = names,
    };
    lp_err err = LP_OK;
    for (size_t i = 0; i < sources->count && err == LP_OK; i++) {
        if (i == 0 || sources->items[i].session != sources->items[i - 1].session) {
            compact_schema_release(s.like);
            s.like = NULL;
        }
        s.source = (uint32_t)i;
        bool is_read = question->only_sources == NULL || question->only_sources[i];
        err = is_read ? scan_source(&s) : LP_OK;
        if (question->on_passed != NULL) {
            question->on_passed(question->arg, i, i + 1, sources->count);
        }
    }
    compact_schema_release(s.like);
    out_outcome->is_truncated |= names->is_truncated;
    return err;
}

// --- The answer

static lp_err
read_rows(query_events *events, query_event_rows *rows, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled, json_t *json)
{
    events_check(events);
    query_listing *list = &events->list;
    query_event_contexts contexts = {0};
    lp_err err = LP_OK;
    if (events->finds_contexts && list->items.count > 0) {
        err = query_event_contexts_read(&contexts, list, sources, names, is_cancelled);
        rows->contexts = &contexts;
    }
    LP_THEN(err, query_event_rows_read(rows, list, sources, names, is_cancelled, json));
    rows->is_truncated |= contexts.is_truncated;
    rows->contexts = NULL;
    query_event_contexts_fini(&contexts);
    return err;
}

lp_err
query_events_json(query_events *events, query_event_rows *rows, const query_sources *sources,
    query_names *names, const query_outcome *outcome, const atomic_bool *is_cancelled,
    json_t **out_json)
{
    events_check(events);
    LP_ASSERT(rows->contexts == NULL);
    query_listing *list = &events->list;
    char next[QUERY_CURSOR_BYTES];
    query_listing_finish(list);
    rows->t0_ns = list->items.count == 0 ? 0 : list->items.items[0].begin_wall_ns;
    json_t *json = query_json_set(json_object(), "t0_ns", query_json_wall_ns(rows->t0_ns));
    lp_err err = read_rows(events, rows, sources, names, is_cancelled, json);
    bool is_cut = list->has_more && !list->has_next;
    query_cursor_format(&list->next, next);
    json = query_json_set(json, "next", list->has_next ? json_string(next) : json_null());
    json = query_json_set(
        json, "is_truncated", json_boolean(outcome->is_truncated || rows->is_truncated || is_cut));
    LP_THEN(err, json == NULL ? LP_ENOMEM : LP_OK);
    if (err != LP_OK) {
        json_decref(json);
        json = NULL;
    }
    *out_json = json;
    return err;
}

// --- Types

void
query_event_types_fini(query_event_types *types)
{
    LP_VEC_FINI(&types->items);
    lp_map_fini(&types->by_type);
    *types = (query_event_types){0};
}

static void
types_check(const query_event_types *types)
{
    LP_ASSERT(types->items.count <= QUERY_EVENT_TYPES_MAX);
    LP_ASSERT(types->by_type.count <= types->items.count);
}

// find finds or adds a type; *out_item is NULL if there are too many.
static lp_err
find(query_event_types *types, uint32_t type, time_category category, bool is_context,
    query_event_count **out_item)
{
    uint64_t key = (uint64_t)type << 8 | (unsigned)category << 1 | is_context;
    uint32_t index;
    const query_event_count added = {.type = type, .category = category, .is_context = is_context};
    lp_err err = LP_FIND_OR_ADD(&types->items, &types->by_type, key, QUERY_EVENT_TYPES_MAX,
        &types->is_truncated, &index, added);
    *out_item = index == LP_MAP_NONE ? NULL : &types->items.items[index];
    return err;
}

static lp_err
count(query_event_types *types, uint32_t type, time_category category, bool is_context,
    int64_t duration_ns)
{
    query_event_count *item;
    bool is_sample = category == TIME_CPU; // or TIME_OTHER if other samples count the same time
    lp_err err = find(types, type, is_sample ? TIME_OTHER : category, is_context, &item);
    if (err == LP_OK && item != NULL) {
        item->count++;
        types->events++;
        query_sum_add(&item->total_ns, duration_ns);
    }
    return err;
}

lp_err
query_event_types_add(void *arg, const query_answer *answer)
{
    query_event_types *types = arg;
    types_check(types);
    bool is_inner = query_answer_is_inner(answer, QUERY_IN_SELECTION);
    for (size_t i = 0; i < answer->row_count && !is_inner; i++) {
        const query_row *row = &answer->rows[i];
        const query_listed item = query_listed_event(&answer->clock, row->begin, row->commit);
        LP_TRY(count(types, row->type, (time_category)row->category, false, item.duration_ns));
    }
    return LP_OK;
}

lp_err
query_event_types_add_event(
    void *types, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    types_check(types);
    (void)chunk;
    bool is_context = event->type->role == QUERY_ROLE_CONTEXT;
    return count(types, event->type->name, event->type->of.category, is_context, item->duration_ns);
}

static int
compare(const void *a, const void *b, void *names)
{
    const query_event_count *one = a;
    const query_event_count *other = b;
    return LP_ORDER(other->count, one->count)
               ?: strcmp(query_names_text(names, one->type), query_names_text(names, other->type));
}

static json_t *
type_json(const query_event_count *item, const query_names *names)
{
    const char *name = query_names_text(names, item->type);
    const time_category_of of = time_category_find(name);
    time_category category = item->category == TIME_OTHER ? of.category : item->category;
    const char *row = of.counted != NULL ? of.counted : time_category_name(category);
    return json_pack("{s:o, s:s, s:I, s:o}", "type", query_json_name(name), "category",
        item->is_context ? "context" : row, "count", (json_int_t)item->count, "total_ns",
        query_json_integer(item->total_ns));
}

json_t *
query_event_types_json(query_event_types *types, const query_names *names,
    const query_outcome *outcome, bool has_contexts)
{
    types_check(types);
    LP_VEC_SORT(&types->items, compare, (void *)(uintptr_t)names); // it only reads them
    json_t *list =
        QUERY_JSON_LIST(item, types->items.items, types->items.count, type_json(item, names));
    return json_pack("{s:o, s:I, s:o, s:b}", "types", list, "events", (json_int_t)types->events,
        "contexts", has_contexts ? json_integer((json_int_t)outcome->contexts) : json_null(),
        "is_truncated", types->is_truncated || outcome->is_truncated);
}
