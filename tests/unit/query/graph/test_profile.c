// SPDX-License-Identifier: Apache-2.0
// Profiles of answers made by hand: what is measured, at which stack trace, counted once, and with
// the same sum as the durations. A profile is written as lines, sorted by their text, and compared
// with what a person has counted.

#include "query/graph/profile.h"
#include "query/run/sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_MAX = 16, LINE_BYTES = 256, LINES_MAX = 32, TEXT_BYTES = 4096 };

typedef struct world {
    query_names names;
    query_profile profile;
    query_row rows[ROWS_MAX];
    time_span spans[ROWS_MAX];
    query_row pause_rows[ROWS_MAX];
    time_span pauses[ROWS_MAX];
    query_context context;
    query_answer answer;
    char text[TEXT_BYTES];
} world;

static void
begin(world *w, query_measure measure)
{
    *w = (world){0};
    w->profile = query_profile_begin(measure, &w->names);
}

// stack_of returns the node of a stack trace such as "run;pay", the topmost frame last.
static uint32_t
stack_of(world *w, const char *frames)
{
    char copy[LINE_BYTES];
    char *rest = NULL;
    uint32_t node = QUERY_STACK_ROOT;
    (void)snprintf(copy, sizeof(copy), "%s", frames);
    for (char *frame = strtok_r(copy, ";", &rest); frame != NULL;
         frame = strtok_r(NULL, ";", &rest)) {
        uint32_t name = query_names_add(&w->names, frame);
        assert_int_equal(query_stacks_add(&w->profile.stacks, node, name, 0, &node), LP_OK);
    }
    return node;
}

// begin_context begins a context in which nothing is known to go on for left_ns.
static void
begin_context(world *w, int64_t left_ns)
{
    w->context = (query_context){.parent = QUERY_NO_CONTEXT, .base_parent = QUERY_NO_CONTEXT};
    w->answer = (query_answer){.context = &w->context,
        .in = QUERY_IN_SELECTION,
        .rows = w->rows,
        .spans = w->spans,
        .pause_rows = w->pause_rows,
        .pauses = w->pauses,
        .left_ns = left_ns};
}

static void
add_event(world *w, time_category category, const char *type, const char *frames, int64_t own_ns)
{
    size_t i = w->answer.row_count++;
    w->rows[i] = (query_row){.category = (uint8_t)category,
        .type = query_names_add(&w->names, type),
        .has_duration = true,
        .stack = stack_of(w, frames)};
    w->spans[i] = (time_span){.event = (uint32_t)i, .own_ns = own_ns};
}

static void
add_sample(world *w, const char *frames, int64_t period_ns, bool is_left)
{
    size_t i = w->answer.row_count++;
    w->rows[i] = (query_row){.category = TIME_CPU,
        .type = query_names_add(&w->names, "jdk.ExecutionSample"),
        .period_ns = period_ns,
        .stack = stack_of(w, frames)};
    w->spans[i] = (time_span){.event = (uint32_t)i, .is_left = is_left};
}

static void
add_bytes(world *w, const char *frames, int64_t bytes)
{
    size_t i = w->answer.row_count++;
    w->rows[i] = (query_row){.category = TIME_OTHER,
        .type = query_names_add(&w->names, "jdk.ObjectAllocationSample"),
        .bytes = bytes,
        .stack = stack_of(w, frames)};
    w->spans[i] = (time_span){.event = (uint32_t)i, .is_left = true};
}

static void
add_pause(world *w, int64_t own_ns)
{
    size_t i = w->answer.pause_count++;
    w->pause_rows[i] = (query_row){.category = TIME_GC,
        .type = query_names_add(&w->names, "jdk.GCPhasePause"),
        .has_duration = true};
    w->pauses[i] = (time_span){.event = (uint32_t)i, .own_ns = own_ns};
}

static void
end_context(world *w, uint32_t group)
{
    assert_int_equal(query_profile_add(&w->profile, &w->answer, group), LP_OK);
}

