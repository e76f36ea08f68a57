// SPDX-License-Identifier: Apache-2.0
// The catalog and the files of a data directory agree again, whatever became of the files: each
// chunk that can be read is in its recording, each that cannot is counted as lost, and nothing else
// changes. A damaged catalog is in test_reconcile_catalog.c.

#include "support/files.h"
#include "unit/collector/mend/reconcile_rig.h"

#include "collector/collect.h"
#include "collector/journal/run_mark.h"
#include "collector/mend/reconcile_session.h"
#include "collector/store/blob_pack.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_disk_bad; // files cannot be read or removed

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
ssize_t __wrap_pread(int fd, void *out, size_t size, off_t offset);
ssize_t __real_pread(int fd, void *out, size_t size, off_t offset);
int __wrap_unlinkat(int fd, const char *name, int flags);
int __real_unlinkat(int fd, const char *name, int flags);

ssize_t
__wrap_pread(int fd, void *out, size_t size, off_t offset)
{
    if (is_disk_bad) {
        errno = EIO;
        return -1;
    }
    return __real_pread(fd, out, size, offset);
}

int
__wrap_unlinkat(int fd, const char *name, int flags)
{
    if (is_disk_bad) {
        errno = EIO;
        return -1;
    }
    return __real_unlinkat(fd, name, flags);
}

typedef struct sized {
    const reconcile_rig *of;
    unsigned session;
} sized;

static void
check_size(void *arg, const catalog_chunk *chunk)
{
    const reconcile_rig *f = ((const sized *)arg)->of;
    char path[RECONCILE_PATH_BYTES];
    struct stat info;
    reconcile_rig_chunk_path(f, ((const sized *)arg)->session, chunk->ordinal, path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(chunk->stored_bytes, info.st_size);
}

// check_sizes checks that the catalog knows the sizes of a session's files, as a download needs.
static void
check_sizes(const reconcile_rig *f, unsigned session)
{
    sized s = {f, session};
    catalog *from = reconcile_rig_open_catalog(f);
    assert_int_equal(
        catalog_list_chunks(from, reconcile_rig_id(session).text, check_size, &s), LP_OK);
    catalog_close(from);
}

// --- Chunks

static void
test_what_agrees_is_left_alone(void **state)
{
    reconcile_rig *f = *state;
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(reconcile_rig_run(f, true, true), 0);
    assert_int_equal(f->counts.sessions, RECONCILE_SESSIONS);
    assert_int_equal(f->counts.chunks, RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    reconcile_rig_check_whole(f);
}

// changed_ns returns when a path changed last.
static int64_t
changed_ns(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return lp_io_changed_ns(&info);
}

// end_run leaves what a clean end leaves, later than every change of the directory before it.
static void
end_run(const reconcile_rig *f)
{
    char mark[RECONCILE_PATH_BYTES];
    char path[RECONCILE_PATH_BYTES];
    int64_t last_ns = 0;
    for (unsigned i = 0; i < RECONCILE_SESSIONS; i++) {
        reconcile_rig_path(f, path, "chunks/%s", reconcile_rig_id(i).text);
        last_ns = changed_ns(path) > last_ns ? changed_ns(path) : last_ns;
    }
    reconcile_rig_path(f, path, "catalog.db");
    last_ns = changed_ns(path) > last_ns ? changed_ns(path) : last_ns;
    reconcile_rig_path(f, mark, "running");
    reconcile_rig_path(f, path, "chunks/ended");
    do { // some milliseconds: the clock of files is coarse
        run_mark_note_end(mark, path);
    } while (run_mark_find_end(mark, path) <= last_ns);
}

static void
test_a_start_after_a_clean_end_looks_at_what_changed(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char aside[RECONCILE_PATH_BYTES];
    end_run(f);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(f->counts.sessions, RECONCILE_SESSIONS);
    assert_int_equal(f->counts.chunks, 0);
    assert_int_equal(reconcile_rig_run(f, true, true), 0); // thoroughly
    assert_int_equal(f->counts.chunks, RECONCILE_SESSIONS * RECONCILE_CHUNKS);

    reconcile_rig_chunk_path(f, 3, 1, path);
    reconcile_rig_path(f, aside, "aside");
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_MISSING], 1);
    assert_int_equal(f->counts.chunks, RECONCILE_CHUNKS);
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_FOUND], 1);
    reconcile_rig_check_whole(f);
}

