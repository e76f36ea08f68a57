// SPDX-License-Identifier: Apache-2.0
// The agent's token: as the option has it, or as its file has it at each call, and a sentence where
// there is none.

#include "support/temp_dir.h"

#include "agent/ship/link/ship_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void
assert_token(const char *option, const char *expected)
{
    ship_token token;
    lp_problem problem = {0};
    lp_err err = ship_token_read(option, &token, &problem);
    if (err != LP_OK) {
        fail_msg("%s", problem.text);
    }
    assert_int_equal(token.len, strlen(expected));
    assert_memory_equal(token.bytes, expected, token.len);
}

static void
write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void
test_a_text_is_the_token(void **state)
{
    (void)state;
    assert_token("", "");
    assert_token("secret", "secret");
    char longest[SHIP_TOKEN_BYTES_MAX + 2] = {0};
    memset(longest, 'a', SHIP_TOKEN_BYTES_MAX);
    assert_token(longest, longest);
    longest[SHIP_TOKEN_BYTES_MAX] = 'a';
    ship_token token;
    assert_int_equal(ship_token_read(longest, &token, NULL), LP_ELIMIT);
}

static void
test_a_file_is_read_each_time(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    char option[300];
    (void)snprintf(option, sizeof(option), "@%s/token", dir.path);
    write_file(option + 1, "first\n");
    assert_token(option, "first");
    write_file(option + 1, " \t\r\nsecond one\r\n\n");
    assert_token(option, "second one");
    temp_dir_remove(&dir);
}

static void
test_a_file_without_a_token_is_named(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    ship_token token;
    lp_problem problem;
    char option[300];
    char path[400];
    (void)snprintf(option, sizeof(option), "@%s/token", dir.path);
    assert_int_equal(ship_token_read(option, &token, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "/token: No such file"));
    write_file(option + 1, " \n");
    assert_int_equal(ship_token_read(option, &token, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "/token: the file is empty"));
    char large[SHIP_TOKEN_BYTES_MAX + 2];
    memset(large, 'a', sizeof(large) - 1);
    large[sizeof(large) - 1] = '\0';
    write_file(option + 1, large);
    assert_int_equal(ship_token_read(option, &token, &problem), LP_ELIMIT);
    (void)snprintf(path, sizeof(path), "@%s", dir.path);
    assert_int_equal(ship_token_read(path, &token, &problem), LP_EIO);
    (void)snprintf(path, sizeof(path), "@%s/pipe", dir.path);
    assert_int_equal(mkfifo(path + 1, 0600), 0); // to open it may take for ever
    assert_int_equal(ship_token_read(path, &token, &problem), LP_EIO);
    temp_dir_remove(&dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_text_is_the_token),
        cmocka_unit_test(test_a_file_is_read_each_time),
        cmocka_unit_test(test_a_file_without_a_token_is_named),
    };
    return cmocka_run_group_tests_name("ship_token", tests, NULL, NULL);
}
