// SPDX-License-Identifier: Apache-2.0
// context-throttle in the engine, by hand. How many are chosen of a second, and what follows from
// it, is by hand; which ones are drawn by the random numbers of the type's name was read from the
// output (test_choose.c tests how they are drawn). Random sessions are in tests/prop.

#include "unit/engine/compact_session.h"

#include "engine/carry/carry.h"

#include <stdio.h>
#include <string.h>

#define MARK_IF_CONTEXT                                                                            \
    "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
#define ONE(type) "<event name='" type "'><setting name='context-throttle'>1/s</setting></event>"

static const int64_t S = 1000000000; // ticks are nanoseconds

// begin makes the first chunk, of a session in which marks need a context.
static void
begin(session *s, const char *rules)
{
    char text[1024];
    (void)snprintf(text, sizeof(text), MARK_IF_CONTEXT "%s", rules);
    session_rules(s, text);
    session_chunk(s, 0);
}

// trace adds a trace with a mark at its end, both of which have that fate.
static void
trace(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread)
{
    session_trace(s, fate, start, end, thread);
    session_mark(s, fate, end, thread);
}

static void
span(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread)
{
    session_event_of(s, fate, &(jfr_sample){JFR_SAMPLE_SPAN, start, end, .thread = thread});
}

static uint64_t
dropped(const session *s, size_t chunk, const char *type, compact_reason reason)
{
    const compact_stats *stats = &s->results[chunk].stats;
    for (size_t i = 0; i < stats->type_count; i++) {
        if (strcmp(stats->types[i].name, type) == 0) {
            return stats->types[i].dropped.by[reason];
        }
    }
    return 0;
}

// --- Contextual events

static void
test_one_on_any_thread_is_chosen(void **state)
{
    session *s = *state;
    begin(s, ONE("test.Trace"));
    trace(s, KEPT, 10, 40, 1);
    trace(s, GONE, 20, 30, 2);
    trace(s, GONE, 25, 35, 3);
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 2);
    assert_int_equal(s->results[0].stats.events_dropped.by[COMPACT_BY_CONTEXT_THROTTLE], 2);
    assert_int_equal(dropped(s, 0, "test.Mark", COMPACT_BY_SELECT), 2);
}

static void
test_what_lies_in_another_context_stays(void **state)
{
    session *s = *state;
    begin(s, ONE("test.Trace"));
    trace(s, KEPT, 10, 20, 1);
    session_trace(s, GONE, 30, 40, 1);
    span(s, KEPT, 34, 36, 1);
    session_mark(s, GONE, 33, 1);
    session_mark(s, KEPT, 35, 1);
    session_plain(s, KEPT, 31, 32, 1); // needs no context
    session_run(s);
}

static void
test_what_does_not_matter_already_is_not_counted(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-threshold'>20 ns</setting>"
             "<setting name='context-match'>traceId=1*</setting>"
             "<setting name='context-throttle'>1/s</setting></event>");
    trace(s, GONE, 10, 29, 1);
    trace(s, GONE, 40, 99, 1); // another value
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THRESHOLD), 1);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_MATCH), 1);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 0);
}

static void
test_those_that_pass_are_counted(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-threshold'>20 ns</setting>"
             "<setting name='context-match'>traceId=1*</setting>"
             "<setting name='context-throttle'>1/s</setting></event>");
    trace(s, GONE, 10, 29, 1);   // too short
    trace(s, GONE, 40, 99, 1);   // another value
    trace(s, KEPT, 100, 120, 1); // the first that is counted
    trace(s, GONE, 130, 150, 1);
    session_run(s);
}

static void
test_no_context_is_kept_that_does_not_matter(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='context-throttle'>0/s</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, KEPT, 15, 1);
    span(s, KEPT, 5, 25, 1);
    session_trace(s, GONE, 40, 50, 1); // triggers none around it
    span(s, GONE, 35, 55, 1);
    session_run(s);
}

static void
test_a_disabled_type_is_sampled_all_the_same(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='enabled'>false</setting>"
             "<setting name='context-throttle'>1/s</setting></event>");
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, KEPT, 15, 1);
    session_trace(s, GONE, 30, 40, 1);
    session_mark(s, GONE, 35, 1);
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_ENABLED), 2);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 0);
}