static void
write_stack(const world *w, uint32_t node, char *out)
{
    const query_stack_node *at = &w->profile.stacks.nodes.items[node];
    if (node != QUERY_STACK_ROOT) {
        write_stack(w, at->parent, out);
        size_t len = strlen(out);
        (void)snprintf(out + len, LINE_BYTES - len, ";%s", query_names_text(&w->names, at->name));
    }
}

static int
compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

// expect finishes the profile and compares its cells: group, stack trace, amount, events.
static void
expect(world *w, query_frame_filter *filter, const char *text)
{
    char lines[LINES_MAX][LINE_BYTES] = {""};
    assert_int_equal(query_profile_finish(&w->profile, filter), LP_OK);
    assert_in_range(w->profile.cells.count, 0, LINES_MAX);
    for (size_t i = 0; i < w->profile.cells.count; i++) {
        const query_cell *cell = &w->profile.cells.items[i];
        (void)snprintf(lines[i], LINE_BYTES, "%u ", cell->group);
        write_stack(w, cell->stack, lines[i]);
        size_t len = strlen(lines[i]);
        (void)snprintf(lines[i] + len, LINE_BYTES - len, " %lld in %llu\n",
            (long long)cell->sides[0].value, (unsigned long long)cell->sides[0].events);
    }
    qsort(lines, w->profile.cells.count, LINE_BYTES, compare);
    for (size_t i = 0; i < w->profile.cells.count; i++) {
        size_t len = strlen(w->text);
        (void)snprintf(w->text + len, TEXT_BYTES - len, "%s", lines[i]);
    }
    assert_string_equal(w->text, text);
}

static void
end(world *w)
{
    query_profile_fini(&w->profile);
    query_names_fini(&w->names);
}

// --- Tests

static void
test_time_is_that_of_waits_samples_and_the_rest(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    begin_context(&w, 100);
    add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run;pay", 30);
    add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run;pay", 4);
    add_event(&w, TIME_OTHER, "shop.Query", "run", 7);
    add_event(&w, TIME_PARK, "jdk.ThreadPark", "", 5);
    add_sample(&w, "run;pay", 20, true);
    add_sample(&w, "run;pay", 20, false); // while something else went on
    add_sample(&w, "", 10, true);
    add_pause(&w, 6);
    end_context(&w, 0);
    expect(&w, NULL,
        "0 ;[cpu] 10 in 1\n"
        "0 ;[gc] 6 in 1\n"
        "0 ;[not accounted] 70 in 0\n"
        "0 ;[park] 5 in 1\n"
        "0 ;run;[other: shop.Query] 7 in 1\n"
        "0 ;run;pay 20 in 1\n"
        "0 ;run;pay;[lock] 34 in 2\n");
    assert_int_equal(w.profile.totals[0].value, 152); // 100 left + 34 + 7 + 5 + 6
    assert_int_equal(w.profile.totals[0].requests, 1);
    end(&w);
}

static void
test_samples_take_no_more_than_what_is_left(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    begin_context(&w, 4);
    add_sample(&w, "run;pay", 20, true);
    end_context(&w, 1);
    begin_context(&w, 6);
    add_sample(&w, "run;ship", 20, true);
    add_sample(&w, "run;ship", 20, true);
    end_context(&w, 2);
    // 10 of 60: 3.3 and 6.7
    expect(&w, NULL,
        "0 ;[cpu] 1 in 0\n"
        "0 ;[not accounted] 0 in 0\n"
        "1 ;run;pay 3 in 1\n"
        "2 ;run;ship 6 in 2\n");
    assert_int_equal(w.profile.totals[0].value, 10);
    end(&w);
}

