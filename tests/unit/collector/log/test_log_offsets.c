// SPDX-License-Identifier: Apache-2.0
// Which offsets are committed to the log: none after a record that is not durable in the catalog,
// and the end once all are. Random schedules of a reader that ends at any moment, whose catalog
// keeps a part of its commits, are compared with a naive model that knows each record.

#include "collector/log/log_offsets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
expect_news(log_offsets *all, int32_t partition, int64_t offset)
{
    int32_t found;
    int64_t at;
    assert_true(log_offsets_take(all, &found, &at));
    assert_int_equal(found, partition);
    assert_int_equal(at, offset);
    assert_false(log_offsets_take(all, &found, &at));
}

static void
test_a_look_counts_when_it_is_settled(void **state)
{
    (void)state;
    log_offsets all = {0};
    int32_t partition;
    int64_t offset;
    assert_int_equal(log_offsets_add(&all, 3), LP_OK);
    log_offsets_read(&all, 3, 10);
    log_offsets_read(&all, 3, 11);
    assert_true(log_offsets_begin(&all));
    assert_false(log_offsets_begin(&all)); // one is under way
    log_offsets_hold(&all, 3, 11);
    log_offsets_hold(&all, 4, 2);  // of no partition that is read here
    log_offsets_read(&all, 3, 12); // behind the look
    assert_false(log_offsets_take(&all, &partition, &offset));
    log_offsets_settle(&all);
    expect_news(&all, 3, 11);

    assert_true(log_offsets_begin(&all)); // nothing waits
    log_offsets_settle(&all);
    expect_news(&all, 3, 13);
    assert_true(log_offsets_begin(&all)); // nothing is new
    log_offsets_settle(&all);
    assert_false(log_offsets_take(&all, &partition, &offset));
    log_offsets_fini(&all);
}

// A topic that was recreated or truncated continues at a lower offset.
static void
test_a_partition_that_goes_back_does_not_count_by_the_look_before(void **state)
{
    (void)state;
    log_offsets all = {0};
    int32_t partition;
    int64_t offset;
    assert_int_equal(log_offsets_add(&all, 3), LP_OK);
    log_offsets_read(&all, 3, 1000);
    assert_true(log_offsets_begin(&all));
    log_offsets_read(&all, 3, 0);
    log_offsets_settle(&all);
    assert_false(log_offsets_take(&all, &partition, &offset));
    log_offsets_read(&all, 3, 1);
    assert_true(log_offsets_begin(&all));
    log_offsets_settle(&all);
    expect_news(&all, 3, 2);
    log_offsets_read(&all, 3, 0); // and again, after a settled look
    log_offsets_doubt(&all, 3);
    assert_true(log_offsets_take_doubted(&all, &(size_t){0}, &partition, &offset));
    assert_int_equal(offset, 0);
    log_offsets_fini(&all);
}

static void
test_nothing_is_said_of_a_partition_that_was_not_read_or_left(void **state)
{
    (void)state;
    log_offsets all = {0};
    int32_t partition;
    int64_t offset;
    assert_int_equal(log_offsets_add(&all, 0), LP_OK);
    assert_int_equal(log_offsets_add(&all, 1), LP_OK);
    log_offsets_read(&all, 1, 7);
    assert_true(log_offsets_begin(&all));
    log_offsets_remove(&all, 1);
    log_offsets_remove(&all, 9);
    assert_int_equal(log_offsets_add(&all, 1), LP_OK); // assigned again during the look
    log_offsets_read(&all, 1, 3);
    log_offsets_read(&all, 9, 3);
    log_offsets_settle(&all);
    assert_false(log_offsets_take(&all, &partition, &offset));
    log_offsets_fini(&all);
}

