// SPDX-License-Identifier: Apache-2.0
// A catalog that is damaged, or that somebody else wrote: a start puts it in order, or says why
// not. Then it can be opened, everything that is asked of it has an answer, or an error, and the
// next start has nothing to put in order.
//
// The catalog of an input is a sound one, with a log that is not merged yet and two chunks whose
// files are there, that steps have changed. The first byte says whether the start is thorough; then
//
//   PATCH_DB, PATCH_LOG     3 bytes: where; 1 byte, which is written there
//   CUT_DB, CUT_LOG         3 bytes: how long the file becomes
//   SET_NUMBER              2 bytes: which column; 8 bytes: its value in all rows
//   SET_TEXT, SET_BYTES     2 bytes: which column; 1 byte: how many bytes; they
//   SET_VERSION             1 byte: the version of the schema

#include "fuzz.h"
#include "fuzz_collector.h"
#include "support/files.h"
#include "support/jfr_sample.h"

#include "collector/mend/reconcile.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/chunks/blobs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

enum { STEPS_MAX = 16, COLUMNS_MAX = 200, CHUNKS = 2 };
enum { PATCH_DB, PATCH_LOG, CUT_DB, CUT_LOG, SET_NUMBER, SET_TEXT, SET_BYTES, SET_VERSION, STEPS };

static const char ID[] = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";
static const int64_t START_NS = 1700000000000000000;
static const int64_t SECOND_NS = 1000000000;

// The sound one, as it was made once.
static lp_buf sound_db;
static lp_buf sound_log;
static lp_buf sound_files[CHUNKS]; // of the chunks
static char *columns[COLUMNS_MAX]; // UPDATE statements that set one to ?
static size_t column_count;

static void
path_of(const char *name, char out_path[300])
{
    (void)snprintf(out_path, 300, "%s/%s", fuzz_collector_root.path, name);
}

// --- The sound one

static void
chunk_path(uint32_t ordinal, char out_path[300])
{
    char name[100];
    (void)snprintf(name, sizeof(name), "chunks/%s/%u.jfr.zst", ID, ordinal);
    path_of(name, out_path);
}

// store_chunk writes the file of a chunk, and sets in *out_chunk what its row has to say of that.
static void
store_chunk(uint32_t ordinal, catalog_chunk *out_chunk)
{
    char path[300];
    blobs *files;
    jfr_build build;
    blobs_stored stored;
    jfr_sample_begin(&build, (int64_t)ordinal * SECOND_NS);
    jfr_sample_thread(&build, 1, 1);
    (void)jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                       .start = (int64_t)ordinal * SECOND_NS + 10,
                                       .end = (int64_t)ordinal * SECOND_NS + 20,
                                       .thread = 1,
                                       .text = "abc"});
    jfr_build_checkpoint(&build);
    lp_slice chunk = jfr_build_finish(&build);
    path_of("chunks", path);
    LP_ASSERT(blobs_open(path, &files, NULL) == LP_OK);
    blobs_set_durable(files, false);
    LP_ASSERT(blobs_put(files, ID, ordinal, chunk, &stored) == LP_OK);
    blobs_close(files);
    chunk_path(ordinal, path);
    files_read(path, &sound_files[ordinal]);
    out_chunk->size_bytes = chunk.len;
    out_chunk->content_hash = stored.content_hash;
    out_chunk->stored_bytes = stored.stored_bytes;
    jfr_build_fini(&build);
}

static void
add_chunk(catalog *c, catalog_session *row, uint32_t ordinal)
{
    rollup sums;
    rollup_init(&sums);
    rollup_type *type = rollup_add_type(&sums, "shop.Request");
    histogram_add(&type->numbers.all, &sums.arena, 1000000);
    rollup_add_exemplar(&sums, type,
        &(rollup_exemplar){.duration_ns = 1000000, .begin_wall_ns = START_NS, .trace = "4bf92f"});
    rollup_note_begin(&sums, START_NS);
    row->next_chunk = ordinal + 1;
    catalog_chunk chunk = {
        .ordinal = ordinal,
        .start_wall_ns = START_NS + ordinal * SECOND_NS,
        .duration_ns = SECOND_NS,
        .rollup = &sums,
        .types_json = "{\"test.Mark\":{\"in\":3,\"out\":1,\"dropped\":{\"select\":2}}}",
    };
    store_chunk(ordinal, &chunk);
    LP_ASSERT(catalog_add_chunk(c, row, &chunk, (lp_slice){(const uint8_t *)ID, 4}) == LP_OK);
    rollup_fini(&sums);
}

static int
on_column(void *arg, int count, char **values, char **names)
{
    (void)arg;
    (void)count;
    (void)names;
    LP_ASSERT(column_count < COLUMNS_MAX);
    columns[column_count] = strdup(values[0]);
    LP_ASSERT(columns[column_count++] != NULL);
    return 0;
}

