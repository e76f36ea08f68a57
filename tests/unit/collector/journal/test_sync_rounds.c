// SPDX-License-Identifier: Apache-2.0
// Rounds: noted journals and their names are on the disk before they are reported as durable. A
// journal whose sync failed refuses appends and is copied into a new file, as is a deleted one. A
// failed sync of the catalog's log stays a problem. Stopping runs one more round. Without syncing
// everything is durable at once.

#include "support/fake_sync.h"
#include "support/temp_dir.h"

#include "collector/journal/sync_rounds.h"
#include "common/base/lp_time_scale.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char id[] = "00112233445566778899aabbccddeeff";
static const char other_id[] = "ffeeddccbbaa99887766554433221100";

enum {
    CALLS_MAX = 64,
    LIMIT_MS = 60000,
    DIVISOR = 100, // of times
    RETRY_MS = SYNC_ROUNDS_RETRY_MS / DIVISOR,
};

typedef struct fixture {
    temp_dir dir;
    char journals_path[300];
    char damaged_path[300];
    catalog *catalog;
    blobs *blobs;
    uv_loop_t loop;
    sync_rounds *rounds;
    uint64_t durable;       // of id
    uint64_t other_durable; // of other_id
    uint64_t ended;         // rounds
    uint64_t damaged_bytes;
} fixture;

// The paths that were synced, below the directory of the test.
static char calls[CALLS_MAX][300];
static size_t call_count;

static void
note_call(const char *path)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of several threads in a round
    pthread_mutex_lock(&mutex);
    if (call_count < CALLS_MAX) {
        (void)snprintf(calls[call_count++], sizeof(calls[0]), "%s", path);
    }
    pthread_mutex_unlock(&mutex);
}

// find_call_from returns the index of the first call with this suffix from begin on, CALLS_MAX if
// there was none.
static size_t
find_call_from(size_t begin, const char *end)
{
    for (size_t i = begin; i < call_count; i++) {
        size_t length = strlen(calls[i]);
        if (length >= strlen(end) && strcmp(calls[i] + length - strlen(end), end) == 0) {
            return i;
        }
    }
    return CALLS_MAX;
}

static size_t
find_call(const char *end)
{
    return find_call_from(0, end);
}

static void
on_durable(void *arg, const char *session_id, uint64_t sequence)
{
    fixture *f = arg;
    *(strcmp(session_id, id) == 0 ? &f->durable : &f->other_durable) = sequence;
}

static void
on_damaged(void *arg, const char *session_id, const journal *file, uint64_t damaged_bytes)
{
    fixture *f = arg;
    assert_string_equal(session_id, id);
    assert_non_null(file);
    f->damaged_bytes += damaged_bytes;
}

static void
on_end(void *arg, uint64_t round, bool is_catalog_durable)
{
    fixture *f = arg;
    assert_int_equal(is_catalog_durable, sync_rounds_is_committed(f->rounds, round));
    f->ended++;
    uv_stop(&f->loop);
}

static void
start(fixture *f, sync_mode mode)
{
    const sync_rounds_config config = {
        .loop = &f->loop,
        .mode = mode,
        .journals_path = f->journals_path,
        .damaged_path = f->damaged_path,
        .catalog = f->catalog,
        .blobs = f->blobs,
        .on_durable = on_durable,
        .on_damaged = on_damaged,
        .on_end = on_end,
        .arg = f,
    };
    assert_int_equal(sync_rounds_create(&config, &f->rounds, NULL), LP_OK);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    char path[300];
    f->dir = temp_dir_make();
    (void)snprintf(f->journals_path, sizeof(f->journals_path), "%s/journal", f->dir.path);
    assert_int_equal(mkdir(f->journals_path, 0700), 0);
    (void)snprintf(f->damaged_path, sizeof(f->damaged_path), "%s/damaged", f->dir.path);
    assert_int_equal(mkdir(f->damaged_path, 0700), 0);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->dir.path);
    assert_int_equal(catalog_open(path, &f->catalog, NULL), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/chunks", f->dir.path);
    assert_int_equal(blobs_open(path, &f->blobs, NULL), LP_OK);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    lp_time_scale_set(DIVISOR);
    call_count = 0;
    fake_sync_on_call = note_call;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    fake_sync_refused = NULL;
    sync_rounds_stop(f->rounds);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT); // may be stopped by the last round
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    sync_rounds_destroy(f->rounds);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    blobs_close(f->blobs);
    catalog_close(f->catalog);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
