// SPDX-License-Identifier: Apache-2.0
// A regular file is there when it is committed, and as it was before that and without it. What is
// no regular file is written to as it is. Nothing else is ever left in the directory.

#include "support/temp_dir.h"

#include "common/base/lp_io.h"
#include "offline/output_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct place {
    temp_dir dir;
    char path[300];
} place;

static int
set_up(void **state)
{
    static place here;
    here.dir = temp_dir_make();
    (void)snprintf(here.path, sizeof(here.path), "%s/out", here.dir.path);
    *state = &here;
    return 0;
}

static int
tear_down(void **state)
{
    const place *here = *state;
    temp_dir_remove(&here->dir);
    return 0;
}

static size_t
count_files(const place *here)
{
    DIR *dir = opendir(here->dir.path);
    size_t count = 0;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(dir);
    return count;
}

static void
write_text(int fd, const char *text)
{
    lp_slice bytes = {(const uint8_t *)text, strlen(text)};
    assert_int_equal(lp_io_write_all(fd, bytes), LP_OK);
}

static void
make_file(const place *here, const char *text)
{
    int fd = open(here->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    write_text(fd, text);
    (void)close(fd);
}

static void
expect_text(const place *here, const char *text)
{
    char found[32] = "";
    int fd = open(here->path, O_RDONLY);
    assert_true(fd >= 0);
    assert_int_equal(read(fd, found, sizeof(found) - 1), strlen(text));
    assert_string_equal(found, text);
    (void)close(fd);
}

static output_file
open_well(const char *path)
{
    output_file file;
    assert_int_equal(output_file_open(path, &file, NULL), LP_OK);
    return file;
}

static void
test_a_new_file_is_there_when_it_is_committed(void **state)
{
    const place *here = *state;
    struct stat st;
    mode_t mask = umask(027);
    output_file file = open_well(here->path);
    write_text(file.fd, "result");
    assert_int_not_equal(stat(here->path, &st), 0);
    assert_int_equal(output_file_commit(&file, NULL), LP_OK);
    output_file_close(&file);
    expect_text(here, "result");
    assert_int_equal(stat(here->path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(count_files(here), 1);
    (void)umask(mask);
}

static void
test_an_old_file_stays_until_then(void **state)
{
    const place *here = *state;
    make_file(here, "precious");
    output_file file = open_well(here->path);
    write_text(file.fd, "half");
    expect_text(here, "precious");
    output_file_close(&file);
    expect_text(here, "precious");
    assert_int_equal(count_files(here), 1);

    file = open_well(here->path);
    write_text(file.fd, "new");
    assert_int_equal(output_file_commit(&file, NULL), LP_OK);
    output_file_close(&file);
    expect_text(here, "new");
    assert_int_equal(count_files(here), 1);
}

static void
test_where_the_place_is_gone_nothing_is_left(void **state)
{
    const place *here = *state;
    lp_problem problem = {.text = ""};
    output_file file = open_well(here->path);
    assert_int_equal(mkdir(here->path, 0700), 0);
    assert_int_equal(output_file_commit(&file, &problem), LP_EIO);
    assert_string_equal(problem.text, "Is a directory");
    output_file_close(&file);
    assert_int_equal(count_files(here), 1);
}

static void
test_a_pipe_stays_a_pipe(void **state)
{
    const place *here = *state;
    char found[8] = "";
    struct stat st;
    assert_int_equal(mkfifo(here->path, 0600), 0);
    int reader = open(here->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    output_file file = open_well(here->path);
    assert_false(file.is_standard_output);
    write_text(file.fd, "result");
    assert_int_equal(output_file_commit(&file, NULL), LP_OK);
    output_file_close(&file);
    assert_int_equal(read(reader, found, sizeof(found)), 6);
    assert_string_equal(found, "result");
    assert_int_equal(stat(here->path, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(count_files(here), 1);
    (void)close(reader);
}

static void
test_the_file_that_standard_output_is_is_not_replaced(void **state)
{
    const place *here = *state;
    make_file(here, "");
    (void)fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int there = open(here->path, O_WRONLY);
    assert_true(kept >= 0 && there >= 0);
    assert_int_equal(dup2(there, STDOUT_FILENO), STDOUT_FILENO);
    output_file file = {0};
    lp_err err = output_file_open(here->path, &file, NULL);
    bool is_own = file.is_standard_output;
    ssize_t written = write(STDOUT_FILENO, "before ", 7) + write(file.fd, "result", 6);
    output_file_close(&file);
    assert_int_equal(dup2(kept, STDOUT_FILENO), STDOUT_FILENO); // or no failure would be seen
    (void)close(kept);
    (void)close(there);
    assert_int_equal(err, LP_OK);
    assert_true(is_own);
    assert_int_equal(written, 13);
    expect_text(here, "before result");
    assert_int_equal(count_files(here), 1);
}

static void
test_a_place_that_cannot_be_is_refused(void **state)
{
    const place *here = *state;
    char path[400];
    output_file file = {0};
    lp_problem problem = {.text = ""};
    (void)snprintf(path, sizeof(path), "%s/no/such", here->dir.path);
    assert_int_equal(output_file_open(path, &file, &problem), LP_EIO);
    assert_string_equal(problem.text, "No such file or directory");
    assert_int_equal(output_file_open(here->dir.path, &file, &problem), LP_EIO);
    assert_string_equal(problem.text, "Is a directory");
    output_file_close(&file); // zeroed
    assert_int_equal(count_files(here), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_a_new_file_is_there_when_it_is_committed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_old_file_stays_until_then, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_where_the_place_is_gone_nothing_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_pipe_stays_a_pipe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_file_that_standard_output_is_is_not_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_place_that_cannot_be_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
