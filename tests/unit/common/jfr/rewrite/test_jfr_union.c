// SPDX-License-Identifier: Apache-2.0
// One numbering for several recordings: two types have one id if and only if they are the same, as
// deep as one can look; who comes first keeps his ids; and no two types of a recording share one.

#include "unit/common/jfr/types_fixture.h"

#include "common/jfr/rewrite/jfr_union.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEMBERS_MAX = 3, TYPES_MAX = 8 };

// The types of each member, ended by one without a name, and the ids that they should get.
typedef struct example {
    const char *what;
    jfr_build_type types[MEMBERS_MAX][TYPES_MAX];
    uint64_t ids[MEMBERS_MAX][TYPES_MAX];
} example;

#define LONG(number)                                                                               \
    {                                                                                              \
        .id = (number), .name = "long"                                                             \
    }
#define STRING(number)                                                                             \
    {                                                                                              \
        .id = (number), .name = "java.lang.String"                                                 \
    }

static const example examples[] = {
    {.what = "the same under other ids",
        .types = {{LONG(5), {.id = 9, .name = "test.A", .fields = {{"a", 5}}}},
            {LONG(9), {.id = 5, .name = "test.A", .fields = {{"a", 9}}}}},
        .ids = {{5, 9}, {5, 9}}},
    {.what = "what is new keeps its id if nobody has it",
        .types = {{LONG(5)}, {LONG(6), STRING(7)}},
        .ids = {{5}, {5, 7}}},
    {.what = "what is new and whose id is taken gets the smallest that is nobody's",
        .types = {{LONG(2), {.id = 3, .name = "test.A"}},
            {STRING(3), LONG(5), {.id = 2, .name = "test.B"}, {.id = 4, .name = "test.C"}}},
        .ids = {{2, 3}, {6, 2, 7, 4}}},
    {.what = "ids that are built in are nobody's",
        .types = {{LONG(0), STRING(1)}},
        .ids = {{2, 3}}},
    {.what = "another name",
        .types = {{{.id = 5, .name = "test.A"}}, {{.id = 5, .name = "test.B"}}},
        .ids = {{5}, {2}}},
    {.what = "another super type",
        .types = {{{.id = 5, .name = "test.A"}},
            {{.id = 5, .name = "test.A", .super = "jdk.jfr.Event"}}},
        .ids = {{5}, {2}}},
    {.what = "another name of a field",
        .types = {{LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5}}}},
            {LONG(5), {.id = 6, .name = "test.A", .fields = {{"b", 5}}}}},
        .ids = {{5, 6}, {5, 2}}},
    {.what = "another order of the fields",
        .types = {{LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5}, {"b", 5}}}},
            {LONG(5), {.id = 6, .name = "test.A", .fields = {{"b", 5}, {"a", 5}}}}},
        .ids = {{5, 6}, {5, 2}}},
    {.what = "a field more",
        .types = {{LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5}}}},
            {LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5}, {"b", 5}}}}},
        .ids = {{5, 6}, {5, 2}}},
    {.what = "a key instead of a value, or of many",
        .types = {{LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5}}}},
            {LONG(5), {.id = 6, .name = "test.A", .fields = {{"a", 5, .is_constant = true}}}},
            {LONG(5), {.id = 6,
                          .name = "test.A",
                          .fields = {{"a", 5, .is_constant = true, .is_array = true}}}}},
        .ids = {{5, 6}, {5, 2}, {5, 3}}},
    {.what = "another annotation, another value of it, none",
        .types = {{LONG(5), {.id = 7, .name = "test.Unit"},
                      {.id = 6,
                          .name = "test.A",
                          .fields = {{"a", 5, .annotation = 7, .annotation_value = "x"}}}},
            {LONG(5), {.id = 7, .name = "test.Unit"},
                {.id = 6,
                    .name = "test.A",
                    .fields = {{"a", 5, .annotation = 7, .annotation_value = "y"}}}},
            {LONG(5), {.id = 7, .name = "test.Unit"},
                {.id = 6, .name = "test.A", .annotation = 7, .fields = {{"a", 5}}}}},
        .ids = {{5, 7, 6}, {5, 7, 2}, {5, 7, 3}}},
    {.what = "another setting",
        .types = {{{.id = 5, .name = "test.C"}, {.id = 6, .name = "test.A", .setting = 5}},
            {{.id = 5, .name = "test.C"}, {.id = 6, .name = "test.A"}}},
        .ids = {{5, 6}, {5, 2}}},
    {.what = "the difference is three types away",
        .types = {{LONG(2), {.id = 3, .name = "test.A", .fields = {{"b", 4, true}}},
                      {.id = 4, .name = "test.B", .fields = {{"c", 5}}},
                      {.id = 5, .name = "test.C", .fields = {{"d", 6, false, true}}},
                      {.id = 6, .name = "test.D", .fields = {{"x", 2}}},
                      {.id = 7, .name = "test.E", .fields = {{"x", 2}}}},
            {LONG(2), {.id = 3, .name = "test.A", .fields = {{"b", 4, true}}},
                {.id = 4, .name = "test.B", .fields = {{"c", 5}}},
                {.id = 5, .name = "test.C", .fields = {{"d", 6, false, true}}},
                {.id = 6, .name = "test.D", .fields = {{"y", 2}}},
                {.id = 7, .name = "test.E", .fields = {{"x", 2}}}}},
        .ids = {{2, 3, 4, 5, 6, 7}, {2, 8, 9, 10, 11, 7}}},
    {.what = "circles are the same if all in them is",
        .types = {{LONG(2), {.id = 3, .name = "test.A", .fields = {{"b", 4, true}}},
                      {.id = 4, .name = "test.B", .fields = {{"a", 3, true}}},
                      {.id = 5, .name = "test.C", .fields = {{"c", 5, true}}}},
            {LONG(5), {.id = 4, .name = "test.A", .fields = {{"b", 3, true}}},
                {.id = 3, .name = "test.B", .fields = {{"a", 4, true}}},
                {.id = 2, .name = "test.C", .fields = {{"c", 2, true}}}},
            {LONG(2), {.id = 3, .name = "test.A", .fields = {{"b", 4, true}}},
                {.id = 4, .name = "test.B", .fields = {{"a", 3, true}, {"n", 2}}},
                {.id = 5, .name = "test.C", .fields = {{"c", 5, true}}}}},
        .ids = {{2, 3, 4, 5}, {2, 3, 4, 5}, {2, 6, 7, 5}}},
    {.what = "two types of a name in one recording stay two",
        .types = {{LONG(2), {.id = 3, .name = "test.A", .fields = {{"a", 2}}},
                      {.id = 4, .name = "test.A", .fields = {{"b", 2}}}},
            {LONG(2), {.id = 3, .name = "test.A", .fields = {{"b", 2}}}}},
        .ids = {{2, 3, 4}, {2, 4}}},
    {.what = "two of a kind in one recording stay two",
        .types = {{{.id = 3, .name = "test.A"}, {.id = 4, .name = "test.A"}},
            {{.id = 5, .name = "test.A"}, {.id = 6, .name = "test.A"}, {.id = 7, .name = "test.A"}},
            {{.id = 4, .name = "test.A"}}},
        .ids = {{3, 4}, {3, 4, 7}, {3}}},
};

