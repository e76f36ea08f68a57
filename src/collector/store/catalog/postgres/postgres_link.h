// SPDX-License-Identifier: Apache-2.0
// postgres_link: a connection to PostgreSQL that is made again after it was lost, and never waits
// for longer than a limit that has a name. What it does not know is what is in the database.
//
// A server that is gone costs its caller one try, of POSTGRES_LINK_CONNECT_S_MAX for each of its
// addresses at most, and then a failure at once until the next try is due. One that hangs costs
// the limit of the statement; then the connection is given up, and so is a transaction on it.
//
// The text of a failure says which server and database, and what PostgreSQL says. It never has the
// password.
//
// Threads: one thread at a time; postgres_link_set_loop_ms_max before there are others.
// Tests:   tests/unit/collector/store/catalog/test_catalog_postgres_away.c

#ifndef LP_COLLECTOR_STORE_POSTGRES_LINK_H
#define LP_COLLECTOR_STORE_POSTGRES_LINK_H

#include "common/base/lp_err.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    POSTGRES_LINK_CONNECT_S_MAX = 3, // for an address, its name apart; a URI may say another one
    POSTGRES_LINK_RETRY_MS = 1000,   // from a try to connect that failed to the next one,
    POSTGRES_LINK_RETRY_FACTOR = 5,  // and so many times as long as it took, where that is more,
    POSTGRES_LINK_RETRY_MS_MAX = 30 * 1000,  // at most: it may have taken an hour of a machine that
                                             // was suspended meanwhile
    POSTGRES_LINK_LOOP_MS_MAX = 5000,        // for the answer to a statement of a loop's,
    POSTGRES_LINK_READER_MS_MAX = 60 * 1000, // to one of a thread for which nobody waits,
    POSTGRES_LINK_START_MS_MAX = 600 * 1000, // to one that looks at all there is, at a start
};

// postgres_link_get_pause_ms returns how long no try to connect is made after one that failed and
// took took_ms.
int64_t postgres_link_get_pause_ms(int64_t took_ms);

// postgres_link_get_loop_ms_max returns the limit for the statements of loops. That is
// POSTGRES_LINK_LOOP_MS_MAX unless a unit test has set a shorter one, which holds for connections
// made from then on.
int postgres_link_get_loop_ms_max(void);
void postgres_link_set_loop_ms_max(int ms_max);

typedef struct postgres_link postgres_link;

// The values of a statement, in PostgreSQL's binary formats; NULL is NULL. They are borrowed for
// the call.
typedef struct postgres_link_values {
    int count;
    const Oid *types; // 0: the statement tells
    const char *const *values;
    const int *lengths;
} postgres_link_values;

// postgres_link_format_name writes what tells a catalog from others: host, port, database and
// settings, as the schema is one, without who connects. Errors: LP_ECORRUPT it is no URI
LP_MUST_USE lp_err postgres_link_format_name(const char *uri, char *out_name, size_t name_bytes);

// postgres_link_create reads a URI, and connects to nothing. A reader is not asked for a server
// that can write, and waits for longer. Errors: LP_ECORRUPT it is none; LP_ENOMEM
LP_MUST_USE lp_err postgres_link_create(
    const char *uri, bool is_reader, postgres_link **out_link, lp_problem *out_problem);

// postgres_link_destroy closes the connection. NULL is fine.
void postgres_link_destroy(postgres_link *link);

// What is to be done first on each new connection; where that fails, it is closed again.
typedef struct postgres_link_greeting {
    lp_err (*greet)(void *arg);
    void *arg;
} postgres_link_greeting;

// postgres_link_connect connects if there is no connection, which all functions below need.
// Errors: those of greet; LP_EAGAIN with errno, also where it is too early for another try;
// LP_ENOMEM
LP_MUST_USE lp_err postgres_link_connect(postgres_link *link, postgres_link_greeting greeting);

bool postgres_link_is_connected(const postgres_link *link);

// postgres_link_check gives up a connection that the server has closed, as far as this side knows
// already. It waits for nothing.
void postgres_link_check(postgres_link *link);

// postgres_link_drop closes the connection; the next one may be made at once.
void postgres_link_drop(postgres_link *link);

// postgres_link_set_limit has statements wait for an answer for as long as this, from now on.
void postgres_link_set_limit(postgres_link *link, int ms_max);

// postgres_link_run runs statements without values. *out_result (NULL is fine) is that of the last
// one, which the caller clears. Errors: as of postgres_link_next
LP_MUST_USE lp_err postgres_link_run(postgres_link *link, const char *sql, PGresult **out_result);

// postgres_link_queue_prepare and postgres_link_queue send a statement to be prepared, whose values
// are $1, $2 and so on, or a prepared one, and wait for nothing: postgres_link_sync does. In
// between only these three may be called.
LP_MUST_USE lp_err postgres_link_queue_prepare(
    postgres_link *link, const char *name, const char *sql, const postgres_link_values *values);
LP_MUST_USE lp_err postgres_link_queue(
    postgres_link *link, const char *name, const postgres_link_values *values);

// postgres_link_sync waits for the answers to all that was queued, in one round trip. on_answer is
// called once for each statement, in their order, and clears the result; NULL: it failed, or was
// not done, as one before it had failed. After the connection was lost the rest of the calls are
// missing. Errors: of the first statement that failed, as of postgres_link_next
LP_MUST_USE lp_err postgres_link_sync(
    postgres_link *link, void (*on_answer)(void *arg, PGresult *result), void *arg);

// postgres_link_stream starts a prepared statement, whose results postgres_link_next then returns,
// up to NULL: each row is a result of its own, as it comes.
LP_MUST_USE lp_err postgres_link_stream(
    postgres_link *link, const char *name, const postgres_link_values *values);

// postgres_link_next waits for the next result, which the caller clears; NULL: there is none.
// Errors: LP_EAGAIN    with errno: the connection is lost (ENOTCONN), or was given up as no answer
//                      came (ETIMEDOUT); without: the statement took too long for the server, or
//                      another one was in its way
//         LP_ECORRUPT  the server says that data are damaged, or tables are not there
//         LP_ENOMEM; LP_EIO with errno: the server's disk is full (ENOSPC), it takes no writes
//                    (EROFS), or another reason (EIO)
LP_MUST_USE lp_err postgres_link_next(postgres_link *link, PGresult **out_result);

// postgres_link_finish waits for the rest of the results. *out_result (NULL is fine) is the last of
// them, which the caller clears; NULL: there was none. Errors: as postgres_link_next
LP_MUST_USE lp_err postgres_link_finish(postgres_link *link, PGresult **out_result);

// postgres_link_get_text returns the text of the last failure; "" if there was none since the last
// connection was made. postgres_link_has_code returns whether it was one with a SQLSTATE.
const char *postgres_link_get_text(const postgres_link *link);
bool postgres_link_has_code(const postgres_link *link, const char *sqlstate);

// postgres_link_fail notes a failure that the caller found. Returns err, with errno.
lp_err postgres_link_fail(postgres_link *link, lp_err err, int error, const char *text);

// How many connections were made after one was lost, in this process. Threads: any thread.
uint64_t postgres_link_count_reconnects(void);

#endif // LP_COLLECTOR_STORE_POSTGRES_LINK_H
