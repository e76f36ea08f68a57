// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The tests wait until the clock advances.
static void
let_time_pass(const catalog_waits *since)
{
    while (catalog_waits_get().waited_ns == since->waited_ns) {
    }
}

static void
test_a_wait_counts_before_it_is_over(void **state)
{
    (void)state;
    const catalog_waits before = catalog_waits_get();
    int64_t begin_ns = catalog_waits_begin(true);
    let_time_pass(&before);
    assert_int_equal(catalog_waits_get().waiting, before.waiting + 1);
    catalog_waits_end(true, begin_ns);
    const catalog_waits after = catalog_waits_get();
    assert_true(after.waited_ns > before.waited_ns);
    assert_int_equal(after.waiting, before.waiting);
    assert_int_equal(catalog_waits_get().waited_ns, after.waited_ns);
}

static void
test_readers_hold_up_nobody(void **state)
{
    (void)state;
    const catalog_waits before = catalog_waits_get();
    int64_t begin_ns = catalog_waits_begin(false);
    assert_int_equal(catalog_waits_get().waiting, before.waiting + 1);
    catalog_waits_end(false, begin_ns);
    assert_int_equal(catalog_waits_get().waited_ns, before.waited_ns);
}

static void
test_round_trips_are_counted(void **state)
{
    (void)state;
    uint64_t before = catalog_waits_get().round_trips;
    catalog_waits_count();
    assert_int_equal(catalog_waits_get().round_trips, before + 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_counts_before_it_is_over),
        cmocka_unit_test(test_readers_hold_up_nobody),
        cmocka_unit_test(test_round_trips_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
