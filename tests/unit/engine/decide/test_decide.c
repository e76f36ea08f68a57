// SPDX-License-Identifier: Apache-2.0
// What is kept: one test for each rule of docs/internals/elimination.md, with the fate of each
// event written beside it.

#include "unit/engine/compact_session.h"

#include "engine/read/view.h"

#include <stdio.h>

#define MARK_IF_CONTEXT                                                                            \
    "<event name='test.Mark'><setting name='select'>if-context</setting></event>"
#define PLAIN_IF_CONTEXT                                                                           \
    "<event name='test.Plain'><setting name='select'>if-context</setting></event>"

static void
test_both_ends_of_a_context_are_inside(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 10, 1);
    session_trace(s, KEPT, 10, 20, 1);
    session_trace(s, GONE, 11, 19, 1);
    session_mark(s, KEPT, 20, 1);
    session_mark(s, KEPT, 30, 2);
    session_trace(s, GONE, 31, 39, 2);
    session_mark(s, KEPT, 40, 2);
    session_mark(s, KEPT, 50, 3);
    session_trace(s, KEPT, 45, 50, 3);
    session_trace(s, KEPT, 50, 50, 3);
    session_run(s);
}

static void
test_the_commit_time_of_an_event_counts(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_plain(s, KEPT, 1, 15, 1);
    session_trace(s, GONE, 10, 20, 2);
    session_plain(s, KEPT, 15, 21, 2);
    session_run(s);
}

static void
test_nothing_triggers_itself(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_trace(s, GONE, 12, 18, 1);
    session_event_of(s, GONE, &(jfr_sample){JFR_SAMPLE_SPAN, 13, 14, .thread = 1});
    session_run(s);
}

static void
test_overlapping_contexts_trigger_one_way(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 1, 5, 1); // A triggers B
    session_trace(s, KEPT, 3, 9, 1);
    session_mark(s, KEPT, 2, 1);
    session_trace(s, GONE, 1, 5, 2); // B does not trigger A
    session_trace(s, KEPT, 3, 9, 2);
    session_mark(s, KEPT, 7, 2);
    session_run(s);
}

static void
test_a_kept_context_triggers_the_one_around_it(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 1, 100, 1);
    session_trace(s, KEPT, 10, 50, 1);
    session_trace(s, KEPT, 20, 30, 1);
    session_mark(s, KEPT, 25, 1);
    session_trace(s, GONE, 40, 45, 1);
    session_run(s);
}

static void
test_a_chain_of_triggers_ends_where_one_is_dropped(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='threshold'>20 ns</setting></event>");
    session_chunk(s, 0);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_SPAN, 1, 20, .thread = 1});
    session_trace(s, GONE, 15, 25, 1); // shorter than the threshold, though triggered
    session_event_of(s, GONE, &(jfr_sample){JFR_SAMPLE_SPAN, 21, 30, .thread = 1});
    session_mark(s, KEPT, 18, 1);
    session_run(s);
}

static void
test_at_equal_ends_the_inner_context_comes_first(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 1, 9, 1); // kept, but decided after the inner one
    session_trace(s, GONE, 5, 9, 1);
    session_mark(s, KEPT, 3, 1);
    session_trace(s, GONE, 5, 9, 2); // the same, stored the other way round
    session_mark(s, KEPT, 3, 2);
    session_trace(s, KEPT, 1, 9, 2);
    session_run(s);
}

static void
test_at_equal_ends_plain_events_come_first(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 1, 9, 1);
    session_trace(s, KEPT, 5, 9, 1);
    session_trace(s, KEPT, 9, 9, 1);
    session_mark(s, KEPT, 9, 1); // stored last
    session_run(s);
}

static void
test_of_equal_contexts_the_first_in_the_file_comes_first(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting></event>");
    session_chunk(s, 0);
    session_trace(s, KEPT, 5, 9, 1);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_SPAN, 5, 9, .thread = 1});
    session_event_of(s, GONE, &(jfr_sample){JFR_SAMPLE_SPAN, 5, 9, .thread = 2});
    session_trace(s, KEPT, 5, 9, 2);
    session_run(s);
}

static void
test_a_plain_event_counts_though_a_later_one_comes_first(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 5, 1);
    session_mark(s, KEPT, 9, 1);
    session_trace(s, KEPT, 4, 6, 1);
    session_run(s);
}

