// SPDX-License-Identifier: Apache-2.0
// Samples of allocations: when they are made, of which events, and whether these remain. tests/prop
// covers which of them a throttle keeps, and their weights.

#include "support/alloc_build.h"
#include "support/compact_run.h"

#include "engine/write/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SAMPLE  "jdk.ObjectAllocationSample"
#define IN_TLAB "jdk.ObjectAllocationInNewTLAB"
#define OUTSIDE "jdk.ObjectAllocationOutsideTLAB"

#define ENABLED "<setting name='enabled'>true</setting>"
#define WANTED  "<event name='" SAMPLE "'>" ENABLED "</event>"

enum { CHUNKS_MAX = 3, A = ALLOC_CLASS, B, C, D };

typedef struct alloc {
    jfr_build builds[CHUNKS_MAX];
    compact_source sources[CHUNKS_MAX];
    size_t count;
    policy *rules;
    compact_result results[CHUNKS_MAX];
    jfr_read outputs[CHUNKS_MAX]; // once it has run
    bool has_run;
} alloc;

static int
setup(void **state)
{
    *state = calloc(1, sizeof(alloc));
    return *state == NULL;
}

static int
teardown(void **state)
{
    alloc *a = *state;
    for (size_t i = 0; i < a->count; i++) {
        if (a->has_run) {
            jfr_read_close(&a->outputs[i]);
            compact_result_fini(&a->results[i]);
        }
        jfr_build_fini(&a->builds[i]);
    }
    policy_destroy(a->rules);
    free(a);
    return 0;
}

static void
chunk(alloc *a, int64_t start, alloc_jvm jvm)
{
    alloc_build_begin(&a->builds[a->count++], start, jvm);
}

static jfr_build *
build(alloc *a)
{
    return &a->builds[a->count - 1];
}

static size_t
event(alloc *a, uint64_t type, int64_t time, uint64_t thread, uint64_t class, uint64_t bytes)
{
    alloc_build_class(build(a), class);
    return alloc_build_event(build(a), &(alloc_event){.type = type,
                                           .time = time,
                                           .thread = thread,
                                           .stack = 5,
                                           .class = class,
                                           .bytes = bytes});
}

static void
trace(alloc *a, int64_t start, int64_t end, uint64_t thread)
{
    (void)jfr_sample_event(build(a),
        &(jfr_sample){
            .type = JFR_SAMPLE_TRACE, .start = start, .end = end, .thread = thread, .text = "id"});
}

static void
finish(alloc *a)
{
    for (size_t i = 0; i < a->count; i++) {
        jfr_sample_thread(&a->builds[i], 1, 1);
        jfr_sample_thread(&a->builds[i], 2, 2);
        jfr_sample_stack(&a->builds[i], 5);
        jfr_build_checkpoint(&a->builds[i]);
        a->sources[i].jfr = jfr_build_finish(&a->builds[i]);
    }
}

// run compacts with what stands within <configuration>; NULL: without a policy.
static void
run(alloc *a, const char *events)
{
    a->rules = events == NULL ? NULL : compact_run_policy(events);
    finish(a);
    compact_run(a->sources, a->count, a->rules, COMPACT_RUN_SAVED, a->results);
    for (size_t i = 0; i < a->count; i++) {
        compact_run_read(&a->results[i], &a->outputs[i]);
    }
    a->has_run = true;
}

static size_t
count(const alloc *a, const char *type)
{
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++) {
        n += jfr_read_count(&a->outputs[i], type);
    }
    return n;
}

static void
expect_counts(const alloc *a, size_t samples, size_t in_tlab, size_t outside)
{
    assert_int_equal(count(a, SAMPLE), samples);
    assert_int_equal(count(a, IN_TLAB), in_tlab);
    assert_int_equal(count(a, OUTSIDE), outside);
}

static compact_type_stats
stats_of(const alloc *a, size_t chunk_index, const char *type)
{
    const compact_stats *stats = &a->results[chunk_index].stats;
    for (size_t i = 0; i < stats->type_count; i++) {
        if (strcmp(stats->types[i].name, type) == 0) {
            return stats->types[i];
        }
    }
    return (compact_type_stats){0};
}