on_limit(uv_timer_t *limit)
{
    uv_stop(limit->loop);
}

// While a round runs, the coming one is not hurried: it would begin too early.
static void
on_retry(uv_timer_t *retry)
{
    sync_rounds *rounds = retry->data;
    if (sync_rounds_is_over(rounds, sync_rounds_get_coming(rounds) - 1)) {
        sync_rounds_hurry(rounds);
    }
}

// run_round runs the loop until the end of the next round. A round of retries begins when their
// time has come.
static void
run_round(fixture *f)
{
    uint64_t before = f->ended;
    uv_timer_t limit; // rounds do not keep the loop alive
    (void)uv_timer_init(&f->loop, &limit);
    (void)uv_timer_start(&limit, on_limit, LIMIT_MS, 0);
    uv_timer_t retry = {.data = f->rounds};
    (void)uv_timer_init(&f->loop, &retry);
    (void)uv_timer_start(&retry, on_retry, RETRY_MS, 0);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    uv_close((uv_handle_t *)&retry, NULL);
    uv_close((uv_handle_t *)&limit, NULL);
    (void)uv_run(&f->loop, UV_RUN_NOWAIT);
    assert_true(f->ended > before);
}

// begin_round runs the loop once, which begins a round that is due.
static void
begin_round(fixture *f)
{
    uv_timer_t limit; // the loop does nothing without it
    (void)uv_timer_init(&f->loop, &limit);
    (void)uv_timer_start(&limit, on_limit, LIMIT_MS, 0);
    (void)uv_run(&f->loop, UV_RUN_NOWAIT);
    uv_close((uv_handle_t *)&limit, NULL);
    (void)uv_run(&f->loop, UV_RUN_NOWAIT);
}

static journal *
open_journal_in(const fixture *f, journal_files *files, const char *session_id)
{
    char path[400];
    journal *opened;
    (void)snprintf(path, sizeof(path), "%s/%s", f->journals_path, session_id);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s/%s/7.log", f->journals_path, session_id);
    assert_int_equal(journal_open_in(files, path, &opened), LP_OK);
    return opened;
}

static journal *
open_journal(const fixture *f, const char *session_id)
{
    return open_journal_in(f, NULL, session_id);
}

static void
append(fixture *f, journal *to, const char *session_id, uint64_t sequence)
{
    uint8_t byte = (uint8_t)sequence;
    assert_int_equal(sync_rounds_admit(f->rounds), LP_OK);
    assert_int_equal(journal_append(to, (lp_slice){&byte, 1}), LP_OK);
    sync_rounds_note(f->rounds, to, session_id, sequence + 1);
}

// count_records returns how many records with ascending bytes a journal has.
static size_t
count_records(const journal *in)
{
    journal_cursor cursor;
    lp_slice message;
    size_t count = 0;
    journal_cursor_init(&cursor, in, journal_get_size(in));
    for (; journal_cursor_next(&cursor, &message) == LP_OK; count++) {
        assert_int_equal(message.len, 1);
        assert_int_equal(message.ptr[0], count);
    }
    journal_cursor_fini(&cursor);
    return count;
}

// A journal that is not synced keeps its descriptor until the round is over.
static void
test_what_waits_for_the_disk_stays_open(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal_files files;
    journal_files_init(&files);
    files.max = 1;
    journal *first = open_journal_in(f, &files, id);
    journal *second = open_journal_in(f, &files, other_id);
    assert_int_equal(files.count, 1);
    append(f, first, id, 0); // takes the descriptor of the second
    assert_int_equal(sync_rounds_admit(f->rounds), LP_OK);
    assert_int_equal(journal_append(second, (lp_slice){NULL, 0}), LP_EIO);
    assert_int_equal(errno, EMFILE);
    journal_files_close_idle(&files, JOURNAL_FILES_IDLE_MS);
    assert_int_equal(files.count, 1);
    run_round(f);
    assert_int_equal(f->durable, 1);
    append(f, second, other_id, 0); // it has it now
    assert_int_equal(files.count, 1);
    run_round(f);
    assert_int_equal(f->other_durable, 1);
    journal_files_close_idle(&files, 2 * JOURNAL_FILES_IDLE_MS);
    assert_int_equal(files.count, 0);

    // A closed journal, as after a start, is synced or copied as well.
    assert_int_equal(sync_rounds_admit(f->rounds), LP_OK);
    sync_rounds_note(f->rounds, first, id, 2);
    fake_sync_error = EIO;
    fake_sync_refused = "00112233445566778899aabbccddeeff/7.log";
    run_round(f);
    assert_true(sync_rounds_has_failed(f->rounds, id));
    fake_sync_refused = NULL;
    while (f->durable < 2) {
        run_round(f);
    }
    append(f, first, id, 1); // to the copy
    assert_int_equal(count_records(first), 2);
    run_round(f);
    assert_int_equal(f->durable, 2);
    journal_unref(first);
    journal_unref(second);
    assert_int_equal(files.count, 0);
}

