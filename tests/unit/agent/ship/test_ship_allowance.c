// SPDX-License-Identifier: Apache-2.0
// What a collector may have: so much at once, and so much a minute, whatever the steps of the
// clock.

#include "agent/ship/ship_allowance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MINUTE_MS = 60 * 1000 };

static const ship_allowance_limit TEN = {.what = "ten", .at_once = 10, .per_minute = 6};
static const ship_allowance_limit LARGE = {
    .what = "large", .at_once = (int64_t)1 << 40, .per_minute = (int64_t)1 << 40};

static void
test_so_much_is_there_at_once(void **state)
{
    (void)state;
    ship_allowance a = {0};
    for (int i = 0; i < 10; i++) {
        assert_true(ship_allowance_is_open(&a, &TEN, 5000));
        ship_allowance_take(&a, &TEN, 1, 5000);
    }
    assert_false(ship_allowance_is_open(&a, &TEN, 5000));
    assert_int_equal(a.reached_count, 1);
    assert_false(ship_allowance_is_open(&a, &TEN, 5000)); // it is the same time
    assert_int_equal(a.reached_count, 1);
}

static void
test_it_comes_back_minute_by_minute(void **state)
{
    (void)state;
    ship_allowance a = {0};
    ship_allowance_take(&a, &TEN, 16, 0); // one thing may be larger
    int64_t taken = 0;
    for (int64_t now_ms = 0; now_ms < 10 * MINUTE_MS; now_ms += 7) {
        if (ship_allowance_is_open(&a, &TEN, now_ms)) {
            ship_allowance_take(&a, &TEN, 1, now_ms);
            taken++;
        }
    }
    assert_in_range(taken, 53, 54); // 60 came back, of which 7 were owed
}

static void
test_it_says_when_it_opens(void **state)
{
    (void)state;
    ship_allowance a = {0};
    ship_allowance_take(&a, &TEN, 13, 1000);
    int64_t open_ms = ship_allowance_get_open_ms(&a, &TEN);
    assert_in_range(open_ms, 1000 + MINUTE_MS / 2, 1000 + MINUTE_MS / 2 + 1);
    assert_false(ship_allowance_is_open(&a, &TEN, open_ms - 2));
    assert_true(ship_allowance_is_open(&a, &TEN, open_ms));
    assert_true(ship_allowance_get_open_ms(&a, &TEN) <= open_ms);
}

static void
test_a_clock_that_stands_or_jumps_gives_no_more(void **state)
{
    (void)state;
    ship_allowance a = {0};
    ship_allowance_take(&a, &TEN, 10, 1000);
    assert_false(ship_allowance_is_open(&a, &TEN, 500));
    assert_true(ship_allowance_is_open(&a, &TEN, INT64_MAX));
    assert_int_equal(a.taken, 0);
    ship_allowance b = {0};
    ship_allowance_take(&b, &LARGE, (int64_t)1 << 40, 0);
    assert_false(ship_allowance_is_open(&b, &LARGE, 0));
    assert_true(ship_allowance_is_open(&b, &LARGE, 1));
    assert_true(ship_allowance_is_open(&b, &LARGE, (int64_t)1 << 50));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_so_much_is_there_at_once),
        cmocka_unit_test(test_it_comes_back_minute_by_minute),
        cmocka_unit_test(test_it_says_when_it_opens),
        cmocka_unit_test(test_a_clock_that_stands_or_jumps_gives_no_more),
    };
    return cmocka_run_group_tests_name("ship_allowance", tests, NULL, NULL);
}
