// SPDX-License-Identifier: Apache-2.0
// A node: its id stays with its directory, and what is no id is refused; its lease is renewed when
// that is due and ends with it; it hears that it is to drain; and of several that are there one is
// in charge, another one after it has gone, and none that cannot reach the catalog. One that has
// another log than those that are there is refused.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/cluster/node.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 3 };

typedef struct fixture {
    temp_dir dir;
    char place[300];
    catalog *catalogs[NODES];
    node *nodes[NODES];
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->place, sizeof(f->place), "%s/catalog.db", f->dir.path);
    for (size_t i = 0; i < NODES; i++) {
        char id[CATALOG_NODE_ID_CHARS + 1] = {0};
        memset(id, "abc"[i], CATALOG_NODE_ID_CHARS);
        assert_int_equal(catalog_open_shared(f->place, id, &f->catalogs[i], NULL), LP_OK);
        assert_int_equal(
            node_join(f->catalogs[i], "name", "http://here", "", &f->nodes[i], NULL), LP_OK);
    }
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < NODES; i++) {
        node_destroy(f->nodes[i]);
        catalog_close(f->catalogs[i]);
    }
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// tick is one of all nodes, each of which is due.
static void
tick(fixture *f, uint64_t *now_ms)
{
    *now_ms += NODE_RENEW_MS;
    for (size_t i = 0; i < NODES; i++) {
        if (f->nodes[i] != NULL) {
            node_tick(f->nodes[i], *now_ms);
        }
    }
}

static void
assert_in_charge(const fixture *f, size_t which)
{
    for (size_t i = 0; i < NODES; i++) {
        assert_int_equal(f->nodes[i] != NULL && node_is_in_charge(f->nodes[i]), i == which);
    }
}

static void
test_one_is_in_charge(void **state)
{
    fixture *f = *state;
    uint64_t now_ms = 1000;
    assert_in_charge(f, NODES); // nobody has looked
    tick(f, &now_ms);
    assert_in_charge(f, 0);
    node_destroy(f->nodes[0]);
    f->nodes[0] = NULL;
    node_tick(f->nodes[1], now_ms + NODE_RENEW_MS - 1); // it is not due
    assert_in_charge(f, NODES);
    tick(f, &now_ms);
    assert_in_charge(f, 1);
}

static void
test_it_hears_that_it_is_to_drain(void **state)
{
    fixture *f = *state;
    uint64_t now_ms = 1000;
    uint64_t count;
    assert_int_equal(
        catalog_nodes_drain(f->catalogs[2], catalog_get_node(f->catalogs[1]), true, &count), LP_OK);
    tick(f, &now_ms);
    assert_false(node_is_draining(f->nodes[0]));
    assert_true(node_is_draining(f->nodes[1]));
}

static void
run(const fixture *f, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(f->place, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void
test_one_without_its_catalog_is_not_in_charge(void **state)
{
    fixture *f = *state;
    uint64_t now_ms = 1000;
    tick(f, &now_ms);
    run(f, "DELETE FROM node"); // somebody was too tidy: it comes again
    tick(f, &now_ms);
    tick(f, &now_ms);
    assert_in_charge(f, 0);
    uint64_t errors = metrics_get(METRICS_lease_errors);
    run(f, "ALTER TABLE node RENAME TO gone");
    tick(f, &now_ms);
    assert_in_charge(f, NODES);
    assert_int_equal(metrics_get(METRICS_lease_errors), errors + NODES);
    run(f, "ALTER TABLE gone RENAME TO node");
    tick(f, &now_ms);
    assert_in_charge(f, 0);
}

static void
test_its_id_is_its_directorys(void **state)
{
    fixture *f = *state;
    char path[300];
    char first[CATALOG_NODE_ID_CHARS + 1];
    char second[CATALOG_NODE_ID_CHARS + 1];
    data_dir *dir;
    lp_problem problem;
    (void)snprintf(path, sizeof(path), "%s/data", f->dir.path);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(data_dir_open(path, &dir, NULL), LP_OK);
        assert_int_equal(node_read_id(dir, i == 0 ? first : second, NULL), LP_OK);
        data_dir_close(dir);
    }
    assert_true(catalog_id_is_valid(first));
    assert_string_equal(first, second);
    (void)snprintf(path, sizeof(path), "%s/data/node", f->dir.path);
    FILE *file = fopen(path, "we");
    assert_true(file != NULL && fputs("another thing\n", file) >= 0 && fclose(file) == 0);
    (void)snprintf(path, sizeof(path), "%s/data", f->dir.path);
    assert_int_equal(data_dir_open(path, &dir, NULL), LP_OK);
    assert_int_equal(node_read_id(dir, first, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "/data/node: "));
    data_dir_close(dir);
}

static void
test_all_that_are_there_have_the_same_log(void **state)
{
    fixture *f = *state;
    static const char log[] = "kafka topic a group b";
    node *other = NULL;
    lp_problem problem;
    node_destroy(f->nodes[2]);
    f->nodes[2] = NULL;
    assert_int_equal(
        node_join(f->catalogs[2], "third", "http://here", log, &other, &problem), LP_ELIMIT);
    assert_non_null(strstr(problem.text, "the running node name has none"));
    for (size_t i = 0; i < NODES; i++) { // and those are, once the others are gone
        node_destroy(f->nodes[i]);
        f->nodes[i] = NULL;
    }
    assert_int_equal(
        node_join(f->catalogs[2], "third", "http://here", log, &f->nodes[2], NULL), LP_OK);
    assert_int_equal(
        node_join(f->catalogs[1], "second", "http://here", log, &f->nodes[1], NULL), LP_OK);
    assert_int_equal(
        node_join(f->catalogs[0], "first", "http://here", "", &other, &problem), LP_ELIMIT);
    assert_non_null(strstr(problem.text, log));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_one_is_in_charge),
        TEST(test_it_hears_that_it_is_to_drain),
        TEST(test_one_without_its_catalog_is_not_in_charge),
        TEST(test_its_id_is_its_directorys),
        TEST(test_all_that_are_there_have_the_same_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
