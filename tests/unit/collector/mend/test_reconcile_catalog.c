// SPDX-License-Identifier: Apache-2.0
// A catalog that is damaged, or gone, costs what is on its damaged pages, and no chunk: a run over
// it and the files has each chunk in its recording again.

#include "support/files.h"
#include "support/large.h"
#include "unit/collector/mend/reconcile_rig.h"

#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/wire/wire.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE_BYTES = 4096, FLIPS = 60, FLIPS_SHORT = 30 };

static void
write_hello(const reconcile_rig *f, unsigned session)
{
    char path[RECONCILE_PATH_BYTES];
    uint8_t bytes[WIRE_SESSION_BYTES] = {0};
    bytes[WIRE_SESSION_BYTES - 1] = (uint8_t)(session + 1);
    static char service[] = "told";
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    hello.session = (ProtobufCBinaryData){.data = bytes, .len = sizeof(bytes)};
    hello.service = service;
    hello.pid = 99;
    hello.start_wall_ns = RECONCILE_START_NS - 5;
    static char identity[] = "whose";
    hello.identity = identity;
    uint8_t hash[CATALOG_SECRET_HASH_BYTES] = {77};
    hello.secret_hash = (ProtobufCBinaryData){.data = hash, .len = sizeof(hash)};
    uint8_t packed[400];
    size_t size = loupe__wire__hello__pack(&hello, packed);
    reconcile_rig_path(f, path, "chunks/%s/session.pb", reconcile_rig_id(session).text);
    files_write(path, packed, size);
}

