// SPDX-License-Identifier: Apache-2.0
// The spool of context records: blocks come out in order, whole records only; over the limit new
// ones are given up and counted, and what follows them begins with the record that ends every
// context.

#include "agent/ship/batch/ship_source.h"
#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"
#include "common/wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RECORD_BYTES = 40 };

static void
put(ship_spool *spool, int64_t thread, int64_t ticks)
{
    uint8_t bytes[RECORD_BYTES] = {0};
    const ctx_record_header header = {
        .size_bytes = RECORD_BYTES,
        .type_id = 1,
        .kind = CTX_RECORD_SET,
        .thread_id = thread,
        .time_ticks = ticks,
    };
    memcpy(bytes, &header, sizeof(header));
    // Values that do not compress, or the limit would never be reached.
    uint64_t noise = (uint64_t)ticks * 0x9e3779b97f4a7c15u;
    noise ^= noise >> 29;
    memcpy(bytes + 24, &noise, 8);
    noise *= 0xbf58476d1ce4e5b9u;
    memcpy(bytes + 32, &noise, 8);
    assert_int_equal(ctx_packer_reserve(&spool->pending, sizeof(bytes)), LP_OK);
    ctx_packer_put(&spool->pending, &header, bytes);
}

// take appends the records of the oldest block to out and checks its rank.
static void
take(ship_spool *spool, uint64_t rank, lp_buf *out)
{
    const ship_block *block = ship_spool_find(spool);
    assert_non_null(block);
    assert_int_equal(block->rank, rank);
    assert_true(block->size_bytes <= WIRE_BULK_BYTES_MAX);
    assert_int_equal(
        ctx_unpack((lp_slice){block->packed, block->packed_bytes}, block->size_bytes, out), LP_OK);
    ship_spool_note_sent(spool, 0);
    ship_spool_release(spool, 1);
}

static ctx_record_header
read_header(const lp_buf *records, size_t offset)
{
    ctx_record_header header;
    assert_true(offset + sizeof(header) <= records->len);
    memcpy(&header, records->ptr + offset, sizeof(header));
    return header;
}

static void
test_records_come_back_in_blocks(void **state)
{
    (void)state;
    enum { COUNT = 3 * SHIP_BLOCK_BYTES / RECORD_BYTES };
    ship_spool spool;
    ship_spool_init(&spool, 64 << 20);
    lp_buf records = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        put(&spool, 1, i);
    }
    ship_spool_seal(&spool, 5);
    assert_int_equal(spool.pending.size_bytes, 0);
    put(&spool, 1, COUNT);
    ship_spool_seal(&spool, 6);
    ship_spool_seal(&spool, 7); // nothing pending: no block

    for (int i = 0; i < 3; i++) {
        size_t before = records.len;
        take(&spool, 5, &records);
        assert_int_equal((records.len - before) % RECORD_BYTES, 0);
    }
    take(&spool, 6, &records);
    assert_null(ship_spool_find(&spool));
    assert_int_equal(spool.bytes, 0);
    assert_int_equal(spool.dropped_bytes, 0);
    assert_int_equal(records.len, (size_t)(COUNT + 1) * RECORD_BYTES);
    for (size_t i = 0; i <= COUNT; i++) {
        assert_int_equal(read_header(&records, i * RECORD_BYTES).time_ticks, i);
    }
    lp_buf_fini(&records);
    ship_spool_fini(&spool);
}

