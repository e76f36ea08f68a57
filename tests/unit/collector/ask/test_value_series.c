// SPDX-License-Identifier: Apache-2.0
// Series of requests by type and value, against JSON by hand: durations of each column, in the
// order of names; without a key; of one type; and what is left out is said.

#include "collector/ask/sums/value_series.h"

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

#define BEGIN                                                                                      \
    "{\"t0\":\"2023-11-14T22:13:20.000000000Z\",\"t0_ns\":\"1700000000000000000\","                \
    "\"step_ns\":120000000000,\"types\":["

static rollup_type *
add_type(rollup *to, const char *name)
{
    rollup_type *type = rollup_add_type_of(to, ROLLUP_REQUESTS, name);
    assert_non_null(type);
    histogram_add(&type->numbers.all, &to->arena, 1);
    return type;
}

// Requests of 1 ns are in no bucket, so their quantile is 1, whatever lies between borders.
static void
add_value(rollup *to, rollup_type *type, const char *key, const char *text)
{
    rollup_attribute *attribute = rollup_add_attribute(to, type, key);
    assert_non_null(attribute);
    rollup_value *value =
        rollup_add_value(to, attribute, (lp_slice){(const uint8_t *)text, strlen(text)});
    assert_non_null(value);
    histogram_add(&value->numbers.all, &to->arena, 1);
}

// add_both adds a rollup to each of two columns.
static void
add_both(value_series *all)
{
    for (size_t column = 0; column < 2; column++) {
        rollup found;
        rollup_init(&found);
        rollup_type *order = add_type(&found, "shop.Order");
        add_value(&found, order, "path", column == 0 ? "/b" : "/");
        add_value(&found, order, "path", "");
        add_value(&found, order, "tenant", "acme");
        assert_non_null(rollup_add_type(&found, "shop.Context"));
        if (column == 1) {
            (void)add_type(&found, "shop.Batch");
        }
        assert_int_equal(rollup_err(&found), LP_OK);
        assert_int_equal(value_series_add(all, column, &found), LP_OK);
        rollup_fini(&found);
    }
}

static void
expect(const char *key, const char *context, const char *expected)
{
    query_selection selection = query_selection_begin(false);
    selection.context = context;
    value_series all = value_series_begin(&two_columns, &selection, key);
    add_both(&all);
    json_t *json = value_series_json(&all, false);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
    value_series_fini(&all);
}

static void
test_each_value_has_its_series(void **state)
{
    (void)state;
    expect("path", NULL,
        BEGIN "{\"type\":\"shop.Batch\",\"spark\":[null,1],\"values\":[]},"
              "{\"type\":\"shop.Order\",\"spark\":[1,1],\"values\":["
              "{\"value\":\"\",\"spark\":[1,1]},{\"value\":\"/\",\"spark\":[null,1]},"
              "{\"value\":\"/b\",\"spark\":[1,null]}]}],\"is_truncated\":false}");
    expect("path", "Batch",
        BEGIN "{\"type\":\"shop.Batch\",\"spark\":[null,1],\"values\":[]}],"
              "\"is_truncated\":false}");
    expect(NULL, "Order",
        BEGIN "{\"type\":\"shop.Order\",\"spark\":[1,1],\"values\":[]}],\"is_truncated\":false}");
}

static bool
is_truncated(value_series *all)
{
    json_t *json = value_series_json(all, false);
    bool is = json_is_true(json_object_get(json, "is_truncated"));
    json_decref(json);
    return is;
}

static void
test_what_is_left_out_is_said(void **state)
{
    (void)state;
    const query_selection any = query_selection_begin(false);
    for (int i = 0; i < 3; i++) {
        value_series all = value_series_begin(&two_columns, &any, "user");
        rollup found;
        rollup_init(&found);
        rollup_type *order = add_type(&found, "shop.Order");
        if (i == 0) {
            rollup_leave_out(&found, ROLLUP_REQUESTS, 1);
        } else if (i == 1) {
            add_value(&found, order, "user", "7");
            rollup_attribute_drop(&order->attributes.items[0]);
        } else {
            order->has_more_attributes = true;
        }
        assert_int_equal(value_series_add(&all, 0, &found), LP_OK);
        assert_true(is_truncated(&all));
        rollup_fini(&found);
        value_series_fini(&all);
    }
}

static void
test_there_are_so_many_series_at_most(void **state)
{
    (void)state;
    const query_selection any = query_selection_begin(false);
    value_series all = value_series_begin(&two_columns, &any, "user");
    for (unsigned i = 0; i < VALUE_SERIES_MAX; i++) {
        assert_int_equal(all.series.count, i == 0 ? 0 : i + 1);
        assert_false(is_truncated(&all));
        char text[16];
        (void)snprintf(text, sizeof(text), "%u", i);
        rollup found;
        rollup_init(&found);
        add_value(&found, add_type(&found, "shop.Order"), "user", text);
        assert_int_equal(value_series_add(&all, 0, &found), LP_OK);
        rollup_fini(&found);
    }
    assert_int_equal(all.series.count, VALUE_SERIES_MAX);
    assert_true(is_truncated(&all));
    value_series_fini(&all);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_value_has_its_series),
        cmocka_unit_test(test_what_is_left_out_is_said),
        cmocka_unit_test(test_there_are_so_many_series_at_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
