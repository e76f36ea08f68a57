// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/postgres/catalog_postgres.h"

#include "collector/store/catalog/postgres/catalog_postgres_schema.h"
#include "collector/store/catalog/postgres/postgres_link.h"
#include "collector/store/catalog/sqlite/catalog_schema.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_time.h"
#include "common/base/lp_utf8.h"

#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CARRY_PIECE_BYTES = 1 << 20,
    LATE_FACTOR = 2, // the writer's rest after a statement timed out, in multiples of its time
    NAME_BYTES = 16, // of a prepared statement
    // Of queued statements; further ones wait for their answers.
    QUEUE_MAX = 512,
    QUEUED_BYTES_MAX = 1 << 20,
    // PostgreSQL's types, the same in every database.
    OID_BYTES = 17,
    OID_INT = 20,
    OID_TEXT = 25,
};

static const char *const statement_sql[CATALOG_DB_STATEMENT_COUNT] = {
#define LOUPE_STATEMENT(id, sql)               [CATALOG_DB_##id] = (sql),
#define LOUPE_STATEMENTS(id, sqlite, postgres) [CATALOG_DB_##id] = (postgres),
#include "collector/store/catalog/catalog_statements.def"
#undef LOUPE_STATEMENT
#undef LOUPE_STATEMENTS
};

typedef struct queued {
    catalog_db_statement which;
    bool is_prepared;      // the statement is only prepared
    catalog_db_call *call; // gets the answer; NULL: none
} queued;

typedef struct catalog_postgres {
    catalog base; // first
    char *uri;
    bool is_reader;
    bool is_shared;  // see CATALOG_DB_WRITES
    bool is_hurried; // see catalog_hurry
    postgres_link *link;
    bool is_prepared[CATALOG_DB_STATEMENT_COUNT]; // on this connection
    bool is_in_transaction;
    queued queue[QUEUE_MAX];
    size_t queue_count;
    size_t answer_count; // answered ones, during sync_queue
    size_t queued_bytes; // of values
    unsigned changes;
    int64_t answer_mono_ms;     // of the server's last answer
    int64_t late_until_mono_ms; // until then the writer rests
    long version;               // of the tables
    struct catalog_postgres *next_idle;
} catalog_postgres;

// postgres_check returns the driver's object of a catalog.
static catalog_postgres *
postgres_check(const catalog *base)
{
    catalog_postgres *self = (catalog_postgres *)(uintptr_t)base; // base is its first member
    LP_ASSERT(self->link != NULL && self->uri != NULL);
    LP_ASSERT(self->queue_count <= QUEUE_MAX);
    LP_ASSERT(self->queue_count > 0 || self->queued_bytes == 0);
    LP_ASSERT(!self->is_reader || !self->is_shared);
    return self;
}

// --- Connecting

static int
limit_of(const catalog_postgres *self)
{
    return self->is_reader && !self->is_hurried ? postgres_link_get_reader_ms_max()
                                                : postgres_link_get_loop_ms_max();
}

// --- The queue

static bool
is_change(PGresult *result)
{
    return PQresultStatus(result) == PGRES_COMMAND_OK &&
           strtoull(PQcmdTuples(result), NULL, 10) > 0;
}

static void
on_answer(void *arg, PGresult *result)
{
    catalog_postgres *self = arg;
    if (self->answer_count == self->queue_count) { // the server sends too many
        PQclear(result);
        return;
    }
    queued *next = &self->queue[self->answer_count++];
    if (result == NULL) {
        return;
    }
    if (next->is_prepared) {
        self->is_prepared[next->which] = true;
    } else if (next->call != NULL) {
        next->call->rows = result;
        return;
    } else {
        self->changes += is_change(result);
    }
    PQclear(result);
}

// sync_queue waits for all answers. A call without an answer gets the error of the first failed
// statement.
static lp_err
sync_queue(catalog_postgres *self)
{
    if (self->queue_count == 0) {
        return LP_OK;
    }
    self->answer_count = 0;
    lp_err err = postgres_link_sync(self->link, on_answer, self);
    int error = errno;
    for (size_t i = 0; i < self->queue_count; i++) {
        catalog_db_call *call = self->queue[i].call;
        if (call != NULL && call->rows == NULL) {
            call->err = err;
            call->error = err == LP_EIO || err == LP_EAGAIN ? error : 0;
        }
        if (call != NULL) {
            call->is_queued = false;
        }
    }
    self->queue_count = 0;
    self->queued_bytes = 0;
    self->answer_mono_ms = lp_time_mono_ms();
    errno = error;
    return err;
}

