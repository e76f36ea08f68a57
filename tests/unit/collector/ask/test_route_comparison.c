// SPDX-License-Identifier: Apache-2.0
// Routes here and there: types, keys and values of both sides, those that one side lacks, when each
// side has some, and what of the kept ones' time is said.

#include "collector/ask/sums/route_comparison.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t MINUTE = 60000000000;
static const int64_t T0 = 1700000040000000000; // a whole minute

static time_columns
columns_of(const query_selection *selection)
{
    time_columns columns;
    lp_problem problem;
    assert_int_equal(time_columns_of(selection, T0 + 60 * MINUTE, 60, &columns, &problem), LP_OK);
    return columns;
}

static void
add_value(rollup *to, rollup_attribute *attribute, const char *text, int64_t ns, int count)
{
    rollup_value *value =
        rollup_add_value(to, attribute, (lp_slice){(const uint8_t *)text, strlen(text)});
    assert_non_null(value);
    for (int i = 0; i < count; i++) {
        histogram_add(&value->numbers.all, &to->arena, ns);
    }
}

// add adds a rollup of a minute with requests of a type, which have a value of an attribute.
static void
add(route_side *side, int minute, const char *type_name, const char *value, int64_t ns, int count)
{
    rollup found;
    rollup_init(&found);
    rollup_type *type = rollup_add_type_of(&found, ROLLUP_REQUESTS, type_name);
    assert_non_null(type);
    for (int i = 0; i < count; i++) {
        histogram_add(&type->numbers.all, &found.arena, ns);
    }
    histogram_add(&type->numbers.kept, &found.arena, ns);
    type->numbers.time_ns[TIME_LOCK] = 30;
    type->numbers.time_ns[TIME_IO] = 50;
    type->numbers.left_ns = 20;
    rollup_attribute *path = rollup_add_attribute(&found, type, "path");
    assert_non_null(path);
    add_value(&found, path, value, ns, count);
    assert_int_equal(
        route_side_add(side, ROLLUP_REQUESTS, T0 + minute * MINUTE, MINUTE, &found), LP_OK);
    rollup_fini(&found);
}

static const json_t *
find(const json_t *list, const char *name, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(item, name)), text) == 0) {
            return item;
        }
    }
    return NULL;
}