static void
test_each_measure_has_its_own_events(void **state)
{
    (void)state;
    static const struct {
        query_measure measure;
        const char *lines;
    } cases[] = {
        {QUERY_MEASURE_CPU, "0 ;run 40 in 2\n"},
        {QUERY_MEASURE_LOCK, "0 ;run;[lock] 30 in 1\n"},
        {QUERY_MEASURE_PARK, "0 ;run;[park] 31 in 1\n"},
        {QUERY_MEASURE_IO, "0 ;run;[io] 32 in 1\n"},
        {QUERY_MEASURE_ALLOC, "0 ;[alloc] 2 in 1\n0 ;run 64 in 1\n"},
        {QUERY_MEASURE_ALLOCS, "0 ;[alloc] 1 in 1\n0 ;run 1 in 1\n"},
        {QUERY_MEASURE_LOCKS, "0 ;run;[lock] 1 in 1\n"},
        {QUERY_MEASURE_PARKS, "0 ;run;[park] 1 in 1\n"},
        {QUERY_MEASURE_COUNT, "0 ;[gc] 1 in 1\n"
                              "0 ;[other: jdk.ObjectAllocationSample] 1 in 1\n"
                              "0 ;run 2 in 2\n"
                              "0 ;run;[io] 1 in 1\n"
                              "0 ;run;[lock] 1 in 1\n"
                              "0 ;run;[other: jdk.ObjectAllocationSample] 1 in 1\n"
                              "0 ;run;[park] 1 in 1\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool is_alloc =
            cases[i].measure == QUERY_MEASURE_ALLOC || cases[i].measure == QUERY_MEASURE_ALLOCS;
        world w;
        begin(&w, cases[i].measure);
        query_question question = {0};
        query_profile_prepare(&w.profile, &question);
        assert_int_equal(question.wants_bytes, is_alloc);
        begin_context(&w, 100);
        add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run", 30);
        add_event(&w, TIME_PARK, "jdk.ThreadPark", "run", 31);
        add_event(&w, TIME_IO, "jdk.SocketRead", "run", 32);
        add_sample(&w, "run", 20, true);
        add_sample(&w, "run", 20, false);
        add_bytes(&w, "run", is_alloc ? 64 : 0);
        add_bytes(&w, "", is_alloc ? 2 : 0);
        add_pause(&w, 6);
        end_context(&w, 0);
        expect(&w, NULL, cases[i].lines);
        end(&w);
    }
}

static void
test_inner_contexts_do_not_count_again(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    begin_context(&w, 100);
    end_context(&w, 0);
    begin_context(&w, 50);
    w.context.parent = 0;
    end_context(&w, 0);
    expect(&w, NULL, "0 ;[not accounted] 100 in 0\n");
    assert_int_equal(w.profile.totals[0].requests, 1);
    end(&w);
}

static void
test_a_base_is_counted_beside(void **state)
{
    (void)state;
    static const struct {
        uint8_t in;
        uint32_t parent;
        uint32_t base_parent;
    } contexts[] = {
        {QUERY_IN_SELECTION, QUERY_NO_CONTEXT, QUERY_NO_CONTEXT},
        {QUERY_IN_BASE, QUERY_NO_CONTEXT, QUERY_NO_CONTEXT},
        {QUERY_IN_SELECTION | QUERY_IN_BASE, QUERY_NO_CONTEXT, QUERY_NO_CONTEXT},
        {QUERY_IN_SELECTION | QUERY_IN_BASE, QUERY_NO_CONTEXT, 1}, // within one of the base
        {QUERY_IN_BASE, QUERY_NO_CONTEXT, QUERY_NO_CONTEXT},
    };
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
        begin_context(&w, 10);
        add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run", 5);
        add_sample(&w, "run", 6, true);
        w.answer.in = contexts[i].in;
        w.context.parent = contexts[i].parent;
        w.context.base_parent = contexts[i].base_parent;
        end_context(&w, 0);
    }
    expect(&w, NULL, "0 ;[not accounted] 12 in 0\n0 ;run 18 in 3\n0 ;run;[lock] 15 in 3\n");
    assert_int_equal(w.profile.totals[0].requests, 3);
    assert_int_equal(w.profile.totals[0].value, 45);
    assert_int_equal(w.profile.totals[1].requests, 3);
    assert_int_equal(w.profile.totals[1].value, 45);
    assert_int_equal(w.profile.cells.items[0].sides[1].value, 15);
    end(&w);
}