static void
test_a_round_brings_all_to_the_disk(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *first = open_journal(f, id);
    journal *second = open_journal(f, other_id);
    call_count = 0;
    append(f, first, id, 0);
    append(f, first, id, 1);
    append(f, second, other_id, 0);
    uint64_t round = sync_rounds_get_coming(f->rounds);
    assert_false(sync_rounds_is_over(f->rounds, round));
    assert_true(sync_rounds_is_late(f->rounds));
    assert_int_equal(f->durable, 0);
    run_round(f);
    assert_true(sync_rounds_is_over(f->rounds, round));
    assert_int_equal(f->durable, 2);
    assert_int_equal(f->other_durable, 1);
    assert_true(find_call("00112233445566778899aabbccddeeff/7.log") < CALLS_MAX);
    assert_true(find_call("/journal/00112233445566778899aabbccddeeff") < CALLS_MAX);
    assert_true(find_call("/journal/ffeeddccbbaa99887766554433221100") < CALLS_MAX);
    assert_true(find_call("/journal") < CALLS_MAX);
    assert_int_equal(find_call("catalog.db-wal"), CALLS_MAX); // nothing was committed

    call_count = 0; // names are synced once
    append(f, first, id, 2);
    run_round(f);
    assert_int_equal(call_count, 1);
    assert_int_equal(f->durable, 3);
    journal_unref(first);
    journal_unref(second);
}

static void
test_the_catalog_and_a_hello_come_along(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    char text[] = "x";
    catalog_session row = {
        .service = text, .instance = text, .jvm_name = text, .jvm_version = text};
    memcpy(row.id, id, sizeof(row.id));
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    assert_int_equal(sync_rounds_put_hello(f->rounds, id, (lp_slice){(uint8_t *)text, 1}), LP_OK);
    uint64_t round = sync_rounds_get_coming(f->rounds);
    call_count = 0;
    run_round(f);
    assert_true(sync_rounds_is_committed(f->rounds, round));
    assert_true(find_call("catalog.db-wal") < CALLS_MAX);
    size_t file = find_call("chunks/00112233445566778899aabbccddeeff/session.pb.tmp");
    size_t dir = find_call("chunks/00112233445566778899aabbccddeeff");
    assert_true(file < dir && dir < CALLS_MAX); // the name after the file
}

static void
test_what_the_disk_refused_is_copied(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *bad = open_journal(f, id);
    journal *good = open_journal(f, other_id);
    append(f, bad, id, 0);
    run_round(f);
    fake_sync_error = EIO;
    fake_sync_refused = "00112233445566778899aabbccddeeff/7.log";
    append(f, bad, id, 1);
    append(f, good, other_id, 0);
    run_round(f);
    assert_int_equal(f->durable, 1);
    assert_int_equal(f->other_durable, 1); // each for itself
    assert_true(sync_rounds_has_failed(f->rounds, id));
    assert_false(sync_rounds_has_failed(f->rounds, other_id));
    assert_int_equal(journal_append(bad, (lp_slice){(const uint8_t *)"x", 1}), LP_EIO);
    assert_int_equal(errno, EIO);

    call_count = 0;
    run_round(f); // the copy is refused, too
    assert_true(find_call("7.log.copy") < CALLS_MAX);
    assert_int_equal(f->durable, 1);

    fake_sync_refused = NULL;
    call_count = 0;
    run_round(f);
    assert_true(find_call("7.log.copy") < CALLS_MAX);
    assert_int_equal(find_call("7.log"), CALLS_MAX); // an fsync is not repeated
    assert_int_equal(f->durable, 2);
    assert_false(sync_rounds_has_failed(f->rounds, id));
    append(f, bad, id, 2);
    run_round(f);
    assert_int_equal(f->durable, 3);
    journal_unref(bad);
    bad = open_journal(f, id); // by its name
    assert_int_equal(count_records(bad), 3);
    journal_unref(bad);
    journal_unref(good);
}

