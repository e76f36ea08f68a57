// SPDX-License-Identifier: Apache-2.0
// All bytes are written, in however many pieces the system takes them, and signals in between end
// neither reading nor writing: a child writes into a full pipe, and is interrupted until all of it
// has been read. What errno says of a failure stays there when what is open is closed and freed.

#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    TOTAL_BYTES = 1 << 23, // more than a pipe takes at once
    PIECE_BYTES = 1 << 12,
    PIECES_MAX = 1000,
};

static void
on_signal(int number)
{
    (void)number;
}

// write_pattern writes a pattern in pieces of up to 60,000 bytes, some of none.
static void
write_pattern(int fd)
{
    uint8_t *bytes = malloc(TOTAL_BYTES);
    for (size_t i = 0; bytes != NULL && i < TOTAL_BYTES; i++) {
        bytes[i] = (uint8_t)(i * 31 >> 3);
    }
    lp_slice pieces[PIECES_MAX];
    size_t count = 0;
    for (size_t done = 0; done < TOTAL_BYTES; done += pieces[count++].len) {
        size_t size = count % 7 == 0 ? 60000 : count % 5 * (size_t)1001;
        size = size < TOTAL_BYTES - done ? size : TOTAL_BYTES - done;
        pieces[count] = (lp_slice){bytes + done, size};
    }
    bool is_done = bytes != NULL && lp_io_write_pieces(fd, pieces, count) == LP_OK;
    free(bytes);
    _exit(is_done ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void
test_signals_end_neither_reading_nor_writing(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = on_signal}; // without SA_RESTART
    int ends[2];
    uint8_t piece[PIECE_BYTES];
    size_t found = 0;
    ssize_t count;
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        write_pattern(ends[1]);
    }
    (void)close(ends[1]);
    while ((count = lp_io_read(ends[0], piece, sizeof(piece))) > 0) {
        for (ssize_t i = 0; i < count; i++, found++) {
            assert_int_equal(piece[i], (uint8_t)(found * 31 >> 3));
        }
        assert_int_equal(kill(child, SIGUSR1), 0);
    }
    assert_int_equal(count, 0);
    assert_int_equal(found, TOTAL_BYTES);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
    (void)close(ends[0]);
}

static void
test_what_the_system_refuses_is_an_error(void **state)
{
    (void)state;
    int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    assert_int_equal(lp_io_write_all(full, (lp_slice){(const uint8_t *)"x", 1}), LP_EIO);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(lp_io_write_all(full, (lp_slice){NULL, 0}), LP_OK);
    assert_int_equal(lp_io_write_pieces(full, NULL, 0), LP_OK);
    const lp_slice pieces[] = {{NULL, 0}, {(const uint8_t *)"x", 1}};
    assert_int_equal(lp_io_write_pieces(full, pieces, 2), LP_EIO);
    (void)close(full);
}

static void
test_a_directory_is_synced(void **state)
{
    (void)state;
    assert_int_equal(lp_io_sync_dir(AT_FDCWD, "."), LP_OK);
    assert_int_equal(lp_io_sync_dir(AT_FDCWD, "/nowhere"), LP_EIO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(lp_io_sync_dir(AT_FDCWD, "/dev/null"), LP_EIO);
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(lp_io_sync_name("here"), LP_OK); // whether it is there or not
    assert_int_equal(lp_io_sync_name("/nowhere/file"), LP_EIO);
}

static void
test_names_of_one_file_are_known(void **state)
{
    (void)state;
    assert_true(lp_io_is_same_file("/dev/null", "/dev/../dev/null"));
    assert_false(lp_io_is_same_file("/dev/null", "/dev/zero"));
    assert_false(lp_io_is_same_file("/dev/null", "/nowhere"));
    assert_false(lp_io_is_same_file("/nowhere", "/nowhere"));
}

static void
test_the_directory_of_a_file_is_made(void **state)
{
    (void)state;
    char dir[] = "/tmp/loupe-test-XXXXXX";
    char path[100];
    assert_non_null(mkdtemp(dir));
    (void)snprintf(path, sizeof(path), "%s/made/file", dir);
    for (int i = 0; i < 2; i++) { // also where it is there
        assert_int_equal(lp_io_make_dir_of(path), LP_OK);
    }
    assert_int_equal(lp_io_make_dir_of("file"), LP_OK);
    assert_int_equal(lp_io_make_dir_of("/nowhere/there/file"), LP_EIO);
    assert_int_equal(errno, ENOENT);
    (void)snprintf(path, sizeof(path), "%s/made", dir);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void
test_which_errors_lack_descriptors(void **state)
{
    (void)state;
    assert_true(lp_io_lacks_descriptors(EMFILE)); // of the process
    assert_true(lp_io_lacks_descriptors(ENFILE)); // of the system
    assert_false(lp_io_lacks_descriptors(ENOSPC));
    assert_false(lp_io_lacks_descriptors(0));
}

static void
test_a_reason_outlives_closing_and_freeing(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1000, 100000, 1 << 20, 1 << 26};
    errno = ENOSPC;
    lp_io_close(-1);
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(errno, ENOSPC);
    lp_io_close(fd);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(fcntl(fd, F_GETFD), -1);
    errno = ENOSPC;
    lp_io_close(fd); // close(2) says EBADF
    assert_int_equal(errno, ENOSPC);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char *block = malloc(sizes[i]);
        assert_non_null(block);
        memset(block, 1, sizes[i]);
        errno = ENOSPC;
        free(block);
        assert_int_equal(errno, ENOSPC);
    }
}

typedef struct listed {
    unsigned count;
    bool has_file;
    lp_err err; // of the next call
} listed;

static lp_err
on_name(void *arg, int dir_fd, const char *name)
{
    listed *l = arg;
    l->count++;
    l->has_file =
        l->has_file || (strcmp(name, "file") == 0 && faccessat(dir_fd, name, F_OK, 0) == 0);
    return l->err;
}

static void
test_a_directory_is_listed(void **state)
{
    (void)state;
    char dir[] = "/tmp/test_lp_io_XXXXXX";
    char path[sizeof(dir) + 10];
    listed all = {0};
    listed failing = {.err = LP_ELIMIT};
    assert_non_null(mkdtemp(dir));
    assert_int_equal(lp_io_list(dir, on_name, &all), LP_OK);
    assert_int_equal(all.count, 0);
    (void)snprintf(path, sizeof(path), "%s/file", dir);
    assert_int_equal(close(open(path, O_WRONLY | O_CREAT, 0600)), 0);
    assert_int_equal(lp_io_list(path, on_name, &all), LP_EIO);
    assert_int_equal(errno, ENOTDIR);
    assert_int_equal(lp_io_list(dir, on_name, &all), LP_OK);
    assert_int_equal(all.count, 1);
    assert_true(all.has_file);
    assert_int_equal(lp_io_list(dir, on_name, &failing), LP_ELIMIT);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(lp_io_list(dir, on_name, &all), LP_OK); // it is missing
    assert_int_equal(all.count, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_directory_is_listed),
        cmocka_unit_test(test_signals_end_neither_reading_nor_writing),
        cmocka_unit_test(test_what_the_system_refuses_is_an_error),
        cmocka_unit_test(test_a_directory_is_synced),
        cmocka_unit_test(test_names_of_one_file_are_known),
        cmocka_unit_test(test_the_directory_of_a_file_is_made),
        cmocka_unit_test(test_which_errors_lack_descriptors),
        cmocka_unit_test(test_a_reason_outlives_closing_and_freeing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
