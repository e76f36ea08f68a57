// SPDX-License-Identifier: Apache-2.0
// catalog_db: a catalog's connection to its database and its statements, for the other files of the
// catalog. Only a driver knows the database: catalog_sqlite.h, catalog_postgres.h.
//
//   catalog_db_call call;
//   const char *service;
//   uint64_t count;
//   CATALOG_DB_START(catalog, LIST_SERVICES, &call, from_wall_ns, to_wall_ns);
//   while (CATALOG_DB_NEXT(&call, &service, &count)) {
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
    lp_slice bytes; // or a text without its final 0; borrowed until the end of the call
} catalog_db_value;

// A variable that receives a column: see CATALOG_DB_NEXT.
typedef struct catalog_db_target {
    enum catalog_db_target_kind {
        CATALOG_DB_TO_NUMBER, // int64_t, uint64_t
        CATALOG_DB_TO_UINT32,
        CATALOG_DB_TO_BOOL,
        CATALOG_DB_TO_TEXT, // const char *
        CATALOG_DB_TO_CHARS,
        CATALOG_DB_TO_BYTES, // lp_slice
    } kind;
    void *to;
} catalog_db_target;

// An array that receives a text, which is cut to the size of the array.
typedef struct catalog_db_chars {
    char *text;
    size_t bytes;
} catalog_db_chars;

// The next functions make a value. A NULL text becomes an SQL NULL. An unsigned number above
// INT64_MAX is stored as a negative number.
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
catalog_db_same(catalog_db_value value)
{
    return value;
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
    bool is_queued;         // the driver queued it: its answer comes with other answers
    uint64_t changed_count; // rows that the statement has changed, once it is done
    lp_err err;             // the first failure; no step follows it
    int error;              // the errno of err; 0: none
    void *rows;             // the driver's
    int row;                // the driver's
} catalog_db_call;

