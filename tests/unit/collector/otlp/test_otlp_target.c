// SPDX-License-Identifier: Apache-2.0
// Where OTLP goes to: good and bad URLs and files of headers, each with its message; no message has
// a secret.

#include "collector/otlp/otlp_target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECRET "hunter2"

static void
test_paths_follow_the_url(void **state)
{
    (void)state;
    static const char *const urls[] = {"http://a:4318", "http://a:4318/", "http://a:4318//"};
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        otlp_target target;
        lp_problem problem;
        assert_int_equal(otlp_target_open(urls[i], NULL, &target, &problem), LP_OK);
        assert_string_equal(target.urls[OTLP_METRICS], "http://a:4318/v1/metrics");
        assert_string_equal(target.urls[OTLP_PROFILES], "http://a:4318/v1development/profiles");
        assert_int_equal(target.header_count, 0);
        otlp_target_close(&target);
    }
    otlp_target target;
    lp_problem problem;
    assert_int_equal(otlp_target_open("https://[::1]/x/y", NULL, &target, &problem), LP_OK);
    assert_string_equal(target.urls[OTLP_METRICS], "https://[::1]/x/y/v1/metrics");
    otlp_target_close(&target);
}

static void
test_other_urls_are_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {"", "a:4318", "grpc://a:4317", "http://", "http:///x",
        "http://:4318", "http://u:" SECRET "@a", "http://a?token=" SECRET, "http://a#x",
        "http://a b", "HTTP//a", "http://a:99999", "http://a:otlp", "http://a:4318:1",
        "http://::1:4318", "http://[::1", "http://[x]:4318", "http://a\x01"};
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        otlp_target target;
        lp_problem problem;
        assert_int_equal(otlp_target_open(urls[i], NULL, &target, &problem), LP_ECORRUPT);
        assert_null(strstr(problem.text, SECRET));
        assert_ptr_equal(strstr(problem.text, "--otlp "), problem.text);
        assert_null(target.urls[0]);
    }
    char url[OTLP_TARGET_URL_BYTES_MAX + 2] = "http://";
    memset(url + 7, 'a', sizeof(url) - 8);
    lp_problem problem;
    assert_int_equal(otlp_target_check(url, &problem), LP_ECORRUPT);
    url[OTLP_TARGET_URL_BYTES_MAX] = '\0';
    assert_int_equal(otlp_target_check(url, &problem), LP_OK);
}

// open_with opens a target with a file of headers of this text.
static lp_err
open_with(const char *text, size_t size_bytes, otlp_target *out, lp_problem *out_problem)
{
    char path[] = "/tmp/test_otlp_target.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size_bytes), (ssize_t)size_bytes);
    assert_int_equal(close(fd), 0);
    lp_err err = otlp_target_open("http://a", path, out, out_problem);
    assert_int_equal(unlink(path), 0);
    return err;
}

static void
test_headers_are_read(void **state)
{
    (void)state;
    static const char text[] = "# of the vendor\r\n\r\n  Authorization :  Bearer " SECRET ":x  \r\n"
                               "X-Scope-OrgID: 7";
    otlp_target target;
    lp_problem problem;
    assert_int_equal(open_with(text, sizeof(text) - 1, &target, &problem), LP_ECORRUPT);
    static const char good[] =
        "# of the vendor\r\n\r\n  Authorization:  Bearer " SECRET ":x  \r\nX-Scope-OrgID: 7";
    assert_int_equal(open_with(good, sizeof(good) - 1, &target, &problem), LP_OK);
    assert_int_equal(target.header_count, 2);
    assert_string_equal(target.headers[0].name, "Authorization");
    assert_string_equal(target.headers[0].value, "Bearer " SECRET ":x");
    assert_string_equal(target.headers[1].name, "X-Scope-OrgID");
    assert_string_equal(target.headers[1].value, "7");
    otlp_target_close(&target);
}

static void
test_bad_headers_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {
        {"A: 1\n" SECRET "\n", "line 2 is not `Name: value`"},
        {"A B: " SECRET, "line 1 has no valid name"},
        {": " SECRET, "line 1 has no valid name"},
        {"A:", "line 1 has no printable value"},
        {"A: " SECRET "\x01", "line 1 has no printable value"},
        {"A: " SECRET "\xc3\xa4", "line 1 has no printable value"},
        {"\n\ncontent-LENGTH: 1", "line 3 has a header that the collector sets itself"},
        {"Host: x", "sets itself"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        otlp_target target;
        lp_problem problem;
        assert_int_equal(
            open_with(cases[i].text, strlen(cases[i].text), &target, &problem), LP_ECORRUPT);
        if (strstr(problem.text, cases[i].part) == NULL || strstr(problem.text, SECRET) != NULL) {
            fail_msg("%zu: %s", i, problem.text);
        }
        assert_null(target.text);
    }
}

static void
test_limits_of_the_file(void **state)
{
    (void)state;
    otlp_target target;
    lp_problem problem;
    char lines[OTLP_TARGET_HEADERS_MAX + 1][8];
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        (void)snprintf(lines[i], sizeof(lines[i]), "A%02zu: 1\n", i);
        lines[i][7] = '\n';
    }
    assert_int_equal(open_with(lines[0], sizeof(lines) - 8, &target, &problem), LP_OK);
    assert_int_equal(target.header_count, OTLP_TARGET_HEADERS_MAX);
    otlp_target_close(&target);
    assert_int_equal(open_with(lines[0], sizeof(lines), &target, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "one header too many"));
    assert_int_equal(open_with("A: 1\0B: 2", 9, &target, &problem), LP_ECORRUPT);
    char *large = malloc(OTLP_TARGET_FILE_BYTES_MAX);
    memset(large, '\n', OTLP_TARGET_FILE_BYTES_MAX);
    assert_int_equal(open_with(large, OTLP_TARGET_FILE_BYTES_MAX, &target, &problem), LP_ECORRUPT);
    assert_int_equal(open_with(large, OTLP_TARGET_FILE_BYTES_MAX - 1, &target, &problem), LP_OK);
    otlp_target_close(&target);
    free(large);
    assert_int_equal(otlp_target_open("http://a", "/nowhere/at all", &target, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "--otlp-headers: cannot read /nowhere/at all"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths_follow_the_url),
        cmocka_unit_test(test_other_urls_are_refused),
        cmocka_unit_test(test_headers_are_read),
        cmocka_unit_test(test_bad_headers_are_refused_with_their_line),
        cmocka_unit_test(test_limits_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
