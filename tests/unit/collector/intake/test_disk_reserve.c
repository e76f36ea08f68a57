// SPDX-License-Identifier: Apache-2.0
// When batches are put off as the disk lacks bytes or inodes, what is logged, and that files which
// can be spared go first.

#include "support/temp_dir.h"

#include "collector/base/metrics.h"
#include "collector/intake/disk_reserve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/statvfs.h>

#include <cmocka.h>

static void
test_decisions(void **state)
{
    (void)state;
    static const struct {
        uint64_t reserve;
        uint64_t all;
        uint64_t free;
        bool was_short;
        bool is_short;
    } cases[] = {
        {64, 10000, 64, false, false}, {64, 10000, 63, false, true},
        {64, 10000, 71, true, true},                              // an eighth more
        {64, 10000, 72, true, false}, {64, 80, 10, false, false}, // an eighth of a small disk
        {64, 80, 9, false, true}, {0, 80, 0, false, false}, {0, 80, 0, true, false},
        {64, 0, 0, false, false}, // a file system that reports zeros
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (disk_reserve_decide(cases[i].reserve, cases[i].all, cases[i].free,
                cases[i].was_short) != cases[i].is_short) {
            fail_msg("case %zu", i);
        }
    }
}

static void
test_batches_are_put_off_and_taken_again(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    uint64_t put_off = metrics_get(METRICS_batches_without_disk);
    lp_problem problem;
    disk_reserve reserve = {.path = dir.path, .bytes = 1};
    disk_reserve_look(&reserve);
    assert_true(disk_reserve_admit(&reserve, 5));
    assert_false(disk_reserve_explain(&reserve, &problem));

    atomic_store(&reserve.is_short, true); // as if it had looked
    assert_false(disk_reserve_admit(&reserve, 5));
    assert_int_equal(metrics_get(METRICS_batches_without_disk), put_off + 1);
    assert_true(disk_reserve_explain(&reserve, &problem));
    assert_null(strstr(problem.text, dir.path)); // /readyz tells strangers
    metrics_add(METRICS_disk_short, 1);
    assert_true(disk_reserve_admit(&reserve, DISK_RESERVE_LOOK_BYTES)); // looks again
    assert_int_equal(metrics_get(METRICS_disk_short), 0);
    temp_dir_remove(&dir);
}

// --- A disk with files that can be spared

enum { PAGE = 4096, PAGES = 10000, INODES = 10 * DISK_RESERVE_FILES };

typedef struct spare_disk {
    uint64_t free_pages; // 0: the real disk
    uint64_t used_inodes;
    unsigned files; // that can be spared, of one page each
    unsigned calls;
} spare_disk;

static spare_disk spare;

int __real_statvfs(const char *path, struct statvfs *out);
int __wrap_statvfs(const char *path, struct statvfs *out);

int
__wrap_statvfs(const char *path, struct statvfs *out)
{
    if (spare.free_pages == 0) {
        return __real_statvfs(path, out);
    }
    *out = (struct statvfs){.f_frsize = PAGE,
        .f_blocks = PAGES,
        .f_bavail = spare.free_pages,
        .f_files = INODES,
        .f_favail = INODES - spare.used_inodes};
    return 0;
}

static bool
delete_one(void *arg)
{
    spare_disk *disk = arg;
    disk->calls++;
    if (disk->files == 0) {
        return false;
    }
    disk->files--;
    disk->free_pages++;
    return true;
}

static void
test_files_that_can_be_spared_go_first(void **state)
{
    (void)state;
    disk_reserve reserve = {.path = "/", .bytes = 64 * PAGE, .relieve = delete_one, .arg = &spare};
    spare = (spare_disk){.free_pages = 64, .files = 9};
    disk_reserve_look(&reserve);
    assert_int_equal(spare.calls, 0); // there is enough
    spare.free_pages = 60;
    disk_reserve_look(&reserve);
    assert_int_equal(spare.files, 5); // no more than is needed
    assert_true(disk_reserve_admit(&reserve, 5));

    spare.free_pages = 50; // the rest does not suffice
    disk_reserve_look(&reserve);
    assert_int_equal(spare.files, 0);
    assert_false(disk_reserve_admit(&reserve, 5));
    spare.files = 20; // they suffice for the end of the shortage, which is an eighth more
    disk_reserve_look(&reserve);
    assert_true(disk_reserve_admit(&reserve, 5));
    assert_int_equal(spare.free_pages, 72);

    reserve.bytes = 0; // nothing is reserved
    spare = (spare_disk){.free_pages = 1, .files = 9};
    disk_reserve_look(&reserve);
    assert_int_equal(spare.files, 9);
    spare = (spare_disk){0};
}

static void
test_inodes_have_a_reserve(void **state)
{
    (void)state;
    lp_problem problem;
    disk_reserve reserve = {.path = "/", .bytes = 64 * PAGE};
    spare = (spare_disk){.free_pages = PAGES, .used_inodes = INODES - DISK_RESERVE_FILES};
    disk_reserve_look(&reserve);
    assert_true(disk_reserve_admit(&reserve, 5));
    spare.used_inodes++;
    disk_reserve_look(&reserve);
    assert_false(disk_reserve_admit(&reserve, 5));
    assert_true(disk_reserve_explain(&reserve, &problem));
    assert_non_null(strstr(problem.text, "255 inodes"));
    spare.used_inodes = INODES - DISK_RESERVE_FILES * 9 / 8; // an eighth more ends it
    disk_reserve_look(&reserve);
    assert_true(disk_reserve_admit(&reserve, 5));
    spare = (spare_disk){0};
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_batches_are_put_off_and_taken_again),
        cmocka_unit_test(test_files_that_can_be_spared_go_first),
        cmocka_unit_test(test_inodes_have_a_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
