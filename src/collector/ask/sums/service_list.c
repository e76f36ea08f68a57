// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/service_list.h"

#include "collector/ask/sums/rollup_json.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/select/json_list.h"

#include <stdlib.h>
#include <string.h>

void
service_list_init(service_list *list, const time_columns *columns)
{
    *list = (service_list){.columns = *columns};
}

static void
destroy_item(service_list_item *item)
{
    rollup_fini(&item->total);
    rollup_fini(&item->sums);
    json_decref(item->versions);
    free(item->name);
    free(item);
}

void
service_list_fini(service_list *list)
{
    LP_VEC_FINI_EACH(&list->items, destroy_item(*at));
    lp_names_fini(&list->names);
}

static void
list_check(const service_list *list)
{
    LP_ASSERT(list->columns.count > 0);
    LP_ASSERT(list->items.count <= SERVICE_LIST_MAX);
    LP_ASSERT(list->items.count <= list->names.items.count);
}

// find finds or adds a service; *out_item is NULL if there are too many.
static lp_err
find(service_list *list, const char *service, service_list_item **out_item)
{
    list_check(list);
    uint32_t known = lp_names_find(&list->names, service);
    *out_item = known == LP_MAP_NONE ? NULL : list->items.items[known];
    if (known != LP_MAP_NONE) {
        return LP_OK;
    }
    if (list->items.count == SERVICE_LIST_MAX) {
        list->is_truncated = true;
        return LP_OK;
    }
    service_list_item *item = calloc(1, sizeof(*item));
    LP_REQUIRE(item != NULL, LP_ENOMEM);
    rollup_init(&item->total);
    rollup_init(&item->sums);
    for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
        item->spark[unit] = LP_ARENA_ARRAY(&item->sums.arena, histogram, list->columns.count);
    }
    if (rollup_err(&item->sums) != LP_OK || !LP_VEC_ROOM(&list->items) ||
        lp_names_add_copy(&list->names, service, &item->name) != LP_OK) {
        destroy_item(item);
        return LP_ENOMEM;
    }
    list->items.items[list->items.count++] = item;
    *out_item = item;
    return LP_OK;
}

lp_err
service_list_add_jvms(service_list *list, const char *service, uint64_t count)
{
    list_check(list);
    service_list_item *item;
    lp_err err = find(list, service, &item);
    if (item != NULL) {
        item->jvms += count;
    }
    return err;
}

lp_err
service_list_add_version(
    service_list *list, const char *service, const char *version, uint64_t count)
{
    list_check(list);
    uint32_t known = lp_names_find(&list->names, service);
    if (known == LP_MAP_NONE) {
        return LP_OK;
    }
    service_list_item *item = list->items.items[known];
    if (item->versions == NULL) {
        item->versions = json_array();
    }
    if (json_array_size(item->versions) == SERVICE_LIST_VERSIONS_MAX) {
        list->is_truncated = true;
        return LP_OK;
    }
    json_t *one =
        json_pack("{s:o, s:I}", "version", query_json_name(version), "jvms", (json_int_t)count);
    return json_array_append_new(item->versions, one) == 0 ? LP_OK : LP_ENOMEM;
}

lp_err
service_list_add(service_list *list, const char *service, size_t column, const rollup *found)
{
    list_check(list);
    LP_ASSERT(column < list->columns.count);
    service_list_item *item;
    lp_err err = find(list, service, &item);
    LP_REQUIRE(item != NULL, err);
    rollup_add(&item->total, found, "");
    for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
        const rollup_types *types = rollup_get_types(found, unit);
        for (size_t i = 0; i < types->count; i++) {
            histogram_merge(
                &item->spark[unit][column], &item->sums.arena, &types->items[i].numbers.all);
        }
    }
    err = rollup_err(&item->total);
    return err == LP_OK ? rollup_err(&item->sums) : err;
}

