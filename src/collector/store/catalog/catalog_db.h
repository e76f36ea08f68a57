// SPDX-License-Identifier: Apache-2.0
// catalog_db: a catalog's connection to its database, with its statements, as the files of the
// catalog use it. Which database it is, a driver knows, and nobody else: catalog_sqlite.h,
// catalog_postgres.h.
//
//   catalog_db_call call;
//   catalog_db_start(catalog, CATALOG_DB_FIND, &call);
//   catalog_db_bind_text(&call, session_id); // then the other values, in their order
//   while (catalog_db_step(&call)) {
//       int64_t start_wall_ns = catalog_db_get_int(&call, 6);
//       ...
//   }
//   return catalog_db_finish(&call);
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#ifndef LP_COLLECTOR_STORE_CATALOG_DB_H
#define LP_COLLECTOR_STORE_CATALOG_DB_H

#include "collector/store/catalog/session_columns.def"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum catalog_db_statement {
#define LOUPE_STATEMENT(id, sql)               CATALOG_DB_##id,
#define LOUPE_STATEMENTS(id, sqlite, postgres) CATALOG_DB_##id,
#include "collector/store/catalog/catalog_statements.def"
#undef LOUPE_STATEMENT
#undef LOUPE_STATEMENTS
    CATALOG_DB_STATEMENT_COUNT,
} catalog_db_statement;

enum {
// Of a statement: PUT_SESSION has the most.
#define COUNT(number, kind, name, field) +1
    CATALOG_DB_VALUES_MAX = 1 CATALOG_SESSION_COLUMNS(COUNT),
#undef COUNT
    CATALOG_DB_NODE_CHARS = 32, // see CATALOG_NODE_ID_CHARS
};

typedef enum catalog_db_kind {
    CATALOG_DB_NULL,
    CATALOG_DB_INT,
    CATALOG_DB_TEXT,
    CATALOG_DB_BYTES,
} catalog_db_kind;

typedef struct catalog_db_value {
    catalog_db_kind kind;
    int64_t number;
    lp_slice bytes; // of text, too, without its end; borrowed until the end of the call
} catalog_db_value;

typedef struct catalog catalog;

// A statement while it is used.
typedef struct catalog_db_call {
    catalog *of;
    catalog_db_statement which;
    catalog_db_value values[CATALOG_DB_VALUES_MAX];
    size_t value_count;
    bool has_started;       // the statement is ready: finish ends it
    bool has_begun;         // the first step was made
    bool is_queued;         // by the driver: the answer comes with those to other calls
    uint64_t changed_count; // rows that the statement has changed, once it is done
    lp_err err;             // the first failure; no step is made after it
    int error;              // its errno, 0 where it has none
    void *rows;             // of the driver, as this:
    int row;
} catalog_db_call;

// What a driver does. Functions that fail return, or set call->err to: LP_EAGAIN, LP_ECORRUPT,
// LP_ENOMEM, LP_EIO with the errno, see catalog.h.
typedef struct catalog_db_driver {
    bool is_durable; // see catalog_is_durable; then open_log and sync are NULL
    // start gets a statement ready, without values.
    lp_err (*start)(catalog_db_call *call);
    // step makes the first or the next step. It returns whether there is a row, and else has set
    // changed_count, or err and error.
    bool (*step)(catalog_db_call *call);
    // queue sends a call's statement before its first step, and does not wait for the answer. The
    // first step does, if there is to be an answer; else nobody does, and a failure is that of a
    // later call of the transaction, at the latest of its commit. It returns false, and does
    // nothing, where no transaction is open. NULL: it never does.
    bool (*queue)(catalog_db_call *call, bool has_answer);
    // finish ends a call that was started, whatever became of it.
    void (*finish)(catalog_db_call *call);
    // These read the row, as the functions of the same names below.
    int64_t (*get_int)(catalog_db_call *call, int column);
    const char *(*get_text)(catalog_db_call *call, int column);
    lp_slice (*get_bytes)(catalog_db_call *call, int column);
    bool (*has_bytes)(catalog_db_call *call, int column);
    // put_carry is a part of catalog_add_chunk, within its transaction. A carry-over may be so
    // large that nobody wants it in memory once more.
    lp_err (*put_carry)(catalog *catalog, const char *session_id, lp_slice carry);
    // These are the functions of catalog.h of the same names.
    lp_err (*open_log)(catalog *catalog, int *out_fd);
    lp_err (*sync)(catalog *catalog);
    unsigned (*count_changes)(catalog *catalog);
    void (*hurry)(catalog *catalog);                    // NULL: it never waits for long
    lp_err (*probe)(catalog *catalog);                  // NULL: it is always there
    const char *(*get_failure)(const catalog *catalog); // NULL: it has none
    void (*close)(catalog *catalog);
} catalog_db_driver;

