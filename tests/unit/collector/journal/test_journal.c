// SPDX-License-Identifier: Apache-2.0

// The journal returns exactly the whole records, wherever the file was truncated or damaged, and
// continues after them.

#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/journal/journal.h"
#include "collector/journal/journal_list.h"

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
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const messages[] = {"first", "", "the third message", "x"};

enum { MESSAGE_COUNT = sizeof(messages) / sizeof(messages[0]) };

typedef struct fixture {
    temp_dir dir;
    char path[256];
    uint64_t ends[MESSAGE_COUNT + 1]; // the start of each record, and the end of the last
} fixture;

static lp_slice
slice(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static journal *
open_journal(const fixture *f)
{
    journal *opened;
    assert_int_equal(journal_open(f->path, &opened), LP_OK);
    return opened;
}

static int
set_up(void **state)
{
    static fixture f;
    f = (fixture){.dir = temp_dir_make()};
    (void)snprintf(f.path, sizeof(f.path), "%s/0.log", f.dir.path);
    journal *written = open_journal(&f);
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        f.ends[i] = journal_get_size(written);
        assert_int_equal(journal_append(written, slice(messages[i])), LP_OK);
    }
    f.ends[MESSAGE_COUNT] = journal_get_size(written);
    journal_unref(written);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    const fixture *f = *state;
    temp_dir_remove(&f->dir);
    return 0;
}

// read_all checks the messages in the journal against the first ones of messages, and returns how
// many there are, how reading ended and where.
static size_t
read_all(const journal *file, lp_err *out_end, journal_cursor *out_cursor)
{
    journal_cursor cursor;
    lp_slice message;
    size_t count = 0;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((*out_end = journal_cursor_next(&cursor, &message)) == LP_OK) {
        assert_true(count < MESSAGE_COUNT);
        assert_int_equal(message.len, strlen(messages[count]));
        assert_memory_equal(message.ptr, messages[count], message.len);
        count++;
    }
    *out_cursor = cursor;
    journal_cursor_fini(&cursor);
    return count;
}

static void
test_what_was_appended_is_read(void **state)
{
    const fixture *f = *state;
    journal *file = open_journal(f);
    lp_err end;
    journal_cursor cursor;
    assert_int_equal(read_all(file, &end, &cursor), MESSAGE_COUNT);
    assert_int_equal(end, LP_EEND);
    journal_unref(file);
}

static void
test_a_file_opened_to_read_may_be_moved_and_deleted(void **state)
{
    const fixture *f = *state;
    char to[400];
    journal *file;
    lp_err end;
    journal_cursor cursor;
    assert_int_equal(journal_open_to_read("/nowhere/7.log", &file), LP_ENOENT);
    journal *written = open_journal(f);
    assert_int_equal(journal_open_to_read(journal_get_path(written), &file), LP_OK);
    (void)snprintf(to, sizeof(to), "%s/moved", f->dir.path);
    assert_int_equal(rename(journal_get_path(written), to), 0);
    assert_int_equal(read_all(file, &end, &cursor), MESSAGE_COUNT);
    assert_int_equal(unlink(to), 0);
    assert_int_equal(read_all(file, &end, &cursor), MESSAGE_COUNT);
    assert_int_equal(end, LP_EEND);
    assert_int_equal(access(journal_get_path(written), F_OK), -1); // nothing was made
    journal_unref(file);
    journal_unref(written);
}

static void
test_a_file_torn_anywhere_keeps_what_is_whole(void **state)
{
    const fixture *f = *state;
    for (uint64_t size = f->ends[MESSAGE_COUNT]; size-- > 0;) {
        assert_int_equal(truncate(f->path, (off_t)size), 0);
        size_t whole = 0;
        while (f->ends[whole + 1] <= size) {
            whole++;
        }
        journal *file = open_journal(f);
        lp_err end;
        journal_cursor cursor;
        assert_int_equal(read_all(file, &end, &cursor), whole);
        assert_int_equal(end, size == f->ends[whole] ? LP_EEND : LP_ECORRUPT);
        if (end == LP_ECORRUPT) {
            assert_true(cursor.is_torn);
            assert_int_equal(cursor.offset, f->ends[whole]);
        }
        journal_unref(file);
    }
}

