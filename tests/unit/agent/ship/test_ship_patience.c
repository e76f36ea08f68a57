// SPDX-License-Identifier: Apache-2.0
// How long the end of a JVM waits for the collector, as tables of when that took something.

#include "agent/ship/ship_patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct row {
    int64_t taken_ms;
    int64_t by_ms; // from then on
} row;

static void
assert_waits(const row *rows, size_t count)
{
    ship_patience patience = ship_patience_begin(5000, 100000);
    assert_int_equal(patience.by_ms, 105000);
    for (size_t i = 0; i < count; i++) {
        ship_patience_note_taken(&patience, rows[i].taken_ms);
        assert_int_equal(patience.by_ms, rows[i].by_ms);
    }
}

static void
test_each_thing_taken_lengthens_the_wait(void **state)
{
    static const row rows[] = {{100001, 105001}, {103100, 108100}, {103100, 108100}};
    (void)state;
    assert_waits(rows, sizeof(rows) / sizeof(rows[0]));
}

static void
test_the_wait_has_a_limit(void **state)
{
    static const row rows[] = {
        {104000, 109000}, {105000, 110000}, {105001, 110000}, {109999, 110000}};
    (void)state;
    assert_waits(rows, sizeof(rows) / sizeof(rows[0]));
}

static void
test_what_was_taken_before_does_not_shorten_it(void **state)
{
    static const row rows[] = {{0, 105000}, {99999, 105000}, {104000, 109000}, {101000, 109000}};
    (void)state;
    assert_waits(rows, sizeof(rows) / sizeof(rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_thing_taken_lengthens_the_wait),
        cmocka_unit_test(test_the_wait_has_a_limit),
        cmocka_unit_test(test_what_was_taken_before_does_not_shorten_it),
    };
    return cmocka_run_group_tests_name("ship_patience", tests, NULL, NULL);
}