static void
test_contexts_that_come_in_order_cross(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 2, 1);
    session_trace(s, KEPT, 1, 5, 1);
    session_trace(s, KEPT, 3, 9, 1);
    session_run(s);
}

static void
test_a_context_many_rows_away_is_triggered_by_what_comes_last(void **state)
{
    enum { CONTEXTS = 5 * COMPACT_BLOCK_ROWS, LATE = 10, EARLY = 300 };
    session *s = *state;
    session_chunk(s, 0);
    for (int i = 0; i < CONTEXTS; i++) {
        bool is_triggered = i % 7 == 0;
        if (is_triggered) {
            session_mark(s, KEPT, 10 * i + 2, 1);
        }
        session_trace(
            s, is_triggered || i == LATE || i == EARLY ? KEPT : GONE, 10 * i, 10 * i + 5, 1);
    }
    session_mark(s, KEPT, 10 * LATE, 1);
    session_mark(s, KEPT, 10 * EARLY + 5, 1);
    session_mark(s, KEPT, 10 * EARLY + 6, 1); // in none
    session_run(s);
}

static void
test_what_the_chunk_before_triggers_crosses_a_context_many_rows_behind(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 20, 1);
    session_chunk(s, 30);
    session_trace(s, KEPT, 10, 1000, 1);
    for (int i = 0; i < 2 * COMPACT_BLOCK_ROWS; i++) {
        session_trace(s, GONE, 50 + i, 50 + i, 2);
    }
    session_trace(s, KEPT, 900, 1010, 1);
    session_run(s);
}

static void
test_threads_do_not_trigger_each_other(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, KEPT, 15, 2);
    session_run(s);
}

static void
test_one_java_thread_may_have_several_keys(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    jfr_sample_thread(session_build(s), 70, 7);
    jfr_sample_thread(session_build(s), 0xfffffffffffffff1, 7); // another osThreadId, too
    session_trace(s, KEPT, 10, 20, 70);
    session_mark(s, KEPT, 15, 0xfffffffffffffff1);
    session_chunk(s, 100);
    jfr_sample_thread(session_build(s), 70, 8);
    jfr_sample_thread(session_build(s), 80, 7);
    session_trace(s, GONE, 12, 120, 70); // now another thread
    session_trace(s, KEPT, 12, 120, 80);
    session_run(s);
}

// Key 70 is Java thread 7, and only the first chunk says so.
static void
begin_with_thread_7(session *s)
{
    session_chunk(s, 0);
    jfr_sample_thread(session_build(s), 70, 7);
}

static void
test_a_thread_of_the_chunk_before_goes_on_where_nothing_describes_it(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    session_trace(s, KEPT, 10, 20, 70);
    session_plain(s, KEPT, 15, 16, 70);
    session_chunk(s, 100);
    session_trace(s, KEPT, 12, 120, 70); // triggered in the chunk before
    session_trace(s, GONE, 19, 121, 71);
    session_mark(s, KEPT, 18, 70); // stored late
    session_mark(s, GONE, 18, 71);
    session_run(s);
}

static void
test_a_context_of_the_api_covers_a_thread_that_nothing_describes_any_more(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    session_set(s, 10, 7, "a");
    session_chunk(s, 100);
    session_mark(s, KEPT, 110, 70);
    session_mark(s, GONE, 110, 71);
    session_chunk(s, 200);
    session_chunk(s, 5000000000);
    session_mark(s, KEPT, 5000000001, 70);
    session_run(s);
}

static void
test_a_thread_on_which_something_was_kept_is_known_for_good(void **state)
{
    session *s = *state;
    begin_with_thread_7(s);
    session_plain(s, KEPT, 15, 16, 70);
    session_chunk(s, 100);
    session_chunk(s, 5000000000);
    session_trace(s, KEPT, 12, 5000000010, 70);
    session_trace(s, GONE, 17, 5000000010, 70);
    session_run(s);
}

static void
test_the_look_ahead_knows_threads_of_earlier_chunks(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    jfr_sample_thread(session_build(s), 71, 7);
    session_chunk(s, 100);
    session_mark(s, KEPT, 110, 70);
    session_chunk(s, 200);
    session_trace(s, KEPT, 105, 210, 71); // the same thread by another key
    session_run(s);
}

