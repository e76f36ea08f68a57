// SPDX-License-Identifier: Apache-2.0
// Which event types show contexts in the styles `fields` and `ref`: by default, by annotations and
// by the policy.

#include "unit/engine/show/style_rig.h"

#include "engine/show/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

// describe_types adds three types.
static void
describe_types(style_rig *f, const char *chosen)
{
    style_rig_add_type(f,
        (jfr_build_type){
            .id = AWARE, .name = "acme.ContextAware", .super = "java.lang.annotation.Annotation"});
    add_aware_type(f, STYLE_RIG_OWN, "shop.Chosen", chosen);
    add_aware_type(f, STYLE_RIG_OWN + 1, "shop.Other", NULL);
    add_aware_type(f, STYLE_RIG_OWN + 2, "jdk.Park", NULL);
}

// add_chunk makes a chunk in which each of these types has an event in a context.
static void
add_chunk(style_rig *f, int64_t start)
{
    jfr_build *build = style_rig_begin_chunk(f, start);
    (void)jfr_sample_trace(build, 1, start + 10, start + 90, "t");
    for (uint64_t type = STYLE_RIG_OWN; type <= STYLE_RIG_OWN + 2; type++) {
        (void)style_rig_begin_event(build, start + 20, start + 30);
        (void)jfr_build_event(build, type);
    }
}

static void
tell_of_types(style_rig *f, const char *chosen)
{
    describe_types(f, chosen);
    add_chunk(f, 0);
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

// run_again compacts what came of the chunks, without a policy and in the style `fields`.
static void
run_again(const style_rig *f, compact_result *results, jfr_read *reads)
{
    compact_survey survey = {0};
    compact_source sources[STYLE_RIG_CHUNKS_MAX];
    for (size_t i = 0; i < f->count; i++) {
        sources[i] = (compact_source){.jfr = lp_buf_slice(&f->results[i].jfr)};
        assert_int_equal(compact_survey_add(&survey, sources[i].jfr, NULL), LP_OK);
    }
    const compact_options options = {.style = COMPACT_STYLE_FIELDS, .survey = &survey};
    compact_run_with(sources, f->count, &options, results);
    for (size_t i = 0; i < f->count; i++) {
        compact_run_read(&results[i], &reads[i]);
    }
    compact_survey_fini(&survey);
}

static void
test_a_chunk_says_what_the_policy_said(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy("<event name='shop.Chosen' withContext='false'/>"
                                  "<event name='shop.Other' withContext='true'/>");
    tell_of_types(f, "true");
    style_rig_run(f, COMPACT_STYLE_EVENTS);
    compact_result result;
    jfr_read read;
    run_again(f, &result, &read);
    style_rig_assert_fields(&read, "shop.Chosen", "startTime duration eventThread");
    style_rig_assert_fields(&read, "shop.Other", "startTime duration eventThread Trace_traceId");
    style_rig_assert_fields(&read, "jdk.Park", "startTime duration eventThread Trace_traceId");
    jfr_read_close(&read);
    compact_result_fini(&result);
}

// assert_value expects that events of a type have a place for the context, and its value.
static void
assert_value(const jfr_read *read, const char *type, const char *want)
{
    style_rig_assert_fields(read, type, "startTime duration eventThread Trace_traceId");
    style_rig_assert_field(read, style_rig_event_of(read, type, 0), "Trace_traceId", want);
}

// As if the policy had been changed between two chunks that were stored.
static void
test_a_choice_in_one_chunk_hides_no_contexts_in_another(void **state)
{
    style_rig *f = *state;
    tell_of_types(f, NULL);
    f->type_count -= 4;
    describe_types(f, "true");
    add_chunk(f, 1000);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 2; i++) {
        assert_value(&f->outputs[i], "shop.Chosen", "\"t\"");
        assert_value(&f->outputs[i], "jdk.Park", "\"t\"");
        assert_value(&f->outputs[i], "shop.Other", i == 0 ? "\"t\"" : "null");
    }
    style_rig_run(f, COMPACT_STYLE_REF);
    const jfr_read *last = &f->outputs[1];
    style_rig_assert_fields(last, "shop.Other", "startTime duration eventThread context");
    style_rig_assert_field(last, style_rig_event_of(last, "shop.Other", 0), "context", "null");
}

// The policy is that of the whole file: also of chunks before the one that describes its type.
static void
test_the_choice_of_the_policy_is_for_all_chunks(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy("<event name='shop.Late' withContext='true'/>");
    tell_of_types(f, NULL);
    add_aware_type(f, STYLE_RIG_OWN + 3, "shop.Late", NULL);
    add_chunk(f, 1000);
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    for (size_t i = 0; i < 2; i++) {
        style_rig_assert_fields(&f->outputs[i], "shop.Other", "startTime duration eventThread");
        assert_value(&f->outputs[i], "jdk.Park", "\"t\"");
    }
}

// The second chunk has no event of the type that the policy chose.
static void
test_a_chunk_says_so_without_an_event_of_the_chosen_type(void **state)
{
    style_rig *f = *state;
    f->rules = compact_run_policy("<event name='shop.Silent' withContext='true'/>"
                                  "<event name='jdk.Silent' withContext='true'/>");
    add_aware_type(f, STYLE_RIG_OWN + 3, "shop.Silent", NULL);
    add_aware_type(f, STYLE_RIG_OWN + 4, "jdk.Silent", NULL);
    tell_of_types(f, NULL);
    add_chunk(f, 1000);
    style_rig_run(f, COMPACT_STYLE_EVENTS);
    compact_result results[2];
    jfr_read reads[2];
    run_again(f, results, reads);
    for (size_t i = 0; i < 2; i++) {
        style_rig_assert_fields(&reads[i], "shop.Other", "startTime duration eventThread");
        style_rig_assert_fields(&reads[i], "jdk.Park", "startTime duration eventThread");
        jfr_read_close(&reads[i]);
        compact_result_fini(&results[i]);
    }
}

// Beyond the limit of names all types have places for contexts, and show them as before.
static void
test_more_types_than_can_be_remembered_all_have_places(void **state)
{
    style_rig *f = *state;
    enum { CHUNKS = 3, TYPES = 90, NAME_BYTES = 4000 };
    _Static_assert(CHUNKS * TYPES * NAME_BYTES > COMPACT_AWARE_BYTES_MAX, "over the limit");
    static char names[CHUNKS][TYPES][NAME_BYTES];
    describe_types(f, "true");
    size_t own_count = f->type_count;
    for (size_t i = 0; i < CHUNKS; i++) {
        f->type_count = own_count;
        for (size_t k = 0; k < TYPES; k++) {
            (void)snprintf(names[i][k], NAME_BYTES, "T%0*zu", NAME_BYTES - 2, i * TYPES + k);
            add_aware_type(f, STYLE_RIG_OWN + 3 + k, names[i][k], "true");
        }
        add_chunk(f, 1000 * (int64_t)i);
    }
    style_rig_run(f, COMPACT_STYLE_FIELDS);
    assert_value(&f->outputs[0], "shop.Chosen", "\"t\"");
    assert_value(&f->outputs[0], "shop.Other", "null");
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
        STYLE_RIG_TEST(test_a_choice_in_one_chunk_hides_no_contexts_in_another),
        STYLE_RIG_TEST(test_the_choice_of_the_policy_is_for_all_chunks),
        STYLE_RIG_TEST(test_a_chunk_says_so_without_an_event_of_the_chosen_type),
        STYLE_RIG_TEST(test_more_types_than_can_be_remembered_all_have_places),
    };
    return cmocka_run_group_tests_name("aware", tests, NULL, NULL);
}
