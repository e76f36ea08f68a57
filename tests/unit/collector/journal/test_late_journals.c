// SPDX-License-Identifier: Apache-2.0
// Journals of late batches: opening one again returns the open one until it is on the disk; each of
// many is found; a removed one is forgotten unless a round syncs it; and their number is limited.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/journal/late_journals.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = LATE_JOURNALS_MAX };

typedef struct fixture {
    temp_dir dir;
    late_journals late;
    sync_rounds *rounds; // all is on the disk at once
} fixture;

static void
on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    (void)arg;
    (void)session_id;
    (void)sequence;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    const sync_rounds_config config = {
        .mode = SYNC_NEVER, .journals_path = f->dir.path, .on_durable = on_durable};
    assert_int_equal(sync_rounds_create(&config, &f->rounds, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    late_journals_fini(&f->late);
    sync_rounds_destroy(f->rounds);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
path_of(const fixture *f, unsigned number, char out_path[300])
{
    (void)snprintf(out_path, 300, "%s/%u.late", f->dir.path, number);
}

static journal *
open_late(fixture *f, unsigned number)
{
    char path[300];
    journal *found;
    path_of(f, number, path);
    assert_int_equal(late_journals_open(&f->late, path, &found), LP_OK);
    assert_string_equal(journal_get_path(found), path);
    return found;
}

// A round has the journal while its note says so; that of the number 1 is the coming one.
static void
set_noted(journal *late, bool is_noted)
{
    journal_get_note(late)->round = is_noted ? 1 : 0;
}

static void
test_each_is_found_while_a_round_has_it(void **state)
{
    fixture *f = *state;
    journal *found[FILES];
    for (unsigned i = 0; i < FILES; i++) {
        found[i] = open_late(f, i);
        set_noted(found[i], i % 3 == 0);
    }
    for (unsigned i = 0; i < FILES; i++) {
        assert_ptr_equal(open_late(f, i), found[i]);
    }
    late_journals_tidy(&f->late, f->rounds);
    assert_int_equal(f->late.count, (FILES + 2) / 3);
    for (unsigned i = 0; i < FILES; i += 3) {
        assert_ptr_equal(open_late(f, i), found[i]);
    }
    assert_int_equal(f->late.count, (FILES + 2) / 3);
    for (unsigned i = 0; i < FILES; i++) { // of the others there are new ones
        set_noted(open_late(f, i), false);
    }
    late_journals_tidy(&f->late, f->rounds);
    assert_int_equal(f->late.count, 0);
}

static void
test_what_is_removed_is_forgotten(void **state)
{
    fixture *f = *state;
    char path[300];
    path_of(f, 1, path);
    assert_int_equal(late_journals_remove(&f->late, path), LP_OK); // not open
    journal *gone = journal_ref(open_late(f, 1));
    (void)open_late(f, 2);
    assert_int_equal(late_journals_remove(&f->late, path), LP_OK);
    assert_true(journal_is_removed(gone));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(f->late.count, 1);
    assert_ptr_not_equal(open_late(f, 1), gone);
    journal_unref(gone);
}

static void
test_what_a_round_reads_stays(void **state)
{
    fixture *f = *state;
    char path[300];
    path_of(f, 1, path);
    journal *read = journal_begin_reading(open_late(f, 1));
    errno = 0;
    assert_int_equal(late_journals_remove(&f->late, path), LP_EIO);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(access(path, F_OK), 0);
    journal_end_reading(read);
    assert_int_equal(late_journals_remove(&f->late, path), LP_OK);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void
test_no_more_than_the_limit_are_open(void **state)
{
    fixture *f = *state;
    for (unsigned i = 0; i < LATE_JOURNALS_MAX; i++) {
        set_noted(open_late(f, i), i != 0);
    }
    char path[300];
    path_of(f, LATE_JOURNALS_MAX, path);
    journal *found = NULL;
    uint64_t refused = metrics_get(METRICS_journals_not_opened);
    errno = 0;
    assert_int_equal(late_journals_open(&f->late, path, &found), LP_EIO);
    assert_int_equal(errno, EMFILE);
    assert_null(found);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(metrics_get(METRICS_journals_not_opened), refused + 1);
    (void)open_late(f, 1); // an open one is found all the same
    late_journals_tidy(&f->late, f->rounds);
    (void)open_late(f, LATE_JOURNALS_MAX); // replaces the synced one
    for (unsigned i = 1; i <= LATE_JOURNALS_MAX; i++) {
        set_noted(open_late(f, i), false);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_each_is_found_while_a_round_has_it),
        TEST(test_what_is_removed_is_forgotten),
        TEST(test_what_a_round_reads_stays),
        TEST(test_no_more_than_the_limit_are_open),
    };
    return cmocka_run_group_tests_name("late_journals", tests, NULL, NULL);
}