static void
test_stack_traces_with_a_matching_frame_are_left(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *lines;
        int64_t sum;
    } cases[] = {
        {"^pay$", "0 ;run;pay 20 in 1\n0 ;run;pay;[lock] 30 in 1\n", 50},
        {"\\[lock\\]", "0 ;run;pay;[lock] 30 in 1\n", 30},
        {"accounted|ship", "0 ;[not accounted] 80 in 0\n0 ;run;ship;[io] 5 in 1\n", 85},
        {"nothing", "", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        world w;
        query_frame_filter filter;
        lp_problem problem;
        begin(&w, QUERY_MEASURE_TIME);
        assert_int_equal(
            query_frame_filter_init(&filter, "frame", cases[i].pattern, &problem), LP_OK);
        begin_context(&w, 100);
        add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run;pay", 30);
        add_event(&w, TIME_IO, "jdk.SocketRead", "run;ship", 5);
        add_sample(&w, "run;pay", 20, true);
        end_context(&w, 0);
        expect(&w, &filter, cases[i].lines);
        assert_int_equal(w.profile.totals[0].value, cases[i].sum);
        end(&w);
    }
}

static void
test_what_does_not_fit_has_no_stack_trace(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    int64_t sum = 0;
    for (uint32_t group = 0; group < QUERY_PROFILE_CELLS_MAX + 2; group++) {
        begin_context(&w, 10);
        add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run", 1);
        if (group >= QUERY_PROFILE_CELLS_MAX) {
            add_sample(&w, "run", 3, true);
        }
        end_context(&w, group);
        sum += 11;
    }
    assert_int_equal(query_profile_finish(&w.profile, NULL), LP_OK);
    assert_true(w.profile.is_truncated);
    assert_int_equal(w.profile.totals[0].value, sum);
    // The locks of the last two contexts, their samples, and what nothing explains.
    assert_int_equal(w.profile.cells.count, QUERY_PROFILE_CELLS_MAX + 3);
    const query_cell *cells = w.profile.cells.items + QUERY_PROFILE_CELLS_MAX;
    assert_int_equal(cells[0].group, 0);
    assert_int_equal(cells[0].sides[0].value, 2);
    assert_int_equal(cells[1].sides[0].value, 6);
    end(&w);
}

// Where there is no room for stack traces, what went on is known, and no time counts twice.
static void
test_without_room_for_stack_traces_the_sums_are_right(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    uint32_t node;
    for (uint32_t line = 1; line < QUERY_STACK_NODES_MAX - QUERY_STACK_SPARE; line++) {
        assert_int_equal(
            query_stacks_add(&w.profile.stacks, QUERY_STACK_ROOT, 0, line, &node), LP_OK);
    }
    begin_context(&w, 100);
    add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "run;pay", 30);
    add_event(&w, TIME_OTHER, "shop.Query", "run", 7);
    add_event(&w, TIME_OTHER, "shop.Reply", "", 8);
    add_event(&w, TIME_PARK, "jdk.ThreadPark", "", 5);
    add_sample(&w, "run;pay", 20, true);
    add_sample(&w, "", 10, true);
    add_pause(&w, 6);
    end_context(&w, 1);
    begin_context(&w, 5);
    add_sample(&w, "run;pay", 100, true);
    end_context(&w, 1);
    expect(&w, NULL,
        "0 ;[cpu] 0 in 0\n" // that is of the selection's samples that were made smaller
        "0 ;[not accounted] 0 in 0\n"
        "1 ;[cpu] 105 in 3\n"
        "1 ;[gc] 6 in 1\n"
        "1 ;[lock] 30 in 1\n"
        "1 ;[other] 15 in 2\n"
        "1 ;[park] 5 in 1\n");
    assert_int_equal(w.profile.totals[0].value, 100 + 5 + 30 + 7 + 8 + 5 + 6);
    assert_true(w.profile.is_truncated);
    end(&w);
}

