// SPDX-License-Identifier: Apache-2.0
// The sessions of partitions that a worker begins to read: those that have not ended are in memory
// after a tick, once for all partitions, those of other partitions are not; and where the catalog
// could not tell them, or they had not gone yet, they are there after a later one.

#include "support/temp_dir.h"

#include "collector/server/log_worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NOW_MS = 1000 };

typedef struct fixture {
    temp_dir temp;
    data_dir *dir;
    catalog *catalog;
    sessions *sessions;
    agent_protocol journals;
    log_worker worker;
} fixture;

static unsigned lists;
static unsigned lists_failing;

lp_err __real_catalog_list(catalog *of, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *row), void *arg);
lp_err __wrap_catalog_list(catalog *of, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *row), void *arg);
int32_t __wrap_log_client_get_partition(const log_client *client, lp_slice key);

lp_err
__wrap_catalog_list(catalog *of, const catalog_query *query,
    void (*on_session)(void *arg, const catalog_session *row), void *arg)
{
    lists++;
    if (lists_failing > 0) {
        lists_failing--;
        return LP_EAGAIN;
    }
    return __real_catalog_list(of, query, on_session, arg);
}

// A session's first digit is its partition.
int32_t
__wrap_log_client_get_partition(const log_client *client, lp_slice key)
{
    (void)client;
    return (int32_t)key.ptr[0] - '0';
}

static void
put(const fixture *f, const char *id, bool is_ended)
{
    static char text[] = "x";
    catalog_session row = {.service = text,
        .instance = text,
        .jvm_name = text,
        .jvm_version = text,
        .is_ended = is_ended};
    (void)snprintf(row.id, sizeof(row.id), "%s", id);
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
}

#define RUNNING_0 "00000000000000000000000000000000"
#define ENDED_0   "0eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
#define RUNNING_1 "11111111111111111111111111111111"
#define RUNNING_2 "22222222222222222222222222222222"

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    assert_non_null(f);
    f->temp = temp_dir_make();
    assert_int_equal(data_dir_open(f->temp.path, &f->dir, NULL), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->temp.path);
    assert_int_equal(catalog_open(path, &f->catalog, NULL), LP_OK);
    put(f, RUNNING_0, false);
    put(f, ENDED_0, true);
    put(f, RUNNING_1, false);
    put(f, RUNNING_2, false);
    f->sessions = sessions_create(f->dir, f->catalog);
    assert_non_null(f->sessions);
    f->journals.sessions = f->sessions;
    f->worker = (log_worker){.journals = &f->journals, .tick_count = 1}; // looks at no offset
    lists = 0;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    log_worker_fini(&f->worker);
    sessions_destroy(f->sessions);
    catalog_close(f->catalog);
    data_dir_close(f->dir);
    temp_dir_remove(&f->temp);
    free(f);
    return 0;
}

static void
tick(fixture *f)
{
    f->worker.tick_count = 1;
    log_worker_tick(&f->worker, NOW_MS);
}

static session *
find(const fixture *f, const char *id)
{
    return sessions_find(f->sessions, id);
}

static void
test_running_sessions_of_partitions_are_loaded_by_one_list(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 0);
    log_worker_begin(&f->worker, 2);
    tick(f);
    assert_int_equal(lists, 1);
    assert_non_null(find(f, RUNNING_0));
    assert_int_equal(find(f, RUNNING_0)->partition, 0);
    assert_int_equal(find(f, RUNNING_0)->heard_ms, NOW_MS);
    assert_null(find(f, ENDED_0));
    assert_null(find(f, RUNNING_1));
    assert_non_null(find(f, RUNNING_2));
    tick(f);
    assert_int_equal(lists, 1);
}

static void
test_what_the_catalog_could_not_tell_is_loaded_later(void **state)
{
    fixture *f = *state;
    lists_failing = 2;
    log_worker_begin(&f->worker, 1);
    tick(f);
    tick(f);
    assert_null(find(f, RUNNING_1));
    tick(f);
    assert_non_null(find(f, RUNNING_1));
    assert_int_equal(lists, 3);
}

static void
test_a_partition_that_went_and_came_back_has_its_sessions(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    tick(f);
    find(f, RUNNING_1)->is_leaving = true;
    log_worker_begin(&f->worker, 1);
    tick(f);
    sessions_drop(f->sessions, find(f, RUNNING_1));
    assert_null(find(f, RUNNING_1));
    tick(f);
    assert_non_null(find(f, RUNNING_1));
    assert_false(find(f, RUNNING_1)->is_leaving);
}

static void
test_a_partition_that_is_gone_has_none(void **state)
{
    fixture *f = *state;
    log_worker_begin(&f->worker, 1);
    log_worker_end(&f->worker, 1);
    tick(f);
    assert_null(find(f, RUNNING_1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_running_sessions_of_partitions_are_loaded_by_one_list),
        TEST(test_what_the_catalog_could_not_tell_is_loaded_later),
        TEST(test_a_partition_that_went_and_came_back_has_its_sessions),
        TEST(test_a_partition_that_is_gone_has_none),
    };
    return cmocka_run_group_tests_name("log_worker", tests, NULL, NULL);
}
