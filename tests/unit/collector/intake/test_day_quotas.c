// SPDX-License-Identifier: Apache-2.0
// Quotas of a day: when batches are put off and when they are taken again, over restarts, clock
// jumps and damaged sums, and that the number of sums is limited.

#include "support/spoil_table.h"
#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/intake/day_quotas.h"
#include "collector/store/catalog/catalog_days.h"
#include "collector/store/catalog/catalog_db.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t HOUR_NS = INT64_C(3600) * 1000000000;
static const int64_t DAY_NS = INT64_C(24) * 3600 * 1000000000;
static const int64_t NOON_NS =
    INT64_C(19723) * 86400 * 1000000000 + INT64_C(12) * 3600 * 1000000000;

typedef struct fixture {
    temp_dir dir;
    char policies_path[256];
    char catalog_path[256];
    policy_dir *policies;
    catalog *catalog;
    day_quotas *quotas;
} fixture;

static void
start(fixture *f, int64_t now_wall_ns)
{
    lp_problem problem;
    assert_int_equal(policy_dir_open(f->policies_path, &f->policies, &problem), LP_OK);
    assert_int_equal(catalog_open(f->catalog_path, &f->catalog, &problem), LP_OK);
    assert_int_equal(day_quotas_create(f->catalog, f->policies, now_wall_ns, &f->quotas), LP_OK);
}

static void
stop(fixture *f)
{
    day_quotas_destroy(f->quotas);
    catalog_close(f->catalog);
    policy_dir_close(f->policies);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->policies_path, sizeof(f->policies_path), "%s", f->dir.path);
    (void)snprintf(f->catalog_path, sizeof(f->catalog_path), "%s/catalog.db", f->dir.path);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    stop(f);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
write_keep(fixture *f, const char *name, const char *text)
{
    char path[300];
    char next[300];
    (void)snprintf(path, sizeof(path), "%s/%s.keep", f->policies_path, name);
    (void)snprintf(next, sizeof(next), "%s/.next", f->policies_path);
    FILE *file = fopen(next, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(next, path), 0);
    if (f->policies != NULL) {
        (void)policy_dir_look(f->policies);
    }
}

static bool
admit(fixture *f, const char *service)
{
    lp_problem problem;
    uint64_t before = metrics_get(METRICS_batches_over_quota);
    bool may = day_quotas_admit(f->quotas, service, &problem);
    assert_int_equal(metrics_get(METRICS_batches_over_quota), before + (may ? 0 : 1));
    if (!may) {
        assert_non_null(strstr(problem.text, service));
    }
    return may;
}

// --- The decisions

