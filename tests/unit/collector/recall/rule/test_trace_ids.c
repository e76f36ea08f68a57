// SPDX-License-Identifier: Apache-2.0
// Ids of kept traces between collectors: each is read once, in the order in which they came, and
// from the oldest one after a restart of either side. What a slow reader misses is counted.

#include "collector/recall/rule/trace_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t room[TRACE_IDS_READ_MAX];

static int
setup(void **state)
{
    *state = trace_ids_create();
    return *state == NULL;
}

static int
teardown(void **state)
{
    trace_ids_destroy(*state);
    return 0;
}

static void
put(trace_ids *ids, uint64_t from, uint64_t to)
{
    for (uint64_t hash = from; hash < to; hash++) {
        trace_ids_put(ids, hash);
    }
}

// expect reads once, and expects the ids from one to another.
static void
expect(trace_ids *ids, trace_ids_mark *mark, uint64_t from, uint64_t to, uint64_t missed)
{
    size_t count;
    assert_int_equal(trace_ids_read(ids, mark, room, &count), missed);
    assert_int_equal(count, to - from);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(room[i], from + i);
    }
}

static void
test_each_id_is_read_once(void **state)
{
    trace_ids *ids = *state;
    trace_ids_mark mark = {0};
    expect(ids, &mark, 0, 0, 0);
    put(ids, 1, 4);
    expect(ids, &mark, 1, 4, 0);
    expect(ids, &mark, 0, 0, 0);
    put(ids, 4, 5);
    expect(ids, &mark, 4, 5, 0);
}

static void
test_many_ids_take_several_answers(void **state)
{
    trace_ids *ids = *state;
    trace_ids_mark mark = {0};
    put(ids, 0, TRACE_IDS_READ_MAX + 2);
    expect(ids, &mark, 0, TRACE_IDS_READ_MAX, 0);
    expect(ids, &mark, TRACE_IDS_READ_MAX, TRACE_IDS_READ_MAX + 2, 0);
}

static void
test_what_a_slow_reader_misses_is_counted(void **state)
{
    trace_ids *ids = *state;
    trace_ids_mark mark = {0};
    put(ids, 0, 1);
    expect(ids, &mark, 0, 1, 0);
    put(ids, 1, 5 + TRACE_IDS_OWN_MAX);
    expect(ids, &mark, 5, 5 + TRACE_IDS_READ_MAX, 4);
}

static void
test_after_a_restart_all_are_read(void **state)
{
    trace_ids *ids = *state;
    put(ids, 0, 3);
    trace_ids_mark marks[] = {{0, 2}, {12345, 2}};
    for (size_t i = 0; i < 2; i++) { // of a process that has ended
        expect(ids, &marks[i], 0, 3, 0);
    }
    marks[0].next = 9; // it cannot be so
    expect(ids, &marks[0], 0, 3, 0);
}

static void
test_heard_ids_are_taken_once(void **state)
{
    trace_ids *ids = *state;
    const uint64_t hashes[] = {7, 7, UINT64_MAX};
    rollup_hashes taken = {0};
    assert_int_equal(trace_ids_hear(ids, hashes, 3), 0);
    trace_ids_take(ids, &taken);
    assert_int_equal(taken.count, 3);
    assert_true(taken.items[2] == UINT64_MAX);
    LP_VEC_FINI(&taken);
    trace_ids_take(ids, &taken);
    assert_int_equal(taken.count, 0);
    for (size_t i = 0; i < TRACE_IDS_HEARD_MAX / TRACE_IDS_READ_MAX; i++) {
        assert_int_equal(trace_ids_hear(ids, room, TRACE_IDS_READ_MAX), 0);
    }
    assert_int_equal(trace_ids_hear(ids, hashes, 3), 3); // there is no room
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_each_id_is_read_once),
        TEST(test_many_ids_take_several_answers),
        TEST(test_what_a_slow_reader_misses_is_counted),
        TEST(test_after_a_restart_all_are_read),
        TEST(test_heard_ids_are_taken_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