// --- Settings of a connection

// set_server_limit sets the server's time limit of statements, slightly shorter than this side's.
static lp_err
set_server_limit(catalog_postgres *self, int ms_max)
{
    char sql[80];
    (void)snprintf(sql, sizeof(sql), "SET statement_timeout = %d", ms_max - ms_max / 5);
    return postgres_link_run(self->link, sql, NULL);
}

// get_lock_ms_max returns how long to wait for the writers' lock: CATALOG_POSTGRES_LOCK_MS_MAX, or
// less in proportion if a unit test has set a shorter limit of loops.
static int
get_lock_ms_max(void)
{
    int ms_max = postgres_link_get_loop_ms_max();
    ms_max = ms_max < POSTGRES_LINK_LOOP_MS_MAX ? ms_max : POSTGRES_LINK_LOOP_MS_MAX;
    return ms_max * CATALOG_POSTGRES_LOCK_MS_MAX / POSTGRES_LINK_LOOP_MS_MAX;
}

// become_writer takes the writers' lock. It sets the server's timeouts so that a dead collector
// soon loses the lock, and makes commits durable if the database's settings do not.
static lp_err
become_writer(catalog_postgres *self)
{
    char sql[640];
    (void)snprintf(sql, sizeof(sql),
        "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;"
        "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 10000;"
        "SET idle_in_transaction_session_timeout = %d;"
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off';"
        "SET lock_timeout = %d;"
        "SELECT pg_advisory_lock%s(hashtext('loupe_writer'), hashtext(current_schema()));"
        "SET lock_timeout = %d",
        self->is_shared ? CATALOG_POSTGRES_STOPPED_MS_MAX : 60000, get_lock_ms_max(),
        self->is_shared ? "_shared" : "", self->is_shared ? CATALOG_POSTGRES_HELD_MS_MAX : 0);
    lp_err err = postgres_link_run(self->link, sql, NULL);
    return err == LP_EAGAIN && postgres_link_has_code(self->link, "55P03")
               ? postgres_link_fail(self->link, LP_ELIMIT, EBUSY,
                     self->is_shared
                         ? "a collector without --node has the catalog, or an earlier connection "
                           "that the server has not ended (pg_locks)"
                         : "another collector has the catalog, or an earlier connection that the "
                           "server has not ended (pg_locks); collectors with --node share one")
               : err;
}

#define UNDEFINED_COLUMN "42703"

static lp_err
check_version(catalog_postgres *self)
{
    LP_ASSERT(self->link != NULL);
    char text[CATALOG_SCHEMA_TEXT_BYTES];
    LP_TRY(catalog_postgres_schema_ensure(self->link, self->is_reader, &self->version));
    if (self->version == CATALOG_SCHEMA_VERSION) {
        lp_err err = postgres_link_run(self->link, catalog_schema_columns_sql, NULL);
        if (err != LP_ECORRUPT || !postgres_link_has_code(self->link, UNDEFINED_COLUMN)) {
            return err;
        }
    }
    LP_REQUIRE(self->version != 0,
        postgres_link_fail(self->link, LP_ENOENT, ENOENT, "no catalog is there"));
    catalog_schema_refuse(self->version, "database or schema", text);
    return postgres_link_fail(self->link, LP_EVERSION, EPROTO, text);
}

static lp_err
greet(void *arg)
{
    catalog_postgres *self = arg;
    memset(self->is_prepared, 0, sizeof(self->is_prepared));
    LP_ASSERT(self->queue_count == 0); // fail_lost_queue has emptied it
    self->answer_mono_ms = lp_time_mono_ms();
    lp_err err = self->is_reader
                     ? postgres_link_run(self->link, "SET default_transaction_read_only = on", NULL)
                     : become_writer(self);
    LP_THEN(err, set_server_limit(self, limit_of(self)));
    LP_THEN(err, check_version(self));
    postgres_link_set_limit(self->link, limit_of(self));
    return err;
}

// fail_lost_queue makes the queued statements fail if their connection is lost.
static void
fail_lost_queue(catalog_postgres *self)
{
    if (!postgres_link_is_connected(self->link)) {
        (void)!sync_queue(self);
    }
}