static void
check_example(const example *e)
{
    types_fixture fixtures[MEMBERS_MAX];
    jfr_union u = {0};
    size_t count = 0;
    for (; count < MEMBERS_MAX && e->types[count][0].name != NULL; count++) {
        size_t type_count = 0;
        while (type_count < TYPES_MAX && e->types[count][type_count].name != NULL) {
            type_count++;
        }
        types_fixture_init(&fixtures[count], e->types[count], type_count);
        assert_int_equal(jfr_union_add(&u, &fixtures[count].metadata), LP_OK);
    }
    assert_int_equal(jfr_union_number(&u), LP_OK);
    for (size_t m = 0; m < count; m++) {
        const uint64_t *ids = jfr_union_ids(&u, m);
        for (size_t i = 0; i < fixtures[m].metadata.types.count; i++) {
            if (ids[i] != e->ids[m][i]) {
                fail_msg(
                    "%s: member %zu type %zu has %llu", e->what, m, i, (unsigned long long)ids[i]);
            }
            assert_true(jfr_union_has_id(&u, ids[i]));
        }
    }
    assert_false(jfr_union_has_id(&u, 4711));
    jfr_union_fini(&u);
    for (size_t m = 0; m < count; m++) {
        types_fixture_fini(&fixtures[m]);
    }
}

static void
test_types_share_an_id_if_and_only_if_they_are_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        check_example(&examples[i]);
    }
}

// The JDK's reader takes the types of a chunk in the order of the top bits of id times this, and
// has to come to a simple type before it comes to what has it in place.
static uint64_t
hash_of(uint64_t id)
{
    return id * UINT64_C(0x9e3779b97f4a7c15);
}

