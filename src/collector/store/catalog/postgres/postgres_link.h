// SPDX-License-Identifier: Apache-2.0
// postgres_link: a connection to PostgreSQL that reconnects after a loss, and whose waits all have
// a limit. It does not depend on the content of the database.
//
// If the server is unavailable, one attempt to connect takes at most POSTGRES_LINK_CONNECT_S_MAX
// for each address of the server; further calls fail at once until the next attempt is due. If the
// server hangs, the call waits up to the statement's limit; then the connection and its transaction
// are closed. In an ending process no call waits beyond the deadline of lp_end.h, but for half a
// second if it began after that.
//
// A failure's text has the server, the database and PostgreSQL's message, but never the password.
//
// Threads: one thread at a time; postgres_link_set_loop_ms_max before there are other threads.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres_away.c

#pragma once

#include "common/base/lp_err.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POSTGRES_LINK_CONNECT_S_MAX = 3, // per address, without name resolution; a URI may override it
    // The pause after a failed attempt to connect: the attempt's duration times
    // POSTGRES_LINK_RETRY_FACTOR, but at least POSTGRES_LINK_RETRY_MS, and at most
    // POSTGRES_LINK_RETRY_MS_MAX: on a suspended machine an attempt may take an hour.
    POSTGRES_LINK_RETRY_MS = 1000,
    POSTGRES_LINK_RETRY_FACTOR = 5,
    POSTGRES_LINK_RETRY_MS_MAX = 30 * 1000,
    // The limits for an answer:
    POSTGRES_LINK_LOOP_MS_MAX = 5000,        // to a loop's statement
    POSTGRES_LINK_READER_MS_MAX = 60 * 1000, // to a statement of a thread that may wait
    POSTGRES_LINK_READER_MS_MIN = 15 * 1000, // the minimum when end-to-end tests scale the limit
    POSTGRES_LINK_START_MS_MAX = 600 * 1000, // to a statement of a start that reads all rows
};

// postgres_link_get_pause_ms returns the pause after a failed attempt to connect that took took_ms.
int64_t postgres_link_get_pause_ms(int64_t took_ms);

// postgres_link_get_reader_ms_max returns POSTGRES_LINK_READER_MS_MAX, or a shorter limit in
// end-to-end tests (lp_time_scale.h).
int postgres_link_get_reader_ms_max(void);

// postgres_link_get_loop_ms_max returns the limit for the statements of loops:
// POSTGRES_LINK_LOOP_MS_MAX, or the shorter limit that a unit test has set. A limit that is set
// applies to connections that are made afterwards.
int postgres_link_get_loop_ms_max(void);
void postgres_link_set_loop_ms_max(int ms_max);

typedef struct postgres_link postgres_link;

// The values of a statement, in PostgreSQL's binary formats. A NULL pointer is an SQL NULL. They
// are borrowed for the call.
typedef struct postgres_link_values {
    int count;
    const Oid *types; // 0: as the statement implies
    const char *const *values;
    const int *lengths;
} postgres_link_values;

// postgres_link_format_name writes the identity of a catalog: host, port, database and settings
// (such as the schema), without user and password. Errors: LP_ECORRUPT if the text is no URI
LP_MUST_USE lp_err postgres_link_format_name(const char *uri, char *out_name, size_t name_bytes);

// postgres_link_create parses a URI without connecting. A reader accepts a read-only server and has
// a longer limit. Errors: LP_ECORRUPT if the text is no URI; LP_ENOMEM
LP_MUST_USE lp_err postgres_link_create(
    const char *uri, bool is_reader, postgres_link **out_link, lp_problem *out_problem);

// postgres_link_destroy closes the connection. NULL is fine.
void postgres_link_destroy(postgres_link *link);

// The first calls on each new connection. If greet fails, the link closes the connection.
typedef struct postgres_link_greeting {
    lp_err (*greet)(void *arg);
    void *arg;
} postgres_link_greeting;

// postgres_link_connect connects if there is no connection. The functions below that send
// statements or wait for results need a connection.
// Errors: as greet; LP_EAGAIN with errno, also before the next attempt is due; LP_ENOMEM
LP_MUST_USE lp_err postgres_link_connect(postgres_link *link, postgres_link_greeting greeting);

bool postgres_link_is_connected(const postgres_link *link);

// postgres_link_check closes the connection if the server has already closed it. It never waits.
void postgres_link_check(postgres_link *link);

// postgres_link_drop closes the connection; the next call may reconnect at once.
void postgres_link_drop(postgres_link *link);

// postgres_link_set_limit sets the limit for answers from now on.
void postgres_link_set_limit(postgres_link *link, int ms_max);

// postgres_link_run runs statements without values. *out_result is the result of the last
// statement, which the caller clears; out_result may be NULL. Errors: as postgres_link_next
LP_MUST_USE lp_err postgres_link_run(postgres_link *link, const char *sql, PGresult **out_result);

// postgres_link_queue_prepare sends a statement to prepare, with values $1, $2 and so on.
// postgres_link_queue sends a prepared statement. Neither waits; postgres_link_sync does. Between
// the first of these calls and postgres_link_sync, call no other function.
LP_MUST_USE lp_err postgres_link_queue_prepare(
    postgres_link *link, const char *name, const char *sql, const postgres_link_values *values);
LP_MUST_USE lp_err postgres_link_queue(
    postgres_link *link, const char *name, const postgres_link_values *values);

// postgres_link_sync waits for the answers to all queued statements, in one round trip. It calls
// on_answer once for each statement, in order; on_answer clears the result. A NULL result means
// that the statement or an earlier one failed. If the connection is lost, on_answer is not called
// for the remaining statements. Errors: that of the first failed statement, as in
// postgres_link_next
LP_MUST_USE lp_err postgres_link_sync(
    postgres_link *link, void (*on_answer)(void *arg, PGresult *result), void *arg);

// postgres_link_stream starts a prepared statement. postgres_link_next then returns each row as a
// result when it arrives, and finally NULL.
LP_MUST_USE lp_err postgres_link_stream(
    postgres_link *link, const char *name, const postgres_link_values *values);

// postgres_link_next waits for the next result, which the caller clears; NULL: no more results.
// Errors: LP_EAGAIN    with errno: the connection was lost (ENOTCONN), or closed because no answer
//                      arrived in time (ETIMEDOUT); errno 0: the server cancelled the statement
//                      after its time limit, or because of a lock
//         LP_ECORRUPT  the server reports damaged data or missing tables
//         LP_ENOMEM
//         LP_EIO       with errno: the server's disk is full (ENOSPC), it is read-only (EROFS), or
//                      another reason (EIO)
LP_MUST_USE lp_err postgres_link_next(postgres_link *link, PGresult **out_result);

// postgres_link_finish waits for the remaining results. *out_result is the last result, which the
// caller clears; NULL if there is none. out_result may be NULL. Errors: as postgres_link_next
LP_MUST_USE lp_err postgres_link_finish(postgres_link *link, PGresult **out_result);

// postgres_link_get_text returns the text of the last failure since the connection was made; "" if
// there is none. postgres_link_has_code returns whether that failure had this SQLSTATE.
const char *postgres_link_get_text(const postgres_link *link);
bool postgres_link_has_code(const postgres_link *link, const char *sqlstate);

// postgres_link_fail records a failure that the caller has found. Returns err, with errno.
lp_err postgres_link_fail(postgres_link *link, lp_err err, int error, const char *text);

// Returns the number of reconnects in this process. Threads: any thread.
uint64_t postgres_link_count_reconnects(void);
