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