static void
remove_catalog(const reconcile_rig *f)
{
    static const char *const names[] = {"catalog.db", "catalog.db-wal", "catalog.db-shm"};
    char path[RECONCILE_PATH_BYTES];
    for (size_t i = 0; i < 3; i++) {
        reconcile_rig_path(f, path, "%s", names[i]);
        (void)unlink(path);
    }
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

// A copy of the catalog, to go back to.
typedef struct kept {
    const reconcile_rig *of;
    char path[RECONCILE_PATH_BYTES]; // the catalog's
    char copy[RECONCILE_PATH_BYTES];
    off_t size;
} kept;

static kept
keep(const reconcile_rig *f)
{
    kept k = {.of = f};
    reconcile_rig_path(f, k.path, "catalog.db");
    reconcile_rig_path(f, k.copy, "kept.db");
    copy_file(k.path, k.copy);
    k.size = files_size(k.copy);
    return k;
}

static void
put_back(const kept *k)
{
    remove_catalog(k->of);
    copy_file(k->copy, k->path);
}

static void
test_a_catalog_that_is_gone_is_made_of_the_chunks(void **state)
{
    reconcile_rig *f = *state;
    write_hello(f, 7);
    remove_catalog(f);
    assert_int_equal(reconcile_rig_run(f, false, true), 1);
    assert_int_equal(f->counts.found[FINDING_CATALOG_MISSING], 1);
    assert_int_equal(
        reconcile_rig_start(f), 1 + RECONCILE_SESSIONS + RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    assert_int_equal(f->counts.found[FINDING_SESSION_UNKNOWN], RECONCILE_SESSIONS);
    assert_int_equal(f->counts.found[FINDING_CHUNK_UNKNOWN], RECONCILE_SESSIONS * RECONCILE_CHUNKS);
    reconcile_rig_check_whole(f);
    const reconcile_known told = reconcile_rig_look(f, 7);
    assert_string_equal(told.service, "told");
    assert_int_equal(told.row.pid, 99);
    assert_true(told.row.start_wall_ns == RECONCILE_START_NS - 5);
    assert_string_equal(told.row.identity, "whose");
    assert_int_equal(told.row.secret, CATALOG_SECRET_HASHED);
    assert_int_equal(told.row.secret_hash[0], 77);
    const reconcile_known untold = reconcile_rig_look(f, 8);
    assert_string_equal(untold.service, "unknown");
    assert_int_equal(untold.row.secret, CATALOG_SECRET_UNKNOWN);
    assert_true(untold.row.start_wall_ns == RECONCILE_START_NS);
    assert_true(
        untold.row.end_wall_ns == RECONCILE_START_NS + RECONCILE_CHUNKS * RECONCILE_SECOND_NS);
    assert_int_equal(untold.row.totals.events_out, RECONCILE_CHUNKS * RECONCILE_EVENTS);
    reconcile_rig_check_requests(&untold, RECONCILE_CHUNKS);
    assert_true(untold.row.is_ended);
    assert_int_equal(reconcile_rig_start(f), 0);
}

// The rows of the chunks are there: what these do not have comes from the files.
static void
test_a_row_of_a_session_that_is_gone_has_its_numbers_again(void **state)
{
    reconcile_rig *f = *state;
    char text[100];
    (void)snprintf(text, sizeof(text),
        "PRAGMA foreign_keys = off; DELETE FROM session WHERE id = '%s'", reconcile_rig_id(3).text);
    reconcile_rig_sql(f, text);
    assert_int_equal(reconcile_rig_start(f), 2);
    assert_int_equal(f->counts.found[FINDING_SESSION_UNKNOWN], 1);
    assert_int_equal(f->counts.found[FINDING_SESSION_BEHIND], 1);
    const reconcile_known k = reconcile_rig_look(f, 3);
    assert_int_equal(k.row.totals.events_out, RECONCILE_CHUNKS * RECONCILE_EVENTS);
    assert_int_equal(k.row.totals.contexts_out, RECONCILE_CHUNKS * (RECONCILE_EVENTS - 1));
    reconcile_rig_check_requests(&k, RECONCILE_CHUNKS);
    assert_int_equal(reconcile_rig_start(f), 0);
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

// count_unknown returns of how many recordings and chunks the last run knew no more than the files.
static uint64_t
count_unknown(const reconcile_rig *f)
{
    return f->counts.found[FINDING_SESSION_UNKNOWN] + f->counts.found[FINDING_CHUNK_UNKNOWN];
}

enum { HOUR = 498720, ID_CHARS = 3000 };

// add_ids gives each chunk ids, of which those of every second session have come into a segment by
// now, which is of the same hour as the rows of the others.
static void
add_ids(const reconcile_rig *f)
{
    char text[900];
    (void)snprintf(text, sizeof(text),
        "UPDATE chunk SET ids_hour = %d;"
        "INSERT INTO id_segment VALUES ('%d/a-0.ids', %d, 0, 0x7fffffffffffffff, 1, 1, 1, 0);"
        "INSERT INTO chunk_ids SELECT 'a', 8 * row_number() OVER (), %d, session_id, ordinal,"
        " start_wall_ns, 1, x'ff', CAST(session_id || ordinal || printf('%%0%dd', 0) AS BLOB)"
        " FROM chunk WHERE unicode(substr(session_id, -1)) %% 2 = 1",
        HOUR, HOUR, HOUR, HOUR, ID_CHARS);
    reconcile_rig_sql(f, text);
}

// check_ids checks that each chunk whose ids were in a row is in it, or known to be in none.
static void
check_ids(const reconcile_rig *f)
{
    catalog *c = reconcile_rig_open_catalog(f);
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(catalog_sqlite_get_db(c),
                         "SELECT session_id, ordinal FROM chunk WHERE ids_hour IS NOT NULL"
                         " AND unicode(substr(session_id, -1)) % 2 = 1 AND NOT EXISTS"
                         " (SELECT 1 FROM chunk_ids i WHERE i.session_id = chunk.session_id"
                         " AND i.ordinal = chunk.ordinal)",
                         -1, &stmt, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    catalog_close(c);
}

// A page of ids costs these alone: the rest of the catalog is there, and nobody believes that ids
// which are gone are somewhere.
static void
test_a_garbage_page_of_ids_costs_ids_alone(void **state)
{
    reconcile_rig *f = *state;
    add_ids(f);
    const kept k = keep(f);
    unsigned salvaged = 0;
    off_t pages = k.size / PAGE_BYTES;
    for (off_t page = pages - 1; page > 0 && salvaged < 8; page--) {
        spoil(k.path, page * PAGE_BYTES, PAGE_BYTES, (unsigned)page);
        (void)reconcile_rig_start(f);
        salvaged += f->counts.found[FINDING_CATALOG_DAMAGED] == 1 ? 1 : 0;
        assert_int_equal(count_unknown(f), 0);
        reconcile_rig_check_whole(f);
        check_ids(f);
        assert_int_equal(reconcile_rig_start(f), 0);
        put_back(&k);
    }
    assert_int_equal(salvaged, 8);
}

static void
test_a_garbage_page_costs_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    add_ids(f);
    const kept k = keep(f);
    uint64_t salvaged = 0;
    uint64_t tried = 0;
    off_t pages = k.size / PAGE_BYTES;
    assert_true(pages > 20);
    for (off_t page = 0; page < pages; page += page < 6 ? 1 : is_large ? 3 : 11) {
        tried++;
        spoil(k.path, page * PAGE_BYTES, PAGE_BYTES, (unsigned)page);
        (void)reconcile_rig_start(f);
        // A page of a value's bytes alone has no form that could be wrong.
        const uint64_t *found = f->counts.found;
        bool is_some_left = found[FINDING_CHUNK_UNKNOWN] < RECONCILE_SESSIONS * RECONCILE_CHUNKS;
        salvaged += found[FINDING_CATALOG_DAMAGED] == 1 && is_some_left ? 1 : 0;
        reconcile_rig_check_whole(f);
        check_ids(f);
        assert_int_equal(reconcile_rig_start(f), 0);
        put_back(&k);
    }
    assert_true(salvaged > tried / 3);
}

// spoil_some spoils a page of the catalog that costs some of the rows and not most. Returns how
// many recordings and chunks are unknown then.
static uint64_t
spoil_some(reconcile_rig *f)
{
    const kept k = keep(f);
    uint64_t unknown = 0;
    off_t page = 5;
    while (unknown == 0 || unknown > RECONCILE_CHUNKS * RECONCILE_SESSIONS / 2) {
        page++;
        assert_true((page + 1) * PAGE_BYTES <= k.size);
        put_back(&k);
        spoil(k.path, page * PAGE_BYTES, PAGE_BYTES, 1);
        (void)reconcile_rig_start(f);
        unknown = f->counts.found[FINDING_CATALOG_DAMAGED] == 1 ? count_unknown(f) : 0;
    }
    put_back(&k);
    spoil(k.path, page * PAGE_BYTES, PAGE_BYTES, 1);
    return unknown;
}

// What can be read in the damaged catalog is there after any number of starts that were cut short.
static void
test_a_salvage_that_is_cut_short_begins_again(void **state)
{
    reconcile_rig *f = *state;
    uint64_t expected = spoil_some(f);
    const kept k = keep(f);
    lp_err err = LP_ECLOSED;
    for (unsigned looks = 1; err == LP_ECLOSED; looks += is_large ? 7 : 197) {
        lp_problem problem;
        put_back(&k);
        f->looks = looks;
        err = reconcile_rig_try(f, true, false, &problem);
        uint64_t unknown = count_unknown(f);
        f->looks = 0;
        f->is_ending = false;
        (void)reconcile_rig_start(f);
        assert_int_equal(unknown + count_unknown(f), expected);
        reconcile_rig_check_whole(f);
    }
    assert_int_equal(err, LP_OK);
}

// The damaged catalog was put aside but for its log, and the new one is not in place.
static void
test_a_catalog_that_was_made_again_is_put_in_place(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char made[RECONCILE_PATH_BYTES];
    reconcile_rig_path(f, path, "catalog.db");
    reconcile_rig_path(f, made, "catalog.db.new");
    assert_int_equal(rename(path, made), 0);
    reconcile_rig_path(f, path, "catalog.db-wal");
    copy_file(made, path);
    assert_int_equal(reconcile_rig_start(f), 0);
    reconcile_rig_check_whole(f);
    assert_int_equal(access(made, F_OK), -1);
}

static void
test_a_catalog_that_is_cut_off_costs_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    const kept k = keep(f);
    off_t size = k.size;
    for (off_t left = 0; left <= size - PAGE_BYTES; left += size / (is_large ? 13 : 5)) {
        assert_int_equal(truncate(k.path, left), 0);
        fprintf(stderr, "left %ld of %ld\n", left, size);
        (void)reconcile_rig_start(f);
        assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
        reconcile_rig_check_whole(f);
        assert_int_equal(reconcile_rig_start(f), 0);
        put_back(&k);
    }
}

static void
test_flipped_bytes_cost_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    const kept k = keep(f);
    off_t size = k.size;
    const unsigned flips = is_large ? FLIPS : FLIPS_SHORT;
    for (unsigned i = 0; i < flips; i++) {
        off_t at = (off_t)i * size / flips + i % 97; // the first ones are of the header
        files_flip(
            k.path, i < flips / 3 ? (off_t)i * 5 * (FLIPS / flips) : at, (uint8_t)(1U << i % 8));
        lp_problem problem;
        lp_err err = reconcile_rig_try(f, true, false, &problem);
        // A version, or the like, that is none of ours is not taken for damage.
        assert_true(err == LP_OK || err == LP_EVERSION);
        put_back(&k);
    }
    reconcile_rig_check_whole(f);
}

// A version that is wrong is found when the tables are made.
static void
test_a_catalog_that_says_it_has_no_tables_costs_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    reconcile_rig_sql(f, "PRAGMA user_version = 0");
    (void)reconcile_rig_start(f);
    assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 1);
    reconcile_rig_check_whole(f);
    assert_int_equal(reconcile_rig_start(f), 0);
}

