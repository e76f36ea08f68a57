// SPDX-License-Identifier: Apache-2.0
// The catalog and the files of a data directory agree again, whatever became of either: each chunk
// that can be read is in its recording, each that cannot is counted as lost, and nothing else
// changes. A damaged catalog costs what is on its damaged pages, and no chunk.

#include "support/jfr_orders.h"
#include "support/jfr_sample.h"
#include "support/temp_dir.h"

#include "collector/index/id_store.h"
#include "collector/reconcile.h"
#include "collector/reconcile_session.h"
#include "collector/store/blobs.h"
#include "collector/store/catalog.h"
#include "collector/store/catalog_db.h"
#include "collector/store/catalog_expiry.h"
#include "collector/store/catalog_rollups.h"
#include "common/base/lp_buf.h"
#include "common/wire/wire.h"

#include <errno.h>
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
    SESSIONS = 24,
    CHUNKS = 4, // of each
    EVENTS = 3, // of each chunk
    PAGE_BYTES = 4096,
    FLIPS = 60,
};

static const int64_t SECOND_NS = 1000000000;
static const int64_t START_NS = 1795392000000000000;

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

typedef struct fixture {
    temp_dir dir;
    lp_buf chunks[CHUNKS]; // their content, which is the same in each session
    reconcile_counts counts;
    unsigned repaired;
    bool is_ending;
    unsigned looks; // after so many it is ending; 0: any number
} fixture;

static void
format_id(unsigned session, char out_id[CATALOG_ID_CHARS + 1])
{
    (void)snprintf(out_id, CATALOG_ID_CHARS + 1, "%032x", session + 1);
}

static void
path_of(const fixture *f, const char *name, char out_path[400])
{
    (void)snprintf(out_path, 400, "%s/%s", f->dir.path, name);
}

static void
chunk_path(const fixture *f, unsigned session, uint32_t ordinal, char out_path[400])
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(session, id);
    (void)snprintf(out_path, 400, "%s/chunks/%s/%u.jfr.zst", f->dir.path, id, ordinal);
}

static void
make_chunk(lp_buf *out, uint32_t ordinal)
{
    jfr_build build;
    jfr_build_type types[JFR_ORDERS_TYPES_MAX];
    size_t type_count = jfr_orders_types(types);
    int64_t start_ns = START_NS + ordinal * SECOND_NS;
    jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = start_ns,
                                .ticks_per_s = SECOND_NS,
                                .start_wall_ns = start_ns,
                                .duration_ns = SECOND_NS});
    jfr_build_metadata(&build, 1, types, type_count);
    jfr_sample_thread(&build, 1, 11);
    for (int64_t i = 0; i < EVENTS; i++) {
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_ns + i,
                                     .end = start_ns + i + 5,
                                     .thread = 1,
                                     .text = "abc"});
    }
    jfr_build_checkpoint(&build);
    lp_slice chunk = jfr_build_finish(&build);
    lp_buf_append(out, chunk.ptr, chunk.len);
    assert_int_equal(lp_buf_check(out), LP_OK);
    jfr_build_fini(&build);
}

static void
make_rollup(rollup *out)
{
    rollup_init(out);
    rollup_type *type = rollup_add_type(out, "test.Order");
    assert_non_null(type);
    for (unsigned i = 0; i < 40; i++) {
        char value[16];
        (void)snprintf(value, sizeof(value), "value-%u", i);
        rollup_attribute *attribute = rollup_add_attribute(out, type, "name");
        assert_non_null(rollup_add_value(out, attribute, (lp_slice){(uint8_t *)value, 8}));
    }
}

