// SPDX-License-Identifier: Apache-2.0
// Segments of version 1, which stores have from before: bytes as their writer made them are read.
// Each id of each chunk is found by the head and one block, also one that is in so many chunks that
// it fills several; an id that is in none is excluded by the filter as a rule; a head or a block
// that is cut, or has a changed byte anywhere, is refused.

#include "support/id_chunks.h"
#include "support/old_segment.h"

#include "collector/index/id_object_old.h"
#include "common/base/lp_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ENTRIES = CHUNKS * IDS + COMMON_CHUNKS };

// make makes an object of CHUNKS chunks with IDS ids each, and of COMMON_CHUNKS with a common one.
static lp_buf
make(void)
{
    static old_segment_entry entries[ENTRIES];
    uint8_t sessions[7][16];
    lp_buf bytes = {0};
    size_t count = 0;
    for (uint8_t i = 0; i < 7; i++) {
        memset(sessions[i], i, sizeof(sessions[i]));
    }
    for (size_t i = 0; i < CHUNKS * IDS; i++) {
        uint32_t chunk = (uint32_t)(i / IDS);
        entries[count++] = (old_segment_entry){hash_of(chunk, i % IDS), chunk % 7, chunk / 7};
    }
    for (uint32_t i = 0; i < COMMON_CHUNKS; i++) {
        entries[count++] = (old_segment_entry){common_hash, i % 7, i / 7};
    }
    (void)old_segment_make(&bytes, entries, count, sessions, 7, 1000 - CHUNKS + 1, 2000);
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

static id_object_old
open_object(const lp_buf *bytes)
{
    id_object_old object;
    const lp_slice head = {bytes->ptr, (size_t)number_at(bytes, 16, 8)};
    assert_int_equal(id_object_old_open(head, &object), LP_OK);
    return object;
}

typedef struct found {
    size_t count;
    id_segment_chunk last;
} found;

static void
on_chunk(void *arg, const id_segment_chunk *chunk)
{
    found *f = arg;
    f->count++;
    f->last = *chunk;
}

// find looks for a hash as a reader does.
static found
find(const lp_buf *bytes, uint64_t hash, uint32_t *out_blocks)
{
    found f = {0};
    const id_object_old object = open_object(bytes);
    uint32_t first = id_object_old_find(&object, hash, out_blocks);
    for (uint32_t i = first; i < first + *out_blocks; i++) {
        const id_object_place place = id_object_old_get_place(&object, i);
        const lp_slice block = {bytes->ptr + place.offset, (size_t)place.size_bytes};
        assert_true(place.offset + place.size_bytes <= bytes->len);
        assert_int_equal(id_object_old_search(&object, i, block, hash, on_chunk, &f), LP_OK);
    }
    return f;
}

static void
test_each_id_is_found(void **state)
{
    (void)state;
    lp_buf bytes = make();
    const id_object_old object = open_object(&bytes);
    uint32_t blocks;
    for (size_t i = 0; i < CHUNKS; i++) {
        const id_segment_chunk chunk = chunk_of(i);
        for (size_t k = 0; k < IDS; k++) {
            found f = find(&bytes, hash_of(i, k), &blocks);
            assert_true(id_object_old_may_have(&object, hash_of(i, k)));
            assert_int_equal(f.count, 1);
            assert_memory_equal(&f.last, &chunk, sizeof(chunk));
            assert_true(blocks <= 1 + 1); // one where the id begins a block
        }
    }
    assert_int_equal(find(&bytes, common_hash, &blocks).count, COMMON_CHUNKS);
    assert_true(blocks >= COMMON_CHUNKS / ID_OBJECT_OLD_BLOCK_ENTRIES);
    lp_buf_fini(&bytes);
}

static void
test_others_are_excluded(void **state)
{
    (void)state;
    lp_buf bytes = make();
    const id_object_old object = open_object(&bytes);
    size_t wrong = 0;
    uint32_t blocks;
    for (size_t i = CHUNKS; i < 2 * CHUNKS; i++) {
        for (size_t k = 0; k < IDS; k++) {
            wrong += id_object_old_may_have(&object, hash_of(i, k));
            assert_int_equal(find(&bytes, hash_of(i, k), &blocks).count, 0);
        }
    }
    assert_in_range(wrong, 0, CHUNKS * IDS / 100); // 1 of 300, as a rule
    assert_int_equal(find(&bytes, 0, &blocks).count, 0);
    assert_int_equal(find(&bytes, UINT64_MAX, &blocks).count, 0);
    lp_buf_fini(&bytes);
}

static void
test_bytes_are_those_of_the_old_writer(void **state)
{
    (void)state;
    lp_buf bytes = make();
    assert_int_equal(bytes.len, 157824);
    assert_int_equal(lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&bytes)), 0x2a4f39c801405a3e);
    lp_buf_fini(&bytes);
}

static void
test_a_damaged_head_is_refused(void **state)
{
    (void)state;
    lp_buf bytes = make();
    id_object_old object;
    size_t size = (size_t)number_at(&bytes, 16, 8);
    for (size_t len = 0; len < size; len++) {
        assert_int_equal(id_object_old_open((lp_slice){bytes.ptr, len}, &object), LP_ECORRUPT);
    }
    for (size_t i = 0; i < size; i++) {
        bytes.ptr[i] ^= 0x40;
        lp_err err = id_object_old_open((lp_slice){bytes.ptr, size}, &object);
        assert_int_equal(err, i == 7 ? LP_EVERSION : LP_ECORRUPT);
        bytes.ptr[i] ^= 0x40;
    }
    assert_int_equal(id_object_old_open((lp_slice){bytes.ptr, size}, &object), LP_OK);
    lp_buf_fini(&bytes);
}

static void
test_a_damaged_block_is_refused(void **state)
{
    (void)state;
    lp_buf bytes = make();
    const id_object_old object = open_object(&bytes);
    found f = {0};
    for (uint32_t i = 0; i < object.header->block_count; i++) {
        const id_object_place place = id_object_old_get_place(&object, i);
        const lp_slice block = {bytes.ptr + place.offset, (size_t)place.size_bytes};
        for (size_t k = 0; k < block.len; k += 97) {
            bytes.ptr[place.offset + k] ^= 1;
            assert_int_equal(id_object_old_search(&object, i, block, 0, on_chunk, &f), LP_ECORRUPT);
            bytes.ptr[place.offset + k] ^= 1;
        }
        const lp_slice cut = {block.ptr, block.len - 1};
        assert_int_equal(id_object_old_search(&object, i, cut, 0, on_chunk, &f), LP_ECORRUPT);
        assert_int_equal(id_object_old_search(&object, i, block, 0, on_chunk, &f), LP_OK);
    }
    lp_buf_fini(&bytes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_id_is_found),
        cmocka_unit_test(test_others_are_excluded),
        cmocka_unit_test(test_bytes_are_those_of_the_old_writer),
        cmocka_unit_test(test_a_damaged_head_is_refused),
        cmocka_unit_test(test_a_damaged_block_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
