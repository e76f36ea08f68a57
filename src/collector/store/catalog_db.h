// SPDX-License-Identifier: Apache-2.0
// catalog_db: the connection of a catalog to SQLite, with its prepared statements.
//
//   catalog_db_call call;
//   err = catalog_db_start(catalog, CATALOG_DB_FIND, &call);
//   ...
//   catalog_db_bind_text(&call, session_id); // then the other values, in their order
//   while ((code = catalog_db_step(&call)) == SQLITE_ROW) ...
//   catalog_db_finish(&call);
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/test_catalog.c

#ifndef LP_COLLECTOR_STORE_CATALOG_DB_H
#define LP_COLLECTOR_STORE_CATALOG_DB_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <sqlite3.h>
#include <stdint.h>

typedef enum catalog_db_statement {
    CATALOG_DB_BEGIN,
    CATALOG_DB_COMMIT,
    CATALOG_DB_ROLLBACK,
    CATALOG_DB_PUT_SESSION,
    CATALOG_DB_PUT_LOSS,
    CATALOG_DB_CLEAR_LOSS,
    CATALOG_DB_LIST_LOSSES,
    CATALOG_DB_PUT_CHUNK,
    CATALOG_DB_DROP_TYPES,
    CATALOG_DB_PUT_TYPES,
    CATALOG_DB_DROP_DROPPED,
    CATALOG_DB_PUT_DROPPED,
    CATALOG_DB_PUT_CARRY,
    CATALOG_DB_GET_CARRY,
    CATALOG_DB_LIST,
    CATALOG_DB_LIST_INSTANCE,
    CATALOG_DB_LIST_SERVICES,
    CATALOG_DB_LIST_EMPTY,
    CATALOG_DB_FIND,
    CATALOG_DB_FIRST_START,
    CATALOG_DB_LIST_CHUNKS,
    CATALOG_DB_LIST_TYPES,
    CATALOG_DB_LIST_DROPPED,
    CATALOG_DB_FIND_ROLLUP,
    CATALOG_DB_DROP_ROLLUP,
    CATALOG_DB_PUT_ROLLUP,
    CATALOG_DB_LIST_ROLLUPS,
    CATALOG_DB_LIST_SESSION_ROLLUPS,
    CATALOG_DB_GET_SUM,
    CATALOG_DB_PUT_SUM,
    CATALOG_DB_LIST_SUMS,
    CATALOG_DB_LIST_SUMMED,
    CATALOG_DB_LOSE_CHUNK,
    CATALOG_DB_SIZE_CHUNK,
    CATALOG_DB_ADD_LOSS,
    CATALOG_DB_LIST_KEPT,
    CATALOG_DB_LIST_OLDEST,
    CATALOG_DB_LIST_REMOVED,
    CATALOG_DB_DROP_CHUNK,
    CATALOG_DB_DROP_SUM,
    CATALOG_DB_COUNT_EXPIRED,
    CATALOG_DB_DROP_SESSION,
    CATALOG_DB_DROP_LOSSES,
    CATALOG_DB_DROP_CARRY,
    CATALOG_DB_PUT_REMOVAL,
    CATALOG_DB_DROP_REMOVAL,
    CATALOG_DB_LIST_REMOVALS,
    CATALOG_DB_DROP_DAYS,
    CATALOG_DB_PUT_DAY,
    CATALOG_DB_LIST_DAYS,
    CATALOG_DB_STATEMENT_COUNT,
} catalog_db_statement;

typedef struct catalog catalog;
struct catalog {
    sqlite3 *db;
    sqlite3_stmt *statements[CATALOG_DB_STATEMENT_COUNT]; // prepared at their first use
    uint64_t rollups_left_out;                            // see catalog_rollups_left_out
};

// catalog_db_err returns the error that a result of SQLite's is to the caller of a catalog.
lp_err catalog_db_err(int code);

// A statement while it is used.
typedef struct catalog_db_call {
    sqlite3_stmt *stmt;
    int value_count; // values that are bound
    int code;        // the first failure to bind one, which catalog_db_step returns
    int error;       // errno of a failed step
} catalog_db_call;

// catalog_db_open is sqlite3_open_v2 for a connection that one thread at a time uses.
//
// Threads: any thread.
int catalog_db_open(const char *path, int flags, sqlite3 **out_db);

// catalog_db_start prepares a statement, without values. The caller ends *out_call with
// catalog_db_finish or catalog_db_run, but not after an error.
LP_MUST_USE lp_err catalog_db_start(
    catalog *catalog, catalog_db_statement which, catalog_db_call *out_call);

// These bind the next value. Text and bytes are borrowed until the end of the call. An unsigned
// number over INT64_MAX is kept as a negative one.
void catalog_db_bind_text(catalog_db_call *call, const char *text);
void catalog_db_bind_bytes(catalog_db_call *call, lp_slice bytes);
void catalog_db_bind_int(catalog_db_call *call, int64_t value);
void catalog_db_bind_null(catalog_db_call *call);
void catalog_db_bind_uint(catalog_db_call *call, uint64_t value);

// catalog_db_step returns SQLITE_ROW, SQLITE_DONE or a failure.
int catalog_db_step(catalog_db_call *call);

// catalog_db_finish ends a call: what was bound may be freed, and no read transaction stays open.
void catalog_db_finish(catalog_db_call *call);

// catalog_db_run makes one step and ends the call.
LP_MUST_USE lp_err catalog_db_run(catalog_db_call *call);

// catalog_db_begin begins a transaction that writes.
LP_MUST_USE lp_err catalog_db_begin(catalog *catalog);

// catalog_db_end commits what was written, or undoes it after an error, which it returns.
LP_MUST_USE lp_err catalog_db_end(catalog *catalog, lp_err err);

#endif // LP_COLLECTOR_STORE_CATALOG_DB_H
