// SPDX-License-Identifier: Apache-2.0
// The chunks of a session that a selection needs, by their times. The expected ones are written by
// hand.

#include "query/chunk/sources.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNKS_MAX = 8 };

static const int64_t WALL_NS = 1700000000000000000; // of tick 0

// The bounds of a chunk, in nanoseconds from tick 0; -1: unknown. No begin_min: none is wanted.
typedef struct chunk {
    int64_t commit_min;
    int64_t commit_max;
    int64_t begin_min;
    bool has_period; // a setting
} chunk;

enum { UNKNOWN = -1, NONE = -2 };

static int64_t
wall_of(int64_t ns, int64_t unknown)
{
    return ns == UNKNOWN ? unknown : ns == NONE ? INT64_MAX : WALL_NS + ns;
}

// expect expects chunks to be needed for a selection: a text with + for each that is, - for others.
static void
expect(const chunk *chunks, size_t count, const query_selection *selection, const char *wanted)
{
    const jfr_clock clock = jfr_clock_make(WALL_NS, 0, 1000000000);
    query_source sources[CHUNKS_MAX] = {0};
    bool is_needed[CHUNKS_MAX] = {false};
    char found[CHUNKS_MAX + 1] = "";
    for (size_t i = 0; i < count; i++) {
        sources[i] = (query_source){.clock = &clock,
            .has_times = true,
            .has_period = chunks[i].has_period,
            .times = {wall_of(chunks[i].commit_min, INT64_MIN),
                wall_of(chunks[i].commit_max, INT64_MAX), wall_of(chunks[i].begin_min, INT64_MIN)}};
    }
    query_needed_find(sources, count, selection, QUERY_IN_SELECTION, is_needed);
    query_needed_find_periods(sources, count, selection, QUERY_IN_SELECTION, is_needed);
    for (size_t i = 0; i < count; i++) {
        found[i] = is_needed[i] ? '+' : '-';
    }
    assert_string_equal(found, wanted);
}

static query_selection
between(int64_t from, int64_t to)
{
    query_selection selection = query_selection_begin(false);
    selection.from_wall_ns = from == UNKNOWN ? INT64_MIN : WALL_NS + from;
    selection.to_wall_ns = to == UNKNOWN ? INT64_MAX : WALL_NS + to;
    return selection;
}

static void
test_only_chunks_with_contexts_of_the_time_are_needed(void **state)
{
    (void)state;
    static const chunk chunks[] = {{0, 99, 0}, {100, 199, 100}, {200, 299, 190}, {300, 399, 300}};
    query_selection all = between(UNKNOWN, UNKNOWN);
    query_selection middle = between(100, 200);
    query_selection first = between(UNKNOWN, 100);
    query_selection last = between(300, UNKNOWN);
    query_selection late = between(250, 260);
    query_selection never = between(1000, 2000);
    expect(chunks, 4, &all, "++++");
    expect(chunks, 4, &middle, "-++-"); // one that began at 190 is stored in the third
    expect(chunks, 4, &first, "+---");
    expect(chunks, 4, &last, "---+");
    expect(chunks, 4, &late, "-++-"); // the one of 190 may have a part in the second
    expect(chunks, 4, &never, "----");
}

static void
test_chunks_with_events_of_the_time_are_needed_for_threads(void **state)
{
    (void)state;
    static const chunk chunks[] = {
        {0, 99, 0}, {100, 199, NONE}, {200, 299, 50}, {300, UNKNOWN, NONE}, {UNKNOWN, 499, NONE}};
    query_selection middle = between(100, 200);
    query_selection all = between(UNKNOWN, UNKNOWN);
    middle.unit = QUERY_UNIT_THREADS;
    all.unit = QUERY_UNIT_THREADS;
    expect(chunks, 5, &middle, "-+--+");
    expect(chunks, 5, &all, "+++++");
}

static void
test_the_whole_of_contexts_in_parts_is_needed(void **state)
{
    (void)state;
    // The fourth has a part of one that began in the second.
    static const chunk chunks[] = {
        {0, 99, 0}, {100, 199, 100}, {200, 299, 200}, {300, 399, 150}, {400, 499, 400}};
    query_selection selection = between(300, 400);
    query_selection begin = between(150, 151);
    expect(chunks, 5, &selection, "-+++-");
    expect(chunks, 5, &begin, "-+-+-");
}

static void
test_contexts_that_ended_before_are_not_needed(void **state)
{
    (void)state;
    // The last but one has one that began in the second.
    static const chunk chunks[] = {{0, 99, 0}, {100, 199, 100}, {200, 299, 200}, {300, 399, 300},
        {400, 499, 150}, {500, 599, 500}};
    query_selection selection = between(UNKNOWN, 350);
    selection.ended_wall_ns = WALL_NS + 320;
    expect(chunks, 6, &selection, "-++++-");
    selection.from_wall_ns = WALL_NS + 330;
    expect(chunks, 6, &selection, "-++++-");
    selection.to_wall_ns = WALL_NS + 100; // they go on until 320 at least
    expect(chunks, 6, &selection, "------");
    static const chunk short_ones[] = {
        {0, 99, 0}, {100, 199, 100}, {200, 299, 190}, {300, 399, 300}};
    selection = between(UNKNOWN, 290);
    selection.ended_wall_ns = WALL_NS + 280;
    expect(short_ones, 4, &selection, "-++-");
}

