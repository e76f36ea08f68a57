// SPDX-License-Identifier: Apache-2.0
// Recordings and chunks are removed while earlier queries still read them. A crash leaves no files,
// and a file that cannot be removed does not keep others.

#include "unit/collector/keep/retention_rig.h"

#include "collector/base/metrics.h"
#include "collector/keep/leaving_files.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/chunks/removals.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static lp_err
remove_nothing(void *arg, const char *session_id)
{
    (void)arg;
    (void)session_id;
    return LP_OK;
}

static void
finish_removals(const retention_rig *f)
{
    const removals_rest rest = {.remove = remove_nothing};
    removal_list left = {0};
    int error;
    assert_int_equal(removals_finish(f->catalog, f->blobs, rest, &left, &error), LP_OK);
    assert_int_equal(left.count, 0);
    LP_VEC_FINI(&left);
}

static void
count_note(void *arg, const char *session_id, int64_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    ++*(unsigned *)arg;
}

static unsigned
count_notes(const retention_rig *f)
{
    unsigned count = 0;
    assert_int_equal(catalog_list_removals(f->catalog, count_note, &count), LP_OK);
    return count;
}

// A power cut may restore a file until its deletion is on the disk.
static void
test_a_note_goes_when_the_disk_knows(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    catalog_session removed = retention_rig_session('b', "shop");
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &row, 1000);
    (void)retention_rig_add(f, &removed, 1000);
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    assert_int_equal(retention_remove(f->retention, removed.id), LP_OK);
    retention_tick(f->retention, 1000 * S);
    retention_rig_run_round(f);
    retention_rig_check_chunks(f, row.id, "1 ", "0 1 ");
    retention_remove_files(f->retention);
    retention_rig_check_chunks(f, row.id, "1 ", "1 ");
    retention_rig_check_chunks(f, removed.id, "", "");
    assert_int_equal(count_notes(f), 3);
    assert_true(retention_is_removing(f->retention, removed.id));
    retention_rig_run_round(f);
    retention_remove_files(f->retention);
    assert_int_equal(count_notes(f), 0);
    assert_false(retention_is_removing(f->retention, removed.id));
}

// block replaces the file of a chunk by a directory, which even root cannot unlink.
static void
block(const retention_rig *f, const char *id, unsigned ordinal)
{
    char path[500];
    (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, ordinal);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void
unblock(const retention_rig *f, const char *id, unsigned ordinal)
{
    char path[500];
    (void)snprintf(path, sizeof(path), "%s/%s/%u.jfr.zst", f->blobs_path, id, ordinal);
    assert_int_equal(rmdir(path), 0);
}

static void
test_what_cannot_be_removed_keeps_nothing_else(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    uint64_t most = 2 * retention_rig_add(f, &row, 0).stored_bytes + 20;
    for (int64_t i = 1; i < 4; i++) {
        (void)retention_rig_add(f, &row, i);
    }
    block(f, row.id, 0);
    uint64_t errors = metrics_get(METRICS_removal_errors);
    retention_rig_start(f, (policy_keep){.bytes = most}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    retention_rig_check_chunks(f, row.id, "2 3 ", "0 2 3 ");
    assert_int_equal(metrics_get(METRICS_removal_errors), errors + 1);
    assert_true(metrics_get(METRICS_stored_bytes_LEAVING) > 0);
    for (int64_t i = 4; i < 7; i++) { // the limit holds before the retry
        catalog_chunk chunk = retention_rig_add(f, &row, i);
        retention_note(f->retention, "shop", &chunk, 100 * S);
        assert_true(metrics_get(METRICS_stored_bytes_KEPT) <= most);
        retention_remove_files(f->retention);
    }
    retention_rig_check_chunks(f, row.id, "5 6 ", "0 5 6 ");
    assert_int_equal(count_notes(f), 1);
    unblock(f, row.id, 0);
    retention_rig_stop(f);
    finish_removals(f);
    retention_rig_check_chunks(f, row.id, "5 6 ", "5 6 ");
}

static void
test_what_could_not_be_removed_is_tried_again(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &row, 1);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    leaving_files leaving = {.catalog = f->catalog,
        .blobs = f->blobs,
        .rounds = f->rounds,
        .rest = {.remove = remove_nothing}};
    block(f, row.id, 1);
    assert_int_equal(leaving_files_reserve(&leaving, 2), LP_OK);
    leaving_files_add(&leaving, row.id, 1, 10);
    leaving_files_add(&leaving, row.id, 0, 10);
    assert_int_equal(leaving_files_go_on(&leaving, 1000), LP_OK);
    retention_rig_check_chunks(f, row.id, "0 1 ", "1 ");
    unblock(f, row.id, 1);
    assert_int_equal(leaving_files_go_on(&leaving, 1000 + LEAVING_FILES_RETRY_MS - 1), LP_OK);
    assert_int_equal(leaving.items.count, 1);
    assert_int_equal(leaving_files_go_on(&leaving, 1000 + LEAVING_FILES_RETRY_MS), LP_OK);
    assert_int_equal(leaving.items.count, 0);
    assert_int_equal(metrics_get(METRICS_stored_bytes_LEAVING), 0);
    leaving_files_fini(&leaving);
}

static void
test_a_crash_leaves_nothing(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    catalog_session removed = retention_rig_session('b', "shop");
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &row, 1000);
    for (int64_t i = 0; i < 3; i++) {
        (void)retention_rig_add(f, &removed, 1000);
    }
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    retention_tick(f->retention, 1000 * S);
    assert_int_equal(retention_remove(f->retention, removed.id), LP_OK);
    retention_rig_check_chunks(f, row.id, "1 ", "0 1 ");
    retention_rig_check_chunks(f, removed.id, "0 1 2 ", "0 1 2 ");
    retention_rig_stop(f); // like a crash for the files

    finish_removals(f);
    retention_rig_check_chunks(f, row.id, "1 ", "1 ");
    retention_rig_check_chunks(f, removed.id, "", "");
    finish_removals(f);
    assert_int_equal(retention_rig_count_rollups(f, 0), 1);
}

