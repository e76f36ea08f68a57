// SPDX-License-Identifier: Apache-2.0
// After a power cut unacknowledged batches are cut off. An acknowledged one that cannot be read is
// damage: nothing is cut off behind it.

#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"
#include "common/wire/wire.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    BATCHES = 20,
    BATCH_BYTES = 1500, // some sectors
    SECTOR_BYTES = 512,
};

static char id[] = "00112233445566778899aabbccddeeff";

typedef struct fixture {
    temp_dir dir;
    data_dir *data;
    uint64_t ends[2][BATCHES + 1]; // of the records of two journals
} fixture;

static data_path
path_of(const fixture *f, uint32_t ordinal)
{
    return data_dir_at(f->data, DATA_DIR_JOURNAL, id, ordinal);
}

static void
append_batch(journal *to, uint32_t ordinal, uint64_t sequence)
{
    uint8_t bytes[BATCH_BYTES];
    uint8_t packed[BATCH_BYTES + 100];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(1 + (i + sequence) % 255);
    }
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = sequence;
    batch.chunk = ordinal;
    batch.jfr_zstd = (ProtobufCBinaryData){.data = bytes, .len = sizeof(bytes)};
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    size_t size = loupe__wire__request__pack(&request, packed);
    assert_int_equal(journal_append(to, (lp_slice){packed, size}), LP_OK);
}

// write_batches writes the journal of a chunk.
static void
write_batches(fixture *f, uint32_t ordinal, uint64_t first, uint64_t count)
{
    journal *to;
    assert_int_equal(journal_open(path_of(f, ordinal).text, &to), LP_OK);
    for (uint64_t i = 0; i < count; i++) {
        append_batch(to, ordinal, first + i);
        f->ends[ordinal][i + 1] = journal_get_size(to);
    }
    journal_unref(to);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    assert_int_equal(data_dir_open(f->dir.path, &f->data, NULL), LP_OK);
    assert_int_equal(mkdir(data_dir_at(f->data, DATA_DIR_SESSION_JOURNALS, id).text, 0700), 0);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    data_dir_close(f->data);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
flip(const fixture *f, uint32_t ordinal, uint64_t offset)
{
    files_flip(path_of(f, ordinal).text, (off_t)offset, 0x10);
}

// unwrite clears the second sector that begins in a record, as if it was never written.
static void
unwrite(const fixture *f, uint32_t ordinal, uint64_t record)
{
    static const uint8_t zeros[SECTOR_BYTES];
    uint64_t at = f->ends[ordinal][record];
    at += 2 * SECTOR_BYTES - at % SECTOR_BYTES;
    int fd = open(path_of(f, ordinal).text, O_RDWR);
    assert_int_equal(pwrite(fd, zeros, sizeof(zeros), (off_t)at), sizeof(zeros));
    assert_int_equal(close(fd), 0);
}

// Returns the number of the next batch.
static uint64_t
cut(const fixture *f, size_t journals)
{
    static const uint32_t ordinals[] = {0, 1};
    uint64_t next = 0;
    assert_int_equal(
        journal_list_cut(f->data, id, ordinals, journals, &(lp_ranges){0}, &next), LP_OK);
    return next;
}

static uint64_t
size_of(const fixture *f, uint32_t ordinal)
{
    struct stat info;
    return stat(path_of(f, ordinal).text, &info) == 0 ? (uint64_t)info.st_size : 0;
}

static void
test_what_is_whole_stays(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    assert_int_equal(cut(f, 1), BATCHES);
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES]);
}

// Of the last window of an agent.
static void
test_what_never_came_to_the_disk_is_cut_off(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    unwrite(f, 0, BATCHES - WIRE_WINDOW_MAX);
    assert_int_equal(cut(f, 1), BATCHES - WIRE_WINDOW_MAX);
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES - WIRE_WINDOW_MAX]);
}

static void
test_an_unfinished_record_is_cut_off(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    assert_int_equal(truncate(path_of(f, 0).text, (off_t)f->ends[0][BATCHES - 1] + 100), 0);
    assert_int_equal(cut(f, 1), BATCHES - 1);
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES - 1]);
}

