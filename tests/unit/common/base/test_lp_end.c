// SPDX-License-Identifier: Apache-2.0
// While the process does not end, a wait has its own limit. While it ends, a wait has no more than
// the time until the deadline, and none after it.

#include "common/base/lp_end.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int
reset(void **state)
{
    (void)state;
    lp_end_set(LP_END_NEVER);
    return 0;
}

static void
test_a_process_that_does_not_end_limits_nothing(void **state)
{
    (void)state;
    assert_true(lp_end_get() == LP_END_NEVER);
    assert_true(lp_end_limit(0) == 0);
    assert_true(lp_end_limit(5000) == 5000);
    assert_true(lp_end_limit(INT64_MAX) == INT64_MAX);
}

static void
test_waits_share_the_deadline(void **state)
{
    (void)state;
    int64_t before = lp_time_mono_ms();
    lp_end_set(before + 1000000);
    int64_t left = lp_end_limit(INT64_MAX);
    assert_true(left <= 1000000 && left >= 1000000 - (lp_time_mono_ms() - before));
    assert_true(lp_end_limit(5000) == 5000); // shorter than what is left
    assert_true(lp_end_get() == before + 1000000);
}

static void
test_nothing_waits_after_the_deadline(void **state)
{
    (void)state;
    const int64_t deadlines[] = {0, lp_time_mono_ms()};
    for (size_t i = 0; i < 2; i++) {
        lp_end_set(deadlines[i]);
        assert_true(lp_end_limit(0) == 0);
        assert_true(lp_end_limit(5000) == 0);
        assert_true(lp_end_limit(INT64_MAX) == 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_process_that_does_not_end_limits_nothing, reset),
        cmocka_unit_test_teardown(test_waits_share_the_deadline, reset),
        cmocka_unit_test_teardown(test_nothing_waits_after_the_deadline, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
