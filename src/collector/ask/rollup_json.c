// SPDX-License-Identifier: Apache-2.0
#include "collector/ask/rollup_json.h"

#include "query/json_parts.h"

json_t *
rollup_json_quantile(const histogram *lengths, double share)
{
    return lengths->count == 0 ? json_null() : json_integer(histogram_quantile_ns(lengths, share));
}

json_t *
rollup_json_add_counts(json_t *object, const rollup_numbers *numbers)
{
    object = query_json_set(object, "contexts_in", json_integer((json_int_t)numbers->all.count));
    object = query_json_set(object, "contexts_out", json_integer((json_int_t)numbers->kept.count));
    object = query_json_set(object, "p50_ns", rollup_json_quantile(&numbers->all, 0.5));
    return query_json_set(object, "p99_ns", rollup_json_quantile(&numbers->all, 0.99));
}