static void
test_a_doubted_partition_is_read_again_from_what_counted(void **state)
{
    (void)state;
    log_offsets all = {0};
    int32_t partition = -1;
    int64_t offset = -1;
    assert_int_equal(log_offsets_add(&all, 5), LP_OK);
    log_offsets_doubt(&all, 5); // nothing was read
    log_offsets_doubt(&all, 6); // nor is this one
    assert_true(log_offsets_is_doubted(&all, 5));
    assert_false(log_offsets_is_doubted(&all, 6));
    assert_true(log_offsets_take_doubted(&all, &(size_t){0}, &partition, &offset));
    assert_int_equal(partition, 5);
    assert_int_equal(offset, -1);
    assert_false(log_offsets_is_doubted(&all, 5));
    assert_false(log_offsets_take_doubted(&all, &(size_t){0}, &partition, &offset));

    log_offsets_read(&all, 5, 20);
    log_offsets_read(&all, 5, 21);
    for (int i = 0; i < 2; i++) { // also if the first time failed
        log_offsets_doubt(&all, 5);
        assert_true(log_offsets_take_doubted(&all, &(size_t){0}, &partition, &offset));
        assert_int_equal(offset, 20);
    }
    log_offsets_read(&all, 5, 20);
    log_offsets_read(&all, 5, 21);
    assert_true(log_offsets_begin(&all));
    log_offsets_hold(&all, 5, 21);
    log_offsets_settle(&all);
    expect_news(&all, 5, 21);
    assert_true(log_offsets_begin(&all)); // the current look ignores it
    log_offsets_doubt(&all, 5);
    log_offsets_settle(&all);
    assert_false(log_offsets_take(&all, &partition, &offset));
    assert_true(log_offsets_take_doubted(&all, &(size_t){0}, &partition, &offset));
    assert_int_equal(offset, 21);
    log_offsets_fini(&all);
}

// --- Against a naive model

enum { PARTITIONS = 3, RECORDS = 60, ROUNDS = 2000, STEPS = 400 };

// The states of a record, in order.
typedef enum fate { UNREAD, WAITS, COMMITTED, ON_DISK } fate;

typedef struct model {
    fate records[PARTITIONS][RECORDS];
    bool is_in_look[PARTITIONS][RECORDS]; // committed before the look that is under way
    int64_t next[PARTITIONS];             // that the reader reads
    int64_t start[PARTITIONS];            // where one that begins starts
    log_offsets offsets;
    uint64_t random;
} model;

static uint32_t
draw(model *m, uint32_t below)
{
    m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((m->random >> 33) % below);
}

// begin starts a reader at its committed offset.
static void
begin(model *m)
{
    for (int32_t p = 0; p < PARTITIONS; p++) {
        assert_int_equal(log_offsets_add(&m->offsets, p), LP_OK);
        m->next[p] = m->start[p];
        for (int64_t i = 0; i < RECORDS; i++) {
            fate *of = &m->records[p][i];
            // The reader before lost what was not durable: all of it has to be read.
            if (*of != ON_DISK && *of != UNREAD) {
                assert_true(i >= m->start[p]);
            }
            *of = *of == ON_DISK ? ON_DISK : UNREAD;
        }
    }
}

// end ends the reader: some commits that are not durable are lost.
static void
end(model *m)
{
    for (int32_t p = 0; p < PARTITIONS; p++) {
        for (int64_t i = 0; i < RECORDS; i++) {
            if (m->records[p][i] == COMMITTED && draw(m, 2) == 0) {
                m->records[p][i] = ON_DISK;
            }
        }
    }
    log_offsets_fini(&m->offsets);
    memset(m->is_in_look, 0, sizeof(m->is_in_look));
}

static void
look(model *m)
{
    if (!log_offsets_begin(&m->offsets)) {
        return;
    }
    for (int32_t p = 0; p < PARTITIONS; p++) {
        for (int64_t i = 0; i < RECORDS; i++) {
            m->is_in_look[p][i] = m->records[p][i] == COMMITTED;
            if (m->records[p][i] == WAITS) {
                log_offsets_hold(&m->offsets, p, i);
            }
        }
    }
}