static void
test_after_a_cut_appending_goes_on(void **state)
{
    const fixture *f = *state;
    assert_int_equal(truncate(f->path, (off_t)f->ends[3] - 1), 0);
    journal *file = open_journal(f);
    assert_int_equal(journal_cut(file, f->ends[2]), LP_OK);
    assert_int_equal(journal_append(file, slice(messages[2])), LP_OK);
    assert_int_equal(journal_append(file, slice(messages[3])), LP_OK);
    journal_unref(file);
    test_what_was_appended_is_read(state);
}

// Damage costs only its record: those after it are read correctly.
static void
assert_rest_is_read(const fixture *f, size_t damaged)
{
    journal *file = open_journal(f);
    journal_cursor cursor;
    lp_slice message;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        if (i == damaged) {
            continue;
        }
        assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
        assert_int_equal(message.len, strlen(messages[i]));
        assert_memory_equal(message.ptr, messages[i], message.len);
        assert_int_equal(
            cursor.skipped_bytes, i == damaged + 1 ? f->ends[damaged + 1] - f->ends[damaged] : 0);
    }
    bool is_last = damaged == MESSAGE_COUNT - 1;
    assert_int_equal(journal_cursor_next(&cursor, &message), is_last ? LP_ECORRUPT : LP_EEND);
    assert_int_equal(cursor.offset, f->ends[is_last ? damaged : MESSAGE_COUNT]);
    journal_cursor_fini(&cursor);
    journal_unref(file);
}

static void
test_any_flipped_bit_costs_its_record(void **state)
{
    const fixture *f = *state;
    for (uint64_t at = 0; at < f->ends[MESSAGE_COUNT]; at++) {
        size_t record = 0;
        while (f->ends[record + 1] <= at) {
            record++;
        }
        uint8_t byte;
        int fd = open(f->path, O_RDWR);
        assert_int_equal(pread(fd, &byte, 1, (off_t)at), 1);
        uint8_t flipped = byte ^ (uint8_t)(1 << at % 8);
        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);

        assert_rest_is_read(f, record);
        assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
        assert_int_equal(close(fd), 0);
    }
}

// A page of a disk may return garbage, across the borders of records.
static void
test_a_page_of_garbage_costs_what_lies_in_it(void **state)
{
    enum { RECORDS = 40, PAGE = 4096, BYTES = 1000 };
    const fixture *f = *state;
    uint8_t body[BYTES];
    journal *file = open_journal(f);
    assert_int_equal(journal_cut(file, 0), LP_OK);
    for (unsigned i = 0; i < RECORDS; i++) {
        memset(body, (int)i, sizeof(body));
        assert_int_equal(journal_append(file, (lp_slice){body, sizeof(body)}), LP_OK);
    }
    uint8_t garbage[PAGE];
    for (size_t i = 0; i < PAGE; i++) {
        garbage[i] = (uint8_t) "LPJ1"[i % 4]; // as misleading as can be
    }
    int fd = open(f->path, O_WRONLY);
    assert_int_equal(pwrite(fd, garbage, PAGE, 2 * PAGE), PAGE);
    assert_int_equal(close(fd), 0);

    uint64_t skipped = 0;
    bool is_there[RECORDS] = {false};
    journal_cursor cursor;
    lp_slice message;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while (journal_cursor_next(&cursor, &message) == LP_OK) {
        assert_int_equal(message.len, BYTES);
        is_there[message.ptr[0]] = true;
        skipped += cursor.skipped_bytes;
    }
    assert_int_equal(cursor.offset, cursor.end_bytes);
    journal_cursor_fini(&cursor);
    journal_unref(file);
    const uint64_t record = BYTES + JOURNAL_FRAME_BYTES;
    uint64_t expected = 0;
    for (unsigned i = 0; i < RECORDS; i++) {
        bool is_hit = (i + 1) * record > 2 * PAGE && i * record < 3 * PAGE;
        assert_int_equal(is_there[i], !is_hit);
        expected += is_hit ? record : 0;
    }
    assert_int_equal(skipped, expected);
}