static void
test_what_was_given_up_ends_every_context(void **state)
{
    (void)state;
    ship_spool spool;
    ship_spool_init(&spool, 1000);
    lp_buf records = {0};
    put(&spool, 1, 10);
    ship_spool_seal(&spool, 0);
    for (int64_t i = 0; i < 100; i++) { // too much
        put(&spool, 1, 200 + i);
        put(&spool, 2, 100 + i); // threads are in no order to each other
    }
    ship_spool_seal(&spool, 0);
    assert_int_equal(spool.dropped_bytes, 200 * RECORD_BYTES);
    for (int64_t i = 0; i < 100; i++) { // and again
        put(&spool, 1, 300 + i);
    }
    ship_spool_seal(&spool, 0);
    assert_int_equal(spool.dropped_bytes, 300 * RECORD_BYTES); // the mark itself does not count

    take(&spool, 0, &records);
    assert_int_equal(records.len, RECORD_BYTES); // what was kept before
    assert_null(ship_spool_find(&spool));
    put(&spool, 1, 500);
    ship_spool_seal(&spool, 1);
    lp_buf_clear(&records);
    take(&spool, 1, &records);
    ctx_record_header mark = read_header(&records, 0);
    assert_int_equal(mark.size_bytes, CTX_RECORD_HEADER_BYTES);
    assert_int_equal(mark.kind, CTX_RECORD_THREAD_END);
    assert_int_equal(mark.thread_id, CTX_THREAD_ALL);
    assert_int_equal(mark.type_id, 0);
    assert_int_equal(mark.time_ticks, 100); // the first record that was lost
    assert_int_equal(read_header(&records, CTX_RECORD_HEADER_BYTES).time_ticks, 500);
    assert_int_equal(records.len, CTX_RECORD_HEADER_BYTES + RECORD_BYTES);

    put(&spool, 1, 600); // and once told, it is over
    ship_spool_seal(&spool, 1);
    lp_buf_clear(&records);
    take(&spool, 1, &records);
    assert_int_equal(records.len, RECORD_BYTES);
    lp_buf_fini(&records);
    ship_spool_fini(&spool);
}

static void
test_what_fits_is_kept_of_a_large_drain(void **state)
{
    (void)state;
    enum { COUNT = 3 * SHIP_BLOCK_BYTES / RECORD_BYTES };
    ship_spool spool;
    ship_spool_init(
        &spool, SHIP_BLOCK_BYTES / 4 * 3); // one block, which gets half as large, not two
    lp_buf records = {0};
    for (int64_t i = 0; i < COUNT; i++) {
        put(&spool, 1, COUNT - i); // the last record is the earliest
    }
    ship_spool_seal(&spool, 0);
    take(&spool, 0, &records);
    assert_null(ship_spool_find(&spool));
    assert_int_equal(spool.dropped_bytes, (size_t)COUNT * RECORD_BYTES - records.len);
    put(&spool, 1, COUNT + 1);
    ship_spool_seal(&spool, 0);
    lp_buf_clear(&records);
    take(&spool, 0, &records);
    assert_int_equal(read_header(&records, 0).thread_id, CTX_THREAD_ALL);
    assert_int_equal(read_header(&records, 0).time_ticks, 1);
    lp_buf_fini(&records);
    ship_spool_fini(&spool);
}

static void
test_it_is_known_with_which_block_the_last_record_goes(void **state)
{
    (void)state;
    enum { COUNT = 2 * SHIP_BLOCK_BYTES / RECORD_BYTES + 1 };
    ship_spool spool;
    ship_spool_init(&spool, 64 << 20);
    assert_int_equal(ship_spool_last_block(&spool), 0);
    for (int64_t i = 0; i < COUNT; i++) {
        put(&spool, 1, i);
    }
    uint64_t last = ship_spool_last_block(&spool);
    ship_spool_seal(&spool, 0);
    assert_int_equal(ship_spool_last_block(&spool), last);
    put(&spool, 1, COUNT);
    ship_spool_seal(&spool, 0);
    assert_int_equal(ship_spool_last_block(&spool), last + 1);

    lp_buf records = {0};
    while (spool.sent_count < last) {
        take(&spool, 0, &records);
    }
    assert_int_equal(records.len, (size_t)COUNT * RECORD_BYTES);
    lp_buf_fini(&records);
    ship_spool_fini(&spool);
}