static void
test_a_recording_is_removed_on_demand(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    catalog_session running = retention_rig_session('b', "shop");
    catalog_session found;
    running.is_ended = false;
    for (int64_t i = 0; i < 3; i++) {
        (void)retention_rig_add(f, &row, i);
    }
    (void)retention_rig_add(f, &running, 0);
    struct session *in_memory;
    assert_int_equal(sessions_load(f->sessions, running.id, &in_memory), LP_OK);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, running.id), LP_EAGAIN);
    assert_int_equal(retention_remove(f->retention, "cccccccccccccccccccccccccccccccc"), LP_ENOENT);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    assert_int_equal(
        catalog_find(f->catalog, row.id, retention_rig_copy_session, &found), LP_ENOENT);
    assert_true(retention_is_removing(f->retention, row.id));
    assert_false(retention_is_removing(f->retention, running.id));
    retention_tick(f->retention, 0);
    retention_tick(f->retention, 0);
    assert_false(retention_is_removing(f->retention, row.id));
    retention_rig_check_chunks(f, row.id, "", "");
    retention_rig_check_chunks(f, running.id, "0 ", "0 ");
    assert_int_equal(retention_remove(f->retention, row.id), LP_ENOENT);
}

// A query begins after the deletion of the recording's row and before that of its chunks' rows.
static void
test_who_reads_what_is_removed_is_waited_for(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &row, 1);
    blobs_reader question = {0};
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(retention_remove(f->retention, row.id), LP_OK);
    blobs_reader_begin(&question, f->blobs, NULL);
    retention_tick(f->retention, 0);
    retention_tick(f->retention, 0);
    retention_rig_check_chunks(f, row.id, "", "0 1 ");
    assert_true(retention_is_removing(f->retention, row.id));
    blobs_reader_end(&question);
    retention_tick(f->retention, 0);
    retention_rig_check_chunks(f, row.id, "", "");
    assert_false(retention_is_removing(f->retention, row.id));
}

int __real_sqlite3_busy_timeout(sqlite3 *db, int ms);
int __wrap_sqlite3_busy_timeout(sqlite3 *db, int ms);

int
__wrap_sqlite3_busy_timeout(sqlite3 *db, int ms)
{
    enum { BUSY_MS_MAX = 200 }; // that a test waits for another writer
    return __real_sqlite3_busy_timeout(db, ms < BUSY_MS_MAX ? ms : BUSY_MS_MAX);
}

// The catalog does a removal without answering in time, as when PostgreSQL is lost in a commit.
static void
test_a_removal_that_was_done_after_all_goes_on(void **state)
{
    retention_rig *f = *state;
    catalog *other;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    retention_rig_start(f, (policy_keep){0}, SYNC_NEVER);
    assert_int_equal(catalog_open(f->catalog_path, &other, NULL), LP_OK);
    assert_int_equal(catalog_db_begin(other), LP_OK); // the catalog waits for it
    assert_int_equal(retention_remove(f->retention, row.id), LP_EIO);
    assert_false(retention_is_removing(f->retention, row.id));
    assert_int_equal(catalog_db_end(other, LP_OK), LP_OK);
    assert_int_equal(catalog_remove_session(other, row.id), LP_OK);
    catalog_close(other);
    retention_tick(f->retention, 0);
    retention_tick(f->retention, 0);
    assert_false(retention_is_removing(f->retention, row.id));
    retention_rig_check_chunks(f, row.id, "", "");
}

int
main(void)
{
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, retention_rig_setup, retention_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_note_goes_when_the_disk_knows),
        TEST(test_what_cannot_be_removed_keeps_nothing_else),
        TEST(test_what_could_not_be_removed_is_tried_again),
        TEST(test_a_crash_leaves_nothing),
        TEST(test_a_recording_is_removed_on_demand),
        TEST(test_who_reads_what_is_removed_is_waited_for),
        TEST(test_a_removal_that_was_done_after_all_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
