// SPDX-License-Identifier: Apache-2.0
// The cache of heads: filled heads stay, also after a restart. Over the limit the oldest hours are
// removed; owned heads stay readable, dropped ones too. A damaged, cut or unfinished file counts as
// missing. A file that is not a head is refused without a trace. Whole segments stay until they are
// dropped, whatever their size or damage.

#include "support/temp_dir.h"

#include "collector/index/id_files.h"
#include "collector/index/id_object.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { IDS = 100 };

typedef struct fixture {
    temp_dir dir;
    char path[300];
    id_files *cache;
    id_files_kind kind;
    lp_buf head; // or the whole segment
} fixture;

static void
open_cache(fixture *f, uint64_t bytes_max)
{
    lp_problem problem = {.text = ""};
    if (id_files_open(f->path, f->kind, bytes_max, &f->cache, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
}

static int
setup_kind(void **state, id_files_kind kind)
{
    id_object_writer writer = {.from_wall_ns = 0};
    const id_chunk chunk = {.ordinal = 1};
    uint64_t hashes[IDS];
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/ids", f->dir.path);
    for (uint64_t i = 0; i < IDS; i++) {
        hashes[i] = i;
    }
    const lp_slice bytes = {(const uint8_t *)hashes, sizeof(hashes)};
    assert_int_equal(id_object_writer_add(&writer, &chunk, 1, bytes), LP_OK);
    assert_int_equal(id_object_writer_finish(&writer, &f->head), LP_OK);
    id_object_writer_fini(&writer);
    f->kind = kind;
    f->head.len -= kind == ID_FILES_HEADS ? IDS * sizeof(id_object_entry) : 0;
    open_cache(f, UINT64_MAX);
    *state = f;
    return 0;
}

static int
setup(void **state)
{
    return setup_kind(state, ID_FILES_HEADS);
}

static int
setup_whole(void **state)
{
    return setup_kind(state, ID_FILES_WHOLE);
}

static int
teardown(void **state)
{
    fixture *f = *state;
    id_files_close(f->cache);
    lp_buf_fini(&f->head);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_err
fill(void *arg, int fd)
{
    return lp_io_write_all(fd, lp_buf_slice(&((fixture *)arg)->head));
}

static lp_err
fill_half(void *arg, int fd)
{
    const fixture *f = arg;
    return lp_io_write_all(fd, (lp_slice){f->head.ptr, f->head.len / 2});
}

static lp_err
fail_to_fill(void *arg, int fd)
{
    lp_err err = fill_half(arg, fd);
    errno = ECONNREFUSED;
    return err == LP_OK ? LP_EIO : err;
}

static void
check_head(const fixture *f, const id_file *head)
{
    assert_int_equal(id_file_get(head).len, f->head.len);
    assert_memory_equal(id_file_get(head).ptr, f->head.ptr, f->head.len);
}

static void
check_there(fixture *f, const char *name)
{
    id_file *head;
    assert_true(id_files_has(f->cache, name));
    assert_int_equal(id_files_find(f->cache, name, &head), LP_OK);
    check_head(f, head);
    id_files_give_back(f->cache, head);
}

static void
check_missing(fixture *f, const char *name)
{
    id_file *head;
    assert_int_equal(id_files_find(f->cache, name, &head), LP_ENOENT);
    assert_false(id_files_has(f->cache, name));
}

static void
test_what_was_filled_is_there_after_a_start(void **state)
{
    fixture *f = *state;
    id_file *head;
    check_missing(f, "2026010203/a-1.ids");
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, &head), LP_OK);
    check_head(f, head);
    id_files_give_back(f->cache, head);
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, NULL), LP_OK); // again
    assert_int_equal(id_files_fill(f->cache, "2026010204/a-1.ids", fill, f, NULL), LP_OK);
    assert_int_equal(id_files_count_bytes(f->cache), 2 * f->head.len);
    for (int i = 0; i < 2; i++) {
        check_there(f, "2026010203/a-1.ids");
        check_there(f, "2026010204/a-1.ids");
        check_missing(f, "2026010205/a-1.ids");
        id_files_close(f->cache);
        open_cache(f, UINT64_MAX);
    }
    assert_int_equal(id_files_count_bytes(f->cache), 2 * f->head.len);
}

static void
test_the_oldest_hours_go(void **state)
{
    fixture *f = *state;
    id_file *oldest;
    id_files_close(f->cache);
    open_cache(f, 2 * f->head.len);
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, &oldest), LP_OK);
    assert_int_equal(id_files_fill(f->cache, "2026010205/a-1.ids", fill, f, NULL), LP_OK);
    assert_int_equal(id_files_fill(f->cache, "2026010204/a-1.ids", fill, f, NULL), LP_OK);
    check_missing(f, "2026010203/a-1.ids");
    check_there(f, "2026010204/a-1.ids");
    check_there(f, "2026010205/a-1.ids");
    check_head(f, oldest);
    id_files_give_back(f->cache, oldest);
    id_files_close(f->cache);
    open_cache(f, 1); // one stays, or none could be used
    check_missing(f, "2026010204/a-1.ids");
    check_there(f, "2026010205/a-1.ids");
}