// open_second opens another journal of id.
static journal *
open_second(const fixture *f)
{
    char path[400];
    journal *opened;
    (void)snprintf(path, sizeof(path), "%s/%s/8.log", f->journals_path, id);
    assert_int_equal(journal_open(path, &opened), LP_OK);
    return opened;
}

// run_until_taken runs rounds until the retries of id have succeeded.
static void
run_until_taken(fixture *f)
{
    while (sync_rounds_has_failed(f->rounds, id)) {
        run_round(f);
    }
}

// append_to_two appends a batch to each of two journals of id; the sync of the first fails.
static void
append_to_two(fixture *f, journal **out_bad, journal **out_good)
{
    start(f, SYNC_ALWAYS);
    *out_bad = open_journal(f, id);
    *out_good = open_second(f);
    fake_sync_error = EIO;
    fake_sync_refused = "/7.log";
    append(f, *out_bad, id, 0);
    append(f, *out_good, id, 1);
    run_round(f);
    assert_int_equal(f->durable, 0);
}

// Batches of the session's other journal become durable with the retry, without another batch.
static void
test_what_waited_for_a_refused_journal_is_durable_with_it(void **state)
{
    fixture *f = *state;
    journal *bad;
    journal *good;
    append_to_two(f, &bad, &good);
    append(f, good, id, 2); // while the other waits
    run_round(f);
    assert_int_equal(f->durable, 0);
    fake_sync_refused = NULL;
    run_until_taken(f);
    assert_int_equal(f->durable, 3);
    journal_unref(bad);
    journal_unref(good);
}

// The same if the failed journal is removed meanwhile, as its chunk is compacted.
static void
test_what_waited_for_a_removed_journal_is_durable(void **state)
{
    fixture *f = *state;
    journal *bad;
    journal *good;
    append_to_two(f, &bad, &good);
    assert_int_equal(journal_remove(bad), LP_OK);
    run_until_taken(f);
    assert_int_equal(f->durable, 2);
    journal_unref(bad);
    journal_unref(good);
}

// The same with a Hello whose sync failed.
static void
test_what_waited_for_a_refused_hello_is_durable_with_it(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *good = open_journal(f, id);
    fake_sync_error = EIO;
    fake_sync_refused = "session.pb";
    const lp_slice hello = {(const uint8_t *)"hello", 5};
    assert_int_equal(sync_rounds_put_hello(f->rounds, id, hello), LP_OK);
    append(f, good, id, 0);
    run_round(f);
    assert_int_equal(f->durable, 0);
    fake_sync_refused = NULL;
    run_until_taken(f);
    assert_int_equal(f->durable, 1);
    journal_unref(good);
}