static catalog *
open_catalog(const fixture *f)
{
    char path[400];
    catalog *opened;
    lp_problem problem;
    path_of(f, "catalog.db", path);
    if (catalog_open(path, &opened, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    return opened;
}

static blobs *
open_blobs(const fixture *f)
{
    char path[400];
    blobs *opened;
    path_of(f, "chunks", path);
    assert_int_equal(blobs_open(path, &opened, NULL), LP_OK);
    blobs_set_durable(opened, false);
    return opened;
}

static void
store_session(const fixture *f, catalog *to, blobs *chunks, unsigned session)
{
    static char service[] = "shop";
    static char instance[] = "shop-1";
    static char jvm[] = "HotSpot";
    catalog_session row = {.service = service,
        .instance = instance,
        .jvm_name = jvm,
        .jvm_version = jvm,
        .pid = session,
        .start_wall_ns = START_NS,
        .next_sequence = 17};
    format_id(session, row.id);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        rollup sums;
        make_rollup(&sums);
        const catalog_chunk base = {.ordinal = i,
            .start_wall_ns = START_NS + i * SECOND_NS,
            .duration_ns = SECOND_NS,
            .size_bytes = f->chunks[i].len,
            .rollup = &sums,
            .types_json = "{\"test.Order\":{\"in\":4,\"out\":3,\"dropped\":{\"select\":1}}}"};
        catalog_chunk chunk = base;
        blobs_stored stored;
        assert_int_equal(blobs_put(chunks, row.id, i, lp_buf_slice(&f->chunks[i]), &stored), LP_OK);
        chunk.content_hash = stored.content_hash;
        chunk.stored_bytes = stored.stored_bytes;
        row.next_chunk = i + 1;
        row.totals.events_in += EVENTS + 1;
        row.totals.events_out += EVENTS;
        row.end_wall_ns = START_NS + (i + 1) * SECOND_NS;
        uint8_t carry[] = {1, 2, 3};
        assert_int_equal(
            catalog_add_chunk(to, &row, &chunk, (lp_slice){carry, sizeof(carry)}), LP_OK);
        rollup_fini(&sums);
    }
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    for (uint32_t i = 0; i < CHUNKS; i++) {
        make_chunk(&f->chunks[i], i);
    }
    catalog *to = open_catalog(f);
    blobs *chunks = open_blobs(f);
    for (unsigned s = 0; s < SESSIONS; s++) {
        store_session(f, to, chunks, s);
    }
    blobs_close(chunks);
    catalog_close(to);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    for (uint32_t i = 0; i < CHUNKS; i++) {
        lp_buf_fini(&f->chunks[i]);
    }
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
on_finding(void *arg, const finding *found)
{
    fixture *f = arg;
    f->repaired += found->is_repaired ? 1 : 0;
    fprintf(stderr, "%s %s %u %s\n", finding_name(found->kind),
        found->session_id ? found->session_id : "", found->ordinal, found->detail);
}

static bool
is_ending(void *arg)
{
    fixture *f = arg;
    if (f->looks > 0) {
        f->is_ending = --f->looks == 0 || f->is_ending;
    }
    return f->is_ending;
}

static lp_err
try_run(fixture *f, bool is_repairing, bool is_thorough, lp_problem *out_problem)
{
    data_dir *dir;
    assert_int_equal(data_dir_open(f->dir.path, &dir, out_problem), LP_OK);
    f->repaired = 0;
    const reconcile_config config = {.dir = dir,
        .is_repairing = is_repairing,
        .is_thorough = is_thorough,
        .is_ending = is_ending,
        .on_finding = on_finding,
        .arg = f};
    lp_err err = reconcile_run(&config, &f->counts, out_problem);
    data_dir_close(dir);
    return err;
}

// run returns how many findings there were.
static uint64_t
run(fixture *f, bool is_repairing, bool is_thorough)
{
    lp_problem problem;
    if (try_run(f, is_repairing, is_thorough, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        sum += f->counts.found[i];
    }
    return sum;
}

static uint64_t
start(fixture *f)
{
    return run(f, true, false);
}

typedef struct sized {
    const fixture *of;
    unsigned session;
} sized;

// --- What the catalog has

typedef struct known {
    catalog_session row; // without its texts
    char service[40];
    uint32_t chunks;
    uint32_t lost;
    uint64_t hashes[CHUNKS + 2];
} known;

static void
note_session(void *arg, const catalog_session *row)
{
    known *k = arg;
    k->row = *row;
    (void)snprintf(k->service, sizeof(k->service), "%s", row->service);
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    known *k = arg;
    assert_true(chunk->ordinal < CHUNKS + 2);
    k->hashes[chunk->ordinal] = chunk->content_hash;
    k->lost += chunk->is_lost ? 1 : 0;
    k->chunks++;
}

static known
look(const fixture *f, unsigned session)
{
    known k = {0};
    char id[CATALOG_ID_CHARS + 1];
    catalog *from = open_catalog(f);
    format_id(session, id);
    assert_int_equal(catalog_find(from, id, note_session, &k), LP_OK);
    assert_int_equal(catalog_list_chunks(from, id, note_chunk, &k), LP_OK);
    catalog_close(from);
    return k;
}

// check_whole checks that the catalog has every chunk of every session.
static void
check_whole(const fixture *f)
{
    for (unsigned s = 0; s < SESSIONS; s++) {
        const known k = look(f, s);
        assert_int_equal(k.chunks, CHUNKS);
        assert_int_equal(k.lost, 0);
        assert_int_equal(k.row.next_chunk, CHUNKS);
        for (uint32_t i = 0; i < CHUNKS; i++) {
            assert_true(k.hashes[i] == blobs_hash(lp_buf_slice(&f->chunks[i])));
        }
    }
}

// --- Chunks

static void
test_what_agrees_is_left_alone(void **state)
{
    fixture *f = *state;
    assert_int_equal(start(f), 0);
    assert_int_equal(run(f, true, true), 0);
    assert_int_equal(f->counts.sessions, SESSIONS);
    assert_int_equal(f->counts.chunks, SESSIONS * CHUNKS);
    check_whole(f);
}

static void
test_a_chunk_without_a_file_is_lost_until_it_is_found(void **state)
{
    fixture *f = *state;
    char path[400];
    char aside[400];
    chunk_path(f, 3, 1, path);
    path_of(f, "aside", aside);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(run(f, false, false), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_MISSING], 1);
    assert_int_equal(f->repaired, 0);
    assert_int_equal(look(f, 3).lost, 0);
    assert_int_equal(start(f), 1);
    assert_int_equal(f->repaired, 1);
    known k = look(f, 3);
    assert_int_equal(k.lost, 1);
    assert_int_equal(k.row.losses[CATALOG_LOSS_CHUNKS_LOST], 1);
    assert_int_equal(start(f), 0); // it is known
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_FOUND], 1);
    assert_int_equal(look(f, 3).row.losses[CATALOG_LOSS_CHUNKS_LOST], 0);
    check_whole(f);
}