// make_small makes a database of small pages, so that a byte of it counts more.
static void
make_small(const char *path)
{
    static const char sql[] = "PRAGMA page_size = 512; CREATE TABLE t (c); DROP TABLE t;";
    sqlite3 *db;
    (void)unlink(path);
    LP_ASSERT(sqlite3_open(path, &db) == SQLITE_OK);
    LP_ASSERT(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    LP_ASSERT(sqlite3_close(db) == SQLITE_OK);
}

static void
make_sound(void)
{
    static const char list_sql[] =
        "SELECT 'UPDATE OR IGNORE ' || t.name || ' SET ' || c.name || ' = ?'"
        " FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'";
    char path[300];
    char text[] = "shop";
    catalog *c;
    sqlite3 *db;
    catalog_session row = {.service = text,
        .instance = text,
        .jvm_name = text,
        .jvm_version = text,
        .start_wall_ns = START_NS};
    memcpy(row.id, ID, sizeof(row.id));
    path_of("catalog.db", path);
    make_small(path);
    LP_ASSERT(catalog_open(path, &c, NULL) == LP_OK);
    add_chunk(c, &row, 0);
    catalog_close(c); // merges the log
    LP_ASSERT(catalog_open(path, &c, NULL) == LP_OK);
    add_chunk(c, &row, 1);
    files_read(path, &sound_db);
    path_of("catalog.db-wal", path);
    files_read(path, &sound_log);
    catalog_close(c);
    path_of("catalog.db", path);
    LP_ASSERT(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    LP_ASSERT(sqlite3_exec(db, list_sql, on_column, NULL, NULL) == SQLITE_OK);
    LP_ASSERT(sqlite3_close(db) == SQLITE_OK && column_count > 0);
}

// --- Steps

typedef struct steps {
    const uint8_t *at;
    const uint8_t *end;
} steps;

static uint64_t
take(steps *s, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && s->at < s->end; i++) {
        value |= (uint64_t)*s->at++ << (8 * i);
    }
    return value;
}

static void
bind_value(steps *s, unsigned kind, sqlite3_stmt *statement)
{
    if (kind == SET_NUMBER) {
        (void)sqlite3_bind_int64(statement, 1, (int64_t)take(s, 8));
        return;
    }
    size_t len = take(s, 1);
    len = len < (size_t)(s->end - s->at) ? len : (size_t)(s->end - s->at);
    if (kind == SET_TEXT) {
        (void)sqlite3_bind_text(statement, 1, (const char *)s->at, (int)len, SQLITE_TRANSIENT);
    } else {
        (void)sqlite3_bind_blob(statement, 1, s->at, (int)len, SQLITE_TRANSIENT);
    }
    s->at += len;
}

// set changes the database in the way of SQL, if it is one by now.
static void
set(steps *s, unsigned kind, const char *path)
{
    sqlite3 *db;
    sqlite3_stmt *statement = NULL;
    char version[60];
    const char *sql = version;
    if (kind == SET_VERSION) {
        (void)snprintf(version, sizeof(version), "PRAGMA user_version = %u", (unsigned)take(s, 1));
    } else {
        sql = columns[take(s, 2) % column_count];
    }
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK) {
        if (kind != SET_VERSION) {
            bind_value(s, kind, statement);
        }
        (void)sqlite3_step(statement);
    }
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
}

static void
patch(steps *s, unsigned kind, const char *path)
{
    size_t at = take(s, 3);
    const uint8_t byte = (uint8_t)(kind < CUT_DB ? take(s, 1) : 0);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) { // SQLite has merged the log
        return;
    }
    off_t size = lseek(fd, 0, SEEK_END);
    if (size > 0 && kind < CUT_DB) {
        LP_ASSERT(pwrite(fd, &byte, 1, (off_t)at % size) == 1);
    } else if ((off_t)at < size) {
        LP_ASSERT(ftruncate(fd, (off_t)at) == 0);
    }
    LP_ASSERT(close(fd) == 0);
}

// remove_old removes what the last input left of the catalog, and of what was put aside.
static void
remove_old(void)
{
    DIR *dir = opendir(fuzz_collector_root.path);
    LP_ASSERT(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strncmp(entry->d_name, "catalog.db", strlen("catalog.db")) == 0) {
            LP_ASSERT(unlinkat(dirfd(dir), entry->d_name, 0) == 0);
        }
    }
    LP_ASSERT(closedir(dir) == 0);
    fuzz_collector_empty("ids");
}

static void
write_chunks(void)
{
    char path[300];
    path_of("chunks", path);
    (void)mkdir(path, 0700); // it may be there
    path_of("chunks/", path);
    (void)strncat(path, ID, sizeof(path) - strlen(path) - 1);
    (void)mkdir(path, 0700);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        chunk_path(i, path);
        files_write(path, sound_files[i].ptr, sound_files[i].len);
    }
}

