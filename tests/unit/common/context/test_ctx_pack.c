// SPDX-License-Identifier: Apache-2.0
// Packed context records: what is packed comes back to the byte, whatever it is; bytes that nobody
// packed are refused or are records, and never read or written beyond.

#include "support/chance.h"
#include "support/ctx_build.h"
#include "support/ctx_packing.h"
#include "support/exact_copy.h"

#include "common/context/ctx_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
expect_back(lp_slice records, lp_slice packed)
{
    lp_buf back = {0};
    lp_buf_append(&back, "before", 6); // what is there already stays
    assert_int_equal(ctx_unpack(packed, records.len, &back), LP_OK);
    assert_int_equal(back.len, 6 + records.len);
    assert_memory_equal(back.ptr, "before", 6);
    if (records.len > 0) {
        assert_memory_equal(back.ptr + 6, records.ptr, records.len);
    }
    lp_buf_fini(&back);
}

// pack gives the packed records as one run, which comes back.
static lp_buf
pack(const lp_buf *records)
{
    ctx_packer packer = {.run_bytes = SIZE_MAX};
    assert_int_equal(ctx_packing_pack(lp_buf_slice(records), &packer), LP_OK);
    assert_int_equal(packer.runs.count, records->len > 0);
    assert_int_equal(packer.size_bytes, records->len);
    lp_buf packed = packer.packed;
    packer.packed = (lp_buf){0};
    ctx_packer_fini(&packer);
    expect_back(lp_buf_slice(records), lp_buf_slice(&packed));
    return packed;
}

static void
test_the_layout_is_that_of_the_header(void **state)
{
    (void)state;
    lp_buf records = {0};
    lp_buf values = {0};
    ctx_build_le(&values, 0x1234, 8);
    ctx_build_record(&records, CTX_RECORD_SET, 9, 3, 300, &values);
    ctx_build_record(&records, CTX_RECORD_UNSET, 9, 2, 298, NULL);
    ctx_build_latin1(&values, "abcdefghi");
    ctx_build_record(&records, CTX_RECORD_SET, 1, 2, 298, &values);
    ctx_build_record(&records, 7, 9, 2, 299, NULL); // a kind that nobody knows
    static const uint8_t want[] = {0x65, 0x21, 6, 0x58, 0x02, 0x02, 0x34, 0x12, // 1 word
        0x26, 0x11, 1, 3,                                                       // one less each
        0xc5, 3, 0, 0x00, 0x81, 9, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 0x01, 'i', // 3 words
        0, 24, 0, 0, 0, 24, 0, 0, 0, 9, 0, 7, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0x2b, 1, 0, 0, 0, 0, 0, 0};
    lp_buf packed = pack(&records);
    assert_int_equal(packed.len, sizeof(want));
    assert_memory_equal(packed.ptr, want, sizeof(want));
    lp_buf_fini(&packed);
    lp_buf_fini(&values);
    lp_buf_fini(&records);
}

// random_bits has few or many of them.
static uint64_t
random_bits(uint64_t *seed)
{
    uint64_t wide = chance_below(seed, UINT32_MAX) << 32 | chance_below(seed, UINT32_MAX);
    uint64_t bits = wide >> chance_below(seed, 64);
    return chance_below(seed, 4) == 0 ? ~bits : bits;
}

static void
random_record(uint64_t *seed, lp_buf *records)
{
    lp_buf values = {0};
    uint64_t words =
        chance_below(seed, 20) == 0 ? (CTX_RECORD_BYTES_MAX - 24) / 8 : chance_below(seed, 12);
    for (; words > 0; words--) {
        ctx_build_le(&values, chance_below(seed, 3) == 0 ? 0 : random_bits(seed), 8);
    }
    bool is_odd = chance_below(seed, 10) == 0;
    size_t begin = records->len;
    ctx_build_record(records, (uint8_t)chance_below(seed, is_odd ? 256 : 4),
        (uint16_t)chance_below(seed, is_odd ? 65536 : 16), (int64_t)random_bits(seed),
        (int64_t)random_bits(seed), &values);
    if (is_odd && chance_below(seed, 2) == 0 && records->len - begin < CTX_RECORD_BYTES_MAX) {
        records->ptr[begin]++; // a size that is no multiple of 8
        ctx_build_le(records, 0xff, 1);
    }
    lp_buf_fini(&values);
}