static void
test_a_chunk_of_another_size_is_lost(void **state)
{
    fixture *f = *state;
    char path[400];
    chunk_path(f, 0, 0, path);
    assert_int_equal(truncate(path, 0), 0);
    chunk_path(f, 1, 2, path);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(start(f), 2);
    assert_int_equal(f->counts.found[FINDING_CHUNK_DAMAGED], 2);
    assert_int_equal(look(f, 0).lost, 1);
    assert_int_equal(look(f, 1).lost, 1);
    assert_int_equal(start(f), 0);
}

static void
check_size(void *arg, const catalog_chunk *chunk)
{
    const fixture *f = ((const sized *)arg)->of;
    char path[400];
    struct stat info;
    chunk_path(f, ((const sized *)arg)->session, chunk->ordinal, path);
    if (stat(path, &info) != 0) { // of a version before
        path[strlen(path) - strlen(".zst")] = '\0';
        assert_int_equal(stat(path, &info), 0);
    }
    assert_int_equal(chunk->stored_bytes, info.st_size);
}

// check_sizes checks that the catalog knows the sizes of a session's files, as a download needs.
static void
check_sizes(const fixture *f, unsigned session)
{
    char id[CATALOG_ID_CHARS + 1];
    sized s = {f, session};
    catalog *from = open_catalog(f);
    format_id(session, id);
    assert_int_equal(catalog_list_chunks(from, id, check_size, &s), LP_OK);
    catalog_close(from);
}