static lp_err
connect_link(catalog_postgres *self)
{
    fail_lost_queue(self);
    return postgres_link_connect(self->link, (postgres_link_greeting){greet, self});
}

// --- Calls

// is_streamed returns whether a statement's rows are too large or too many for memory. While such a
// call is not finished, there is no other call.
static bool
is_streamed(catalog_db_statement which)
{
    return which == CATALOG_DB_LIST_ROLLUPS || which == CATALOG_DB_LIST_SESSION_ROLLUPS ||
           which == CATALOG_DB_LIST_SUMS || which == CATALOG_DB_GET_CARRY ||
           which == CATALOG_DB_READ_IDS;
}

static bool
is_end_of_transaction(catalog_db_statement which)
{
    return which == CATALOG_DB_COMMIT || which == CATALOG_DB_ROLLBACK;
}

// is_for_start returns whether a writer's statement reads all rows, as at a start.
static bool
is_for_start(const catalog_db_call *call)
{
    LP_REQUIRE(!postgres_check(call->of)->is_hurried, false);
    bool is_of_all = call->which == CATALOG_DB_LIST_KEPT || call->which == CATALOG_DB_LIST_SUMMED ||
                     call->which == CATALOG_DB_LIST || call->which == CATALOG_DB_LIST_NOT_ENDED;
    return is_of_all && !postgres_check(call->of)->is_reader;
}

static bool
note_failure(catalog_db_call *call, lp_err err)
{
    call->err = err;
    call->error = err == LP_EIO || err == LP_EAGAIN ? errno : 0;
    return false;
}

// note_late makes the writer rest after a statement timed out: the loop has other work than waiting
// for the same lock again.
static void
note_late(catalog_postgres *self, lp_err err, int64_t begun_mono_ms)
{
    bool is_late =
        err == LP_EAGAIN && (errno == ETIMEDOUT || postgres_link_has_code(self->link, "57014"));
    if (is_late && !self->is_reader) {
        int64_t now = lp_time_mono_ms();
        self->late_until_mono_ms = now + LATE_FACTOR * (now - begun_mono_ms);
    }
}

// start_call connects, unless the connection of the open transaction was lost, or the writer rests.
static lp_err
start_call(catalog_db_call *call)
{
    catalog_postgres *self = postgres_check(call->of);
    bool is_end = is_end_of_transaction(call->which);
    bool is_within = self->is_in_transaction || is_end;
    bool is_lost = is_within && !postgres_link_is_connected(self->link);
    fail_lost_queue(self);
    if (call->which == CATALOG_DB_BEGIN || is_end) {
        self->is_in_transaction = false;
    }
    if (is_lost) {
        errno = ENOTCONN;
        return LP_EAGAIN;
    }
    if (!is_within && lp_time_mono_ms() < self->late_until_mono_ms) {
        errno = ETIMEDOUT;
        return LP_EAGAIN;
    }
    if (call->which == CATALOG_DB_BEGIN) { // within a transaction it cannot reconnect
        postgres_link_check(self->link);
    }
    lp_err err = connect_link(self);
    bool is_refused = err == LP_ELIMIT || err == LP_EVERSION || err == LP_ENOENT;
    return is_refused ? LP_EAGAIN : err; // only opening returns these
}

static size_t
count_valid(lp_slice text)
{
    size_t valid = 0;
    size_t size = 1;
    while (valid < text.len && size > 0) {
        size = lp_utf8_measure((lp_slice){text.ptr + valid, text.len - valid});
        valid += size;
    }
    return valid;
}

// append_valid appends a text with U+FFFD in place of each invalid byte.
static void
append_valid(lp_buf *to, lp_slice text)
{
    for (size_t at = 0; at < text.len; at++) {
        const lp_slice rest = {text.ptr + at, text.len - at};
        size_t valid = count_valid(rest);
        lp_buf_append(to, rest.ptr, valid);
        at += valid;
        if (at < text.len) {
            lp_buf_append(to, "\xef\xbf\xbd", 3);
        }
    }
}

typedef struct bound {
    postgres_link_values values;
    Oid types[CATALOG_DB_VALUES_MAX];
    const char *of[CATALOG_DB_VALUES_MAX];
    int lengths[CATALOG_DB_VALUES_MAX];
    uint64_t numbers[CATALOG_DB_VALUES_MAX]; // big-endian
    lp_buf replaced[CATALOG_DB_VALUES_MAX];  // corrected texts
} bound;

