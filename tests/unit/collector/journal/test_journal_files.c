// SPDX-License-Identifier: Apache-2.0

// Journals have a descriptor while they are used: at most max at once, the least recently used is
// closed, and a held one stays open. A journal keeps its records however often it is closed.

#include "support/chance.h"
#include "support/temp_dir.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/metrics.h"
#include "collector/journal/journal.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { JOURNALS = 20, ROUNDS = 4000 };

typedef struct fixture {
    temp_dir dir;
    journal_files files;
    journal *journals[JOURNALS];
} fixture;

static journal *
open_one(fixture *f, size_t number)
{
    char path[300];
    journal *opened;
    (void)snprintf(path, sizeof(path), "%s/%zu.log", f->dir.path, number);
    assert_int_equal(journal_open_in(&f->files, path, &opened), LP_OK);
    return opened;
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    journal_files_init(&f->files);
    f->files.max = 3;
    for (size_t i = 0; i < JOURNALS; i++) {
        f->journals[i] = open_one(f, i);
    }
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < JOURNALS; i++) {
        journal_unref(f->journals[i]);
    }
    assert_int_equal(f->files.count, 0);
    assert_int_equal(metrics_get(METRICS_journals_open), 0);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_err
append(journal *to, uint8_t byte)
{
    return journal_append(to, (lp_slice){&byte, 1});
}

// count_records returns how many records with ascending bytes a journal has.
static unsigned
count_records(const journal *in)
{
    journal_cursor cursor;
    lp_slice message;
    unsigned count = 0;
    journal_cursor_init(&cursor, in, journal_get_size(in));
    for (; journal_cursor_next(&cursor, &message) == LP_OK; count++) {
        assert_int_equal(message.len, 1);
        assert_int_equal(message.ptr[0], (uint8_t)count);
    }
    journal_cursor_fini(&cursor);
    return count;
}

static void
test_the_descriptors_are_divided(void **state)
{
    (void)state;
    static const struct {
        uint64_t limit, journals, http, agents;
    } cases[] = {
        {0, 1, 0, 0},
        {3, 1, 0, 2},
        {256, 64, 16, 128},   // half of them
        {1024, 256, 65, 512}, // the same
        {4096, 1024, 392, 2048},
        {8192, 2048, 768, 8192 - 2048 - 1760},
        {1048576, 4096, 768, 1048576 - 4096 - 1760},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const descriptor_plan plan = descriptor_plan_make(cases[i].limit);
        assert_int_equal(plan.journals, cases[i].journals);
        assert_int_equal(plan.http, cases[i].http);
        assert_int_equal(plan.agents, cases[i].agents);
    }
}

// The plan adds up to the limit, with some in reserve, and agents have half.
static void
test_there_are_as_many_descriptors_as_are_planned(void **state)
{
    (void)state;
    for (uint64_t limit = 64; limit < 20000; limit++) {
        const descriptor_plan plan = descriptor_plan_make(limit);
        uint64_t files = plan.http * DESCRIPTOR_PLAN_HTTP_FILES / DESCRIPTOR_PLAN_HTTP;
        uint64_t planned = plan.journals + plan.http + files + plan.agents;
        uint64_t rest = limit / 8 < DESCRIPTOR_PLAN_REST ? limit / 8 : DESCRIPTOR_PLAN_REST;
        assert_true(planned + rest <= limit);
        assert_true(plan.agents >= limit / 2);
    }
}

static void
test_no_more_are_open_than_may_be(void **state)
{
    fixture *f = *state;
    unsigned counts[JOURNALS] = {0};
    uint64_t seed = 1;
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t at = chance_below(&seed, JOURNALS);
        assert_int_equal(append(f->journals[at], (uint8_t)counts[at]), LP_OK);
        counts[at]++;
        assert_in_range(f->files.count, 1, 3);
        assert_int_equal(metrics_get(METRICS_journals_open), f->files.count);
    }
    for (size_t i = 0; i < JOURNALS; i++) {
        assert_int_equal(count_records(f->journals[i]), counts[i]);
    }
}

