// SPDX-License-Identifier: Apache-2.0
// The heat map of a few rollups, against JSON by hand: all contexts and the kept ones by column and
// bucket, of one type, of one value; exemplars; and what cannot be known of a value.

#include "collector/ask/sums/heatmap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
type_of(rollup *in, const char *name)
{
    rollup_type *type = rollup_add_type(in, name);
    assert_non_null(type);
    return type;
}

static void
add(rollup *in, rollup_numbers *numbers, int64_t duration_ns, bool is_kept)
{
    histogram_add(&numbers->all, &in->arena, duration_ns);
    if (is_kept) {
        histogram_add(&numbers->kept, &in->arena, duration_ns);
    }
}

// One context of 1 ns, two of 16 ns of which one is kept, with path=/a and twice /b; another type
// with one of 17 ns, whose attribute has too many values. A request of 32 ns.
static void
make(rollup *out)
{
    rollup_init(out);
    rollup_type *type = type_of(out, "shop.Request");
    rollup_attribute *path = rollup_add_attribute(out, type, "path");
    static const struct {
        const char *path;
        int64_t duration_ns;
        bool is_kept;
    } contexts[] = {{"/a", 1, false}, {"/b", 16, true}, {"/b", 16, false}};
    for (size_t i = 0; i < 3; i++) {
        add(out, &type->numbers, contexts[i].duration_ns, contexts[i].is_kept);
        rollup_value *value =
            rollup_add_value(out, path, (lp_slice){(const uint8_t *)contexts[i].path, 2});
        add(out, &value->numbers, contexts[i].duration_ns, contexts[i].is_kept);
    }
    const rollup_exemplar kept = {
        .duration_ns = 16, .ref = {.begin = 0x2a, .hash = 7}, .recording = "first"};
    rollup_add_exemplar(out, type, &kept);
    type = type_of(out, "shop.Query");
    add(out, &type->numbers, 17, false);
    rollup_attribute *user = rollup_add_attribute(out, type, "user.id");
    add(out, &rollup_add_value(out, user, (lp_slice){(const uint8_t *)"7", 1})->numbers, 17, false);
    rollup_attribute_drop(rollup_add_attribute(out, type, "path"));
    type = rollup_add_type_of(out, ROLLUP_REQUESTS, "shop.Request");
    assert_non_null(type);
    add(out, &type->numbers, 32, true);
    rollup_add_exemplar(
        out, type, &(rollup_exemplar){.duration_ns = 32, .request = 0x2a, .recording = "first"});
    assert_int_equal(rollup_err(out), LP_OK);
}

static void
assert_map_of(rollup_unit unit, const query_selection *selection, const char *expected)
{
    heatmap map;
    assert_int_equal(heatmap_init(&map, &two_columns, selection, unit), LP_OK);
    rollup found;
    make(&found);
    assert_int_equal(heatmap_add(&map, 1, &found), LP_OK);
    assert_int_equal(heatmap_add(&map, 1, &found), LP_OK);
    rollup_fini(&found);
    json_t *json = heatmap_json(&map, false);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(json);
    heatmap_fini(&map);
}

static void
assert_map(const query_selection *selection, const char *expected)
{
    assert_map_of(ROLLUP_CONTEXTS, selection, expected);
}

#define HEAD                                                                                       \
    "{\"t0\":\"2023-11-14T22:13:20.000000000Z\",\"t0_ns\":\"1700000000000000000\","                \
    "\"step_ns\":120000000000,\"scale\":2,\"columns\":[[],"

// 16 is 2^(16/4), the last of bucket 15; 17 is in bucket 16.
static void
test_all_and_kept_are_counted(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    assert_map(&selection,
        HEAD "[[-1,2,0],[15,4,2],[16,2,0]]],\"exemplars\":[[1,15,\"first\",\"2a-00000007\"]],"
             "\"all\":8,\"kept\":2,\"unknown\":0,\"is_truncated\":false}");
    selection.context = "Query";
    assert_map(&selection, HEAD "[[16,2,0]]],\"exemplars\":[],"
                                "\"all\":2,\"kept\":0,\"unknown\":0,\"is_truncated\":false}");
    selection.context = "None";
    assert_map(&selection, HEAD "[]],\"exemplars\":[],"
                                "\"all\":0,\"kept\":0,\"unknown\":0,\"is_truncated\":false}");
}