// A directory that was removed, and one that nobody knows.
static void
test_a_start_after_a_clean_end_finds_directories(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char aside[RECONCILE_PATH_BYTES];
    end_run(f);
    reconcile_rig_path(f, path, "chunks/%s", reconcile_rig_id(5).text);
    reconcile_rig_path(f, aside, "aside");
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(reconcile_rig_start(f), RECONCILE_CHUNKS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_MISSING], RECONCILE_CHUNKS);
    assert_int_equal(rename(aside, path), 0);
    (void)reconcile_rig_start(f);
    reconcile_rig_check_whole(f);
}

// A chunk that the disk did not return is there all the time, and is found when the disk does.
static void
test_a_start_after_a_clean_end_finds_lost_chunks(void **state)
{
    reconcile_rig *f = *state;
    bool is_changed;
    catalog *of = reconcile_rig_open_catalog(f);
    assert_int_equal(catalog_lose_chunk(of, reconcile_rig_id(7).text, 2, true, &is_changed), LP_OK);
    catalog_close(of);
    end_run(f);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_FOUND], 1);
    assert_int_equal(f->counts.chunks, RECONCILE_CHUNKS);
    reconcile_rig_check_whole(f);
}

// A snapshot of the file system of `chunks` brings back files with their times.
static void
test_a_start_after_a_clean_end_sees_older_chunks(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    end_run(f);
    reconcile_rig_path(f, path, "chunks/ended");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(f->counts.chunks, RECONCILE_SESSIONS * RECONCILE_CHUNKS);
}

// Somebody replaced the catalog, or a collector was killed: the time of the end says nothing.
static void
test_a_start_looks_at_all_if_the_catalog_changed(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    end_run(f);
    reconcile_rig_path(f, path, "catalog.db");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(f->counts.chunks, RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    end_run(f);
    reconcile_rig_path(f, path, "running");
    assert_int_equal(run_mark_begin(path, NULL, true), LP_OK);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(f->counts.chunks, RECONCILE_SESSIONS * RECONCILE_CHUNKS);
}

// A row of a damaged catalog, whose id would become part of a path, and one whose id begins as that
// of another.
static void
test_a_session_whose_id_is_none_is_made_again(void **state)
{
    reconcile_rig *f = *state;
    static const char *const renamed[] = {"'../../../etc'", "id || 'x'"};
    for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
        char text[200];
        (void)snprintf(text, sizeof(text),
            "PRAGMA foreign_keys = OFF; UPDATE session SET id = %s WHERE id = '%s'", renamed[i],
            reconcile_rig_id(1).text);
        reconcile_rig_sql(f, text);
        (void)reconcile_rig_run(f, false, true);
        assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
        assert_int_equal(f->counts.found[FINDING_SESSION_UNKNOWN], 1);
        assert_int_equal(f->counts.sessions, RECONCILE_SESSIONS - 1);
        (void)reconcile_rig_start(f);
        assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
        assert_int_equal(reconcile_rig_look(f, 1).chunks, RECONCILE_CHUNKS);
        assert_int_equal(reconcile_rig_start(f), 0);
    }
}

static void
test_a_chunk_without_a_file_is_lost_until_it_is_found(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char aside[RECONCILE_PATH_BYTES];
    reconcile_rig_chunk_path(f, 3, 1, path);
    reconcile_rig_path(f, aside, "aside");
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(reconcile_rig_run(f, false, false), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_MISSING], 1);
    assert_int_equal(f->repaired, 0);
    assert_int_equal(reconcile_rig_look(f, 3).lost, 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->repaired, 1);
    reconcile_known k = reconcile_rig_look(f, 3);
    assert_int_equal(k.lost, 1);
    assert_int_equal(k.row.losses[CATALOG_LOSS_CHUNKS_LOST], 1);
    assert_int_equal(reconcile_rig_start(f), 0); // it is known
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_FOUND], 1);
    assert_int_equal(reconcile_rig_look(f, 3).row.losses[CATALOG_LOSS_CHUNKS_LOST], 0);
    reconcile_rig_check_whole(f);
}

