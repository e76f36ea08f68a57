// SPDX-License-Identifier: Apache-2.0
#include "query/listing.h"

#include <stdlib.h>
#include <string.h>

void
query_listing_fini(query_listing *listing)
{
    LP_VEC_FINI(&listing->items);
    lp_arena_fini(&listing->arena);
}

static int
compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

// key_of returns what items are ordered by, the smallest first.
static int64_t
key_of(query_sort sort, const query_listed *item)
{
    switch (sort) {
    case QUERY_SORT_DURATION:
        return -item->duration_ns;
    case QUERY_SORT_START:
        return item->begin_wall_ns;
    case QUERY_SORT_TRIGGERS:
        return -(int64_t)item->triggers;
    case QUERY_SORT_BLOCKED:
        break;
    }
    return -item->blocked_ns;
}

static int
compare_items(const void *a, const void *b, void *arg)
{
    const query_listing *listing = arg;
    const query_listed *one = a;
    const query_listed *other = b;
    int order = compare_numbers(key_of(listing->sort, one), key_of(listing->sort, other));
    order = order != 0 ? order : compare_numbers(one->begin_wall_ns, other->begin_wall_ns);
    order = order != 0 ? order : compare_numbers(one->source, other->source);
    return order != 0 ? order : compare_numbers(one->offset, other->offset);
}

static int
compare_places(const void *a, const void *b)
{
    const query_listed *one = *(const query_listed *const *)a;
    const query_listed *other = *(const query_listed *const *)b;
    int order = compare_numbers(one->source, other->source);
    return order != 0 ? order : compare_numbers(one->offset, other->offset);
}

// keep_first leaves the first limit items, in their order.
static void
keep_first(query_listing *listing)
{
    size_t count = listing->items.count;
    if (count > 0) {
        qsort_r(listing->items.items, count, sizeof(query_listed), compare_items, listing);
    }
    listing->items.count = count < listing->limit ? count : listing->limit;
}

lp_err
query_listing_add(query_listing *listing, const query_answer *answer)
{
    if (listing->items.count == 2 * listing->limit) {
        keep_first(listing);
    }
    query_listed *item = LP_VEC_PUSH(&listing->items);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = (query_listed){
        .source = answer->source,
        .offset = answer->context->offset,
        .type = answer->context->type,
        .begin_wall_ns = answer->begin_wall_ns,
        .duration_ns = answer->duration_ns,
        .triggers = answer->row_count,
    };
    for (size_t i = 0; i < answer->row_count; i++) {
        const time_span *span = &answer->spans[i];
        if (time_category_is_blocked(answer->rows[span->event].category)) {
            item->blocked_ns += span->own_ns;
        }
    }
    return LP_OK;
}

static lp_err
read_item(query_listing *listing, query_chunk *chunk, query_listed *item)
{
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    query_event event;
    if (!query_chunk_event(chunk, item->offset, &event)) {
        return LP_ECORRUPT;
    }
    item->thread = query_chunk_thread(chunk, event.thread_key, &item->java_thread_id);
    item->attribute_count = query_chunk_attributes(chunk, &event, attributes);
    item->attributes = LP_ARENA_ARRAY(&listing->arena, query_attribute, item->attribute_count);
    for (size_t i = 0; i < item->attribute_count && item->attributes != NULL; i++) {
        const query_attribute *read = &attributes[i];
        item->attributes[i] = (query_attribute){
            .name = lp_arena_text(&listing->arena, read->name),
            .label = lp_arena_text(&listing->arena, read->label),
            .is_null = read->is_null,
            .is_number = read->is_number,
            .value = lp_arena_copy(&listing->arena, read->value),
        };
    }
    return LP_OK;
}

// read_chunk reads those of count items that are in the chunk of the first, and returns how many
// these are.
static lp_err
read_chunk(query_listing *listing, const query_source *sources, query_names *names,
    query_listed **items, size_t count, size_t *out_read)
{
    query_chunk chunk;
    size_t i = 0;
    lp_err err = query_chunk_open(&chunk, sources[items[0]->source].bytes, names, NULL);
    if (err != LP_OK) {
        return err;
    }
    for (; i < count && items[i]->source == items[0]->source && err == LP_OK; i++) {
        err = read_item(listing, &chunk, items[i]);
    }
    err = err == LP_OK ? query_chunk_err(&chunk) : err;
    query_chunk_close(&chunk);
    *out_read = i;
    return err;
}

lp_err
query_listing_read(query_listing *listing, const query_source *sources, query_names *names)
{
    keep_first(listing);
    size_t count = listing->items.count;
    query_listed **places = calloc(count + 1, sizeof(*places));
    if (places == NULL) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = &listing->items.items[i];
    }
    qsort(places, count, sizeof(*places), compare_places);
    lp_err err = LP_OK;
    for (size_t i = 0, read = 0; i < count && err == LP_OK; i += read) {
        err = read_chunk(listing, sources, names, places + i, count - i, &read);
    }
    free(places);
    return err == LP_OK ? lp_arena_err(&listing->arena) : err;
}
