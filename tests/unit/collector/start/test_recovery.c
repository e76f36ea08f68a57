// SPDX-License-Identifier: Apache-2.0
// Whatever a journal, a directory or a file of the catalog's has become, it costs itself: the start
// goes on, the other journals of the session and the other sessions are read, what is lost is
// counted, and nothing is deleted that is nowhere else.

#include "support/fake_sync.h"
#include "support/files.h"
#include "unit/collector/session/session_store.h"

#include "collector/base/metrics.h"
#include "collector/session/sessions.h"
#include "collector/start/recovery.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_buf.h"
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
    SESSIONS = 3,
    CHUNKS = 3,  // of each
    BATCHES = 4, // of each chunk
};

typedef struct fixture {
    session_store store;
    sessions *sessions;
    unsigned asked; // how often recovery asked whether it is to end
    unsigned asked_max;
} fixture;

static void
format_id(unsigned number, char out_id[CATALOG_ID_CHARS + 1])
{
    (void)snprintf(out_id, CATALOG_ID_CHARS + 1, "%032x", number + 1);
}

static void
pack_batch(uint64_t sequence, uint32_t chunk, lp_buf *out)
{
    static uint8_t bytes[100];
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.sequence = sequence;
    batch.chunk = chunk;
    batch.jfr_size = sizeof(bytes);
    batch.jfr_zstd = (ProtobufCBinaryData){.data = bytes, .len = sizeof(bytes)};
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    lp_buf_clear(out);
    uint8_t *to = lp_buf_extend(out, loupe__wire__request__get_packed_size(&request));
    assert_non_null(to);
    (void)loupe__wire__request__pack(&request, to);
}

static void
path_of(const fixture *f, unsigned number, uint32_t chunk, char out_path[400])
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(number, id);
    (void)snprintf(out_path, 400, "%s/journal/%s/%u.log", f->store.dir.path, id, chunk);
}

static void
write_journal(const fixture *f, unsigned number, uint32_t chunk)
{
    char path[400];
    lp_buf message = {0};
    journal *file;
    path_of(f, number, chunk, path);
    assert_int_equal(journal_open(path, &file), LP_OK);
    for (uint64_t i = 0; i < BATCHES; i++) {
        pack_batch(chunk * BATCHES + i, chunk, &message);
        assert_int_equal(journal_append(file, lp_buf_slice(&message)), LP_OK);
    }
    journal_unref(file);
    lp_buf_fini(&message);
}

static void
write_session(const fixture *f, unsigned number)
{
    static char nothing[1];
    catalog_session row = {
        .service = nothing, .instance = nothing, .jvm_name = nothing, .jvm_version = nothing};
    char path[400];
    format_id(number, row.id);
    assert_int_equal(catalog_put_session(f->store.catalog, &row), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/journal/%s", f->store.dir.path, row.id);
    (void)mkdir(path, 0700);
    for (uint32_t chunk = 0; chunk < CHUNKS; chunk++) {
        write_journal(f, number, chunk);
    }
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->store = session_store_open();
    f->asked_max = UINT32_MAX;
    for (unsigned i = 0; i < SESSIONS; i++) {
        write_session(f, i);
    }
    f->sessions = sessions_create(f->store.data, f->store.catalog);
    assert_non_null(f->sessions);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    sessions_destroy(f->sessions);
    session_store_close(&f->store);
    free(f);
    return 0;
}

static bool
is_ending(void *arg)
{
    fixture *f = arg;
    return ++f->asked > f->asked_max;
}

static lp_err
recover(fixture *f)
{
    const recovery_config config = {.is_ending = is_ending, .arg = f};
    lp_problem problem;
    return recovery_run(f->sessions, &config, &problem);
}

// start_again recovers everything anew.
static void
start_again(fixture *f)
{
    sessions_destroy(f->sessions);
    f->sessions = sessions_create(f->store.data, f->store.catalog);
    assert_non_null(f->sessions);
    assert_int_equal(recover(f), LP_OK);
}

static const session *
find(const fixture *f, unsigned number)
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(number, id);
    const session *s = sessions_find(f->sessions, id);
    assert_non_null(s);
    return s;
}