// Otherwise it would count as lost with one start, and be found with the next; and downloads would
// leave it out.
static void
test_a_size_that_the_catalog_has_wrong_costs_no_chunk(void **state)
{
    fixture *f = *state;
    static const char sql[] = "UPDATE chunk SET stored_bytes = stored_bytes + 1";
    catalog *c = open_catalog(f);
    assert_int_equal(sqlite3_exec(c->db, sql, NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
    assert_int_equal(start(f), 0);
    assert_int_equal(start(f), 0);
    check_whole(f);
    check_sizes(f, 3);
    c = open_catalog(f);
    static const char lost[] = "UPDATE chunk SET stored_bytes = 1, is_lost = 1";
    assert_int_equal(sqlite3_exec(c->db, lost, NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
    assert_int_equal(start(f), SESSIONS * CHUNKS);
    check_whole(f);
    check_sizes(f, 3);
}

static off_t
size_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void
flip(const char *path, off_t offset, uint8_t mask)
{
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    uint8_t byte;
    assert_int_equal(pread(fd, &byte, 1, offset), 1);
    byte ^= mask;
    assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
    assert_int_equal(close(fd), 0);
}

static void
test_a_flipped_byte_is_found_by_reading_all(void **state)
{
    fixture *f = *state;
    char path[400];
    chunk_path(f, 5, 3, path);
    for (off_t at = 0; at < size_of(path); at += 7) {
        flip(path, at, 0x10);
        assert_int_equal(run(f, false, true), 1);
        assert_int_equal(f->counts.found[FINDING_CHUNK_DAMAGED], 1);
        flip(path, at, 0x10);
    }
    assert_int_equal(run(f, false, true), 0);
}

static void
test_what_a_write_left_is_removed(void **state)
{
    fixture *f = *state;
    char whole[400];
    char path[410];
    chunk_path(f, 0, 4, whole);
    (void)snprintf(path, sizeof(path), "%s.tmp", whole);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fclose(file);
    assert_int_equal(start(f), 1);
    assert_int_equal(f->counts.found[FINDING_FILE_LEFT], 1);
    assert_int_equal(access(path, F_OK), -1);
}

// put_file makes a file of a session without a row.
static void
put_file(const fixture *f, unsigned session, uint32_t ordinal, lp_slice bytes)
{
    char id[CATALOG_ID_CHARS + 1];
    char path[400];
    format_id(session, id);
    (void)snprintf(path, sizeof(path), "%s/chunks/%s/%u.jfr", f->dir.path, id, ordinal);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static void
make_journal(const fixture *f, unsigned session, uint32_t ordinal)
{
    char id[CATALOG_ID_CHARS + 1];
    char path[400];
    format_id(session, id);
    (void)snprintf(path, sizeof(path), "%s/journal", f->dir.path);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s/journal/%s", f->dir.path, id);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof(path), "%s/journal/%s/%u.log", f->dir.path, id, ordinal);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void
test_a_chunk_without_a_row_is_adopted(void **state)
{
    fixture *f = *state;
    put_file(f, 2, CHUNKS, lp_buf_slice(&f->chunks[1]));
    assert_int_equal(run(f, false, true), 1);
    assert_int_equal(look(f, 2).chunks, CHUNKS);
    assert_int_equal(start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], 1);
    const known k = look(f, 2);
    assert_int_equal(k.chunks, CHUNKS + 1);
    assert_int_equal(k.row.next_chunk, CHUNKS + 1);
    assert_true(k.hashes[CHUNKS] == blobs_hash(lp_buf_slice(&f->chunks[1])));
    assert_int_equal(k.row.totals.events_out, (CHUNKS + 1) * EVENTS);
    assert_int_equal(k.row.losses[CATALOG_LOSS_STATISTICS_LOST], 1);
    assert_int_equal(k.row.losses[CATALOG_LOSS_CARRIES_LOST], 1);
    assert_int_equal(start(f), 0);
}

// With a large store the sizes of most files are not asked for.
static void
test_a_chunk_that_is_adopted_late_has_its_size(void **state)
{
    fixture *f = *state;
    char id[CATALOG_ID_CHARS + 1];
    char chunks[400];
    char ids[400];
    put_file(f, 2, CHUNKS, lp_buf_slice(&f->chunks[1]));
    format_id(2, id);
    path_of(f, "chunks", chunks);
    path_of(f, "ids", ids);
    data_dir *dir;
    assert_int_equal(data_dir_open(f->dir.path, &dir, NULL), LP_OK);
    const reconcile_config config = {.dir = dir, .is_repairing = true};
    reconcile_counts counts = {0};
    reconciler each = {.config = &config,
        .counts = &counts,
        .catalog = open_catalog(f),
        .blobs = open_blobs(f),
        .blobs_path = chunks,
        .sizes_end_ns = 1}; // long ago
    assert_int_equal(id_store_open(&each.ids, ids, NULL), LP_OK);
    assert_int_equal(reconcile_session_check(&each, id, true), LP_OK);
    id_store_close(&each.ids);
    blobs_close(each.blobs);
    catalog_close(each.catalog);
    data_dir_close(dir);
    assert_int_equal(counts.sessions_unsized, 1);
    assert_int_equal(look(f, 2).chunks, CHUNKS + 1);
    check_sizes(f, 2);
}

static void
test_a_chunk_whose_journal_waits_is_left_alone(void **state)
{
    fixture *f = *state;
    put_file(f, 2, CHUNKS, lp_buf_slice(&f->chunks[1]));
    make_journal(f, 2, CHUNKS);
    assert_int_equal(start(f), 0);
    assert_int_equal(look(f, 2).chunks, CHUNKS);
}

static void
test_a_journal_that_waits_is_not_passed_over(void **state)
{
    fixture *f = *state;
    put_file(f, 2, CHUNKS + 1, lp_buf_slice(&f->chunks[1]));
    make_journal(f, 2, CHUNKS);
    assert_int_equal(start(f), 1);
    const known k = look(f, 2);
    assert_int_equal(k.chunks, CHUNKS + 1);
    assert_int_equal(k.row.next_chunk, CHUNKS);
}

static void
test_a_file_that_is_no_chunk_is_put_aside(void **state)
{
    fixture *f = *state;
    char path[400];
    char id[CATALOG_ID_CHARS + 1];
    put_file(f, 2, CHUNKS, (lp_slice){(const uint8_t *)"FLR", 3});
    put_file(f, 4, CHUNKS, (lp_slice){f->chunks[0].ptr, f->chunks[0].len - 1});
    assert_int_equal(start(f), 2);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREADABLE], 2);
    format_id(2, id);
    (void)snprintf(path, sizeof(path), "%s/damaged/%s-%d.jfr", f->dir.path, id, CHUNKS);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(look(f, 2).row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 1);
    check_whole(f);
}

// --- A disk that fails

static uint64_t
start_on_bad_disk(fixture *f, bool is_thorough)
{
    is_disk_bad = true;
    uint64_t found = run(f, true, is_thorough);
    is_disk_bad = false;
    return found;
}

// The disk may come back.
static void
test_a_chunk_that_cannot_be_read_is_not_lost(void **state)
{
    fixture *f = *state;
    static const char sql[] = "UPDATE chunk SET stored_bytes = stored_bytes + 1 WHERE ordinal = 1";
    assert_int_equal(start_on_bad_disk(f, true), SESSIONS * CHUNKS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], SESSIONS * CHUNKS);
    assert_int_equal(f->repaired, 0);
    check_whole(f);
    catalog *c = open_catalog(f);
    assert_int_equal(sqlite3_exec(c->db, sql, NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
    assert_int_equal(start_on_bad_disk(f, false), SESSIONS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], SESSIONS);
    check_whole(f);
    assert_int_equal(start(f), 0);
    check_sizes(f, 3);
}

static void
test_a_file_that_cannot_be_read_stays_where_it_is(void **state)
{
    fixture *f = *state;
    put_file(f, 2, CHUNKS, lp_buf_slice(&f->chunks[1]));
    assert_int_equal(start_on_bad_disk(f, false), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNREAD], 1);
    assert_int_equal(look(f, 2).row.losses[CATALOG_LOSS_CHUNKS_UNREADABLE], 0);
    assert_int_equal(start(f), 1);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], 1);
    assert_int_equal(look(f, 2).chunks, CHUNKS + 1);
}