static void
test_what_is_held_stays_open(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(append(f->journals[i], 0), LP_OK);
        journal_hold(f->journals[i]);
    }
    uint64_t before = metrics_get(METRICS_journals_not_opened);
    assert_int_equal(append(f->journals[3], 0), LP_EIO);
    assert_int_equal(errno, EMFILE);
    assert_int_equal(metrics_get(METRICS_journals_not_opened), before + 1);
    assert_int_equal(append(f->journals[0], 1), LP_OK);
    journal_files_close_idle(&f->files, JOURNAL_FILES_IDLE_MS);
    assert_int_equal(f->files.count, 3);
    journal_hold(f->journals[1]); // as often as it is released
    journal_release(f->journals[1]);
    assert_int_equal(append(f->journals[3], 0), LP_EIO);
    for (size_t i = 0; i < 3; i++) {
        journal_release(f->journals[i]);
    }
    assert_int_equal(append(f->journals[3], 0), LP_OK);
    assert_int_equal(f->files.count, 3);
    assert_int_equal(count_records(f->journals[0]), 2);

    // A held journal that is freed returns its descriptor.
    journal_hold(f->journals[3]);
    journal_unref(f->journals[3]);
    f->journals[3] = open_one(f, 3);
    assert_int_equal(f->files.count, 3);
}

static void
test_what_is_not_used_is_closed(void **state)
{
    fixture *f = *state;
    journal_files_close_idle(&f->files, 10000);
    assert_int_equal(f->files.count, 0); // they were opened at 0
    assert_int_equal(append(f->journals[0], 0), LP_OK);
    journal_files_close_idle(&f->files, 11000);
    assert_int_equal(append(f->journals[1], 0), LP_OK);
    journal_files_close_idle(&f->files, 10000 + JOURNAL_FILES_IDLE_MS - 1);
    assert_int_equal(f->files.count, 2);
    journal_files_close_idle(&f->files, 10000 + JOURNAL_FILES_IDLE_MS);
    assert_int_equal(f->files.count, 1);
    journal_files_close_idle(&f->files, 11000 + JOURNAL_FILES_IDLE_MS);
    assert_int_equal(f->files.count, 0);
    assert_int_equal(append(f->journals[0], 1), LP_OK);
    assert_int_equal(count_records(f->journals[0]), 2);
}

// The process has no descriptors left: a journal uses that of another.
static void
test_without_descriptors_others_are_closed(void **state)
{
    fixture *f = *state;
    f->files.max = JOURNALS;
    assert_int_equal(append(f->journals[0], 0), LP_OK);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    int next = dup(STDIN_FILENO);
    assert_int_equal(close(next), 0);
    const struct rlimit none = {.rlim_cur = (rlim_t)next, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    size_t count = f->files.count;
    for (size_t i = 0; i < JOURNALS; i++) {
        assert_int_equal(append(f->journals[i], i == 0 ? 1 : 0), LP_OK);
        assert_int_equal(f->files.count, count);
    }
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(count_records(f->journals[0]), 2);
    assert_int_equal(count_records(f->journals[JOURNALS - 1]), 1);
}

static void
test_a_journal_that_is_gone_begins_again(void **state)
{
    fixture *f = *state;
    assert_int_equal(append(f->journals[0], 0), LP_OK);
    assert_int_equal(journal_remove(f->journals[0]), LP_OK);
    assert_int_equal(count_records(f->journals[0]), 0);
    journal_files_close_idle(&f->files, JOURNAL_FILES_IDLE_MS);
    assert_int_equal(append(f->journals[0], 0), LP_OK);
    assert_int_equal(count_records(f->journals[0]), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_descriptors_are_divided),
        cmocka_unit_test(test_there_are_as_many_descriptors_as_are_planned),
        TEST(test_no_more_are_open_than_may_be),
        TEST(test_what_is_held_stays_open),
        TEST(test_what_is_not_used_is_closed),
        TEST(test_without_descriptors_others_are_closed),
        TEST(test_a_journal_that_is_gone_begins_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
