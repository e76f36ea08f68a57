// SPDX-License-Identifier: Apache-2.0
// Writers of a catalog in PostgreSQL: concurrent starts create the tables once; another version and
// a second writer are rejected; a lost connection costs a failure but no row.

#include "unit/collector/store/catalog/postgres_fixture.h"

#include "collector/store/catalog/catalog.h"

#include <pthread.h>
#include <string.h>

typedef struct opener {
    const char *path;
    catalog *catalog;
    lp_err err;
    lp_problem problem;
    pthread_t thread;
} opener;

static void *
open_it(void *arg)
{
    opener *o = arg;
    o->err = catalog_open(o->path, &o->catalog, &o->problem);
    return NULL;
}

static void
test_of_those_that_start_at_once_one_has_the_catalog(void **state)
{
    (void)state;
    enum { OPENERS = 4 };
    catalog_place place = catalog_place_make();
    opener openers[OPENERS] = {0};
    for (int i = 0; i < OPENERS; i++) {
        openers[i].path = place.path;
        assert_int_equal(pthread_create(&openers[i].thread, NULL, open_it, &openers[i]), 0);
    }
    for (int i = 0; i < OPENERS; i++) {
        assert_int_equal(pthread_join(openers[i].thread, NULL), 0);
    }
    unsigned opened = 0;
    for (int i = 0; i < OPENERS; i++) {
        if (openers[i].err == LP_OK) {
            opened++;
            assert_int_equal(put(openers[i].catalog, 'a'), LP_OK);
            catalog_close(openers[i].catalog);
        } else {
            assert_int_equal(openers[i].err, LP_ELIMIT);
            assert_non_null(strstr(openers[i].problem.text, "another collector has the catalog"));
        }
    }
    assert_int_equal(opened, 1);
    catalog *again;
    assert_int_equal(catalog_open(place.path, &again, NULL), LP_OK);
    (void)find(again, 'a');
    catalog_close(again);
    catalog_place_remove(&place);
}

static void
test_other_versions_and_no_tables_are_refused(void **state)
{
    fixture *f = *state;
    lp_problem problem;
    catalog *opened;
    catalog_close(f->catalog);
    f->catalog = NULL;
    catalog_place_run(&f->place, "UPDATE loupe_schema SET version = 19");
    assert_int_equal(catalog_open(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "catalog of version 19, this program reads version 1: "));
    assert_non_null(strstr(problem.text, "begin with a new database or schema"));
    assert_failure_names_the_server(problem.text);
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);
    catalog_place_run(&f->place, "UPDATE loupe_schema SET version = 1;"
                                 "ALTER TABLE session RENAME COLUMN is_remade TO is_begun");
    assert_int_equal(catalog_open(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "one before the first release; run the one that wrote"));
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);

    catalog_place empty = catalog_place_make();
    assert_int_equal(catalog_open_reader(empty.path, &opened, &problem), LP_ENOENT);
    catalog_place_remove(&empty);
}

// The connection is cut while PostgreSQL commits: the row is not there.
static void
test_a_transaction_whose_connection_is_lost_failed(void **state)
{
    const fixture *f = *state;
    catalog_place_run(&f->place,
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
        "CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON session DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION cut()");
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    catalog_place_run(&f->place, "DROP TRIGGER cut ON session");
    catalog_session none = {0};
    char id[CATALOG_ID_CHARS + 1] = {0};
    memset(id, 'a', CATALOG_ID_CHARS);
    assert_int_equal(catalog_find(f->catalog, id, note_row, &none), LP_ENOENT);
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
}

// The lock is on the first table that a connection reads. The pause after it is five times as long.
static void
test_a_connection_that_is_made_again_waits_no_longer_than_a_statement(void **state)
{
    enum { STATEMENT_MS_MAX = 300 };
    const fixture *f = *state;
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    postgres_link_set_loop_ms_max(STATEMENT_MS_MAX);
    PGconn *other = PQconnectdb(f->place.path);
    PQclear(PQexec(other, "BEGIN; LOCK TABLE loupe_schema"));
    PQclear(PQexec(other,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid()"));
    assert_int_equal(
        put(f->catalog, 'a'), LP_EAGAIN); // ctest's time limit is shorter than a start's
    PQfinish(other);
    put_at_last(f->catalog, 'a');
}

int
main(void)
{
    if (!catalog_place_is_postgres()) {
        (void)printf("skipped: with_postgres.sh runs this test\n");
        return 77;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_of_those_that_start_at_once_one_has_the_catalog),
        TEST(test_other_versions_and_no_tables_are_refused),
        TEST(test_a_transaction_whose_connection_is_lost_failed),
        cmocka_unit_test_setup_teardown(
            test_a_connection_that_is_made_again_waits_no_longer_than_a_statement, setup,
            tear_down_patient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
