// SPDX-License-Identifier: Apache-2.0
#include "query/events/event_types.h"

#include "common/base/lp_assert.h"
#include "query/run/sums.h"
#include "query/select/json_parts.h"

#include <stdlib.h>
#include <string.h>

void
query_event_types_fini(query_event_types *types)
{
    LP_VEC_FINI(&types->items);
    lp_map_fini(&types->by_type);
    *types = (query_event_types){0};
}

// find finds or adds a type. *out_item is NULL where there are too many.
static lp_err
find(query_event_types *types, uint32_t type, time_category category, bool is_context,
    query_event_count **out_item)
{
    uint64_t key = (uint64_t)type << 8 | (unsigned)category << 1 | is_context;
    uint32_t known = lp_map_find(&types->by_type, key);
    if (known != LP_MAP_NONE) {
        *out_item = &types->items.items[known];
        return LP_OK;
    }
    *out_item = NULL;
    if (types->items.count == QUERY_EVENT_TYPES_MAX) {
        types->is_truncated = true;
        return LP_OK;
    }
    query_event_count *item = LP_VEC_PUSH(&types->items);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = (query_event_count){.type = type, .category = category, .is_context = is_context};
    *out_item = item;
    return lp_map_put(&types->by_type, key, (uint32_t)types->items.count - 1);
}

static lp_err
count(query_event_types *types, uint32_t type, time_category category, bool is_context,
    int64_t duration_ns)
{
    query_event_count *item;
    bool is_sample = category == TIME_CPU; // or TIME_OTHER where others count the same time
    lp_err err = find(types, type, is_sample ? TIME_OTHER : category, is_context, &item);
    if (err == LP_OK && item != NULL) {
        item->count++;
        types->events++;
        query_sum_add(&item->total_ns, duration_ns);
    }
    return err;
}

lp_err
query_event_types_add(query_event_types *types, const query_answer *answer)
{
    LP_ASSERT(types->items.count <= QUERY_EVENT_TYPES_MAX);
    lp_err err = LP_OK;
    bool is_inner = query_answer_is_inner(answer, QUERY_IN_SELECTION);
    for (size_t i = 0; i < answer->row_count && !is_inner && err == LP_OK; i++) {
        const query_row *row = &answer->rows[i];
        const query_listed item = query_listed_event(&answer->clock, row->begin, row->commit);
        err = count(types, row->type, (time_category)row->category, false, item.duration_ns);
    }
    return err;
}

lp_err
query_event_types_add_event(
    void *types, query_chunk *chunk, const query_event *event, const query_listed *item)
{
    LP_ASSERT(((const query_event_types *)types)->items.count <= QUERY_EVENT_TYPES_MAX);
    (void)chunk;
    bool is_context = event->type->role == QUERY_ROLE_CONTEXT;
    return count(types, event->type->name, event->type->of.category, is_context, item->duration_ns);
}

// --- JSON

static int
compare(const void *a, const void *b, void *names)
{
    const query_event_count *one = a;
    const query_event_count *other = b;
    if (one->count != other->count) {
        return one->count > other->count ? -1 : 1;
    }
    return strcmp(query_names_text(names, one->type), query_names_text(names, other->type));
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
    json_t *list = json_array();
    if (types->items.count > 0) {
        qsort_r(types->items.items, types->items.count, sizeof(types->items.items[0]), compare,
            (void *)(uintptr_t)names); // which compare only reads
    }
    for (size_t i = 0; i < types->items.count; i++) {
        (void)json_array_append_new(list, type_json(&types->items.items[i], names));
    }
    list = query_json_whole(list, types->items.count);
    return json_pack("{s:o, s:I, s:o, s:b}", "types", list, "events", (json_int_t)types->events,
        "contexts", has_contexts ? json_integer((json_int_t)outcome->contexts) : json_null(),
        "is_truncated", types->is_truncated || outcome->is_truncated);
}