static void
test_a_chunk_of_another_size_is_lost(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    reconcile_rig_chunk_path(f, 0, 0, path);
    assert_int_equal(truncate(path, 0), 0);
    reconcile_rig_chunk_path(f, 1, 2, path);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(reconcile_rig_start(f), 2);
    assert_int_equal(f->counts.found[FINDING_CHUNK_DAMAGED], 2);
    assert_int_equal(reconcile_rig_look(f, 0).lost, 1);
    assert_int_equal(reconcile_rig_look(f, 1).lost, 1);
    assert_int_equal(reconcile_rig_start(f), 0);
}

// Otherwise it would count as lost with one start, and be found with the next; and downloads would
// leave it out.
static void
test_a_size_that_the_catalog_has_wrong_costs_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    reconcile_rig_sql(f, "UPDATE chunk SET stored_bytes = stored_bytes + 1");
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(reconcile_rig_start(f), 0);
    reconcile_rig_check_whole(f);
    check_sizes(f, 3);
    reconcile_rig_sql(f, "UPDATE chunk SET stored_bytes = 1, is_lost = 1");
    assert_int_equal(reconcile_rig_start(f), RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    reconcile_rig_check_whole(f);
    check_sizes(f, 3);
}

static void
remove_session(const reconcile_rig *f, unsigned session)
{
    catalog *c = reconcile_rig_open_catalog(f);
    assert_int_equal(catalog_remove_session(c, reconcile_rig_id(session).text), LP_OK);
    catalog_close(c);
}

// is_unchanged returns whether a chunk can be read, and is what was stored.
static bool
is_unchanged(const reconcile_rig *f, unsigned session, uint32_t ordinal)
{
    const lp_slice right = lp_buf_slice(&f->chunks[ordinal]);
    const reconcile_id id = reconcile_rig_id(session);
    const blob_name name = {.session_id = id.text,
        .ordinal = ordinal,
        .size_bytes = right.len,
        .content_hash = blobs_hash(right)};
    blobs *chunks = reconcile_rig_open_blobs(f);
    lp_buf bytes = {0};
    bool is_read = blobs_read_chunk(chunks, &name, &bytes) == LP_OK;
    if (is_read) {
        assert_int_equal(bytes.len, right.len);
        assert_memory_equal(bytes.ptr, right.ptr, right.len);
    }
    lp_buf_fini(&bytes);
    blobs_close(chunks);
    return is_read;
}

// Nothing depends on a few bits of a Zstandard frame: these are no damage. The directory has one
// session, because each run reads all of it.
static void
test_a_flipped_byte_is_found_by_reading_all(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    for (unsigned i = 0; i < RECONCILE_SESSIONS; i++) {
        if (i != 5) {
            remove_session(f, i);
        }
    }
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(f->counts.sessions, 1);
    reconcile_rig_chunk_path(f, 5, 3, path);
    unsigned tries = 0;
    unsigned harmless = 0;
    for (off_t at = 0; at < files_size(path); at += 7) {
        files_flip(path, at, 0x10);
        unsigned damaged = is_unchanged(f, 5, 3) ? 0 : 1;
        assert_int_equal(reconcile_rig_run(f, false, true), damaged);
        assert_int_equal(f->counts.found[FINDING_CHUNK_DAMAGED], damaged);
        files_flip(path, at, 0x10);
        harmless += 1 - damaged;
        tries++;
    }
    assert_true(harmless < tries / 10);
    assert_int_equal(reconcile_rig_run(f, false, true), 0);
}

static void
test_what_a_write_left_is_removed(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    reconcile_rig_path(f, path, "chunks/%s/4.jfr.zst.tmp", reconcile_rig_id(0).text);
    files_write(path, "", 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_FILE_LEFT], 1);
    assert_int_equal(access(path, F_OK), -1);
}

// put_file makes a file of a session without a row.
static void
put_file(const reconcile_rig *f, unsigned session, uint32_t ordinal, lp_slice bytes)
{
    char path[RECONCILE_PATH_BYTES];
    uint64_t packed_bytes;
    reconcile_rig_path(f, path, "chunks/%s/%u.jfr.zst", reconcile_rig_id(session).text, ordinal);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(blob_pack_write(fd, bytes, &packed_bytes), LP_OK);
    assert_int_equal(close(fd), 0);
}

