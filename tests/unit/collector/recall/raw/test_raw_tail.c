// SPDX-License-Identifier: Apache-2.0
// Raw data keeps to its limits: each file goes when its time is over, the oldest above the limit of
// bytes but not below a session's share, all before the disk is full. The list in memory is that of
// the directory after each start, after a removal, and after a journal came a second time. A second
// of CPU.

#include "unit/collector/session/session_store.h"

#include "collector/base/metrics.h"
#include "collector/journal/journal_list.h"
#include "collector/recall/raw/raw_tail.h"
#include "common/base/lp_time.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ONE   "11111111111111111111111111111111"
#define OTHER "22222222222222222222222222222222"
#define THIRD "33333333333333333333333333333333"

static const int64_t MINUTE_NS = INT64_C(60000000000);

typedef struct fixture {
    session_store store;
    raw_tail_config config;
    raw_tail *tail;
    char policies_path[300];
} fixture;

static void
write_text(const fixture *f, const char *name, const char *text)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->policies_path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->store = session_store_open();
    (void)snprintf(f->policies_path, sizeof(f->policies_path), "%s/policies", f->store.dir.path);
    assert_int_equal(mkdir(f->policies_path, 0700), 0);
    write_text(f, "short.keep", "recall 1m");
    write_text(f, "none.keep", "recall none");
    write_text(f, "gone.keep", "age 2m");
    assert_int_equal(policy_dir_open(f->policies_path, &f->config.policies, NULL), LP_OK);
    f->config.keep_ns = 15 * MINUTE_NS;
    f->config.bytes_max = 1000;
    f->config.dir = f->store.data;
    f->config.catalog = f->store.catalog;
    f->config.list = raw_list_create(RAW_LIST_FILTER_BYTES_MAX);
    assert_non_null(f->config.list);
    assert_int_equal(raw_tail_open(&f->config, &f->tail), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    raw_tail_close(f->tail);
    assert_int_equal(metrics_get(METRICS_recall_bytes), 0);
    raw_list_destroy(f->config.list);
    policy_dir_close(f->config.policies);
    session_store_close(&f->store);
    free(f);
    return 0;
}

static void
start_again(fixture *f)
{
    raw_tail_close(f->tail);
    assert_int_equal(raw_tail_open(&f->config, &f->tail), LP_OK);
}

// make_journal makes a journal of a size.
static data_path
make_journal(const fixture *f, const char *id, uint32_t ordinal, unsigned bytes)
{
    (void)mkdir(data_dir_at(f->store.data, DATA_DIR_SESSION_JOURNALS, id).text, 0700);
    const data_path path = data_dir_at(f->store.data, DATA_DIR_JOURNAL, id, ordinal);
    int fd = open(path.text, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, bytes), 0);
    assert_int_equal(close(fd), 0);
    return path;
}

// offer makes a journal, and returns whether it is kept.
static bool
offer(fixture *f, const char *id, const char *service, uint32_t ordinal, unsigned bytes)
{
    const data_path path = make_journal(f, id, ordinal, bytes);
    bool is_kept = raw_tail_take(f->tail, id, service, ordinal);
    assert_int_equal(access(path.text, F_OK) == 0, !is_kept);
    (void)unlink(path.text);
    return is_kept;
}

static bool
has(const fixture *f, const char *id, uint32_t ordinal)
{
    return access(data_dir_at(f->store.data, DATA_DIR_RAW_JOURNAL, id, ordinal).text, F_OK) == 0;
}

// set_age makes a file older by minutes, for the next start.
static void
set_age(const fixture *f, const char *id, uint32_t ordinal, int64_t minutes)
{
    int64_t since_ns = lp_time_now() - minutes * MINUTE_NS;
    const struct timespec at = {.tv_sec = since_ns / 1000000000};
    const struct timespec both[2] = {at, at};
    const data_path path = data_dir_at(f->store.data, DATA_DIR_RAW_JOURNAL, id, ordinal);
    assert_int_equal(utimensat(AT_FDCWD, path.text, both, 0), 0);
}

static void
test_files_go_when_the_time_of_their_service_is_over(void **state)
{
    fixture *f = *state;
    assert_true(offer(f, ONE, "shop", 0, 10));
    assert_true(offer(f, OTHER, "short", 0, 20));
    assert_true(offer(f, THIRD, "gone", 0, 40)); // never longer than the chunks
    assert_false(offer(f, THIRD, "none", 1, 80));
    assert_int_equal(raw_tail_get_bytes(f->tail), 70);
    int64_t now = lp_time_now();
    const struct {
        int64_t minutes;
        uint64_t bytes;
    } steps[] = {{0, 70}, {1, 50}, {2, 10}, {14, 10}, {15, 0}};
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        raw_tail_tick(f->tail, now + steps[i].minutes * MINUTE_NS + 1000000000);
        assert_int_equal(raw_tail_get_bytes(f->tail), steps[i].bytes);
    }
    assert_int_not_equal( // directories go with the last file
        access(data_dir_at(f->store.data, DATA_DIR_RAW_SESSION, ONE).text, F_OK), 0);
    assert_int_equal(metrics_get(METRICS_recall_oldest_seconds), 0);
}