static void
check_whole(const fixture *f, unsigned number)
{
    const session *s = find(f, number);
    assert_int_equal(s->chunk_count, CHUNKS);
    assert_int_equal(s->row.next_sequence, CHUNKS * BATCHES);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_true(s->chunks[i].has_jfr);
        assert_int_equal(lp_ranges_count(&s->chunks[i].batches), BATCHES);
    }
}

static void
path_aside(const fixture *f, unsigned number, uint32_t chunk, const char *what, char out_path[400])
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(number, id);
    (void)snprintf(out_path, 400, "%s/damaged/%s-%u%s", f->store.dir.path, id, chunk, what);
}

static bool
is_aside(const fixture *f, unsigned number, uint32_t chunk, const char *what)
{
    char path[400];
    path_aside(f, number, chunk, what, path);
    return access(path, F_OK) == 0;
}

// set_written sets the time in s at which a file that was put aside was written last.
static void
set_written(const fixture *f, unsigned number, uint32_t chunk, const char *what, time_t time_s)
{
    char path[400];
    const struct timespec times[2] = {{.tv_sec = time_s}, {.tv_sec = time_s}};
    path_aside(f, number, chunk, what, path);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static time_t
get_written(const fixture *f, unsigned number, uint32_t chunk, const char *what)
{
    char path[400];
    struct stat info;
    path_aside(f, number, chunk, what, path);
    assert_int_equal(stat(path, &info), 0);
    return info.st_mtim.tv_sec;
}

static void
test_what_is_whole_is_read(void **state)
{
    fixture *f = *state;
    assert_int_equal(recover(f), LP_OK);
    for (unsigned i = 0; i < SESSIONS; i++) {
        check_whole(f, i);
    }
}

// spoil_journal has a journal be one that cannot be read.
static void
spoil_journal(const fixture *f, unsigned number, uint32_t chunk)
{
    char path[400];
    path_of(f, number, chunk, path);
    (void)unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void
test_a_journal_that_cannot_be_opened_is_put_aside(void **state)
{
    fixture *f = *state;
    spoil_journal(f, 1, 1);
    assert_int_equal(recover(f), LP_OK);
    check_whole(f, 0);
    check_whole(f, 2);
    const session *s = find(f, 1);
    assert_int_equal(s->chunk_count, CHUNKS - 1);
    assert_int_equal(s->chunks[1].ordinal, 2);
    assert_int_equal(s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    assert_true(is_aside(f, 1, 1, ".unread.log"));
}

// It is asked for at each start, though it is no file.
static void
test_a_directory_that_was_put_aside_is_asked_for_again(void **state)
{
    fixture *f = *state;
    spoil_journal(f, 1, CHUNKS - 1);
    assert_int_equal(recover(f), LP_OK);
    for (unsigned i = 0; i < 3; i++) {
        const session *s = find(f, 1);
        assert_true(is_aside(f, 1, CHUNKS - 1, ".unread.log"));
        assert_int_equal(s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
        assert_int_equal(s->lack.chunk, CHUNKS); // 1 + its number
        assert_int_equal(s->lack.chunks, 1);
        start_again(f);
    }
}

static const fixture *moving; // whose journal 1 of session 1 is moved
static unsigned syncs_before;

static void
note_sync(const char *path)
{
    char journal_path[400];
    path_of(moving, 1, 1, journal_path);
    bool is_there = access(journal_path, F_OK) == 0;
    syncs_before += is_there && strstr(path, "catalog.db-wal") != NULL ? 1 : 0;
}

// A power cut may not leave the one without the other: the disk has what is counted first.
static void
test_what_is_put_aside_is_counted_on_the_disk_before(void **state)
{
    fixture *f = *state;
    spoil_journal(f, 1, 1);
    moving = f;
    syncs_before = 0;
    fake_sync_on_call = note_sync;
    assert_int_equal(recover(f), LP_OK);
    fake_sync_on_call = NULL;
    assert_true(is_aside(f, 1, 1, ".unread.log"));
    assert_true(syncs_before > 0);
}

static void
test_a_session_whose_directory_is_none_costs_itself(void **state)
{
    fixture *f = *state;
    char id[CATALOG_ID_CHARS + 1];
    char path[400];
    char aside[400];
    uint64_t unread = metrics_get(METRICS_recovery_unread);
    format_id(1, id);
    (void)snprintf(path, sizeof(path), "%s/journal/%s", f->store.dir.path, id);
    (void)snprintf(aside, sizeof(aside), "%s/aside", f->store.dir.path);
    assert_int_equal(rename(path, aside), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(recover(f), LP_OK);
    check_whole(f, 0);
    check_whole(f, 2);
    assert_int_equal(find(f, 1)->chunk_count, 0);
    assert_int_equal(metrics_get(METRICS_recovery_unread) - unread, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rename(aside, path), 0);
    start_again(f); // it is as it was
    check_whole(f, 1);
}

static void
test_no_directory_of_journals_costs_no_start(void **state)
{
    fixture *f = *state;
    char path[400];
    char aside[400];
    (void)snprintf(path, sizeof(path), "%s/journal", f->store.dir.path);
    (void)snprintf(aside, sizeof(aside), "%s/aside", f->store.dir.path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(recover(f), LP_OK);
    assert_int_equal(find(f, 0)->chunk_count, 0);
}

static void
test_too_many_journals_are_put_aside(void **state)
{
    fixture *f = *state;
    for (uint32_t chunk = CHUNKS; chunk < SESSION_CHUNKS_MAX + 2; chunk++) {
        write_journal(f, 1, chunk);
    }
    assert_int_equal(recover(f), LP_OK);
    check_whole(f, 0);
    check_whole(f, 2);
    const session *s = find(f, 1);
    assert_int_equal(s->chunk_count, SESSION_CHUNKS_MAX);
    assert_int_equal(s->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 2);
    assert_true(is_aside(f, 1, SESSION_CHUNKS_MAX, ".unread.log"));
    assert_true(is_aside(f, 1, SESSION_CHUNKS_MAX + 1, ".unread.log"));
}

// Any byte of a journal costs its record at most.
static void
test_a_flipped_byte_costs_its_record(void **state)
{
    fixture *f = *state;
    char path[400];
    path_of(f, 1, 1, path);
    off_t size = files_size(path);
    for (off_t at = 0; at < size; at += 3) {
        assert_int_equal(unlink(path), 0);
        write_journal(f, 1, 1);
        files_flip(path, at, 0x20);
        start_again(f);
        check_whole(f, 0);
        check_whole(f, 2);
        const session *s = find(f, 1);
        assert_int_equal(s->chunk_count, CHUNKS);
        assert_int_equal(lp_ranges_count(&s->chunks[0].batches), BATCHES);
        assert_int_equal(lp_ranges_count(&s->chunks[1].batches), BATCHES - 1);
        assert_int_equal(lp_ranges_count(&s->chunks[2].batches), BATCHES);
    }
}

// A piece that cannot be copied stays where it is, as on a full disk.
static void
test_a_piece_that_cannot_be_copied_costs_no_start(void **state)
{
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/damaged", f->store.dir.path);
    assert_int_equal(rmdir(path), 0);
    path_of(f, 1, 1, path);
    files_flip(path, 20, 0x20);
    path_of(f, 1, 2, path);
    off_t size = files_size(path);
    files_flip(path, size - 1, 0x20);
    assert_int_equal(recover(f), LP_OK);
    check_whole(f, 0);
    check_whole(f, 2);
    const session *s = find(f, 1);
    assert_int_equal(lp_ranges_count(&s->chunks[1].batches), BATCHES - 1);
    assert_int_equal(lp_ranges_count(&s->chunks[2].batches), BATCHES - 1);
    assert_true(files_size(path) == size);
}

static void
put_next_chunk(const fixture *f, unsigned number, uint32_t next_chunk)
{
    static char nothing[1];
    catalog_session row = {.service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .next_chunk = next_chunk};
    format_id(number, row.id);
    assert_int_equal(catalog_put_session(f->store.catalog, &row), LP_OK);
}

// add_chunk has the catalog know the first chunk of a session.
static void
add_chunk(const fixture *f, unsigned number)
{
    static char nothing[1];
    catalog_session row = {.service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .next_chunk = 1};
    const catalog_chunk chunk = {.types_json = "{}"};
    format_id(number, row.id);
    assert_int_equal(catalog_add_chunk(f->store.catalog, &row, &chunk, (lp_slice){0}), LP_OK);
}

static void
test_a_journal_is_deleted_if_the_catalog_has_its_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    add_chunk(f, 1);
    put_next_chunk(f, 2, 1); // without the chunk
    assert_int_equal(recover(f), LP_OK);
    path_of(f, 1, 0, path);
    assert_int_equal(access(path, F_OK), -1);
    assert_false(is_aside(f, 1, 0, ".log"));
    path_of(f, 2, 0, path);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(is_aside(f, 2, 0, ".log"));
    assert_int_equal(find(f, 2)->chunk_count, CHUNKS - 1);
}

// put_row has the catalog know a session that went past chunk 0, of which it has no row, and of
// which so many chunks are not kept any longer.
static void
put_row(const fixture *f, unsigned number, uint64_t expired_chunks)
{
    static char nothing[1];
    catalog_session row = {.service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .next_chunk = 1,
        .expired_chunks = expired_chunks};
    format_id(number, row.id);
    assert_int_equal(catalog_put_session(f->store.catalog, &row), LP_OK);
}

static void
check_unreadable(const fixture *f, unsigned number, uint64_t expected)
{
    assert_int_equal(find(f, number)->row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], expected);
}

// The catalog lost the row of a chunk whose journal is there still: the recording lacks the chunk,
// and says so. A start that ended before the journal was put aside has counted it.
static void
test_a_chunk_whose_row_is_lost_counts_once(void **state)
{
    fixture *f = *state;
    put_row(f, 1, 0);
    put_row(f, 2, 1); // it is no loss that a chunk is not kept any longer
    assert_int_equal(recover(f), LP_OK);
    check_unreadable(f, 1, 1);
    check_unreadable(f, 2, 0);
    assert_true(is_aside(f, 1, 0, ".log"));
    write_journal(f, 1, 0);
    start_again(f);
    check_unreadable(f, 1, 1);
}

// The chunk could not be compacted, which was counted, and its journal has a name in damaged/; the
// collector ended before the other name went. Chunk 0 had no events, so it has no row either.
static void
test_a_journal_that_was_put_aside_before_counts_no_more(void **state)
{
    fixture *f = *state;
    static char nothing[1];
    char path[400];
    char aside[400];
    catalog_session row = {.service = nothing,
        .instance = nothing,
        .jvm_name = nothing,
        .jvm_version = nothing,
        .next_chunk = 2,
        .losses = {[CATALOG_LOSS_CHUNKS_UNREADABLE] = 1}};
    format_id(1, row.id);
    assert_int_equal(catalog_put_session(f->store.catalog, &row), LP_OK);
    path_of(f, 1, 0, path);
    assert_int_equal(unlink(path), 0);
    path_of(f, 1, 1, path);
    path_aside(f, 1, 1, ".log", aside);
    assert_int_equal(link(path, aside), 0);
    assert_int_equal(recover(f), LP_OK);
    check_unreadable(f, 1, 1);
}

static void
note_row(void *arg, const catalog_session *row)
{
    (void)row;
    *(bool *)arg = true;
}

// Somebody removed the recording, and its files could not be removed: it has a note, by which they
// go later, and is not there again.
static void
test_a_recording_that_was_removed_stays_so(void **state)
{
    fixture *f = *state;
    char id[CATALOG_ID_CHARS + 1];
    char path[400];
    bool has_row = false;
    format_id(1, id);
    assert_int_equal(catalog_remove_session(f->store.catalog, id), LP_OK);
    assert_int_equal(recover(f), LP_OK);
    assert_null(sessions_find(f->sessions, id));
    assert_int_equal(catalog_find(f->store.catalog, id, note_row, &has_row), LP_ENOENT);
    path_of(f, 1, 1, path);
    assert_int_equal(access(path, F_OK), 0); // for those who remove it
    check_whole(f, 0);
    check_whole(f, 2);
}

// A power cut left the row and the journal, and not the file between.
static void
test_a_journal_is_kept_if_its_chunk_is_lost(void **state)
{
    fixture *f = *state;
    char id[CATALOG_ID_CHARS + 1];
    bool is_changed;
    add_chunk(f, 1);
    format_id(1, id);
    assert_int_equal(catalog_lose_chunk(f->store.catalog, id, 0, true, &is_changed), LP_OK);
    assert_int_equal(recover(f), LP_OK);
    assert_true(is_aside(f, 1, 0, ".log"));
}

static void
test_a_start_ends_when_it_is_told_to(void **state)
{
    fixture *f = *state;
    for (f->asked_max = 0; f->asked_max < 10; f->asked_max++) {
        f->asked = 0;
        assert_int_equal(recover(f), LP_ECLOSED);
        sessions_destroy(f->sessions);
        f->sessions = sessions_create(f->store.data, f->store.catalog);
        assert_non_null(f->sessions);
    }
    f->asked_max = UINT32_MAX;
    assert_int_equal(recover(f), LP_OK);
    for (unsigned i = 0; i < SESSIONS; i++) {
        check_whole(f, i);
    }
}

// Two pieces of a name are both kept, and what a start before has saved is not kept twice.
static void
test_what_is_put_aside_has_a_name_of_its_own(void **state)
{
    fixture *f = *state;
    char path[400];
    spoil_journal(f, 1, 1);
    assert_int_equal(recover(f), LP_OK);
    assert_true(is_aside(f, 1, 1, ".unread.log"));
    assert_false(is_aside(f, 1, 1, "-2.unread.log"));
    spoil_journal(f, 1, 1);
    start_again(f);
    assert_true(is_aside(f, 1, 1, ".unread.log"));
    assert_true(is_aside(f, 1, 1, "-2.unread.log"));

    path_of(f, 2, 0, path);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, "?", 1, 30), 1);
    start_again(f);
    assert_true(is_aside(f, 2, 0, ".0.piece"));
    set_written(f, 2, 0, ".0.piece", 1000);
    start_again(f);
    assert_false(is_aside(f, 2, 0, "-2.0.piece"));
    assert_int_equal(get_written(f, 2, 0, ".0.piece"), 1000); // it does not become younger
    assert_int_equal(pwrite(fd, "!", 1, 31), 1);              // another piece at the same place
    assert_int_equal(close(fd), 0);
    start_again(f);
    assert_true(is_aside(f, 2, 0, ".0.piece"));
    assert_true(is_aside(f, 2, 0, "-2.0.piece"));
}

// With --sync always all that was acknowledged is on the disk: a record that cannot be read any
// more, which is one of it, is counted, and costs nothing behind it.
static void
test_damage_of_what_was_acknowledged_is_counted_after_a_power_cut(void **state)
{
    fixture *f = *state;
    char path[400];
    const recovery_config config = {
        .is_ending = is_ending, .was_cut = true, .has_tails = true, .arg = f};
    lp_problem problem;
    path_of(f, 1, 0, path);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, "?", 1, 30), 1);
    assert_int_equal(close(fd), 0);
    assert_int_equal(recovery_run(f->sessions, &config, &problem), LP_OK);
    const session *s = find(f, 1);
    assert_int_equal(s->chunk_count, CHUNKS);
    assert_int_equal(lp_ranges_count(&s->chunks[0].batches), BATCHES - 1);
    assert_int_equal(s->row.next_sequence, CHUNKS * BATCHES);
    assert_true(s->row.losses[CATALOG_LOSS_JOURNAL_BYTES_LOST] > 0);
    assert_int_equal(s->lack.chunk, 1); // its agent is asked for it
    check_whole(f, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_whole_is_read),
        TEST(test_a_journal_that_cannot_be_opened_is_put_aside),
        TEST(test_a_directory_that_was_put_aside_is_asked_for_again),
        TEST(test_what_is_put_aside_is_counted_on_the_disk_before),
        TEST(test_a_session_whose_directory_is_none_costs_itself),
        TEST(test_no_directory_of_journals_costs_no_start),
        TEST(test_too_many_journals_are_put_aside),
        TEST(test_a_flipped_byte_costs_its_record),
        TEST(test_a_piece_that_cannot_be_copied_costs_no_start),
        TEST(test_a_journal_is_kept_if_its_chunk_is_lost),
        TEST(test_a_journal_is_deleted_if_the_catalog_has_its_chunk),
        TEST(test_a_chunk_whose_row_is_lost_counts_once),
        TEST(test_a_journal_that_was_put_aside_before_counts_no_more),
        TEST(test_a_recording_that_was_removed_stays_so),
        TEST(test_a_start_ends_when_it_is_told_to),
        TEST(test_what_is_put_aside_has_a_name_of_its_own),
        TEST(test_damage_of_what_was_acknowledged_is_counted_after_a_power_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
