// SPDX-License-Identifier: Apache-2.0
// The names, labels and pools of columns, as columns.h promises them, against texts written by
// hand; and how many there can be.

#include "support/jfr_build.h"

#include "engine/show/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { LONG = 1, CLASS = 2, EVENT = 3, FULL = 4 };

static const jfr_build_type types[] = {
    {.id = LONG, .name = "long"},
    {.id = CLASS, .name = "java.lang.Class", .fields = {{.name = "package", .type = LONG}}},
    {.id = EVENT,
        .name = "test.Event",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "Request_id", .type = LONG}, {.name = "startTime", .type = LONG}}},
    {.id = FULL,
        .name = "test.Full",
        .super = "jdk.jfr.Event",
        .fields = {{.name = "Request_id", .type = LONG}, {.name = "Request_id_2", .type = LONG}}},
};

typedef struct fixture {
    jfr_build build;
    jfr_metadata metadata;
    lp_arena arena;
    compact_columns columns;
} fixture;

static int
setup(void **state)
{
    static fixture f;
    f = (fixture){0};
    jfr_build_begin(&f.build, &(jfr_build_clock){0});
    jfr_build_metadata(&f.build, 1, types, sizeof(types) / sizeof(types[0]));
    lp_slice payload = jfr_build_payload(&f.build, f.build.metadata_offset);
    jfr_metadata_init(&f.metadata);
    assert_int_equal(jfr_metadata_add(&f.metadata, payload, NULL), LP_OK);
    assert_int_equal(jfr_metadata_resolve(&f.metadata, NULL), LP_OK);
    *state = &f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    lp_arena_fini(&f->arena);
    jfr_metadata_fini(&f->metadata);
    jfr_build_fini(&f->build);
    return 0;
}

static void
make(fixture *f, compact_kind *kinds, size_t count)
{
    const compact_kinds all = {.items = {kinds, count, count}};
    compact_columns_init(&f->columns, &f->arena, &all, &f->metadata);
    assert_int_equal(lp_arena_err(&f->arena), LP_OK);
}

static void
expect(const fixture *f, size_t column, const char *name, const char *label)
{
    assert_true(column < f->columns.count);
    assert_string_equal(f->columns.items[column].name, name);
    assert_string_equal(f->columns.items[column].label, label);
}

#define ATTRIBUTE(text)                                                                            \
    {                                                                                              \
        .name = (text), .label = "", .description = ""                                             \
    }

static void
test_columns_are_named_after_type_and_attribute(void **state)
{
    fixture *f = *state;
    compact_kind kinds[] = {
        {.name = "shop.Request",
            .label = "",
            .attribute_count = 2,
            .attributes = {{.name = "id", .label = "", .description = "Of the trace"},
                {.name = "class",
                    .label = "Handler",
                    .description = "",
                    .reference = "java.lang.Class"}}},
        {.name = "tracer-context",
            .label = "Trace",
            .attribute_count = 1,
            .attributes = {ATTRIBUTE("trace.id")}},
        {.name = "shop.Empty", .label = ""},
    };
    make(f, kinds, 3);
    assert_int_equal(f->columns.count, 3);
    assert_int_equal(f->columns.kinds, 3); // the third has none
    assert_int_equal(f->columns.first[1], 2);
    expect(f, 0, "Request_id", "Request: id");
    assert_string_equal(f->columns.items[0].description, "Of the trace");
    assert_int_equal(f->columns.items[0].pool, JFR_NONE);
    expect(f, 1, "Request_class", "Request: Handler");
    assert_int_equal(f->columns.items[1].pool, jfr_metadata_find_type(&f->metadata, CLASS));
    expect(f, 2, "tracer_context_trace_id", "Trace: trace.id");
}

static void
test_a_reference_to_a_type_that_the_chunk_lacks_is_a_text(void **state)
{
    fixture *f = *state;
    compact_kind kind = {.name = "A",
        .label = "",
        .attribute_count = 1,
        .attributes = {
            {.name = "m", .label = "", .description = "", .reference = "jdk.types.Method"}}};
    make(f, &kind, 1);
    assert_int_equal(f->columns.items[0].pool, JFR_NONE);
}

static void
test_all_of_a_name_counts_where_its_end_is_not_enough(void **state)
{
    fixture *f = *state;
    compact_kind kinds[] = {
        {.name = "a.Same", .label = "", .attribute_count = 1, .attributes = {ATTRIBUTE("id")}},
        {.name = "b.Same", .label = "", .attribute_count = 1, .attributes = {ATTRIBUTE("id")}},
        {.name = "c.Other",
            .label = "",
            .attribute_count = 2,
            .attributes = {ATTRIBUTE("x-y"), ATTRIBUTE("x.y")}}, // one Java name for both
    };
    make(f, kinds, 3);
    expect(f, 0, "a_Same_id", "Same: id");
    expect(f, 1, "b_Same_id", "Same: id");
    expect(f, 2, "Other_x_y", "Other: x-y");
    expect(f, 3, "Other_x_y_2", "Other: x.y");
}

static void
test_a_name_that_the_event_type_has_gets_a_number(void **state)
{
    fixture *f = *state;
    compact_kind kinds[] = {
        {.name = "Request", .label = "", .attribute_count = 1, .attributes = {ATTRIBUTE("id")}},
        {.name = "Request_id", .label = "", .attribute_count = 1, .attributes = {ATTRIBUTE("2")}},
    };
    make(f, kinds, 2);
    const struct {
        uint64_t type;
        const char *name;
        const char *want;
    } expected[] = {
        {CLASS, "Request_id", "Request_id"},
        {EVENT, "Request_id", "Request_id_3"}, // _2 is the other column
        {FULL, "Request_id", "Request_id_3"},
        {FULL, "context", "context"},
    };
    assert_string_equal(f->columns.items[1].name, "Request_id_2");
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        uint32_t type = jfr_metadata_find_type(&f->metadata, expected[i].type);
        assert_string_equal(compact_columns_name_for(&f->columns, &f->arena, expected[i].name,
                                &f->metadata, &f->metadata.types.items[type]),
            expected[i].want);
    }
}

static void
test_kinds_beyond_the_limit_have_no_columns(void **state)
{
    fixture *f = *state;
    enum { EACH = 15, KINDS = COMPACT_COLUMNS_MAX / EACH + 2 };
    compact_kind kinds[KINDS];
    char names[KINDS][8];
    for (size_t i = 0; i < KINDS; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "K%zu", i);
        kinds[i] = (compact_kind){.name = names[i], .label = "", .attribute_count = EACH};
        for (size_t k = 0; k < EACH; k++) {
            kinds[i].attributes[k] = (compact_attribute)ATTRIBUTE("a");
        }
    }
    kinds[KINDS - 1].attribute_count = COMPACT_COLUMNS_MAX % EACH; // as many as there is room for
    make(f, kinds, KINDS);
    assert_int_equal(f->columns.count, COMPACT_COLUMNS_MAX);
    assert_int_equal(f->columns.kinds, (1u << (KINDS - 1)) + (1u << (KINDS - 2)) - 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_columns_are_named_after_type_and_attribute, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_reference_to_a_type_that_the_chunk_lacks_is_a_text, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_all_of_a_name_counts_where_its_end_is_not_enough, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_name_that_the_event_type_has_gets_a_number, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_kinds_beyond_the_limit_have_no_columns, setup, teardown),
    };
    return cmocka_run_group_tests_name("compact_columns", tests, NULL, NULL);
}