static void
expect(const json_t *json, const char *name, const char *expected)
{
    char *text = json_dumps(
        json_object_get(json, name), JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
    assert_string_equal(text, expected);
    free(text);
}

static void
test_both_sides_are_told(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = T0;
    selection.to_wall_ns = T0 + 60 * MINUTE;
    const time_columns columns = columns_of(&selection);
    route_side here;
    route_side base;
    route_side_init(&here, &selection, &columns);
    route_side_init(&base, &selection, &columns);
    add(&here, 10, "shop.Order", "/a", 4000000, 3000);
    add(&here, 29, "shop.Order", "/new", 4000000, 1);
    add(&base, 0, "shop.Order", "/a", 1000000, 600);
    add(&base, 59, "shop.Old", "/a", 1000000, 1);
    json_t *json = route_comparison_json(&here, &base, ROLLUP_REQUESTS, false);
    expect(json, "unit", "\"requests\"");
    expect(json_object_get(json, "here"), "seconds", "1200.0");
    expect(json_object_get(json, "base"), "seconds", "3600.0");
    expect(json, "is_truncated", "false");
    const json_t *types = json_object_get(json, "types");
    assert_int_equal(json_array_size(types), 2);
    const json_t *order = find(types, "type", "shop.Order");
    expect(order, "verdicts", "{\"mean\":\"slower\",\"p50\":\"slower\",\"p99\":null}");
    const json_t *own = json_object_get(order, "here");
    expect(own, "count", "3001");
    expect(own, "kept", "2");
    expect(own, "per_s", "2.50083");
    expect(own, "mean_ns", "4000000");
    expect(own, "parts",
        "[{\"category\":\"io\",\"share\":0.5},{\"category\":\"lock\",\"share\":0.3},"
        "{\"category\":\"unaccounted\",\"share\":0.2}]");
    expect(find(types, "type", "shop.Old"), "here", "null");
    const json_t *paths =
        json_object_get(find(json_object_get(order, "attributes"), "key", "path"), "values");
    assert_int_equal(json_array_size(paths), 2);
    expect(find(paths, "value", "/a"), "verdicts",
        "{\"mean\":\"slower\",\"p50\":\"slower\",\"p99\":null}");
    expect(find(paths, "value", "/new"), "base", "null");
    expect(find(paths, "value", "/new"), "verdicts", "{\"mean\":null,\"p50\":null,\"p99\":null}");
    json_decref(json);
    route_side_fini(&here);
    route_side_fini(&base);
}

static void
test_seconds_are_those_of_rollups(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = T0;
    selection.to_wall_ns = T0 + 60 * MINUTE;
    const time_columns columns = columns_of(&selection);
    static const struct {
        int minutes[2];
        const char *seconds;
        const char *per_s;
    } cases[] = {
        {{59, 59}, "60.0", "2.0"},
        {{10, 30}, "1260.0", "0.0952381"},
        {{-1, 0}, "60.0", "2.0"}, // what was before does not count
        {{59, 60}, "60.0", "2.0"},
        {{60, 61}, "0.0", "0.0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        route_side side;
        route_side_init(&side, &selection, &columns);
        add(&side, cases[i].minutes[1], "shop.Order", "/a", 1000, 60);
        add(&side, cases[i].minutes[0], "shop.Order", "/a", 1000, 60);
        json_t *json = route_comparison_json(&side, &side, ROLLUP_REQUESTS, false);
        expect(json_object_get(json, "here"), "seconds", cases[i].seconds);
        const json_t *order = json_array_get(json_object_get(json, "types"), 0);
        expect(json_object_get(order, "here"), "per_s", cases[i].per_s);
        json_decref(json);
        route_side_fini(&side);
    }
}

static void
test_no_values_are_listed_where_a_side_has_too_many(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = T0;
    selection.to_wall_ns = T0 + 60 * MINUTE;
    const time_columns columns = columns_of(&selection);
    route_side many;
    route_side few;
    route_side_init(&many, &selection, &columns);
    route_side_init(&few, &selection, &columns);
    for (int i = 0; i <= ROLLUP_VALUES_MAX; i++) {
        char value[16];
        (void)snprintf(value, sizeof(value), "/%d", i);
        add(&many, 1, "shop.Order", value, 1000, 1);
        if (i > 0) {
            add(&few, 1, "shop.Order", value, 1000, 1);
        }
    }
    const route_side *const sides[][2] = {{&many, &few}, {&few, &many}};
    for (size_t i = 0; i < 2; i++) {
        json_t *json = route_comparison_json(sides[i][0], sides[i][1], ROLLUP_REQUESTS, false);
        const json_t *order = json_array_get(json_object_get(json, "types"), 0);
        const json_t *path = json_array_get(json_object_get(order, "attributes"), 0);
        expect(path, "has_too_many", "true");
        expect(path, "values", "[]");
        expect(json_object_get(order, "here"), "count", i == 0 ? "65" : "64");
        json_decref(json);
    }
    route_side_fini(&many);
    route_side_fini(&few);
}

static void
test_types_are_those_of_each_selection(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = T0;
    selection.to_wall_ns = T0 + 60 * MINUTE;
    query_selection other = selection;
    other.context = "Old";
    const time_columns columns = columns_of(&selection);
    route_side here;
    route_side base;
    route_side_init(&here, &selection, &columns);
    route_side_init(&base, &other, &columns);
    add(&here, 1, "shop.Order", "/a", 1000, 2);
    add(&base, 1, "shop.Order", "/a", 1000, 2);
    json_t *json = route_comparison_json(&here, &base, ROLLUP_REQUESTS, true);
    const json_t *types = json_object_get(json, "types");
    assert_int_equal(json_array_size(types), 1);
    expect(json_array_get(types, 0), "base", "null");
    expect(json, "is_truncated", "true");
    json_decref(json);
    json = route_comparison_json(&here, &base, ROLLUP_CONTEXTS, false);
    expect(json, "types", "[]");
    expect(json, "unit", "\"contexts\"");
    json_decref(json);
    route_side_fini(&here);
    route_side_fini(&base);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_sides_are_told),
        cmocka_unit_test(test_seconds_are_those_of_rollups),
        cmocka_unit_test(test_no_values_are_listed_where_a_side_has_too_many),
        cmocka_unit_test(test_types_are_those_of_each_selection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
