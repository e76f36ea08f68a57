// SPDX-License-Identifier: Apache-2.0
// Throttles in the engine, by hand. How many are kept of a second, and what follows from it, is by
// hand; which ones are drawn by the random numbers of the type's name was read from the output
// (test_choose.c tests how they are drawn). Random sessions are in tests/prop.

#include "unit/engine/compact_session.h"

#include "engine/carry/carry.h"
#include "engine/sample/throttles.h"

#include <stdio.h>

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
    session_trace(s, KEPT, 10, 40, 1);
    session_mark(s, KEPT, 25, 2);
    session_trace(s, GONE, 12, 14, 2); // not triggered: it is not asked
    session_trace(s, GONE, 20, 30, 2);
    session_run(s);
}

static void
test_a_context_that_throttle_drops_triggers_none_around_it(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Trace'><setting name='select'>all</setting>"
                     "<setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_trace(s, GONE, 10, 20, 1);
    event(s, GONE, JFR_SAMPLE_SPAN, 5, 25, 1);
    session_trace(s, KEPT, 40, 50, 1);
    event(s, KEPT, JFR_SAMPLE_SPAN, 35, 55, 1);
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
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>2/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, GONE, 25, 1);
    session_trace(s, GONE, 22, 30, 1);
    session_set(s, 20, 2, "early");
    session_chunk(s, 100);
    session_mark(s, KEPT, 50, 2); // stored late
    session_mark(s, GONE, 150, 1);
    session_unset(s, 200, 2);
    session_chunk(s, 300);
    session_mark(s, KEPT, 301, 1);
    session_run(s);
    session_expect_parts(s, 0, "#1 20..99 @2 id=\"early\"");
}

static void
test_what_comes_too_late_for_its_second_takes_the_room_of_the_last_one(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>3/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, KEPT, S + 50, 1);
    session_chunk(s, S + 100);
    session_mark(s, KEPT, S + 150, 1);
    session_chunk(s, 4 * S);
    session_mark(s, KEPT, 10, 1);
    session_mark(s, GONE, 11, 1);
    session_run(s);
}

// chunk_of_other_metadata begins a chunk that describes the same types in the reverse order.
static void
chunk_of_other_metadata(session *s, int64_t start_ticks)
{
    session_chunk(s, start_ticks);
    jfr_build *build = session_build(s);
    const jfr_build_clock clock = build->clock;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    jfr_build_type reverse[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    for (size_t i = 0; i < count; i++) {
        reverse[i] = types[count - 1 - i];
    }
    jfr_build_fini(build);
    jfr_build_begin(build, &clock);
    jfr_build_metadata(build, 9, reverse, count);
}

// Events that are stored late belong to types of the chunk that stores them, in which they have
// other places. The units go on, as the throttles are by name.
static void
test_chunks_describe_their_types_in_their_own_order(void **state)
{
    session *s = *state;
    session_rules(s, "<event name='test.Mark'><setting name='throttle'>1/s</setting></event>"
                     "<event name='test.Plain'><setting name='throttle'>0/s</setting></event>"
                     "<event name='test.Trace'><setting name='throttle'>1/s</setting></event>");
    session_chunk(s, 0);
    session_mark(s, GONE, 50, 1);
    event(s, KEPT, JFR_SAMPLE_IDLE, 40, 45, 0);
    event(s, KEPT, JFR_SAMPLE_ODD, 60, 70, 1);
    session_trace(s, KEPT, 55, 80, 1);
    chunk_of_other_metadata(s, 100);
    session_mark(s, GONE, 30, 2);
    session_plain(s, GONE, 20, 35, 2);
    event(s, KEPT, JFR_SAMPLE_IDLE, 36, 37, 0);
    event(s, KEPT, JFR_SAMPLE_ODD, 60, 72, 1);
    session_trace(s, GONE, 25, 40, 2);
    session_mark(s, KEPT, 150, 1);
    session_plain(s, GONE, 150, 160, 1);
    session_chunk(s, 200);
    session_mark(s, GONE, 130, 1);
    event(s, KEPT, JFR_SAMPLE_IDLE, 131, 132, 0);
    session_plain(s, GONE, 210, 220, 1);
    session_run(s);
}

// --- Chunks of a session that are decided by different policies

enum { MARKS = 3 };

typedef struct ruled_chunk {
    const char *rate; // NULL: there is no policy
    int64_t marks[MARKS];
    size_t kept_count;
} ruled_chunk;

static void
make_ruled_chunk(const ruled_chunk *made, int64_t start_ticks, jfr_build *build)
{
    jfr_sample_begin(build, start_ticks);
    for (size_t i = 0; i < MARKS; i++) {
        (void)jfr_sample_event(
            build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = made->marks[i], .thread = 1});
    }
    jfr_sample_thread(build, 1, 1);
    jfr_build_checkpoint(build);
}

