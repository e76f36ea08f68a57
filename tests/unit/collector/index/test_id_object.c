// SPDX-License-Identifier: Apache-2.0
// Segments: each id of each chunk is found by one page, the root and the page's entries, at the
// places that the shape gives; also an id in more chunks than a page has entries. The page excludes
// almost all unknown ids. The bytes are as the header shows them, and the same for the same chunks.
// Cut, swapped or changed pieces are refused, and so are impossible shapes. A full segment takes no
// part of a chunk.

#include "support/id_chunks.h"

#include "collector/index/id_object.h"
#include "common/base/lp_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static lp_slice
slice_of(const uint64_t *hashes, size_t count)
{
    return (lp_slice){(const uint8_t *)hashes, count * sizeof(*hashes)};
}

// make makes an object of CHUNKS chunks with IDS ids each, and of COMMON_CHUNKS with a common one.
static lp_buf
make(void)
{
    id_object_writer writer = {.from_wall_ns = 0};
    lp_buf bytes = {0};
    for (size_t i = 0; i < CHUNKS; i++) {
        uint64_t hashes[IDS];
        for (size_t k = 0; k < IDS; k++) {
            hashes[k] = hash_of(i, k);
        }
        const id_chunk chunk = chunk_of(i);
        assert_int_equal(
            id_object_writer_add(&writer, &chunk, 1000 - (int64_t)i, slice_of(hashes, IDS)), LP_OK);
    }
    for (size_t i = 0; i < COMMON_CHUNKS; i++) {
        const id_chunk chunk = chunk_of(i);
        assert_int_equal(
            id_object_writer_add(&writer, &chunk, 2000, slice_of(&common_hash, 1)), LP_OK);
    }
    assert_int_equal(id_object_writer_finish(&writer, &bytes), LP_OK);
    id_object_writer_fini(&writer);
    return bytes;
}

static uint64_t
number_at(const lp_buf *bytes, size_t offset, size_t size)
{
    uint64_t number = 0;
    for (size_t i = size; i > 0; i--) {
        number = number << 8 | bytes->ptr[offset + i - 1];
    }
    return number;
}

// shape_of returns the shape that a catalog would have for the bytes.
static id_object_shape
shape_of(const lp_buf *bytes)
{
    uint64_t entries = number_at(bytes, 16, 8);
    const id_object_shape shape = {bytes->len - entries * 16, bytes->len, entries};
    assert_int_equal(id_object_check_shape(&shape), LP_OK);
    return shape;
}

static lp_slice
cut(const lp_buf *bytes, id_object_place place)
{
    assert_true(place.offset + place.size_bytes <= bytes->len);
    return (lp_slice){bytes->ptr + place.offset, (size_t)place.size_bytes};
}

static id_object_root
open_root(const lp_buf *bytes)
{
    const id_object_shape shape = shape_of(bytes);
    id_object_root root;
    assert_int_equal(
        id_object_open_root(&shape, cut(bytes, id_object_place_root(&shape)), &root), LP_OK);
    return root;
}

static const id_object_page *
open_page(const lp_buf *bytes, uint32_t number)
{
    const id_object_shape shape = shape_of(bytes);
    const id_object_page *page;
    const lp_slice piece = cut(bytes, id_object_place_page(&shape, number));
    assert_int_equal(id_object_open_page(&shape, number, piece, &page), LP_OK);
    return page;
}

// open_page_of opens the page that has a hash.
static const id_object_page *
open_page_of(const lp_buf *bytes, uint64_t hash)
{
    uint32_t pages = id_object_count_pages(number_at(bytes, 16, 8));
    return open_page(bytes, id_object_choose_page(hash, pages));
}

typedef struct found {
    size_t count;
    id_chunk last;
} found;

static void
on_chunk(void *arg, const id_chunk *chunk)
{
    found *f = arg;
    f->count++;
    f->last = *chunk;
}

