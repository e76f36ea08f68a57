// SPDX-License-Identifier: Apache-2.0
// Values of attributes: how many contexts have each, how that compares with the base, and what is
// left beside those that are shown. Answers are made by hand.

#include "query/list/facets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t BOTH = QUERY_IN_SELECTION | QUERY_IN_BASE;

// add adds a context with one attribute; value NULL: it is null.
static void
add(query_facets *facets, query_attributes *attributes, const char *key, const char *value,
    uint8_t in, int64_t duration_ns)
{
    const query_attribute item = {
        .name = key,
        .label = "",
        .is_null = value == NULL,
        .value = {(const uint8_t *)value, value == NULL ? 0 : strlen(value)},
    };
    query_known_attribute known;
    uint32_t first;
    size_t count = query_attributes_keep(attributes, &item, 1, &first);
    query_attributes_read(attributes, first, count, &known);
    const query_answer answer = {
        .in = in, .duration_ns = duration_ns, .attributes = &known, .attribute_count = count};
    assert_int_equal(query_facets_add(facets, &answer), LP_OK);
}

static void
expect_json(query_facets *facets, size_t limit, bool has_base, const char *expected)
{
    const query_outcome outcome = {0};
    json_t *json = query_facets_json(facets, limit, has_base, &outcome);
    char *text = json_dumps(json, JSON_REAL_PRECISION(5));
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
}

static void
test_values_are_counted_and_compared(void **state)
{
    (void)state;
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    add(&facets, &attributes, "path", "/a", QUERY_IN_SELECTION, 0);
    add(&facets, &attributes, "path", "/a", BOTH, 1);
    add(&facets, &attributes, "path", "/b", BOTH, 3); // bucket 6: 2^(6/4) < 3 <= 2^(7/4)
    add(&facets, &attributes, "path", "/c", QUERY_IN_BASE, 99);
    add(&facets, &attributes, "path", "/c", QUERY_IN_BASE, 99);
    add(&facets, &attributes, "path", NULL, QUERY_IN_SELECTION, 8);
    add(&facets, &attributes, "host", "x", QUERY_IN_BASE, 8); // none of the selection has it
    // 4 in the selection, 5 in the base. /a: 2 of 4 over 1 of 5
    expect_json(&facets, 2, true,
        "{\"contexts\": 4, \"base_contexts\": 5, \"keys\": [{\"key\": \"path\", \"label\": \"\", "
        "\"distinct\": 2, \"search_only\": false, \"values\": ["
        "{\"value\": \"/a\", \"count\": 2, \"base_count\": 1, \"total_ns\": 1, \"p99_ns\": 1, "
        "\"lift\": 2.5, \"histogram\": [[-1, 2]]}, "
        "{\"value\": \"/b\", \"count\": 1, \"base_count\": 1, \"total_ns\": 3, \"p99_ns\": 3, "
        "\"lift\": 1.25, \"histogram\": [[6, 1]]}], \"other\": null}], \"is_truncated\": false}");
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
}

static void
test_the_rest_is_one(void **state)
{
    (void)state;
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    add(&facets, &attributes, "path", "/b", QUERY_IN_SELECTION, 3);
    add(&facets, &attributes, "path", "/c", QUERY_IN_SELECTION, 3);
    add(&facets, &attributes, "path", "/a", QUERY_IN_SELECTION, 3); // of equal ones the first text
    expect_json(&facets, 1, false,
        "{\"contexts\": 3, \"base_contexts\": null, \"keys\": [{\"key\": \"path\", \"label\": "
        "\"\", \"distinct\": 3, \"search_only\": false, \"values\": ["
        "{\"value\": \"/a\", \"count\": 1, \"base_count\": null, \"total_ns\": 3, \"p99_ns\": 3, "
        "\"lift\": null, \"histogram\": [[6, 1]]}], "
        "\"other\": {\"count\": 2, \"base_count\": null, \"total_ns\": 6, \"p99_ns\": 3, "
        "\"lift\": null, \"histogram\": [[6, 2]]}}], \"is_truncated\": false}");
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
}

// A key with a value for each request must not become a page of a million rows.
static void
test_a_key_with_too_many_values_shows_none(void **state)
{
    (void)state;
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    for (unsigned i = 0; i <= QUERY_VALUES_OF_KEY_MAX; i++) {
        char value[16];
        (void)snprintf(value, sizeof(value), "%u", i);
        add(&facets, &attributes, "id", value, QUERY_IN_SELECTION, 1);
    }
    expect_json(&facets, 5, false,
        "{\"contexts\": 1001, \"base_contexts\": null, \"keys\": [{\"key\": \"id\", \"label\": "
        "\"\", \"distinct\": null, \"search_only\": true, \"values\": [], "
        "\"other\": {\"count\": 1001, \"base_count\": null, \"total_ns\": 1001, \"p99_ns\": 1, "
        "\"lift\": null, \"histogram\": [[-1, 1001]]}}], \"is_truncated\": false}");
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
}

static void
test_without_room_there_are_no_histograms(void **state)
{
    (void)state;
    query_attributes attributes = {0};
    query_facets facets = {.attributes = &attributes};
    add(&facets, &attributes, "path", "/a", QUERY_IN_SELECTION, 3);
    facets.bytes = QUERY_FACETS_BYTES_MAX;
    add(&facets, &attributes, "path", "/a", QUERY_IN_SELECTION, 4);
    expect_json(&facets, 1, false,
        "{\"contexts\": 2, \"base_contexts\": null, \"keys\": [{\"key\": \"path\", \"label\": "
        "\"\", \"distinct\": 1, \"search_only\": false, \"values\": ["
        "{\"value\": \"/a\", \"count\": 2, \"base_count\": null, \"total_ns\": 7, \"p99_ns\": "
        "null, \"lift\": null, \"histogram\": null}], \"other\": null}], \"is_truncated\": true}");
    query_facets_fini(&facets);
    query_attributes_fini(&attributes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_counted_and_compared),
        cmocka_unit_test(test_the_rest_is_one),
        cmocka_unit_test(test_a_key_with_too_many_values_shows_none),
        cmocka_unit_test(test_without_room_there_are_no_histograms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