static void
test_what_must_have_been_acknowledged_is_damage(void **state)
{
    fixture *f = *state;
    for (uint64_t i = 0; i < BATCHES - WIRE_WINDOW_MAX; i++) {
        write_batches(f, 0, 0, BATCHES);
        unwrite(f, 0, i);
        assert_int_equal(cut(f, 1), BATCHES);
        assert_int_equal(size_of(f, 0), f->ends[0][BATCHES]);
        assert_int_equal(unlink(path_of(f, 0).text), 0);
    }
}

// A flipped bit leaves the rest of its record.
static void
test_a_flipped_bit_is_damage_wherever_it_is(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    for (uint64_t i = 0; i < BATCHES - 1; i++) {
        static const uint64_t places[] = {0, 4, 9, JOURNAL_FRAME_BYTES + 700};
        for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
            flip(f, 0, f->ends[0][i] + places[k]);
            assert_int_equal(cut(f, 1), BATCHES);
            assert_int_equal(size_of(f, 0), f->ends[0][BATCHES]);
            flip(f, 0, f->ends[0][i] + places[k]);
        }
    }
    flip(f, 0, f->ends[0][BATCHES - 1] + JOURNAL_FRAME_BYTES + 700);
    assert_int_equal(cut(f, 1), BATCHES - 1); // its batch is unknown
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES]);
}

static void
test_damage_at_the_beginning_costs_no_batch_behind_it(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, 3);
    flip(f, 0, 100);
    assert_int_equal(cut(f, 1), 3);
    assert_int_equal(size_of(f, 0), f->ends[0][3]);
}

static void
test_damage_costs_no_later_journal(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    write_batches(f, 1, BATCHES, BATCHES);
    flip(f, 0, f->ends[0][BATCHES - 1] + 100);
    unwrite(f, 0, 3);
    assert_int_equal(cut(f, 2), 2 * BATCHES);
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES]);
    assert_int_equal(size_of(f, 1), f->ends[1][BATCHES]);
}

// Later batches were not acknowledged either: the agent resends them.
static void
test_a_later_journal_goes_with_what_is_cut_off(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, BATCHES);
    write_batches(f, 1, BATCHES, 2);
    unwrite(f, 0, BATCHES - 2);
    assert_int_equal(cut(f, 2), BATCHES - 2);
    assert_int_equal(size_of(f, 0), f->ends[0][BATCHES - 2]);
    assert_int_equal(size_of(f, 1), 0);
}

// The journals of another session's directory must not be removed by an id that leads there.
static void
test_an_invalid_id_removes_no_journals(void **state)
{
    fixture *f = *state;
    write_batches(f, 0, 0, 1);
    char other[80];
    (void)snprintf(other, sizeof(other), "../journal/%s", id);
    assert_int_equal(journal_list_remove(f->data, other), LP_OK);
    assert_int_equal(size_of(f, 0), f->ends[0][1]);
    assert_int_equal(journal_list_remove(f->data, id), LP_OK);
    assert_int_not_equal(access(path_of(f, 0).text, F_OK), 0);
}

// Paths that do not fit would name other files.
static void
test_a_directory_with_a_long_path_is_refused(void **state)
{
    (void)state;
    char path[PATH_MAX - DATA_DIR_NAME_BYTES + 1];
    lp_problem problem;
    data_dir *dir;
    memset(path, '/', sizeof(path));
    path[sizeof(path) - 1] = '\0';
    assert_int_equal(data_dir_open(path, &dir, &problem), LP_EIO);
    assert_string_equal(
        problem.text, "the path of the data directory has 3584 characters, more than 3583");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_whole_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_never_came_to_the_disk_is_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_unfinished_record_is_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_must_have_been_acknowledged_is_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_flipped_bit_is_damage_wherever_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_damage_at_the_beginning_costs_no_batch_behind_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage_costs_no_later_journal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_later_journal_goes_with_what_is_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_invalid_id_removes_no_journals, set_up, tear_down),
        cmocka_unit_test(test_a_directory_with_a_long_path_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