// The kernel dropped pages that it could not write.
static void
test_what_cannot_be_read_again_is_reported(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *bad = open_journal(f, id);
    append(f, bad, id, 0);
    uint64_t first_bytes = journal_get_size(bad);
    append(f, bad, id, 1);
    fake_sync_error = EIO;
    fake_sync_refused = "00112233445566778899aabbccddeeff/7.log";
    run_round(f);
    assert_int_equal(truncate(journal_get_path(bad), (off_t)first_bytes), 0);
    fake_sync_refused = NULL;
    run_round(f);
    assert_int_equal(f->damaged_bytes, journal_get_size(bad) - first_bytes);
    assert_false(sync_rounds_has_failed(f->rounds, id));
    journal_unref(bad);
    bad = open_journal(f, id);
    assert_int_equal(count_records(bad), 1);
    journal_unref(bad);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void
wait_at_gate(const char *path)
{
    (void)path;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static atomic_bool is_at_copy;

// hold_at_copy lets the copy of a journal wait for the gate.
static void
hold_at_copy(const char *path)
{
    if (strstr(path, ".copy") != NULL) {
        is_at_copy = true;
        wait_at_gate(path);
    }
}

// A copy in progress could replace a new journal of the same name, when a session continues after
// its end. So the old one stays until the copy is done.
static void
test_no_journal_is_made_where_a_copy_is_on_its_way(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *bad = open_journal(f, id);
    append(f, bad, id, 0);
    fake_sync_error = EIO;
    fake_sync_refused = "00112233445566778899aabbccddeeff/7.log";
    run_round(f);
    fake_sync_refused = NULL;
    fake_sync_on_call = hold_at_copy;
    pthread_mutex_lock(&gate);
    is_at_copy = false;
    while (!is_at_copy) {
        begin_round(f); // by itself, in time
    }
    bool is_read = journal_is_being_read(bad);
    pthread_mutex_unlock(&gate);
    assert_true(is_read); // it must not be removed then
    while (f->durable == 0) {
        run_round(f);
    }
    assert_false(journal_is_being_read(bad));
    assert_int_equal(journal_remove(bad), LP_OK);
    journal *anew = open_journal(f, id);
    append(f, anew, id, 0);
    append(f, anew, id, 1);
    run_round(f);
    journal_unref(anew);
    anew = open_journal(f, id); // by its name
    assert_int_equal(count_records(anew), 2);
    journal_unref(anew);
    journal_unref(bad);
}

// Somebody deletes or truncates the file of a journal while the collector writes to it.
static void
test_a_journal_that_was_deleted_is_there_again(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *deleted = open_journal(f, id);
    append(f, deleted, id, 0);
    run_round(f);
    assert_int_equal(unlink(journal_get_path(deleted)), 0);
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->journals_path, id);
    assert_int_equal(rmdir(path), 0); // its directory as well
    append(f, deleted, id, 1);
    run_round(f);
    assert_int_equal(f->durable, 1);
    call_count = 0;
    while (f->durable < 2) {
        run_round(f);
    }
    size_t name = find_call("/journal/00112233445566778899aabbccddeeff");
    assert_true(find_call("7.log.copy") < name);
    assert_true(find_call_from(name, "/journal") < CALLS_MAX); // where the directory is made again
    append(f, deleted, id, 2);
    run_round(f);
    assert_int_equal(f->durable, 3);
    assert_int_equal(f->damaged_bytes, 0);
    journal_unref(deleted);
    deleted = open_journal(f, id); // by its name
    assert_int_equal(count_records(deleted), 3);
    journal_unref(deleted);
}

// The same while it had no descriptor, so that a new file was made: the records of the first file
// are reported as damage.
static void
test_a_journal_that_was_deleted_while_closed_is_damaged(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal_files files;
    journal_files_init(&files);
    journal *deleted = open_journal_in(f, &files, id);
    append(f, deleted, id, 0);
    uint64_t first_bytes = journal_get_size(deleted);
    run_round(f);
    journal_files_close_idle(&files, JOURNAL_FILES_IDLE_MS);
    assert_int_equal(files.count, 0);
    assert_int_equal(unlink(journal_get_path(deleted)), 0);
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->journals_path, id);
    assert_int_equal(rmdir(path), 0);
    append(f, deleted, id, 0);
    while (f->durable < 1 || sync_rounds_has_failed(f->rounds, id) || f->damaged_bytes == 0) {
        run_round(f);
    }
    assert_int_equal(f->damaged_bytes, first_bytes);
    assert_int_equal(count_records(deleted), 1);
    journal_unref(deleted);
}

// Whoever opens a file has to use the journal that is not synced yet: two journals of one file
// would be copied separately.
static void
test_a_journal_is_in_the_rounds_until_the_disk_has_it(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *noted = open_journal(f, id);
    assert_false(sync_rounds_has(f->rounds, noted));
    append(f, noted, id, 0);
    assert_true(sync_rounds_has(f->rounds, noted));
    fake_sync_error = EIO;
    fake_sync_refused = "00112233445566778899aabbccddeeff/7.log";
    fake_sync_on_call = wait_at_gate;
    pthread_mutex_lock(&gate);
    begin_round(f);
    assert_true(sync_rounds_has(f->rounds, noted));
    pthread_mutex_unlock(&gate);
    run_round(f);
    assert_true(sync_rounds_has(f->rounds, noted));
    fake_sync_refused = NULL;
    while (f->durable == 0) {
        run_round(f);
    }
    assert_false(sync_rounds_has(f->rounds, noted));
    journal_unref(noted);
}