static void
make_catalog(steps *s)
{
    char db[300];
    char log[300];
    path_of("catalog.db", db);
    path_of("catalog.db-wal", log);
    remove_old();
    write_chunks();
    files_write(db, sound_db.ptr, sound_db.len);
    files_write(log, sound_log.ptr, sound_log.len);
    for (int i = 0; i < STEPS_MAX && s->at < s->end; i++) {
        unsigned kind = (unsigned)take(s, 1) % STEPS;
        if (kind >= SET_NUMBER) {
            set(s, kind, db);
        } else {
            patch(s, kind, kind == PATCH_DB || kind == CUT_DB ? db : log);
        }
    }
}

// --- What is asked

static void
check_text(const char *text)
{
    LP_ASSERT(text != NULL);
    (void)strlen(text);
}

static void
on_chunk(void *arg, const catalog_chunk *chunk)
{
    *(uint64_t *)arg += chunk->size_bytes;
}

static void
on_type(void *arg, const catalog_type *type)
{
    (void)arg;
    check_text(type->name);
}

static void
on_dropped(void *arg, const catalog_dropped *dropped)
{
    (void)arg;
    check_text(dropped->type_name);
    check_text(dropped->reason);
}

static lp_err
on_rollup(void *arg, const catalog_rollup *found)
{
    check_text(found->service);
    check_text(found->session_id);
    (void)!rollup_parts_add(arg, found->parts, found->session_id);
    return LP_OK;
}

static void
on_session(void *arg, const catalog_session *row)
{
    (void)arg;
    LP_ASSERT(memchr(row->id, '\0', sizeof(row->id)) != NULL);
    check_text(row->service);
    check_text(row->instance);
    check_text(row->jvm_name);
    check_text(row->jvm_version);
}

static void
read_all(catalog *c)
{
    const catalog_query any = {0};
    const catalog_chunk_range range = {.session_id = ID,
        .chunk_end = UINT32_MAX,
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX};
    const catalog_rollup_query every = {.from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .step_ns = CATALOG_LONG_SUM_NS,
        .has_exemplars = true,
        .has_attributes = true};
    uint64_t size_bytes = 0;
    int64_t first_ns;
    uint8_t *carry;
    size_t carry_bytes;
    rollup sums;
    rollup_init(&sums);
    (void)!catalog_list(c, &any, on_session, NULL);
    (void)!catalog_find(c, ID, on_session, NULL);
    (void)!catalog_first_start(c, &first_ns);
    (void)!catalog_list_chunks(c, ID, on_chunk, &size_bytes);
    (void)!catalog_list_types(c, &range, on_type, NULL);
    (void)!catalog_list_dropped(c, &range, on_dropped, NULL);
    (void)!catalog_rollups_list(c, &every, on_rollup, &sums);
    if (catalog_get_carry(c, ID, &carry, &carry_bytes) == LP_OK) {
        LP_ASSERT((carry == NULL) == (carry_bytes == 0));
        free(carry);
    }
    rollup_fini(&sums);
}

// start starts a collector on the catalog.
static void
start(fuzz_collector *c)
{
    lp_problem problem = {.text = ""};
    lp_err err = recovery_run(c->sessions, &(recovery_config){0}, &problem);
    LP_ASSERT(err == LP_OK || problem.text[0] != '\0');
    if (err == LP_OK) {
        sessions_each(c->sessions, fuzz_collector_check, NULL);
    }
}

// put_in_order returns whether the catalog could be put in order, and counts what was wrong.
static bool
put_in_order(const data_dir *dir, bool is_thorough, uint64_t *out_found)
{
    const reconcile_config config = {.dir = dir, .is_repairing = true, .is_thorough = is_thorough};
    reconcile_counts counts = {0};
    lp_problem problem = {.text = ""};
    lp_err err = reconcile_run(&config, &counts, &problem);
    LP_ASSERT(err == LP_OK || problem.text[0] != '\0');
    *out_found = 0;
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        *out_found += counts.found[i];
    }
    return err == LP_OK;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char path[300];
    fuzz_collector c = fuzz_collector_begin();
    sessions_destroy(c.sessions);
    if (sound_db.len == 0) {
        make_sound();
    }
    steps s = {bytes, bytes + count};
    bool is_thorough = take(&s, 1) % 2 != 0;
    uint64_t found;
    make_catalog(&s);
    if (put_in_order(c.dir, is_thorough, &found)) {
        LP_ASSERT(put_in_order(c.dir, is_thorough, &found) && found == 0);
        path_of("catalog.db", path);
        LP_ASSERT(catalog_open(path, &c.catalog, NULL) == LP_OK);
        fuzz_collector_open_sessions(&c);
        read_all(c.catalog);
        start(&c);
        sessions_destroy(c.sessions);
        catalog_close(c.catalog);
    }
    data_dir_close(c.dir);
    return 0;
}