static void
bind_bytes(bound *to, size_t at, Oid type, lp_slice bytes)
{
    to->types[at] = type;
    to->of[at] = bytes.len == 0 ? "" : (const char *)bytes.ptr;
    to->lengths[at] = (int)bytes.len;
}

static void
bind_text(bound *to, size_t at, lp_slice text)
{
    to->types[at] = OID_TEXT;
    if (text.ptr == NULL) {
        return;
    }
    if (count_valid(text) == text.len) {
        bind_bytes(to, at, OID_TEXT, text);
        return;
    }
    append_valid(&to->replaced[at], text);
    bind_bytes(to, at, OID_TEXT, lp_buf_slice(&to->replaced[at]));
}

// bind_values converts the values. A NULL has the type of its column.
static lp_err
bind_values(const catalog_db_call *call, bound *to)
{
    for (size_t i = 0; i < call->value_count; i++) {
        const catalog_db_value *value = &call->values[i];
        LP_REQUIRE(value->bytes.len <= INT32_MAX, LP_ELIMIT);
        switch (value->kind) {
        case CATALOG_DB_INT:
            to->numbers[i] = htobe64((uint64_t)value->number);
            bind_bytes(to, i, OID_INT, (lp_slice){(const uint8_t *)&to->numbers[i], 8});
            break;
        case CATALOG_DB_TEXT:
            bind_text(to, i, value->bytes);
            break;
        case CATALOG_DB_BYTES:
            bind_bytes(to, i, OID_BYTES, value->bytes);
            break;
        case CATALOG_DB_NULL:
        default:
            break;
        }
        LP_REQUIRE(!to->replaced[i].is_failed, LP_ENOMEM);
    }
    to->values = (postgres_link_values){(int)call->value_count, to->types, to->of, to->lengths};
    return LP_OK;
}

static void
name_statement(catalog_db_statement which, char out_name[NAME_BYTES])
{
    (void)snprintf(out_name, NAME_BYTES, "loupe%d", (int)which);
}

static lp_err
make_room(catalog_postgres *self)
{
    bool is_full = self->queue_count + 2 > QUEUE_MAX || self->queued_bytes > QUEUED_BYTES_MAX;
    return is_full ? sync_queue(self) : LP_OK;
}

static void
note_queued(catalog_postgres *self, queued item)
{
    LP_ASSERT(self->queue_count < QUEUE_MAX);
    self->queue[self->queue_count++] = item;
}

// queue_prepare queues the preparation of a statement, unless it is prepared or queued.
static lp_err
queue_prepare(
    catalog_postgres *self, catalog_db_statement which, const postgres_link_values *values)
{
    bool is_there = self->is_prepared[which];
    for (size_t i = 0; i < self->queue_count && !is_there; i++) {
        is_there = self->queue[i].is_prepared && self->queue[i].which == which;
    }
    if (is_there) {
        return LP_OK;
    }
    char name[NAME_BYTES];
    char *sql = strdup(statement_sql[which]);
    LP_REQUIRE(sql != NULL, LP_ENOMEM);
    for (char *at = sql; (at = strchr(at, '?')) != NULL;) {
        *at = '$';
    }
    name_statement(which, name);
    lp_err err = postgres_link_queue_prepare(self->link, name, sql, values);
    free(sql);
    if (err == LP_OK) {
        note_queued(self, (queued){.which = which, .is_prepared = true});
    }
    return err;
}

// queue_values queues a call. If has_answer, the call gets the answer.
static lp_err
queue_values(catalog_db_call *call, const postgres_link_values *values, bool has_answer)
{
    catalog_postgres *self = postgres_check(call->of);
    char name[NAME_BYTES];
    name_statement(call->which, name);
    LP_TRY(make_room(self));
    LP_TRY(queue_prepare(self, call->which, values));
    LP_TRY(postgres_link_queue(self->link, name, values));
    for (int i = 0; i < values->count; i++) {
        self->queued_bytes += (size_t)values->lengths[i];
    }
    note_queued(self, (queued){.which = call->which, .call = has_answer ? call : NULL});
    call->is_queued = has_answer;
    return LP_OK;
}

