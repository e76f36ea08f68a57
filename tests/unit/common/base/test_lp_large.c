// SPDX-License-Identifier: Apache-2.0
// Promised: blocks in files are like any others, whoever frees them and when; there are none where
// nobody asked for them, and none is left behind; a full disk is memory that ran out.

#include "support/chance.h"
#include "support/temp_dir.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_large.h"
#include "common/base/lp_vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
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

enum { BLOCKS = 40, STEPS = 400 };

typedef struct fixture {
    temp_dir dir;
    int fd;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    f->dir = temp_dir_make();
    f->fd = open(f->dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(f->fd >= 0);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    (void)close(f->fd);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

// files_of returns how many files in the directory are open in this process.
static size_t
files_of(const fixture *f)
{
    DIR *open_files = opendir("/proc/self/fd");
    assert_non_null(open_files);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(open_files)) != NULL;) {
        char path[600];
        ssize_t len = readlinkat(dirfd(open_files), entry->d_name, path, sizeof(path) - 1);
        path[len < 0 ? 0 : len] = '\0';
        size_t known = strlen(f->dir.path);
        count += strncmp(path, f->dir.path, known) == 0 && path[known] == '/';
    }
    (void)closedir(open_files);
    return count;
}

static void
fill(uint8_t *block, size_t begin, size_t end, uint8_t seed)
{
    for (size_t i = begin; i < end; i++) {
        block[i] = (uint8_t)(seed + i * 7 + (i >> 12));
    }
}

static void
expect_filled(const uint8_t *block, size_t bytes, uint8_t seed)
{
    for (size_t i = 0; i < bytes; i += i % 4096 < 64 ? 1 : 509) {
        assert_int_equal(block[i], (uint8_t)(seed + i * 7 + (i >> 12)));
    }
}

// Blocks of all sizes are made, grow and end in any order, in files and not.
static void
test_blocks_keep_their_bytes(void **state)
{
    fixture *f = *state;
    struct {
        uint8_t *block;
        size_t bytes;
    } all[BLOCKS] = {{NULL, 0}};
    uint64_t seed = 3;
    size_t most = 0;
    for (size_t step = 0; step < STEPS; step++) {
        size_t i = chance_below(&seed, BLOCKS);
        if (chance_below(&seed, 3) == 0) {
            lp_large_begin(f->fd, LP_LARGE_BYTES);
        }
        size_t bytes = 1 + chance_below(&seed, chance_below(&seed, 2) == 0 ? 5000 : 3 << 20);
        if (all[i].block == NULL) {
            all[i].block = lp_large_alloc(bytes);
            assert_non_null(all[i].block);
            fill(all[i].block, 0, bytes, (uint8_t)i);
            all[i].bytes = bytes;
        } else if (chance_below(&seed, 2) == 0) {
            bytes += all[i].bytes;
            all[i].block = lp_large_grow(all[i].block, all[i].bytes, bytes);
            assert_non_null(all[i].block);
            fill(all[i].block, all[i].bytes, bytes, (uint8_t)i);
            all[i].bytes = bytes;
        } else {
            expect_filled(all[i].block, all[i].bytes, (uint8_t)i);
            lp_large_free(all[i].block);
            all[i].block = NULL;
        }
        lp_large_end();
        size_t files = files_of(f);
        most = files > most ? files : most;
    }
    assert_true(most > 3);
    for (size_t i = 0; i < BLOCKS; i++) {
        if (all[i].block != NULL) {
            expect_filled(all[i].block, all[i].bytes, (uint8_t)i);
        }
        lp_large_free(all[i].block);
    }
    assert_int_equal(files_of(f), 0);
}

static void *
free_it(void *block)
{
    lp_large_free(block);
    return NULL;
}

static void
test_another_thread_gets_and_frees_them(void **state)
{
    fixture *f = *state;
    lp_large_begin(f->fd, LP_LARGE_BYTES);
    LP_VEC(uint64_t) numbers = {0};
    for (uint64_t i = 0; i < LP_LARGE_BYTES / sizeof(i); i++) {
        uint64_t *number = LP_VEC_PUSH(&numbers);
        assert_non_null(number);
        *number = i;
    }
    lp_buf small = {0};
    lp_buf_append(&small, "12345", 5);
    assert_int_equal(files_of(f), 1); // small is none
    lp_large_end();
    lp_buf large = {0};
    assert_non_null(lp_buf_extend(&large, 2 * (size_t)LP_LARGE_BYTES));
    assert_int_equal(files_of(f), 1); // nobody asked
    for (uint64_t i = 0; i < numbers.count; i++) {
        assert_int_equal(numbers.items[i], i);
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, free_it, numbers.items), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(files_of(f), 0);
    lp_buf_fini(&small);
    lp_buf_fini(&large);
}

// A limit on the size of files stands for a full disk.
static void
test_a_full_disk_is_no_memory(void **state)
{
    fixture *f = *state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    lp_large_begin(f->fd, LP_LARGE_BYTES);
    uint8_t *block = lp_large_alloc(LP_LARGE_BYTES);
    assert_non_null(block);
    assert_int_equal(files_of(f), 1);
    fill(block, 0, LP_LARGE_BYTES, 1);
    const struct rlimit full = {2 * (rlim_t)LP_LARGE_BYTES, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    void *more = lp_large_grow(block, LP_LARGE_BYTES, 3 * (size_t)LP_LARGE_BYTES);
    void *another = lp_large_alloc(3 * (size_t)LP_LARGE_BYTES);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_null(more);
    assert_null(another);
    expect_filled(block, LP_LARGE_BYTES, 1); // it is as it was
    lp_large_end();
    lp_large_free(block);
    assert_int_equal(files_of(f), 0);
}

int
main(void)
{
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_blocks_keep_their_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_thread_gets_and_frees_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_full_disk_is_no_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("lp_large", tests, NULL, NULL);
}
