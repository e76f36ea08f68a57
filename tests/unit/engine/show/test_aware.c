// SPDX-License-Identifier: Apache-2.0
// Which event types show contexts in the styles `fields` and `ref`: by default, by annotations and
// by the policy.

#include "unit/engine/show/style_rig.h"

#include "engine/show/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { AWARE = 490 };

// add_aware_type adds a plain type; annotation is the value of its ContextAware, NULL: it has none.
static void
add_aware_type(style_rig *f, uint64_t id, const char *name, const char *annotation)
{
    style_rig_add_type(
        f, (jfr_build_type){.id = id,
               .name = name,
               .super = STYLE_RIG_EVENT,
               .annotation = annotation == NULL ? 0 : AWARE,
               .annotation_value = annotation,
               .fields = {STYLE_RIG_START_TIME, STYLE_RIG_DURATION, STYLE_RIG_EVENT_THREAD}});
}

// tell_of_types makes a chunk in which all types have an event in a context.
static void
tell_of_types(style_rig *f, const char *chosen)
{
    style_rig_add_type(f,
        (jfr_build_type){
            .id = AWARE, .name = "acme.ContextAware", .super = "java.lang.annotation.Annotation"});
    add_aware_type(f, STYLE_RIG_OWN, "shop.Chosen", chosen);
    add_aware_type(f, STYLE_RIG_OWN + 1, "shop.Other", NULL);
    add_aware_type(f, STYLE_RIG_OWN + 2, "jdk.Park", NULL);
    jfr_build *build = style_rig_begin_chunk(f, 0);
    (void)jfr_sample_trace(build, 1, 10, 90, "t");
    for (uint64_t type = STYLE_RIG_OWN; type <= STYLE_RIG_OWN + 2; type++) {
        (void)style_rig_begin_event(build, 20, 30);
        (void)jfr_build_event(build, type);
    }
}

// assert_showing expects that the events of these types show the context, and no others do. names
// have spaces around them.
static void
assert_showing(style_rig *f, const char *names)
{
    static const char *const types[] = {"shop.Chosen", "shop.Other", "jdk.Park"};
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 3; i++) {
        bool is_showing = strstr(names, types[i]) != NULL;
        style_rig_assert_fields(&f->outputs[0], types[i],
            is_showing ? "startTime duration eventThread Trace_traceId"
                       : "startTime duration eventThread");
        if (is_showing) {
            const jfr_read_event *event = style_rig_event_of(&f->outputs[0], types[i], 0);
            style_rig_assert_field(&f->outputs[0], event, "Trace_traceId", "\"t\"");
        }
    }
    style_rig_run(f, COMPACT_STYLE_REF);
    for (size_t i = 0; i < 3; i++) {
        style_rig_assert_fields(&f->outputs[0], types[i],
            strstr(names, types[i]) != NULL ? "startTime duration eventThread context"
                                            : "startTime duration eventThread");
    }
    bool is_shown = jfr_read_find_type(&f->outputs[0], "loupe.Context") != NULL;
    assert_int_equal(is_shown, names[0] != '\0');
}

static void
test_types_that_nothing_is_said_of_show_contexts(void **state)
{
    tell_of_types(*state, NULL);
    assert_showing(*state, "shop.Chosen shop.Other jdk.Park");
}

static void
test_an_annotation_chooses_among_the_types_of_the_application(void **state)
{
    tell_of_types(*state, "true");
    assert_showing(*state, "shop.Chosen jdk.Park");
}

static void
test_an_annotation_may_exclude_its_type(void **state)
{
    tell_of_types(*state, "false");
    assert_showing(*state, "shop.Other jdk.Park");
}

static void
test_the_policy_goes_before_annotations(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy("<event name='shop.Chosen' withContext='false'/>"
                                  "<event name='shop.Other' withContext='true'/>"
                                  "<event name='jdk.*' withContext='false'/>");
    tell_of_types(f, "true");
    assert_showing(f, "shop.Other");
}

static void
test_the_policy_may_choose_among_the_types_of_the_jvm(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy(
        "<event name='jdk.Other'><setting name='withContext'>true</setting></event>");
    add_aware_type(f, STYLE_RIG_OWN + 3, "jdk.Other", NULL);
    tell_of_types(f, NULL);
    assert_showing(f, "shop.Chosen shop.Other");
}

static void
test_a_chunk_says_what_the_policy_said(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy("<event name='shop.Chosen' withContext='false'/>"
                                  "<event name='shop.Other' withContext='true'/>");
    tell_of_types(f, "true");
    style_rig_run(f, COMPACT_STYLE_EVENTS);
    lp_slice stored = lp_buf_slice(&f->results[0].jfr);
    compact_survey survey = {0};
    assert_int_equal(compact_survey_add(&survey, stored, NULL), LP_OK);
    const compact_options options = {.style = COMPACT_STYLE_FIELDS, .survey = &survey};
    compact_result result;
    jfr_read read;
    const compact_source source = {.jfr = stored};
    assert_int_equal(compact_chunk(&source, NULL, 0, NULL, &options, &result, NULL), LP_OK);
    compact_run_read(&result, &read);
    style_rig_assert_fields(&read, "shop.Chosen", "startTime duration eventThread");
    style_rig_assert_fields(&read, "shop.Other", "startTime duration eventThread Trace_traceId");
    style_rig_assert_fields(&read, "jdk.Park", "startTime duration eventThread Trace_traceId");
    jfr_read_close(&read);
    compact_result_fini(&result);
    compact_survey_fini(&survey);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        STYLE_RIG_TEST(test_types_that_nothing_is_said_of_show_contexts),
        STYLE_RIG_TEST(test_an_annotation_chooses_among_the_types_of_the_application),
        STYLE_RIG_TEST(test_an_annotation_may_exclude_its_type),
        STYLE_RIG_TEST(test_the_policy_goes_before_annotations),
        STYLE_RIG_TEST(test_the_policy_may_choose_among_the_types_of_the_jvm),
        STYLE_RIG_TEST(test_a_chunk_says_what_the_policy_said),
    };
    return cmocka_run_group_tests_name("aware", tests, NULL, NULL);
}
