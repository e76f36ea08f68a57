// SPDX-License-Identifier: Apache-2.0
// catalog_db: a catalog's connection to its database and its statements, as the files of the
// catalog use them. Only a driver knows the database: catalog_sqlite.h, catalog_postgres.h.
//
//   catalog_db_call call;
//   CATALOG_DB_START(catalog, FIND, &call, catalog_db_text(session_id));
//   while (catalog_db_step(&call)) {
//       int64_t start_wall_ns = catalog_db_get_int(&call, 6);
//       ...
//   }
//   return catalog_db_finish(&call);
//
// Threads: as the catalog.
// Tests:   tests/unit/collector/store/catalog/test_catalog.c

#pragma once

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
#define COUNT(number, kind, name, field) +1
    CATALOG_DB_VALUES_MAX = 1 CATALOG_SESSION_COLUMNS(COUNT), // PUT_SESSION has the most
#undef COUNT
    CATALOG_DB_NODE_CHARS = 32, // CATALOG_NODE_ID_CHARS
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
    lp_slice bytes; // also a text, without its end; borrowed until the end of the call
} catalog_db_value;

// These make a value. A NULL text becomes NULL. An unsigned number above INT64_MAX is stored as a
// negative one.
catalog_db_value catalog_db_text(const char *text);

static inline catalog_db_value
catalog_db_bytes(lp_slice bytes)
{
    return (catalog_db_value){.kind = CATALOG_DB_BYTES, .bytes = bytes};
}

static inline catalog_db_value
catalog_db_int(int64_t value)
{
    return (catalog_db_value){.kind = CATALOG_DB_INT, .number = value};
}

static inline catalog_db_value
catalog_db_uint(uint64_t value)
{
    return catalog_db_int((int64_t)value);
}

static inline catalog_db_value
catalog_db_null(void)
{
    return (catalog_db_value){.kind = CATALOG_DB_NULL};
}

typedef struct catalog catalog;

// A running statement.
typedef struct catalog_db_call {
    catalog *of;
    catalog_db_statement which;
    catalog_db_value values[CATALOG_DB_VALUES_MAX];
    size_t value_count;
    bool has_started;       // the driver's start succeeded: finish ends it
    bool has_begun;         // the first step was made
    bool has_row;           // the last step returned a row
    bool is_queued;         // by the driver: its answer comes with other answers
    uint64_t changed_count; // rows that the statement has changed, once it is done
    lp_err err;             // the first failure; no step follows it
    int error;              // its errno; 0: none
    void *rows;             // the driver's, as is row
    int row;
} catalog_db_call;

// A driver's functions. Those that fail return, or set call->err to: LP_EAGAIN, LP_ECORRUPT,
// LP_ENOMEM, or LP_EIO with errno (see catalog.h).
typedef struct catalog_db_driver {
    bool is_durable; // catalog_is_durable; then open_log and sync are NULL
    // Prepares a statement, without values.
    lp_err (*start)(catalog_db_call *call);
    // Makes the first or the next step. Returns whether there is a row; otherwise sets
    // changed_count, or err and error.
    bool (*step)(catalog_db_call *call);
    // Sends a call's statement before its first step, without waiting. If has_answer, the first
    // step waits for the answer. Otherwise a failure shows in a later call of the transaction, at
    // the latest in its commit. Returns false and does nothing if no transaction is open. NULL:
    // never queues.
    bool (*queue)(catalog_db_call *call, bool has_answer);
    // Ends a call that was started, also one that failed.
    void (*finish)(catalog_db_call *call);
    // Read the row, as the catalog_db_ functions of the same names.
    int64_t (*get_int)(catalog_db_call *call, int column);
    const char *(*get_text)(catalog_db_call *call, int column);
    lp_slice (*get_bytes)(catalog_db_call *call, int column);
    bool (*has_bytes)(catalog_db_call *call, int column);
    // Stores a carry-over within the transaction of catalog_add_chunk, without a second copy in
    // memory: it may be large.
    lp_err (*put_carry)(catalog *catalog, const char *session_id, lp_slice carry);
    // The functions of catalog.h of the same names.
    lp_err (*open_log)(catalog *catalog, int *out_fd);
    lp_err (*sync)(catalog *catalog);
    unsigned (*count_changes)(catalog *catalog);
    void (*hurry)(catalog *catalog);                    // NULL: calls never wait for long
    lp_err (*probe)(catalog *catalog);                  // NULL: always available
    const char *(*get_failure)(const catalog *catalog); // NULL: none
    void (*close)(catalog *catalog);
} catalog_db_driver;