// find looks for a hash as a reader does, but for the filter.
static found
find(const lp_buf *bytes, uint64_t hash)
{
    found f = {0};
    const id_object_shape shape = shape_of(bytes);
    const id_object_root root = open_root(bytes);
    const id_object_page *page = open_page_of(bytes, hash);
    const lp_slice entries = cut(bytes, id_object_place_entries(&shape, page));
    assert_int_equal(id_object_search(&root, page, entries, hash, on_chunk, &f), LP_OK);
    return f;
}

static void
test_each_id_is_found(void **state)
{
    (void)state;
    lp_buf bytes = make();
    for (size_t i = 0; i < CHUNKS; i++) {
        const id_chunk chunk = chunk_of(i);
        for (size_t k = 0; k < IDS; k++) {
            found f = find(&bytes, hash_of(i, k));
            assert_true(id_object_may_have(open_page_of(&bytes, hash_of(i, k)), hash_of(i, k)));
            assert_int_equal(f.count, 1);
            assert_memory_equal(&f.last, &chunk, sizeof(chunk));
        }
    }
    assert_in_range(COMMON_CHUNKS, ID_OBJECT_PAGE_ENTRIES + 1, UINT32_MAX);
    assert_true(id_object_may_have(open_page_of(&bytes, common_hash), common_hash));
    assert_int_equal(find(&bytes, common_hash).count, COMMON_CHUNKS);
    lp_buf_fini(&bytes);
}

static void
test_others_are_excluded(void **state)
{
    (void)state;
    lp_buf bytes = make();
    size_t wrong = 0;
    for (size_t i = CHUNKS; i < 2 * CHUNKS; i++) {
        for (size_t k = 0; k < IDS; k++) {
            wrong += id_object_may_have(open_page_of(&bytes, hash_of(i, k)), hash_of(i, k));
            assert_int_equal(find(&bytes, hash_of(i, k)).count, 0);
        }
    }
    assert_in_range(wrong, 0, CHUNKS * IDS / 100); // 1 of 300 is expected
    assert_int_equal(find(&bytes, 0).count, 0);
    assert_int_equal(find(&bytes, UINT64_MAX).count, 0);
    lp_buf_fini(&bytes);
}

enum { PAGES = 4, HEAD_BYTES = 4096 + PAGES * 4096, ENTRIES = CHUNKS * IDS + COMMON_CHUNKS };

static void
check_root(const lp_buf *bytes)
{
    assert_memory_equal(bytes->ptr, "LPIDOBJ\1", 8);
    assert_int_equal(number_at(bytes, 8, 8),
        lp_hash_bytes(LP_HASH_FIXED, (lp_slice){bytes->ptr + 16, 4096 - 16}));
    assert_int_equal(number_at(bytes, 16, 8), ENTRIES);
    assert_int_equal(number_at(bytes, 24, 8), 1000 - CHUNKS + 1);
    assert_int_equal(number_at(bytes, 32, 8), 2000);
    assert_int_equal(number_at(bytes, 40, 4), PAGES);
    assert_int_equal(number_at(bytes, 44, 4), 7);
    for (size_t i = 48; i < 4096; i++) {
        assert_int_equal(bytes->ptr[i], i < 48 + 7 * 16 ? (i - 48) / 16 : 0);
    }
}

