// SPDX-License-Identifier: Apache-2.0
// Files that were put aside as damaged expire by the same ages and bytes as chunks, and with their
// recording. A file that cannot be removed or listed does not keep others.

#include "support/fake_sync.h"
#include "unit/collector/keep/retention_rig.h"

#include "collector/base/metrics.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *refused; // the end of the name of a file that cannot be removed

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
int __wrap_unlink(const char *path);
int __real_unlink(const char *path);

int
__wrap_unlink(const char *path)
{
    size_t size = refused == NULL ? SIZE_MAX : strlen(refused);
    if (strlen(path) >= size && strcmp(path + strlen(path) - size, refused) == 0) {
        errno = EIO;
        return -1;
    }
    return __real_unlink(path);
}

static void
put_aside(const retention_rig *f, const char *name, size_t bytes)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, name);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(close(fd), 0);
}

static bool
is_aside(const retention_rig *f, const char *name)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, name);
    return access(path, F_OK) == 0;
}

static const char log_of_a[] = "damaged/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-3-2.log";
static const char piece_of_b[] = "damaged/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-0.12.piece";
static const char old_catalog[] = "catalog.db.damaged-20260101T000000Z";

static void
put_all_aside(const retention_rig *f)
{
    put_aside(f, log_of_a, 1000);
    put_aside(f, piece_of_b, 1000);
    put_aside(f, old_catalog, 1000);
    put_aside(f, "damaged/strange", 1000);
}

static void
test_what_was_put_aside_goes_by_its_age(void **state)
{
    retention_rig *f = *state;
    const catalog_session row = retention_rig_session('a', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_all_aside(f);
    int64_t now_ns = lp_time_now();
    retention_rig_start(f, (policy_keep){.age_ns = 3600 * S}, SYNC_NEVER);
    retention_tick(f->retention, now_ns + 3500 * S);
    assert_true(is_aside(f, log_of_a));
    assert_true(is_aside(f, piece_of_b));
    assert_true(is_aside(f, old_catalog));
    assert_true(is_aside(f, "damaged/strange"));
    retention_tick(f->retention, now_ns + 3700 * S);
    assert_false(is_aside(f, log_of_a));
    assert_false(is_aside(f, piece_of_b));
    assert_false(is_aside(f, old_catalog));
    assert_false(is_aside(f, "damaged/strange"));
    assert_true(is_aside(f, "catalog.db"));
}

static void
test_what_was_put_aside_stays_without_limits(void **state)
{
    retention_rig *f = *state;
    put_all_aside(f);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    retention_tick(f->retention, INT64_MAX);
    assert_true(is_aside(f, log_of_a));
    assert_true(is_aside(f, old_catalog));
}

// Its bytes count like a chunk's; the chunks are older and go first.
static void
test_what_was_put_aside_counts_among_the_bytes(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    uint64_t more = retention_rig_add(f, &row, 1000).stored_bytes;
    put_aside(f, log_of_a, 5000);
    retention_rig_start(f, (policy_keep){.bytes = 5000 + more}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    retention_rig_check_chunks(f, row.id, "1 ", "1 ");
    assert_true(is_aside(f, log_of_a));
    retention_rig_stop(f);
    retention_rig_start(f, (policy_keep){.bytes = 4999}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    retention_rig_check_chunks(f, row.id, "", "");
    assert_false(is_aside(f, log_of_a));
}

static void
test_what_was_put_aside_goes_with_its_recording(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    row.is_ended = true;
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_all_aside(f);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, log_of_a));
    assert_true(is_aside(f, piece_of_b));
    assert_true(is_aside(f, old_catalog));
    assert_false(retention_is_removing(f->retention, row.id));
}

// A journal that cannot be read may be a directory with files.
static void
test_a_directory_that_was_put_aside_goes_as_well(void **state)
{
    static const char dir[] = "damaged/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-3.unread.log";
    retention_rig *f = *state;
    char path[400];
    const catalog_session row = retention_rig_session('a', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, dir);
    assert_int_equal(mkdir(path, 0700), 0);
    put_aside(f, "damaged/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-3.unread.log/something", 10);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, dir));
    assert_false(retention_is_removing(f->retention, row.id));
}