static void
test_with_no_room_for_names_it_is_known_what_went_on(void **state)
{
    (void)state;
    world w;
    begin(&w, QUERY_MEASURE_TIME);
    w.names.bytes = QUERY_NAMES_BYTES_MAX;
    begin_context(&w, 100);
    add_event(&w, TIME_LOCK, "jdk.JavaMonitorEnter", "", 30);
    add_event(&w, TIME_OTHER, "shop.Query", "", 7);
    end_context(&w, 0);
    expect(&w, NULL, "0 ;[lock] 30 in 1\n0 ;[not accounted] 100 in 0\n0 ;[other] 7 in 1\n");
    assert_true(w.profile.is_truncated);
    end(&w);
}

static void
test_long_names_of_types_end_with_a_whole_character(void **state)
{
    (void)state;
    world w;
    char type[LINE_BYTES + 64] = "";
    begin(&w, QUERY_MEASURE_TIME);
    for (size_t len = 1; len + 2 < sizeof(type); len += 2) {
        type[0] = 'x';
        memcpy(type + len, "\xc3\xa9", 3); // letters of two bytes behind it
    }
    begin_context(&w, 0);
    add_event(&w, TIME_OTHER, type, "run", 1);
    end_context(&w, 0);
    assert_int_equal(query_profile_finish(&w.profile, NULL), LP_OK);
    const query_stack_node *leaf = &w.profile.stacks.nodes.items[w.profile.cells.items[0].stack];
    const char *name = query_names_text(&w.names, leaf->name);
    size_t len = strlen(name);
    assert_in_range(len, 200, LINE_BYTES);
    assert_memory_equal(name, "[other: x\xc3\xa9", 11);
    assert_memory_equal(name + len - 3, "\xc3\xa9]", 3); // no half of a letter
    end(&w);
}

static void
test_measures_have_names_and_units(void **state)
{
    (void)state;
    static const char *const names[QUERY_MEASURES] = {
        "time", "cpu", "alloc", "lock", "park", "io", "count", "allocs", "locks", "parks"};
    for (unsigned i = 0; i < QUERY_MEASURES; i++) {
        assert_string_equal(query_measure_name((query_measure)i), names[i]);
    }
    assert_string_equal(query_measure_unit(QUERY_MEASURE_IO), "ns");
    assert_string_equal(query_measure_unit(QUERY_MEASURE_ALLOC), "bytes");
    assert_string_equal(query_measure_unit(QUERY_MEASURE_COUNT), "events");
}

static void
test_absurd_sums_stop(void **state)
{
    (void)state;
    int64_t sum = INT64_MAX - 1;
    query_sum_add(&sum, 1);
    assert_int_equal(sum, INT64_MAX);
    query_sum_add(&sum, 5);
    assert_int_equal(sum, INT64_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_that_of_waits_samples_and_the_rest),
        cmocka_unit_test(test_samples_take_no_more_than_what_is_left),
        cmocka_unit_test(test_each_measure_has_its_own_events),
        cmocka_unit_test(test_inner_contexts_do_not_count_again),
        cmocka_unit_test(test_a_base_is_counted_beside),
        cmocka_unit_test(test_stack_traces_with_a_matching_frame_are_left),
        cmocka_unit_test(test_what_does_not_fit_has_no_stack_trace),
        cmocka_unit_test(test_without_room_for_stack_traces_the_sums_are_right),
        cmocka_unit_test(test_with_no_room_for_names_it_is_known_what_went_on),
        cmocka_unit_test(test_long_names_of_types_end_with_a_whole_character),
        cmocka_unit_test(test_measures_have_names_and_units),
        cmocka_unit_test(test_absurd_sums_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