static void
test_days_end_at_midnight_and_clocks_may_jump(void **state)
{
    (void)state;
    static const struct {
        int64_t day;
        int64_t now_wall_ns;
        int64_t expected;
    } cases[] = {
        {0, INT64_C(86400000000000) * 5, 5},
        {5, INT64_C(86400000000000) * 6 - 1, 5},
        {5, INT64_C(86400000000000) * 6, 6},
        {6, INT64_C(86400000000000) * 6 - 1, 6}, // back over midnight
        {6, INT64_C(86400000000000) * 5, 6},
        {6, INT64_C(86400000000000) * 5 - 1, 4}, // the clock was wrong before
        {6, INT64_C(86400000000000) * 60, 60},
        {0, -1, 0},
        {9, -1, -1},
        {9, INT64_MIN, INT64_MIN / INT64_C(86400000000000) - 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (day_quotas_next_day(cases[i].day, cases[i].now_wall_ns) != cases[i].expected) {
            fail_msg("case %zu", i);
        }
    }
}

static void
test_the_batch_that_reaches_the_quota_is_the_last(void **state)
{
    (void)state;
    assert_false(day_quotas_is_over(0, 1));
    assert_false(day_quotas_is_over(9, 10));
    assert_true(day_quotas_is_over(10, 10));
    assert_true(day_quotas_is_over(UINT64_MAX, 10));
    assert_false(day_quotas_is_over(UINT64_MAX, 0)); // no quota
}

// --- The sums

static void
test_a_service_is_put_off_and_others_are_not(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 100\n");
    write_keep(f, "shop", "daily 10\n");
    start(f, NOON_NS);
    day_quotas_note(f->quotas, "shop", 9);
    day_quotas_note(f->quotas, "bank", 99);
    assert_true(admit(f, "shop") && admit(f, "bank"));
    day_quotas_note(f->quotas, "shop", 5);
    assert_false(admit(f, "shop"));
    assert_false(admit(f, "shop"));
    assert_int_equal(metrics_get(METRICS_services_over_quota), 1);
    assert_true(admit(f, "bank"));
    day_quotas_tick(f->quotas, NOON_NS + HOUR_NS);
    assert_false(admit(f, "shop"));
    assert_int_equal(metrics_get(METRICS_services_over_quota), 1);
    day_quotas_tick(f->quotas, NOON_NS + 12 * HOUR_NS);
    assert_int_equal(metrics_get(METRICS_services_over_quota), 0);
    assert_true(admit(f, "shop"));
}

static void
test_a_change_of_the_file_holds(void **state)
{
    fixture *f = *state;
    write_keep(f, "shop", "age 1d\n");
    start(f, NOON_NS);
    day_quotas_note(f->quotas, "shop", 50); // counts for a later quota
    assert_true(admit(f, "shop"));
    write_keep(f, "shop", "daily 50\n");
    assert_false(admit(f, "shop"));
    write_keep(f, "shop", "daily 51 # a byte more\n");
    day_quotas_tick(f->quotas, NOON_NS);
    assert_int_equal(metrics_get(METRICS_services_over_quota), 0);
    assert_true(admit(f, "shop"));
    day_quotas_note(f->quotas, "shop", 1);
    assert_false(admit(f, "shop"));
    write_keep(f, "shop", "\n"); // no quota any more
    assert_true(admit(f, "shop"));
    day_quotas_tick(f->quotas, NOON_NS);
    assert_int_equal(metrics_get(METRICS_services_over_quota), 0);
}

static void
test_a_restart_goes_on_with_the_day(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 10\n");
    start(f, NOON_NS);
    day_quotas_note(f->quotas, "shop", 10);
    day_quotas_note(f->quotas, "bank", 9);
    day_quotas_tick(f->quotas, NOON_NS); // as if killed then
    stop(f);
    start(f, NOON_NS - 13 * HOUR_NS); // and the clock set back over midnight
    assert_false(admit(f, "shop"));
    assert_true(admit(f, "bank"));
    day_quotas_note(f->quotas, "bank", 1);
    day_quotas_save(f->quotas);
    stop(f);
    start(f, NOON_NS);
    assert_false(admit(f, "shop"));
    assert_false(admit(f, "bank"));
    day_quotas_save(f->quotas);
    stop(f);
    start(f, NOON_NS + DAY_NS);
    assert_true(admit(f, "shop") && admit(f, "bank"));
}

static void
count_rows(void *arg, const catalog_day *day)
{
    (void)day;
    ++*(unsigned *)arg;
}

static void
test_the_catalog_has_one_day(void **state)
{
    fixture *f = *state;
    start(f, NOON_NS);
    for (unsigned i = 0; i < 300; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%u", i);
        day_quotas_note(f->quotas, name, 1);
    }
    day_quotas_tick(f->quotas, NOON_NS); // a part
    unsigned count = 0;
    assert_int_equal(catalog_days_list(f->catalog, count_rows, &count), LP_OK);
    assert_int_equal(count, DAY_QUOTAS_SAVED_AT_ONCE);
    day_quotas_tick(f->quotas, NOON_NS); // the rest
    count = 0;
    assert_int_equal(catalog_days_list(f->catalog, count_rows, &count), LP_OK);
    assert_int_equal(count, 300);
    day_quotas_tick(f->quotas, NOON_NS + DAY_NS);
    count = 0;
    assert_int_equal(catalog_days_list(f->catalog, count_rows, &count), LP_OK);
    assert_int_equal(count, 0);
}

// note_each notes a byte of each of count services.
static void
note_each(fixture *f, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%u", i);
        day_quotas_note(f->quotas, name, 1);
    }
}

static void
test_each_of_many_busy_services_is_saved(void **state)
{
    enum { SERVICES = 300 };
    fixture *f = *state;
    write_keep(f, "default", "daily 1\n");
    start(f, NOON_NS);
    for (unsigned tick = 0; tick < 2; tick++) {
        note_each(f, SERVICES);
        day_quotas_tick(f->quotas, NOON_NS);
    }
    unsigned count = 0;
    assert_int_equal(catalog_days_list(f->catalog, count_rows, &count), LP_OK);
    assert_int_equal(count, SERVICES);
    stop(f); // as if killed
    start(f, NOON_NS);
    for (unsigned i = 0; i < SERVICES; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%u", i);
        assert_false(admit(f, name));
    }
}

typedef struct max_of {
    const char *service;
    uint64_t bytes_max;
} max_of;

static void
find_max(void *arg, const catalog_day *day)
{
    max_of *m = arg;
    if (strcmp(day->service, m->service) == 0) {
        m->bytes_max = day->bytes_max;
    }
}

static void
assert_saved_max(fixture *f, const char *service, uint64_t bytes_max)
{
    day_quotas_tick(f->quotas, NOON_NS);
    max_of m = {.service = service, .bytes_max = UINT64_MAX};
    assert_int_equal(catalog_days_list(f->catalog, find_max, &m), LP_OK);
    assert_int_equal(m.bytes_max, bytes_max);
}