// one_of_each has an event of each type in a chunk, 1,000 and 30 bytes.
static void
one_of_each(alloc *a, alloc_jvm jvm)
{
    chunk(a, 0, jvm);
    (void)event(a, jvm == ALLOC_ODD_JVM ? ALLOC_IN_TLAB_ODD : ALLOC_IN_TLAB, 10, 1, A, 1000);
    (void)event(a, ALLOC_OUTSIDE, 20, 1, B, 30);
}

// --- The content of a sample

static void
expect_text(const jfr_read *read, const jfr_read_event *event, const char *field, const char *want)
{
    lp_buf text = {0};
    assert_true(jfr_read_value(read, event, field, &text));
    assert_non_null(strstr((const char *)text.ptr, want));
    lp_buf_fini(&text);
}

static void
expect_samples_of_each(const alloc *a)
{
    const jfr_read *out = &a->outputs[0];
    expect_counts(a, 2, 0, 0);
    assert_int_equal(alloc_build_weight(out, A), 1000);
    assert_int_equal(alloc_build_weight(out, B), 30);
    const jfr_read_event *sample = alloc_build_find(out, SAMPLE, B);
    assert_int_equal(jfr_read_number(out, sample, "startTime"), 20);
    expect_text(out, sample, "eventThread", "thread-1");
    expect_text(out, sample, "stackTrace", "method5");
    expect_text(out, sample, "objectClass", "shop/Class501");
    assert_int_equal(jfr_read_count(out, IN_TLAB), 0);
    assert_int_equal(jfr_read_count(out, OUTSIDE), 0);
}

static void
expect_fields(const jfr_read *out)
{
    static const char *const fields[] = {
        "startTime", "eventThread", "stackTrace", "objectClass", "weight"};
    const jfr_read_type *type = jfr_read_find_type(out, SAMPLE);
    assert_int_equal(type->fields.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(type->fields.items[i].name, fields[i]);
    }
    assert_true(jfr_read_has_annotation(out, &type->fields.items[4], "jdk.jfr.DataAmount"));
}

static void
test_a_sample_is_made_of_each_event_and_weighs_what_it_allocated(void **state)
{
    alloc *a = *state;
    one_of_each(a, ALLOC_JDK_17);
    run(a, WANTED);
    expect_samples_of_each(a);
    expect_fields(&a->outputs[0]);
    assert_int_equal(jfr_read_find_type(&a->outputs[0], SAMPLE)->id, ALLOC_SAMPLE);
}

static void
test_a_recording_that_knows_no_samples_gets_their_type(void **state)
{
    alloc *a = *state;
    one_of_each(a, ALLOC_JDK_11);
    run(a, WANTED);
    expect_samples_of_each(a);
    expect_fields(&a->outputs[0]);
    const jfr_read_type *type = jfr_read_find_type(&a->outputs[0], SAMPLE);
    assert_true(
        jfr_read_has_annotation(&a->outputs[0], &type->fields.items[4], "jdk.jfr.Description"));
    assert_true(
        jfr_read_has_annotation(&a->outputs[0], &type->fields.items[0], "jdk.jfr.Timestamp"));
}

static void
test_events_without_a_thread_are_sampled_too(void **state)
{
    alloc *a = *state;
    chunk(a, 0, ALLOC_JDK_17);
    (void)event(a, ALLOC_OUTSIDE, 10, 0, A, 70);
    (void)event(a, ALLOC_OUTSIDE, 10, 1, B, 7);
    run(a, WANTED);
    assert_int_equal(alloc_build_weight(&a->outputs[0], A), 70);
    assert_int_equal(alloc_build_weight(&a->outputs[0], B), 7);
}

static void
test_a_weight_is_a_signed_number(void **state)
{
    alloc *a = *state;
    chunk(a, 0, ALLOC_JDK_17);
    (void)event(a, ALLOC_OUTSIDE, 10, 1, A, UINT64_MAX);
    (void)event(a, ALLOC_IN_TLAB, 11, 1, B, 0);
    run(a, WANTED);
    assert_true(alloc_build_weight(&a->outputs[0], A) == INT64_MAX);
    assert_int_equal(alloc_build_weight(&a->outputs[0], B), 0);
}

