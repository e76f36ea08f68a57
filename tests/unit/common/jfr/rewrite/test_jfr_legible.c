// SPDX-License-Identifier: Apache-2.0
// What the JDK's reader refuses of metadata is taken out or replaced, and said; the rest stays. The
// rules are those of its sources; tests/e2e/damage.py lets the reader itself judge.

#include "unit/common/jfr/types_fixture.h"

#include "common/jfr/rewrite/jfr_legible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 2, STRING, LABEL, TIMESPAN, EMPTY, SETTING, EVENT, MORE };

#define EVENT_SUPER "jdk.jfr.Event"
#define TEXT_MEMBER                                                                                \
    {                                                                                              \
        .name = "value", .type = STRING                                                            \
    }

static const jfr_build_type base[] = {
    {.id = LONG, .name = "long"},
    {.id = STRING, .name = "java.lang.String"},
    {.id = LABEL, .name = "jdk.jfr.Label", .fields = {TEXT_MEMBER}},
    {.id = TIMESPAN, .name = "jdk.jfr.Timespan", .fields = {TEXT_MEMBER}},
    {.id = EMPTY, .name = "test.Empty"},
    {.id = SETTING, .name = "test.Setting"},
};
enum { BASE = sizeof(base) / sizeof(base[0]) };

#define START                                                                                      \
    {                                                                                              \
        .name = "startTime", .type = LONG                                                          \
    }

enum { TYPES_MAX = 3 };

typedef struct row {
    const char *what; // is said; NULL: nothing
    const char *name; // of the first type afterwards; NULL: it is gone
    jfr_build_type types[TYPES_MAX];
    bool has_second; // afterwards
} row;

static const row rows[] = {
    {NULL, "a.B",
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .setting = SETTING,
            .annotation = LABEL,
            .annotation_value = "b",
            .fields = {START,
                {.name = "n", .type = LONG, .annotation = TIMESPAN, .annotation_value = "SECONDS"},
                {.name = "e", .type = EMPTY, .is_constant = true}}}}},
    {"annotation jdk.jfr.Label in a.B", "a.B",
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .annotation = LABEL,
            .fields = {START}}}},
    {"annotation in a.B is of a type that is not described", "a.B",
        {{.id = EVENT, .name = "a.B", .super = EVENT_SUPER, .annotation = 99, .fields = {START}}}},
    {"annotation jdk.jfr.Timespan in a.B", "a.B",
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .fields = {START,
                {.name = "n", .type = LONG, .annotation = TIMESPAN, .annotation_value = "FEET"}}}}},
    {"annotation jdk.jfr.Timespan in a.B", "a.B",
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .fields = {START, {.name = "n",
                                  .type = STRING,
                                  .annotation = TIMESPAN,
                                  .annotation_value = "TICKS"}}}}},
    {"a setting of a.B", "a.B",
        {{.id = EVENT, .name = "a.B", .super = EVENT_SUPER, .setting = 99, .fields = {START}}}},
    {"a setting of a.B", "a.B",
        {{.id = EVENT, .name = "a.B", .setting = SETTING, .fields = {START}}}},
    {"a-b is no name", "a_b",
        {{.id = EVENT, .name = "a-b", .super = EVENT_SUPER, .fields = {START}}}},
    {"a.int is no name", "a.int_",
        {{.id = EVENT, .name = "a.int", .super = EVENT_SUPER, .fields = {START}}}},
    {NULL, "a.int", {{.id = EVENT, .name = "a.int", .fields = {START}}}}, // no event type
    {"7a is no name", "_7a", {{.id = EVENT, .name = "7a", .fields = {START}}}},
    {"int is no name", "int_", {{.id = EVENT, .name = "int", .fields = {START}}}},
    {"a.B has a field of a type that is not described", NULL,
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "x", .type = 99, .is_constant = true}}},
            {.id = MORE, .name = "a.C", .fields = {START}}},
        true},
    {"a.B has a field of a type without values", NULL,
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "x", .type = EMPTY}}}}},
    {"a.C is made of one that is left out", NULL,
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "x", .type = EMPTY}}},
            {.id = MORE,
                .name = "a.C",
                .fields = {{.name = "b", .type = EVENT, .is_constant = true}}}}},
    {"a.B is an event type that does not begin with a time", NULL,
        {{.id = EVENT, .name = "a.B", .super = EVENT_SUPER}}},
    {"a.B is an event type that does not begin with a time", NULL,
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .fields = {{.name = "startTime", .type = STRING}}}}},
    {"a.B is an event type whose second field is no duration", NULL,
        {{.id = EVENT,
            .name = "a.B",
            .super = EVENT_SUPER,
            .fields = {START, {.name = "x", .type = STRING}, {.name = "duration", .type = LONG}}}}},
    {"a.B is an event type with the id of another", NULL,
        {{.id = 1, .name = "a.B", .super = EVENT_SUPER, .fields = {START}}}},
    {"type a.B is not simple", "a.B",
        {{.id = EVENT,
            .name = "a.B",
            .is_simple = true,
            .fields = {START, {.name = "n", .type = LONG}}}}},
    {"type a.B is not simple", "a.B",
        {{.id = EVENT, .name = "a.B", .is_simple = true, .fields = {START}},
            {.id = MORE,
                .name = "a.C",
                .fields = {{.name = "k", .type = EVENT, .is_constant = true},
                    {.name = "v", .type = EVENT}}}},
        true},
    // The reader goes by the top 5 bits of id * 0x9e3779b97f4a7c15: 17 of the ids MORE (9) and 30,
    // 23 of the id 40, 30 of the id EVENT (8).
    {"type a.B is not simple", "a.B",
        {{.id = EVENT, .name = "a.B", .is_simple = true, .fields = {START}},
            {.id = MORE, .name = "a.C", .fields = {{.name = "v", .type = EVENT}}}},
        true},
    {NULL, "a.B",
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "v", .type = MORE}}},
            {.id = MORE, .name = "a.C", .is_simple = true, .fields = {START}}},
        true},
    {"type a.C is not simple", "a.B", // the first of two that want the same place has it
        {{.id = 30, .name = "a.B", .fields = {{.name = "v", .type = MORE}}},
            {.id = MORE, .name = "a.C", .is_simple = true, .fields = {START}}},
        true},
    {NULL, "a.B",
        {{.id = 30, .name = "a.B", .is_simple = true, .fields = {START}},
            {.id = MORE, .name = "a.C", .fields = {{.name = "v", .type = 30}}}},
        true},
    {NULL, "a.B",
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "v", .type = 40}}},
            {.id = 40, .name = "a.D", .is_simple = true, .fields = {START}}}},
    {"type a.D is not simple", "a.B", // a.C needs a.B in its turn, and so a.D
        {{.id = EVENT, .name = "a.B", .fields = {{.name = "v", .type = 40}}},
            {.id = MORE, .name = "a.C", .fields = {{.name = "b", .type = EVENT}}},
            {.id = 40, .name = "a.D", .is_simple = true, .fields = {START}}},
        true},
    {"field eventThread of a.B is something else", "a.B",
        {{.id = EVENT,
             .name = "a.B",
             .super = EVENT_SUPER,
             .fields = {START, {.name = "eventThread", .type = MORE, .is_constant = true}}},
            {.id = MORE, .name = "a.C", .fields = {START}}},
        true},
};