static void
test_those_without_a_thread_are_sampled(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Idle'><setting name='contextual'>true</setting>"
                     "<setting name='select'>all</setting>"
                     "<setting name='context-throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_IDLE, 1, 2});
    session_event_of(s, GONE, &(jfr_sample){JFR_SAMPLE_IDLE, 1, 3});
    session_run(s);
}

static void
test_the_throttle_of_the_type_counts_for_itself(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='throttle'>1/s</setting>"
             "<setting name='context-throttle'>1/s</setting></event>");
    session_trace(s, KEPT, 10, 20, 1); // the first of both
    session_mark(s, KEPT, 15, 1);
    trace(s, GONE, 30, 40, 1);
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 1);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_THROTTLE), 0);
}

static void
test_what_a_throttle_drops_is_a_context(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='throttle'>0/s</setting>"
             "<setting name='context-throttle'>1/s</setting></event>");
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, KEPT, 15, 1);
    trace(s, GONE, 30, 40, 1);
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_THROTTLE), 1);
}

// --- Where chunks end

static void
test_one_that_is_stored_in_the_next_chunk_is_decided_with_this_one(void **state)
{
    session *s = *state;
    begin(s, ONE("test.Trace"));
    session_trace(s, GONE, 5, 25, 1);
    session_mark(s, GONE, 18, 1);
    session_mark(s, KEPT, 28, 2);
    session_mark(s, GONE, 22, 3);
    session_chunk(s, 100);
    session_trace(s, KEPT, 10, 60, 2);
    session_trace(s, GONE, 20, 30, 3);
    session_mark(s, KEPT, 29, 2);
    session_mark(s, GONE, 29, 3);
    trace(s, GONE, 40, 50, 1);
    session_chunk(s, 200);
    session_mark(s, KEPT, 27, 2); // all are still known
    session_mark(s, GONE, 21, 3);
    session_mark(s, GONE, 17, 1);
    session_run(s);
    assert_int_equal(dropped(s, 0, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 1);
    assert_int_equal(dropped(s, 1, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 2);
}

static void
test_one_of_the_next_chunk_that_does_not_matter_triggers_nothing(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='context-throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    span(s, GONE, 20, 50, 1);
    span(s, KEPT, 20, 50, 2);
    session_chunk(s, 100);
    session_trace(s, GONE, 30, 40, 1);
    session_trace(s, KEPT, 30, 39, 2);
    session_run(s);
}

static void
test_one_that_is_open_at_a_border_is_one_of_the_second_in_which_it_ends(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-throttle'>0/s</setting></event>");
    session_mark(s, GONE, 90, 1);
    session_chunk(s, 100);
    trace(s, GONE, 80, 120, 1);
    session_trace(s, GONE, 85, S + 10, 1);
    session_run(s);
    assert_int_equal(dropped(s, 1, "test.Trace", COMPACT_BY_CONTEXT_THROTTLE), 2);
}

static void
test_one_that_ends_later_than_is_known_matters_and_is_counted(void **state)
{
    session *s = *state;
    begin(s, ONE("test.Trace"));
    trace(s, KEPT, 10, 20, 1);
    session_mark(s, KEPT, 90, 1);
    session_mark(s, KEPT, 90, 2);
    session_chunk(s, 100); // of which two seconds are known
    session_chunk(s, 3 * S);
    session_trace(s, KEPT, 80, 2 * S + 120, 1); // both on top of one a second
    session_trace(s, KEPT, 85, 2 * S + 10, 2);
    trace(s, GONE, 2 * S + 1, 2 * S + 20, 3); // this second has one already
    trace(s, KEPT, 3 * S + 110, 3 * S + 120, 3);
    session_run(s);
}

static void
test_those_that_are_open_leave_the_rest_of_the_room_to_others(void **state)
{
    enum { OPEN = 4 };
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-throttle'>5/s</setting></event>");
    for (uint64_t thread = 1; thread <= OPEN; thread++) {
        session_mark(s, KEPT, 90, thread);
    }
    session_chunk(s, 100); // of which two seconds are known
    session_chunk(s, 3 * S);
    for (uint64_t thread = 1; thread <= OPEN; thread++) {
        session_trace(s, KEPT, 80, 2 * S + 120, thread);
    }
    trace(s, KEPT, 2 * S + 1, 2 * S + 20, OPEN + 1); // alone among those that are drawn
    session_run(s);
}

static void
test_the_first_tick_that_is_not_known_is_the_first_that_can_be_open(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-throttle'>0/s</setting></event>");
    session_chunk(s, 100);
    session_chunk(s, 3 * S);
    trace(s, GONE, 90, 2 * S - 1, 1); // over by then
    trace(s, KEPT, S - 1, 2 * S, 2);  // open
    trace(s, GONE, S, 2 * S + 5, 3);  // begins when no event was decided
    session_run(s);
}

static void
test_the_last_event_of_a_chunk_may_be_behind_its_border(void **state)
{
    session *s = *state;
    begin(s, "<event name='test.Trace'><setting name='context-throttle'>0/s</setting></event>");
    session_mark(s, KEPT, S + 30, 2); // so that what begins in that second may be open
    session_chunk(s, S - 100);
    session_trace(s, KEPT, S + 20, 2 * S + 10, 2);
    trace(s, GONE, 2 * S, 2 * S + 20, 3);
    session_run(s);
}

static void
test_an_absurd_time_does_not_silence_a_type(void **state)
{
    session *s = *state;
    begin(s, ONE("test.Trace") ONE("tracer"));
    session_trace(s, KEPT, 10, 20, 1);
    session_mark(s, KEPT, 15, 1);
    trace(s, KEPT, 5, INT64_MAX / 2, 2);
    session_chunk(s, 10 * S);
    session_set(s, 10 * S + 5, 3, "by far behind the border, if not behind that time");
    session_unset(s, 11 * S + 5, 3);
    session_set(s, 11 * S + 5, 4, "chosen");
    session_unset(s, 11 * S + 6, 4);
    session_set(s, 11 * S + 7, 3, "passed");
    session_mark(s, GONE, 11 * S + 8, 3);
    session_unset(s, 11 * S + 9, 3);
    session_chunk(s, 20 * S);
    trace(s, GONE, 20 * S + 5, 20 * S + 6, 1);
    trace(s, KEPT, 20 * S + 7, 20 * S + 8, 1);
    session_run(s);
}

// --- Contexts of the API

static void
test_contexts_of_the_api_are_sampled_by_their_ends(void **state)
{
    session *s = *state;
    begin(s, ONE("tracer"));
    session_set(s, 10, 1, "long");
    session_set(s, 20, 2, "short");
    session_unset(s, 30, 2);
    session_unset(s, 40, 1);
    session_mark(s, KEPT, 15, 1);
    session_mark(s, GONE, 25, 2);
    session_plain(s, KEPT, 14, 16, 1);
    session_set_number(s, 12, 3, SESSION_ORDER, 7); // of another type
    session_mark(s, KEPT, 13, 3);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..40 @1 id=\"long\", #3 12..1000000000 @3 number=7");
    assert_int_equal(dropped(s, 0, "tracer", COMPACT_BY_CONTEXT_THROTTLE), 1);
}

static ctx_entry pay[] = {{.key = "route", .value = SESSION_VALUE("/pay")}};
static const ctx_recording maps[] = {{1, 1, pay}};

static void
test_recording_contexts_are_sampled(void **state)
{
    session *s = *state;
    begin(s, ONE("loupe.RecordingContext"));
    session_define(s, maps, 1);
    session_install(s, 10, 1, 1);
    session_uninstall(s, 20, 1);
    session_mark(s, KEPT, 15, 1);
    session_install(s, 30, 1, 1);
    session_uninstall(s, 40, 1);
    session_mark(s, GONE, 35, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 route=\"/pay\"");
}

static void
test_one_of_the_api_that_is_open_at_borders_matters_and_is_counted_once(void **state)
{
    session *s = *state;
    begin(s, ONE("tracer"));
    session_set(s, 90, 1, "across");
    session_mark(s, KEPT, 95, 1);
    session_chunk(s, 100);
    session_mark(s, KEPT, 150, 1);
    session_set(s, 110, 2, "chosen before the other ends");
    session_unset(s, 120, 2);
    session_mark(s, KEPT, 115, 2);
    session_chunk(s, 200);
    session_mark(s, KEPT, S + 10, 1);
    session_unset(s, S + 20, 1);
    session_set(s, S + 30, 2, "the second of its second");
    session_mark(s, GONE, S + 35, 2);
    session_unset(s, S + 40, 2);
    session_chunk(s, S + 100);
    session_mark(s, KEPT, S + 11, 1); // stored late
    session_mark(s, GONE, S + 36, 2);
    session_mark(s, KEPT, 2 * S + 10, 2);
    session_set(s, 2 * S + 5, 2, "the first of the next");
    session_unset(s, 2 * S + 20, 2);
    session_run(s);
    session_expect_parts(s, 0, "#1 90..99 @1 id=\"across\"");
    session_expect_parts(
        s, 1, "#1 100..199 @1 id=\"across\", #2 110..120 @2 id=\"chosen before the other ends\"");
    session_expect_parts(s, 2, "#1 200..1000000020 @1 id=\"across\"");
    session_expect_parts(s, 3, "#4 2000000005..2000000020 @2 id=\"the first of the next\"");
    assert_int_equal(dropped(s, 2, "tracer", COMPACT_BY_CONTEXT_THROTTLE), 1);
}

static void
test_one_of_the_api_whose_records_come_with_the_next_chunk_is_decided_once(void **state)
{
    session *s = *state;
    begin(s, ONE("tracer"));
    session_set(s, 5, 2, "ended before");
    session_mark(s, KEPT, 15, 1);
    session_mark(s, GONE, 38, 2);
    session_chunk(s, 100);
    session_unset(s, 40, 2);
    session_set(s, 10, 1, "late");
    session_unset(s, 20, 1);
    session_mark(s, KEPT, 16, 1);
    session_mark(s, GONE, 39, 2);
    session_set(s, 110, 3, "no longer");
    session_unset(s, 120, 3);
    session_mark(s, GONE, 115, 3);
    session_run(s);
    session_expect_parts(s, 0, "#2 10..20 @1 id=\"late\"");
    assert_int_equal(dropped(s, 1, "tracer", COMPACT_BY_CONTEXT_THROTTLE), 2);
}

// run_unknowing compacts two chunks, the first of which knows nothing of the second one's records,
// and gives what was dropped of contexts by context-throttle.
static uint64_t
run_unknowing(session *s, jfr_read outputs[2])
{
    compact_source sources[2];
    for (size_t i = 0; i < 2; i++) {
        sources[i] = (compact_source){.jfr = jfr_build_finish(&s->chunks[i]),
            .records = lp_buf_slice(&s->records[i]),
            .types = s->types[i],
            .type_count = s->type_count[i]};
    }
    compact_source ahead = sources[1];
    ahead.records.len = 0;
    const compact_options options = {.policy = s->rules, .refused = COMPACT_REFUSED_ALL};
    compact_result first;
    compact_result second;
    assert_int_equal(compact_chunk(&sources[0], &ahead, 1, NULL, &options, &first, NULL), LP_OK);
    compact_carry *carry = compact_run_through_bytes(first.carry);
    assert_int_equal(compact_chunk(&sources[1], NULL, 0, carry, &options, &second, NULL), LP_OK);
    compact_run_read(&first, &outputs[0]);
    compact_run_read(&second, &outputs[1]);
    uint64_t count = first.stats.contexts_dropped.by[COMPACT_BY_CONTEXT_THROTTLE] +
                     second.stats.contexts_dropped.by[COMPACT_BY_CONTEXT_THROTTLE];
    compact_carry_destroy(carry);
    compact_result_fini(&first);
    compact_result_fini(&second);
    return count;
}

static void
test_an_end_that_comes_late_changes_nothing(void **state)
{
    session *s = *state;
    begin(s, ONE("tracer"));
    session_set(s, 10, 1, "chosen");
    session_unset(s, 20, 1);
    session_set(s, 30, 1, "taken for open");
    session_mark(s, KEPT, 35, 1);
    session_chunk(s, 100);
    session_unset(s, 40, 1); // it was over, but that was not known
    session_mark(s, KEPT, 36, 1);
    session_set(s, 110, 1, "passed");
    session_unset(s, 120, 1);
    session_mark(s, GONE, 115, 1);
    for (uint64_t i = 0; i < 2; i++) {
        jfr_sample_thread(&s->chunks[i], 1, 1);
        jfr_build_checkpoint(&s->chunks[i]);
    }
    jfr_read outputs[2];
    assert_int_equal(run_unknowing(s, outputs), 1);
    assert_int_equal(jfr_read_count(&outputs[0], "test.Mark"), 1);
    assert_int_equal(jfr_read_count(&outputs[1], "test.Mark"), 1);
    jfr_read_close(&outputs[0]);
    jfr_read_close(&outputs[1]);
}

// The chunk in the middle is lost once the first has looked at it. In the last one a context lies
// at the place of its.
static void
test_what_was_decided_of_a_chunk_that_is_lost_is_of_no_other(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='context-throttle'>0/s</setting></event>");
    session_chunk(s, 200);
    session_chunk(s, 1100);
    session_trace(s, GONE, 230, 240, 1);
    session_chunk(s, 2000);
    session_trace(s, KEPT, 2210, 2220, 1);
    compact_source sources[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        jfr_sample_thread(&s->chunks[i], 1, 1);
        jfr_build_checkpoint(&s->chunks[i]);
        sources[i].jfr = jfr_build_finish(&s->chunks[i]);
    }
    compact_options options = {.policy = s->rules, .refused = COMPACT_REFUSED_ALL};
    compact_result first;
    compact_result last;
    assert_int_equal(
        compact_chunk(&sources[0], &sources[1], 1, NULL, &options, &first, NULL), LP_OK);
    assert_int_equal(first.carry->quotas.early.count, 1);
    policy *one = compact_run_policy("<event name='test.Trace'><setting name='select'>all</setting>"
                                     "<setting name='context-throttle'>1/s</setting></event>");
    options.policy = one;
    assert_int_equal(
        compact_chunk(&sources[2], NULL, 0, first.carry, &options, &last, NULL), LP_OK);
    assert_int_equal(last.stats.contexts_out, 1);
    compact_result_fini(&first);
    compact_result_fini(&last);
    policy_destroy(one);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_one_on_any_thread_is_chosen),
        SESSION_TEST(test_what_lies_in_another_context_stays),
        SESSION_TEST(test_what_does_not_matter_already_is_not_counted),
        SESSION_TEST(test_those_that_pass_are_counted),
        SESSION_TEST(test_no_context_is_kept_that_does_not_matter),
        SESSION_TEST(test_a_disabled_type_is_sampled_all_the_same),
        SESSION_TEST(test_those_without_a_thread_are_sampled),
        SESSION_TEST(test_the_throttle_of_the_type_counts_for_itself),
        SESSION_TEST(test_what_a_throttle_drops_is_a_context),
        SESSION_TEST(test_one_that_is_stored_in_the_next_chunk_is_decided_with_this_one),
        SESSION_TEST(test_one_of_the_next_chunk_that_does_not_matter_triggers_nothing),
        SESSION_TEST(test_one_that_is_open_at_a_border_is_one_of_the_second_in_which_it_ends),
        SESSION_TEST(test_one_that_ends_later_than_is_known_matters_and_is_counted),
        SESSION_TEST(test_those_that_are_open_leave_the_rest_of_the_room_to_others),
        SESSION_TEST(test_the_first_tick_that_is_not_known_is_the_first_that_can_be_open),
        SESSION_TEST(test_the_last_event_of_a_chunk_may_be_behind_its_border),
        SESSION_TEST(test_an_absurd_time_does_not_silence_a_type),
        SESSION_TEST(test_contexts_of_the_api_are_sampled_by_their_ends),
        SESSION_TEST(test_recording_contexts_are_sampled),
        SESSION_TEST(test_one_of_the_api_that_is_open_at_borders_matters_and_is_counted_once),
        SESSION_TEST(test_one_of_the_api_whose_records_come_with_the_next_chunk_is_decided_once),
        SESSION_TEST(test_an_end_that_comes_late_changes_nothing),
        SESSION_TEST(test_what_was_decided_of_a_chunk_that_is_lost_is_of_no_other),
    };
    return cmocka_run_group_tests_name("compact_context_throttle", tests, NULL, NULL);
}