static void
test_bytes_lie_as_drawn(void **state)
{
    (void)state;
    lp_buf bytes = make();
    lp_buf again = make();
    uint64_t entry = 0;
    assert_int_equal(ENTRIES, 9000);
    assert_int_equal(bytes.len, HEAD_BYTES + ENTRIES * 16);
    check_root(&bytes);
    for (size_t i = 0; i < PAGES; i++) {
        size_t at = 4096 + i * 4096;
        uint64_t count = number_at(&bytes, at + 28, 4);
        const lp_slice entries = {bytes.ptr + HEAD_BYTES + entry * 16, (size_t)count * 16};
        assert_int_equal(number_at(&bytes, at, 8),
            lp_hash_bytes(LP_HASH_FIXED, (lp_slice){bytes.ptr + at + 8, 4096 - 8}));
        assert_int_equal(number_at(&bytes, at + 8, 8), lp_hash_bytes(LP_HASH_FIXED, entries));
        assert_int_equal(number_at(&bytes, at + 16, 4), i);
        assert_int_equal(number_at(&bytes, at + 20, 4), PAGES);
        assert_int_equal(number_at(&bytes, at + 24, 4), entry);
        for (uint64_t end = entry + count; entry < end; entry++) { // a quarter of all hashes
            assert_int_equal(number_at(&bytes, HEAD_BYTES + entry * 16, 8) >> 62, i);
        }
    }
    assert_int_equal(entry, ENTRIES);
    for (size_t i = HEAD_BYTES + 16; i < bytes.len; i += 16) {
        assert_true(number_at(&bytes, i - 16, 8) <= number_at(&bytes, i, 8));
    }
    assert_int_equal(bytes.len, again.len);
    assert_memory_equal(bytes.ptr, again.ptr, bytes.len);
    lp_buf_fini(&bytes);
    lp_buf_fini(&again);
}

static void
test_a_damaged_root_is_refused(void **state)
{
    (void)state;
    lp_buf bytes = make();
    id_object_root root;
    const id_object_shape shape = shape_of(&bytes);
    const lp_slice piece = cut(&bytes, id_object_place_root(&shape));
    for (size_t len = 0; len < piece.len; len++) {
        const lp_slice part = {piece.ptr, len};
        assert_int_equal(id_object_open_root(&shape, part, &root), LP_ECORRUPT);
    }
    for (size_t i = 0; i < piece.len; i++) {
        bytes.ptr[i] ^= 0x40;
        lp_err expected = i == 7 ? LP_EVERSION : LP_ECORRUPT;
        assert_int_equal(id_object_open_root(&shape, piece, &root), expected);
        bytes.ptr[i] ^= 0x40;
    }
    assert_int_equal(id_object_open_root(&shape, piece, &root), LP_OK);
    lp_buf_fini(&bytes);
}

static void
test_a_head_and_a_whole_segment_say_their_shape(void **state)
{
    (void)state;
    lp_buf bytes = make();
    const id_object_shape shape = shape_of(&bytes);
    for (size_t len = 0; len <= bytes.len; len += len < 4096 ? 1 : 4096) {
        id_object_shape read;
        bool is_all = len == HEAD_BYTES;
        assert_int_equal(
            id_object_find_shape((lp_slice){bytes.ptr, len}, &read), is_all ? LP_OK : LP_ECORRUPT);
    }
    for (size_t i = 0; i < 2; i++) {
        id_object_shape read;
        const lp_slice part = {bytes.ptr, i == 0 ? bytes.len : HEAD_BYTES};
        assert_int_equal(id_object_find_shape(part, &read), LP_OK);
        assert_memory_equal(&read, &shape, sizeof(shape));
    }
    bytes.ptr[7]++;
    id_object_shape read;
    assert_int_equal(id_object_find_shape(lp_buf_slice(&bytes), &read), LP_EVERSION);
    lp_buf_fini(&bytes);
}

static void
test_a_damaged_page_is_refused(void **state)
{
    (void)state;
    lp_buf bytes = make();
    const id_object_page *page;
    const id_object_shape shape = shape_of(&bytes);
    for (uint32_t number = 0; number < PAGES; number++) {
        const id_object_place place = id_object_place_page(&shape, number);
        const lp_slice piece = cut(&bytes, place);
        for (size_t i = 0; i < piece.len; i++) {
            bytes.ptr[place.offset + i] ^= 1;
            assert_int_equal(id_object_open_page(&shape, number, piece, &page), LP_ECORRUPT);
            bytes.ptr[place.offset + i] ^= 1;
        }
        for (size_t len = 0; len < piece.len; len++) {
            assert_int_equal(id_object_open_page(&shape, number, (lp_slice){piece.ptr, len}, &page),
                LP_ECORRUPT);
        }
        uint32_t other = (number + 1) % PAGES;
        assert_int_equal(id_object_open_page(&shape, other, piece, &page), LP_ECORRUPT);
        assert_int_equal(id_object_open_page(&shape, number, piece, &page), LP_OK);
    }
    lp_buf_fini(&bytes);
}