static void
test_the_oldest_goes_above_the_limit_but_not_below_a_share(void **state)
{
    fixture *f = *state;
    assert_true(offer(f, OTHER, "shop", 7, 300)); // the oldest of all, and less than a share
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(offer(f, ONE, "shop", i, 100));
    }
    raw_tail_tick(f->tail, lp_time_now());
    assert_int_equal(raw_tail_get_bytes(f->tail), 1000);
    assert_true(has(f, OTHER, 7) && !has(f, ONE, 0) && has(f, ONE, 1));
    assert_true(offer(f, ONE, "shop", 8, 100));
    raw_tail_tick(f->tail, lp_time_now());
    assert_true(has(f, OTHER, 7) && !has(f, ONE, 1) && has(f, ONE, 8));
    assert_true(offer(f, OTHER, "shop", 8, 400)); // it has more than half now, and the oldest
    raw_tail_tick(f->tail, lp_time_now());
    assert_false(has(f, OTHER, 7));
    assert_true(raw_tail_get_bytes(f->tail) <= 1000);
}

static void
test_a_start_finds_what_is_there(void **state)
{
    fixture *f = *state;
    char shop[] = "short";
    char empty[] = "";
    const catalog_session row = {
        .id = OTHER, .service = shop, .instance = empty, .jvm_name = empty, .jvm_version = empty};
    assert_int_equal(catalog_put_session(f->store.catalog, &row), LP_OK);
    assert_true(offer(f, ONE, "", 3, 30)); // no catalog has it
    assert_true(offer(f, ONE, "", 4, 40));
    assert_true(offer(f, OTHER, "short", 5, 50));
    set_age(f, ONE, 4, 16); // the order of time, not that of numbers
    set_age(f, OTHER, 5, 2);
    start_again(f);
    assert_int_equal(raw_tail_get_bytes(f->tail), 120);
    raw_tail_tick(f->tail, lp_time_now());
    assert_int_equal(raw_tail_get_bytes(f->tail), 30);
    assert_true(has(f, ONE, 3) && !has(f, ONE, 4) && !has(f, OTHER, 5));
    f->config.keep_ns = 0; // without --recall the rest goes
    start_again(f);
    assert_false(raw_tail_wants(f->tail, "shop"));
    assert_true(raw_tail_wants(f->tail, "short"));
    raw_tail_tick(f->tail, lp_time_now() + 1);
    assert_int_equal(raw_tail_get_bytes(f->tail), 0);
}

static void
test_a_journal_that_comes_again_counts_once(void **state)
{
    fixture *f = *state;
    assert_true(offer(f, ONE, "shop", 3, 30));
    assert_true(offer(f, ONE, "shop", 4, 40));
    assert_true(offer(f, ONE, "shop", 3, 50));
    assert_int_equal(raw_tail_get_bytes(f->tail), 90);
    assert_true(raw_tail_relieve(f->tail));
    assert_int_equal(raw_tail_get_bytes(f->tail), 0);
    assert_false(raw_tail_relieve(f->tail));
    assert_false(has(f, ONE, 3) || has(f, ONE, 4));
}

// A pin may come before the round after which a journal is moved: its memory counts then, too.
static void
test_a_journal_that_waits_is_measured(void **state)
{
    fixture *f = *state;
    assert_int_equal(raw_tail_measure(f->tail, ONE, 7), 0);
    (void)make_journal(f, ONE, 7, 300);
    assert_int_equal(raw_tail_measure(f->tail, ONE, 7), 300);
    assert_true(raw_tail_take(f->tail, ONE, "shop", 7));
    assert_int_equal(raw_tail_measure(f->tail, ONE, 7), 300);
    assert_int_equal(raw_tail_measure(f->tail, ONE, 8), 0);
}

static void
test_a_removed_recording_has_no_raw_data(void **state)
{
    fixture *f = *state;
    uint64_t removed = metrics_get(METRICS_recall_dropped_REMOVED);
    assert_true(offer(f, ONE, "shop", 3, 30));
    assert_true(offer(f, OTHER, "shop", 3, 40));
    assert_int_equal(journal_list_remove_raw(f->store.data, ONE), LP_OK);
    assert_false(has(f, ONE, 3));
    raw_tail_tick(f->tail, lp_time_now());
    assert_int_equal(raw_tail_get_bytes(f->tail), 40);
    assert_int_equal(metrics_get(METRICS_recall_dropped_REMOVED), removed + 1);
}

static void
test_a_directory_that_cannot_be_used_costs_only_raw_data(void **state)
{
    fixture *f = *state;
    const data_path root = data_dir_at(f->store.data, DATA_DIR_RAW);
    (void)rmdir(root.text);
    int fd = open(root.text, O_WRONLY | O_CREAT, 0600); // a file where the directory should be
    assert_int_equal(close(fd), 0);
    uint64_t errors = metrics_get(METRICS_recall_errors);
    assert_false(offer(f, ONE, "shop", 3, 30));
    assert_int_equal(metrics_get(METRICS_recall_errors), errors + 1);
    raw_tail_tick(f->tail, lp_time_now());
    start_again(f);
    assert_int_equal(raw_tail_get_bytes(f->tail), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_files_go_when_the_time_of_their_service_is_over),
        TEST(test_the_oldest_goes_above_the_limit_but_not_below_a_share),
        TEST(test_a_start_finds_what_is_there),
        TEST(test_a_journal_that_comes_again_counts_once),
        TEST(test_a_journal_that_waits_is_measured),
        TEST(test_a_removed_recording_has_no_raw_data),
        TEST(test_a_directory_that_cannot_be_used_costs_only_raw_data),
    };
    return cmocka_run_group_tests_name("raw_tail", tests, NULL, NULL);
}
