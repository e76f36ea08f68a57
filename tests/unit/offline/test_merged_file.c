// SPDX-License-Identifier: Apache-2.0
// Chunks that are appended in any order come out by start, no two of them with the same one and all
// on one line, and otherwise as they were: whether they were expected in order or not.

#include "offline/merged_file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNK_BYTES_MAX = 3 << 20, LINE = 1000 }; // LINE: from ticks to wall time

// A chunk that has its letter in every byte behind the header.
typedef struct piece {
    int64_t start_wall_ns;
    int64_t duration_ns;
    size_t size_bytes;
    char letter;
} piece;

static lp_slice
make(const piece *p, uint8_t *room)
{
    const jfr_chunk_info info = {
        .size_bytes = p->size_bytes,
        .checkpoint_offset = p->size_bytes - 1,
        .metadata_offset = p->size_bytes - 1,
        .start_wall_ns = p->start_wall_ns,
        .duration_ns = p->duration_ns,
        .start_ticks = p->start_wall_ns - LINE,
        .ticks_per_s = 1000000000,
    };
    memset(room, p->letter, p->size_bytes);
    jfr_chunk_encode(&info, room);
    return (lp_slice){room, p->size_bytes};
}

static void
expect_file(int fd, const piece *want, size_t count)
{
    uint8_t *room = malloc(CHUNK_BYTES_MAX);
    uint8_t *found = malloc(CHUNK_BYTES_MAX);
    assert_true(room != NULL && found != NULL);
    off_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        lp_slice chunk = make(&want[i], room);
        assert_int_equal(pread(fd, found, chunk.len, offset), chunk.len);
        assert_memory_equal(found, chunk.ptr, chunk.len);
        offset += (off_t)chunk.len;
    }
    assert_int_equal(pread(fd, found, 1, offset), 0);
    free(room);
    free(found);
}

// merge appends the chunks and expects them in order.
static void
merge(bool is_in_order, const piece *in, const piece *want, size_t count)
{
    uint8_t *room = malloc(CHUNK_BYTES_MAX);
    FILE *out = tmpfile();
    assert_true(room != NULL && out != NULL);
    merged_file file;
    lp_problem problem;
    assert_int_equal(merged_file_open(fileno(out), is_in_order, &file, &problem), LP_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(merged_file_append(&file, make(&in[i], room)), LP_OK);
    }
    assert_int_equal(merged_file_finish(&file, &problem), LP_OK);
    expect_file(fileno(out), want, count);
    assert_int_equal(fclose(out), 0);
    merged_file_close(&file);
    free(room);
}

static void
test_chunks_come_out_by_start_and_no_two_start_at_once(void **state)
{
    (void)state;
    static const piece in[] = {
        {7000, 100, 80, 'a'},
        {9000, 100, CHUNK_BYTES_MAX, 'b'}, // more than is copied at once
        {5000, 100, 69, 'c'},
        {7000, 100, 90, 'd'},
        {7001, 100, 100, 'e'},
        {7000, 1, 110, 'f'},
        {6000, 100, 70, 'g'},
    };
    static const piece want[] = {
        {5000, 100, 69, 'c'},
        {6000, 100, 70, 'g'},
        {7000, 100, 80, 'a'},
        {7001, 99, 90, 'd'}, // in the order in which they came
        {7002, 0, 110, 'f'},
        {7003, 98, 100, 'e'},
        {9000, 100, CHUNK_BYTES_MAX, 'b'},
    };
    merge(false, in, want, sizeof(in) / sizeof(in[0]));
    merge(true, in, want, sizeof(in) / sizeof(in[0])); // wrongly expected in order
}

static void
test_chunks_in_order_stay_where_they_are(void **state)
{
    (void)state;
    static const piece in[] = {
        {5000, 100, 69, 'a'},
        {6000, 100, CHUNK_BYTES_MAX, 'b'},
        {7000, 100, 80, 'c'},
        {7000, 100, 90, 'd'},
        {7001, 100, 70, 'e'},
    };
    static const piece want[] = {
        {5000, 100, 69, 'a'},
        {6000, 100, CHUNK_BYTES_MAX, 'b'},
        {7000, 100, 80, 'c'},
        {7001, 99, 90, 'd'},
        {7002, 99, 70, 'e'},
    };
    merge(true, in, want, sizeof(in) / sizeof(in[0]));
    merge(false, in, want, sizeof(in) / sizeof(in[0]));
    merge(true, in, want, 0);
    merge(true, in, want, 1);
}

static void
test_a_full_disk_is_an_error(void **state)
{
    (void)state;
    static const piece one = {7000, 100, 4096, 'a'};
    uint8_t room[4096];
    merged_file file;
    lp_problem problem;
    int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    assert_int_equal(merged_file_open(full, false, &file, &problem), LP_OK);
    assert_int_equal(merged_file_append(&file, make(&one, room)), LP_OK);
    assert_int_equal(merged_file_finish(&file, &problem), LP_EIO);
    assert_string_equal(problem.text, strerror(ENOSPC));
    merged_file_close(&file);

    assert_int_equal(merged_file_open(full, true, &file, &problem), LP_OK);
    assert_int_equal(merged_file_append(&file, make(&one, room)), LP_EIO);
    merged_file_close(&file);
    assert_int_equal(close(full), 0);
}

static void
test_no_room_to_put_chunks_in_order_is_an_error(void **state)
{
    (void)state;
    static const piece in[] = {{7000, 100, 80, 'a'}, {5000, 100, 80, 'b'}};
    uint8_t room[80];
    FILE *out = tmpfile();
    assert_non_null(out);
    merged_file file;
    lp_problem problem;
    assert_int_equal(merged_file_open(fileno(out), true, &file, &problem), LP_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(merged_file_append(&file, make(&in[i], room)), LP_OK);
    }
    assert_int_equal(setenv("TMPDIR", "/dev/null", 1), 0);
    assert_int_equal(merged_file_finish(&file, &problem), LP_EIO);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_non_null(strstr(problem.text, "temporary file in /dev/null"));
    merged_file_close(&file);
    assert_int_equal(fclose(out), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_come_out_by_start_and_no_two_start_at_once),
        cmocka_unit_test(test_chunks_in_order_stay_where_they_are),
        cmocka_unit_test(test_a_full_disk_is_an_error),
        cmocka_unit_test(test_no_room_to_put_chunks_in_order_is_an_error),
    };
    return cmocka_run_group_tests_name("merged_file", tests, NULL, NULL);
}