// settle makes commits before the look durable, and commits the offsets.
static void
settle(model *m)
{
    if (!m->offsets.has_look) {
        return;
    }
    for (int32_t p = 0; p < PARTITIONS; p++) {
        for (int64_t i = 0; i < RECORDS; i++) {
            if (m->is_in_look[p][i] && m->records[p][i] == COMMITTED) {
                m->records[p][i] = ON_DISK;
            }
        }
    }
    int32_t partition;
    int64_t offset;
    log_offsets_settle(&m->offsets);
    while (log_offsets_take(&m->offsets, &partition, &offset)) {
        m->start[partition] = offset;
        for (int64_t i = 0; i < offset; i++) {
            if (m->records[partition][i] != ON_DISK) {
                fail_msg("offset %d of partition %d, but record %d is not on the disk", (int)offset,
                    (int)partition, (int)i);
            }
        }
    }
}

// lose drops some waiting records, as if another reader had taken them.
static void
lose(model *m, int32_t p)
{
    for (int64_t i = 0; i < RECORDS; i++) {
        bool is_lost = m->records[p][i] == WAITS && draw(m, 3) == 0;
        m->records[p][i] = is_lost ? UNREAD : m->records[p][i];
    }
    log_offsets_doubt(&m->offsets, p);
}

// read_again rewinds the doubted partitions.
static void
read_again(model *m)
{
    int32_t p;
    int64_t offset;
    size_t at = 0;
    while (log_offsets_take_doubted(&m->offsets, &at, &p, &offset)) {
        for (int64_t i = 0; i < m->next[p]; i++) {
            if (m->records[p][i] == UNREAD && (offset < 0 || i < offset)) {
                fail_msg("from %d on, but record %d is gone", (int)offset, (int)i);
            }
        }
        m->next[p] = offset < 0 ? m->next[p] : offset;
    }
}

static void
step(model *m)
{
    int32_t p = (int32_t)draw(m, PARTITIONS);
    int64_t i = draw(m, RECORDS);
    switch (draw(m, 14)) {
    case 0:
        look(m);
        break;
    case 1:
        settle(m);
        break;
    case 2:
        if (draw(m, 10) == 0) {
            end(m);
            begin(m);
        }
        break;
    case 3:
    case 4:
    case 5: // chunks are committed in any order
        m->records[p][i] = m->records[p][i] == WAITS ? COMMITTED : m->records[p][i];
        break;
    case 6:
        if (draw(m, 10) == 0) {
            lose(m, p);
        }
        break;
    case 7:
        read_again(m);
        break;
    default:
        if (m->next[p] < RECORDS && !log_offsets_is_doubted(&m->offsets, p)) {
            fate *of = &m->records[p][m->next[p]];
            *of = *of == UNREAD ? WAITS : *of; // duplicates are dropped by number
            log_offsets_read(&m->offsets, p, m->next[p]++);
        }
        break;
    }
}

static void
test_no_offset_is_behind_what_is_not_on_the_disk(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        model m = {.random = round};
        begin(&m);
        for (int i = 0; i < STEPS; i++) {
            step(&m);
        }
        read_again(&m);
        for (int32_t p = 0; p < PARTITIONS; p++) { // then all is read and committed
            while (m.next[p] < RECORDS) {
                log_offsets_read(&m.offsets, p, m.next[p]++);
            }
            for (int64_t i = 0; i < RECORDS; i++) {
                m.records[p][i] = m.records[p][i] == ON_DISK ? ON_DISK : COMMITTED;
            }
        }
        settle(&m); // of a look before
        look(&m);
        settle(&m);
        for (int32_t p = 0; p < PARTITIONS; p++) {
            assert_int_equal(m.start[p], RECORDS);
        }
        log_offsets_fini(&m.offsets);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_look_counts_when_it_is_settled),
        cmocka_unit_test(test_a_partition_that_goes_back_does_not_count_by_the_look_before),
        cmocka_unit_test(test_nothing_is_said_of_a_partition_that_was_not_read_or_left),
        cmocka_unit_test(test_a_doubted_partition_is_read_again_from_what_counted),
        cmocka_unit_test(test_no_offset_is_behind_what_is_not_on_the_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
