// SPDX-License-Identifier: Apache-2.0
// Compacted chunks in another style: all events stay, and show the same as if they had been
// compacted in that style at once.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include "engine/restyle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNKS = 2 };

typedef struct fixture {
    jfr_build builds[CHUNKS];
    compact_source sources[CHUNKS];
    compact_result stored[CHUNKS]; // with contexts as events
    compact_restyler *restyler;
    policy *rules;
} fixture;

static lp_slice
finish(jfr_build *build)
{
    jfr_build_checkpoint(build);
    return jfr_build_finish(build);
}

// store stores the chunks by a policy with this setting of the contexts.
static void
store(fixture *f, const char *setting)
{
    char text[200];
    (void)snprintf(text, sizeof(text), "<event name='test.Trace'>%s</event>", setting);
    f->rules = compact_run_policy(text);
    compact_run(f->sources, CHUNKS, f->rules, COMPACT_RUN_AS_IT_IS, f->stored);
}

// setup stores two chunks, one of which has a context in which nothing happened: the policy keeps
// it.
static int
setup(void **state)
{
    static fixture f;
    f = (fixture){0};
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_sample_begin(&f.builds[i], 1000 * (int64_t)i);
        jfr_sample_thread(&f.builds[i], 1, 11);
        jfr_sample_stack(&f.builds[i], 100);
    }
    (void)jfr_sample_trace(&f.builds[0], 1, 10, 90, "first");
    (void)jfr_sample_trace(&f.builds[0], 1, 95, 96, "empty");
    (void)jfr_sample_mark(&f.builds[0], 1, 50);
    (void)jfr_sample_mark(&f.builds[0], 1, 400);
    (void)jfr_sample_event(&f.builds[0],
        &(jfr_sample){.type = JFR_SAMPLE_EXECUTION, .start = 60, .thread = 1, .stack = 100});
    (void)jfr_sample_trace(&f.builds[1], 1, 300, 1100, "long");
    (void)jfr_sample_mark(&f.builds[1], 1, 1050);
    for (size_t i = 0; i < CHUNKS; i++) {
        f.sources[i].jfr = finish(&f.builds[i]);
    }
    store(&f, "<setting name='select'>all</setting>");
    *state = &f;
    return 0;
}

static void
forget_stored(fixture *f)
{
    for (size_t i = 0; i < CHUNKS; i++) {
        compact_result_fini(&f->stored[i]);
    }
    policy_destroy(f->rules);
}

static int
teardown(void **state)
{
    fixture *f = *state;
    forget_stored(f);
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_build_fini(&f->builds[i]);
    }
    compact_restyler_destroy(f->restyler);
    return 0;
}

static void
survey(fixture *f, compact_context_style style, bool has_sample_contexts)
{
    f->restyler = compact_restyler_create(style, has_sample_contexts);
    assert_non_null(f->restyler);
    for (size_t i = 0; i < CHUNKS; i++) {
        lp_slice chunk = lp_buf_slice(&f->stored[i].jfr);
        assert_int_equal(compact_restyler_survey(f->restyler, chunk), LP_OK);
    }
}

static void
write_chunk(const fixture *f, size_t index, bool has_next, compact_result *out)
{
    lp_slice next = has_next ? lp_buf_slice(&f->stored[index + 1].jfr) : (lp_slice){0};
    assert_int_equal(
        compact_restyler_write(f->restyler, lp_buf_slice(&f->stored[index].jfr), next, out, NULL),
        LP_OK);
}

// assert_shown expects these values of field, in the order of the events of the type that have it.
static void
assert_shown(const compact_result *result, const char *type, const char *field,
    const char *const *expected, size_t count)
{
    jfr_read read;
    size_t found = 0;
    jfr_read_open(&read, lp_buf_slice(&result->jfr));
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        lp_buf text = {0};
        if (strcmp(jfr_read_name(&read, event), type) == 0) {
            assert_true(jfr_read_value(&read, event, field, &text));
            assert_true(found < count);
            assert_string_equal((const char *)text.ptr, expected[found]);
            found++;
        }
        lp_buf_fini(&text);
    }
    assert_int_equal(found, count);
    jfr_read_close(&read);
}

