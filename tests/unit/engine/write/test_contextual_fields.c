// SPDX-License-Identifier: Apache-2.0
// The annotation jdk.jfr.Contextual on the fields of contextual types: `jfr print` of JDK 25 looks
// for nothing else. Each type of the output is read by jfr_read.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "engine/job/extract.h"
#include "engine/write/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define EVENT "jdk.jfr.Event"
#define START_TIME                                                                                 \
    {                                                                                              \
        .name = "startTime", .type = JFR_SAMPLE_LONG                                               \
    }
#define DURATION                                                                                   \
    {                                                                                              \
        .name = "duration", .type = JFR_SAMPLE_LONG                                                \
    }
#define EVENT_THREAD                                                                               \
    {                                                                                              \
        .name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true                      \
    }
#define STACK_TRACE                                                                                \
    {                                                                                              \
        .name = "stackTrace", .type = JFR_SAMPLE_STACK_TRACE, .is_constant = true                  \
    }

enum { WHOLE = 500, SOME, FOREIGN, NO_ANNOTATION, BARE, FOREIGN_CONTEXTUAL = 600 };

// Contextual as a whole; by one field; by the annotation of another package; by the policy alone,
// with and without attributes.
static const jfr_build_type own_types[] = {
    {.id = FOREIGN_CONTEXTUAL,
        .name = "acme.Contextual",
        .super = "java.lang.annotation.Annotation"},
    {.id = WHOLE,
        .name = "test.Whole",
        .super = EVENT,
        .annotation = JFR_SAMPLE_CONTEXTUAL,
        .fields = {START_TIME, DURATION, EVENT_THREAD, STACK_TRACE,
            {.name = "text", .type = JFR_SAMPLE_STRING},
            {.name = "point", .type = JFR_SAMPLE_POINT},
            {.name = "longs", .type = JFR_SAMPLE_LONG, .is_array = true}}},
    {.id = SOME,
        .name = "test.Some",
        .super = EVENT,
        .fields = {START_TIME, DURATION, EVENT_THREAD,
            {.name = "text", .type = JFR_SAMPLE_STRING, .annotation = JFR_SAMPLE_CONTEXTUAL},
            {.name = "number", .type = JFR_SAMPLE_LONG}}},
    {.id = FOREIGN,
        .name = "test.Foreign",
        .super = EVENT,
        .fields = {START_TIME, DURATION, EVENT_THREAD,
            {.name = "text", .type = JFR_SAMPLE_STRING, .annotation = FOREIGN_CONTEXTUAL},
            {.name = "number", .type = JFR_SAMPLE_LONG}}},
    {.id = NO_ANNOTATION,
        .name = "test.Unmarked",
        .super = EVENT,
        .fields = {START_TIME, DURATION, EVENT_THREAD, {.name = "text", .type = JFR_SAMPLE_STRING},
            {.name = "number", .type = JFR_SAMPLE_LONG}}},
    {.id = BARE,
        .name = "test.Bare",
        .super = EVENT,
        .fields = {START_TIME, DURATION, EVENT_THREAD}},
};
enum { OWN_COUNT = sizeof(own_types) / sizeof(own_types[0]) };

static lp_slice
make_chunk(jfr_build *build)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + OWN_COUNT];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, own_types, sizeof(own_types));
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = 0, .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count + OWN_COUNT);
    jfr_sample_thread(build, 1, 1);
    (void)jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = 10, .thread = 1, .text = "m"});
    jfr_build_checkpoint(build);
    return jfr_build_finish(build);
}

static bool
is_marked(const jfr_read *read, const jfr_read_field *field)
{
    return jfr_read_has_annotation(read, field, "jdk.jfr.Contextual");
}

// assert_marked expects the annotation once on the fields with these names, with spaces between
// them, and on no others.
static void
assert_marked(const jfr_read *read, const char *type_name, const char *expected)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    char found[256] = "";
    size_t used = 0;
    assert_non_null(type);
    for (size_t i = 0; i < type->fields.count; i++) {
        const jfr_read_field *field = &type->fields.items[i];
        if (is_marked(read, field)) {
            assert_true(field->annotation_count == 1 || strcmp(type_name, "test.Foreign") == 0);
            used += (size_t)snprintf(
                found + used, sizeof(found) - used, "%s%s", used == 0 ? "" : " ", field->name);
        }
    }
    assert_string_equal(found, expected);
}

static void
compact_one(const compact_source *source, const policy *rules, compact_result *out, jfr_read *read)
{
    const compact_options options = {.policy = rules, .refused = COMPACT_REFUSED_ALL};
    assert_int_equal(compact_chunk(source, NULL, 0, NULL, &options, out, NULL), LP_OK);
    compact_run_read(out, read);
}

static void
test_the_attributes_of_contextual_types_are_marked(void **state)
{
    (void)state;
    jfr_build build;
    compact_result result;
    jfr_read read;
    compact_one(&(compact_source){.jfr = make_chunk(&build)}, NULL, &result, &read);
    assert_marked(&read, "test.Whole", "text");
    assert_marked(&read, "test.Some", "text");
    assert_marked(&read, "test.Foreign", "text");
    assert_marked(&read, "test.Unmarked", "");
    assert_marked(&read, "test.Mark", "");
    jfr_read_close(&read);
    compact_result_fini(&result);
    jfr_build_fini(&build);
}