static void
test_requests_are_counted_apart(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    assert_map_of(ROLLUP_REQUESTS, &selection,
        HEAD "[[19,2,2]]],\"exemplars\":[[1,19,\"first\",\"000000000000002a\"]],"
             "\"all\":2,\"kept\":2,\"unknown\":0,\"is_truncated\":false}");
    selection.context = "Query";
    assert_map_of(ROLLUP_REQUESTS, &selection,
        HEAD "[]],\"exemplars\":[],"
             "\"all\":0,\"kept\":0,\"unknown\":0,\"is_truncated\":false}");
}

static void
test_one_value_is_counted(void **state)
{
    (void)state;
    query_selection selection = query_selection_begin(false);
    assert_int_equal(query_selection_set(&selection, "where", "path=/b", NULL), LP_OK);
    assert_map(&selection, HEAD "[[15,4,2]]],\"exemplars\":[],"
                                "\"all\":4,\"kept\":2,\"unknown\":2,\"is_truncated\":true}");
    selection.context = "Request";
    assert_map(&selection, HEAD "[[15,4,2]]],\"exemplars\":[],"
                                "\"all\":4,\"kept\":2,\"unknown\":0,\"is_truncated\":false}");
    selection = query_selection_begin(false);
    selection.context = "Query"; // whose attribute has another name as a field
    assert_int_equal(query_selection_set(&selection, "where", "user_id=7", NULL), LP_OK);
    assert_map(&selection, HEAD "[[16,2,0]]],\"exemplars\":[],"
                                "\"all\":2,\"kept\":0,\"unknown\":0,\"is_truncated\":false}");
    selection = query_selection_begin(false);
    selection.context = "Request";
    assert_int_equal(query_selection_set(&selection, "where", "host=/b", NULL), LP_OK);
    assert_map(&selection, HEAD "[]],\"exemplars\":[],"
                                "\"all\":0,\"kept\":0,\"unknown\":0,\"is_truncated\":false}");
}

static void
test_exemplars_are_of_the_longest(void **state)
{
    (void)state;
    const query_selection selection = query_selection_begin(false);
    heatmap map;
    assert_int_equal(heatmap_init(&map, &two_columns, &selection, ROLLUP_CONTEXTS), LP_OK);
    rollup found;
    rollup_init(&found);
    for (int64_t ns = 1; ns <= 64; ns *= 2) { // buckets -1, 3, 7, 11, 15, 19, 23
        const rollup_exemplar kept = {.duration_ns = ns, .ref = {.begin = ns}, .recording = "r"};
        rollup_add_exemplar(&found, type_of(&found, "T"), &kept);
    }
    assert_int_equal(heatmap_add(&map, 0, &found), LP_OK);
    rollup_fini(&found);
    json_t *json = heatmap_json(&map, false);
    char *text = json_dumps(json_object_get(json, "exemplars"), JSON_COMPACT);
    assert_string_equal(text, "[[0,11,\"r\",\"8-00000000\"],[0,15,\"r\",\"10-00000000\"],"
                              "[0,19,\"r\",\"20-00000000\"],[0,23,\"r\",\"40-00000000\"]]");
    free(text);
    json_decref(json);
    heatmap_fini(&map);
}

static void
test_what_rollups_leave_out_is_said(void **state)
{
    (void)state;
    const query_selection selection = query_selection_begin(false);
    heatmap map;
    assert_int_equal(heatmap_init(&map, &two_columns, &selection, ROLLUP_CONTEXTS), LP_OK);
    rollup found;
    rollup_init(&found);
    found.contexts_left_out = 3;
    assert_int_equal(heatmap_add(&map, 0, &found), LP_OK);
    json_t *json = heatmap_json(&map, false);
    assert_true(json_is_true(json_object_get(json, "is_truncated")));
    json_decref(json);
    heatmap_fini(&map);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_and_kept_are_counted),
        cmocka_unit_test(test_requests_are_counted_apart),
        cmocka_unit_test(test_one_value_is_counted),
        cmocka_unit_test(test_exemplars_are_of_the_longest),
        cmocka_unit_test(test_what_rollups_leave_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
