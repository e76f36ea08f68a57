// SPDX-License-Identifier: Apache-2.0
#include "query/list/facets_json.h"

#include "query/select/json_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *
histogram_json(const histogram *lengths)
{
    json_t *pairs = json_array();
    size_t count = 0;
    for (int i = HISTOGRAM_ZERO; i < HISTOGRAM_BUCKETS; i++) {
        uint64_t here = histogram_get(lengths, i);
        if (here > 0) {
            (void)json_array_append_new(pairs, json_pack("[i, I]", i, (json_int_t)here));
            count++;
        }
    }
    return query_json_whole(pairs, count);
}

// facet_json returns a facet; value is its first member, or NULL.
static json_t *
facet_json(
    const query_facets *facets, const query_facet *facet, bool has_base, const lp_slice *value)
{
    double lift = query_facets_lift(facets, facet);
    bool has_all = facet->lengths.count == facet->count;
    json_t *json = json_object();
    if (value != NULL) {
        json = query_json_set(json, "value", query_json_text(*value));
    }
    json = query_json_set(json, "count", json_integer((json_int_t)facet->count));
    json = query_json_set(
        json, "base_count", has_base ? json_integer((json_int_t)facet->base_count) : json_null());
    json = query_json_set(json, "total_ns", query_json_integer(facet->total_ns));
    json = query_json_set(json, "p99_ns",
        has_all ? query_json_integer(histogram_quantile_ns(&facet->lengths, 0.99)) : json_null());
    json = query_json_set(json, "lift", isnan(lift) ? json_null() : json_real(lift));
    return query_json_set(
        json, "histogram", has_all ? histogram_json(&facet->lengths) : json_null());
}

static json_t *
key_json(query_facets *facets, uint32_t index, size_t limit, bool has_base)
{
    const query_key *key = &facets->attributes->keys.items[index];
    const query_key_facets found = query_facets_of_key(facets, index, limit);
    json_t *values = json_array();
    for (size_t i = 0; i < found.value_count; i++) {
        uint32_t value = found.values[i];
        (void)json_array_append_new(
            values, facet_json(facets, &facets->of_value.items[value], has_base,
                        &facets->attributes->values.items[value].text));
    }
    bool has_other = found.other.count > 0;
    return json_pack("{s:s, s:s, s:o, s:b, s:o, s:o}", "key", key->name, "label", key->label,
        "distinct", key->is_search_only ? json_null() : json_integer((json_int_t)found.distinct),
        "search_only", key->is_search_only, "values", query_json_whole(values, found.value_count),
        "other", has_other ? facet_json(facets, &found.other, has_base, NULL) : json_null());
}

json_t *
query_facets_json(query_facets *facets, size_t limit, bool has_base, const query_outcome *outcome)
{
    uint32_t order[QUERY_KEYS_MAX];
    size_t count = query_facets_order(facets, order);
    json_t *keys = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(keys, key_json(facets, order[i], limit, has_base));
    }
    keys = lp_arena_err(&facets->arena) == LP_OK ? query_json_whole(keys, count)
                                                 : query_json_whole(keys, SIZE_MAX);
    return json_pack("{s:I, s:o, s:o, s:b}", "contexts", (json_int_t)facets->contexts,
        "base_contexts", has_base ? json_integer((json_int_t)facets->base_contexts) : json_null(),
        "keys", keys, "is_truncated", outcome->is_truncated || facets->is_truncated);
}