static void
change_file(const fixture *f, const char *name, off_t size, bool is_flipped)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->path, name);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    uint8_t byte;
    if (is_flipped) {
        assert_int_equal(pread(fd, &byte, 1, 40), 1); // of the number of pages
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, 40), 1);
    } else {
        assert_int_equal(ftruncate(fd, size), 0);
    }
    assert_int_equal(close(fd), 0);
}

static void
test_a_damaged_file_is_as_good_as_none(void **state)
{
    fixture *f = *state;
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, NULL), LP_OK);
    assert_int_equal(id_files_fill(f->cache, "2026010204/a-1.ids", fill, f, NULL), LP_OK);
    assert_int_equal(id_files_fill(f->cache, "2026010205/a-1.ids", fill, f, NULL), LP_OK);
    id_files_close(f->cache);
    change_file(f, "2026010203-a-1.ids.head", 0, true);
    change_file(f, "2026010204-a-1.ids.head", 70, false);
    change_file(f, "2026010205-a-1.ids.head", 0, false);
    open_cache(f, UINT64_MAX);
    check_missing(f, "2026010203/a-1.ids");
    check_missing(f, "2026010204/a-1.ids");
    check_missing(f, "2026010205/a-1.ids");
    assert_int_equal(id_files_count_bytes(f->cache), 0);
    assert_int_equal(id_files_fill(f->cache, "2026010204/a-1.ids", fill, f, NULL), LP_OK);
    check_there(f, "2026010204/a-1.ids");
}

static void
test_what_is_no_head_leaves_nothing(void **state)
{
    fixture *f = *state;
    id_file *head;
    struct stat info;
    char path[400];
    assert_int_equal(
        id_files_fill(f->cache, "2026010203/a-1.ids", fill_half, f, &head), LP_ECORRUPT);
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fail_to_fill, f, &head), LP_EIO);
    assert_int_equal(errno, ECONNREFUSED);
    check_missing(f, "2026010203/a-1.ids");
    id_files_close(f->cache);
    (void)snprintf(path, sizeof(path), "%s/2026010203-a-1.ids.head.tmp-7", f->path);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0640); // of a process that was killed
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
    open_cache(f, UINT64_MAX);
    assert_int_equal(stat(path, &info), -1);
}

static void
test_one_that_is_dropped_stays_for_who_has_it(void **state)
{
    fixture *f = *state;
    id_file *head;
    id_files_drop(f->cache, "2026010203/a-1.ids");
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, &head), LP_OK);
    id_files_drop(f->cache, "2026010203/a-1.ids");
    check_missing(f, "2026010203/a-1.ids");
    assert_int_equal(id_files_count_bytes(f->cache), 0);
    check_head(f, head);
    id_files_give_back(f->cache, head);
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, NULL), LP_OK);
    check_there(f, "2026010203/a-1.ids");
}

static bool
is_second(const void *arg, const char *flat_name)
{
    (void)arg;
    return strcmp(flat_name, "2026010204-a-1.ids") == 0;
}

static void
test_whole_segments_stay_until_they_are_dropped(void **state)
{
    fixture *f = *state;
    id_file *file;
    struct stat info;
    char path[400];
    id_files_close(f->cache);
    open_cache(f, 1); // which is for heads
    assert_int_equal(id_files_fill(f->cache, "2026010203/a-1.ids", fill, f, NULL), LP_OK);
    assert_int_equal(id_files_fill(f->cache, "2026010204/a-1.ids", fill, f, NULL), LP_OK);
    for (int i = 0; i < 2; i++) {
        check_there(f, "2026010203/a-1.ids");
        check_there(f, "2026010204/a-1.ids");
        id_files_close(f->cache);
        open_cache(f, 1);
    }
    id_files_keep(f->cache, is_second, NULL);
    check_missing(f, "2026010203/a-1.ids");
    check_there(f, "2026010204/a-1.ids");
    id_files_close(f->cache);
    change_file(f, "2026010204-a-1.ids", 70, false);
    open_cache(f, 1);
    for (int i = 0; i < 2; i++) { // it may be looked into
        assert_int_equal(id_files_find(f->cache, "2026010204/a-1.ids", &file), LP_ECORRUPT);
        assert_true(id_files_has(f->cache, "2026010204/a-1.ids"));
    }
    (void)snprintf(path, sizeof(path), "%s/2026010203-a-1.ids", f->path);
    assert_int_equal(stat(path, &info), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_what_was_filled_is_there_after_a_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_oldest_hours_go, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_damaged_file_is_as_good_as_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_head_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_one_that_is_dropped_stays_for_who_has_it, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_whole_segments_stay_until_they_are_dropped, setup_whole, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