static void
make_journal(const reconcile_rig *f, unsigned session, uint32_t ordinal)
{
    const reconcile_id id = reconcile_rig_id(session);
    char path[RECONCILE_PATH_BYTES];
    reconcile_rig_path(f, path, "journal");
    (void)mkdir(path, 0700);
    reconcile_rig_path(f, path, "journal/%s", id.text);
    (void)mkdir(path, 0700);
    reconcile_rig_path(f, path, "journal/%s/%u.log", id.text, ordinal);
    files_write(path, "", 0);
}

static void
test_a_chunk_without_a_row_is_adopted(void **state)
{
    reconcile_rig *f = *state;
    put_file(f, 2, RECONCILE_CHUNKS, lp_buf_slice(&f->chunks[1]));
    assert_int_equal(reconcile_rig_run(f, false, true), 1);
    assert_int_equal(reconcile_rig_look(f, 2).chunks, RECONCILE_CHUNKS);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], 1);
    const reconcile_known k = reconcile_rig_look(f, 2);
    assert_int_equal(k.chunks, RECONCILE_CHUNKS + 1);
    assert_int_equal(k.row.next_chunk, RECONCILE_CHUNKS + 1);
    assert_true(k.hashes[RECONCILE_CHUNKS] == blobs_hash(lp_buf_slice(&f->chunks[1])));
    assert_int_equal(k.row.totals.events_out, (RECONCILE_CHUNKS + 1) * RECONCILE_EVENTS);
    reconcile_rig_check_requests(&k, RECONCILE_CHUNKS + 1);
    assert_int_equal(k.row.losses[CATALOG_LOSS_STATISTICS_LOST], 1);
    assert_int_equal(k.row.losses[CATALOG_LOSS_CARRIES_LOST], 1);
    assert_int_equal(reconcile_rig_start(f), 0);
}

// With a large store the sizes of most files are not asked for.
static void
test_a_chunk_that_is_adopted_late_has_its_size(void **state)
{
    reconcile_rig *f = *state;
    char chunks[RECONCILE_PATH_BYTES];
    put_file(f, 2, RECONCILE_CHUNKS, lp_buf_slice(&f->chunks[1]));
    reconcile_rig_path(f, chunks, "chunks");
    data_dir *dir;
    assert_int_equal(data_dir_open(f->dir.path, &dir, NULL), LP_OK);
    const reconcile_config config = {.dir = dir, .is_repairing = true};
    reconcile_counts counts = {0};
    reconciler each = {.config = &config,
        .counts = &counts,
        .catalog = reconcile_rig_open_catalog(f),
        .blobs = reconcile_rig_open_blobs(f),
        .blobs_path = chunks,
        .ids = id_rows_make_nobody(),
        .sizes_end_ns = 1}; // long ago
    assert_int_equal(reconcile_session_check(&each, reconcile_rig_id(2).text, true), LP_OK);
    blobs_close(each.blobs);
    catalog_close(each.catalog);
    data_dir_close(dir);
    assert_int_equal(counts.sessions_unsized, 1);
    assert_int_equal(reconcile_rig_look(f, 2).chunks, RECONCILE_CHUNKS + 1);
    check_sizes(f, 2);
}

static void
test_a_chunk_whose_journal_waits_is_left_alone(void **state)
{
    reconcile_rig *f = *state;
    put_file(f, 2, RECONCILE_CHUNKS, lp_buf_slice(&f->chunks[1]));
    make_journal(f, 2, RECONCILE_CHUNKS);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(reconcile_rig_look(f, 2).chunks, RECONCILE_CHUNKS);
}

static void
test_a_journal_that_waits_is_not_passed_over(void **state)
{
    reconcile_rig *f = *state;
    put_file(f, 2, RECONCILE_CHUNKS + 1, lp_buf_slice(&f->chunks[1]));
    make_journal(f, 2, RECONCILE_CHUNKS);
    assert_int_equal(reconcile_rig_start(f), 1);
    const reconcile_known k = reconcile_rig_look(f, 2);
    assert_int_equal(k.chunks, RECONCILE_CHUNKS + 1);
    assert_int_equal(k.row.next_chunk, RECONCILE_CHUNKS);
}

static void
test_a_file_that_is_no_chunk_is_put_aside(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    put_file(f, 2, RECONCILE_CHUNKS, (lp_slice){(const uint8_t *)"FLR", 3});
    put_file(f, 4, RECONCILE_CHUNKS, (lp_slice){f->chunks[0].ptr, f->chunks[0].len - 1});
    assert_int_equal(reconcile_rig_start(f), 2);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREADABLE], 2);
    reconcile_rig_path(
        f, path, "damaged/%s-%d.jfr.zst", reconcile_rig_id(2).text, RECONCILE_CHUNKS);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(reconcile_rig_look(f, 2).row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    reconcile_rig_check_whole(f);
}