static void
test_what_is_not_known_is_needed(void **state)
{
    (void)state;
    static const chunk chunks[] = {{0, 99, 0}, {100, UNKNOWN, 100}, {200, 299, UNKNOWN},
        {UNKNOWN, 399, 300}, {400, 499, NONE}};
    query_selection late = between(350, 360);
    query_selection early = between(50, 60);
    query_selection all = between(UNKNOWN, UNKNOWN);
    expect(chunks, 5, &late, "-+++-");
    expect(chunks, 5, &early, "+-+--");
    expect(chunks, 5, &all, "++++-");
    query_source source = {0}; // neither clock nor times
    bool is_needed = false;
    query_needed_find(&source, 1, &late, QUERY_IN_SELECTION, &is_needed);
    assert_true(is_needed);
}

static void
test_an_id_says_when_it_began(void **state)
{
    (void)state;
    static const chunk chunks[] = {{0, 99, 0}, {100, 199, 100}, {200, 299, 200}};
    query_selection selection = between(UNKNOWN, UNKNOWN);
    selection.has_id = true;
    selection.id.begin = 150;
    expect(chunks, 3, &selection, "-+-");
    selection.to_wall_ns = WALL_NS + 150;
    expect(chunks, 3, &selection, "---");
}

// Their events are in any chunk behind their begin.
static void
test_all_later_chunks_are_needed_for_requests(void **state)
{
    (void)state;
    static const chunk chunks[] = {{0, 99, 0}, {100, 199, 100}, {200, 299, 200}, {300, 399, NONE}};
    query_selection selection = between(120, 150);
    selection.unit = QUERY_UNIT_REQUESTS;
    expect(chunks, 4, &selection, "-+++");
    selection.from_wall_ns = INT64_MIN;
    expect(chunks, 4, &selection, "++++");
}

static void
test_settings_of_the_period_are_needed(void **state)
{
    (void)state;
    // Settings where the session begins, where one changes, and behind all.
    static const chunk chunks[] = {{0, 99, NONE, true}, {100, 199, 100, true},
        {200, 299, 200, false}, {300, 399, NONE, true}, {400, 499, 400, false},
        {500, 599, 500, false}, {600, 699, 600, true}};
    query_selection second = between(100, 150);
    query_selection third = between(250, 260);
    query_selection last = between(560, 570);
    query_selection behind = between(650, 660);
    query_selection never = between(1000, 2000);
    query_selection all = between(UNKNOWN, UNKNOWN);
    // Later events may be in contexts of that time: the fourth's setting applies to them.
    expect(chunks, 7, &second, "-+-+---");
    expect(chunks, 7, &third, "-+++---");
    expect(chunks, 7, &last, "---+-+-");
    expect(chunks, 7, &behind, "------+"); // it has its own
    expect(chunks, 7, &never, "-------");
    expect(chunks, 7, &all, "-++++++");
}

static void
test_sources_of_the_other_selection_are_not_needed(void **state)
{
    (void)state;
    const query_source sources[] = {{.in = QUERY_IN_BASE}, {.in = QUERY_IN_SELECTION}, {.in = 0}};
    query_selection all = between(UNKNOWN, UNKNOWN);
    bool is_needed[3] = {false};
    query_needed_find(sources, 3, &all, QUERY_IN_SELECTION, is_needed);
    assert_false(is_needed[0]);
    assert_true(is_needed[1] && is_needed[2]);
}

static void
test_bounds_in_ticks_are_wide_enough(void **state)
{
    (void)state;
    static const int64_t frequencies[] = {1000000000, 24000000, 2999999999, 1000000};
    for (size_t i = 0; i < sizeof(frequencies) / sizeof(frequencies[0]); i++) {
        const jfr_clock clock = jfr_clock_make(WALL_NS, 12345, frequencies[i]);
        for (int64_t ticks = -1007; ticks < (int64_t)1 << 50; ticks = ticks * 3 + 4123) {
            int64_t wall_ns = jfr_clock_wall_ns(&clock, ticks);
            const query_source source = {
                .clock = &clock, .has_times = true, .times = {wall_ns, wall_ns, INT64_MAX}};
            query_chunk_times times = query_needed_times(&source);
            assert_true(times.commit_min <= ticks && ticks <= times.commit_max);
            assert_true(
                times.commit_max - times.commit_min <= 4 + 4096 * frequencies[i] / 1000000000);
        }
    }
    const query_source source = {0};
    query_chunk_times times = query_needed_times(&source);
    assert_true(times.commit_min == INT64_MIN && times.commit_max == INT64_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_chunks_with_contexts_of_the_time_are_needed),
        cmocka_unit_test(test_chunks_with_events_of_the_time_are_needed_for_threads),
        cmocka_unit_test(test_the_whole_of_contexts_in_parts_is_needed),
        cmocka_unit_test(test_contexts_that_ended_before_are_not_needed),
        cmocka_unit_test(test_what_is_not_known_is_needed),
        cmocka_unit_test(test_an_id_says_when_it_began),
        cmocka_unit_test(test_all_later_chunks_are_needed_for_requests),
        cmocka_unit_test(test_settings_of_the_period_are_needed),
        cmocka_unit_test(test_sources_of_the_other_selection_are_not_needed),
        cmocka_unit_test(test_bounds_in_ticks_are_wide_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
