// SPDX-License-Identifier: Apache-2.0

// The table of sessions: against a plain table of the same ids, whatever comes and goes in whatever
// order is found while it is there and only then; all of them are visited once, also when each is
// dropped by its visit.

#include "support/chance.h"
#include "unit/collector/session/session_store.h"

#include "collector/session/sessions.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { IDS = 200, ROUNDS = 4000 };

typedef struct fixture {
    session_store store;
    sessions *sessions;
    bool is_there[IDS];
    unsigned visits[IDS];
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->store = session_store_open();
    f->sessions = sessions_create(f->store.data, f->store.catalog);
    assert_non_null(f->sessions);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    sessions_destroy(f->sessions);
    session_store_close(&f->store);
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

static void
count_row(void *arg, const catalog_session *row)
{
    (void)row;
    (*(size_t *)arg)++;
}

static size_t
count_rows(const fixture *f)
{
    size_t count = 0;
    assert_int_equal(catalog_list(f->store.catalog, &(catalog_query){0}, count_row, &count), LP_OK);
    return count;
}

static void
change(void *arg, session *s)
{
    (void)arg;
    s->is_unsaved = true;
}

static void
count_unsaved(void *arg, session *s)
{
    *(size_t *)arg += s->is_unsaved ? 1 : 0;
}

// A file size limit stands for a full disk.
static void
test_all_are_saved_or_tried_again(void **state)
{
    fixture *f = *state;
    enum { MANY = 2 * SESSIONS_SAVED_AT_ONCE + 1 };
    for (size_t i = 0; i < MANY; i++) {
        const catalog_session row = row_of(i);
        session *s;
        assert_int_equal(sessions_add(f->sessions, &row, &s), LP_OK);
    }
    sessions_save_part(f->sessions, 0, 1);
    assert_int_equal(count_rows(f), 0); // none has changed
    sessions_each(f->sessions, change, NULL);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    sessions_save_part(f->sessions, 0, 1);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(f->sessions->fault, EFBIG);
    size_t unsaved = 0;
    sessions_each(f->sessions, count_unsaved, &unsaved);
    assert_int_equal(unsaved, MANY);
    sessions_save_part(f->sessions, 1, 3);
    assert_int_equal(count_rows(f), MANY / 3);
    sessions_save_part(f->sessions, 0, 3);
    sessions_save_part(f->sessions, 2, 3);
    assert_int_equal(f->sessions->fault, 0);
    assert_int_equal(count_rows(f), MANY);
    unsaved = 0;
    sessions_each(f->sessions, count_unsaved, &unsaved);
    assert_int_equal(unsaved, 0);
}

// A chunk is compacted while a snapshot reads its journal: the file goes when nobody reads it, and
// a session that goes on with the chunk has to wait for that.
static void
test_a_journal_that_is_read_stays(void **state)
{
    fixture *f = *state;
    sync_rounds *rounds;
    const sync_rounds_config never = {.mode = SYNC_NEVER};
    assert_int_equal(sync_rounds_create(&never, &rounds, NULL), LP_OK);
    f->sessions->rounds = rounds;
    add(f, 1);
    session *s = sessions_find(f->sessions, row_of(1).id);
    session_chunk *chunk;
    assert_int_equal(sessions_open_chunk(f->sessions, s, 0, &chunk), LP_OK);
    journal *read = journal_begin_reading(chunk->journal);
    sessions_discard_chunks(f->sessions, s, 1);
    assert_false(journal_is_removed(read));
    assert_int_equal(sessions_open_chunk(f->sessions, s, 0, &chunk), LP_EIO);
    assert_int_equal(errno, EBUSY);
    char *path = strdup(journal_get_path(read));
    assert_int_equal(access(path, F_OK), 0);
    journal_end_reading(read);
    sessions_remove_journals(f->sessions);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
    assert_int_equal(sessions_open_chunk(f->sessions, s, 0, &chunk), LP_OK);
    f->sessions->rounds = NULL;
    sync_rounds_destroy(rounds);
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
        cmocka_unit_test_setup_teardown(test_all_are_saved_or_tried_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_journal_that_is_read_stays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