static void
test_a_key_means_what_the_last_chunk_that_describes_it_says(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    session_plain(s, KEPT, 15, 16, 70);
    session_chunk(s, 100);
    jfr_sample_thread(session_build(s), 70, 8);
    session_plain(s, KEPT, 115, 116, 70);
    session_mark(s, KEPT, 130, 70); // by what is ahead
    session_chunk(s, 200);
    session_trace(s, GONE, 12, 114, 70);
    session_trace(s, KEPT, 125, 210, 70);
    session_run(s);
}

static void
test_a_thread_is_known_as_long_with_saved_carry_overs(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s); // and nothing is on it
    session_chunk(s, 100);
    session_chunk(s, 200);
    session_set(s, 210, 7, "a");
    session_mark(s, KEPT, 220, 70);
    session_run(s);
}

static void
test_of_a_key_that_is_described_twice_the_first_counts_later_too(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    jfr_sample_thread(session_build(s), 70, 8);
    session_set(s, 10, 7, "a");
    session_mark(s, KEPT, 20, 70);
    session_chunk(s, 100);
    session_mark(s, KEPT, 120, 70);
    session_run(s);
}

static void
test_what_is_forgotten_of_a_key_does_not_bring_back_what_it_meant_before(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT);
    begin_with_thread_7(s);
    session_plain(s, KEPT, 15, 16, 70);
    session_chunk(s, 100);
    jfr_sample_thread(session_build(s), 70, 8);
    for (uint64_t key = 100; key < 10100; key++) {
        jfr_sample_thread(session_build(s), key, (int64_t)key);
    }
    session_chunk(s, 200);
    session_chunk(s, 300);
    session_set(s, 310, 7, "a");
    session_mark(s, GONE, 320, 70);
    session_run(s);
}

static void
save_carry(session *s, size_t chunk, lp_buf *out_bytes)
{
    assert_int_equal(compact_carry_save(s->results[chunk].carry, out_bytes), LP_OK);
}

static void
test_threads_on_which_nothing_was_are_forgotten(void **state)
{
    session *few = *state;
    session *many = session_create();
    session *both[] = {few, many};
    for (size_t i = 0; i < 2; i++) {
        begin_with_thread_7(both[i]);
        for (uint64_t key = 100; i == 1 && key < 10100; key++) {
            jfr_sample_thread(session_build(both[i]), key, (int64_t)key);
        }
        session_plain(both[i], KEPT, 15, 16, 70);
        session_chunk(both[i], 100);
        session_run(both[i]);
    }
    lp_buf want = {0};
    lp_buf got = {0};
    save_carry(few, 1, &want);
    save_carry(many, 1, &got);
    assert_in_range(got.len, 1, want.len);
    lp_buf_fini(&want);
    lp_buf_fini(&got);
    session_destroy(many);
}

static void
add_os_thread(session *s, uint64_t key, uint64_t os_thread_id)
{
    lp_buf *out = &session_build(s)->payload;
    jfr_build_string(out, "VM");
    jfr_build_varint(out, os_thread_id);
    jfr_build_string(out, NULL);
    jfr_build_varint(out, 0);
    jfr_build_varint(out, 0);
    jfr_build_constant(session_build(s), JFR_SAMPLE_THREAD, key);
}

static void
test_threads_without_java_id_are_told_apart_by_os_id(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    add_os_thread(s, 70, 4711);
    add_os_thread(s, 71, 4711);
    add_os_thread(s, 72, 4712);
    add_os_thread(s, 73, 3); // not the Java thread 3
    session_trace(s, KEPT, 10, 20, 70);
    session_mark(s, KEPT, 15, 71);
    session_trace(s, GONE, 10, 20, 72);
    session_trace(s, GONE, 10, 20, 73);
    session_mark(s, KEPT, 15, 3);
    session_run(s);
}

static void
test_events_of_unresolvable_threads_stay(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 15, 99);
    session_mark(s, KEPT, 15, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_run(s);
}

static void
test_keys_that_nothing_describes_are_told_apart_by_all_their_bits(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    for (unsigned bit = 32; bit < 64; bit++) {
        session_trace(s, GONE, 10, 20, 99 | (uint64_t)1 << bit);
    }
    session_trace(s, KEPT, 10, 20, 99);
    session_mark(s, KEPT, 15, 99);
    session_run(s);
}

