// SPDX-License-Identifier: Apache-2.0
// The list of services, against JSON by hand: JVMs, contexts, quantiles, sparks, where the time
// went; in the order of names, also where nothing is known; and no more than may be.

#include "collector/ask/sums/service_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const time_columns two_columns = {
    .from_wall_ns = 1700000000000000000,
    .to_wall_ns = 1700000240000000000,
    .t0_wall_ns = 1700000000000000000,
    .step_ns = 120000000000,
    .sum_ns = 120000000000,
    .count = 2,
};

static rollup_type *
add_type(rollup *to, const char *name, int64_t duration_ns, unsigned count)
{
    rollup_type *type = rollup_add_type(to, name);
    assert_non_null(type);
    for (unsigned i = 0; i < count; i++) {
        histogram_add(&type->numbers.all, &to->arena, duration_ns);
    }
    return type;
}

static void
test_a_service_has_its_numbers(void **state)
{
    (void)state;
    service_list list;
    service_list_init(&list, &two_columns);
    assert_int_equal(service_list_add_jvms(&list, "shop", 1), LP_OK);
    assert_int_equal(service_list_add_version(&list, "shop", "1.3", 2), LP_OK);
    assert_int_equal(service_list_add_version(&list, "shop", "1.2", 1), LP_OK);
    assert_int_equal(service_list_add_version(&list, "of nobody", "1", 1), LP_OK);
    assert_int_equal(service_list_add_jvms(&list, "bank", 1), LP_OK);
    assert_int_equal(service_list_add_jvms(&list, "shop", 1), LP_OK);
    rollup found;
    rollup_init(&found);
    // Contexts of 1 ns are in no bucket, so their quantile is 1, whatever lies between borders.
    rollup_type *request = add_type(&found, "Request", 1, 3);
    histogram_add(&request->numbers.kept, &found.arena, 1);
    request->numbers.time_ns[TIME_IO] = 100;
    request->numbers.time_ns[TIME_LOCK] = 250;
    request->numbers.time_ns[TIME_CPU] = 900; // more than is left
    request->numbers.left_ns = 50;
    rollup_type *query = add_type(&found, "Query", 1, 2);
    query->numbers.time_ns[TIME_GC] = 399;
    rollup_type *whole = rollup_add_type_of(&found, ROLLUP_REQUESTS, "Request");
    assert_non_null(whole);
    histogram_add(&whole->numbers.all, &found.arena, 1);
    histogram_add(&whole->numbers.kept, &found.arena, 1);
    whole->numbers.time_ns[TIME_ELSEWHERE] = 1;
    rollup_leave_out(&found, ROLLUP_REQUESTS, 4);
    assert_int_equal(rollup_err(&found), LP_OK);
    assert_int_equal(service_list_add(&list, "shop", 1, &found), LP_OK);
    rollup_fini(&found);

    const catalog_day shop = {.service = "shop", .bytes = 7, .put_off = 2, .bytes_max = 5};
    const catalog_day unknown = {.service = "unknown", .bytes = 7};
    service_list_note_today(&list, &shop);
    service_list_note_today(&list, &unknown);
    json_t *json = service_list_json(&list);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text,
        "{\"t0\":\"2023-11-14T22:13:20.000000000Z\",\"t0_ns\":\"1700000000000000000\","
        "\"step_ns\":120000000000,\"services\":["
        "{\"service\":\"bank\",\"jvms\":1,\"versions\":[],\"contexts_in\":0,\"contexts_out\":0,"
        "\"p50_ns\":null,"
        "\"p99_ns\":null,\"spark\":[null,null],\"types\":[],\"top\":null,"
        "\"requests\":{\"requests_in\":0,\"requests_out\":0,\"p50_ns\":null,\"p99_ns\":null,"
        "\"spark\":[null,null],\"types\":[],\"top\":null}},"
        "{\"service\":\"shop\",\"jvms\":2,\"versions\":[{\"version\":\"1.3\",\"jvms\":2},{"
        "\"version\":\"1.2\",\"jvms\":1}],\"contexts_in\":5,\"contexts_out\":1,\"p50_ns\":1,"
        "\"p99_ns\":1,\"spark\":[null,1],\"types\":["
        "{\"type\":\"Query\",\"contexts_in\":2,\"contexts_out\":0,\"p50_ns\":1,\"p99_ns\":1},"
        "{\"type\":\"Request\",\"contexts_in\":3,\"contexts_out\":1,\"p50_ns\":1,\"p99_ns\":1}],"
        "\"top\":{\"category\":\"lock\",\"share\":0.625},"
        "\"requests\":{\"requests_in\":5,\"requests_out\":1,\"p50_ns\":1,\"p99_ns\":1,"
        "\"spark\":[null,1],\"types\":[{\"type\":\"Request\",\"requests_in\":1,"
        "\"requests_out\":1,\"p50_ns\":1,\"p99_ns\":1}],"
        "\"top\":{\"category\":\"elsewhere\",\"share\":1.0}},"
        "\"today\":{\"bytes\":7,\"daily_bytes\":5,\"batches_put_off\":2}}],"
        "\"is_truncated\":false}");
    free(text);
    json_decref(json);
    service_list_fini(&list);
}