// --- When

static void
test_without_a_policy_that_enables_them_nothing_changes(void **state)
{
    static const char *const policies[] = {NULL, "",
        "<event name='" SAMPLE "'><setting name='throttle'>1/s</setting></event>",
        "<event name='" SAMPLE "'><setting name='enabled'>false</setting></event>",
        WANTED "<event name='" SAMPLE "'><setting name='contextual'>true</setting></event>",
        WANTED "<event name='" OUTSIDE "'><setting name='contextual'>true</setting>"
               "<setting name='select'>all</setting></event>"};
    for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
        void *own;
        assert_int_equal(setup(&own), 0);
        one_of_each(own, ALLOC_JDK_17);
        run(own, policies[i]);
        expect_counts(own, 0, 1, 1);
        (void)teardown(&own);
    }
    (void)state;
}

static void
test_what_the_policy_says_of_the_events_holds_for_themselves(void **state)
{
    static const struct {
        const char *policy;
        size_t in_tlab;
        size_t outside;
    } rows[] = {
        {"<event name='jdk.*'>" ENABLED "</event>", 1, 1},
        {WANTED "<event name='" IN_TLAB "'>" ENABLED "</event>", 1, 0},
        {WANTED "<event name='*TLAB'><setting name='enabled'>false</setting></event>", 0, 0},
        {WANTED "<event name='*TLAB'>" ENABLED "<setting name='throttle'>0/s</setting></event>", 0,
            0},
        {WANTED "<event name='*TLAB'>" ENABLED
                "<setting name='select'>if-context</setting></event>",
            0, 0},
        {WANTED "<event name='" IN_TLAB "'><setting name='select'>all</setting></event>", 0, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        void *own;
        assert_int_equal(setup(&own), 0);
        one_of_each(own, ALLOC_JDK_11);
        run(own, rows[i].policy);
        expect_counts(own, 2, rows[i].in_tlab, rows[i].outside);
        assert_int_equal(alloc_build_weight(&((alloc *)own)->outputs[0], A), 1000);
        (void)teardown(&own);
    }
    (void)state;
}

static void
test_none_are_made_where_the_jvm_made_some(void **state)
{
    alloc *a = *state;
    for (int64_t i = 0; i < 2; i++) { // the JVM's own comes last, or first
        chunk(a, i * 1000, ALLOC_JDK_17);
        if (i == 1) {
            (void)event(a, ALLOC_SAMPLE, 1001, 1, C, 5000);
        }
        (void)event(a, ALLOC_IN_TLAB, 1000 * i + 10, 1, A, 1000);
        (void)event(a, ALLOC_OUTSIDE, 1000 * i + 20, 1, B, 30);
        if (i == 0) {
            (void)event(a, ALLOC_SAMPLE, 30, 1, C, 5000);
        }
    }
    run(a, WANTED "<event name='" OUTSIDE "'><setting name='enabled'>false</setting></event>");
    expect_counts(a, 2, 2, 0);
    assert_int_equal(alloc_build_weight(&a->outputs[0], C), 5000);
    assert_int_equal(alloc_build_weight(&a->outputs[1], C), 5000);
}

static void
test_none_are_made_where_events_have_other_fields(void **state)
{
    alloc *a = *state;
    one_of_each(a, ALLOC_ODD_JVM);
    run(a, WANTED);
    expect_counts(a, 0, 1, 1);
}

// --- They are events like others

static void
test_a_sample_that_is_kept_triggers_and_one_that_is_dropped_does_not(void **state)
{
    static const char *const rates[] = {"off", "0/s"};
    for (size_t i = 0; i < 2; i++) {
        void *own;
        char text[300];
        assert_int_equal(setup(&own), 0);
        one_of_each(own, ALLOC_JDK_17);
        trace(own, 5, 15, 1);
        (void)snprintf(text, sizeof(text),
            WANTED "<event name='" SAMPLE "'><setting name='throttle'>%s</setting></event>",
            rates[i]);
        run(own, text);
        assert_int_equal(count(own, "test.Trace"), i == 0);
        assert_int_equal(stats_of(own, 0, SAMPLE).events_in, 2);
        assert_int_equal(stats_of(own, 0, SAMPLE).dropped.by[COMPACT_BY_THROTTLE], 2 * i);
        assert_int_equal(stats_of(own, 0, IN_TLAB).dropped.by[COMPACT_BY_ENABLED], 1);
        (void)teardown(&own);
    }
    (void)state;
}

static void
test_what_is_not_selected_weighs_nothing(void **state)
{
    alloc *a = *state;
    chunk(a, 0, ALLOC_JDK_17);
    (void)event(a, ALLOC_IN_TLAB, 10, 1, A, 1000);
    (void)event(a, ALLOC_IN_TLAB, 20, 1, B, 200);
    trace(a, 15, 25, 1);
    run(a, WANTED "<event name='" SAMPLE "'><setting name='select'>if-context</setting></event>");
    expect_counts(a, 1, 0, 0);
    assert_int_equal(alloc_build_weight(&a->outputs[0], B), 200);
    assert_int_equal(stats_of(a, 0, SAMPLE).dropped.by[COMPACT_BY_SELECT], 1);
}

static void
test_filters_ask_samples_by_their_own_name(void **state)
{
    alloc *a = *state;
    one_of_each(a, ALLOC_JDK_17);
    run(a, WANTED "<event name='" SAMPLE "'><setting name='filter'>has-context</setting></event>"
                  "<event name='" OUTSIDE "'>" ENABLED "</event>");
    expect_counts(a, 0, 0, 1);
    assert_int_equal(stats_of(a, 0, SAMPLE).dropped.by[COMPACT_BY_FILTER], 2);
}

// Within an event it is not seen that it is too short, but for its size.
static void
test_an_event_that_does_not_fit_its_type_is_damage_once(void **state)
{
    static const char *const policies[] = {
        WANTED, WANTED "<event name='*TLAB'>" ENABLED "</event>"};
    for (size_t i = 0; i < 2; i++) {
        void *own;
        assert_int_equal(setup(&own), 0);
        alloc *a = own;
        one_of_each(a, ALLOC_JDK_17);
        jfr_build_varint(&build(a)->payload, 30);
        jfr_build_varint(&build(a)->payload, 1);
        jfr_build_varint(&build(a)->payload, 5);
        (void)jfr_build_event(build(a), ALLOC_OUTSIDE);
        a->rules = compact_run_policy(policies[i]);
        finish(a);
        const compact_options options = {.policy = a->rules};
        assert_int_equal(
            compact_chunk(&a->sources[0], NULL, 0, NULL, &options, &a->results[0], NULL), LP_OK);
        compact_run_read(&a->results[0], &a->outputs[0]);
        a->has_run = true;
        expect_counts(a, 2, i, i);
        assert_int_equal(a->results[0].damage.place_count, 1);
        assert_int_equal(stats_of(a, 0, SAMPLE).dropped.by[COMPACT_BY_DAMAGED], 1);
        assert_int_equal(stats_of(a, 0, OUTSIDE).dropped.by[COMPACT_BY_DAMAGED], i);
        assert_int_equal(stats_of(a, 0, OUTSIDE).events_in, 2);
        (void)teardown(&own);
    }
    (void)state;
}

static void
test_constants_that_only_the_events_use_are_gone(void **state)
{
    alloc *a = *state;
    chunk(a, 0, ALLOC_JDK_17);
    (void)event(a, ALLOC_OUTSIDE, 10, 1, A, 1000);
    (void)event(a, ALLOC_OUTSIDE, 20, 2, B, 200);
    trace(a, 5, 15, 1);
    run(a, WANTED "<event name='" SAMPLE "'><setting name='select'>if-context</setting></event>");
    assert_non_null(jfr_read_find_constant(&a->outputs[0], "java.lang.Class", A));
    assert_null(jfr_read_find_constant(&a->outputs[0], "java.lang.Class", B));
    assert_null(jfr_read_find_constant(&a->outputs[0], "java.lang.Thread", 2));
}

static void
test_samples_show_contexts_in_fields(void **state)
{
    static const compact_context_style styles[] = {COMPACT_STYLE_FIELDS, COMPACT_STYLE_REF};
    for (size_t i = 0; i < 2; i++) {
        void *own;
        assert_int_equal(setup(&own), 0);
        alloc *a = own;
        one_of_each(a, ALLOC_JDK_11);
        trace(a, 5, 15, 1);
        a->rules = compact_run_policy(WANTED);
        finish(a);
        const compact_options options = {.policy = a->rules, .style = styles[i]};
        compact_run_with(a->sources, 1, &options, a->results);
        compact_run_read(&a->results[0], &a->outputs[0]);
        a->has_run = true;
        const jfr_read_event *sample = alloc_build_find(&a->outputs[0], SAMPLE, A);
        assert_int_equal(jfr_read_number(&a->outputs[0], sample, "weight"), 1000);
        assert_int_equal(jfr_read_find_type(&a->outputs[0], SAMPLE)->fields.count, 6);
        lp_buf text = {0};
        jfr_read_text(&a->outputs[0], sample, &text);
        assert_non_null(strstr((const char *)text.ptr, "\"id\""));
        lp_buf_fini(&text);
        (void)teardown(&own);
    }
    (void)state;
}

// --- Several JVMs in one file

static void
test_of_jvms_that_are_merged_each_gets_samples(void **state)
{
    alloc *a = *state;
    static const alloc_jvm jvms[] = {ALLOC_JDK_11, ALLOC_JDK_17, ALLOC_JDK_11};
    for (size_t i = 0; i < 3; i++) {
        chunk(a, 0, jvms[i]);
        (void)event(a, ALLOC_IN_TLAB, 10, 1, A, 1000 + i);
    }
    a->rules = compact_run_policy(WANTED);
    finish(a);
    compact_merge *merge = compact_merge_create(3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(compact_run_add_to_merge(merge, i, a->sources[i].jfr, a->rules), LP_OK);
    }
    assert_int_equal(compact_merge_number(merge), LP_OK);
    const compact_options options = {.policy = a->rules};
    uint64_t ids[3];
    for (uint32_t i = 0; i < 3; i++) {
        a->sources[i].merge = merge;
        a->sources[i].merge_source = i;
        assert_int_equal(
            compact_chunk(&a->sources[i], NULL, 0, NULL, &options, &a->results[i], NULL), LP_OK);
        compact_run_read(&a->results[i], &a->outputs[i]);
        const jfr_read *out = &a->outputs[i];
        ids[i] = jfr_read_find_type(out, SAMPLE)->id;
        const jfr_read_event *sample = alloc_build_find(out, SAMPLE, A * 3 + i + 1);
        assert_int_equal(jfr_read_number(out, sample, "weight"), 1000 + i);
        expect_text(out, sample, "objectClass", "shop/Class500");
    }
    a->has_run = true;
    assert_true(ids[0] == ids[2] && ids[0] != ids[1]); // another description
    compact_merge_destroy(merge);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_sample_is_made_of_each_event_and_weighs_what_it_allocated),
        TEST(test_a_recording_that_knows_no_samples_gets_their_type),
        TEST(test_events_without_a_thread_are_sampled_too),
        TEST(test_a_weight_is_a_signed_number),
        cmocka_unit_test(test_without_a_policy_that_enables_them_nothing_changes),
        cmocka_unit_test(test_what_the_policy_says_of_the_events_holds_for_themselves),
        TEST(test_none_are_made_where_the_jvm_made_some),
        TEST(test_none_are_made_where_events_have_other_fields),
        cmocka_unit_test(test_a_sample_that_is_kept_triggers_and_one_that_is_dropped_does_not),
        TEST(test_what_is_not_selected_weighs_nothing),
        TEST(test_filters_ask_samples_by_their_own_name),
        cmocka_unit_test(test_an_event_that_does_not_fit_its_type_is_damage_once),
        TEST(test_constants_that_only_the_events_use_are_gone),
        cmocka_unit_test(test_samples_show_contexts_in_fields),
        TEST(test_of_jvms_that_are_merged_each_gets_samples),
    };
    return cmocka_run_group_tests_name("compact_alloc", tests, NULL, NULL);
}