// ask_values sends a call, and waits for its answer and the queued ones.
static lp_err
ask_values(catalog_db_call *call, const postgres_link_values *values)
{
    catalog_postgres *self = postgres_check(call->of);
    lp_err err = LP_OK;
    if (call->which == CATALOG_DB_ROLLBACK) { // the server skips it after a failed statement
        (void)!sync_queue(self);
    }
    if (is_for_start(call)) {              // its preparation waits for the same locks
        LP_ASSERT(self->queue_count == 0); // it is outside a transaction
        postgres_link_set_limit(self->link, POSTGRES_LINK_START_MS_MAX);
        err = set_server_limit(self, POSTGRES_LINK_START_MS_MAX);
    }
    LP_THEN(err, queue_values(call, values, true));
    return err == LP_OK ? sync_queue(self) : err;
}

// stream_values waits for the queued answers, sends a call and takes its first row.
static lp_err
stream_values(catalog_db_call *call, const postgres_link_values *values)
{
    catalog_postgres *self = postgres_check(call->of);
    char name[NAME_BYTES];
    PGresult *result = NULL;
    lp_err err = make_room(self);
    LP_THEN(err, queue_prepare(self, call->which, values));
    LP_THEN(err, sync_queue(self));
    name_statement(call->which, name);
    LP_THEN(err, postgres_link_stream(self->link, name, values));
    LP_THEN(err, postgres_link_next(self->link, &result));
    call->rows = result;
    return err;
}

typedef enum way { WAY_QUEUE, WAY_ASK, WAY_RUN } way;

// send_call queues a call without (WAY_QUEUE) or with an answer (WAY_ASK), or runs it now.
static lp_err
send_call(catalog_db_call *call, way how)
{
    bound to = {0};
    lp_err err = bind_values(call, &to);
    if (err == LP_OK && how == WAY_RUN) {
        err = is_streamed(call->which) ? stream_values(call, &to.values)
                                       : ask_values(call, &to.values);
    } else if (err == LP_OK) {
        err = queue_values(call, &to.values, how == WAY_ASK);
    }
    for (size_t i = 0; i < call->value_count; i++) {
        lp_buf_fini(&to.replaced[i]);
    }
    call->row = -1;
    return err;
}

// begin_call waits for a call's answer, or for the first row if it is streamed.
static lp_err
begin_call(catalog_db_call *call)
{
    if (call->rows != NULL) { // with another call's answer
        return LP_OK;
    }
    return call->is_queued ? sync_queue(postgres_check(call->of)) : send_call(call, WAY_RUN);
}

static bool
queue(catalog_db_call *call, bool has_answer)
{
    catalog_postgres *self = postgres_check(call->of);
    bool is_within = self->is_in_transaction || call->which == CATALOG_DB_BEGIN;
    if (!is_within || is_end_of_transaction(call->which) || is_streamed(call->which) ||
        is_for_start(call)) {
        return false;
    }
    int64_t begun_mono_ms = lp_time_mono_ms();
    lp_err err = send_call(call, has_answer ? WAY_ASK : WAY_QUEUE);
    note_late(self, err, begun_mono_ms); // a full queue waits
    if (err != LP_OK) {
        (void)note_failure(call, err);
    }
    self->is_in_transaction = self->is_in_transaction || err == LP_OK;
    return true;
}

// begin_again begins a call. Outside a transaction it retries once if the connection was lost, for
// example because the server restarted.
static lp_err
begin_again(catalog_db_call *call)
{
    catalog_postgres *self = postgres_check(call->of);
    lp_err err = begin_call(call);
    bool is_lost = err == LP_EAGAIN && errno == ENOTCONN && !self->is_in_transaction &&
                   !is_end_of_transaction(call->which);
    if (is_lost) {
        call->err = LP_OK;
        err = start_call(call);
        LP_THEN(err, begin_call(call));
    }
    return err;
}

static lp_err
end_call(catalog_db_call *call, PGresult *result)
{
    catalog_postgres *self = postgres_check(call->of);
    LP_REQUIRE(call->which != CATALOG_DB_COMMIT || strcmp(PQcmdStatus(result), "COMMIT") == 0,
        postgres_link_fail(self->link, LP_EIO, EIO, "the transaction was rolled back"));
    if (PQresultStatus(result) == PGRES_COMMAND_OK) {
        call->changed_count = strtoull(PQcmdTuples(result), NULL, 10);
        self->changes += is_change(result);
    }
    return LP_OK;
}

static lp_err
stream(catalog_db_call *call)
{
    PQclear(call->rows);
    call->rows = NULL;
    call->row = -1;
    PGresult *result = NULL;
    lp_err err = postgres_link_next(postgres_check(call->of)->link, &result);
    call->rows = result;
    return err;
}