static void
test_so_are_those_of_types_that_the_policy_makes_contextual(void **state)
{
    (void)state;
    jfr_build build;
    compact_result result;
    jfr_read read;
    policy *rules = compact_run_policy(
        "<event name='test.Unmarked'><setting name='contextual'>true</setting></event>"
        "<event name='test.Whole'><setting name='contextual'>false</setting></event>");
    compact_one(&(compact_source){.jfr = make_chunk(&build)}, rules, &result, &read);
    assert_marked(&read, "test.Unmarked", "text number");
    assert_marked(&read, "test.Whole", "");
    jfr_read_close(&read);
    // To the next reader they are contextual, without a policy.
    compact_result again;
    compact_one(&(compact_source){.jfr = lp_buf_slice(&result.jfr)}, NULL, &again, &read);
    assert_marked(&read, "test.Unmarked", "text number");
    jfr_read_close(&read);
    compact_result_fini(&again);
    compact_result_fini(&result);
    policy_destroy(rules);
    jfr_build_fini(&build);
}

// is_contextual returns whether the chunk's own readers take the type for a contextual one.
static bool
is_contextual(lp_slice jfr, const char *type_name)
{
    compact_view view;
    assert_int_equal(compact_view_open(&view, jfr, NULL, false, NULL, NULL), LP_OK);
    uint32_t type = jfr_metadata_find_type_named(&view.schema->metadata, type_name);
    assert_true(type != JFR_NONE);
    bool is_so = view.schema->plans[type].rule == COMPACT_RULE_CONTEXTUAL;
    compact_view_close(&view);
    return is_so;
}

// In the file, whatever the annotations of the program say; and by the next policy otherwise.
static void
test_what_the_policy_says_of_a_type_holds_without_the_policy(void **state)
{
    (void)state;
    static const char *const types[] = {
        "test.Whole", "test.Some", "test.Foreign", "test.Unmarked", "test.Bare"};
    enum { TYPES = sizeof(types) / sizeof(types[0]) };
    jfr_build build;
    compact_result results[4];
    jfr_read read;
    lp_slice jfr = make_chunk(&build);
    for (size_t i = 0; i < 4; i++) {
        bool is_so = i % 2 == 1; // false, true, false, and then nothing
        char text[1000];
        size_t used = 0;
        for (size_t k = 0; k < TYPES; k++) {
            used += (size_t)snprintf(text + used, sizeof(text) - used,
                "<event name='%s'><setting name='contextual'>%s</setting></event>", types[k],
                is_so ? "true" : "false");
        }
        policy *rules = i == 3 ? NULL : compact_run_policy(text);
        compact_one(&(compact_source){.jfr = jfr}, rules, &results[i], &read);
        jfr_read_close(&read);
        policy_destroy(rules);
        jfr = lp_buf_slice(&results[i].jfr);
        for (size_t k = 0; k < TYPES; k++) {
            assert_int_equal(is_contextual(jfr, types[k]), is_so && i != 3);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        compact_result_fini(&results[i]);
    }
    jfr_build_fini(&build);
}

static void
test_so_are_those_of_a_merge(void **state)
{
    (void)state;
    jfr_build build;
    compact_result result;
    jfr_read read;
    compact_source source = {.jfr = make_chunk(&build)};
    compact_merge *merge = compact_merge_create(1);
    assert_non_null(merge);
    assert_int_equal(compact_run_add_to_merge(merge, 0, source.jfr, NULL), LP_OK);
    assert_int_equal(compact_merge_number(merge), LP_OK);
    source.merge = merge;
    compact_one(&source, NULL, &result, &read);
    assert_marked(&read, "test.Whole", "text");
    assert_marked(&read, "test.Some", "text");
    jfr_read_close(&read);
    compact_result_fini(&result);
    compact_merge_destroy(merge);
    jfr_build_fini(&build);
}

static void
test_so_are_those_of_an_extract(void **state)
{
    (void)state;
    jfr_build build;
    compact_view view;
    compact_result result;
    jfr_read read;
    const compact_source source = {.jfr = make_chunk(&build)};
    assert_int_equal(compact_view_open_constants(&view, source.jfr, NULL, NULL), LP_OK);
    compact_extracts session = {.clock = {0, 0, 1000000000}};
    const compact_excerpt excerpt = {.view = &view, .source = &source};
    assert_int_equal(compact_extract(&session, &excerpt, &result, NULL), LP_OK);
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    assert_marked(&read, "test.Whole", "text");
    jfr_read_close(&read);
    compact_result_fini(&result);
    compact_view_close(&view);
    jfr_build_fini(&build);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_attributes_of_contextual_types_are_marked),
        cmocka_unit_test(test_so_are_those_of_types_that_the_policy_makes_contextual),
        cmocka_unit_test(test_what_the_policy_says_of_a_type_holds_without_the_policy),
        cmocka_unit_test(test_so_are_those_of_a_merge),
        cmocka_unit_test(test_so_are_those_of_an_extract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
