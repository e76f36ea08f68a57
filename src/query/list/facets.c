// SPDX-License-Identifier: Apache-2.0
#include "query/list/facets.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "query/run/sums.h"
#include "query/select/json_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
query_facets_fini(query_facets *facets)
{
    LP_VEC_FINI(&facets->of_key);
    LP_VEC_FINI(&facets->of_value);
    lp_arena_fini(&facets->arena);
}

static void
facets_check(const query_facets *facets)
{
    LP_ASSERT(facets->attributes != NULL);
    LP_ASSERT(facets->of_key.count <= facets->attributes->keys.count);
    LP_ASSERT(facets->of_value.count <= facets->attributes->values.count);
}

static void
add_length(query_facets *facets, query_facet *facet, int64_t duration_ns)
{
    uint32_t before = facet->lengths.bucket_count;
    if (facets->bytes >= QUERY_FACETS_BYTES_MAX) {
        facets->is_truncated = true;
        return;
    }
    histogram_add(&facet->lengths, &facets->arena, duration_ns);
    if (facet->lengths.bucket_count != before) { // the arena keeps the old buckets
        facets->bytes += facet->lengths.bucket_count * sizeof(uint64_t);
    }
}

static void
add_to(query_facets *facets, query_facet *facet, const query_answer *answer)
{
    facet->base_count += (answer->in & QUERY_IN_BASE) != 0;
    if ((answer->in & QUERY_IN_SELECTION) != 0) {
        facet->count++;
        query_sum_add(&facet->total_ns, answer->duration_ns);
        add_length(facets, facet, answer->duration_ns);
    }
}

// make_room makes a list as long as its parallel.
static void
make_room(query_facets *facets, query_facet_list *list, size_t count)
{
    while (list->count < count && !facets->arena.is_failed) {
        LP_ARENA_PUSH_BESIDE(&facets->arena, list, (query_facet){0});
    }
}

lp_err
query_facets_add(void *arg, const query_answer *answer)
{
    query_facets *facets = arg;
    facets_check(facets);
    facets->contexts += (answer->in & QUERY_IN_SELECTION) != 0;
    facets->base_contexts += (answer->in & QUERY_IN_BASE) != 0;
    make_room(facets, &facets->of_key, facets->attributes->keys.count);
    make_room(facets, &facets->of_value, facets->attributes->values.count);
    for (size_t i = 0; i < answer->attribute_count && !facets->arena.is_failed; i++) {
        const query_known_attribute *known = &answer->attributes[i];
        if (known->attribute.is_null) {
            continue;
        }
        add_to(facets, &facets->of_key.items[known->key], answer);
        if (known->value != QUERY_NO_VALUE) {
            add_to(facets, &facets->of_value.items[known->value], answer);
        }
    }
    return lp_arena_err(&facets->arena);
}

double
query_facets_lift(const query_facets *facets, const query_facet *facet)
{
    facets_check(facets);
    return facet->base_count == 0 || facets->contexts == 0
               ? (double)NAN
               : (double)facet->count / (double)facets->contexts /
                     ((double)facet->base_count / (double)facets->base_contexts);
}

// --- Keys

static int
compare_keys(const void *a, const void *b, void *arg)
{
    const query_attributes *attributes = arg;
    return strcmp(attributes->keys.items[*(const uint32_t *)a].name,
        attributes->keys.items[*(const uint32_t *)b].name);
}

size_t
query_facets_order(const query_facets *facets, uint32_t out_keys[QUERY_KEYS_MAX])
{
    facets_check(facets);
    size_t count = 0;
    for (uint32_t i = 0; i < facets->of_key.count; i++) {
        out_keys[count] = i;
        count += facets->of_key.items[i].count > 0;
    }
    qsort_r(
        out_keys, count, sizeof(*out_keys), compare_keys, (void *)(uintptr_t)facets->attributes);
    return count;
}

// --- The values of a key

static int
compare_values(const void *a, const void *b, void *arg)
{
    const query_facets *facets = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    const query_facet *of_value = facets->of_value.items;
    return LP_ORDER(of_value[other].count, of_value[one].count)
               ?: lp_order_slices(facets->attributes->values.items[one].text,
                      facets->attributes->values.items[other].text);
}

// subtract removes the contexts of a part from all.
static void
subtract(query_facets *facets, query_facet *all, const query_facet *part)
{
    facets_check(facets);
    histogram left = {.sum_ns = all->lengths.sum_ns - part->lengths.sum_ns};
    for (int i = HISTOGRAM_ZERO; i < HISTOGRAM_BUCKETS; i++) {
        uint64_t count = histogram_get(&all->lengths, i) - histogram_get(&part->lengths, i);
        if (count > 0) {
            histogram_add_counts(&left, &facets->arena, i, count);
        }
    }
    *all = (query_facet){
        .count = all->count - part->count,
        .base_count = all->base_count - part->base_count,
        .total_ns = all->total_ns - part->total_ns,
        .lengths = left,
    };
}

query_key_facets
query_facets_of_key(query_facets *facets, uint32_t key, size_t limit)
{
    facets_check(facets);
    LP_ASSERT(key < facets->of_key.count);
    const query_attributes *attributes = facets->attributes;
    query_key_facets found = {.other = facets->of_key.items[key]};
    uint32_t *values = LP_ARENA_ARRAY(&facets->arena, uint32_t, QUERY_VALUES_OF_KEY_MAX);
    if (values == NULL || attributes->keys.items[key].is_search_only) {
        return found;
    }
    for (uint32_t i = 0; i < facets->of_value.count; i++) {
        if (attributes->values.items[i].key == key && facets->of_value.items[i].count > 0) {
            values[found.distinct++] = i;
        }
    }
    qsort_r(values, found.distinct, sizeof(*values), compare_values, facets);
    found.values = values;
    found.value_count = found.distinct < limit ? found.distinct : limit;
    for (size_t i = 0; i < found.value_count; i++) {
        subtract(facets, &found.other, &facets->of_value.items[values[i]]);
    }
    return found;
}

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

// facet_json makes the object of a facet, with the member value unless that is NULL.
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
    facets_check(facets);
    const query_key *key = &facets->attributes->keys.items[index];
    const query_key_facets found = query_facets_of_key(facets, index, limit);
    const query_value *known = facets->attributes->values.items;
    json_t *values = QUERY_JSON_LIST(value, found.values, found.value_count,
        facet_json(facets, &facets->of_value.items[*value], has_base, &known[*value].text));
    bool has_other = found.other.count > 0;
    return json_pack("{s:s, s:s, s:o, s:b, s:o, s:o}", "key", key->name, "label", key->label,
        "distinct", key->is_search_only ? json_null() : json_integer((json_int_t)found.distinct),
        "search_only", key->is_search_only, "values", values, "other",
        has_other ? facet_json(facets, &found.other, has_base, NULL) : json_null());
}

json_t *
query_facets_json(query_facets *facets, size_t limit, bool has_base, const query_outcome *outcome)
{
    facets_check(facets);
    uint32_t order[QUERY_KEYS_MAX];
    size_t count = query_facets_order(facets, order);
    json_t *keys = QUERY_JSON_LIST(key, order, count, key_json(facets, *key, limit, has_base));
    if (facets->arena.is_failed) {
        json_decref(keys);
        keys = NULL;
    }
    return json_pack("{s:I, s:o, s:o, s:b}", "contexts", (json_int_t)facets->contexts,
        "base_contexts", has_base ? json_integer((json_int_t)facets->base_contexts) : json_null(),
        "keys", keys, "is_truncated", outcome->is_truncated || facets->is_truncated);
}
