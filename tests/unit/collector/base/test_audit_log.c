// SPDX-License-Identifier: Apache-2.0

// A file of lines: all that were pushed are in it, in order, each an object with its time; wherever
// lines are missing the file says how many, and what is there is whole. The file is moved, removed
// and replaced meanwhile.

#include "support/temp_dir.h"

#include "collector/base/audit_log.h"
#include "collector/base/metrics.h"
#include "common/base/lp_log.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 4, LINES = 500, AWAIT_S_MAX = 60 };

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static char logged[8192]; // lines

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
void __wrap_lp_log(lp_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void
__wrap_lp_log(lp_log_level level, const char *format, ...)
{
    (void)level;
    va_list args;
    (void)pthread_mutex_lock(&log_mutex);
    size_t len = strlen(logged);
    va_start(args, format);
    (void)vsnprintf(logged + len, sizeof(logged) - len, format, args);
    va_end(args);
    len = strlen(logged);
    (void)snprintf(logged + len, sizeof(logged) - len, "\n");
    (void)pthread_mutex_unlock(&log_mutex);
}

// expect_logged checks what was logged since the last time: a line of the file at path, or none.
static void
expect_logged(const char *path, const char *text)
{
    char expected[600] = "";
    if (text != NULL) {
        (void)snprintf(expected, sizeof(expected), "audit: %s: %s\n", path, text);
    }
    (void)pthread_mutex_lock(&log_mutex);
    assert_string_equal(logged, expected);
    logged[0] = '\0';
    (void)pthread_mutex_unlock(&log_mutex);
}

typedef struct fixture {
    temp_dir dir;
    char path[300];
    char moved[300];
    audit_log *log;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    logged[0] = '\0'; // there is no other thread
    (void)snprintf(f->path, sizeof(f->path), "%s/audit", f->dir.path);
    (void)snprintf(f->moved, sizeof(f->moved), "%s/audit.1", f->dir.path);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    audit_log_close(f->log);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
start(fixture *f)
{
    assert_int_equal(audit_log_open(f->path, &f->log, NULL), LP_OK);
}

static void
stop(fixture *f)
{
    audit_log_close(f->log);
    f->log = NULL;
}

static void
push(const fixture *f, int number)
{
    audit_log_push(f->log, json_pack("{s:i}", "number", number));
}

// read_lines reads a file of lines as an array of objects, each of which begins with its time.
static json_t *
read_lines(const char *path)
{
    json_t *lines = json_array();
    char text[1024];
    char before[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(text, sizeof(text), file) != NULL) {
        assert_int_equal(text[strlen(text) - 1], '\n');
        json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        if (line == NULL) {
            fail_msg("no JSON: %s", text);
        }
        const char *time = json_string_value(json_object_get(line, "time"));
        assert_int_equal(strncmp(text, "{\"time\":\"20", 11), 0);
        assert_int_equal(strlen(time), strlen("2026-01-02T03:04:05.123456789Z"));
        assert_true(strcmp(before, time) <= 0);
        (void)snprintf(before, sizeof(before), "%s", time);
        assert_int_equal(json_array_append_new(lines, line), 0);
    }
    assert_int_equal(fclose(file), 0);
    return lines;
}

static int
number_at(const json_t *lines, size_t index)
{
    return (int)json_integer_value(json_object_get(json_array_get(lines, index), "number"));
}

// expect_numbers checks that a file has these lines and no other; -1 ends them.
static void
expect_numbers(const char *path, const int *numbers)
{
    json_t *lines = read_lines(path);
    size_t count = 0;
    for (; numbers[count] >= 0; count++) {
        assert_int_equal(number_at(lines, count), numbers[count]);
    }
    assert_int_equal(json_array_size(lines), count);
    json_decref(lines);
}

static void
pause_briefly(void)
{
    const struct timespec pause = {.tv_nsec = 5 * 1000000};
    (void)nanosleep(&pause, NULL);
}

// await_count waits for a metric.
static void
await_count(metrics_id id, uint64_t count)
{
    for (int i = 0; metrics_get(id) < count; i++) {
        assert_true(i < AWAIT_S_MAX * 200);
        pause_briefly();
    }
}

static void
await_written(const fixture *f, int number)
{
    uint64_t written = metrics_get(METRICS_audit_lines);
    push(f, number);
    await_count(METRICS_audit_lines, written + 1);
}

static void *
push_many(void *arg)
{
    for (int i = 0; i < LINES; i++) {
        push(arg, i);
    }
    return NULL;
}

static void
test_all_lines_are_there_in_their_order(void **state)
{
    fixture *f = *state;
    start(f);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, push_many, f), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    stop(f);
    struct stat info;
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(info.st_mode & 0137, 0); // 0640, less what the umask hides
    json_t *lines = read_lines(f->path);
    assert_int_equal(json_array_size(lines), THREADS * LINES);
    int seen[LINES] = {0};
    int order = 0;
    for (size_t i = 0; i < THREADS * LINES; i++) {
        seen[number_at(lines, i)]++;
        order += number_at(lines, i) == 0 ? 1 : 0;
    }
    assert_int_equal(order, THREADS);
    for (size_t i = 0; i < LINES; i++) {
        assert_int_equal(seen[i], THREADS);
    }
    json_decref(lines);
}

static void
test_a_later_run_goes_on(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 3; i++) {
        start(f);
        push(f, i);
        stop(f);
    }
    expect_numbers(f->path, (const int[]){0, 1, 2, -1});
}

