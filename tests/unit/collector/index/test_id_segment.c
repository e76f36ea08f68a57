// SPDX-License-Identifier: Apache-2.0
// Segments of the index of ids: hashes that lie evenly, and hashes that somebody chose, are found;
// merged ones have all; a file that is none is refused.

#include "support/temp_dir.h"

#include "collector/index/id_segment.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ENTRIES = 20000 };

typedef struct fixture {
    temp_dir dir;
    int dir_fd;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    f->dir_fd = open(f->dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(f->dir_fd >= 0);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    assert_int_equal(close(f->dir_fd), 0);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static const id_segment_chunk chunks[] = {
    {"0123456789abcde", 7}, {"0123456789abcde", 8}, {"fedcba987654321", 0}};

// even returns hashes that lie evenly, skewed ones that meet at both ends of the range.
static uint64_t
even(size_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u;
}

static uint64_t
skewed(size_t i)
{
    return i % 2 == 0 ? i : UINT64_MAX - i * i;
}

static id_segment *
make(const fixture *f, const char *name, uint64_t (*hash_of)(size_t i), size_t first, size_t end)
{
    id_segment_entry *entries = calloc(end - first + 1, sizeof(*entries));
    id_segment *segment = NULL;
    assert_non_null(entries);
    for (size_t i = first; i < end; i++) {
        entries[i - first] = (id_segment_entry){hash_of(i), (uint32_t)(i % 3)};
    }
    const id_segment_content content = {
        .entries = entries,
        .entry_count = end - first,
        .chunks = chunks,
        .chunk_count = 3,
        .from_wall_ns = (int64_t)first,
        .to_wall_ns = (int64_t)end,
    };
    assert_int_equal(id_segment_write(f->dir_fd, name, &content), LP_OK);
    assert_int_equal(id_segment_open(f->dir_fd, name, &segment), LP_OK);
    free(entries);
    return segment;
}

static void
on_chunk(void *arg, const id_segment_chunk *chunk)
{
    memcpy(arg, chunk, sizeof(*chunk));
}

static void
assert_has(const id_segment *segment, uint64_t (*hash_of)(size_t i), size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        id_segment_chunk found;
        assert_int_equal(id_segment_find(segment, hash_of(i), on_chunk, &found), 1);
        assert_memory_equal(&found, &chunks[i % 3], sizeof(found));
    }
}

static void
test_each_hash_is_found_and_no_other(void **state)
{
    const fixture *f = *state;
    uint64_t (*const kinds[])(size_t) = {even, skewed};
    for (size_t k = 0; k < 2; k++) {
        id_segment *segment = make(f, "a.ids", kinds[k], 0, ENTRIES);
        id_segment_chunk found;
        assert_int_equal(id_segment_entry_count(segment), ENTRIES);
        assert_has(segment, kinds[k], 0, ENTRIES);
        for (size_t i = ENTRIES; i < 2 * ENTRIES; i++) {
            assert_int_equal(id_segment_find(segment, kinds[k](i), on_chunk, &found), 0);
        }
        id_segment_unref(segment);
    }
}

static void
test_merged_segments_have_all(void **state)
{
    const fixture *f = *state;
    id_segment *parts[] = {
        make(f, "a.ids", even, 0, 5000),
        make(f, "b.ids", even, 5000, 5000), // empty
        make(f, "c.ids", even, 5000, ENTRIES),
    };
    id_segment *all;
    uint32_t chunk_count;
    assert_int_equal(id_segment_merge(f->dir_fd, "all.ids", parts, 3), LP_OK);
    assert_int_equal(id_segment_open(f->dir_fd, "all.ids", &all), LP_OK);
    assert_has(all, even, 0, ENTRIES);
    (void)id_segment_chunks(all, &chunk_count);
    assert_int_equal(chunk_count, 9);
    assert_true(id_segment_has_time(all, 0, 1));
    assert_true(id_segment_has_time(all, ENTRIES, ENTRIES + 1));
    assert_false(id_segment_has_time(all, ENTRIES + 1, INT64_MAX));
    assert_false(id_segment_has_time(all, INT64_MIN, 0));
    id_segment_unref(all);
    for (size_t i = 0; i < 3; i++) {
        id_segment_unref(parts[i]);
    }
}

static void
test_what_is_no_segment_is_refused(void **state)
{
    const fixture *f = *state;
    id_segment *segment = make(f, "a.ids", even, 0, 100);
    id_segment_unref(segment);
    assert_int_equal(id_segment_open(f->dir_fd, "none.ids", &segment), LP_ENOENT);
    const off_t sizes[] = {0, 39, 40, 40 + 1200, 40 + 1200 + 60 - 1};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        id_segment_unref(make(f, "a.ids", even, 0, 100));
        int fd = openat(f->dir_fd, "a.ids", O_RDWR | O_CLOEXEC);
        assert_int_equal(ftruncate(fd, sizes[i]), 0);
        assert_int_equal(close(fd), 0);
        assert_int_equal(id_segment_open(f->dir_fd, "a.ids", &segment), LP_ECORRUPT);
    }
    for (size_t i = 0; i < 16; i++) { // the magic, the version, the number of entries
        id_segment_unref(make(f, "a.ids", even, 0, 100));
        int fd = openat(f->dir_fd, "a.ids", O_RDWR | O_CLOEXEC);
        assert_int_equal(pwrite(fd, "\xff", 1, (off_t)i), 1);
        assert_int_equal(close(fd), 0);
        assert_int_equal(id_segment_open(f->dir_fd, "a.ids", &segment), LP_ECORRUPT);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_hash_is_found_and_no_other, setup, teardown),
        cmocka_unit_test_setup_teardown(test_merged_segments_have_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_no_segment_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
