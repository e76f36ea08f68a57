// SPDX-License-Identifier: Apache-2.0
// Blobs: what was put is read back, a replaced chunk stays readable for those who have it open,
// nothing but a session id gets into a path, and what a killed process left does not disturb.

#include "support/temp_dir.h"

#include "collector/store/blobs.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char id[] = "00112233445566778899aabbccddeeff";

typedef struct fixture {
    temp_dir dir;
    char blobs_path[300];
    blobs *blobs;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->blobs_path, sizeof(f->blobs_path), "%s/blobs", f->dir.path);
    assert_int_equal(blobs_open(f->blobs_path, &f->blobs, NULL), LP_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){.ptr = (const uint8_t *)text, .len = strlen(text)};
}

static void
assert_reads(int fd, const char *expected)
{
    char bytes[64] = {0};
    assert_int_equal(pread(fd, bytes, sizeof(bytes) - 1, 0), (ssize_t)strlen(expected));
    assert_string_equal(bytes, expected);
}

static void
test_what_was_put_is_read_back(void **state)
{
    const fixture *f = *state;
    int fd;
    assert_int_equal(blobs_open_chunk(f->blobs, id, 0, &fd), LP_ENOENT);
    assert_int_equal(blobs_put(f->blobs, id, 0, slice_of("first"), NULL), LP_OK);
    assert_int_equal(blobs_put(f->blobs, id, 4294967295, slice_of("last"), NULL), LP_OK);
    assert_int_equal(blobs_put(f->blobs, id, 7, (lp_slice){0}, NULL), LP_OK);

    assert_int_equal(blobs_open_chunk(f->blobs, id, 0, &fd), LP_OK);
    assert_reads(fd, "first");
    assert_int_equal(close(fd), 0);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 4294967295, &fd), LP_OK);
    assert_reads(fd, "last");
    assert_int_equal(close(fd), 0);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 7, &fd), LP_OK);
    assert_reads(fd, "");
    assert_int_equal(close(fd), 0);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 1, &fd), LP_ENOENT);
}

static void
test_a_replaced_chunk_stays_for_those_who_have_it_open(void **state)
{
    const fixture *f = *state;
    int old_fd;
    int new_fd;
    assert_int_equal(blobs_put(f->blobs, id, 3, slice_of("old"), NULL), LP_OK);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 3, &old_fd), LP_OK);
    assert_int_equal(blobs_put(f->blobs, id, 3, slice_of("newer"), NULL), LP_OK);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 3, &new_fd), LP_OK);
    assert_reads(old_fd, "old");
    assert_reads(new_fd, "newer");
    assert_int_equal(close(old_fd), 0);
    assert_int_equal(close(new_fd), 0);
}

static void
test_only_session_ids_become_paths(void **state)
{
    static const char *const bad[] = {
        "",
        ".",
        "..",
        "../../etc/passwd",
        "00112233445566778899aabbccddeef",   // one short
        "00112233445566778899aabbccddeeff0", // one long
        "00112233445566778899AABBCCDDEEFF",
        "../112233445566778899aabbccddeef",
        "00112233445566778899aabbccddee/f",
        "00112233445566778899aabbccddeeg0",
    };
    const fixture *f = *state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int fd = -1;
        assert_int_equal(blobs_put(f->blobs, bad[i], 0, slice_of("x"), NULL), LP_ECORRUPT);
        assert_int_equal(blobs_open_chunk(f->blobs, bad[i], 0, &fd), LP_ENOENT);
        assert_int_equal(fd, -1);
    }
}

static void
test_links_are_not_followed(void **state)
{
    const fixture *f = *state;
    char link_path[400];
    int fd;
    assert_int_equal(blobs_put(f->blobs, id, 0, slice_of("x"), NULL), LP_OK);
    (void)snprintf(link_path, sizeof(link_path), "%s/%s/1.jfr", f->blobs_path, id);
    assert_int_equal(symlink("/etc/passwd", link_path), 0);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 1, &fd), LP_EIO);
}