static void
test_a_quota_that_is_taken_away_is_none(void **state)
{
    fixture *f = *state;
    write_keep(f, "shop", "daily 50\n");
    start(f, NOON_NS);
    assert_true(admit(f, "shop"));
    day_quotas_note(f->quotas, "shop", 1);
    assert_saved_max(f, "shop", 50);
    write_keep(f, "shop", "age 1d\n");
    assert_true(admit(f, "shop"));
    assert_saved_max(f, "shop", 0);
}

static void
test_the_shared_sum_is_over_until_midnight(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 2\n");
    write_keep(f, "(others)", "daily 1G\n"); // of a service of that name
    start(f, NOON_NS);
    note_each(f, DAY_QUOTAS_SERVICES_MAX + 2);
    assert_false(admit(f, "another"));
    for (unsigned tick = 0; tick < 3; tick++) {
        day_quotas_tick(f->quotas, NOON_NS);
        assert_int_equal(metrics_get(METRICS_services_over_quota), 1);
        assert_false(admit(f, "another"));
    }
    day_quotas_tick(f->quotas, NOON_NS + DAY_NS);
    assert_int_equal(metrics_get(METRICS_services_over_quota), 0);
    assert_true(admit(f, "another"));
}

// Names that agents invent use up the own sums, except those that the operator named.
static void
test_a_service_with_a_file_has_a_sum_of_its_own(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 10\n");
    write_keep(f, "shop", "age 1d\n"); // the default's quota is its own
    write_keep(f, "bank", "daily 7\n");
    start(f, NOON_NS);
    note_each(f, DAY_QUOTAS_SERVICES_MAX);
    day_quotas_note(f->quotas, "stranger", 100);
    uint64_t shared = metrics_get(METRICS_quota_bytes_shared);
    day_quotas_note(f->quotas, "shop", 9);
    day_quotas_note(f->quotas, "bank", 7);
    assert_int_equal(metrics_get(METRICS_quota_bytes_shared), shared);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(admit(f, "shop"));
        assert_false(admit(f, "bank"));
        assert_false(admit(f, "another"));
        assert_true(admit(f, "s4095"));
        day_quotas_save(f->quotas);
        stop(f);
        start(f, NOON_NS);
    }
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/shop.keep", f->policies_path);
    assert_int_equal(unlink(path), 0);
    stop(f);
    start(f, NOON_NS); // the sum of the day stays its own
    day_quotas_note(f->quotas, "shop", 1);
    assert_int_equal(metrics_get(METRICS_quota_bytes_shared), shared);
    assert_false(admit(f, "shop"));
}

static void
test_damaged_sums_begin_anew(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 10\n");
    start(f, NOON_NS);
    day_quotas_note(f->quotas, "shop", 10);
    day_quotas_save(f->quotas);
    stop(f);
    spoil_table(f->catalog_path, "service_day");
    start(f, NOON_NS);
    assert_true(admit(f, "shop"));
    day_quotas_note(f->quotas, "shop", 10);
    day_quotas_tick(f->quotas, NOON_NS);
    assert_false(admit(f, "shop"));
}

static void
test_services_beyond_the_limit_share_a_sum(void **state)
{
    fixture *f = *state;
    write_keep(f, "default", "daily 10\n");
    start(f, NOON_NS);
    uint64_t shared = metrics_get(METRICS_quota_bytes_shared);
    for (unsigned i = 0; i < DAY_QUOTAS_SERVICES_MAX + 2; i++) {
        char name[16];
        (void)snprintf(name, sizeof(name), "s%u", i);
        day_quotas_note(f->quotas, name, 5);
    }
    assert_int_equal(metrics_get(METRICS_quota_bytes_shared), shared + 10);
    assert_true(admit(f, "s0"));
    assert_false(admit(f, "s4096"));
    assert_false(admit(f, "another"));
    day_quotas_save(f->quotas);
    stop(f);
    start(f, NOON_NS);
    assert_true(admit(f, "s4095"));
    assert_false(admit(f, "another"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_days_end_at_midnight_and_clocks_may_jump),
        cmocka_unit_test(test_the_batch_that_reaches_the_quota_is_the_last),
        cmocka_unit_test_setup_teardown(
            test_a_service_is_put_off_and_others_are_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_change_of_the_file_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_restart_goes_on_with_the_day, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_catalog_has_one_day, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_each_of_many_busy_services_is_saved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_quota_that_is_taken_away_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_shared_sum_is_over_until_midnight, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_service_with_a_file_has_a_sum_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_sums_begin_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_services_beyond_the_limit_share_a_sum, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