static void
test_damaged_entries_are_refused(void **state)
{
    (void)state;
    lp_buf bytes = make();
    found f = {0};
    const id_object_shape shape = shape_of(&bytes);
    const id_object_root root = open_root(&bytes);
    for (uint32_t number = 0; number < PAGES; number++) {
        const id_object_page *page = open_page(&bytes, number);
        const id_object_place place = id_object_place_entries(&shape, page);
        const lp_slice entries = cut(&bytes, place);
        for (size_t i = 0; i < entries.len; i += 97) {
            bytes.ptr[place.offset + i] ^= 1;
            assert_int_equal(id_object_search(&root, page, entries, 0, on_chunk, &f), LP_ECORRUPT);
            bytes.ptr[place.offset + i] ^= 1;
        }
        const lp_slice part = {entries.ptr, entries.len - 1};
        assert_int_equal(id_object_search(&root, page, part, 0, on_chunk, &f), LP_ECORRUPT);
        assert_int_equal(id_object_search(&root, page, entries, 0, on_chunk, &f), LP_OK);
    }
    lp_buf_fini(&bytes);
}

static void
test_shapes_that_no_segment_has_are_refused(void **state)
{
    (void)state;
    const id_object_shape shapes[] = {
        {0, 0, 0},
        {8192, 8192, 0},
        {4096, 4096 + 16, 1}, // no page
        {8192, 8192, 1},
        {8192, 8192 + 32, 1},
        {8193, 8193 + 16, 1},
        {8192, 8192 + 2710 * 16, 2710}, // one page too few
        {8192, 8192 + (uint64_t)(1 + ID_OBJECT_ENTRIES_MAX) * 16, 1 + ID_OBJECT_ENTRIES_MAX},
        {UINT64_C(1) << 32, (UINT64_C(1) << 32) + 16, 1},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        assert_int_equal(id_object_check_shape(&shapes[i]), LP_ECORRUPT);
    }
    const id_object_shape one = {8192, 8192 + 2709 * 16, 2709};
    const id_object_shape two = {12288, 12288 + 2710 * 16, 2710};
    assert_int_equal(id_object_check_shape(&one), LP_OK);
    assert_int_equal(id_object_check_shape(&two), LP_OK);
}

static void
test_a_full_one_takes_no_part_of_a_chunk(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    id_object_writer writer = {.from_wall_ns = 0};
    uint64_t *hashes = calloc(MANY, sizeof(*hashes));
    assert_non_null(hashes);
    const id_chunk chunk = chunk_of(0);
    size_t taken = 0;
    while (id_object_writer_add(&writer, &chunk, 1, slice_of(hashes, MANY - 1)) == LP_OK) {
        taken++;
    }
    assert_int_equal(taken, ID_OBJECT_ENTRIES_MAX / (MANY - 1));
    assert_int_equal(writer.entries.count, taken * (MANY - 1));
    assert_int_equal(
        id_object_writer_add(&writer, &chunk, 1, slice_of(hashes, MANY - 1)), LP_ELIMIT);
    free(hashes);
    id_object_writer_fini(&writer);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_id_is_found),
        cmocka_unit_test(test_others_are_excluded),
        cmocka_unit_test(test_bytes_lie_as_drawn),
        cmocka_unit_test(test_a_damaged_root_is_refused),
        cmocka_unit_test(test_a_head_and_a_whole_segment_say_their_shape),
        cmocka_unit_test(test_a_damaged_page_is_refused),
        cmocka_unit_test(test_damaged_entries_are_refused),
        cmocka_unit_test(test_shapes_that_no_segment_has_are_refused),
        cmocka_unit_test(test_a_full_one_takes_no_part_of_a_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
