// SPDX-License-Identifier: Apache-2.0

// Promised: lines about sessions are logged at info while there are few of them in a minute; the
// rest is logged at debug, and one line counts it by kind.

#include "collector/session/session_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_few_lines_are_info_and_need_no_sum(void **state)
{
    (void)state;
    session_log log = {0};
    char text[SESSION_LOG_TEXT_BYTES];
    assert_false(session_log_sum(&log, 1000, text));
    for (int i = 0; i < SESSION_LOG_LINES_MAX; i++) {
        assert_int_equal(session_log_get_level(&log, SESSION_LOG_HELLO), LP_LOG_INFO);
    }
    assert_false(session_log_sum(&log, 1000 + SESSION_LOG_MS, text));
}

static void
test_the_rest_is_debug_and_counted_by_kind(void **state)
{
    (void)state;
    session_log log = {0};
    char text[SESSION_LOG_TEXT_BYTES];
    assert_false(session_log_sum(&log, 0, text));
    for (int i = 0; i < SESSION_LOG_LINES_MAX; i++) {
        assert_int_equal(session_log_get_level(&log, SESSION_LOG_END), LP_LOG_INFO);
    }
    for (int i = 0; i < 1234; i++) {
        assert_int_equal(session_log_get_level(&log, SESSION_LOG_HELLO), LP_LOG_DEBUG);
    }
    assert_int_equal(session_log_get_level(&log, SESSION_LOG_END), LP_LOG_DEBUG);
    assert_int_equal(session_log_get_level(&log, SESSION_LOG_TAKEN), LP_LOG_DEBUG);

    assert_false(session_log_sum(&log, SESSION_LOG_MS - 1, text));
    assert_true(session_log_sum(&log, SESSION_LOG_MS, text));
    assert_string_equal(text,
        "sessions, besides those above: 1234 Hellos, 1 ended, 1 taken from other nodes; "
        "--log-level debug shows each");
    assert_int_equal(session_log_get_level(&log, SESSION_LOG_HELLO), LP_LOG_INFO);
    assert_false(session_log_sum(&log, (uint64_t)2 * SESSION_LOG_MS, text));
}

static void
test_the_longest_sum_fits(void **state)
{
    (void)state;
    session_log log = {.quiet = {UINT64_MAX / 4, UINT64_MAX / 4, UINT64_MAX / 4}};
    char text[SESSION_LOG_TEXT_BYTES];
    assert_true(session_log_sum(&log, 0, text));
    assert_non_null(strstr(text, "debug shows each"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_lines_are_info_and_need_no_sum),
        cmocka_unit_test(test_the_rest_is_debug_and_counted_by_kind),
        cmocka_unit_test(test_the_longest_sum_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