// Quantiles are in the bucket of the context that they are of.
static void
test_quantiles_are_of_all_types(void **state)
{
    (void)state;
    service_list list;
    service_list_init(&list, &two_columns);
    rollup found;
    rollup_init(&found);
    (void)add_type(&found, "Fast", 1000, 98);
    (void)add_type(&found, "Slow", 1000000, 2);
    assert_int_equal(service_list_add(&list, "shop", 0, &found), LP_OK);
    rollup_fini(&found);
    json_t *json = service_list_json(&list);
    const json_t *shop = json_array_get(json_object_get(json, "services"), 0);
    int64_t p50_ns = json_integer_value(json_object_get(shop, "p50_ns"));
    int64_t p99_ns = json_integer_value(json_object_get(shop, "p99_ns"));
    assert_int_equal(histogram_bucket(p50_ns), histogram_bucket(1000));
    assert_int_equal(histogram_bucket(p99_ns), histogram_bucket(1000000));
    assert_int_equal(json_integer_value(json_array_get(json_object_get(shop, "spark"), 0)), p99_ns);
    json_decref(json);
    service_list_fini(&list);
}

static void
test_no_more_than_may_be(void **state)
{
    (void)state;
    service_list list;
    service_list_init(&list, &two_columns);
    for (int i = 0; i < SERVICE_LIST_MAX + 1; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%d", i);
        assert_int_equal(service_list_add_jvms(&list, name, 1), LP_OK);
        assert_int_equal(list.is_truncated, i == SERVICE_LIST_MAX);
    }
    json_t *json = service_list_json(&list);
    assert_int_equal(json_array_size(json_object_get(json, "services")), SERVICE_LIST_MAX);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
    service_list_fini(&list);
}

static void
test_versions_have_a_limit_for_each_service(void **state)
{
    (void)state;
    service_list list;
    service_list_init(&list, &two_columns);
    assert_int_equal(service_list_add_jvms(&list, "shop", 1), LP_OK);
    assert_int_equal(service_list_add_jvms(&list, "bank", 1), LP_OK);
    for (int i = 0; i < SERVICE_LIST_VERSIONS_MAX; i++) {
        char version[16];
        (void)snprintf(version, sizeof(version), "%d", i);
        assert_int_equal(service_list_add_version(&list, "shop", version, 1), LP_OK);
    }
    assert_int_equal(service_list_add_version(&list, "bank", "1", 1), LP_OK);
    assert_false(list.is_truncated);
    assert_int_equal(service_list_add_version(&list, "shop", "one more", 1), LP_OK);
    assert_true(list.is_truncated);
    json_t *json = service_list_json(&list);
    const json_t *services = json_object_get(json, "services");
    const json_t *bank = json_object_get(json_array_get(services, 0), "versions");
    const json_t *shop = json_object_get(json_array_get(services, 1), "versions");
    assert_int_equal(json_array_size(bank), 1);
    assert_int_equal(json_array_size(shop), SERVICE_LIST_VERSIONS_MAX);
    json_decref(json);
    service_list_fini(&list);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_service_has_its_numbers),
        cmocka_unit_test(test_quantiles_are_of_all_types),
        cmocka_unit_test(test_no_more_than_may_be),
        cmocka_unit_test(test_versions_have_a_limit_for_each_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
