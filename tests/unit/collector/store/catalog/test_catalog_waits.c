// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/catalog_waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NS_OF_MS = 1000000, TEXT_BYTES = 200 };

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

// note_seconds notes a sample each second, from from_s to to_s, of a loop that waits for a part of
// it, with ten round trips a second.
static void
note_seconds(catalog_waits_pace *pace, catalog_waits *waits, uint64_t from_s, uint64_t to_s,
    uint64_t waited_ms)
{
    for (uint64_t s = from_s; s <= to_s; s++) {
        catalog_waits_note(pace, s * 1000, waits);
        waits->waited_ns += waited_ms * NS_OF_MS;
        waits->round_trips += 10;
    }
}

static void
test_nothing_is_said_before_there_was_time(void **state)
{
    (void)state;
    catalog_waits_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    assert_false(catalog_waits_explain(&pace, 1000, &waits, text, sizeof(text)));
    note_seconds(&pace, &waits, 1, 9, 1000);
    assert_false(catalog_waits_explain(&pace, 10 * 1000, &waits, text, sizeof(text)));
}

static void
test_a_loop_that_mostly_waits_is_behind(void **state)
{
    (void)state;
    catalog_waits_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    note_seconds(&pace, &waits, 1, 40, 800);
    assert_true(catalog_waits_explain(&pace, 41 * 1000, &waits, text, sizeof(text)));
    assert_string_equal(text, "the catalog is behind: the collector waited for it for 8.0 s of the "
                              "last 10.0 s, 80 ms for an answer");
    note_seconds(&pace, &waits, 41, 50, 799);
    assert_false(catalog_waits_explain(&pace, 51 * 1000, &waits, text, sizeof(text)));
}

// Then no sample comes, and the wait is not over.
static void
test_a_loop_that_stands_still_is_behind(void **state)
{
    (void)state;
    catalog_waits_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    note_seconds(&pace, &waits, 1, 20, 0);
    waits.waited_ns += 9 * 1000 * (uint64_t)NS_OF_MS;
    waits.round_trips++;
    assert_true(catalog_waits_explain(&pace, 29 * 1000, &waits, text, sizeof(text)));
    assert_non_null(strstr(text, "9.0 s of the last 10.0 s"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_counts_before_it_is_over),
        cmocka_unit_test(test_readers_hold_up_nobody),
        cmocka_unit_test(test_round_trips_are_counted),
        cmocka_unit_test(test_nothing_is_said_before_there_was_time),
        cmocka_unit_test(test_a_loop_that_mostly_waits_is_behind),
        cmocka_unit_test(test_a_loop_that_stands_still_is_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