// seal makes a block of one record.
static void
seal(ship_spool *spool, int64_t ticks)
{
    put(spool, 1, ticks);
    ship_spool_seal(spool, 0);
}

// assert_next checks that the block with this one record is the next to be sent.
static void
assert_next(const ship_spool *spool, int64_t ticks)
{
    const ship_block *block = ship_spool_find(spool);
    lp_buf records = {0};
    assert_non_null(block);
    assert_int_equal(
        ctx_unpack((lp_slice){block->packed, block->packed_bytes}, block->size_bytes, &records),
        LP_OK);
    assert_int_equal(read_header(&records, 0).time_ticks, ticks);
    lp_buf_fini(&records);
}

static void
test_what_was_sent_goes_again(void **state)
{
    (void)state;
    ship_spool spool;
    ship_spool_init(&spool, 64 << 20);
    for (int64_t i = 1; i <= 4; i++) {
        seal(&spool, i);
        if (i < 4) {
            ship_spool_note_sent(&spool, (uint32_t)i / 2); // with chunks 0, 1, 1
        }
    }
    assert_next(&spool, 4);
    size_t unsent = ship_spool_get_unsent(&spool);
    ship_spool_release(&spool, 1);
    ship_spool_go_back(&spool, 1);
    assert_next(&spool, 2);
    assert_int_equal(spool.sent_count, 1);
    assert_true(ship_spool_get_unsent(&spool) > unsent);
    for (int64_t i = 2; i <= 4; i++) {
        assert_next(&spool, i);
        ship_spool_note_sent(&spool, 1);
    }
    assert_null(ship_spool_find(&spool));
    assert_int_equal(ship_spool_get_unsent(&spool), 0);
    ship_spool_go_back(&spool, 2);
    assert_null(ship_spool_find(&spool));
    ship_spool_release(&spool, 2);
    assert_int_equal(spool.bytes, 0);
    assert_int_equal(spool.whole_from, 0);
    seal(&spool, 5);
    assert_next(&spool, 5);
    ship_spool_fini(&spool);
}

static void
test_what_was_sent_goes_first(void **state)
{
    (void)state;
    ship_spool spool;
    ship_spool_init(&spool, 1000);
    int64_t count = 0;
    while (spool.whole_from == 0) { // each with a chunk of its own
        seal(&spool, count);
        ship_spool_note_sent(&spool, (uint32_t)count++);
    }
    assert_int_equal(spool.dropped_bytes, 0);
    ship_spool_go_back(&spool, spool.whole_from);
    assert_next(&spool, spool.whole_from);
    seal(&spool, count); // now nothing is left that was sent
    seal(&spool, count);
    assert_true(spool.dropped_bytes > 0);
    ship_spool_fini(&spool);
}

static void
test_what_fits_to_the_last_byte_stays(void **state)
{
    (void)state;
    ship_spool large;
    ship_spool_init(&large, SIZE_MAX);
    seal(&large, 1);
    seal(&large, 2);
    ship_spool spool;
    ship_spool_init(&spool, large.bytes);
    seal(&spool, 1);
    ship_spool_note_sent(&spool, 0);
    seal(&spool, 2);
    assert_int_equal(spool.bytes, large.bytes);
    assert_int_equal(spool.whole_from, 0);
    ship_spool_fini(&spool);
    ship_spool_fini(&large);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_come_back_in_blocks),
        cmocka_unit_test(test_what_was_given_up_ends_every_context),
        cmocka_unit_test(test_what_fits_is_kept_of_a_large_drain),
        cmocka_unit_test(test_what_was_sent_goes_again),
        cmocka_unit_test(test_what_was_sent_goes_first),
        cmocka_unit_test(test_what_fits_to_the_last_byte_stays),
        cmocka_unit_test(test_it_is_known_with_which_block_the_last_record_goes),
    };
    return cmocka_run_group_tests_name("ship_spool", tests, NULL, NULL);
}