// The functions of a driver. On failure they return, or set call->err to: LP_EAGAIN, LP_ECORRUPT,
// LP_ENOMEM, or LP_EIO with errno (see catalog.h).
typedef struct catalog_db_driver {
    bool is_durable; // catalog_is_durable; then open_log and sync are NULL
    // Prepares a statement; its values are bound later.
    lp_err (*start)(catalog_db_call *call);
    // Makes the first or the next step. Returns whether there is a row. If there is none, sets
    // changed_count, or err and error.
    bool (*step)(catalog_db_call *call);
    // Sends a call's statement before its first step, without waiting. If has_answer, the first
    // step waits for the answer. Otherwise a failure is reported by a later call of the
    // transaction, at the latest by its commit. Returns false and does nothing if no transaction is
    // open. NULL: the driver never queues.
    bool (*queue)(catalog_db_call *call, bool has_answer);
    // Ends a started call, even if it failed.
    void (*finish)(catalog_db_call *call);
    // Reads a column of the row as a value of this kind, borrowed until the next step. If the
    // column has another kind, the value is 0, no bytes or NULL; its kind may be the column's.
    catalog_db_value (*get)(catalog_db_call *call, int column, catalog_db_kind kind);
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

// How an open catalog is used.
typedef enum catalog_db_use {
    CATALOG_DB_READS,
    CATALOG_DB_WRITES_ALONE,
    CATALOG_DB_WRITES, // and other collectors write, too
} catalog_db_use;

// Each driver's object begins with this.
struct catalog {
    const catalog_db_driver *driver;
    char node[CATALOG_DB_NODE_CHARS + 1]; // the node that opened it; "": not shared
    uint64_t rollups_left_out;            // catalog_rollups_left_out
    bool has_begun;                       // a transaction is open
    uint64_t calls; // started so far: shows ThreadSanitizer two threads that call without a lock
};

// catalog_db_check asserts the invariants of an open catalog.
void catalog_db_check(const catalog *catalog);

// catalog_db_check_begun also asserts that a transaction is open, so that all writes of the caller
// are stored, or none.
void catalog_db_check_begun(const catalog *catalog);

// catalog_db_start prepares a statement with values. The caller ends *out_call with
// catalog_db_finish. If preparing fails, the call has no rows, and catalog_db_finish returns the
// failure.
void catalog_db_start(catalog *catalog, catalog_db_statement which, const catalog_db_value *values,
    size_t count, catalog_db_call *out_call);

// catalog_db_ask sends a statement of a transaction early: one round trip answers it together with
// the other statements that are asked or run before its first step. Until its first step the call
// and its values must not move.
void catalog_db_ask(catalog_db_call *call);

// catalog_db_step moves to the first or next row. Returns false at the end, or after a failure.
bool catalog_db_step(catalog_db_call *call);

// catalog_db_next is catalog_db_step, and reads the first columns of the row into targets as the
// next three functions do. Returns false also if it cannot read a text.
bool catalog_db_next(catalog_db_call *call, const catalog_db_target *targets, size_t count);

// The next three functions read a column of the row, counted from 0. NULL reads as 0 or no bytes. A
// text is NULL if the column is NULL or memory ran out; in the latter case the call fails with
// LP_ENOMEM. Texts and bytes are borrowed until the next step. A value of bytes has the kind
// CATALOG_DB_BYTES, even if it is empty; NULL has another kind.
int64_t catalog_db_get_int(catalog_db_call *call, int column);
const char *catalog_db_get_text(catalog_db_call *call, int column);
catalog_db_value catalog_db_get_bytes(catalog_db_call *call, int column);

// catalog_db_finish ends a call and its read transaction. Returns the call's first failure. The
// values may be freed afterwards.
LP_MUST_USE lp_err catalog_db_finish(catalog_db_call *call);

// catalog_db_finish_with ends a call and returns err, or the result of catalog_db_finish if err is
// LP_OK. catalog_db_finish_row is catalog_db_finish for a call that must have a row. Errors:
// LP_ENOENT if has_row is false
LP_MUST_USE lp_err catalog_db_finish_with(catalog_db_call *call, lp_err err);
LP_MUST_USE lp_err catalog_db_finish_row(catalog_db_call *call, bool has_row);

// catalog_db_run runs a statement without rows. Within a transaction it may return before the
// answer; a later call then reports a failure, at the latest catalog_db_end. If out_changed is not
// NULL, it waits for the answer, and writes the number of changed rows.
LP_MUST_USE lp_err catalog_db_run(catalog *catalog, catalog_db_statement which,
    const catalog_db_value *values, size_t count, uint64_t *out_changed);

// catalog_db_begin begins a transaction, which every write needs. catalog_db_end commits it. If err
// is not LP_OK, catalog_db_end rolls back the transaction instead, and returns err.
LP_MUST_USE lp_err catalog_db_begin(catalog *catalog);
LP_MUST_USE lp_err catalog_db_end(catalog *catalog, lp_err err);

// catalog_db_write is catalog_db_run in a transaction of its own.
LP_MUST_USE lp_err catalog_db_write(catalog *catalog, catalog_db_statement which,
    const catalog_db_value *values, size_t count, uint64_t *out_changed);

// catalog_db_count_errors returns how many calls have failed in this process. Threads: any thread.
uint64_t catalog_db_count_errors(void);

// CATALOG_DB_EACH(f, a, b, ...) expands to f(a), f(b), ... for up to 20 arguments.
#define CATALOG_DB_PARENS       ()
#define CATALOG_DB_SCAN(...)    CATALOG_DB_SCAN4(CATALOG_DB_SCAN4(CATALOG_DB_SCAN4(__VA_ARGS__)))
#define CATALOG_DB_SCAN4(...)   CATALOG_DB_SCAN2(CATALOG_DB_SCAN2(CATALOG_DB_SCAN2(__VA_ARGS__)))
#define CATALOG_DB_SCAN2(...)   CATALOG_DB_SCAN1(CATALOG_DB_SCAN1(CATALOG_DB_SCAN1(__VA_ARGS__)))
#define CATALOG_DB_SCAN1(...)   __VA_ARGS__
#define CATALOG_DB_EACH(f, ...) CATALOG_DB_SCAN(CATALOG_DB_EACH_STEP(f, __VA_ARGS__))
#define CATALOG_DB_EACH_STEP(f, first, ...)                                                        \
    f(first) __VA_OPT__(, CATALOG_DB_EACH_AGAIN CATALOG_DB_PARENS(f, __VA_ARGS__))
#define CATALOG_DB_EACH_AGAIN() CATALOG_DB_EACH_STEP

// CATALOG_DB_VALUE makes a value of a text, a number, a slice of bytes or a value.
#define CATALOG_DB_VALUE(x)                                                                        \
    _Generic((x),                                                                                  \
        char *: catalog_db_text,                                                                   \
        const char *: catalog_db_text,                                                             \
        lp_slice: catalog_db_bytes,                                                                \
        bool: catalog_db_int,                                                                      \
        int: catalog_db_int,                                                                       \
        int64_t: catalog_db_int,                                                                   \
        uint32_t: catalog_db_uint,                                                                 \
        uint64_t: catalog_db_uint,                                                                 \
        catalog_db_value: catalog_db_same)(x)

// CATALOG_DB_ARRAY passes an array of f(a), f(b), ... and their count.
#define CATALOG_DB_ARRAY(type, f, ...)                                                             \
    (const type[]){CATALOG_DB_EACH(f, __VA_ARGS__)},                                               \
        sizeof((const type[]){CATALOG_DB_EACH(f, __VA_ARGS__)}) / sizeof(type)

#define CATALOG_DB_VALUES(...)  CATALOG_DB_ARRAY(catalog_db_value, CATALOG_DB_VALUE, __VA_ARGS__)
#define CATALOG_DB_TARGETS(...) CATALOG_DB_ARRAY(catalog_db_target, CATALOG_DB_TARGET, __VA_ARGS__)

// CATALOG_DB_NEXT is catalog_db_next with pointers to variables, or CATALOG_DB_CHARS(array), as
// targets.
#define CATALOG_DB_NEXT(call, ...) catalog_db_next(call, CATALOG_DB_TARGETS(__VA_ARGS__))
#define CATALOG_DB_CHARS(array)    (&(catalog_db_chars){(array), sizeof(array)})
#define CATALOG_DB_TARGET(x)                                                                       \
    ((catalog_db_target){_Generic((x),                                                             \
                             int64_t *: CATALOG_DB_TO_NUMBER,                                      \
                             uint64_t *: CATALOG_DB_TO_NUMBER,                                     \
                             uint32_t *: CATALOG_DB_TO_UINT32,                                     \
                             bool *: CATALOG_DB_TO_BOOL,                                           \
                             const char **: CATALOG_DB_TO_TEXT,                                    \
                             catalog_db_chars *: CATALOG_DB_TO_CHARS,                              \
                             lp_slice *: CATALOG_DB_TO_BYTES),                                     \
        (x)})

// The functions above for the statement CATALOG_DB_<id>: with values, or _PLAIN without.
#define CATALOG_DB_START_PLAIN(catalog, id, call)                                                  \
    catalog_db_start(catalog, CATALOG_DB_##id, NULL, 0, call)
#define CATALOG_DB_START(catalog, id, call, ...)                                                   \
    catalog_db_start(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), call)
#define CATALOG_DB_RUN(catalog, id, ...)                                                           \
    catalog_db_run(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), NULL)
#define CATALOG_DB_RUN_COUNTED(catalog, id, out_changed, ...)                                      \
    catalog_db_run(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), out_changed)
#define CATALOG_DB_WRITE(catalog, id, ...)                                                         \
    catalog_db_write(catalog, CATALOG_DB_##id, CATALOG_DB_VALUES(__VA_ARGS__), NULL)