static void
test_a_sampled_thread_is_the_thread_of_its_sample(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_EXECUTION, 20, .thread = 1});
    session_trace(s, GONE, 10, 20, 2);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_EXECUTION, 21, .thread = 2});
    session_trace(s, KEPT, 10, 20, 3); // eventThread counts where both are there
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_BOTH, 10, 20, .thread = 3});
    session_run(s);
}

static void
test_the_thread_is_found_behind_any_fields(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_ODD, 1, 20, .thread = 1, .text = "odd"});
    session_run(s);
}

static void
test_events_without_thread_are_in_no_context(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_event_of(s, KEPT, &(jfr_sample){.type = JFR_SAMPLE_IDLE, .start = 10, .end = 15});
    session_rules(
        s, MARK_IF_CONTEXT "<event name='test.Idle'><setting name='select'>all</setting></event>");
    session_mark(s, GONE, 15, 2);
    session_run(s);
}

static void
test_if_context_drops_events_without_thread(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Idle'><setting name='select'>if-context</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_event_of(s, GONE, &(jfr_sample){.type = JFR_SAMPLE_IDLE, .start = 10, .end = 15});
    session_run(s);
}

static void
test_disabled_events_trigger_nothing(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='enabled'>false</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_mark(s, GONE, 15, 1);
    session_trace(s, KEPT, 10, 20, 2);
    session_mark(s, GONE, 15, 2);
    session_plain(s, KEPT, 15, 16, 2);
    session_run(s);
}

static void
test_the_threshold_is_inclusive_and_of_durations_only(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Plain'><setting name='threshold'>20 ns</setting></event>"
                     "<event name='test.Mark'><setting name='threshold'>20 ns</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 200, 1);
    session_plain(s, GONE, 100, 119, 1);
    session_trace(s, KEPT, 10, 200, 2);
    session_plain(s, KEPT, 100, 120, 2);
    session_trace(s, KEPT, 10, 200, 3);
    session_mark(s, KEPT, 100, 3);
    session_run(s);
}

static void
test_if_context_needs_a_context_kept_or_not(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_plain(s, GONE, 1, 9, 1);
    session_plain(s, KEPT, 1, 10, 1);
    session_plain(s, KEPT, 1, 20, 1);
    session_plain(s, GONE, 15, 21, 1); // begins inside, is committed outside
    session_plain(s, GONE, 15, 15, 2); // another thread
    session_run(s);
}

static void
test_a_context_that_is_dropped_still_covers(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT
        "<event name='test.Trace'><setting name='threshold'>1 ms</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    session_plain(s, KEPT, 1, 10, 1);
    session_run(s);
}

static void
test_what_if_context_drops_triggers_nothing(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_plain(s, GONE, 1, 30, 1);
    session_trace(s, GONE, 40, 50, 1);
    session_run(s);
}

static void
test_select_all_keeps_contexts(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting></event>");
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_event_of(s, KEPT, &(jfr_sample){JFR_SAMPLE_SPAN, 5, 30, .thread = 1});
    session_run(s);
}

static void
test_values_for_the_other_kind_of_type_mean_all(void **state)
{
    session *s = *state;
    session_rules(s,
        "<event name='test.Trace'><setting name='select'>if-context</setting></event>"
        "<event name='test.Plain'><setting name='select'>if-triggered</setting></event>");
    session_chunk(s, 0);
    session_trace(s, KEPT, 10, 20, 1);
    session_plain(s, KEPT, 30, 40, 1);
    session_run(s);
}

static void
test_the_policy_makes_types_contextual(void **state)
{
    session *s = *state;
    session_rules(s, MARK_IF_CONTEXT
        "<event name='test.Plain'><setting name='contextual'>true</setting></event>");
    session_chunk(s, 0);
    session_plain(s, KEPT, 10, 20, 1);
    session_mark(s, KEPT, 15, 1);
    session_plain(s, GONE, 30, 40, 1);
    session_mark(s, GONE, 25, 1);
    session_run(s);
}