// plain_record is one that a ring can have.
static void
plain_record(uint64_t *seed, lp_buf *records)
{
    lp_buf values = {0};
    uint8_t kind = (uint8_t)(1 + chance_below(seed, 3));
    for (uint64_t words = kind == CTX_RECORD_SET ? chance_below(seed, 9) : 0; words > 0; words--) {
        ctx_build_le(&values, chance_below(seed, 3) == 0 ? 0 : random_bits(seed), 8);
    }
    uint16_t type =
        kind == CTX_RECORD_THREAD_END ? 0 : (uint16_t)(1 + chance_below(seed, CTX_TYPES_MAX));
    ctx_build_record(
        records, kind, type, (int64_t)random_bits(seed), (int64_t)random_bits(seed), &values);
    lp_buf_fini(&values);
}

static void
test_all_records_come_back(void **state)
{
    (void)state;
    uint64_t seed = 20261122;
    for (size_t round = 0; round < 2000; round++) {
        lp_buf records = {0};
        for (uint64_t count = chance_below(&seed, 20); count > 0; count--) {
            random_record(&seed, &records);
        }
        lp_buf packed = pack(&records);
        lp_buf out = {0};
        for (size_t wrong = 1; wrong <= 9 && records.len > 0; wrong += 8) { // other sizes
            lp_slice all = lp_buf_slice(&packed);
            assert_int_equal(ctx_unpack(all, records.len - wrong, &out), LP_ECORRUPT);
            assert_int_equal(ctx_unpack(all, records.len + wrong, &out), LP_ECORRUPT);
        }
        assert_int_equal(out.len, 0);
        lp_buf_fini(&out);
        lp_buf_fini(&packed);
        lp_buf_fini(&records);
    }
}

// Each run comes back by itself, wherever they are cut.
static void
test_runs_end_where_they_are_full(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t run_bytes = 1; run_bytes < 100000; run_bytes *= 7) {
        lp_buf records = {0};
        lp_buf back = {0};
        ctx_packer packer = {.run_bytes = run_bytes};
        int64_t first = 0;
        for (size_t i = 0; i < 200; i++) {
            lp_buf record = {0};
            random_record(&seed, &record);
            assert_int_equal(ctx_packing_pack(lp_buf_slice(&record), &packer), LP_OK);
            int64_t ticks;
            memcpy(&ticks, record.ptr + 16, sizeof(ticks));
            const ctx_pack_run *run = &packer.runs.items[packer.runs.count - 1];
            bool is_new = run->size_bytes == record.len;
            first = is_new || ticks < first ? ticks : first;
            assert_int_equal(run->first_ticks, first);
            assert_true(run->size_bytes - record.len < run_bytes);
            assert_true(!is_new || i == 0 || run[-1].size_bytes >= run_bytes);
            lp_buf_append(&records, record.ptr, record.len);
            lp_buf_fini(&record);
        }
        assert_int_equal(ctx_packing_unpack(&packer, &back), LP_OK);
        assert_int_equal(back.len, records.len);
        assert_int_equal(packer.size_bytes, records.len);
        assert_memory_equal(back.ptr, records.ptr, records.len);
        lp_buf_fini(&back);
        lp_buf_fini(&records);
        ctx_packer_fini(&packer);
    }
}

// put_one_by_one packs the records up to the first that must stop the packer, as the test made it,
// and returns the number of sets.
static uint64_t
put_one_by_one(ctx_packer *packer, const lp_buf *records, size_t stop)
{
    uint64_t sets = 0;
    assert_int_equal(ctx_packing_pack((lp_slice){records->ptr, stop}, packer), LP_OK);
    for (size_t at = 0; at < stop;) {
        uint32_t size;
        memcpy(&size, records->ptr + at, sizeof(size));
        sets += records->ptr[at + 6] == CTX_RECORD_SET;
        at += size;
    }
    return sets;
}

static void
expect_same_runs(const ctx_packer *left, const ctx_packer *right)
{
    assert_int_equal(left->size_bytes, right->size_bytes);
    assert_int_equal(left->packed.len, right->packed.len);
    assert_int_equal(left->runs.count, right->runs.count);
    for (size_t i = 0; i < left->runs.count; i++) {
        assert_memory_equal(&left->runs.items[i], &right->runs.items[i], sizeof(ctx_pack_run));
    }
    if (left->packed.len > 0) {
        assert_memory_equal(left->packed.ptr, right->packed.ptr, left->packed.len);
    }
}

