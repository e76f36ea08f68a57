// SPDX-License-Identifier: Apache-2.0
// Chunks expire by their age and their bytes, with all their rows and files. Earlier downloads and
// queries still read them. Recordings go with their last chunk.

#include "unit/collector/keep/retention_rig.h"

#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog_rollups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_chunks_go_with_all_that_is_theirs(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    uint64_t expired = metrics_get(METRICS_chunks_expired);
    for (int64_t i = 0; i < 4; i++) {
        (void)retention_rig_add(f, &row, i * 3600);
    }
    retention_rig_start(f, (policy_keep){.age_ns = 5000 * S}, SYNC_NEVER);
    retention_tick(f->retention, 10000 * S); // expires chunks that ended before 5000 s
    retention_rig_check_chunks(f, row.id, "2 3 ", "2 3 ");
    assert_int_equal(metrics_get(METRICS_chunks_expired), expired + 2);
    catalog_session found;
    assert_int_equal(catalog_find(f->catalog, row.id, retention_rig_copy_session, &found), LP_OK);
    assert_int_equal(found.expired_chunks, 2);
    assert_true(found.kept_wall_ns == 7200 * S);
    assert_int_equal(retention_rig_count_rollups(f, 0), 2);
    assert_int_equal(retention_rig_count_rollups(f, CATALOG_LONG_SUM_NS), 2);
    retention_tick(f->retention, 12201 * S); // 2 ended at 7201 s: exactly the limit
    retention_rig_check_chunks(f, row.id, "2 3 ", "2 3 ");
    retention_tick(f->retention, 12202 * S);
    retention_rig_check_chunks(f, row.id, "3 ", "3 ");
}

static void
test_a_recording_goes_with_its_last_chunk(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    catalog_session running = retention_rig_session('b', "shop");
    catalog_session empty = retention_rig_session('c', "shop");
    running.is_ended = false;
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &running, 0);
    assert_int_equal(catalog_put_session(f->catalog, &empty), LP_OK);
    assert_int_equal(blobs_put_hello(f->blobs, row.id, (lp_slice){0}), LP_OK);
    retention_rig_start(f, (policy_keep){.age_ns = S}, SYNC_NEVER);
    retention_tick(f->retention, 100 * S);
    retention_tick(f->retention, 101 * S);
    char path[500];
    catalog_session found;
    uint8_t *carry;
    size_t carry_bytes;
    assert_int_equal(
        catalog_find(f->catalog, row.id, retention_rig_copy_session, &found), LP_ENOENT);
    assert_int_equal(catalog_get_carry(f->catalog, row.id, &carry, &carry_bytes), LP_OK);
    assert_null(carry);
    (void)snprintf(path, sizeof(path), "%s/%s", f->blobs_path, row.id);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(
        catalog_find(f->catalog, empty.id, retention_rig_copy_session, &found), LP_ENOENT);
    assert_int_equal(
        catalog_find(f->catalog, running.id, retention_rig_copy_session, &found), LP_OK);
    assert_int_equal(found.expired_chunks, 1);
    assert_true(found.kept_wall_ns == S); // the end of the last one
}

static void
test_bytes_are_kept_after_each_commit(void **state)
{
    retention_rig *f = *state;
    catalog_session one = retention_rig_session('a', "shop");
    catalog_session other = retention_rig_session('b', "mail");
    catalog_chunk first = retention_rig_add(f, &one, 0);
    retention_rig_start(f, (policy_keep){.bytes = 3 * first.stored_bytes + 20}, SYNC_NEVER);
    for (int64_t i = 1; i < 6; i++) {
        catalog_chunk chunk = retention_rig_add(f, i % 2 == 0 ? &one : &other, i);
        retention_note(f->retention, i % 2 == 0 ? "shop" : "mail", &chunk, 100 * S);
        assert_true(metrics_get(METRICS_stored_bytes_KEPT) <= 3 * first.stored_bytes + 20);
    }
    retention_tick(f->retention, 100 * S);
    retention_rig_check_chunks(f, one.id, "2 ", "2 ");       // 4 s
    retention_rig_check_chunks(f, other.id, "1 2 ", "1 2 "); // 3 s and 5 s
}

// A limit that a service's file lacks is the default.
static void
test_files_say_what_services_keep(void **state)
{
    retention_rig *f = *state;
    catalog_session shop = retention_rig_session('a', "shop");
    catalog_session mail = retention_rig_session('b', "mail");
    catalog_session bank = retention_rig_session('c', "bank");
    catalog_chunk last = {0};
    for (int64_t i = 0; i < 5; i++) { // each at 10 s, 30 s and so on
        last = retention_rig_add(f, &shop, 10 + 20 * i);
        (void)retention_rig_add(f, &mail, 10 + 20 * i);
        (void)retention_rig_add(f, &bank, 10 + 20 * i);
    }
    char bytes[100];
    (void)snprintf(
        bytes, sizeof(bytes), "bytes %lu\n", (unsigned long)(2 * last.stored_bytes + 20));
    retention_rig_write_keep(f, "shop", bytes);
    retention_rig_write_keep(f, "mail", "age 25s\n");
    retention_rig_start(f, (policy_keep){.age_ns = 60 * S}, SYNC_NEVER);
    for (unsigned i = 0; i < 20; i++) { // a tick ends when it has taken too long
        retention_tick(f->retention, 100 * S);
    }
    retention_rig_check_chunks(f, shop.id, "3 4 ", "3 4 ");
    retention_rig_check_chunks(f, mail.id, "4 ", "4 ");
    retention_rig_check_chunks(f, bank.id, "2 3 4 ", "2 3 4 ");
}

