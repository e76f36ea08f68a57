// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/service_list.h"

#include "collector/ask/rollup_json.h"
#include "query/json_parts.h"

#include <math.h>
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
    free(item->name);
    free(item);
}

void
service_list_fini(service_list *list)
{
    for (size_t i = 0; i < list->items.count; i++) {
        destroy_item(list->items.items[i]);
    }
    LP_VEC_FINI(&list->items);
    lp_names_fini(&list->names);
}

// find finds or adds a service. *out_item is NULL where there are too many.
static lp_err
find(service_list *list, const char *service, service_list_item **out_item)
{
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
    if (item == NULL) {
        return LP_ENOMEM;
    }
    rollup_init(&item->total);
    rollup_init(&item->sums);
    item->spark = LP_ARENA_ARRAY(&item->sums.arena, histogram, list->columns.count);
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
    service_list_item *item;
    lp_err err = find(list, service, &item);
    if (item != NULL) {
        item->jvms += count;
    }
    return err;
}

lp_err
service_list_add(service_list *list, const char *service, size_t column, const rollup *found)
{
    service_list_item *item;
    lp_err err = find(list, service, &item);
    if (item == NULL) {
        return err;
    }
    rollup_add(&item->total, found, "");
    for (size_t i = 0; i < found->types.count; i++) {
        histogram_merge(
            &item->spark[column], &item->sums.arena, &found->types.items[i].numbers.all);
    }
    err = rollup_err(&item->total);
    return err == LP_OK ? rollup_err(&item->sums) : err;
}

void
service_list_note_today(service_list *list, const catalog_day *today)
{
    uint32_t known = lp_names_find(&list->names, today->service);
    if (known != LP_MAP_NONE) {
        service_list_item *item = list->items.items[known];
        item->today = *today;
        item->today.service = NULL;
        item->has_today = true;
    }
}

// --- JSON

// known_ns returns how much of the time of a type's kept contexts is known to have been of a
// category.
static uint64_t
known_ns(const rollup_numbers *numbers, time_category category)
{
    return category == TIME_CPU ? rollup_cpu_ns(numbers) : numbers->time_ns[category];
}

static uint64_t
total_ns(const rollup_numbers *numbers)
{
    uint64_t sum_ns = numbers->left_ns; // has that of CPU
    for (time_category i = 0; i < TIME_CATEGORY_COUNT; i++) {
        rollup_add_ns(&sum_ns, i == TIME_CPU ? 0 : numbers->time_ns[i]);
    }
    return sum_ns;
}

static json_t *
top_json(const rollup *total)
{
    const rollup_numbers *longest = NULL;
    for (size_t i = 0; i < total->types.count; i++) {
        const rollup_numbers *numbers = &total->types.items[i].numbers;
        if (longest == NULL || total_ns(numbers) > total_ns(longest)) {
            longest = numbers;
        }
    }
    time_category top = 0;
    for (time_category i = 0; longest != NULL && i < TIME_CATEGORY_COUNT; i++) {
        top = known_ns(longest, i) > known_ns(longest, top) ? i : top;
    }
    if (longest == NULL || known_ns(longest, top) == 0) {
        return json_null();
    }
    double share = (double)known_ns(longest, top) / (double)total_ns(longest);
    return json_pack(
        "{s:s, s:f}", "category", time_category_name(top), "share", round(share * 10000) / 10000);
}

static json_t *
types_json(const rollup *total)
{
    json_t *types = json_array();
    for (size_t i = 0; i < total->types.count && types != NULL; i++) {
        const rollup_type *type = &total->types.items[i];
        json_t *one = json_pack("{s:o}", "type", query_json_name(type->name));
        if (json_array_append_new(types, rollup_json_add_counts(one, &type->numbers)) != 0) {
            json_decref(types);
            types = NULL;
        }
    }
    return types;
}

static json_t *
spark_json(const service_list_item *item, size_t count)
{
    json_t *spark = json_array();
    for (size_t i = 0; i < count && spark != NULL; i++) {
        if (json_array_append_new(spark, rollup_json_quantile(&item->spark[i], 0.99)) != 0) {
            json_decref(spark);
            spark = NULL;
        }
    }
    return spark;
}

// today_json returns NULL where nothing came, or memory ran out.
static json_t *
today_json(const service_list_item *item)
{
    const catalog_day *today = &item->today;
    if (!item->has_today) {
        return NULL;
    }
    json_t *daily =
        today->bytes_max == 0 ? json_null() : json_integer((json_int_t)today->bytes_max);
    return json_pack("{s:I, s:o, s:I}", "bytes", (json_int_t)today->bytes, "daily_bytes", daily,
        "batches_put_off", (json_int_t)today->put_off);
}

static json_t *
item_json(const service_list *list, service_list_item *item)
{
    histogram all = {0};
    histogram kept = {0};
    for (size_t i = 0; i < item->total.types.count; i++) {
        const rollup_numbers *numbers = &item->total.types.items[i].numbers;
        histogram_merge(&all, &item->sums.arena, &numbers->all);
        histogram_merge(&kept, &item->sums.arena, &numbers->kept);
    }
    if (rollup_err(&item->sums) != LP_OK) {
        return NULL;
    }
    return json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o*}", "service",
        query_json_name(item->name), "jvms", (json_int_t)item->jvms, "contexts_in",
        (json_int_t)all.count + (json_int_t)item->total.contexts_left_out, "contexts_out",
        (json_int_t)kept.count, "p50_ns", rollup_json_quantile(&all, 0.5), "p99_ns",
        rollup_json_quantile(&all, 0.99), "spark", spark_json(item, list->columns.count), "types",
        types_json(&item->total), "top", top_json(&item->total), "today", today_json(item));
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp((*(service_list_item *const *)a)->name, (*(service_list_item *const *)b)->name);
}

json_t *
service_list_json(service_list *list)
{
    if (list->items.count > 0) {
        qsort(list->items.items, list->items.count, sizeof(list->items.items[0]), compare_names);
    }
    json_t *services = json_array();
    bool is_made = services != NULL;
    for (size_t i = 0; i < list->items.count && is_made; i++) {
        is_made = json_array_append_new(services, item_json(list, list->items.items[i])) == 0;
    }
    json_t *json = time_columns_json(&list->columns);
    json_t *rest =
        json_pack("{s:o, s:b}", "services", services, "is_truncated", list->is_truncated);
    bool is_whole = json_object_update_new(json, rest) == 0; // takes rest in any case
    if (!is_made || !is_whole) {
        json_decref(json);
        return NULL;
    }
    return json;
}