static void
expire_first(const fixture *f, unsigned session)
{
    catalog_old_chunk first = {.ordinal = 0};
    format_id(session, first.session_id);
    catalog *c = open_catalog(f);
    assert_int_equal(catalog_expire(c, &first, 1), LP_OK);
    catalog_close(c);
}

static void
remove_session(const fixture *f, unsigned session)
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(session, id);
    catalog *c = open_catalog(f);
    assert_int_equal(catalog_remove_session(c, id), LP_OK);
    catalog_close(c);
}

// Files without rows are chunks of a catalog that lost them, but for those that are to go.
static void
test_what_is_to_go_and_cannot_is_not_adopted(void **state)
{
    fixture *f = *state;
    char path[400];
    expire_first(f, 3);
    expire_first(f, 9);
    remove_session(f, 5);
    assert_int_equal(start_on_bad_disk(f, false), 2 + 1 + CHUNKS);
    assert_int_equal(f->counts.found[FINDING_FILE_UNREMOVED], 2 + 1 + CHUNKS);
    assert_int_equal(f->repaired, 0);
    assert_int_equal(look(f, 3).chunks, CHUNKS - 1);
    assert_int_equal(look(f, 9).chunks, CHUNKS - 1);
    chunk_path(f, 3, 0, path);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(start(f), 0);
    assert_int_equal(access(path, F_OK), -1);
    chunk_path(f, 5, 2, path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(f->counts.sessions, SESSIONS - 1);
}

// put_damaged makes a file of a session that was put aside as damaged.
static void
put_damaged(const fixture *f, unsigned session, const char *what, char out_path[400])
{
    char id[CATALOG_ID_CHARS + 1];
    format_id(session, id);
    (void)snprintf(out_path, 400, "%s/damaged/%s-%s", f->dir.path, id, what);
    FILE *file = fopen(out_path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

// A recording that somebody removed goes whole, though the collector was killed in between.
static void
test_what_was_put_aside_goes_with_its_recording(void **state)
{
    fixture *f = *state;
    char journal[400];
    char piece[400];
    char other[400];
    assert_int_equal(start(f), 0);
    put_damaged(f, 5, "0.log", journal);
    put_damaged(f, 5, "1.100.piece", piece);
    put_damaged(f, 6, "0.log", other);
    remove_session(f, 5);
    expire_first(f, 6);
    assert_int_equal(start(f), 0);
    assert_int_equal(access(journal, F_OK), -1);
    assert_int_equal(access(piece, F_OK), -1);
    assert_int_equal(access(other, F_OK), 0);
}

// --- The catalog

static void
write_hello(const fixture *f, unsigned session)
{
    char id[CATALOG_ID_CHARS + 1];
    char path[400];
    uint8_t bytes[WIRE_SESSION_BYTES] = {0};
    bytes[WIRE_SESSION_BYTES - 1] = (uint8_t)(session + 1);
    static char service[] = "told";
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.session = (ProtobufCBinaryData){.data = bytes, .len = sizeof(bytes)};
    hello.service = service;
    hello.pid = 99;
    hello.start_wall_ns = START_NS - 5;
    uint8_t packed[400];
    size_t size = loupe__wire__hello__pack(&hello, packed);
    format_id(session, id);
    (void)snprintf(path, sizeof(path), "%s/chunks/%s/session.pb", f->dir.path, id);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(packed, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void
remove_catalog(const fixture *f)
{
    static const char *const names[] = {"catalog.db", "catalog.db-wal", "catalog.db-shm"};
    char path[400];
    for (size_t i = 0; i < 3; i++) {
        path_of(f, names[i], path);
        (void)unlink(path);
    }
}

static void
test_a_catalog_that_is_gone_is_made_of_the_chunks(void **state)
{
    fixture *f = *state;
    write_hello(f, 7);
    remove_catalog(f);
    assert_int_equal(run(f, false, true), 1);
    assert_int_equal(f->counts.found[FINDING_CATALOG_MISSING], 1);
    assert_int_equal(start(f), 1 + SESSIONS + SESSIONS * CHUNKS);
    assert_int_equal(f->counts.found[FINDING_SESSION_UNKNOWN], SESSIONS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], SESSIONS * CHUNKS);
    check_whole(f);
    const known told = look(f, 7);
    assert_string_equal(told.service, "told");
    assert_int_equal(told.row.pid, 99);
    assert_true(told.row.start_wall_ns == START_NS - 5);
    const known untold = look(f, 8);
    assert_string_equal(untold.service, "unknown");
    assert_true(untold.row.start_wall_ns == START_NS);
    assert_true(untold.row.end_wall_ns == START_NS + CHUNKS * SECOND_NS);
    assert_int_equal(untold.row.totals.events_out, CHUNKS * EVENTS);
    assert_true(untold.row.is_ended);
    assert_int_equal(start(f), 0);
}

static void
copy_file(const char *from, const char *to)
{
    uint8_t block[PAGE_BYTES];
    int in = open(from, O_RDONLY);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(in >= 0 && out >= 0);
    for (ssize_t count; (count = read(in, block, sizeof(block))) != 0;) {
        assert_true(count > 0);
        assert_int_equal(write(out, block, (size_t)count), count);
    }
    assert_int_equal(close(in), 0);
    assert_int_equal(close(out), 0);
}

// spoil fills a part of a file with bytes that make no sense.
static void
spoil(const char *path, off_t offset, size_t size, unsigned seed)
{
    uint8_t garbage[PAGE_BYTES];
    for (size_t i = 0; i < sizeof(garbage); i++) {
        seed = seed * 1103515245 + 12345;
        garbage[i] = (uint8_t)(seed >> 16);
    }
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, garbage, size, offset), size);
    assert_int_equal(close(fd), 0);
}

static void
test_a_garbage_page_costs_no_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    char good[400];
    path_of(f, "catalog.db", path);
    path_of(f, "good.db", good);
    copy_file(path, good);
    uint64_t salvaged = 0;
    off_t pages = size_of(path) / PAGE_BYTES;
    assert_true(pages > 20);
    for (off_t page = 0; page < pages; page += page < 6 ? 1 : 3) {
        spoil(path, page * PAGE_BYTES, PAGE_BYTES, (unsigned)page);
        (void)start(f);
        // A page of a value's bytes alone has no form that could be wrong.
        if (f->counts.found[FINDING_CATALOG_DAMAGED] == 1) {
            salvaged += f->counts.found[FINDING_CHUNK_UNKNOWN] < SESSIONS * CHUNKS ? 1 : 0;
        }
        check_whole(f);
        assert_int_equal(start(f), 0);
        remove_catalog(f);
        copy_file(good, path);
    }
    assert_true(salvaged > (uint64_t)pages / 6);
}

// count_unknown returns of how many recordings and chunks the last run knew no more than the files.
static uint64_t
count_unknown(const fixture *f)
{
    return f->counts.found[FINDING_SESSION_UNKNOWN] + f->counts.found[FINDING_CHUNK_UNKNOWN];
}

// spoil_some makes `bad` of the catalog, with a garbage page that costs some of the rows and not
// most. Returns how many recordings and chunks are unknown then.
static uint64_t
spoil_some(fixture *f, const char *path, const char *bad)
{
    char good[400];
    path_of(f, "good.db", good);
    copy_file(path, good);
    uint64_t unknown = 0;
    for (off_t page = 6; unknown == 0 || unknown > CHUNKS * SESSIONS / 2; page++) {
        assert_true((page + 1) * PAGE_BYTES <= size_of(good));
        copy_file(good, bad);
        spoil(bad, page * PAGE_BYTES, PAGE_BYTES, 1);
        remove_catalog(f);
        copy_file(bad, path);
        (void)start(f);
        unknown = f->counts.found[FINDING_CATALOG_DAMAGED] == 1 ? count_unknown(f) : 0;
    }
    return unknown;
}

// What can be read in the damaged catalog is there after any number of starts that were cut short.
static void
test_a_salvage_that_is_cut_short_begins_again(void **state)
{
    fixture *f = *state;
    char path[400];
    char bad[400];
    path_of(f, "catalog.db", path);
    path_of(f, "bad.db", bad);
    uint64_t expected = spoil_some(f, path, bad);
    lp_err err = LP_ECLOSED;
    for (unsigned looks = 1; err == LP_ECLOSED; looks += 7) {
        lp_problem problem;
        remove_catalog(f);
        copy_file(bad, path);
        f->looks = looks;
        err = try_run(f, true, false, &problem);
        uint64_t unknown = count_unknown(f);
        f->looks = 0;
        f->is_ending = false;
        (void)start(f);
        assert_int_equal(unknown + count_unknown(f), expected);
        check_whole(f);
    }
    assert_int_equal(err, LP_OK);
}

// The damaged catalog was put aside but for its log, and the new one is not in place.
static void
test_a_catalog_that_was_made_again_is_put_in_place(void **state)
{
    fixture *f = *state;
    char path[400];
    char made[400];
    path_of(f, "catalog.db", path);
    path_of(f, "catalog.db.new", made);
    assert_int_equal(rename(path, made), 0);
    path_of(f, "catalog.db-wal", path);
    copy_file(made, path);
    assert_int_equal(start(f), 0);
    check_whole(f);
    assert_int_equal(access(made, F_OK), -1);
}

static void
test_a_catalog_that_is_cut_off_costs_no_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    char good[400];
    path_of(f, "catalog.db", path);
    path_of(f, "good.db", good);
    copy_file(path, good);
    off_t size = size_of(path);
    for (off_t left = 0; left <= size - PAGE_BYTES; left += size / 13) {
        assert_int_equal(truncate(path, left), 0);
        fprintf(stderr, "left %ld of %ld\n", left, size);
        (void)start(f);
        assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
        check_whole(f);
        assert_int_equal(start(f), 0);
        remove_catalog(f);
        copy_file(good, path);
    }
}