static void
test_any_text_is_one_line(void **state)
{
    fixture *f = *state;
    start(f);
    audit_log_push(
        f->log, json_pack("{s:s}", "text", "a\"b\n{\"event\":\"forged\"}\n\\\x1b[2J\xe2\x80\xa8"));
    stop(f);
    json_t *lines = read_lines(f->path);
    assert_int_equal(json_array_size(lines), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(lines, 0), "text")),
        "a\"b\n{\"event\":\"forged\"}\n\\\x1b[2J\xe2\x80\xa8");
    json_decref(lines);
}

static void
test_a_file_that_was_moved_is_followed_by_another(void **state)
{
    fixture *f = *state;
    start(f);
    await_written(f, 1);
    assert_int_equal(rename(f->path, f->moved), 0);
    await_written(f, 2); // without being told
    expect_numbers(f->moved, (const int[]){1, -1});
    expect_numbers(f->path, (const int[]){2, -1});
    assert_int_equal(unlink(f->path), 0);
    await_written(f, 3);
    expect_numbers(f->path, (const int[]){3, -1});
    // Told, it makes the file though there is no line.
    assert_int_equal(rename(f->path, f->moved), 0);
    audit_log_reopen(f->log);
    for (int i = 0; access(f->path, F_OK) != 0; i++) {
        assert_true(i < AWAIT_S_MAX * 200);
        pause_briefly();
    }
    // One that was emptied in its place (copytruncate).
    await_written(f, 4);
    assert_int_equal(truncate(f->path, 0), 0);
    await_written(f, 5);
    expect_numbers(f->path, (const int[]){5, -1});
    expect_logged(f->path, NULL); // that is as it should be
}

static void
test_where_no_new_file_can_be_made_the_moved_one_takes_lines(void **state)
{
    fixture *f = *state;
    start(f);
    await_written(f, 1);
    assert_int_equal(rename(f->path, f->moved), 0);
    assert_int_equal(mkdir(f->path, 0700), 0); // which is no file, to root as well
    expect_logged(f->path, NULL);
    await_written(f, 2);
    await_written(f, 20); // of which nothing is said again
    expect_numbers(f->moved, (const int[]){1, 2, 20, -1});
    expect_logged(f->path, "Is a directory; lines go to the moved file");
    // Removed, it would take them for nobody.
    uint64_t dropped = metrics_get(METRICS_audit_lines_dropped_file);
    assert_int_equal(unlink(f->moved), 0);
    push(f, 3);
    push(f, 4);
    await_count(METRICS_audit_lines_dropped_file, dropped + 2);
    expect_logged(f->path, "Is a directory; lines are dropped until the file is writable");
    assert_int_equal(rmdir(f->path), 0);
    await_written(f, 5);
    expect_logged(f->path, "writable again, 2 lines were dropped");
    json_t *lines = read_lines(f->path);
    assert_int_equal(json_array_size(lines), 2);
    const json_t *said = json_array_get(lines, 0);
    assert_string_equal(json_string_value(json_object_get(said, "event")), "dropped");
    assert_int_equal(json_integer_value(json_object_get(said, "lines")), 2);
    assert_int_equal(number_at(lines, 1), 5);
    json_decref(lines);
}

