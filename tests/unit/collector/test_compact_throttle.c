// SPDX-License-Identifier: Apache-2.0
// Throttles in the engine, by hand: rates of 1 and 2, of which it is known what has to be kept. The
// sampler's own tests are in test_compact_sampler.c, random sessions in tests/prop.

#include "compact_session.h"

#include "collector/compact/compact_throttle.h"

static const int64_t S = 1000000000; // ticks are nanoseconds

static void
event(session *s, session_fate fate, uint64_t type, int64_t start, int64_t end, uint64_t thread)
{
    session_event_of(
        s, fate, &(jfr_sample){.type = type, .start = start, .end = end, .thread = thread});
}

static void
test_throttle_comes_after_select_and_what_it_drops_triggers_nothing(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='select'>if-context</setting>"
                     "<setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, GONE, 5, 1); // in no context: this does not use up the rate
    session_mark(s, KEPT, 15, 1);
    session_trace(s, KEPT, 10, 20, 1);
    session_mark(s, GONE, 35, 1);
    session_trace(s, GONE, 30, 40, 1);
    session_set(s, 50, 1, "a");
    session_mark(s, GONE, 55, 1);
    session_unset(s, 60, 1);
    session_run(s);
    session_expect_parts(s, 0, "");
}

static void
test_contextual_types_are_throttled_by_their_ends_on_all_threads(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, KEPT, 15, 1);
    session_trace(s, GONE, 10, 40, 1); // the second to end
    session_mark(s, KEPT, 25, 2);
    session_trace(s, GONE, 12, 14, 2); // not triggered: it is not asked
    session_trace(s, KEPT, 20, 30, 2);
    session_run(s);
}

static void
test_a_context_that_throttle_drops_triggers_none_around_it(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    event(s, KEPT, JFR_SAMPLE_SPAN, 5, 25, 1);
    session_trace(s, GONE, 40, 50, 1);
    event(s, GONE, JFR_SAMPLE_SPAN, 35, 55, 1);
    session_run(s);
}

static void
test_contexts_without_a_thread_are_throttled(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Idle'><setting name='contextual'>true</setting>"
                     "<setting name='select'>all</setting>"
                     "<setting name='throttle'>2/s</setting></event>");
    session_chunk(s, 0);
    event(s, KEPT, JFR_SAMPLE_IDLE, 1, 2, 0);
    event(s, KEPT, JFR_SAMPLE_IDLE, 3, S, 0);
    event(s, KEPT, JFR_SAMPLE_IDLE, 3, S + 1, 0);
    session_run(s);
}

static void
test_types_without_a_throttle_are_not_touched(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>0/s</setting></event>"
                     "<event name='test.Trace'><setting name='throttle'>0/s</setting></event>"
                     "<event name='test.Plain'><setting name='throttle'>off</setting></event>");
    session_chunk(s, 0);
    for (int64_t i = 0; i < 50; i++) {
        session_plain(s, KEPT, i, i, 1);
        session_mark(s, GONE, i, 1);
    }
    event(s, KEPT, JFR_SAMPLE_SPAN, 0, 10, 1);
    session_trace(s, GONE, 0, 20, 1);
    session_run(s);
}

static void
test_units_begin_with_the_seconds_of_the_wall_clock(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>2/s</setting></event>");
    session_chunk(s, 100);
    session_build(s)->clock.start_wall_ns = 7 * S - 10;
    session_mark(s, KEPT, 101, 1);
    session_mark(s, KEPT, 109, 1);
    session_mark(s, KEPT, 110, 1); // 7 s
    session_mark(s, KEPT, 111, 1);
    session_run(s);
}

static void
test_a_unit_goes_on_in_the_next_chunk_and_with_what_is_stored_there(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, GONE, 50, 1);
    session_trace(s, GONE, 50, 60, 1);
    session_set(s, 20, 2, "early");
    session_chunk(s, 100);
    session_mark(s, KEPT, 30, 2); // stored late, and committed first
    session_mark(s, GONE, 150, 1);
    session_unset(s, 200, 2);
    session_chunk(s, 300);
    session_mark(s, GONE, 301, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 20..99 @2 id=\"early\"");
}

static void
test_what_comes_later_than_was_looked_ahead_counts_where_its_throttle_stands(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>2/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, KEPT, S + 50, 1);
    session_chunk(s, S + 100);
    session_mark(s, GONE, S + 150, 1);
    session_chunk(s, S + 200);
    session_mark(s, KEPT, 10, 1); // is known with the chunk before, as the second of that second
    session_run(s);
}

static void
test_an_absurd_time_does_not_silence_its_type(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, KEPT, 5, 1);
    session_mark(s, KEPT, INT64_MAX / 2, 1);
    session_chunk(s, 10 * S);
    session_chunk(s, 20 * S);
    session_mark(s, KEPT, 20 * S + 5, 1);
    session_mark(s, GONE, 20 * S + 6, 1);
    session_run(s);
}

static void
test_another_rate_starts_anew(void **state)
{
    (void)state;
    compact_throttles throttles = {0};
    uint32_t index = 7;
    assert_int_equal(
        compact_throttles_add(&throttles, "a", (policy_throttle){1, S}, &index), LP_OK);
    assert_int_equal(index, 0);
    assert_int_equal(
        compact_throttles_add(&throttles, "b", (policy_throttle){1, S}, &index), LP_OK);
    assert_int_equal(index, 1);
    assert_true(compact_sampler_keep(&throttles.items.items[0].sampler, 5));
    assert_int_equal(
        compact_throttles_add(&throttles, "a", (policy_throttle){1, S}, &index), LP_OK);
    assert_int_equal(index, 0);
    assert_int_equal(throttles.items.items[0].sampler.kept, 1);
    assert_int_equal(
        compact_throttles_add(&throttles, "a", (policy_throttle){2, S}, &index), LP_OK);
    assert_int_equal(throttles.items.items[0].sampler.kept, 0);
    assert_int_equal(throttles.items.count, 2);
    compact_throttles_fini(&throttles);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_throttle_comes_after_select_and_what_it_drops_triggers_nothing),
        SESSION_TEST(test_contextual_types_are_throttled_by_their_ends_on_all_threads),
        SESSION_TEST(test_a_context_that_throttle_drops_triggers_none_around_it),
        SESSION_TEST(test_contexts_without_a_thread_are_throttled),
        SESSION_TEST(test_types_without_a_throttle_are_not_touched),
        SESSION_TEST(test_units_begin_with_the_seconds_of_the_wall_clock),
        SESSION_TEST(test_a_unit_goes_on_in_the_next_chunk_and_with_what_is_stored_there),
        SESSION_TEST(test_what_comes_later_than_was_looked_ahead_counts_where_its_throttle_stands),
        SESSION_TEST(test_an_absurd_time_does_not_silence_its_type),
        cmocka_unit_test(test_another_rate_starts_anew),
    };
    return cmocka_run_group_tests_name("compact_throttle", tests, NULL, NULL);
}