// --- A disk that fails

static uint64_t
start_on_bad_disk(reconcile_rig *f, bool is_thorough)
{
    is_disk_bad = true;
    uint64_t found = reconcile_rig_run(f, true, is_thorough);
    is_disk_bad = false;
    return found;
}

// The disk may come back.
static void
test_a_chunk_that_cannot_be_read_is_not_lost(void **state)
{
    reconcile_rig *f = *state;
    assert_int_equal(start_on_bad_disk(f, true), RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    assert_int_equal(f->repaired, 0);
    reconcile_rig_check_whole(f);
    reconcile_rig_sql(f, "UPDATE chunk SET stored_bytes = stored_bytes + 1 WHERE ordinal = 1");
    assert_int_equal(start_on_bad_disk(f, false), RECONCILE_SESSIONS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], RECONCILE_SESSIONS);
    reconcile_rig_check_whole(f);
    assert_int_equal(reconcile_rig_start(f), 0);
    check_sizes(f, 3);
}

static void
test_a_file_that_cannot_be_read_stays_where_it_is(void **state)
{
    reconcile_rig *f = *state;
    put_file(f, 2, RECONCILE_CHUNKS, lp_buf_slice(&f->chunks[1]));
    assert_int_equal(start_on_bad_disk(f, false), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], 1);
    assert_int_equal(reconcile_rig_look(f, 2).row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 0);
    assert_int_equal(reconcile_rig_start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], 1);
    assert_int_equal(reconcile_rig_look(f, 2).chunks, RECONCILE_CHUNKS + 1);
}

static void
expire_first(const reconcile_rig *f, unsigned session)
{
    catalog_old_chunk first = {.ordinal = 0};
    memcpy(first.session_id, reconcile_rig_id(session).text, sizeof(first.session_id));
    catalog *c = reconcile_rig_open_catalog(f);
    assert_int_equal(catalog_expire(c, &first, 1), LP_OK);
    catalog_close(c);
}

// Files without rows are chunks of a catalog that lost them, but for those that are to go.
static void
test_what_is_to_go_and_cannot_is_not_adopted(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    expire_first(f, 3);
    expire_first(f, 9);
    remove_session(f, 5);
    assert_int_equal(start_on_bad_disk(f, false), 2 + 1 + RECONCILE_CHUNKS);
    assert_int_equal(f->counts.found[FINDING_FILE_UNREMOVED], 2 + 1 + RECONCILE_CHUNKS);
    assert_int_equal(f->repaired, 0);
    assert_int_equal(reconcile_rig_look(f, 3).chunks, RECONCILE_CHUNKS - 1);
    assert_int_equal(reconcile_rig_look(f, 9).chunks, RECONCILE_CHUNKS - 1);
    reconcile_rig_chunk_path(f, 3, 0, path);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(reconcile_rig_start(f), 0);
    assert_int_equal(access(path, F_OK), -1);
    reconcile_rig_chunk_path(f, 5, 2, path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(f->counts.sessions, RECONCILE_SESSIONS - 1);
}

// put_damaged makes a file of a session that was put aside as damaged.
static void
put_damaged(
    const reconcile_rig *f, unsigned session, const char *what, char out_path[RECONCILE_PATH_BYTES])
{
    reconcile_rig_path(f, out_path, "damaged/%s-%s", reconcile_rig_id(session).text, what);
    files_write(out_path, "", 0);
}

static char removed_path[RECONCILE_PATH_BYTES]; // a file of damaged/
static bool is_synced_without;
static bool are_journals_synced;

static void
note_sync(const char *path)
{
    const char *end = strrchr(path, '/');
    if (end != NULL && strcmp(end, "/damaged") == 0 && access(removed_path, F_OK) != 0) {
        is_synced_without = true;
    }
    are_journals_synced |= end != NULL && strcmp(end, "/journal") == 0;
}

// A recording that somebody removed goes whole, though the collector was killed in between. The
// disk has it that what was put aside is gone before the note goes by which it would be removed.
static void
test_what_was_put_aside_goes_with_its_recording(void **state)
{
    reconcile_rig *f = *state;
    char aside[RECONCILE_PATH_BYTES];
    char piece[RECONCILE_PATH_BYTES];
    char other[RECONCILE_PATH_BYTES];
    assert_int_equal(reconcile_rig_start(f), 0);
    put_damaged(f, 5, "0.log", aside);
    put_damaged(f, 5, "1.100.piece", piece);
    put_damaged(f, 6, "0.log", other);
    remove_session(f, 5);
    expire_first(f, 6);
    (void)snprintf(removed_path, sizeof(removed_path), "%s", aside);
    is_synced_without = are_journals_synced = false;
    reconcile_rig_watch_syncs(note_sync);
    assert_int_equal(reconcile_rig_start(f), 0);
    reconcile_rig_watch_syncs(NULL);
    assert_true(is_synced_without);
    assert_true(are_journals_synced); // an earlier run may have removed some
    assert_int_equal(access(aside, F_OK), -1);
    assert_int_equal(access(piece, F_OK), -1);
    assert_int_equal(access(other, F_OK), 0);
}

static bool
compares(const reconcile_rig *f)
{
    const server_config config = {.data_dir = f->dir.path};
    lp_problem problem;
    bool is_compared;
    assert_int_equal(collect_mend(&config, &is_compared, &problem), LP_OK);
    return is_compared;
}

// check_file_instead puts a file in a directory's place for a start.
static void
check_file_instead(const reconcile_rig *f, const char *path)
{
    char aside[RECONCILE_PATH_BYTES];
    reconcile_rig_path(f, aside, "aside");
    assert_int_equal(rename(path, aside), 0);
    files_write(path, "", 0);
    assert_false(compares(f));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rename(aside, path), 0);
}

