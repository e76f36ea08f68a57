// SPDX-License-Identifier: Apache-2.0
// catalog_place: an empty place for a catalog of a test's own. It is a file of SQLite's, or, where
// with_postgres.sh runs the test, a schema of PostgreSQL's.

#pragma once

#include "support/temp_dir.h"

#include <libpq-fe.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct catalog_place {
    temp_dir dir;
    char path[300]; // for catalog_open
} catalog_place;

static inline bool
catalog_place_is_postgres(void)
{
    return getenv("LOUPE_POSTGRES") != NULL;
}

static inline void
catalog_place_run_postgres(const char *uri, const char *sql)
{
    PGconn *db = PQconnectdb(uri);
    PGresult *result = PQexec(db, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK) {
        fail_msg("%s: %s", sql, PQerrorMessage(db));
    }
    PQclear(result);
    PQfinish(db);
}

// catalog_place_run runs statements in the database of a place.
static inline void
catalog_place_run(const catalog_place *place, const char *sql)
{
    sqlite3 *db;
    if (catalog_place_is_postgres()) {
        catalog_place_run_postgres(place->path, sql);
        return;
    }
    assert_int_equal(sqlite3_open(place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static inline catalog_place
catalog_place_make(void)
{
    static unsigned count;
    catalog_place place = {.dir = temp_dir_make()};
    const char *server = getenv("LOUPE_POSTGRES");
    char sql[80];
    if (server == NULL) {
        (void)snprintf(place.path, sizeof(place.path), "%s/catalog.db", place.dir.path);
        return place;
    }
    (void)snprintf(sql, sizeof(sql), "CREATE SCHEMA test%u", ++count);
    catalog_place_run_postgres(server, sql);
    (void)snprintf(place.path, sizeof(place.path),
        "%s?connect_timeout=60&options=-csearch_path%%3Dtest%u", server, count);
    return place;
}

static inline void
catalog_place_remove(const catalog_place *place)
{
    temp_dir_remove(&place->dir);
}

// catalog_place_text returns a literal for the texts of a row, which a catalog never frees.
static inline char *
catalog_place_text(const char *literal)
{
    return (char *)(uintptr_t)literal;
}