void
service_list_note_today(void *arg, const catalog_day *today)
{
    service_list *list = arg;
    uint32_t known = lp_names_find(&list->names, today->service);
    if (known != LP_MAP_NONE) {
        service_list_item *item = list->items.items[known];
        item->today = *today;
        item->today.service = NULL;
        item->has_today = true;
    }
}

// --- JSON

// top_json returns the top of the type whose kept ones took the most time.
static json_t *
top_json(const rollup_types *types)
{
    const rollup_numbers *longest = NULL;
    for (size_t i = 0; i < types->count; i++) {
        const rollup_numbers *numbers = &types->items[i].numbers;
        if (longest == NULL || rollup_json_total_ns(numbers) > rollup_json_total_ns(longest)) {
            longest = numbers;
        }
    }
    return longest == NULL ? json_null() : rollup_json_top(longest);
}

static json_t *
types_json(const rollup *total, rollup_unit unit)
{
    const rollup_types *from = rollup_get_types(total, unit);
    return QUERY_JSON_LIST(type, from->items, from->count,
        rollup_json_add_counts(
            json_pack("{s:o}", "type", query_json_name(type->name)), unit, &type->numbers));
}

static json_t *
today_json(const service_list_item *item)
{
    const catalog_day *today = &item->today;
    json_t *daily =
        today->bytes_max == 0 ? json_null() : json_integer((json_int_t)today->bytes_max);
    return json_pack("{s:I, s:o, s:I}", "bytes", (json_int_t)today->bytes, "daily_bytes", daily,
        "batches_put_off", (json_int_t)today->put_off);
}

// add_unit adds the numbers of a unit to an object, which may be NULL: of all types together, and
// of each.
static json_t *
add_unit(json_t *object, const service_list *list, service_list_item *item, rollup_unit unit)
{
    bool is_requests = unit == ROLLUP_REQUESTS;
    const rollup_types *types = rollup_get_types(&item->total, unit);
    rollup_numbers all = {0};
    for (size_t i = 0; i < types->count; i++) {
        histogram_merge(&all.all, &item->sums.arena, &types->items[i].numbers.all);
        histogram_merge(&all.kept, &item->sums.arena, &types->items[i].numbers.kept);
    }
    uint64_t in = all.all.count;
    rollup_add_ns(&in, rollup_get_left_out(&item->total, unit));
    object = rollup_json_add_counts(object, unit, &all);
    object = query_json_set(
        object, is_requests ? "requests_in" : "contexts_in", json_integer((json_int_t)in));
    object =
        query_json_set(object, "spark", rollup_json_spark(item->spark[unit], list->columns.count));
    object = query_json_set(object, "types", types_json(&item->total, unit));
    return query_json_set(object, "top", top_json(types));
}

static json_t *
item_json(const service_list *list, service_list_item *item)
{
    list_check(list);
    json_t *json = json_pack(
        "{s:o, s:I}", "service", query_json_name(item->name), "jvms", (json_int_t)item->jvms);
    json = query_json_set(
        json, "versions", item->versions == NULL ? json_array() : json_incref(item->versions));
    json = add_unit(json, list, item, ROLLUP_CONTEXTS);
    json = query_json_set(json, "requests", add_unit(json_object(), list, item, ROLLUP_REQUESTS));
    if (item->has_today) {
        json = query_json_set(json, "today", today_json(item));
    }
    if (rollup_err(&item->sums) != LP_OK) {
        json_decref(json);
        return NULL;
    }
    return json;
}

LP_COMPARE(compare_names, service_list_item *const, strcmp((*one)->name, (*other)->name))

json_t *
service_list_json(service_list *list)
{
    list_check(list);
    LP_QSORT(list->items.items, list->items.count, compare_names);
    json_t *services =
        QUERY_JSON_LIST(item, list->items.items, list->items.count, item_json(list, *item));
    json_t *json = query_json_set(time_columns_json(&list->columns), "services", services);
    return query_json_set(json, "is_truncated", json_boolean(list->is_truncated));
}