// The collector starts, and the next start looks again.
static void
test_a_start_that_could_not_compare_says_so(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    assert_true(compares(f));
    reconcile_rig_sql(f, "UPDATE chunk SET stored_bytes = stored_bytes + 1 WHERE ordinal = 1");
    is_disk_bad = true;
    assert_false(compares(f));
    is_disk_bad = false;
    assert_true(compares(f));
    reconcile_rig_path(f, path, "chunks/%s", reconcile_rig_id(3).text);
    check_file_instead(f, path);
    reconcile_rig_path(f, path, "chunks");
    check_file_instead(f, path);
    assert_true(compares(f));
    reconcile_rig_check_whole(f);
}

static void
test_an_empty_directory_is_fine(void **state)
{
    reconcile_rig *f = *state;
    temp_dir_remove(&f->dir);
    f->dir = temp_dir_make();
    assert_int_equal(reconcile_rig_run(f, false, true), 0);
    assert_int_equal(reconcile_rig_start(f), 0);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, reconcile_rig_setup, reconcile_rig_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_agrees_is_left_alone),
        TEST(test_a_start_after_a_clean_end_looks_at_what_changed),
        TEST(test_a_start_after_a_clean_end_finds_directories),
        TEST(test_a_start_after_a_clean_end_finds_lost_chunks),
        TEST(test_a_start_after_a_clean_end_sees_older_chunks),
        TEST(test_a_start_looks_at_all_if_the_catalog_changed),
        TEST(test_a_session_whose_id_is_none_is_made_again),
        TEST(test_a_chunk_without_a_file_is_lost_until_it_is_found),
        TEST(test_a_chunk_of_another_size_is_lost),
        TEST(test_a_size_that_the_catalog_has_wrong_costs_no_chunk),
        TEST(test_a_flipped_byte_is_found_by_reading_all),
        TEST(test_what_a_write_left_is_removed),
        TEST(test_a_chunk_without_a_row_is_adopted),
        TEST(test_a_chunk_that_is_adopted_late_has_its_size),
        TEST(test_a_chunk_whose_journal_waits_is_left_alone),
        TEST(test_a_journal_that_waits_is_not_passed_over),
        TEST(test_a_file_that_is_no_chunk_is_put_aside),
        TEST(test_a_chunk_that_cannot_be_read_is_not_lost),
        TEST(test_a_file_that_cannot_be_read_stays_where_it_is),
        TEST(test_what_is_to_go_and_cannot_is_not_adopted),
        TEST(test_what_was_put_aside_goes_with_its_recording),
        TEST(test_a_start_that_could_not_compare_says_so),
        TEST(test_an_empty_directory_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