static void
test_many_go_for_the_bytes_of_all(void **state)
{
    retention_rig *f = *state;
    catalog_session rows[3] = {retention_rig_session('a', "shop"),
        retention_rig_session('b', "mail"), retention_rig_session('c', "shop")};
    for (int64_t i = 0; i < 60; i++) { // a second each, in turn
        (void)retention_rig_add(f, &rows[i % 3], i);
    }
    catalog_chunk last = retention_rig_add(f, &rows[0], 60);
    retention_rig_start(f, (policy_keep){.bytes = 3 * last.stored_bytes + 20}, SYNC_NEVER);
    for (unsigned i = 0; i < 100; i++) { // a tick ends when it has taken too long
        retention_tick(f->retention, 100 * S);
    }
    char found[200] = "";
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(
            catalog_list_chunks(f->catalog, rows[i].id, retention_rig_note_ordinal, found), LP_OK);
    }
    assert_string_equal(found, "20 19 19 "); // 60 s, 58 s and 59 s
}

static void
test_more_go_than_at_once(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    for (int64_t i = 0; i < 2 * RETENTION_BATCH + 6; i++) {
        (void)retention_rig_add(f, &row, i);
    }
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    retention_tick(f->retention, 102 * S); // 0 ended at 1 s
    assert_int_equal(retention_rig_count_rollups(f, 0), 2 * RETENTION_BATCH + 5);
    for (unsigned i = 0; i < 100; i++) {
        retention_tick(f->retention, (2 * RETENTION_BATCH + 6 + 100) * S);
    }
    char found[400] = "";
    assert_int_equal(
        catalog_list_chunks(f->catalog, row.id, retention_rig_note_ordinal, found), LP_OK);
    assert_string_equal(found, "133 "); // which ended 100 s before
}

static void
test_who_reads_is_waited_for(void **state)
{
    retention_rig *f = *state;
    catalog_session one = retention_rig_session('a', "shop");
    catalog_session other = retention_rig_session('b', "shop");
    (void)retention_rig_add(f, &one, 0);
    (void)retention_rig_add(f, &one, 1000);
    (void)retention_rig_add(f, &other, 0);
    (void)retention_rig_add(f, &other, 1000);
    blobs_reader download = {0};
    blobs_reader question = {0};
    blobs_reader late = {0};
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    blobs_reader_begin(&download, f->blobs, one.id);
    retention_tick(f->retention, 1000 * S);
    retention_rig_check_chunks(f, one.id, "1 ", "0 1 ");
    retention_rig_check_chunks(f, other.id, "1 ", "1 ");
    assert_true(metrics_get(METRICS_stored_bytes_LEAVING) > 0);
    blobs_reader_begin(&late, f->blobs, one.id); // it does not know the chunk
    blobs_reader_end(&download);
    retention_tick(f->retention, 1000 * S);
    retention_rig_check_chunks(f, one.id, "1 ", "1 ");
    assert_int_equal(metrics_get(METRICS_stored_bytes_LEAVING), 0);

    blobs_reader_begin(&question, f->blobs, NULL);
    retention_tick(f->retention, 2000 * S);
    retention_rig_check_chunks(f, one.id, "", "1 ");
    retention_rig_check_chunks(f, other.id, "", "1 ");
    blobs_reader_end(&question);
    blobs_reader_end(&late);
    retention_tick(f->retention, 2000 * S);
    retention_rig_check_chunks(f, one.id, "", "");
    retention_rig_check_chunks(f, other.id, "", "");
}

static void
test_files_wait_for_the_disk(void **state)
{
    retention_rig *f = *state;
    catalog_session row = retention_rig_session('a', "shop");
    (void)retention_rig_add(f, &row, 0);
    (void)retention_rig_add(f, &row, 1000);
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_SECOND);
    retention_tick(f->retention, 1000 * S);
    retention_rig_check_chunks(f, row.id, "1 ", "0 1 "); // no round has run
    retention_remove_files(f->retention);
    retention_rig_check_chunks(f, row.id, "1 ", "0 1 ");
    sync_rounds_stop(f->rounds); // makes one
    assert_int_equal(uv_run(&f->loop, UV_RUN_DEFAULT), 0);
    retention_remove_files(f->retention);
    retention_rig_check_chunks(f, row.id, "1 ", "1 ");
    retention_destroy(f->retention);
    f->retention = NULL;
    sync_rounds_destroy(f->rounds);
}

static void
test_a_session_in_memory_knows_what_expired(void **state)
{
    retention_rig *f = *state;
    catalog_session running = retention_rig_session('b', "shop");
    running.is_ended = false;
    (void)retention_rig_add(f, &running, 0);
    (void)retention_rig_add(f, &running, 1000);
    struct session *in_memory;
    assert_int_equal(sessions_load(f->sessions, running.id, &in_memory), LP_OK);
    retention_rig_start(f, (policy_keep){.age_ns = 100 * S}, SYNC_NEVER);
    retention_tick(f->retention, 1000 * S);
    assert_int_equal(in_memory->row.expired_chunks, 1);
    assert_true(in_memory->row.kept_wall_ns == 1000 * S);
}

int
main(void)
{
#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, retention_rig_setup, retention_rig_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_go_with_all_that_is_theirs),
        TEST(test_a_recording_goes_with_its_last_chunk),
        TEST(test_bytes_are_kept_after_each_commit),
        TEST(test_files_say_what_services_keep),
        TEST(test_many_go_for_the_bytes_of_all),
        TEST(test_more_go_than_at_once),
        TEST(test_who_reads_is_waited_for),
        TEST(test_files_wait_for_the_disk),
        TEST(test_a_session_in_memory_knows_what_expired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