typedef struct notes {
    unsigned count;
    char last[256];
} notes;

static lp_err
take_note(void *arg, const lp_problem *problem)
{
    notes *n = arg;
    n->count++;
    (void)snprintf(n->last, sizeof(n->last), "%s", problem->text);
    return LP_OK;
}

static void
test_what_the_reader_refuses_goes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        jfr_build_type types[BASE + TYPES_MAX];
        memcpy(types, base, sizeof(base));
        memcpy(types + BASE, rows[i].types, sizeof(rows[i].types));
        size_t more = 1;
        while (more < TYPES_MAX && rows[i].types[more].name != NULL) {
            more++;
        }
        types_fixture f;
        types_fixture_init(&f, types, BASE + more);
        notes found = {0};
        print_message("  %zu: %s\n", i, rows[i].what == NULL ? "fine" : rows[i].what);
        assert_int_equal(jfr_legible_make(&f.metadata, take_note, &found), LP_OK);
        assert_int_equal(found.count > 0, rows[i].what != NULL);
        assert_true(rows[i].what == NULL || strstr(found.last, rows[i].what) != NULL);
        uint32_t first = jfr_metadata_find_type(&f.metadata, rows[i].types[0].id);
        assert_int_equal(first != JFR_NONE, rows[i].name != NULL);
        if (first != JFR_NONE) {
            uint32_t name = f.metadata.types.items[first].name;
            assert_string_equal(jfr_metadata_text(&f.metadata, name), rows[i].name);
        }
        assert_int_equal(jfr_metadata_find_type(&f.metadata, MORE) != JFR_NONE, rows[i].has_second);
        notes again = {0}; // nothing is left to change
        assert_int_equal(jfr_legible_make(&f.metadata, take_note, &again), LP_OK);
        assert_int_equal(again.count, 0);
        types_fixture_fini(&f);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_reader_refuses_goes),
    };
    return cmocka_run_group_tests_name("jfr_legible", tests, NULL, NULL);
}
