// SPDX-License-Identifier: Apache-2.0
// fuzz_collector: what the collector has of its sessions, without its loop: a data directory in
// $TMPDIR that goes with the process, a catalog, and the sessions. Each input finds them empty. To
// make a catalog takes longer than all the rest, so it is made once.

#pragma once

#include "support/temp_dir.h"

#include "collector/chunks/assembly.h"
#include "collector/session/sessions.h"
#include "collector/start/recovery.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

enum { FUZZ_COLLECTOR_CHUNK_BYTES_MAX = 4 << 20 };

typedef struct fuzz_collector {
    data_dir *dir;
    catalog *catalog;
    sessions *sessions;
} fuzz_collector;

static temp_dir fuzz_collector_root;
static catalog *fuzz_collector_catalog;
static lp_buf fuzz_collector_delete_sql; // all rows

static inline void
fuzz_collector_remove_root(void)
{
    temp_dir_remove(&fuzz_collector_root);
}

static inline int
fuzz_collector_on_table(void *arg, int count, char **values, char **names)
{
    (void)count;
    (void)names;
    lp_buf_append(arg, values[0], strlen(values[0]));
    return 0;
}

static inline void
fuzz_collector_make(void)
{
    static const char list_sql[] =
        "SELECT 'DELETE FROM ' || name || ';' FROM sqlite_master WHERE type = 'table'";
    char path[300];
    lp_log_init("fuzz", LP_LOG_ERROR);
    fuzz_collector_root = temp_dir_make();
    LP_ASSERT(atexit(fuzz_collector_remove_root) == 0);
    (void)snprintf(path, sizeof(path), "%s/fuzz.db", fuzz_collector_root.path);
    LP_ASSERT(catalog_open(path, &fuzz_collector_catalog, NULL) == LP_OK);
    LP_ASSERT(sqlite3_exec(catalog_sqlite_get_db(fuzz_collector_catalog), list_sql,
                  fuzz_collector_on_table, &fuzz_collector_delete_sql, NULL) == SQLITE_OK);
    lp_buf_append(&fuzz_collector_delete_sql, "", 1);
    LP_ASSERT(!fuzz_collector_delete_sql.is_failed);
}

static inline int
fuzz_collector_on_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    return where->level == 0 ? 0 : remove(path);
}

// fuzz_collector_empty removes what the last input left in a folder.
static inline void
fuzz_collector_empty(const char *folder)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/%s", fuzz_collector_root.path, folder);
    (void)nftw(path, fuzz_collector_on_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void
fuzz_collector_open_sessions(fuzz_collector *c)
{
    c->sessions = sessions_create(c->dir, c->catalog);
    LP_ASSERT(c->sessions != NULL);
}

static inline fuzz_collector
fuzz_collector_begin(void)
{
    if (fuzz_collector_root.path[0] == '\0') {
        fuzz_collector_make();
    }
    fuzz_collector c = {.catalog = fuzz_collector_catalog};
    fuzz_collector_empty("journal");
    fuzz_collector_empty("damaged");
    fuzz_collector_empty("chunks");
    LP_ASSERT(data_dir_open(fuzz_collector_root.path, &c.dir, NULL) == LP_OK);
    const char *sql = (const char *)fuzz_collector_delete_sql.ptr;
    LP_ASSERT(sqlite3_exec(catalog_sqlite_get_db(c.catalog), sql, NULL, NULL, NULL) == SQLITE_OK);
    fuzz_collector_open_sessions(&c);
    return c;
}

static inline void
fuzz_collector_end(fuzz_collector *c)
{
    sessions_destroy(c->sessions);
    data_dir_close(c->dir);
}

// fuzz_collector_assemble puts a waiting chunk together; its carry-over, or carry where it has
// none.
static inline compact_carry *
fuzz_collector_assemble(const session_chunk *chunk, compact_carry *carry)
{
    assembly whole = {.jfr_bytes_max = FUZZ_COLLECTOR_CHUNK_BYTES_MAX,
        .record_bytes_max = FUZZ_COLLECTOR_CHUNK_BYTES_MAX};
    const assembly_part part = {
        .journal = chunk->journal,
        .end_bytes = journal_get_size(chunk->journal),
        .ordinal = chunk->ordinal,
        .has_jfr = chunk->has_jfr,
    };
    lp_problem problem = {.text = ""};
    compact_result result;
    LP_ASSERT(assembly_add(&whole, &part) == LP_OK);
    lp_err err = assembly_finish(&whole, &problem);
    LP_ASSERT(err == LP_OK || (err == LP_ECORRUPT && problem.text[0] != '\0'));
    compact_source source = assembly_view(&whole);
    const compact_options options = {
        .policy = chunk->policy == NULL ? NULL : policy_file_get_rules(chunk->policy)};
    if (err == LP_OK && source.jfr.len > 0 &&
        compact_chunk(&source, NULL, 0, carry, &options, &result, NULL) == LP_OK) {
        compact_carry_destroy(carry);
        carry = result.carry; // moves
        result.carry = NULL;
        compact_result_fini(&result);
    }
    assembly_fini(&whole);
    return carry;
}

// fuzz_collector_check looks at a session as the loop does, and puts its chunks together.
static inline void
fuzz_collector_check(void *arg, session *s)
{
    (void)arg;
    compact_carry *carry = NULL;
    session_check(s);
    (void)session_is_due(s, session_next_unit(s), SESSION_LOOK_AHEAD_NS);
    (void)session_get_waiting(s);
    for (size_t i = 0; i < s->chunk_count; i++) {
        carry = fuzz_collector_assemble(&s->chunks[i], carry);
    }
    compact_carry_destroy(carry);
}
