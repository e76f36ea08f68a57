// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/sums/rollup_json.h"

#include "common/base/lp_assert.h"
#include "query/select/json_list.h"

#include <math.h>

json_t *
rollup_json_quantile(const histogram *lengths, double share)
{
    LP_ASSERT(share > 0 && share < 1);
    return lengths->count == 0 ? json_null() : json_integer(histogram_quantile_ns(lengths, share));
}

json_t *
rollup_json_spark(const histogram *columns, size_t count)
{
    return QUERY_JSON_LIST(column, columns, count, rollup_json_quantile(column, 0.99));
}

json_t *
rollup_json_add_counts(json_t *object, rollup_unit unit, const rollup_numbers *numbers)
{
    bool is_requests = unit == ROLLUP_REQUESTS;
    object = query_json_set(object, is_requests ? "requests_in" : "contexts_in",
        json_integer((json_int_t)numbers->all.count));
    object = query_json_set(object, is_requests ? "requests_out" : "contexts_out",
        json_integer((json_int_t)numbers->kept.count));
    object = query_json_set(object, "p50_ns", rollup_json_quantile(&numbers->all, 0.5));
    return query_json_set(object, "p99_ns", rollup_json_quantile(&numbers->all, 0.99));
}

// known_ns returns the time of kept ones in a category.
static uint64_t
known_ns(const rollup_numbers *numbers, time_category category)
{
    return category == TIME_CPU ? rollup_cpu_ns(numbers) : numbers->time_ns[category];
}

uint64_t
rollup_json_total_ns(const rollup_numbers *numbers)
{
    uint64_t sum_ns = numbers->left_ns; // includes CPU
    for (time_category i = 0; i < TIME_CATEGORY_COUNT; i++) {
        rollup_add_ns(&sum_ns, i == TIME_CPU ? 0 : numbers->time_ns[i]);
    }
    return sum_ns;
}

json_t *
rollup_json_top(const rollup_numbers *numbers)
{
    time_category top = 0;
    for (time_category i = 0; i < TIME_CATEGORY_COUNT; i++) {
        top = known_ns(numbers, i) > known_ns(numbers, top) ? i : top;
    }
    if (known_ns(numbers, top) == 0) {
        return json_null();
    }
    double share = (double)known_ns(numbers, top) / (double)rollup_json_total_ns(numbers);
    return json_pack(
        "{s:s, s:f}", "category", time_category_name(top), "share", round(share * 10000) / 10000);
}

// --- Types

// add_numbers adds the numbers of a type or a value to an object, which may be NULL.
static json_t *
add_numbers(json_t *object, rollup_unit unit, const rollup_numbers *numbers)
{
    uint64_t sum_ns = numbers->all.sum_ns;
    int64_t total_ns = sum_ns > INT64_MAX ? INT64_MAX : (int64_t)sum_ns;
    object = rollup_json_add_counts(object, unit, numbers);
    object = query_json_set(object, "total_ns", query_json_integer(total_ns));
    return unit == ROLLUP_REQUESTS ? query_json_set(object, "top", rollup_json_top(numbers))
                                   : object;
}

static json_t *
attribute_json(const rollup_attribute *attribute, rollup_unit unit)
{
    json_t *values = QUERY_JSON_LIST(value, attribute->values.items, attribute->values.count,
        add_numbers(
            json_pack("{s:o}", "value", query_json_text(value->text)), unit, &value->numbers));
    return json_pack("{s:o, s:b, s:o}", "key", query_json_name(attribute->name), "has_too_many",
        attribute->has_too_many, "values", values);
}

static json_t *
type_json(const rollup_type *type, rollup_unit unit)
{
    json_t *attributes = QUERY_JSON_LIST(
        attribute, type->attributes.items, type->attributes.count, attribute_json(attribute, unit));
    json_t *json = json_pack("{s:o}", "type", query_json_name(type->name));
    json = query_json_set(add_numbers(json, unit, &type->numbers), "attributes", attributes);
    return query_json_set(json, "has_more_attributes", json_boolean(type->has_more_attributes));
}

static json_t *
types_json(const rollup *total, rollup_unit unit, const query_selection *selection)
{
    const rollup_types *from = rollup_get_types(total, unit);
    json_t *types = json_array();
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (query_selection_has_type(selection, from->items[i].name)) {
            (void)json_array_append_new(types, type_json(&from->items[i], unit));
            count++;
        }
    }
    return query_json_whole(types, count);
}

json_t *
rollup_json_types(const rollup *total, const query_selection *selection, bool is_truncated)
{
    return json_pack("{s:o, s:o, s:b}", "types", types_json(total, ROLLUP_CONTEXTS, selection),
        "requests", types_json(total, ROLLUP_REQUESTS, selection), "is_truncated",
        is_truncated || total->contexts_left_out > 0 || total->requests_left_out > 0);
}