// run_sql runs statements on the catalog as it is.
static void
run_sql(const reconcile_rig *f, const char *sql)
{
    char path[RECONCILE_PATH_BYTES];
    sqlite3 *db;
    reconcile_rig_path(f, path, "catalog.db");
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// What was wrong with a catalog that was made again is not why the run ends later.
static void
test_a_run_that_ends_does_not_say_what_was_mended(void **state)
{
    reconcile_rig *f = *state;
    lp_problem problem = {.text = ""};
    lp_err err = LP_OK;
    f->repaired = 0;
    for (unsigned looks = 1; err != LP_ECLOSED || f->repaired == 0; looks++) {
        run_sql(f, "PRAGMA user_version = 0");
        f->looks = looks;
        err = reconcile_rig_try(f, true, false, &problem);
        f->looks = 0;
        f->is_ending = false;
        assert_true(err == LP_ECLOSED || err == LP_OK);
        assert_true(looks < 10000);
    }
    assert_non_null(strstr(problem.text, "cannot compare the catalog with the files"));
}

// count_names returns how many names in the data directory begin like this; the last one is copied.
static unsigned
count_names(const reconcile_rig *f, const char *prefix, char out_last[300])
{
    unsigned count = 0;
    DIR *dir = opendir(f->dir.path);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 &&
            strchr(entry->d_name, 'Z')[1] == '\0') {
            (void)snprintf(out_last, 300, "%s", entry->d_name);
            count++;
        }
    }
    assert_int_equal(closedir(dir), 0);
    return count;
}

