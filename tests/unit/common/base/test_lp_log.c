// SPDX-License-Identifier: Apache-2.0
// Whatever is logged is one line, with its time and level, cut where its room ends; levels beyond
// the last one shown are not.

#include "common/base/lp_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// log_lines returns what lp_log wrote to standard error meanwhile.
static void
log_lines(char *out, size_t size)
{
    int ends[2];
    char text[1100];
    int kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_true(kept >= 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    memset(text, 'y', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    lp_log(LP_LOG_WARN, "one\ntwo %d", 3);
    lp_log(LP_LOG_INFO, "not shown");
    lp_log(LP_LOG_ERROR, "%s", text);
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    (void)close(ends[1]);
    ssize_t count = read(ends[0], out, size - 1);
    out[count < 0 ? 0 : count] = '\0';
    (void)close(ends[0]);
}

static void
test_a_log_line_is_one_line(void **state)
{
    (void)state;
    char lines[4096];
    lp_log_init("test", LP_LOG_WARN);
    log_lines(lines, sizeof(lines));
    char *second = strchr(lines, '\n');
    assert_non_null(second);
    *second++ = '\0';
    // 2026-01-02T03:04:05.678Z
    assert_int_equal(strspn(lines, "0123456789-:.TZ"), 24);
    assert_string_equal(lines + 24, " warn test: one\\ntwo 3");
    assert_memory_equal(second + 24, " error test: yyy", 16);
    assert_int_equal(strlen(second), 1024);
    assert_int_equal(second[1023], '\n');
}

static void
test_levels_have_names(void **state)
{
    (void)state;
    assert_int_equal(lp_log_level_parse("error"), LP_LOG_ERROR);
    assert_int_equal(lp_log_level_parse("warn"), LP_LOG_WARN);
    assert_int_equal(lp_log_level_parse("info"), LP_LOG_INFO);
    assert_int_equal(lp_log_level_parse("debug"), LP_LOG_DEBUG);
    assert_int_equal(lp_log_level_parse("Debug"), -1);
    assert_int_equal(lp_log_level_parse(""), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_log_line_is_one_line),
        cmocka_unit_test(test_levels_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
