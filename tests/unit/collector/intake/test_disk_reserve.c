// SPDX-License-Identifier: Apache-2.0
// When batches are put off as the disk is nearly full, and what is logged.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/intake/disk_reserve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_decisions(void **state)
{
    (void)state;
    static const struct {
        uint64_t reserve;
        uint64_t all;
        uint64_t free;
        bool was_short;
        bool is_short;
    } cases[] = {
        {64, 10000, 64, false, false}, {64, 10000, 63, false, true},
        {64, 10000, 71, true, true},                              // an eighth more
        {64, 10000, 72, true, false}, {64, 80, 10, false, false}, // an eighth of a small disk
        {64, 80, 9, false, true}, {0, 80, 0, false, false}, {0, 80, 0, true, false},
        {64, 0, 0, false, false}, // a file system that reports zeros
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (disk_reserve_decide(cases[i].reserve, cases[i].all, cases[i].free,
                cases[i].was_short) != cases[i].is_short) {
            fail_msg("case %zu", i);
        }
    }
}

static void
test_batches_are_put_off_and_taken_again(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    uint64_t put_off = metrics_get(METRICS_batches_without_disk);
    lp_problem problem;
    disk_reserve reserve = {.path = dir.path, .bytes = 1};
    disk_reserve_look(&reserve);
    assert_true(disk_reserve_admit(&reserve, 5));
    assert_false(disk_reserve_explain(&reserve, &problem));

    atomic_store(&reserve.is_short, true); // as if it had looked
    assert_false(disk_reserve_admit(&reserve, 5));
    assert_int_equal(metrics_get(METRICS_batches_without_disk), put_off + 1);
    assert_true(disk_reserve_explain(&reserve, &problem));
    assert_null(strstr(problem.text, dir.path)); // /readyz tells strangers
    metrics_add(METRICS_disk_short, 1);
    assert_true(disk_reserve_admit(&reserve, DISK_RESERVE_LOOK_BYTES)); // looks again
    assert_int_equal(metrics_get(METRICS_disk_short), 0);
    temp_dir_remove(&dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_batches_are_put_off_and_taken_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