// expect_marks expects a number of events in the output, and that it accounts for the others.
static void
expect_marks(const compact_result *result, const ruled_chunk *made)
{
    jfr_read out;
    compact_run_read(result, &out);
    assert_int_equal(out.events.count, made->kept_count);
    assert_int_equal(
        result->stats.events_dropped.by[COMPACT_BY_THROTTLE], MARKS - made->kept_count);
    jfr_read_close(&out);
}

static policy *
policy_of_rate(const char *rate)
{
    char text[200];
    (void)snprintf(text, sizeof(text),
        "<event name='test.Mark'><setting name='throttle'>%s</setting></event>", rate);
    return rate == NULL ? NULL : compact_run_policy(text);
}

static void
test_the_rate_of_a_new_policy_begins_with_its_chunk(void **state)
{
    (void)state;
    // Each chunk begins in the middle of a second, and has its marks in the next one.
    static const ruled_chunk chunks[] = {
        {"1/s", {S + 1, S + 2, S + 3}, 1},
        {"2/s", {2 * S + 1, 2 * S + 2, 2 * S + 3}, 2},
        {NULL, {3 * S + 1, 3 * S + 2, 3 * S + 3}, 3},
        {"1/s", {4 * S + 1, 4 * S + 2, 4 * S + 3}, 1},
        {"off", {5 * S + 1, 5 * S + 2, 5 * S + 3}, 3},
        {"3/m", {6 * S + 1, 6 * S + 2, 6 * S + 3}, 3}, // so few need not be a flood
        {"0/s", {7 * S + 1, 7 * S + 2, 7 * S + 3}, 0},
    };
    enum { COUNT = sizeof(chunks) / sizeof(chunks[0]) };
    jfr_build builds[COUNT];
    compact_source sources[COUNT] = {0};
    compact_carry *carry = NULL;
    for (size_t i = 0; i < COUNT; i++) {
        make_ruled_chunk(&chunks[i], (int64_t)i * S + S / 2, &builds[i]);
        sources[i].jfr = jfr_build_finish(&builds[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        policy *rules = policy_of_rate(chunks[i].rate);
        const compact_options options = {.policy = rules, .refused = COMPACT_REFUSED_ALL};
        compact_result result;
        assert_int_equal(compact_chunk(&sources[i], &sources[i + 1], COUNT - i - 1, carry, &options,
                             &result, NULL),
            LP_OK);
        expect_marks(&result, &chunks[i]);
        compact_carry_destroy(carry);
        carry = compact_run_through_bytes(result.carry);
        compact_result_fini(&result);
        policy_destroy(rules);
    }
    compact_carry_destroy(carry);
    for (size_t i = 0; i < COUNT; i++) {
        jfr_build_fini(&builds[i]);
    }
}

// The next chunk could be read as far as it was known, but not when it was decided. Events of the
// one after it lie at the same places.
static void
test_what_was_decided_of_a_chunk_that_is_lost_is_of_no_other(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    static const ruled_chunk chunks[COUNT] = {
        {"0/s", {210, 220, 230}, 0},
        {"0/s", {240, 250, 260}, 0}, // decided with the first
        {"1/s", {2010, 2020, 2030}, 1},
    };
    jfr_build builds[COUNT];
    compact_source sources[COUNT] = {0};
    for (size_t i = 0; i < COUNT; i++) {
        make_ruled_chunk(&chunks[i], 200 + (int64_t)i * 900, &builds[i]);
        sources[i].jfr = jfr_build_finish(&builds[i]);
    }
    policy *none = policy_of_rate(chunks[0].rate);
    policy *one = policy_of_rate(chunks[2].rate);
    compact_options options = {.policy = none, .refused = COMPACT_REFUSED_ALL};
    compact_result first;
    compact_result last;
    assert_int_equal(
        compact_chunk(&sources[0], &sources[1], 1, NULL, &options, &first, NULL), LP_OK);
    assert_int_equal(first.carry->throttles.early.count, MARKS);
    options.policy = one;
    assert_int_equal(
        compact_chunk(&sources[2], NULL, 0, first.carry, &options, &last, NULL), LP_OK);
    expect_marks(&first, &chunks[0]);
    expect_marks(&last, &chunks[2]);
    compact_result_fini(&first);
    compact_result_fini(&last);
    policy_destroy(none);
    policy_destroy(one);
    for (size_t i = 0; i < COUNT; i++) {
        jfr_build_fini(&builds[i]);
    }
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
    compact_sampler_take(&throttles.items.items[0].sampler, 1);
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

static void
test_slots_are_those_with_items(void **state)
{
    (void)state;
    static const struct {
        char other;
        int64_t commit;
    } items[] = {{'a', -1}, {'b', 0}, {'c', S - 1}, {'d', S}, {'e', 5 * S}, {'f', 5 * S}};
    static const size_t ends[] = {1, 3, 4, 6};
    static const int64_t numbers[] = {-1, 0, 1, 5};
    const compact_clock clock = {.ticks_per_s = S};
    compact_sampler sampler;
    compact_sampler_init(&sampler, "a", 0, (policy_throttle){1, 60 * S});
    compact_slots slots = COMPACT_SLOTS(&sampler, &clock, items, 6);
    for (size_t i = 0; i < 4; i++) {
        assert_true(compact_slots_next(&slots));
        assert_int_equal(slots.slot, numbers[i]);
        assert_int_equal(slots.begin, i == 0 ? 0 : ends[i - 1]);
        assert_int_equal(slots.end, ends[i]);
    }
    assert_false(compact_slots_next(&slots));
}

static void
test_early_decisions_are_found_wherever_one_begins_to_look(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    compact_throttles throttles = {0};
    for (uint32_t i = COUNT;
         i-- > 0;) { // half of them of each of two chunks, samples beside events
        const compact_early decision = {
            .start_ticks = i % 2, .offset = i / 4 * 3, .is_sample = i / 2 % 2, .weight = i};
        assert_int_equal(compact_throttles_add_early(&throttles, &decision), LP_OK);
    }
    assert_int_equal(compact_throttles_sort_early(&throttles), LP_OK);
    for (size_t from = 0; from <= COUNT; from++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            size_t hint = from;
            const compact_early *found =
                compact_throttles_find_early(&throttles, i % 2, i / 4 * 3, i / 2 % 2, &hint);
            assert_non_null(found);
            assert_int_equal(found->weight, i);
            hint = from;
            assert_null(
                compact_throttles_find_early(&throttles, i % 2, i / 4 * 3 + 1, false, &hint));
        }
    }
    size_t hint = 0;
    assert_null(compact_throttles_find_early(&throttles, 2, 0, false, &hint));
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
        SESSION_TEST(test_what_comes_too_late_for_its_second_takes_the_room_of_the_last_one),
        SESSION_TEST(test_chunks_describe_their_types_in_their_own_order),
        cmocka_unit_test(test_the_rate_of_a_new_policy_begins_with_its_chunk),
        cmocka_unit_test(test_what_was_decided_of_a_chunk_that_is_lost_is_of_no_other),
        SESSION_TEST(test_an_absurd_time_does_not_silence_its_type),
        cmocka_unit_test(test_another_rate_starts_anew),
        cmocka_unit_test(test_slots_are_those_with_items),
        cmocka_unit_test(test_early_decisions_are_found_wherever_one_begins_to_look),
    };
    return cmocka_run_group_tests_name("compact_throttles", tests, NULL, NULL);
}