// A limit on the size of files is a disk that becomes full in the middle of a line.
static void
test_a_line_that_was_cut_off_harms_no_other(void **state)
{
    fixture *f = *state;
    start(f);
    await_written(f, 1);
    struct stat info;
    struct rlimit before;
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit full = {.rlim_cur = (rlim_t)info.st_size + 10, .rlim_max = before.rlim_max};
    uint64_t dropped = metrics_get(METRICS_audit_lines_dropped_file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    push(f, 2);
    await_count(METRICS_audit_lines_dropped_file, dropped + 1);
    push(f, 3);
    await_count(METRICS_audit_lines_dropped_file, dropped + 2);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    await_written(f, 4);
    char text[1024] = "";
    FILE *file = fopen(f->path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    const char *rest = strchr(text, '\n') + 1;
    assert_non_null(strstr(text, "\"number\":1}\n"));
    assert_int_equal(strcspn(rest, "\n"), 10); // of the second
    rest += 11;
    assert_non_null(strstr(rest, "\"event\":\"dropped\",\"lines\":2}\n{\"time\":"));
    assert_non_null(strstr(rest, "\"number\":4}\n"));
}

// What the file has said is missing is not missing once more, where the line behind that is cut
// off.
static void
test_missing_lines_are_told_once(void **state)
{
    fixture *f = *state;
    start(f);
    await_written(f, 1);
    struct stat info;
    struct rlimit before;
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit full = {.rlim_cur = (rlim_t)info.st_size, .rlim_max = before.rlim_max};
    uint64_t dropped = metrics_get(METRICS_audit_lines_dropped_file);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    push(f, 2);
    await_count(METRICS_audit_lines_dropped_file, dropped + 1);
    full.rlim_cur += 100; // the line about it, and the beginning of the next
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    push(f, 3);
    await_count(METRICS_audit_lines_dropped_file, dropped + 2);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    await_written(f, 4);
    char text[1024] = "";
    FILE *file = fopen(f->path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    const char *first = strstr(text, "\"event\":\"dropped\",\"lines\":1}\n{\"time\":");
    assert_non_null(first);
    const char *second = strstr(first + 1, "\"event\":\"dropped\",\"lines\":1}\n{\"time\":");
    assert_non_null(second);
    assert_non_null(strstr(second, "\"number\":4}\n"));
}

static void
test_lines_that_were_never_queued_are_missing(void **state)
{
    fixture *f = *state;
    uint64_t dropped = metrics_get(METRICS_audit_lines_dropped_queue);
    start(f);
    audit_log_push(f->log, NULL); // no memory for it
    push(f, 1);
    push(f, 2);
    audit_log_push(f->log, NULL);
    audit_log_push(f->log, NULL);
    stop(f);
    assert_int_equal(metrics_get(METRICS_audit_lines_dropped_queue), dropped + 3);
    json_t *lines = read_lines(f->path);
    assert_int_equal(json_array_size(lines), 4);
    static const int missing[] = {1, 0, 0, 2};
    for (size_t i = 0; i < 4; i++) {
        const json_t *line = json_array_get(lines, i);
        const char *event = json_string_value(json_object_get(line, "event"));
        assert_string_equal(event == NULL ? "" : event, missing[i] > 0 ? "dropped" : "");
        assert_int_equal(json_integer_value(json_object_get(line, "lines")), missing[i]);
    }
    assert_int_equal(number_at(lines, 1), 1);
    assert_int_equal(number_at(lines, 2), 2);
    json_decref(lines);
}

static void
test_what_an_earlier_run_left_half_written_is_ended(void **state)
{
    fixture *f = *state;
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs("{\"time\":\"2026", file) >= 0);
    assert_int_equal(fclose(file), 0);
    start(f);
    push(f, 7);
    stop(f);
    char text[200] = "";
    file = fopen(f->path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(strncmp(text, "{\"time\":\"2026\n{\"time\":\"2", 24), 0);
}

static void
test_a_disk_that_takes_nothing_holds_nobody_up(void **state)
{
    fixture *f = *state;
    uint64_t dropped = metrics_get(METRICS_audit_lines_dropped_file);
    uint64_t queue = metrics_get(METRICS_audit_lines_dropped_queue);
    assert_int_equal(audit_log_open("/dev/full", &f->log, NULL), LP_OK);
    for (int i = 0; i < 3; i++) {
        push(f, i);
    }
    audit_log_push(f->log, NULL); // no memory for it
    stop(f);
    assert_int_equal(metrics_get(METRICS_audit_lines_dropped_file), dropped + 3);
    assert_int_equal(metrics_get(METRICS_audit_lines_dropped_queue), queue + 1);
}

static void
test_a_start_needs_a_file(void **state)
{
    fixture *f = *state;
    char fifo[400];
    (void)snprintf(fifo, sizeof(fifo), "%s/fifo", f->dir.path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    lp_problem problem;
    assert_int_equal(audit_log_open(fifo, &f->log, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "fifo: not a file"));
    assert_int_equal(audit_log_open(f->dir.path, &f->log, &problem), LP_EIO);
    assert_int_equal(audit_log_open("/there/is/none", &f->log, &problem), LP_EIO);
    assert_string_equal(problem.text, "/there/is/none: No such file or directory");
}

int
main(void)
{
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_lines_are_there_in_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_later_run_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_text_is_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_that_was_moved_is_followed_by_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_where_no_new_file_can_be_made_the_moved_one_takes_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_line_that_was_cut_off_harms_no_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_lines_are_told_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_lines_that_were_never_queued_are_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_an_earlier_run_left_half_written_is_ended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_disk_that_takes_nothing_holds_nobody_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_start_needs_a_file, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("audit_log", tests, NULL, NULL);
}
