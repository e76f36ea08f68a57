// SPDX-License-Identifier: Apache-2.0
// Expected values are written by hand; points in time were checked with GNU date.

#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_times_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t wall_ns;
    } cases[] = {
        {"2026-01-02T03:04:05Z", 1767323045000000000},
        {"2026-01-02t03:04:05z", 1767323045000000000},
        {"2026-01-02 03:04:05Z", 1767323045000000000},
        {"2026-01-02T03:04:05.1Z", 1767323045100000000},
        {"2026-01-02T03:04:05.123456789Z", 1767323045123456789},
        {"2026-01-02T05:04:05+02:00", 1767323045000000000},
        {"2026-01-02T05:04:05 02:00", 1767323045000000000}, // '+' of a query, not escaped
        {"2026-01-01T21:34:05-05:30", 1767323045000000000},
        {"2024-02-29T00:00:00Z", 1709164800000000000},
        {"2016-12-31T23:59:60Z", 1483228800000000000}, // a leap second
        {"2262-04-11T23:47:16.854775807Z", INT64_MAX},
        {"1767323045000000000", 1767323045000000000},
        {"1000000000000000", 1000000000000000},
        {"1970-01-12T13:46:40Z", 1000000000000000},
        {"9223372036854775807", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t wall_ns = 0;
        assert_true(lp_time_parse(cases[i].text, &wall_ns));
        assert_true(wall_ns == cases[i].wall_ns);
    }
}

static void
test_what_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "now", "0", "1767323045", "1767323045000",
        "999999999999999", "9223372036854775808", "-1", "+1000000000000000", "1e18", " 1",
        "1970-01-12T13:46:39Z", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05Zx",
        "2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z", "2026-01-00T03:04:05Z",
        "2026-01-32T03:04:05Z", "2025-02-29T03:04:05Z", "2026-01-02T24:04:05Z",
        "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+0100", "26-01-02T03:04:05Z",
        "2026-1-2T03:04:05Z", "2026-01-02T03:04:05\xc2\xa0Z", "2262-04-11T23:47:16.854775808Z",
        "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t wall_ns = 42;
        assert_false(lp_time_parse(cases[i], &wall_ns));
        assert_int_equal(wall_ns, 42);
    }
}

static void
test_times_are_written(void **state)
{
    (void)state;
    static const struct {
        int64_t wall_ns;
        const char *text;
        const char *compact;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000000Z", "19700101T000000Z"},
        {-1, "1969-12-31T23:59:59.999999999Z", "19691231T235959Z"},
        {1767323045123456789, "2026-01-02T03:04:05.123456789Z", "20260102T030405Z"},
        {INT64_MAX, "2262-04-11T23:47:16.854775807Z", "22620411T234716Z"},
        {INT64_MIN, "1677-09-21T00:12:43.145224192Z", "16770921T001243Z"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[LP_TIME_BYTES];
        char compact[LP_TIME_COMPACT_BYTES];
        lp_time_format(cases[i].wall_ns, text);
        assert_string_equal(text, cases[i].text);
        lp_time_format_compact(cases[i].wall_ns, compact);
        assert_string_equal(compact, cases[i].compact);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_read),
        cmocka_unit_test(test_what_is_no_time_is_refused),
        cmocka_unit_test(test_times_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