static void
test_simple_types_come_before_those_that_have_them_in_place(void **state)
{
    (void)state;
    enum { SIMPLE, TWICE, ARRAY, OUTER, EVENT, BY_KEY, MEMBERS = 40 };
    types_fixture fixtures[MEMBERS];
    jfr_union u = {0};
    for (uint64_t m = 0; m < MEMBERS; m++) { // under ids in any order
        uint64_t id = 100 * m + 10;
        uint64_t step = 1 + m % 7;
        jfr_build_type types[] = {
            {.id = id, .name = "test.Simple", .is_simple = true, .fields = {{"a", 2}}},
            {.id = id + step, .name = "test.Twice", .is_simple = true, .fields = {{"s", id}}},
            {.id = id + 2 * step, .name = "test.Array", .fields = {{"s", id, false, true}}},
            {.id = id + 3 * step, .name = "test.Outer", .fields = {{"t", id + step}}},
            {.id = id + 4 * step,
                .name = "test.Event",
                .super = "jdk.jfr.Event",
                .fields = {{"o", id + 3 * step}, {"n", 2}}},
            {.id = id + 5 * step, .name = "test.ByKey", .fields = {{"s", id, true}}},
            {.id = 2, .name = "long"},
        };
        char names[6][40];
        for (size_t i = 0; i < 6; i++) { // no two recordings have the same types
            (void)snprintf(
                names[i], sizeof(names[i]), "%s%llu", types[i].name, (unsigned long long)m);
            types[i].name = names[i];
        }
        types_fixture_init(&fixtures[m], types, sizeof(types) / sizeof(types[0]));
        assert_int_equal(jfr_union_add(&u, &fixtures[m].metadata), LP_OK);
    }
    assert_int_equal(jfr_union_number(&u), LP_OK);
    for (size_t m = 0; m < MEMBERS; m++) {
        const uint64_t *ids = jfr_union_ids(&u, m);
        const uint64_t gap = UINT64_C(1) << 58; // slots of two ids may be swapped if they are near
        assert_true(hash_of(ids[SIMPLE]) + gap < hash_of(ids[TWICE]));
        assert_true(hash_of(ids[SIMPLE]) + gap < hash_of(ids[ARRAY]));
        assert_true(hash_of(ids[TWICE]) + gap < hash_of(ids[OUTER]));
        assert_true(hash_of(ids[TWICE]) + gap < hash_of(ids[EVENT]));
        assert_int_equal(ids[BY_KEY], fixtures[m].metadata.types.items[BY_KEY].id);
        types_fixture_fini(&fixtures[m]);
    }
    jfr_union_fini(&u);
}

// A chain of types of which the last differ: every round finds out about one more.
static void
test_absurdly_deep_types_are_told_apart(void **state)
{
    (void)state;
    enum { DEEP = 200 };
    static jfr_build_type types[2][DEEP];
    static char names[DEEP][20];
    types_fixture fixtures[2];
    jfr_union u = {0};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < DEEP; i++) {
            (void)snprintf(names[i], sizeof(names[i]), "test.T%zu", i);
            types[m][i] = (jfr_build_type){.id = 10 + i, .name = names[i]};
            if (i + 1 < DEEP) {
                types[m][i].fields[0] = (jfr_build_field){"next", 11 + i, .is_constant = true};
            }
        }
        types[m][DEEP - 1].super = m == 0 ? NULL : "test.Other";
        types_fixture_init(&fixtures[m], types[m], DEEP);
        assert_int_equal(jfr_union_add(&u, &fixtures[m].metadata), LP_OK);
    }
    assert_int_equal(jfr_union_number(&u), LP_OK);
    for (size_t i = 0; i < DEEP; i++) {
        assert_int_equal(jfr_union_ids(&u, 0)[i], 10 + i);
        assert_int_not_equal(jfr_union_ids(&u, 1)[i], 10 + i);
    }
    jfr_union_fini(&u);
    types_fixture_fini(&fixtures[0]);
    types_fixture_fini(&fixtures[1]);
}

// Types that the caller parts are told apart, as is what names them.
static void
test_types_of_other_variants_are_others(void **state)
{
    (void)state;
    static const jfr_build_type types[] = {STRING(5),
        {.id = 6, .name = "test.A", .fields = {{"a", 5}}},
        {.id = 7, .name = "test.B", .fields = {{"b", 6, .is_constant = true}}}};
    static const uint64_t expected[3][3] = {{5, 6, 7}, {5, 2, 3}, {5, 6, 7}};
    types_fixture fixtures[3];
    jfr_union u = {0};
    for (size_t m = 0; m < 3; m++) {
        types_fixture_init(&fixtures[m], types, 3);
        assert_int_equal(jfr_union_add(&u, &fixtures[m].metadata), LP_OK);
    }
    jfr_union_part(&u, 1, 1, 1);
    assert_int_equal(jfr_union_number(&u), LP_OK);
    for (size_t m = 0; m < 3; m++) {
        assert_memory_equal(jfr_union_ids(&u, m), expected[m], sizeof(expected[m]));
        types_fixture_fini(&fixtures[m]);
    }
    jfr_union_fini(&u);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types_share_an_id_if_and_only_if_they_are_the_same),
        cmocka_unit_test(test_simple_types_come_before_those_that_have_them_in_place),
        cmocka_unit_test(test_absurdly_deep_types_are_told_apart),
        cmocka_unit_test(test_types_of_other_variants_are_others),
    };
    return cmocka_run_group_tests_name("jfr_union", tests, NULL, NULL);
}