// Nobody here knows which tables a later version has: its catalog is no damaged one, and stays.
static void
test_a_catalog_of_a_later_version_is_left_alone(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char name[300];
    lp_problem problem;
    run_sql(f, "DROP TABLE session_loss; PRAGMA user_version = 1000");
    reconcile_rig_path(f, path, "catalog.db");
    off_t size = files_size(path);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(reconcile_rig_try(f, i > 0, i == 2, &problem), LP_EVERSION);
        assert_non_null(
            strstr(problem.text, "catalog of version 1000, this program reads version"));
        assert_int_equal(f->counts.found[FINDING_CATALOG_DAMAGED], 0);
        assert_int_equal(count_names(f, "catalog.db.damaged-", name), 0);
        assert_true(files_size(path) == size);
    }
}

static bool
is_equal(const char *path, const char *other)
{
    static uint8_t bytes[1 << 22];
    static uint8_t others[1 << 22];
    FILE *one = fopen(path, "r");
    FILE *two = fopen(other, "r");
    bool is_same = false;
    if (one != NULL && two != NULL) {
        size_t size = fread(bytes, 1, sizeof(bytes), one);
        is_same = fread(others, 1, sizeof(others), two) == size && size < sizeof(bytes) &&
                  memcmp(bytes, others, size) == 0;
    }
    if (one != NULL) {
        (void)fclose(one);
    }
    if (two != NULL) {
        (void)fclose(two);
    }
    return is_same;
}

