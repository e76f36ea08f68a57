// SPDX-License-Identifier: Apache-2.0
// Directories of a log: their journals are scratch, which a start throws away; those of others are
// not, and neither becomes the other by a start with another --journal.

#include "support/dir_fixture.h"

#include "collector/cluster/data_place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char session[] = "00112233445566778899aabbccddeeff";
static char session_dir[400];
static char journal[420];

static void
put_journal(fixture *f)
{
    (void)snprintf(session_dir, sizeof(session_dir), "%s/journal/%s", f->temp.path, session);
    assert_int_equal(mkdir(session_dir, 0750), 0);
    (void)snprintf(journal, sizeof(journal), "%s/7.log", session_dir);
    FILE *file = fopen(journal, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static const log_url here = {.brokers = "a:9092", .topic = "batches", .group = "loupe"};

static void
assert_refused(fixture *f, const log_url *url, const char *says)
{
    assert_int_equal(data_place_begin_log(f->dir, url, &f->problem), LP_ELIMIT);
    if (strstr(f->problem.text, says) == NULL) {
        fail_msg("%s", f->problem.text);
    }
    assert_int_equal(access(journal, F_OK), 0);
}

static void
test_a_start_throws_scratch_away(void **state)
{
    fixture *f = *state;
    assert_int_equal(data_place_begin_log(f->dir, &here, &f->problem), LP_OK);
    put_journal(f);
    const log_url moved = {.brokers = "b:9092,c:9092", .topic = "batches", .group = "loupe"};
    assert_int_equal(data_place_begin_log(f->dir, &moved, &f->problem), LP_OK);
    assert_int_not_equal(access(journal, F_OK), 0);
    assert_int_not_equal(access(session_dir, F_OK), 0);
}

static void
test_scratch_is_of_one_log(void **state)
{
    fixture *f = *state;
    assert_int_equal(data_place_begin_log(f->dir, &here, &f->problem), LP_OK);
    put_journal(f);
    assert_refused(f, NULL, "come from the log kafka topic batches group loupe: pass that");
    assert_refused(f, &(log_url){.topic = "other", .group = "loupe"}, "not from kafka topic other");
    assert_refused(f, &(log_url){.topic = "batches", .group = "x"}, "group x");
}

static void
test_journals_of_no_log_stay(void **state)
{
    fixture *f = *state;
    put_journal(f);
    assert_refused(f, &here, "journals that no log has");
    assert_int_equal(data_place_begin_log(f->dir, NULL, &f->problem), LP_OK);
    assert_int_equal(access(journal, F_OK), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_start_throws_scratch_away, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scratch_is_of_one_log, setup, teardown),
        cmocka_unit_test_setup_teardown(test_journals_of_no_log_stay, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