// What a catalog is opened for.
typedef enum catalog_db_use {
    CATALOG_DB_READS,
    CATALOG_DB_WRITES_ALONE,
    CATALOG_DB_WRITES, // beside others that do
} catalog_db_use;

// The beginning of what a driver opens.
struct catalog {
    const catalog_db_driver *driver;
    char node[CATALOG_DB_NODE_CHARS + 1]; // that it is of; "": it does not share it
    uint64_t rollups_left_out;            // see catalog_rollups_left_out
    uint64_t calls; // started so far: ThreadSanitizer sees two threads that call without a lock
};

// catalog_db_start gets a statement ready, without values. The caller ends *out_call with
// catalog_db_finish or catalog_db_run, which say whether that failed: until then a call that failed
// takes values, and has no row.
void catalog_db_start(catalog *catalog, catalog_db_statement which, catalog_db_call *out_call);

// These bind the next value. Text and bytes are borrowed until the end of the call; text may be
// NULL, which is bound as such. An unsigned number over INT64_MAX is kept as a negative one.
void catalog_db_bind_text(catalog_db_call *call, const char *text);
void catalog_db_bind_bytes(catalog_db_call *call, lp_slice bytes);
void catalog_db_bind_int(catalog_db_call *call, int64_t value);
void catalog_db_bind_null(catalog_db_call *call);
void catalog_db_bind_uint(catalog_db_call *call, uint64_t value);

// catalog_db_ask has a statement that is in a transaction be answered together with those that are
// asked or run before its first step: in one round trip, where the database is another machine's.
// Until then the call stays where it is, and its values, too.
void catalog_db_ask(catalog_db_call *call);

// catalog_db_step returns whether there is a row, or the next one. Whether all went well
// catalog_db_finish says.
bool catalog_db_step(catalog_db_call *call);

// These read a column of the row, from 0. Numbers are 0 of NULL, and bytes none. Text is NULL where
// there is none, or memory ran out for it, which catalog_db_finish says then. Text and bytes are
// lent until the next step.
int64_t catalog_db_get_int(catalog_db_call *call, int column);
uint64_t catalog_db_get_uint(catalog_db_call *call, int column);
const char *catalog_db_get_text(catalog_db_call *call, int column);
lp_slice catalog_db_get_bytes(catalog_db_call *call, int column);

// catalog_db_has_bytes returns whether a column has bytes, of which there may be none, rather than
// NULL.
bool catalog_db_has_bytes(catalog_db_call *call, int column);

// catalog_db_finish ends a call: what was bound may be freed, and no read transaction stays open.
// It returns the first failure of the call.
LP_MUST_USE lp_err catalog_db_finish(catalog_db_call *call);

// catalog_db_run makes one step and ends the call. Within a transaction it need not wait: then its
// failure is that of a later call, at the latest of catalog_db_end. catalog_db_run_counted waits,
// and also returns how many rows it changed.
LP_MUST_USE lp_err catalog_db_run(catalog_db_call *call);
LP_MUST_USE lp_err catalog_db_run_counted(catalog_db_call *call, uint64_t *out_changed);

// catalog_db_count_errors returns how many calls have failed in this process. Threads: any thread.
uint64_t catalog_db_count_errors(void);

// catalog_db_begin begins a transaction that writes: each does here. As of catalog_db_run.
LP_MUST_USE lp_err catalog_db_begin(catalog *catalog);

// catalog_db_end commits what was written, or undoes it after an error, which it returns.
LP_MUST_USE lp_err catalog_db_end(catalog *catalog, lp_err err);

#endif // LP_COLLECTOR_STORE_CATALOG_DB_H
