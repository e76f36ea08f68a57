// SPDX-License-Identifier: Apache-2.0
#include "collector/cluster/catalog_pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NS_OF_MS = 1000000, TEXT_BYTES = 200 };

// note_seconds notes a sample each second, from from_s to to_s, of a loop that waits for a part of
// it, with ten round trips a second.
static void
note_seconds(
    catalog_pace *pace, catalog_waits *waits, uint64_t from_s, uint64_t to_s, uint64_t waited_ms)
{
    for (uint64_t s = from_s; s <= to_s; s++) {
        catalog_pace_note(pace, s * 1000, waits);
        waits->waited_ns += waited_ms * NS_OF_MS;
        waits->round_trips += 10;
    }
}

static void
test_nothing_is_said_before_there_was_time(void **state)
{
    (void)state;
    catalog_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    assert_false(catalog_pace_explain(&pace, 1000, &waits, text, sizeof(text)));
    note_seconds(&pace, &waits, 1, 9, 1000);
    assert_false(catalog_pace_explain(&pace, 10 * 1000, &waits, text, sizeof(text)));
}

static void
test_a_loop_that_mostly_waits_is_behind(void **state)
{
    (void)state;
    catalog_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    note_seconds(&pace, &waits, 1, 40, 800);
    assert_true(catalog_pace_explain(&pace, 41 * 1000, &waits, text, sizeof(text)));
    assert_string_equal(text, "the catalog is behind: the collector waited for it for 8.0 s of the "
                              "last 10.0 s, 80 ms for an answer");
    note_seconds(&pace, &waits, 41, 50, 799);
    assert_false(catalog_pace_explain(&pace, 51 * 1000, &waits, text, sizeof(text)));
}

// Then no sample comes, and the wait is not over.
static void
test_a_loop_that_stands_still_is_behind(void **state)
{
    (void)state;
    catalog_pace pace = {0};
    catalog_waits waits = {0};
    char text[TEXT_BYTES];
    note_seconds(&pace, &waits, 1, 20, 0);
    waits.waited_ns += 9 * 1000 * (uint64_t)NS_OF_MS;
    waits.round_trips++;
    assert_true(catalog_pace_explain(&pace, 29 * 1000, &waits, text, sizeof(text)));
    assert_non_null(strstr(text, "9.0 s of the last 10.0 s"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_said_before_there_was_time),
        cmocka_unit_test(test_a_loop_that_mostly_waits_is_behind),
        cmocka_unit_test(test_a_loop_that_stands_still_is_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