// The search reads the file in windows: the magic may be anywhere in one, or across two.
static void
test_records_are_found_behind_long_damage(void **state)
{
    const fixture *f = *state;
    for (size_t size = (128 << 10) - 30; size < (128 << 10) + 30; size++) {
        uint8_t *body = calloc(1, size);
        journal *file = open_journal(f);
        assert_int_equal(journal_cut(file, 0), LP_OK);
        assert_int_equal(journal_append(file, (lp_slice){body, size}), LP_OK);
        assert_int_equal(journal_append(file, slice("behind")), LP_OK);
        int fd = open(f->path, O_WRONLY);
        assert_int_equal(pwrite(fd, "!", 1, 0), 1);
        assert_int_equal(close(fd), 0);
        journal_cursor cursor;
        lp_slice message;
        journal_cursor_init(&cursor, file, journal_get_size(file));
        assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
        assert_memory_equal(message.ptr, "behind", 6);
        assert_int_equal(cursor.skipped_bytes, size + JOURNAL_FRAME_BYTES);
        journal_cursor_fini(&cursor);
        journal_unref(file);
        free(body);
    }
}

static void
test_a_damaged_piece_can_be_saved(void **state)
{
    const fixture *f = *state;
    char path[300];
    char tail[100];
    (void)snprintf(path, sizeof(path), "%s/tail", f->dir.path);
    journal *file = open_journal(f);
    assert_int_equal(journal_save(file, f->ends[2], f->ends[3] - f->ends[2], path), LP_OK);
    journal_unref(file);
    int fd = open(path, O_RDONLY);
    ssize_t size = read(fd, tail, sizeof(tail));
    assert_int_equal(close(fd), 0);
    assert_int_equal(size, f->ends[3] - f->ends[2]);
    assert_memory_equal(tail + JOURNAL_FRAME_BYTES, messages[2], strlen(messages[2]));
}

// The kernel may drop pages that it failed to sync: only verified records are copied.
static void
test_a_copy_has_what_can_be_verified(void **state)
{
    const fixture *f = *state;
    uint64_t damaged;
    journal *file = open_journal(f);
    assert_int_equal(journal_copy(file, &damaged), LP_OK);
    assert_int_equal(damaged, 0);
    files_flip(f->path, (off_t)(f->ends[2] + JOURNAL_FRAME_BYTES + 3), 1);
    assert_int_equal(journal_copy(file, &damaged), LP_OK);
    assert_int_equal(damaged, f->ends[3] - f->ends[2]);
    assert_int_equal(journal_get_size(file), f->ends[MESSAGE_COUNT]);
    assert_rest_is_read(f, 2); // at the same offsets
    uint8_t hole[64] = {1};
    int fd = open(f->path, O_RDONLY);
    size_t size = (size_t)(f->ends[3] - f->ends[2]);
    assert_int_equal(pread(fd, hole, size, (off_t)f->ends[2]), size);
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(hole[i], 0);
    }
    journal_unref(file);
}

// The end of the file is lost, and appends continue at the same offset.
static void
test_a_copy_is_as_long_as_what_was_written(void **state)
{
    const fixture *f = *state;
    uint64_t damaged;
    lp_slice message;
    journal_cursor cursor;
    journal *file = open_journal(f);
    journal_hold(file);
    journal_begin_sync(file);
    assert_int_equal(truncate(f->path, (off_t)f->ends[3] + 5), 0);
    assert_int_equal(journal_copy(file, &damaged), LP_OK);
    assert_int_equal(damaged, f->ends[4] - f->ends[3]);
    journal_release(file);
    assert_int_equal(journal_append(file, slice("behind it")), LP_OK);
    journal_unref(file);
    file = open_journal(f); // by its name
    assert_int_equal(journal_get_size(file), f->ends[4] + JOURNAL_FRAME_BYTES + 9);
    journal_cursor_init(&cursor, file, journal_get_size(file));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
    }
    assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
    assert_int_equal(cursor.skipped_bytes, f->ends[4] - f->ends[3]);
    assert_memory_equal(message.ptr, "behind it", 9);
    assert_int_equal(journal_cursor_next(&cursor, &message), LP_EEND);
    journal_cursor_fini(&cursor);
    journal_unref(file);
}