static void
test_events_show_contexts_of_this_chunk_and_the_next(void **state)
{
    fixture *f = *state;
    compact_result results[CHUNKS];
    survey(f, COMPACT_STYLE_FIELDS, false);
    write_chunk(f, 0, true, &results[0]);
    write_chunk(f, 1, false, &results[1]);
    assert_shown(&results[0], "test.Mark", "Trace_traceId",
        (const char *const[]){"\"first\"", "\"long\""}, 2);
    assert_shown(&results[1], "test.Mark", "Trace_traceId", (const char *const[]){"\"long\""}, 1);
    // Contexts stay, whatever happened in them.
    assert_shown(
        &results[0], "test.Trace", "traceId", (const char *const[]){"\"first\"", "\"empty\""}, 2);
    compact_result_fini(&results[0]);
    write_chunk(f, 0, false, &results[0]);
    assert_shown(
        &results[0], "test.Mark", "Trace_traceId", (const char *const[]){"\"first\"", "null"}, 2);
    compact_result_fini(&results[0]);
    compact_result_fini(&results[1]);
}

static void
test_samples_get_their_thread_too_if_wanted(void **state)
{
    fixture *f = *state;
    compact_result result;
    survey(f, COMPACT_STYLE_FIELDS, true);
    write_chunk(f, 0, true, &result);
    assert_shown(
        &result, "jdk.ExecutionSample", "Trace_traceId", (const char *const[]){"\"first\""}, 1);
    jfr_read read;
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    const jfr_read_type *type = jfr_read_find_type(&read, "jdk.ExecutionSample");
    assert_string_equal(type->fields.items[type->fields.count - 2].name, "eventThread");
    jfr_read_close(&read);
    compact_result_fini(&result);
}

static void
test_a_reference_names_the_context(void **state)
{
    fixture *f = *state;
    compact_result result;
    survey(f, COMPACT_STYLE_REF, false);
    write_chunk(f, 0, true, &result);
    assert_shown(&result, "test.Mark", "context",
        (const char *const[]){"{type=\"test.Trace\" startTime=10 Trace_traceId=\"first\" "
                              "parent=null truncated=0}",
            "{type=\"test.Trace\" startTime=300 Trace_traceId=\"long\" parent=null truncated=0}"},
        2);
    compact_result_fini(&result);
}

static void
test_the_same_chunks_become_the_same_bytes(void **state)
{
    fixture *f = *state;
    compact_result results[2];
    survey(f, COMPACT_STYLE_REF, false);
    write_chunk(f, 0, true, &results[0]);
    compact_restyler_destroy(f->restyler);
    survey(f, COMPACT_STYLE_REF, false);
    write_chunk(f, 0, true, &results[1]);
    assert_int_equal(results[0].jfr.len, results[1].jfr.len);
    assert_memory_equal(results[0].jfr.ptr, results[1].jfr.ptr, results[0].jfr.len);
    compact_result_fini(&results[0]);
    compact_result_fini(&results[1]);
}

// The policy said that they are events like others.
static void
test_what_the_policy_made_no_context_is_none(void **state)
{
    fixture *f = *state;
    compact_result result;
    jfr_read read;
    forget_stored(f);
    store(f, "<setting name='contextual'>false</setting>");
    survey(f, COMPACT_STYLE_FIELDS, false);
    write_chunk(f, 0, true, &result);
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    assert_int_equal(jfr_read_count(&read, "test.Trace"), 2);
    assert_int_equal(jfr_read_find_type(&read, "test.Mark")->fields.count, 3); // its own
    jfr_read_close(&read);
    compact_result_fini(&result);
}

static void
test_a_damaged_chunk_is_refused(void **state)
{
    fixture *f = *state;
    compact_result result;
    lp_problem problem;
    survey(f, COMPACT_STYLE_FIELDS, false);
    lp_slice chunk = lp_buf_slice(&f->stored[0].jfr);
    chunk.len /= 2;
    assert_int_not_equal(
        compact_restyler_write(f->restyler, chunk, (lp_slice){0}, &result, &problem), LP_OK);
    assert_true(problem.text[0] != '\0');
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_events_show_contexts_of_this_chunk_and_the_next, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_samples_get_their_thread_too_if_wanted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_reference_names_the_context, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_the_same_chunks_become_the_same_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_the_policy_made_no_context_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_damaged_chunk_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("restyle", tests, NULL, NULL);
}
