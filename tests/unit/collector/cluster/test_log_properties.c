// SPDX-License-Identifier: Apache-2.0
// Files of properties: how lines are parsed, what is refused and where, and that no message
// contains a value, which may be a password.

#include "support/temp_dir.h"

#include "collector/cluster/log_url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

typedef struct fixture {
    temp_dir temp;
    char path[300];
    log_url_properties read;
    lp_problem problem;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->temp = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/properties", f->temp.path);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    log_url_properties_fini(&f->read);
    temp_dir_remove(&f->temp);
    free(f);
    return 0;
}

static lp_err
read_text(fixture *f, const char *text, size_t size)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    log_url_properties_fini(&f->read);
    return log_url_read_properties(f->path, &f->read, &f->problem);
}

static void
test_what_lines_become(void **state)
{
    fixture *f = *state;
    static const char text[] = "# for the brokers of the company\n\n"
                               "security.protocol=SASL_SSL\r\n"
                               "  sasl.username =\tloupe \n"
                               "sasl.password=a=b #c\n"
                               "\t# indented\n"
                               "ssl.ca.location=";
    assert_int_equal(read_text(f, text, sizeof(text) - 1), LP_OK);
    static const log_url_property expected[] = {{"security.protocol", "SASL_SSL"},
        {"sasl.username", "loupe"}, {"sasl.password", "a=b #c"}, {"ssl.ca.location", ""}};
    assert_int_equal(f->read.items.count, sizeof(expected) / sizeof(expected[0]));
    for (size_t i = 0; i < f->read.items.count; i++) {
        assert_string_equal(f->read.items.items[i].name, expected[i].name);
        assert_string_equal(f->read.items.items[i].value, expected[i].value);
    }
}

static void
test_what_is_refused_names_the_line_and_repeats_nothing(void **state)
{
    fixture *f = *state;
    static const char *const rows[] = {"a=1\nsecret\n", "a=1\n=secret\n"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(read_text(f, rows[i], strlen(rows[i])), LP_ECORRUPT);
        assert_non_null(strstr(f->problem.text, "line 2"));
        assert_null(strstr(f->problem.text, "secret"));
    }
}

static void
test_a_file_has_a_limit(void **state)
{
    fixture *f = *state;
    char *text = malloc(LOG_URL_PROPERTIES_BYTES_MAX);
    assert_non_null(text);
    memset(text, '\n', LOG_URL_PROPERTIES_BYTES_MAX);
    assert_int_equal(read_text(f, text, LOG_URL_PROPERTIES_BYTES_MAX - 1), LP_OK);
    assert_int_equal(f->read.items.count, 0);
    assert_int_equal(read_text(f, text, LOG_URL_PROPERTIES_BYTES_MAX), LP_ELIMIT);
    free(text);
}

static void
test_no_path_is_no_property_and_no_file_is_an_error(void **state)
{
    fixture *f = *state;
    assert_int_equal(log_url_read_properties("", &f->read, &f->problem), LP_OK);
    assert_int_equal(f->read.items.count, 0);
    assert_int_equal(log_url_read_properties(f->path, &f->read, &f->problem), LP_EIO);
    assert_non_null(strstr(f->problem.text, f->path));
}

// A pipe would wait for a writer.
static void
test_what_is_no_file_is_an_error(void **state)
{
    fixture *f = *state;
    assert_int_equal(mkfifo(f->path, 0600), 0);
    assert_int_equal(log_url_read_properties(f->path, &f->read, &f->problem), LP_EIO);
    assert_non_null(strstr(f->problem.text, f->path));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_lines_become, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_is_refused_names_the_line_and_repeats_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_has_a_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_file_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_no_path_is_no_property_and_no_file_is_an_error, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
