// SPDX-License-Identifier: Apache-2.0

// The table of sessions: against a plain table of the same ids, whatever comes and goes in whatever
// order is found while it is there and only then; all of them are visited once, also when each is
// dropped by its visit.

#include "support/chance.h"
#include "support/temp_dir.h"

#include "collector/server/sessions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { IDS = 200, ROUNDS = 4000 };

typedef struct fixture {
    temp_dir dir;
    data_dir *data;
    catalog *catalog;
    sessions *sessions;
    bool is_there[IDS];
    unsigned visits[IDS];
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    assert_int_equal(data_dir_open(f->dir.path, &f->data, NULL), LP_OK);
    char *path = data_dir_catalog_path(f->data);
    assert_int_equal(catalog_open(path, &f->catalog, NULL), LP_OK);
    free(path);
    f->sessions = sessions_create(f->data, f->catalog);
    assert_non_null(f->sessions);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    sessions_destroy(f->sessions);
    catalog_close(f->catalog);
    data_dir_close(f->data);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static catalog_session
row_of(size_t number)
{
    static char nothing[1];
    catalog_session row = {
        .service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .pid = number,
    };
    (void)snprintf(row.id, sizeof(row.id), "%032zx", number * 7919);
    return row;
}

static void
add(fixture *f, size_t number)
{
    const catalog_session row = row_of(number);
    session *s;
    assert_int_equal(sessions_add(f->sessions, &row, &s), LP_OK);
    assert_string_equal(s->row.id, row.id);
    f->is_there[number] = true;
}

static void
test_what_is_added_is_found_until_it_is_dropped(void **state)
{
    fixture *f = *state;
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        size_t number = chance_below(&seed, IDS);
        const catalog_session row = row_of(number);
        session *s = sessions_find(f->sessions, row.id);
        assert_int_equal(s != NULL, f->is_there[number]);
        if (s == NULL) {
            add(f, number);
        } else {
            assert_int_equal(s->row.pid, number);
            sessions_drop(f->sessions, s);
            f->is_there[number] = false;
        }
    }
    for (size_t i = 0; i < IDS; i++) {
        const catalog_session row = row_of(i);
        const session *s = sessions_find(f->sessions, row.id);
        assert_int_equal(s != NULL, f->is_there[i]);
        assert_true(s == NULL || s->row.pid == i);
    }
}

static void
visit(void *arg, session *s)
{
    fixture *f = arg;
    f->visits[s->row.pid]++;
}

static void
visit_and_drop(void *arg, session *s)
{
    fixture *f = arg;
    visit(f, s);
    if (s->row.pid % 3 != 0) {
        f->is_there[s->row.pid] = false;
        sessions_drop(f->sessions, s);
    }
}

static void
test_each_is_visited_once_though_some_are_dropped(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < IDS; i++) {
        add(f, i);
    }
    sessions_each(f->sessions, visit_and_drop, f);
    for (size_t i = 0; i < IDS; i++) {
        assert_int_equal(f->visits[i], 1);
    }
    sessions_each(f->sessions, visit, f);
    for (size_t i = 0; i < IDS; i++) {
        assert_int_equal(f->visits[i], i % 3 == 0 ? 2 : 1);
    }
}

static void
test_more_than_the_limit_are_put_off(void **state)
{
    fixture *f = *state;
    session *s;
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        const catalog_session row = row_of(i);
        assert_int_equal(sessions_add(f->sessions, &row, &s), LP_OK);
    }
    const catalog_session row = row_of(SESSIONS_MAX);
    assert_int_equal(sessions_add(f->sessions, &row, &s), LP_ELIMIT);
    sessions_drop(f->sessions, sessions_find(f->sessions, row_of(7).id));
    assert_int_equal(sessions_add(f->sessions, &row, &s), LP_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_what_is_added_is_found_until_it_is_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_each_is_visited_once_though_some_are_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_more_than_the_limit_are_put_off, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