static void
test_flipped_bytes_cost_no_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    char good[400];
    path_of(f, "catalog.db", path);
    path_of(f, "good.db", good);
    copy_file(path, good);
    off_t size = size_of(path);
    for (unsigned i = 0; i < FLIPS; i++) {
        off_t at = (off_t)i * size / FLIPS + i % 97; // the first ones are of the header
        flip(path, i < 20 ? (off_t)i * 5 : at, (uint8_t)(1U << i % 8));
        lp_problem problem;
        lp_err err = try_run(f, true, false, &problem);
        // A version, or the like, that is none of ours is not taken for damage.
        assert_true(err == LP_OK || err == LP_EVERSION);
        remove_catalog(f);
        copy_file(good, path);
    }
    check_whole(f);
}

// age makes of the catalog what an earlier version left.
static void
age(const fixture *f, long version)
{
    static const char *const back[] = {
        "ALTER TABLE chunk DROP COLUMN has_period; PRAGMA user_version = 5",
        "DROP TABLE session_loss; ALTER TABLE chunk DROP COLUMN stored_bytes;"
        "ALTER TABLE session DROP COLUMN heard_wall_ns; ALTER TABLE session DROP COLUMN ended_how;"
        "ALTER TABLE session DROP COLUMN compacted_sequence;"
        "ALTER TABLE session DROP COLUMN batches_missing;"
        "ALTER TABLE session DROP COLUMN journal_bytes_missing; PRAGMA user_version = 6",
        "ALTER TABLE chunk DROP COLUMN is_lost; PRAGMA user_version = 7",
        "DROP INDEX chunk_by_service; DROP TABLE removal; ALTER TABLE chunk DROP COLUMN service;"
        "ALTER TABLE session DROP COLUMN expired_chunks;"
        "ALTER TABLE session DROP COLUMN kept_wall_ns; PRAGMA user_version = 8",
    };
    catalog *c = open_catalog(f);
    for (long from = 9; from > version; from--) {
        assert_int_equal(sqlite3_exec(c->db, back[from - 6], NULL, NULL, NULL), SQLITE_OK);
    }
    assert_int_equal(sqlite3_exec(c->db, "VACUUM", NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
}

// count_named returns of how many recordings the names are known.
static unsigned
count_named(const fixture *f)
{
    unsigned count = 0;
    for (unsigned s = 0; s < SESSIONS; s++) {
        count += strcmp(look(f, s).service, "shop") == 0 ? 1 : 0;
    }
    return count;
}

// What an earlier version left is not only brought up to date: it is checked before.
static void
test_a_garbage_page_of_an_older_catalog_costs_no_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    char good[400];
    path_of(f, "catalog.db", path);
    path_of(f, "good.db", good);
    for (long version = 8; version >= 5; version--) {
        age(f, version);
        copy_file(path, good);
        unsigned named = 0;
        for (off_t page = 0; page < size_of(good) / PAGE_BYTES; page += page < 6 ? 1 : 7) {
            spoil(path, page * PAGE_BYTES, PAGE_BYTES, (unsigned)page);
            (void)start(f);
            check_whole(f);
            named += count_named(f);
            assert_int_equal(start(f), 0);
            remove_catalog(f);
            copy_file(good, path);
        }
        assert_true(named > SESSIONS); // on most pages are none
        assert_int_equal(start(f), 0);
        assert_int_equal(count_named(f), SESSIONS);
        check_whole(f);
    }
}

// A version that is wrong is found when the tables are brought up to date.
static void
test_a_catalog_that_says_it_is_older_than_it_is_costs_no_chunk(void **state)
{
    fixture *f = *state;
    catalog *c = open_catalog(f);
    assert_int_equal(sqlite3_exec(c->db, "PRAGMA user_version = 4", NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
    (void)start(f);
    assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
    check_whole(f);
    assert_int_equal(start(f), 0);
}

// A log that is damaged is read up to there, without a word: what is behind it comes from the
// files.
static void
test_a_damaged_log_costs_no_chunk(void **state)
{
    fixture *f = *state;
    char path[400];
    char log[400];
    path_of(f, "catalog.db", path);
    path_of(f, "catalog.db-wal", log);
    for (unsigned part = 0; part < 4; part++) {
        catalog *to = open_catalog(f); // keeps the log from being written to the database
        blobs *chunks = open_blobs(f);
        for (unsigned s = 0; s < 4; s++) {
            store_session(f, to, chunks, s); // once more: the same rows
        }
        char kept[400];
        path_of(f, "kept", kept);
        copy_file(log, kept);
        char kept_db[400];
        path_of(f, "kept.db", kept_db);
        copy_file(path, kept_db);
        blobs_close(chunks);
        catalog_close(to);
        remove_catalog(f);
        copy_file(kept, log);
        copy_file(kept_db, path);
        spoil(log, size_of(log) / 4 * part, 64, part);
        fprintf(stderr, "part %u\n", part);
        (void)start(f);
        check_whole(f);
    }
}

static void
test_a_run_ends_when_it_is_told_to(void **state)
{
    fixture *f = *state;
    lp_problem problem;
    f->is_ending = true;
    assert_int_equal(try_run(f, true, false, &problem), LP_ECLOSED);
    remove_catalog(f);
    assert_int_equal(try_run(f, true, true, &problem), LP_ECLOSED);
    f->is_ending = false;
    (void)start(f); // goes on where it was
    check_whole(f);
}

static void
test_an_empty_directory_is_fine(void **state)
{
    fixture *f = *state;
    temp_dir_remove(&f->dir);
    f->dir = temp_dir_make();
    assert_int_equal(run(f, false, true), 0);
    assert_int_equal(start(f), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_agrees_is_left_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_without_a_file_is_lost_until_it_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_chunk_of_another_size_is_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_size_that_the_catalog_has_wrong_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_flipped_byte_is_found_by_reading_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_a_write_left_is_removed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_chunk_without_a_row_is_adopted, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_is_adopted_late_has_its_size, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_whose_journal_waits_is_left_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_journal_that_waits_is_not_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_file_that_is_no_chunk_is_put_aside, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_cannot_be_read_is_not_lost, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_file_that_cannot_be_read_stays_where_it_is, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_is_to_go_and_cannot_is_not_adopted, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_what_was_put_aside_goes_with_its_recording, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_catalog_that_is_gone_is_made_of_the_chunks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_garbage_page_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_salvage_that_is_cut_short_begins_again, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_catalog_that_was_made_again_is_put_in_place, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_catalog_that_is_cut_off_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_flipped_bytes_cost_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_garbage_page_of_an_older_catalog_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_catalog_that_says_it_is_older_than_it_is_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_damaged_log_costs_no_chunk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_run_ends_when_it_is_told_to, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_empty_directory_is_fine, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
