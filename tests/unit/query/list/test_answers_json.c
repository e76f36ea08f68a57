// SPDX-License-Identifier: Apache-2.0
// Answers as JSON: whole, or none where memory runs out; no more columns than there may be.

#include "query/list/listing_json.h"
#include "query/why/why_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t allocations_left; // until one fails

// allocate is malloc, but for one allocation.
static void *
allocate(size_t size)
{
    return allocations_left-- == 0 ? NULL : malloc(size);
}

// copy_of returns a copy of an attribute, which a list frees.
static query_attribute *
copy_of(query_attribute attribute)
{
    query_attribute *copy = malloc(sizeof(*copy));
    assert_non_null(copy);
    *copy = attribute;
    return copy;
}

// set_up makes a listing of two contexts, and why's answer of one slice with one frame.
static void
set_up(query_listing *listing, query_why *why, query_names *names)
{
    const query_attribute path = {.name = "path", .label = "", .value = {(const uint8_t *)"/a", 2}};
    const query_attribute items = {
        .name = "items", .label = "", .is_number = true, .value = {(const uint8_t *)"12", 2}};
    uint32_t type = query_names_add(names, "shop.Request");
    for (int i = 0; i < 2; i++) {
        query_listed *item = LP_VEC_PUSH(&listing->items);
        assert_non_null(item);
        *item = (query_listed){.type = type,
            .begin_wall_ns = 1700000000000000000 + i,
            .duration_ns = 5,
            .triggers = 2,
            .blocked_ns = 3,
            .ref = {10 + i, 11},
            .thread = query_names_add(names, "main"),
            .attribute_count = 1,
            .attributes = copy_of(i == 0 ? path : items)};
    }
    listing->has_more = true;
    listing->has_next = true;
    listing->next = (query_cursor){QUERY_SORT_DURATION, -5, 1700000000000000001, 1};
    query_why_slice *slice = LP_VEC_PUSH(&why->slices);
    assert_non_null(slice);
    *slice = (query_why_slice){.category = TIME_LOCK,
        .total_ns = 7,
        .events = 2,
        .top_count = 1,
        .top = {{.frame = query_names_add(names, "shop.Stock.take"), .total_ns = 7, .events = 2}}};
    slice = LP_VEC_PUSH(&why->slices);
    assert_non_null(slice);
    *slice = (query_why_slice){.category = TIME_OTHER,
        .is_count = true,
        .type = query_names_add(names, "exceptions"),
        .events = 3};
    why->repeat_count = 1;
    why->repeats[0] = (query_why_repeat){.category = TIME_IO,
        .frame = query_names_add(names, "shop.Stock.find"),
        .via = query_names_add(names, "db.Driver.read"),
        .requests = 2,
        .events = 25,
        .total_ns = 99};
    why->requests = 2;
    why->total_ns = 10;
    why->unaccounted_ns = 3;
}

static const char *
recording(const void *arg, uint32_t source)
{
    (void)source;
    return arg;
}

static const char listing_text[] =
    "{\"t0_ns\": \"1700000000000000000\", \"columns\": [\"recording\", \"type\", \"start\", "
    "\"duration\", \"triggers\", \"blocked\", \"thread\", \"id\", \"attr.path\", \"attr.items\"], "
    "\"rows\": [[\"a.jfr\", \"shop.Request\", 0, 5, 2, 3, \"main\", \"a-0000000b\", \"/a\", null], "
    "[\"a.jfr\", \"shop.Request\", 1, 5, 2, 3, \"main\", \"b-0000000b\", null, 12]], \"matched\": "
    "2, \"p50_ns\": 0, \"p99_ns\": 0, "
    "\"is_truncated\": false, \"next\": \"d.-5.1700000000000000001.1\"}";

static const char why_text[] =
    "{\"requests\": 2, \"total_ns\": 10, \"slices\": [{\"category\": \"lock\", \"total_ns\": 7, "
    "\"stopped_ns\": 0, \"per_request_ns\": 3, \"events\": 2, \"is_count\": false, \"top\": "
    "[{\"frame\": \"shop.Stock.take\", \"via\": null, \"total_ns\": 7, \"events\": 2}]}, "
    "{\"category\": \"exceptions\", \"total_ns\": 0, \"stopped_ns\": 0, \"per_request_ns\": 0, "
    "\"events\": 3, \"is_count\": true, \"top\": []}, "
    "{\"category\": \"unaccounted\", \"total_ns\": 3, \"stopped_ns\": 0, \"per_request_ns\": 1, "
    "\"events\": 0, \"is_count\": false, \"top\": []}], "
    "\"repeated\": [{\"category\": \"io\", \"frame\": \"shop.Stock.find\", \"via\": "
    "\"db.Driver.read\", \"requests\": 2, \"events\": 25, \"per_request\": 12, \"total_ns\": 99, "
    "\"each_ns\": 3}], \"is_truncated\": false}";

// is_whole returns whether there is an answer, which then has to be all of this text.
static bool
is_whole(json_t *json, const char *text)
{
    allocations_left = SIZE_MAX;
    if (json == NULL) {
        return false;
    }
    char *dumped = json_dumps(json, 0);
    json_decref(json);
    assert_non_null(dumped);
    assert_string_equal(dumped, text);
    free(dumped);
    return true;
}

static void
test_answers_are_whole_or_none(void **state)
{
    (void)state;
    query_listing listing = {0};
    query_why why = {0};
    query_names names = {0};
    const query_outcome outcome = {.contexts = 2};
    set_up(&listing, &why, &names);
    json_set_alloc_funcs(allocate, free);
    size_t tries[2] = {0};
    do {
        allocations_left = tries[0]++;
    } while (!is_whole(query_listing_json(&listing, QUERY_UNIT_CONTEXTS, &names, &outcome, true,
                           recording, "a.jfr"),
        listing_text));
    do {
        allocations_left = tries[1]++;
    } while (!is_whole(query_why_json(&why, &names, &outcome), why_text));
    json_set_alloc_funcs(malloc, free);
    assert_true(tries[0] > 30 && tries[1] > 20); // some failed
    query_listing_fini(&listing);
    query_why_fini(&why);
    query_names_fini(&names);
}

static void
test_attributes_beyond_the_columns_are_left_out(void **state)
{
    (void)state;
    enum { COUNT = QUERY_LISTING_ATTRIBUTES_MAX + 1 };
    static char texts[COUNT][8];
    query_listing listing = {0};
    const query_names names = {0};
    const query_outcome outcome = {.contexts = COUNT};
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(texts[i], sizeof(texts[i]), "a%zu", i);
        const query_attribute attribute = {.name = texts[i], .label = "", .is_null = true};
        query_listed *item = LP_VEC_PUSH(&listing.items);
        assert_non_null(item);
        *item = (query_listed){.attribute_count = 1, .attributes = copy_of(attribute)};
    }
    json_t *json = query_listing_json(
        &listing, QUERY_UNIT_CONTEXTS, &names, &outcome, false, recording, "a.jfr");
    assert_int_equal(json_array_size(json_object_get(json, "columns")), 8 + COUNT - 1);
    assert_int_equal(json_array_size(json_object_get(json, "rows")), COUNT);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
    query_listing_fini(&listing);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_are_whole_or_none),
        cmocka_unit_test(test_attributes_beyond_the_columns_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