static void
test_a_kept_event_triggers_a_context_of_a_later_chunk(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_mark(s, KEPT, 50, 1);
    session_mark(s, KEPT, 60, 1);
    session_mark(s, KEPT, 40, 2);
    session_chunk(s, 10000000000);
    session_chunk(s, 20000000000);
    session_chunk(s, 30000000000);
    session_trace(s, KEPT, 55, 30000000005, 1);
    session_trace(s, KEPT, 60, 30000000005, 1);
    session_trace(s, GONE, 41, 30000000005, 2);
    session_run(s);
    session_expect_parts(s, 0, "");
}

static void
test_a_later_context_covers_events_of_the_chunk_before(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_plain(s, GONE, 1, 49, 1);
    session_plain(s, KEPT, 1, 50, 1);
    session_plain(s, GONE, 1, 50, 2);
    session_chunk(s, 1000);
    session_trace(s, KEPT, 50, 1010, 1);
    session_run(s);
}

static void
test_a_late_event_is_heeded_where_it_belongs(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 900, 950, 1);
    session_trace(s, GONE, 900, 950, 2);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 925, 1);
    session_mark(s, KEPT, 951, 2);
    session_run(s);
    assert_int_equal(s->results[0].stats.late_events, 0);
    assert_int_equal(s->results[1].stats.late_events, 2);
}

static void
add_many(session *s)
{
    for (int64_t i = 0; i < COMPACT_BLOCK_ROWS; i++) {
        session_mark(s, KEPT, 1100 + i, 4);
        session_trace(s, GONE, 2100 + 2 * i, 2101 + 2 * i, 4);
    }
}

static void
test_a_late_event_is_found_among_many_wherever_it_is(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 900, 910, 1);
    session_trace(s, KEPT, 900, 920, 2);
    session_trace(s, KEPT, 900, 930, 3);
    session_trace(s, GONE, 940, 950, 3);
    session_chunk(s, 1000);
    session_mark(s, KEPT, 905, 1);
    add_many(s);
    session_trace(s, KEPT, 890, 915, 2); // triggers the other one
    session_mark(s, KEPT, 895, 2);
    add_many(s);
    session_mark(s, KEPT, 925, 3); // the last
    session_run(s);
}

static void
test_a_late_context_is_decided_by_earlier_events(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_mark(s, KEPT, 925, 1);
    session_plain(s, KEPT, 900, 925, 2);
    session_plain(s, GONE, 890, 899, 3);
    session_trace(s, KEPT, 800, 960, 1); // around the late one
    session_chunk(s, 1000);
    session_trace(s, KEPT, 900, 950, 1);
    session_trace(s, GONE, 926, 950, 1);
    session_trace(s, KEPT, 900, 950, 2);
    session_trace(s, GONE, 900, 950, 3);
    session_run(s);
}

static void
test_a_late_event_is_covered_by_a_context_of_its_time(void **state)
{
    session *s = *state;
    session_rules(s, PLAIN_IF_CONTEXT);
    session_chunk(s, 0);
    session_trace(s, KEPT, 900, 950, 1);
    session_trace(s, GONE, 900, 950, 2);
    session_chunk(s, 1000);
    session_plain(s, KEPT, 900, 950, 1);
    session_plain(s, GONE, 900, 951, 2);
    session_run(s);
}

static void
test_ties_hold_across_chunks(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_trace(s, KEPT, 900, 950, 1);
    session_mark(s, KEPT, 905, 1);
    session_mark(s, KEPT, 950, 2);
    session_trace(s, KEPT, 900, 950, 3);
    session_mark(s, KEPT, 905, 3);
    session_chunk(s, 1000);
    session_trace(s, GONE, 910, 950, 1); // the inner one, decided before the one that was kept
    session_trace(s, KEPT, 890, 950, 1);
    session_trace(s, KEPT, 950, 950, 2);
    session_trace(s, KEPT, 900, 950, 3); // of equal ones the first in the files comes first
    session_run(s);
}

static void
test_a_duration_below_zero_is_no_reason_to_drop(void **state)
{
    session *s = *state;
    session_chunk(s, 0);
    session_plain(s, KEPT, 30, 20, 1);
    session_run(s);
}