// spoil makes the record one that stops ctx_packer_put_plain.
static void
spoil(uint64_t *seed, uint8_t *record)
{
    switch (chance_below(seed, 5)) {
    case 0:
        record[7] = CTX_RECORD_LOOSE;
        break;
    case 1:
        record[6] = chance_below(seed, 2) == 0 ? 0 : 4;
        break; // the kind
    case 2:
        record[4] = record[5] = 0;
        record[6] = CTX_RECORD_SET;
        break; // no type
    case 3:
        record[0] += 4;
        break; // the size
    default:
        memset(record, 0xff, 4);
        break;
    }
}

static void
test_plain_records_are_packed_as_one_by_one(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (size_t round = 0; round < 3000; round++) {
        ctx_packer singly = {.run_bytes = 1 + chance_below(&seed, 600)};
        ctx_packer plain = {.run_bytes = singly.run_bytes};
        for (size_t part = 0; part < 3; part++) {
            lp_buf records = {0};
            size_t stop = SIZE_MAX;
            uint64_t count = chance_below(&seed, 8);
            uint64_t spoiled = chance_below(&seed, 12); // none if there are fewer
            for (size_t i = 0; i < count; i++) {
                size_t begin = records.len;
                plain_record(&seed, &records);
                if (i == spoiled) {
                    stop = begin;
                    spoil(&seed, records.ptr + begin);
                }
            }
            stop = stop == SIZE_MAX ? records.len : stop;
            uint8_t *copy = exact_copy_make(records.ptr, records.len);
            uint64_t sets = 7;
            assert_int_equal(ctx_packer_reserve(&plain, records.len), LP_OK);
            assert_ptr_equal(
                ctx_packer_put_plain(&plain, copy, copy + records.len, &sets), copy + stop);
            assert_int_equal(sets, 7 + put_one_by_one(&singly, &records, stop));
            expect_same_runs(&plain, &singly);
            free(copy);
            lp_buf_fini(&records);
        }
        ctx_packer_fini(&singly);
        ctx_packer_fini(&plain);
    }
}

// Sizes are of words, and every truncation lacks something.
static void
test_what_nobody_packed_is_refused(void **state)
{
    (void)state;
    uint64_t seed = 4;
    lp_buf records = {0};
    for (size_t i = 0; i < 30; i++) {
        random_record(&seed, &records);
    }
    lp_buf packed = pack(&records);
    lp_buf out = {0};
    for (size_t len = 0; len < packed.len; len++) {
        uint8_t *copy = exact_copy_make(packed.ptr, len);
        assert_int_equal(ctx_unpack((lp_slice){copy, len}, records.len, &out), LP_ECORRUPT);
        free(copy);
    }
    static const uint8_t cases[][20] = {
        {0x05, 0x09, 1, 1, 1, 1, 1, 1, 1, 1, 1}, // nine bytes
        {0x05, 0x90, 1, 1, 1, 1, 1, 1, 1, 1, 1},
        {0x45, 0x00, 0x10, 1}, // a partner for the last word
    };
    static const size_t case_bytes[] = {11, 11, 4};
    for (size_t i = 0; i < sizeof(case_bytes) / sizeof(case_bytes[0]); i++) {
        lp_slice odd = {cases[i], case_bytes[i]};
        assert_int_equal(ctx_unpack(odd, i == 2 ? 32 : 24, &out), LP_ECORRUPT);
    }
    const lp_slice nothing = {(const uint8_t *)"\0\0\0\0", 5}; // a copied record without bytes
    assert_int_equal(ctx_unpack(nothing, 0, &out), LP_ECORRUPT);
    assert_int_equal(ctx_unpack((lp_slice){0}, 0, &out), LP_OK);
    assert_int_equal(out.len, 0);
    lp_buf_fini(&out);
    lp_buf_fini(&packed);
    lp_buf_fini(&records);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_layout_is_that_of_the_header),
        cmocka_unit_test(test_all_records_come_back),
        cmocka_unit_test(test_runs_end_where_they_are_full),
        cmocka_unit_test(test_plain_records_are_packed_as_one_by_one),
        cmocka_unit_test(test_what_nobody_packed_is_refused),
    };
    return cmocka_run_group_tests_name("ctx_pack", tests, NULL, NULL);
}
