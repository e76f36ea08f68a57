// SPDX-License-Identifier: Apache-2.0
// A data directory keeps its catalog where it began, in its file or in one database, and refuses
// any other place. The message has no password.

#include "support/dir_fixture.h"

#include "collector/cluster/data_place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char here[] = "postgres://u:secret@db.example:6000/loupe?options=-csearch_path%3Da";

static void
assert_refused(fixture *f, const char *place, const char *says)
{
    assert_int_equal(data_place_check_catalog(f->dir, place, &f->problem), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, says));
    assert_null(strstr(f->problem.text, "secret"));
}

static void
test_a_directory_goes_on_where_it_began(void **state)
{
    fixture *f = *state;
    assert_int_equal(data_place_check_catalog(f->dir, NULL, &f->problem), LP_OK);
    assert_int_equal(data_place_check_catalog(f->dir, here, &f->problem), LP_OK);
    assert_int_equal(
        data_place_check_catalog(f->dir, NULL, &f->problem), LP_OK); // nothing has begun
    assert_int_equal(data_place_begin_catalog(f->dir, here, false, &f->problem), LP_OK);
    assert_int_equal(data_place_begin_catalog(f->dir, here, true, &f->problem), LP_OK); // its own
    assert_int_equal(data_place_check_catalog(f->dir, here, &f->problem), LP_OK);
    // Who connects, and how, may be another.
    assert_int_equal(data_place_check_catalog(f->dir,
                         "postgresql://db.example:6000/loupe?options=-csearch_path%3Da"
                         "&sslmode=require&user=v",
                         &f->problem),
        LP_OK);

    assert_refused(
        f, NULL, "its catalog is in postgresql://db.example:6000/loupe -csearch_path=a:");
    assert_refused(
        f, "postgres://db.example:6000/loupe", "not in postgresql://db.example:6000/loupe");
    assert_refused(f, "postgres://other:6000/loupe?options=-csearch_path%3Da", "not in");
    assert_refused(f, "postgres://db.example/loupe?options=-csearch_path%3Da", ":5432/loupe");
    assert_int_equal(data_place_check_catalog(f->dir, "postgres://[x", &f->problem), LP_ECORRUPT);
}

static void
test_a_catalog_in_a_file_stays_there(void **state)
{
    fixture *f = *state;
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->temp.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(data_place_check_catalog(f->dir, NULL, &f->problem), LP_OK);
    assert_refused(f, here, "its catalog is the file catalog.db");
}

// The chunks of that catalog would all count as lost.
static void
test_a_new_directory_does_not_take_the_catalog_of_another(void **state)
{
    fixture *f = *state;
    char path[300];
    assert_int_equal(data_place_begin_catalog(f->dir, here, true, &f->problem), LP_ELIMIT);
    assert_non_null(strstr(f->problem.text, "are files of another data directory"));
    (void)snprintf(path, sizeof(path), "%s/catalog", f->temp.path);
    assert_int_not_equal(access(path, F_OK), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_directory_goes_on_where_it_began),
        TEST(test_a_catalog_in_a_file_stays_there),
        TEST(test_a_new_directory_does_not_take_the_catalog_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