// So many others are noted that they fill their room, whatever its initial size.
static void
test_what_was_refused_has_its_place_beside_what_came_meanwhile(void **state)
{
    fixture *f = *state;
    enum { OTHERS = 64 };
    journal *others[OTHERS];
    start(f, SYNC_ALWAYS);
    journal *bad = open_journal(f, id);
    append(f, bad, id, 0);
    fake_sync_error = EIO;
    fake_sync_refused = id;
    fake_sync_on_call = wait_at_gate;
    pthread_mutex_lock(&gate);
    begin_round(f);
    for (unsigned i = 0; i < OTHERS; i++) {
        char session_id[sizeof(id)];
        (void)snprintf(session_id, sizeof(session_id), "%032u", i);
        others[i] = open_journal(f, session_id);
        append(f, others[i], session_id, 0);
    }
    pthread_mutex_unlock(&gate);
    run_round(f);
    assert_true(sync_rounds_has_failed(f->rounds, id));
    fake_sync_refused = NULL;
    while (f->durable == 0) {
        run_round(f);
    }
    assert_int_equal(f->durable, 1);
    assert_int_equal(f->other_durable, 1);
    journal_unref(bad);
    for (unsigned i = 0; i < OTHERS; i++) {
        journal_unref(others[i]);
    }
}

// Another Hello comes while the sync of the first fails: it replaces the first, and batches that
// waited for the first wait for it.
static void
test_what_waited_for_a_refused_hello_waits_for_the_one_after_it(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *good = open_journal(f, id);
    const lp_slice first = {(const uint8_t *)"first", 5};
    const lp_slice second = {(const uint8_t *)"second", 6};
    assert_int_equal(sync_rounds_put_hello(f->rounds, id, first), LP_OK);
    append(f, good, id, 0);
    fake_sync_error = EIO;
    fake_sync_refused = "session.pb";
    fake_sync_on_call = wait_at_gate;
    pthread_mutex_lock(&gate);
    begin_round(f);
    assert_int_equal(sync_rounds_put_hello(f->rounds, id, second), LP_OK);
    pthread_mutex_unlock(&gate);
    run_round(f);
    assert_int_equal(f->durable, 0);
    fake_sync_on_call = NULL;
    run_round(f); // the second one fails, too
    assert_int_equal(f->durable, 0);
    fake_sync_refused = NULL;
    run_until_taken(f);
    assert_int_equal(f->durable, 1);
    journal_unref(good);
}

static void
test_a_log_that_was_refused_stays_a_problem(void **state)
{
    fixture *f = *state;
    start(f, SYNC_ALWAYS);
    journal *good = open_journal(f, id);
    char text[] = "x";
    catalog_session row = {
        .service = text, .instance = text, .jvm_name = text, .jvm_version = text};
    memcpy(row.id, id, sizeof(row.id));
    fake_sync_error = ENOSPC;
    fake_sync_refused = "catalog.db-wal";
    assert_int_equal(catalog_put_session(f->catalog, &row), LP_OK);
    uint64_t round = sync_rounds_get_coming(f->rounds);
    run_round(f);
    assert_true(sync_rounds_is_over(f->rounds, round));
    assert_false(sync_rounds_is_committed(f->rounds, round));
    assert_int_equal(sync_rounds_get_problem(f->rounds), ENOSPC);
    fake_sync_refused = NULL;
    append(f, good, id, 0);
    run_round(f);
    assert_int_equal(f->durable, 1); // journals do not depend on it
    assert_false(sync_rounds_is_committed(f->rounds, round));
    journal_unref(good);
}

static void
test_a_removed_journal_is_forgotten(void **state)
{
    fixture *f = *state;
    start(f, SYNC_SECOND);
    journal *gone = open_journal(f, id);
    append(f, gone, id, 0);
    assert_false(sync_rounds_is_late(f->rounds));
    assert_int_equal(journal_remove(gone), LP_OK);
    call_count = 0;
    sync_rounds_hurry(f->rounds);
    run_round(f);
    assert_int_equal(call_count, 0);
    journal_unref(gone);
}