static bool
step(catalog_db_call *call)
{
    lp_err err = LP_OK;
    if (!call->has_begun) {
        int64_t begun_mono_ms = lp_time_mono_ms();
        err = begin_again(call);
        note_late(postgres_check(call->of), err, begun_mono_ms);
        err = err == LP_OK && !is_streamed(call->which) ? end_call(call, call->rows) : err;
    } else if (is_streamed(call->which) && call->rows != NULL) {
        err = stream(call);
    }
    LP_REQUIRE(err == LP_OK, note_failure(call, err));
    return call->rows != NULL && ++call->row < PQntuples(call->rows);
}

// finish_call drops the connection if unread rows of a streamed call remain.
static void
finish_call(catalog_db_call *call)
{
    catalog_postgres *self = postgres_check(call->of);
    for (size_t i = 0; i < self->queue_count && call->is_queued; i++) {
        if (self->queue[i].call == call) { // its answer will be dropped
            self->queue[i].call = NULL;
        }
    }
    bool is_left = is_streamed(call->which) && call->rows != NULL &&
                   PQresultStatus(call->rows) == PGRES_SINGLE_TUPLE;
    PQclear(call->rows);
    call->rows = NULL;
    if (is_left) {
        postgres_link_drop(self->link);
    } else if (is_streamed(call->which) && postgres_link_is_connected(self->link)) {
        lp_err err = postgres_link_finish(self->link, NULL);
        call->err = call->err == LP_OK ? err : call->err;
    }
    if (is_for_start(call)) {
        postgres_link_set_limit(self->link, limit_of(self));
        (void)!set_server_limit(self, limit_of(self)); // else the connection is lost
    }
}

static catalog_db_value
get(catalog_db_call *call, int column, catalog_db_kind kind)
{
    LP_ASSERT(call->rows != NULL && call->row >= 0 && call->row < PQntuples(call->rows));
    const lp_slice bytes = {(const uint8_t *)PQgetvalue(call->rows, call->row, column),
        (size_t)PQgetlength(call->rows, call->row, column)};
    uint64_t wide = 0;
    if (PQgetisnull(call->rows, call->row, column)) {
        return catalog_db_null();
    }
    if (kind != CATALOG_DB_INT) {
        return (catalog_db_value){.kind = kind, .bytes = bytes};
    }
    if (bytes.len == sizeof(wide)) {
        memcpy(&wide, bytes.ptr, sizeof(wide));
        return catalog_db_uint(be64toh(wide));
    }
    return catalog_db_int(bytes.len == 1 && bytes.ptr[0] != 0); // a boolean
}

// --- Carry-overs

static lp_err
put_carry(catalog *base, const char *session_id, lp_slice carry)
{
    catalog_db_check_begun(base);
    lp_err err = CATALOG_DB_RUN(base, DROP_CARRY, session_id);
    for (size_t done = 0; err == LP_OK && done < carry.len; done += CARRY_PIECE_BYTES) {
        size_t left = carry.len - done;
        size_t size = left < CARRY_PIECE_BYTES ? left : CARRY_PIECE_BYTES;
        err = CATALOG_DB_RUN(base, PUT_CARRY, session_id, done / CARRY_PIECE_BYTES,
            ((lp_slice){carry.ptr + done, size}));
    }
    return err;
}

// --- The whole

static unsigned
count_changes(catalog *base)
{
    return postgres_check(base)->changes;
}

static void
hurry(catalog *base)
{
    catalog_postgres *self = postgres_check(base);
    self->is_hurried = true;
    postgres_link_set_limit(self->link, limit_of(self));
    (void)!set_server_limit(self, limit_of(self)); // else the connection is lost
}

static lp_err
probe(catalog *base)
{
    catalog_postgres *self = postgres_check(base);
    if (postgres_link_is_connected(self->link) &&
        lp_time_mono_ms() - self->answer_mono_ms < CATALOG_POSTGRES_PROBE_MS) {
        return LP_OK;
    }
    lp_err err = connect_link(self);
    LP_THEN(err, postgres_link_run(self->link, "SELECT 1", NULL));
    if (err == LP_OK) {
        self->answer_mono_ms = lp_time_mono_ms();
    }
    return err;
}

static const char *
get_failure(const catalog *base)
{
    return postgres_link_get_text(postgres_check(base)->link);
}