// The use of an open catalog.
typedef enum catalog_db_use {
    CATALOG_DB_READS,
    CATALOG_DB_WRITES_ALONE,
    CATALOG_DB_WRITES, // and other collectors write, too
} catalog_db_use;

// A driver's object begins with this.
struct catalog {
    const catalog_db_driver *driver;
    char node[CATALOG_DB_NODE_CHARS + 1]; // the node that opened it; "": not shared
    uint64_t rollups_left_out;            // catalog_rollups_left_out
    uint64_t calls; // started so far: shows ThreadSanitizer two threads that call without a lock
};

// catalog_db_check asserts what holds of every open catalog.
void catalog_db_check(const catalog *catalog);

// catalog_db_start prepares a statement. The caller ends *out_call with catalog_db_finish, which
// returns its failure: until then a failed call takes values and has no row.
void catalog_db_start(catalog *catalog, catalog_db_statement which, catalog_db_call *out_call);

// catalog_db_start_values also binds the values of the statement.
void catalog_db_start_values(catalog *catalog, catalog_db_statement which,
    const catalog_db_value *values, size_t count, catalog_db_call *out_call);

// catalog_db_ask has a statement in a transaction answered in one round trip with those that are
// asked or run before its first step. Until then the call and its values stay where they are.
void catalog_db_ask(catalog_db_call *call);

// catalog_db_step moves to the first or next row. Returns false at the end, or after a failure.
bool catalog_db_step(catalog_db_call *call);

// These read a column of the row, from 0. NULL reads as 0 or no bytes. Text is NULL if the column
// is NULL or memory ran out; the call then fails with LP_ENOMEM. Text and bytes are borrowed until
// the next step.
int64_t catalog_db_get_int(catalog_db_call *call, int column);
uint64_t catalog_db_get_uint(catalog_db_call *call, int column);
const char *catalog_db_get_text(catalog_db_call *call, int column);
lp_slice catalog_db_get_bytes(catalog_db_call *call, int column);

// catalog_db_has_bytes returns whether a column has bytes, perhaps none, rather than NULL.
bool catalog_db_has_bytes(catalog_db_call *call, int column);

// catalog_db_copy_text copies a column's text, cut to out_bytes; "" for NULL.
void catalog_db_copy_text(catalog_db_call *call, int column, char *out, size_t out_bytes);

// catalog_db_finish ends a call and its read transaction. Returns the call's first failure. The
// values may be freed afterwards.
LP_MUST_USE lp_err catalog_db_finish(catalog_db_call *call);

// catalog_db_finish_row is catalog_db_finish for a call with one row. Errors: LP_ENOENT if has_row
// is false
LP_MUST_USE lp_err catalog_db_finish_row(catalog_db_call *call, bool has_row);

// catalog_db_run runs a statement without rows. Within a transaction it may return before the
// answer; a failure then shows in a later call, at the latest in catalog_db_end. If out_changed is
// not NULL, it waits, and writes how many rows changed.
LP_MUST_USE lp_err catalog_db_run(catalog *catalog, catalog_db_statement which,
    const catalog_db_value *values, size_t count, uint64_t *out_changed);

// catalog_db_begin begins a transaction; every write is in one. catalog_db_end commits it, or after
// err != LP_OK rolls it back and returns err.
LP_MUST_USE lp_err catalog_db_begin(catalog *catalog);
LP_MUST_USE lp_err catalog_db_end(catalog *catalog, lp_err err);

// catalog_db_write is catalog_db_run in a transaction of its own.
LP_MUST_USE lp_err catalog_db_write(catalog *catalog, catalog_db_statement which,
    const catalog_db_value *values, size_t count, uint64_t *out_changed);

// catalog_db_count_errors returns how many calls have failed in this process. Threads: any thread.
uint64_t catalog_db_count_errors(void);

// CATALOG_DB_VALUES passes values and their count.
#define CATALOG_DB_VALUES(...)                                                                     \
    (const catalog_db_value[]){__VA_ARGS__},                                                       \
        sizeof((const catalog_db_value[]){__VA_ARGS__}) / sizeof(catalog_db_value)

// The functions above for the statement CATALOG_DB_<id>, with one value or more.
#define CATALOG_DB_START(catalog, id, call, ...)                                                   \
    catalog_db_start_values(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), call)
#define CATALOG_DB_RUN(catalog, id, ...)                                                           \
    catalog_db_run(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), NULL)
#define CATALOG_DB_RUN_COUNTED(catalog, id, out_changed, ...)                                      \
    catalog_db_run(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), out_changed)
#define CATALOG_DB_WRITE(catalog, id, ...)                                                         \
    catalog_db_write(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), NULL)