// Removed files stay removed after a power cut; the sync is retried until it succeeds.
static void
test_names_that_are_gone_come_to_the_disk(void **state)
{
    static const char dir_end[] = "/chunks/00112233445566778899aabbccddeeff";
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s%s", f->dir.path, dir_end);
    assert_int_equal(mkdir(path, 0700), 0);
    start(f, SYNC_ALWAYS);
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK);
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK); // the same
    run_round(f);
    assert_true(find_call(dir_end) < find_call("/chunks"));
    assert_true(find_call("/chunks") < CALLS_MAX);
    assert_true(find_call("/journal") < CALLS_MAX); // journals are removed as well
    assert_true(find_call("/damaged") < CALLS_MAX); // and damaged files
    assert_int_equal(find_call_from(find_call(dir_end) + 1, dir_end), CALLS_MAX);
    assert_false(sync_rounds_has_names_failed(f->rounds, id));

    char damaged[400]; // somebody deletes it
    (void)snprintf(damaged, sizeof(damaged), "%s/damaged", f->dir.path);
    assert_int_equal(rmdir(damaged), 0);
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK);
    run_round(f);
    assert_false(sync_rounds_has_names_failed(f->rounds, id));
    assert_int_equal(mkdir(damaged, 0700), 0);

    fake_sync_error = EIO;
    fake_sync_refused = dir_end;
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK);
    run_round(f);
    assert_true(sync_rounds_has_names_failed(f->rounds, id));
    assert_false(sync_rounds_has_names_failed(f->rounds, other_id));
    assert_false(sync_rounds_has_failed(f->rounds, id)); // batches do not depend on it
    assert_int_equal(sync_rounds_get_failure(f->rounds), 0);
    fake_sync_refused = NULL;
    while (sync_rounds_has_names_failed(f->rounds, id)) {
        run_round(f);
    }
    fake_sync_refused = "/damaged";
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK);
    run_round(f);
    assert_true(sync_rounds_has_names_failed(f->rounds, id));
    fake_sync_refused = NULL;
    while (sync_rounds_has_names_failed(f->rounds, id)) {
        run_round(f);
    }

    call_count = 0; // a whole session is removed
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(sync_rounds_put_names(f->rounds, id), LP_OK);
    run_round(f);
    assert_true(find_call("/chunks") < CALLS_MAX);
    assert_false(sync_rounds_has_names_failed(f->rounds, id));
}

static void
test_stopping_makes_one_more_round(void **state)
{
    fixture *f = *state;
    start(f, SYNC_SECOND);
    journal *last = open_journal(f, id);
    append(f, last, id, 0);
    sync_rounds_stop(f->rounds);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    assert_int_equal(f->durable, 1);
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    sync_rounds_destroy(f->rounds);
    f->rounds = NULL;
    journal_unref(last);
}

static void
test_without_rounds_all_is_durable_at_once(void **state)
{
    fixture *f = *state;
    start(f, SYNC_NEVER);
    journal *one = open_journal(f, id);
    call_count = 0;
    append(f, one, id, 0);
    assert_int_equal(f->durable, 1);
    assert_true(sync_rounds_is_over(f->rounds, sync_rounds_get_coming(f->rounds)));
    assert_false(sync_rounds_is_late(f->rounds));
    assert_int_equal(call_count, 0);
    journal_unref(one);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_what_waits_for_the_disk_stays_open),
        TEST(test_a_round_brings_all_to_the_disk),
        TEST(test_the_catalog_and_a_hello_come_along),
        TEST(test_what_the_disk_refused_is_copied),
        TEST(test_what_waited_for_a_refused_journal_is_durable_with_it),
        TEST(test_what_waited_for_a_refused_hello_is_durable_with_it),
        TEST(test_what_waited_for_a_refused_hello_waits_for_the_one_after_it),
        TEST(test_what_waited_for_a_removed_journal_is_durable),
        TEST(test_what_cannot_be_read_again_is_reported),
        TEST(test_what_was_refused_has_its_place_beside_what_came_meanwhile),
        TEST(test_no_journal_is_made_where_a_copy_is_on_its_way),
        TEST(test_a_journal_that_was_deleted_is_there_again),
        TEST(test_a_journal_that_was_deleted_while_closed_is_damaged),
        TEST(test_a_journal_is_in_the_rounds_until_the_disk_has_it),
        TEST(test_a_log_that_was_refused_stays_a_problem),
        TEST(test_a_removed_journal_is_forgotten),
        TEST(test_names_that_are_gone_come_to_the_disk),
        TEST(test_stopping_makes_one_more_round),
        TEST(test_without_rounds_all_is_durable_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
