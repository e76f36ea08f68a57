// SPDX-License-Identifier: Apache-2.0
// The mark of a run: a clean end leaves none, a killed process one of this boot, a power cut one of
// another boot. The power cut was lossy unless every run since the last clean end was safe.

#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/journal/run_mark.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static time_t clock_back_s;

int __real_clock_gettime(clockid_t id, struct timespec *out);
int __wrap_clock_gettime(clockid_t id, struct timespec *out);

int
__wrap_clock_gettime(clockid_t id, struct timespec *out)
{
    int result = __real_clock_gettime(id, out);
    out->tv_sec -= clock_back_s;
    return result;
}

typedef struct fixture {
    temp_dir dir;
    char path[300];
    char chunks_path[300];
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/running", f->dir.path);
    (void)snprintf(f->chunks_path, sizeof(f->chunks_path), "%s/ended", f->dir.path);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// begin simulates a start of the collector, with a lossy --sync or not. Returns whether batches may
// be lost.
static bool
begin(const fixture *f, const char *boot, bool is_lossy)
{
    run_mark before = run_mark_look(f->path, boot);
    assert_int_equal(
        run_mark_begin(f->path, boot, is_lossy || (before.is_lossy && !before.was_cut)), LP_OK);
    return before.was_cut && before.is_lossy;
}

static void
test_a_clean_end_has_lost_nothing(void **state)
{
    const fixture *f = *state;
    assert_false(begin(f, "one", true));
    assert_int_equal(run_mark_end(f->path), LP_OK);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_false(begin(f, "two", true));
}

static void
test_a_killed_process_has_lost_nothing(void **state)
{
    const fixture *f = *state;
    (void)begin(f, "one", true);
    assert_false(begin(f, "one", true));
    (void)begin(f, NULL, true);
    assert_false(begin(f, NULL, true)); // the boot of this machine, which goes on
}

static void
test_a_power_cut_has(void **state)
{
    const fixture *f = *state;
    (void)begin(f, "one", true);
    assert_true(begin(f, "two", true));
    assert_false(begin(f, "two", true)); // once
    assert_true(begin(f, "tw", true));   // not the same name
}

static void
test_nothing_is_lost_with_always(void **state)
{
    const fixture *f = *state;
    (void)begin(f, "one", false);
    assert_false(begin(f, "two", false));
    (void)begin(f, "two", true); // a lossy run, which is killed
    assert_false(begin(f, "two", false));
    assert_true(begin(f, "three", false)); // what that one wrote was not on the disk
    assert_false(begin(f, "four", false));
}

static void
test_half_a_mark_is_of_a_power_cut(void **state)
{
    const fixture *f = *state;
    (void)begin(f, "one", true);
    assert_int_equal(truncate(f->path, 3), 0);
    assert_true(begin(f, "one", true));
    assert_int_equal(truncate(f->path, 0), 0);
    assert_true(begin(f, "one", true));
}

// The time of an end is known until the next run, and only after a clean end.
static void
test_the_time_of_a_clean_end_is_known(void **state)
{
    const fixture *f = *state;
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    (void)begin(f, "one", true);
    assert_int_equal(run_mark_end(f->path), LP_OK);
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    run_mark_note_end(f->path, f->chunks_path);
    int64_t ended_ns = run_mark_find_end(f->path, f->chunks_path);
    assert_true(ended_ns > 0);
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), ended_ns);
    (void)begin(f, "one", true);
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0); // killed
    assert_int_equal(run_mark_end(f->path), LP_OK);
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
}

// A file system whose clock is behind may show a later change as an earlier one.
static void
test_a_time_that_is_later_than_its_file_is_unknown(void **state)
{
    const fixture *f = *state;
    char path[320];
    (void)snprintf(path, sizeof(path), "%s.ended", f->path);
    static const char *const texts[] = {"9223372036854775807\n", "", "x\n", "12345"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        files_write(path, texts[i], strlen(texts[i]));
        files_write(f->chunks_path, texts[i], strlen(texts[i]));
        assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    }
}

// A clock that was set back shows changes after the end as earlier ones. The file's own change is
// later, so only the clock tells.
static void
test_a_time_in_the_future_is_unknown(void **state)
{
    const fixture *f = *state;
    run_mark_note_end(f->path, f->chunks_path);
    assert_true(run_mark_find_end(f->path, f->chunks_path) > 0);
    clock_back_s = 3600;
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    clock_back_s = 0;
}

// Either side was replaced by what it was after an earlier end.
static void
test_a_time_that_the_other_side_does_not_have_is_unknown(void **state)
{
    const fixture *f = *state;
    char earlier[40];
    run_mark_note_end(f->path, f->chunks_path);
    (void)snprintf(earlier, sizeof(earlier), "%" PRId64 "\n",
        run_mark_find_end(f->path, f->chunks_path) - 1000000000);
    files_write(f->chunks_path, earlier, strlen(earlier));
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    assert_int_equal(unlink(f->chunks_path), 0);
    assert_int_equal(run_mark_find_end(f->path, f->chunks_path), 0);
    run_mark_note_end(f->path, f->chunks_path);
    assert_true(run_mark_find_end(f->path, f->chunks_path) > 0);
}

static void
test_a_mark_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(run_mark_begin("/nowhere/running", NULL, true), LP_EIO);
    assert_int_equal(run_mark_end("/nowhere/running"), LP_EIO);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_a_clean_end_has_lost_nothing),
        TEST(test_a_killed_process_has_lost_nothing),
        TEST(test_a_power_cut_has),
        TEST(test_nothing_is_lost_with_always),
        TEST(test_half_a_mark_is_of_a_power_cut),
        TEST(test_the_time_of_a_clean_end_is_known),
        TEST(test_a_time_that_is_later_than_its_file_is_unknown),
        TEST(test_a_time_in_the_future_is_unknown),
        TEST(test_a_time_that_the_other_side_does_not_have_is_unknown),
        TEST(test_a_mark_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
