// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/value_series.h"

#include "collector/ask/sums/rollup_json.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "query/select/json_parts.h"

#include <string.h>

value_series
value_series_begin(const time_columns *columns, const query_selection *selection, const char *key)
{
    return (value_series){.columns = *columns, .selection = selection, .key = key};
}

static void
series_check(const value_series *all)
{
    LP_ASSERT(all->selection != NULL && all->columns.count > 0);
    LP_ASSERT(all->series.count <= VALUE_SERIES_MAX);
}

void
value_series_fini(value_series *all)
{
    lp_arena_fini(&all->arena);
    *all = (value_series){0};
}

// compare puts the series of a type before the series of its values.
static int
compare(const void *a, const void *b)
{
    const value_series_one *one = a;
    const value_series_one *other = b;
    return strcmp(one->type, other->type)
               ?: LP_ORDER(one->has_value, other->has_value)
               ?: lp_order_slices(one->value, other->value);
}

// find finds or adds a series; NULL if there are too many, or out of memory.
static value_series_one *
find(value_series *all, const value_series_one *wanted)
{
    series_check(all);
    value_series_one *known =
        LP_FIND(all->series.items, all->series.count, compare(at, wanted) == 0);
    if (known != NULL) {
        return known;
    }
    if (all->series.count == VALUE_SERIES_MAX) {
        all->is_truncated = true;
        return NULL;
    }
    value_series_one added = {
        .type = lp_arena_text(&all->arena, wanted->type),
        .has_value = wanted->has_value,
        .value = lp_arena_copy(&all->arena, wanted->value),
        .columns = LP_ARENA_ARRAY(&all->arena, histogram, all->columns.count),
    };
    LP_ARENA_PUSH(&all->arena, &all->series, added);
    return lp_arena_err(&all->arena) == LP_OK ? &all->series.items[all->series.count - 1] : NULL;
}

// add adds durations to a series. False if there is none.
static bool
add(value_series *all, const value_series_one *wanted, size_t column, const histogram *lengths)
{
    value_series_one *one = find(all, wanted);
    if (one != NULL) {
        histogram_merge(&one->columns[column], &all->arena, lengths);
    }
    return one != NULL;
}

static void
add_values(value_series *all, const rollup_type *type, size_t column)
{
    const rollup_attribute *attribute = rollup_find_attribute(type, all->key);
    all->is_truncated |= attribute == NULL ? type->has_more_attributes : attribute->has_too_many;
    for (size_t i = 0; attribute != NULL && i < attribute->values.count; i++) {
        const rollup_value *value = &attribute->values.items[i];
        const value_series_one wanted = {
            .type = type->name, .has_value = true, .value = value->text};
        (void)add(all, &wanted, column, &value->numbers.all);
    }
}

lp_err
value_series_add(value_series *all, size_t column, const rollup *found)
{
    series_check(all);
    LP_ASSERT(column < all->columns.count);
    all->is_truncated |= found->requests_left_out > 0;
    for (size_t i = 0; i < found->requests.count; i++) {
        const rollup_type *type = &found->requests.items[i];
        if (!query_selection_has_type(all->selection, type->name)) {
            continue;
        }
        const value_series_one wanted = {.type = type->name};
        if (add(all, &wanted, column, &type->numbers.all) && all->key != NULL) {
            add_values(all, type, column);
        }
    }
    return lp_arena_err(&all->arena);
}

static json_t *
spark_json(const value_series *all, const value_series_one *one)
{
    return rollup_json_spark(one->columns, all->columns.count);
}

// type_json returns the type whose series is at *index, with its values, and moves *index to the
// next type.
static json_t *
type_json(const value_series *all, size_t *index)
{
    const value_series_one *own = &all->series.items[(*index)++];
    LP_ASSERT(!own->has_value); // a type comes before its values
    json_t *values = json_array();
    size_t count = 0;
    for (; *index < all->series.count && all->series.items[*index].has_value; ++*index, count++) {
        const value_series_one *one = &all->series.items[*index];
        json_t *value = json_pack("{s:o}", "value", query_json_text(one->value));
        (void)json_array_append_new(values, query_json_set(value, "spark", spark_json(all, one)));
    }
    json_t *json = json_pack("{s:o}", "type", query_json_name(own->type));
    json = query_json_set(json, "spark", spark_json(all, own));
    return query_json_set(json, "values", query_json_whole(values, count));
}

json_t *
value_series_json(value_series *all, bool is_truncated)
{
    series_check(all);
    LP_QSORT(all->series.items, all->series.count, compare);
    json_t *types = json_array();
    size_t count = 0;
    for (size_t i = 0; i < all->series.count; count++) {
        (void)json_array_append_new(types, type_json(all, &i));
    }
    json_t *json = time_columns_json(&all->columns);
    json = query_json_set(json, "types", query_json_whole(types, count));
    return query_json_set(json, "is_truncated", json_boolean(is_truncated || all->is_truncated));
}
