// SPDX-License-Identifier: Apache-2.0
// How long an agent waits before the next connection, as a table of what happened. The clock is a
// column.

#include "agent/ship/dial/ship_dialer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// A connection comes about, and the collector takes something over it or does not.
typedef struct row {
    int64_t after_ms; // the connection before
    bool is_taken;
    int64_t pause_ms; // before the next one
} row;

static void
assert_paces(const row *rows, size_t count)
{
    ship_pace pace = {0};
    int64_t now_ms = 1000 * 1000;
    assert_int_equal(ship_pace_get_ms(&pace), 100);
    for (size_t i = 0; i < count; i++) {
        now_ms += rows[i].after_ms;
        ship_pace_note_connected(&pace, now_ms);
        if (rows[i].is_taken) {
            ship_pace_note_taken(&pace);
        }
        if (ship_pace_get_ms(&pace) != rows[i].pause_ms) {
            fail_msg("connection %zu: a pause of %d ms, not %d", i, (int)ship_pace_get_ms(&pace),
                (int)rows[i].pause_ms);
        }
    }
}

#define ASSERT_PACES(rows) assert_paces((rows), sizeof(rows) / sizeof((rows)[0]))

static void
test_a_collector_that_restarts_often_is_dialled_soon(void **state)
{
    static const row rows[] = {{0, true, 100}, {500, true, 200}, {500, true, 400}, {500, true, 500},
        {500, true, 500}, {10499, true, 500}, {500, true, 500}};
    (void)state;
    ASSERT_PACES(rows);
}

static void
test_a_collector_that_takes_nothing_is_dialled_ever_more_rarely(void **state)
{
    static const row rows[] = {{0, false, 100}, {50, false, 200}, {50, false, 400},
        {50, false, 800}, {50, false, 1600}, {50, false, 3200}, {50, false, 6400},
        {50, false, 12800}, {50, false, 25600}, {50, false, 51200}, {50, false, 60000},
        {69999, false, 60000}};
    (void)state;
    ASSERT_PACES(rows);
}

// The kill comes between the connection and the answer, three times in a row.
static void
test_connections_in_vain_among_others_cost_little(void **state)
{
    static const row rows[] = {{0, true, 100}, {500, true, 200}, {500, true, 400}, {500, true, 500},
        {500, false, 500}, {500, false, 500}, {500, false, 800}, {500, false, 1600},
        {500, true, 500}, {500, false, 500}};
    (void)state;
    ASSERT_PACES(rows);
}

static void
test_a_connection_that_lasts_counts_from_the_beginning(void **state)
{
    static const row rows[] = {{0, true, 100}, {10099, true, 200}, {10200, true, 100},
        {50, false, 200}, {50, false, 400}, {50, false, 800}, {50, false, 1600},
        {11600, false, 100}, {50, false, 200}};
    (void)state;
    ASSERT_PACES(rows);
}

// Counts go on for years.
static void
test_the_pause_stays_at_its_limit(void **state)
{
    ship_pace pace = {.was_connected = true, .short_count = UINT32_MAX - 1};
    (void)state;
    pace.vain_count = UINT32_MAX - 1;
    assert_int_equal(ship_pace_get_ms(&pace), SHIP_PACE_VAIN_MS_MAX);
    ship_pace_note_taken(&pace);
    assert_int_equal(ship_pace_get_ms(&pace), SHIP_PACE_TAKEN_MS_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_collector_that_restarts_often_is_dialled_soon),
        cmocka_unit_test(test_a_collector_that_takes_nothing_is_dialled_ever_more_rarely),
        cmocka_unit_test(test_connections_in_vain_among_others_cost_little),
        cmocka_unit_test(test_a_connection_that_lasts_counts_from_the_beginning),
        cmocka_unit_test(test_the_pause_stays_at_its_limit),
    };
    return cmocka_run_group_tests_name("ship_pace", tests, NULL, NULL);
}