static void
destroy(catalog_postgres *self)
{
    postgres_link_destroy(self->link);
    free(self->uri);
    free(self);
}

// Idle readers, and the number of all readers.
static struct {
    pthread_mutex_t mutex;
    catalog_postgres *first;
    unsigned idle;
    unsigned all;
} readers = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// take_reader takes an idle reader of this URI, or makes room for a new one: NULL. False: there are
// too many.
static bool
take_reader(const char *uri, catalog_postgres **out_reader)
{
    *out_reader = NULL;
    pthread_mutex_lock(&readers.mutex);
    for (catalog_postgres **at = &readers.first; *at != NULL && *out_reader == NULL;) {
        if (strcmp((*at)->uri, uri) == 0) {
            *out_reader = *at;
            *at = (*at)->next_idle;
            LP_ASSERT(readers.idle > 0);
            readers.idle--;
        } else {
            at = &(*at)->next_idle;
        }
    }
    bool has_room =
        *out_reader != NULL || readers.all - readers.idle < CATALOG_POSTGRES_READERS_MAX;
    readers.all += has_room && *out_reader == NULL;
    pthread_mutex_unlock(&readers.mutex);
    return has_room;
}

// forget_reader frees the room that take_reader made.
static void
forget_reader(bool is_reader)
{
    pthread_mutex_lock(&readers.mutex);
    readers.all -= is_reader;
    pthread_mutex_unlock(&readers.mutex);
}

static void
put_reader_back(catalog_postgres *self)
{
    pthread_mutex_lock(&readers.mutex);
    LP_ASSERT(readers.idle < readers.all); // this one is not idle
    bool is_kept = !self->is_hurried && self->version == CATALOG_SCHEMA_VERSION &&
                   postgres_link_is_connected(self->link) &&
                   readers.idle < CATALOG_POSTGRES_IDLE_READERS_MAX;
    if (is_kept) {
        self->next_idle = readers.first;
        readers.first = self;
        readers.idle++;
    } else {
        readers.all--;
    }
    pthread_mutex_unlock(&readers.mutex);
    if (!is_kept) {
        destroy(self);
    }
}

static void
close_catalog(catalog *base)
{
    catalog_postgres *self = postgres_check(base);
    if (self->is_reader) {
        put_reader_back(self);
    } else {
        destroy(self);
    }
}

static const catalog_db_driver driver = {
    .is_durable = true,
    .start = start_call,
    .step = step,
    .queue = queue,
    .finish = finish_call,
    .get = get,
    .put_carry = put_carry,
    .count_changes = count_changes,
    .hurry = hurry,
    .probe = probe,
    .get_failure = get_failure,
    .close = close_catalog,
};

lp_err
catalog_postgres_check(lp_problem *out_problem)
{
    (void)out_problem;
    return LP_OK;
}

lp_err
catalog_postgres_format_name(const char *uri, char *out_name, size_t name_bytes)
{
    return postgres_link_format_name(uri, out_name, name_bytes);
}

uint64_t
catalog_postgres_count_reconnects(void)
{
    return postgres_link_count_reconnects();
}

static lp_err
open_new(catalog_postgres *self, lp_problem *out_problem)
{
    LP_TRY(postgres_link_create(self->uri, self->is_reader, &self->link, out_problem));
    lp_err err = connect_link(self);
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(out_problem, err, "%s", postgres_link_get_text(self->link));
}

lp_err
catalog_postgres_open(
    const char *uri, catalog_db_use use, catalog **out_catalog, lp_problem *out_problem)
{
    const bool is_reader = use == CATALOG_DB_READS;
    catalog_postgres *self = NULL;
    if (is_reader && !take_reader(uri, &self)) {
        return lp_problem_set(out_problem, LP_ELIMIT, "%d readers have the catalog already",
            CATALOG_POSTGRES_READERS_MAX);
    }
    if (self != NULL) {
        *out_catalog = &self->base;
        return LP_OK;
    }
    self = calloc(1, sizeof(*self));
    if (self == NULL || (self->uri = strdup(uri)) == NULL) {
        free(self);
        forget_reader(is_reader);
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    self->base.driver = &driver;
    self->is_reader = is_reader;
    self->is_shared = use == CATALOG_DB_WRITES;
    lp_err err = open_new(self, out_problem);
    if (err != LP_OK) {
        destroy(self);
        forget_reader(is_reader);
        return err;
    }
    *out_catalog = &self->base;
    return LP_OK;
}