static void
test_contexts_of_the_api_heed_no_settings_of_events(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='tracer'><setting name='enabled'>false</setting>"
                     "<setting name='threshold'>1 s</setting><setting name='select'>all</setting>"
                     "<setting name='throttle'>0/s</setting></event>");
    session_chunk(s, 0);
    session_set(s, 10, 1, "a");
    session_mark(s, KEPT, 15, 1);
    session_unset(s, 20, 1);
    session_set(s, 30, 1, "b");
    session_unset(s, 40, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 10..20 @1 id=\"a\"");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(test_both_ends_of_a_context_are_inside),
        SESSION_TEST(test_the_commit_time_of_an_event_counts),
        SESSION_TEST(test_nothing_triggers_itself),
        SESSION_TEST(test_overlapping_contexts_trigger_one_way),
        SESSION_TEST(test_a_kept_context_triggers_the_one_around_it),
        SESSION_TEST(test_a_chain_of_triggers_ends_where_one_is_dropped),
        SESSION_TEST(test_at_equal_ends_the_inner_context_comes_first),
        SESSION_TEST(test_at_equal_ends_plain_events_come_first),
        SESSION_TEST(test_of_equal_contexts_the_first_in_the_file_comes_first),
        SESSION_TEST(test_a_plain_event_counts_though_a_later_one_comes_first),
        SESSION_TEST(test_contexts_that_come_in_order_cross),
        SESSION_TEST(test_a_context_many_rows_away_is_triggered_by_what_comes_last),
        SESSION_TEST(test_what_the_chunk_before_triggers_crosses_a_context_many_rows_behind),
        SESSION_TEST(test_threads_do_not_trigger_each_other),
        SESSION_TEST(test_one_java_thread_may_have_several_keys),
        SESSION_TEST(test_a_thread_of_the_chunk_before_goes_on_where_nothing_describes_it),
        SESSION_TEST(test_a_context_of_the_api_covers_a_thread_that_nothing_describes_any_more),
        SESSION_TEST(test_a_thread_on_which_something_was_kept_is_known_for_good),
        SESSION_TEST(test_the_look_ahead_knows_threads_of_earlier_chunks),
        SESSION_TEST(test_a_key_means_what_the_last_chunk_that_describes_it_says),
        SESSION_TEST(test_a_thread_is_known_as_long_with_saved_carry_overs),
        SESSION_TEST(test_of_a_key_that_is_described_twice_the_first_counts_later_too),
        SESSION_TEST(test_what_is_forgotten_of_a_key_does_not_bring_back_what_it_meant_before),
        SESSION_TEST(test_threads_on_which_nothing_was_are_forgotten),
        SESSION_TEST(test_threads_without_java_id_are_told_apart_by_os_id),
        SESSION_TEST(test_events_of_unresolvable_threads_stay),
        SESSION_TEST(test_keys_that_nothing_describes_are_told_apart_by_all_their_bits),
        SESSION_TEST(test_a_sampled_thread_is_the_thread_of_its_sample),
        SESSION_TEST(test_the_thread_is_found_behind_any_fields),
        SESSION_TEST(test_events_without_thread_are_in_no_context),
        SESSION_TEST(test_if_context_drops_events_without_thread),
        SESSION_TEST(test_disabled_events_trigger_nothing),
        SESSION_TEST(test_the_threshold_is_inclusive_and_of_durations_only),
        SESSION_TEST(test_if_context_needs_a_context_kept_or_not),
        SESSION_TEST(test_a_context_that_is_dropped_still_covers),
        SESSION_TEST(test_what_if_context_drops_triggers_nothing),
        SESSION_TEST(test_select_all_keeps_contexts),
        SESSION_TEST(test_values_for_the_other_kind_of_type_mean_all),
        SESSION_TEST(test_the_policy_makes_types_contextual),
        SESSION_TEST(test_a_kept_event_triggers_a_context_of_a_later_chunk),
        SESSION_TEST(test_a_later_context_covers_events_of_the_chunk_before),
        SESSION_TEST(test_a_late_event_is_heeded_where_it_belongs),
        SESSION_TEST(test_a_late_event_is_found_among_many_wherever_it_is),
        SESSION_TEST(test_a_late_context_is_decided_by_earlier_events),
        SESSION_TEST(test_a_late_event_is_covered_by_a_context_of_its_time),
        SESSION_TEST(test_ties_hold_across_chunks),
        SESSION_TEST(test_a_duration_below_zero_is_no_reason_to_drop),
        SESSION_TEST(test_contexts_of_the_api_heed_no_settings_of_events),
    };
    return cmocka_run_group_tests_name("compact_decide", tests, NULL, NULL);
}
