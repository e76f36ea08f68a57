// SPDX-License-Identifier: Apache-2.0
#include "query/list/facets.h"

#include "query/run/sums.h"

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
add_length(query_facets *facets, query_facet *facet, int64_t duration_ns)
{
    uint32_t before = facet->lengths.bucket_count;
    if (facets->bytes >= QUERY_FACETS_BYTES_MAX) {
        facets->is_truncated = true;
        return;
    }
    histogram_add(&facet->lengths, &facets->arena, duration_ns);
    if (facet->lengths.bucket_count != before) { // the buckets of before stay behind
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

// make_room makes a list as long as the one that it is parallel to.
static void
make_room(query_facets *facets, query_facet_list *list, size_t count)
{
    while (list->count < count && !facets->arena.is_failed) {
        LP_ARENA_PUSH_BESIDE(&facets->arena, list, (query_facet){0});
    }
}

lp_err
query_facets_add(query_facets *facets, const query_answer *answer)
{
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
compare_texts(lp_slice a, lp_slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len == 0 ? 0 : memcmp(a.ptr, b.ptr, len);
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int
compare_values(const void *a, const void *b, void *arg)
{
    const query_facets *facets = arg;
    uint32_t one = *(const uint32_t *)a;
    uint32_t other = *(const uint32_t *)b;
    uint64_t count = facets->of_value.items[one].count;
    uint64_t other_count = facets->of_value.items[other].count;
    return count != other_count ? (count > other_count ? -1 : 1)
                                : compare_texts(facets->attributes->values.items[one].text,
                                      facets->attributes->values.items[other].text);
}

// take_away takes the contexts of a facet away from those of another one that has them.
static void
take_away(query_facets *facets, query_facet *all, const query_facet *part)
{
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
        take_away(facets, &found.other, &facets->of_value.items[values[i]]);
    }
    return found;
}
