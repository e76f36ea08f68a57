// SPDX-License-Identifier: Apache-2.0
// How far chunks reach: a second, or three where the policy samples. All values are worked out by
// hand.

#include "support/compact_run.h"
#include "support/jfr_sample.h"

#include "offline/reach.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { CHUNKS_MAX = 200, MS = 1000000 };

typedef struct list {
    jfr_build builds[CHUNKS_MAX];
    pipeline_chunk chunks[CHUNKS_MAX];
    chunk_reach found;
    size_t count;
} list;

static list l;

// add adds a chunk that starts at a time; below 0 one that cannot be read.
static void
add(int64_t start_ms, bool goes_on)
{
    static const uint8_t garbage[100];
    lp_slice bytes = {garbage, sizeof(garbage)};
    if (start_ms >= 0) {
        jfr_sample_begin(&l.builds[l.count], start_ms * MS);
        jfr_build_checkpoint(&l.builds[l.count]);
        bytes = jfr_build_finish(&l.builds[l.count]);
    }
    l.chunks[l.count++] = (pipeline_chunk){.jfr = bytes, .goes_on = goes_on};
}

// find finds how far the chunks reach. rules may be NULL.
static void
find(const policy *rules)
{
    const compact_options options = {.policy = rules};
    const pipeline_input in = {.chunks = l.chunks, .count = l.count, .options = &options};
    reach_fini(&l.found);
    assert_int_equal(reach_find(&in, &l.found), LP_OK);
}

static void
expect_ends(const size_t *ends, size_t count)
{
    assert_int_equal(l.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(l.found.ends[i], ends[i]);
    }
}

static int
tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < l.count; i++) {
        jfr_build_fini(&l.builds[i]);
    }
    reach_fini(&l.found);
    l = (list){0};
    return 0;
}

static void
test_a_long_chunk_reaches_the_next_one(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        add(i * 10000, i < 3);
    }
    find(NULL);
    expect_ends((const size_t[]){2, 3, 4, 4}, 4);
}

static void
test_chunks_count_that_begin_within_a_second_of_the_next(void **state)
{
    (void)state;
    static const int64_t starts_ms[] = {0, 100, 1000, 1100, 1101, 5000, 7000, 7001};
    for (size_t i = 0; i < 8; i++) {
        add(starts_ms[i], i < 7);
    }
    find(NULL);
    expect_ends((const size_t[]){4, 5, 5, 5, 6, 8, 8, 8}, 8);
    policy *rules =
        compact_run_policy("<event name='x'><setting name='throttle'>1/s</setting></event>");
    find(rules);
    expect_ends((const size_t[]){5, 5, 5, 5, 8, 8, 8, 8}, 8);
    policy_destroy(rules);
}

static void
test_sessions_end(void **state)
{
    (void)state;
    add(0, true);
    add(100, false);
    add(200, true);
    add(300, true);
    add(400, false);
    find(NULL);
    expect_ends((const size_t[]){2, 2, 5, 5, 5}, 5);
}

static void
test_chunks_that_cannot_be_read_are_looked_over(void **state)
{
    (void)state;
    add(0, true);
    add(-1, true);
    add(10000, true);
    add(10500, true);
    add(-1, true);
    add(20000, false);
    find(NULL);
    expect_ends((const size_t[]){5, 5, 5, 6, 6, 6}, 6);
    static const size_t next[] = {0, 2, 2, 3, 5, 5, 6};
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(l.found.starts[i].next, next[i]);
    }
    assert_true(l.found.starts[5].ticks == INT64_C(20000) * MS);
    assert_true(l.found.starts[4].ticks_per_s == 0);
}

static void
test_very_short_chunks_are_limited(void **state)
{
    (void)state;
    for (int i = 0; i < 150; i++) {
        add(i, i < 149);
    }
    find(NULL);
    assert_int_equal(l.found.ends[0], 1 + REACH_CHUNKS_MAX);
    assert_int_equal(l.found.ends[100], 150);
}

// Where starts go backwards, what was needed before is still needed.
static void
test_ends_never_go_back(void **state)
{
    (void)state;
    static const int64_t starts_ms[] = {0, 9000, 9100, 9200, 0, 5000};
    for (size_t i = 0; i < 6; i++) {
        add(starts_ms[i], i < 5);
    }
    find(NULL);
    for (size_t i = 1; i < 6; i++) {
        assert_true(l.found.ends[i] >= l.found.ends[i - 1]);
    }
}

#define REACH_TEST(f) cmocka_unit_test_teardown(f, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        REACH_TEST(test_a_long_chunk_reaches_the_next_one),
        REACH_TEST(test_chunks_count_that_begin_within_a_second_of_the_next),
        REACH_TEST(test_sessions_end),
        REACH_TEST(test_chunks_that_cannot_be_read_are_looked_over),
        REACH_TEST(test_very_short_chunks_are_limited),
        REACH_TEST(test_ends_never_go_back),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