// A file size limit simulates a full disk: one write is short, the next fails.
static void
test_a_full_disk_leaves_no_part_of_a_record(void **state)
{
    const fixture *f = *state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

    journal *file = open_journal(f);
    uint64_t size = journal_get_size(file);
    for (uint64_t room = 0; room < JOURNAL_FRAME_BYTES + 4; room++) {
        struct rlimit tight = {.rlim_cur = size + room, .rlim_max = before.rlim_max};
        struct stat info;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
        lp_err err = journal_append(file, slice("more"));
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(err, LP_EIO);
        assert_int_equal(stat(f->path, &info), 0);
        assert_int_equal(info.st_size, size);
        assert_int_equal(journal_get_size(file), size);
    }
    assert_int_equal(journal_append(file, slice("more")), LP_OK);
    assert_int_equal(journal_get_size(file), size + JOURNAL_FRAME_BYTES + 4);
    journal_unref(file);
    (void)signal(SIGXFSZ, handler);
}

// By the format in journal.h: magic, length, CRC-32 of the length (Python's zlib.crc32).
static void
test_a_first_message_of_no_bytes_is_one(void **state)
{
    const fixture *f = *state;
    static const uint8_t record[] = {'L', 'P', 'J', '1', 0, 0, 0, 0, 0x1c, 0xdf, 0x44, 0x21};
    int fd = open(f->path, O_WRONLY | O_TRUNC);
    assert_int_equal(write(fd, record, sizeof(record)), sizeof(record));
    assert_int_equal(close(fd), 0);
    journal *file = open_journal(f);
    journal_cursor cursor;
    lp_slice message;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    assert_int_equal(journal_cursor_next(&cursor, &message), LP_OK);
    assert_int_equal(message.len, 0);
    assert_int_equal(journal_cursor_next(&cursor, &message), LP_EEND);
    journal_cursor_fini(&cursor);
    journal_unref(file);
}

// No number follows that of the last file, and no agent sends a chunk with it.
static void
test_journals_have_the_numbers_of_chunks(void **state)
{
    const fixture *f = *state;
    static const char *const names[] = {"4294967295.log", "4294967296.log", "07.log", "-1.log",
        "7.log.old", "4294967294.log", "10.log", "9.log"};
    static const uint32_t expected[] = {0, 9, 10, UINT32_MAX - 1};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char path[300];
        (void)snprintf(path, sizeof(path), "%s/%s", f->dir.path, names[i]);
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        assert_int_equal(close(fd), 0);
    }
    journal_list list;
    assert_int_equal(journal_list_read(f->dir.path, &list), LP_OK);
    assert_int_equal(list.count, sizeof(expected) / sizeof(expected[0]));
    assert_memory_equal(list.items, expected, sizeof(expected));
    assert_false(journal_list_has(&list, UINT32_MAX));
    free(list.items);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_was_appended_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_opened_to_read_may_be_moved_and_deleted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_file_torn_anywhere_keeps_what_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_after_a_cut_appending_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_flipped_bit_costs_its_record, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_page_of_garbage_costs_what_lies_in_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_records_are_found_behind_long_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_copy_has_what_can_be_verified, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_copy_is_as_long_as_what_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_damaged_piece_can_be_saved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_full_disk_leaves_no_part_of_a_record, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_first_message_of_no_bytes_is_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_journals_have_the_numbers_of_chunks, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
