// SPDX-License-Identifier: Apache-2.0
// The types of contexts, against JSON by hand: all their numbers, attributes with few and with too
// many values, and what rollups leave out.

#include "collector/ask/sums/rollup_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Contexts of 1 ns are in no bucket, so their quantile is 1, whatever lies between borders.
static void
add(rollup *to, rollup_numbers *numbers, unsigned all, unsigned kept)
{
    for (unsigned i = 0; i < all; i++) {
        histogram_add(&numbers->all, &to->arena, 1);
    }
    for (unsigned i = 0; i < kept; i++) {
        histogram_add(&numbers->kept, &to->arena, 1);
    }
}

static void
add_value(rollup *to, rollup_attribute *attribute, const char *text, unsigned all, unsigned kept)
{
    rollup_value *value =
        rollup_add_value(to, attribute, (lp_slice){(const uint8_t *)text, strlen(text)});
    assert_non_null(value);
    add(to, &value->numbers, all, kept);
}

static void
make(rollup *total)
{
    rollup_init(total);
    rollup_type *request = rollup_add_type(total, "shop.Request");
    assert_non_null(request);
    add(total, &request->numbers, 5, 2);
    rollup_attribute *path = rollup_add_attribute(total, request, "path");
    assert_non_null(path);
    add_value(total, path, "/orders", 1, 1);
    add_value(total, path, "/", 3, 0);
    rollup_attribute *user = rollup_add_attribute(total, request, "user");
    assert_non_null(user);
    rollup_attribute_drop(user);
    assert_non_null(rollup_add_type(total, "shop.Query"));
    rollup_type *whole = rollup_add_type_of(total, ROLLUP_REQUESTS, "shop.Request");
    assert_non_null(whole);
    add(total, &whole->numbers, 4, 1);
    whole->numbers.time_ns[TIME_QUEUED] = 3;
    whole->numbers.left_ns = 1;
    path = rollup_add_attribute(total, whole, "path");
    assert_non_null(path);
    add_value(total, path, "/", 2, 0);
    assert_int_equal(rollup_err(total), LP_OK);
}

static void
expect(const rollup *total, const query_selection *selection, const char *expected)
{
    json_t *json = rollup_json_types(total, selection, false);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
}

#define QUERY                                                                                      \
    "{\"type\":\"shop.Query\",\"contexts_in\":0,\"contexts_out\":0,\"p50_ns\":null,"               \
    "\"p99_ns\":null,\"total_ns\":0,\"attributes\":[],\"has_more_attributes\":false}"

static void
test_types_have_their_values(void **state)
{
    (void)state;
    rollup total;
    const query_selection all = query_selection_begin(false);
    make(&total);
    expect(&total, &all,
        "{\"types\":[" QUERY
        ",{\"type\":\"shop.Request\",\"contexts_in\":5,\"contexts_out\":2,\"p50_ns\":1,"
        "\"p99_ns\":1,\"total_ns\":5,\"attributes\":[{\"key\":\"path\",\"has_too_many\":false,"
        "\"values\":[{\"value\":\"/\",\"contexts_in\":3,\"contexts_out\":0,\"p50_ns\":1,"
        "\"p99_ns\":1,\"total_ns\":3},{\"value\":\"/orders\",\"contexts_in\":1,\"contexts_out\":1,"
        "\"p50_ns\":1,\"p99_ns\":1,\"total_ns\":1}]},{\"key\":\"user\",\"has_too_many\":true,"
        "\"values\":[]}],\"has_more_attributes\":false}],\"requests\":["
        "{\"type\":\"shop.Request\",\"requests_in\":4,\"requests_out\":1,\"p50_ns\":1,"
        "\"p99_ns\":1,\"total_ns\":4,\"top\":{\"category\":\"queued\",\"share\":0.75},"
        "\"attributes\":[{\"key\":\"path\",\"has_too_many\":false,\"values\":["
        "{\"value\":\"/\",\"requests_in\":2,\"requests_out\":0,\"p50_ns\":1,\"p99_ns\":1,"
        "\"total_ns\":2,\"top\":null}]}],\"has_more_attributes\":false}],"
        "\"is_truncated\":false}");
    rollup_fini(&total);
}

static void
test_one_type_is_chosen(void **state)
{
    (void)state;
    rollup total;
    query_selection one = query_selection_begin(false);
    one.context = "Query";
    make(&total);
    expect(&total, &one, "{\"types\":[" QUERY "],\"requests\":[],\"is_truncated\":false}");
    total.contexts_left_out = 1;
    expect(&total, &one, "{\"types\":[" QUERY "],\"requests\":[],\"is_truncated\":true}");
    total.contexts_left_out = 0;
    total.requests_left_out = 1;
    expect(&total, &one, "{\"types\":[" QUERY "],\"requests\":[],\"is_truncated\":true}");
    rollup_fini(&total);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_have_their_values),
        cmocka_unit_test(test_one_type_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