static void
test_what_a_killed_writer_left_is_overwritten(void **state)
{
    const fixture *f = *state;
    char path[400];
    struct stat info;
    int fd;
    assert_int_equal(blobs_put(f->blobs, id, 0, slice_of("zero"), NULL), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/%s/1.jfr.tmp", f->blobs_path, id);
    int left = open(path, O_WRONLY | O_CREAT, 0600);
    assert_true(left >= 0);
    assert_int_equal(write(left, "half of somethi", 15), 15);
    assert_int_equal(close(left), 0);

    assert_int_equal(blobs_open_chunk(f->blobs, id, 1, &fd), LP_ENOENT);
    assert_int_equal(blobs_put(f->blobs, id, 1, slice_of("whole"), NULL), LP_OK);
    assert_int_equal(blobs_open_chunk(f->blobs, id, 1, &fd), LP_OK);
    assert_reads(fd, "whole");
    assert_int_equal(close(fd), 0);
    assert_int_equal(stat(path, &info), -1);
}

static void
test_hashes_tell_contents_apart(void **state)
{
    const fixture *f = *state;
    uint64_t hash = 0;
    assert_int_equal(blobs_put(f->blobs, id, 0, slice_of("a"), &hash), LP_OK);
    assert_true(hash == blobs_hash(slice_of("a")));
    assert_true(hash != blobs_hash(slice_of("b")));
    // XXH3 64 bits of no bytes with seed 0, from the algorithm's published test vectors.
    assert_true(blobs_hash((lp_slice){0}) == 0x2d06800538d394c2);
}

static void
test_spilled_bytes_have_no_name(void **state)
{
    const fixture *f = *state;
    struct stat info;
    int fd;
    assert_int_equal(blobs_spill(f->blobs, slice_of("spilled"), &fd), LP_OK);
    assert_reads(fd, "spilled");
    assert_int_equal(fstat(fd, &info), 0);
    assert_int_equal(info.st_nlink, 0);
    assert_int_equal(close(fd), 0);
}

static void
test_opening_says_what_is_wrong(void **state)
{
    const fixture *f = *state;
    lp_problem problem;
    blobs *opened;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/none/blobs", f->dir.path);
    assert_int_equal(blobs_open(path, &opened, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, path));
    assert_non_null(strstr(problem.text, "No such file or directory"));
    blobs_close(NULL);
}

static void
test_a_whole_chunk_is_read_or_refused(void **state)
{
    const fixture *f = *state;
    uint64_t hash;
    lp_buf bytes = {0};
    assert_int_equal(blobs_put(f->blobs, id, 3, slice_of("content"), &hash), LP_OK);
    assert_int_equal(blobs_read_chunk(f->blobs, id, 3, 7, hash, &bytes), LP_OK);
    assert_int_equal(bytes.len, 7);
    assert_memory_equal(bytes.ptr, "content", 7);
    const struct {
        uint32_t ordinal;
        uint64_t size_bytes;
        uint64_t hash;
        lp_err err;
    } cases[] = {
        {4, 7, hash, LP_ENOENT},
        {3, 6, hash, LP_ECORRUPT},
        {3, 8, hash, LP_ECORRUPT},
        {3, 7, hash + 1, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf_clear(&bytes);
        assert_int_equal(blobs_read_chunk(f->blobs, id, cases[i].ordinal, cases[i].size_bytes,
                             cases[i].hash, &bytes),
            cases[i].err);
    }
    lp_buf_fini(&bytes);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_what_was_put_is_read_back),
        TEST(test_a_replaced_chunk_stays_for_those_who_have_it_open),
        TEST(test_only_session_ids_become_paths),
        TEST(test_links_are_not_followed),
        TEST(test_what_a_killed_writer_left_is_overwritten),
        TEST(test_hashes_tell_contents_apart),
        TEST(test_spilled_bytes_have_no_name),
        TEST(test_opening_says_what_is_wrong),
        TEST(test_a_whole_chunk_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