// A recording is removed while a late batch of it is being written. A failed write is repeated in a
// new file, but not for a removed recording: the file would reappear.
static void
test_what_is_on_its_way_to_the_disk_goes_for_good(void **state)
{
    static const char name[] = "damaged/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-0.late";
    retention_rig *f = *state;
    const catalog_session row = retention_rig_session('a', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    retention_rig_start(f, (policy_keep){0}, SYNC_SECOND);
    const data_path path = data_dir_at(f->data, DATA_DIR_LATE, row.id, 0U);
    journal *late;
    assert_int_equal(sync_rounds_admit(f->rounds), LP_OK);
    assert_int_equal(late_journals_open(&f->sessions->late, path.text, &late), LP_OK);
    assert_int_equal(journal_append(late, (lp_slice){(const uint8_t *)"x", 1}), LP_OK);
    fake_sync_error = EIO;
    fake_sync_refused = ".late";
    sync_rounds_note(f->rounds, late, row.id, 1);
    retention_rig_run_round(f);
    fake_sync_refused = NULL;
    assert_true(sync_rounds_has_failed(f->rounds, row.id)); // a copy is due
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    while (retention_is_removing(f->retention, row.id)) {
        retention_tick(f->retention, lp_time_now());
        retention_rig_run_round(f);
    }
    while (sync_rounds_has_failed(f->rounds, row.id)) { // ctest's time limit ends it
        retention_rig_run_round(f);
    }
    assert_false(is_aside(f, name));
}

// The bytes of a chunk that was not counted, because memory ran out, are not subtracted from the
// bytes that were put aside.
static void
test_bytes_of_chunks_and_of_what_was_put_aside_are_apart(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    catalog_session other = retention_rig_session('b', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    put_aside(f, log_of_a, 1000);
    retention_rig_start(f, (policy_keep){.bytes = 1 << 20}, SYNC_NEVER);
    (void)retention_rig_add(f, &row, 0); // no retention_note
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, log_of_a));
    (void)retention_rig_add(f, &other, 0);
    retention_tick(f->retention, lp_time_now());
    retention_rig_check_chunks(f, other.id, "0 ", "0 ");
    assert_int_equal(metrics_get(METRICS_stored_bytes_KEPT), 0);
}

static void
test_a_recording_goes_without_a_directory_of_damaged_files(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/damaged", f->dir.path);
    (void)retention_rig_add(f, &row, 0);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    retention_tick(f->retention, lp_time_now());
    retention_tick(f->retention, lp_time_now());
    retention_rig_check_chunks(f, row.id, "", "");
    assert_false(retention_is_removing(f->retention, row.id));
}

// Files after one that cannot be removed go, and that one is retried.
static void
test_a_file_that_cannot_be_removed_holds_up_no_other(void **state)
{
    retention_rig *f = *state;
    enum { FILES = 5 };
    catalog_session row = retention_rig_session('a', "shop");
    char names[FILES][60];
    char path[500];
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "damaged/%s-%d.log", row.id, i);
        put_aside(f, names[i], 10);
    }
    (void)retention_rig_add(f, &row, 0);
    for (int refused_one = 0; refused_one < FILES; refused_one++) {
        for (int i = 0; i < FILES; i++) {
            put_aside(f, names[i], 10);
        }
        assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
        retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
        assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
        refused = names[refused_one];
        retention_tick(f->retention, lp_time_now());
        retention_tick(f->retention, lp_time_now());
        refused = NULL;
        for (int i = 0; i < FILES; i++) {
            assert_int_equal(is_aside(f, names[i]), i == refused_one);
        }
        assert_true(retention_is_removing(f->retention, row.id));
        retention_rig_stop(f);
    }
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    retention_tick(f->retention, lp_time_now());
    assert_false(is_aside(f, names[FILES - 1]));
    assert_false(retention_is_removing(f->retention, row.id));
    retention_rig_stop(f);

    // The same with files of chunks: one is a directory.
    catalog_session other = retention_rig_session('b', "shop");
    for (int64_t i = 0; i < 4; i++) {
        (void)retention_rig_add(f, &other, i);
    }
    (void)snprintf(path, sizeof(path), "%s/%s/0.jfr.zst", f->blobs_path, other.id);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    retention_rig_start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    retention_rig_check_chunks(f, other.id, "", "0 ");
}

// A directory that cannot be listed does not keep recordings.
static void
test_recordings_go_where_damaged_files_cannot_be_listed(void **state)
{
    retention_rig *f = *state;
    char path[300];
    catalog_session found;
    const catalog_session empty = retention_rig_session('c', "shop");
    assert_int_equal(catalog_put_session(f->catalog, &empty), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/damaged", f->dir.path);
    assert_int_equal(rmdir(path), 0);
    put_aside(f, "damaged", 1); // a file
    retention_rig_start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    assert_int_equal(
        catalog_find(f->catalog, empty.id, retention_rig_copy_session, &found), LP_ENOENT);
}

int
main(void)
{
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, retention_rig_setup, retention_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_what_was_put_aside_goes_by_its_age),
        TEST(test_what_was_put_aside_stays_without_limits),
        TEST(test_what_was_put_aside_counts_among_the_bytes),
        TEST(test_what_was_put_aside_goes_with_its_recording),
        TEST(test_a_directory_that_was_put_aside_goes_as_well),
        TEST(test_what_is_on_its_way_to_the_disk_goes_for_good),
        TEST(test_bytes_of_chunks_and_of_what_was_put_aside_are_apart),
        TEST(test_a_recording_goes_without_a_directory_of_damaged_files),
        TEST(test_a_file_that_cannot_be_removed_holds_up_no_other),
        TEST(test_recordings_go_where_damaged_files_cannot_be_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