// What a person may look at later is what was there, the log included.
static void
test_a_damaged_catalog_is_put_aside_as_it_was(void **state)
{
    reconcile_rig *f = *state;
    char path[RECONCILE_PATH_BYTES];
    char log[RECONCILE_PATH_BYTES];
    char copy[RECONCILE_PATH_BYTES];
    char kept_log[RECONCILE_PATH_BYTES];
    char good[RECONCILE_PATH_BYTES];
    char name[300];
    char aside[800];
    reconcile_rig_path(f, path, "catalog.db");
    reconcile_rig_path(f, log, "catalog.db-wal");
    reconcile_rig_path(f, copy, "kept");
    reconcile_rig_path(f, kept_log, "kept-log");
    reconcile_rig_path(f, good, "good");
    catalog *to = reconcile_rig_open_catalog(f); // keeps the log from being written to the database
    blobs *chunks = reconcile_rig_open_blobs(f);
    reconcile_rig_store(f, to, chunks, 3);
    copy_file(path, copy);
    copy_file(log, kept_log);
    blobs_close(chunks);
    catalog_close(to);
    copy_file(copy, good);
    f->counts.found[FINDING_CATALOG_DAMAGED] = 0;
    for (off_t page = 0; f->counts.found[FINDING_CATALOG_DAMAGED] == 0; page++) {
        assert_true((page + 1) * PAGE_BYTES <= files_size(good)); // the log has not all of them
        copy_file(good, copy);
        spoil(copy, page * PAGE_BYTES, PAGE_BYTES, 1);
        remove_catalog(f);
        copy_file(copy, path);
        copy_file(kept_log, log);
        (void)reconcile_rig_start(f);
    }
    assert_int_equal(count_names(f, "catalog.db.damaged-", name), 1);
    (void)snprintf(aside, sizeof(aside), "%s/%s", f->dir.path, name);
    assert_true(is_equal(aside, copy));
    (void)snprintf(aside, sizeof(aside), "%s/%s-wal", f->dir.path, name);
    assert_true(is_equal(aside, kept_log));
    reconcile_rig_check_whole(f);
}

// A log that is damaged is read up to there, without a word: what is behind it comes from the
// files.
static void
test_a_damaged_log_costs_no_chunk(void **state)
{
    reconcile_rig *f = *state;
    char log[RECONCILE_PATH_BYTES];
    char kept_log[RECONCILE_PATH_BYTES];
    reconcile_rig_path(f, log, "catalog.db-wal");
    reconcile_rig_path(f, kept_log, "kept.db-wal");
    for (unsigned part = 0; part < 4; part++) {
        // This keeps the log from being written to the database.
        catalog *to = reconcile_rig_open_catalog(f);
        blobs *chunks = reconcile_rig_open_blobs(f);
        for (unsigned s = 0; s < 4; s++) {
            reconcile_rig_store(f, to, chunks, s); // once more: the same rows
        }
        copy_file(log, kept_log);
        const kept k = keep(f);
        blobs_close(chunks);
        catalog_close(to);
        put_back(&k);
        copy_file(kept_log, log);
        spoil(log, files_size(log) / 4 * part, 64, part);
        fprintf(stderr, "part %u\n", part);
        (void)reconcile_rig_start(f);
        reconcile_rig_check_whole(f);
    }
}

static void
test_a_run_ends_when_it_is_told_to(void **state)
{
    reconcile_rig *f = *state;
    lp_problem problem;
    f->is_ending = true;
    assert_int_equal(reconcile_rig_try(f, true, false, &problem), LP_ECLOSED);
    remove_catalog(f);
    assert_int_equal(reconcile_rig_try(f, true, true, &problem), LP_ECLOSED);
    f->is_ending = false;
    (void)reconcile_rig_start(f); // goes on where it was
    reconcile_rig_check_whole(f);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, reconcile_rig_setup, reconcile_rig_teardown)

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    temp_dir_use_memory();
    const struct CMUnitTest tests[] = {
        TEST(test_a_catalog_that_is_gone_is_made_of_the_chunks),
        TEST(test_a_row_of_a_session_that_is_gone_has_its_numbers_again),
        TEST(test_a_garbage_page_costs_no_chunk),
        TEST(test_a_garbage_page_of_ids_costs_ids_alone),
        TEST(test_a_salvage_that_is_cut_short_begins_again),
        TEST(test_a_catalog_that_was_made_again_is_put_in_place),
        TEST(test_a_catalog_that_is_cut_off_costs_no_chunk),
        TEST(test_flipped_bytes_cost_no_chunk),
        TEST(test_a_catalog_that_says_it_has_no_tables_costs_no_chunk),
        TEST(test_a_run_that_ends_does_not_say_what_was_mended),
        TEST(test_a_catalog_of_a_later_version_is_left_alone),
        TEST(test_a_damaged_catalog_is_put_aside_as_it_was),
        TEST(test_a_damaged_log_costs_no_chunk),
        TEST(test_a_run_ends_when_it_is_told_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
