// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/postgres/postgres_link.h"

#include "collector/store/catalog/catalog_waits.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_end.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACE_BYTES = 160,
    SERVER_VERSION_MIN = 120000, // 12: the first with tcp_user_timeout
    VALUES_MAX = 64,             // of a statement
    LOOK_MS = 200,               // between two looks whether the process ends
    LAST_MS = 500,               // for an answer when no wait of the process has time left
};

static int loop_ms_max = POSTGRES_LINK_LOOP_MS_MAX;

struct postgres_link {
    char *uri;
    bool is_reader;
    PGconn *db; // NULL: none
    bool had_one;
    bool is_away;        // and that was logged
    bool was_streamed;   // the connection's last statement
    unsigned sync_count; // calls of PQpipelineSync without an answer
    int ms_max;          // for an answer
    int64_t retry_mono_ms;
    int error; // errno of the last failure to connect
    char sqlstate[6];
    lp_problem problem;
};

static atomic_uint_fast64_t reconnects; // an independent number

uint64_t
postgres_link_count_reconnects(void)
{
    return atomic_load_explicit(&reconnects, memory_order_relaxed);
}

// --- Failures

static void
link_check(const postgres_link *self)
{
    LP_ASSERT(self->uri != NULL && self->ms_max > 0);
    LP_ASSERT(self->sqlstate[sizeof(self->sqlstate) - 1] == '\0');
}

static void
place_of(const postgres_link *self, char out_place[PLACE_BYTES])
{
    const char *host = self->db == NULL ? NULL : PQhost(self->db);
    const char *port = self->db == NULL ? NULL : PQport(self->db);
    const char *name = self->db == NULL ? NULL : PQdb(self->db);
    (void)snprintf(out_place, PLACE_BYTES, "PostgreSQL at %s:%s, database %s",
        host == NULL || host[0] == '\0' ? "(no host)" : host, port == NULL ? "" : port,
        name == NULL ? "" : name);
}

// join_lines joins the lines of libpq's message, without those that start with a tab, which are
// hints.
static void
join_lines(const char *lines, char *out_text, size_t out_bytes)
{
    size_t len = 0;
    out_text[0] = '\0';
    for (const char *at = lines; *at != '\0';) {
        size_t line = strcspn(at, "\n");
        if (at[0] != '\t' && line > 0 && len < out_bytes) {
            len += (size_t)snprintf(
                out_text + len, out_bytes - len, "%s%.*s", len == 0 ? "" : "; ", (int)line, at);
        }
        at += line + (at[line] == '\n');
    }
}

lp_err
postgres_link_fail(postgres_link *self, lp_err err, int error, const char *text)
{
    link_check(self);
    char place[PLACE_BYTES];
    char line[sizeof(self->problem.text)];
    place_of(self, place);
    join_lines(text, line, sizeof(line));
    (void)lp_problem_set(&self->problem, err, "%s: %s", place, line);
    errno = error;
    return err;
}

const char *
postgres_link_get_text(const postgres_link *self)
{
    return self->problem.text;
}

bool
postgres_link_has_code(const postgres_link *self, const char *sqlstate)
{
    return strcmp(self->sqlstate, sqlstate) == 0;
}

// note_away logs once that the server is away.
static void
note_away(postgres_link *self)
{
    link_check(self);
    if (!self->is_away && !self->is_reader && self->had_one) {
        lp_log(LP_LOG_ERROR, "the catalog is away: %s", self->problem.text);
    }
    self->is_away = true;
}

static lp_err
lose(postgres_link *self, int error, const char *text)
{
    link_check(self);
    lp_err err = postgres_link_fail(self, LP_EAGAIN, error, text);
    note_away(self);
    PQfinish(self->db);
    self->db = NULL;
    self->error = error;
    errno = error;
    return err;
}

// lose_now is lose with libpq's message.
static lp_err
lose_now(postgres_link *self)
{
    return lose(self, ENOTCONN, PQerrorMessage(self->db));
}

static lp_err
check_connected(const postgres_link *self)
{
    if (self->db == NULL) {
        errno = ENOTCONN;
        return LP_EAGAIN;
    }
    return LP_OK;
}

typedef struct meaning {
    const char *prefix; // of a SQLSTATE
    lp_err err;
    int error;
} meaning;

static meaning
judge(const char *sqlstate)
{
    static const meaning meanings[] = {
        {"40001", LP_EAGAIN, 0}, // serialization_failure
        {"40P01", LP_EAGAIN, 0}, // deadlock_detected
        {"55P03", LP_EAGAIN, 0}, // lock_not_available
        {"57014", LP_EAGAIN, 0}, // query_canceled, as by statement_timeout
        {"53100", LP_EIO, ENOSPC}, {"53200", LP_EAGAIN, 0},  // out_of_memory: the server's
        {"53300", LP_EAGAIN, 0},                             // too_many_connections
        {"25006", LP_EIO, EROFS}, {"42501", LP_EIO, EACCES}, // insufficient_privilege
        {"42P01", LP_ECORRUPT, 0},                           // undefined_table
        {"42703", LP_ECORRUPT, 0},                           // undefined_column
        {"XX001", LP_ECORRUPT, 0},                           // data_corrupted
        {"XX002", LP_ECORRUPT, 0},                           // index_corrupted
    };
    const meaning *known = LP_FIND(
        meanings, LP_COUNT(meanings), strncmp(sqlstate, at->prefix, strlen(at->prefix)) == 0);
    return known != NULL ? *known : (meaning){"", LP_EIO, EIO};
}

// refuse records a result that is an error. With it the server may end the connection: by its code
// (57P01 and the like: it shuts down), or by closing it.
static lp_err
refuse(postgres_link *self, const PGresult *result)
{
    link_check(self);
    LP_ASSERT(self->db != NULL);
    const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    (void)snprintf(self->sqlstate, sizeof(self->sqlstate), "%s", sqlstate == NULL ? "" : sqlstate);
    bool is_ended = strncmp(self->sqlstate, "57P", 3) == 0 || strncmp(self->sqlstate, "08", 2) == 0;
    LP_REQUIRE(!is_ended && PQstatus(self->db) != CONNECTION_BAD,
        lose(self, ENOTCONN, text == NULL ? PQerrorMessage(self->db) : text));
    const meaning is = judge(self->sqlstate);
    return postgres_link_fail(
        self, is.err, is.error, text == NULL ? PQresultErrorMessage(result) : text);
}

// --- Waiting

// get_left returns the time until end_ms, or until the process's last wait ends. A wait that began
// at begin_ms has LAST_MS even then, as work may follow the waits: a server that answers keeps its
// connection, and one that hangs loses it after the first of these waits.
static int64_t
get_left(int64_t begin_ms, int64_t end_ms)
{
    const int64_t now_ms = lp_time_mono_ms();
    LP_ASSERT(begin_ms <= now_ms);
    const int64_t left = end_ms > now_ms ? end_ms - now_ms : 0;
    const int64_t limited = lp_end_limit(left);
    const int64_t last = begin_ms + LAST_MS - now_ms;
    return limited >= last ? limited : last < left ? last : left;
}

// wait_for waits for the socket as long as get_left says. False: no event.
static bool
wait_for(const postgres_link *self, short events, int64_t end_ms)
{
    LP_ASSERT(self->db != NULL);
    struct pollfd of = {.fd = PQsocket(self->db), .events = events};
    int64_t begin_ns = catalog_waits_begin(!self->is_reader);
    const int64_t begin_ms = lp_time_mono_ms();
    int64_t left = 0;
    int count = 0;
    do {
        left = get_left(begin_ms, end_ms);
        count = poll(&of, 1, left < LOOK_MS ? (int)left : LOOK_MS);
    } while (count < 0 ? errno == EINTR : count == 0 && left > 0);
    catalog_waits_end(!self->is_reader, begin_ns);
    return count != 0;
}

static lp_err
give_up(postgres_link *self)
{
    char text[80];
    (void)snprintf(text, sizeof(text), "no answer within %d s", self->ms_max / 1000);
    return lose(self, ETIMEDOUT, lp_end_limit(1) > 0 ? text : "no answer before the end");
}

// consume waits for events on the socket until end_ms, and reads the bytes that have arrived.
static lp_err
consume(postgres_link *self, short events, int64_t end_ms)
{
    LP_REQUIRE(wait_for(self, events, end_ms), give_up(self));
    return PQconsumeInput(self->db) == 1 ? LP_OK : lose_now(self);
}

static lp_err
flush(postgres_link *self, int64_t end_ms)
{
    LP_ASSERT(self->db != NULL);
    int left;
    while ((left = PQflush(self->db)) == 1) {
        LP_TRY(consume(self, POLLIN | POLLOUT, end_ms));
    }
    return left == 0 ? LP_OK : lose_now(self);
}

lp_err
postgres_link_next(postgres_link *self, PGresult **out_result)
{
    link_check(self);
    LP_TRY(check_connected(self));
    int64_t end_ms = lp_time_mono_ms() + self->ms_max;
    LP_TRY(flush(self, end_ms));
    while (PQisBusy(self->db)) {
        LP_TRY(consume(self, POLLIN, end_ms));
    }
    PGresult *result = PQgetResult(self->db);
    ExecStatusType status = result == NULL ? PGRES_COMMAND_OK : PQresultStatus(result);
    if (status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE) {
        lp_err err = refuse(self, result);
        PQclear(result);
        return err;
    }
    *out_result = result;
    return LP_OK;
}

// Takes the remaining results also after an error, so that the next statement can be sent.
lp_err
postgres_link_finish(postgres_link *self, PGresult **out_result)
{
    link_check(self);
    PGresult *last = NULL;
    PGresult *result;
    lp_err first = LP_OK;
    int error = 0;
    do {
        result = NULL;
        lp_err err = postgres_link_next(self, &result);
        if (err != LP_OK && first == LP_OK) {
            first = err;
            error = errno;
        }
        if (result != NULL) {
            PQclear(last);
            last = result;
        }
    } while (self->db != NULL && PQtransactionStatus(self->db) == PQTRANS_ACTIVE);
    if (first != LP_OK || out_result == NULL) {
        PQclear(last);
        last = NULL;
    }
    if (out_result != NULL) {
        *out_result = last;
    }
    errno = error;
    return first;
}

static lp_err
check_sent(postgres_link *self, int is_sent)
{
    return is_sent == 1 ? LP_OK : lose_now(self);
}

static void
count_round_trip(const postgres_link *self)
{
    if (!self->is_reader) {
        catalog_waits_count();
    }
}

lp_err
postgres_link_run(postgres_link *self, const char *sql, PGresult **out_result)
{
    link_check(self);
    LP_TRY(check_connected(self));
    count_round_trip(self);
    LP_TRY(check_sent(self, PQsendQuery(self->db, sql)));
    return postgres_link_finish(self, out_result);
}

// --- Several statements in one round trip

static lp_err
send_sync(postgres_link *self)
{
    self->sync_count++;
    return check_sent(self, PQpipelineSync(self->db));
}

// begin_queue enters libpq's pipeline mode. After a streamed statement, libpq would also stream the
// first queued one; so the first is a sync.
static lp_err
begin_queue(postgres_link *self)
{
    link_check(self);
    LP_TRY(check_connected(self));
    bool has_begun = PQpipelineStatus(self->db) != PQ_PIPELINE_OFF;
    bool was_streamed = self->was_streamed;
    self->was_streamed = false;
    // It fails only if results were not taken, but postgres_link_finish takes all.
    lp_err err = check_sent(self, PQenterPipelineMode(self->db));
    return err == LP_OK && !has_begun && was_streamed ? send_sync(self) : err;
}

lp_err
postgres_link_queue_prepare(
    postgres_link *self, const char *name, const char *sql, const postgres_link_values *values)
{
    link_check(self);
    LP_TRY(begin_queue(self));
    return check_sent(self, PQsendPrepare(self->db, name, sql, values->count, values->types));
}

static lp_err
send(postgres_link *self, const char *name, const postgres_link_values *values)
{
    int formats[VALUES_MAX];
    LP_ASSERT(values->count <= VALUES_MAX);
    for (int i = 0; i < values->count; i++) {
        formats[i] = 1;
    }
    return check_sent(self, PQsendQueryPrepared(self->db, name, values->count, values->values,
                                values->lengths, formats, 1));
}

lp_err
postgres_link_queue(postgres_link *self, const char *name, const postgres_link_values *values)
{
    link_check(self);
    LP_TRY(begin_queue(self));
    return send(self, name, values);
}

static bool
take_sync(postgres_link *self, PGresult *result)
{
    bool is_sync = result != NULL && PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    if (is_sync) {
        LP_ASSERT(self->sync_count > 0);
        PQclear(result);
        self->sync_count--;
    }
    return is_sync;
}

// take_answers takes the answers to the whole queue. A statement's answer is a result, then NULL.
static lp_err
take_answers(postgres_link *self, void (*on_answer)(void *arg, PGresult *result), void *arg)
{
    lp_err first = LP_OK;
    int error = 0;
    for (bool was_end = false; self->sync_count > 0;) {
        PGresult *result = NULL;
        lp_err err = postgres_link_next(self, &result);
        bool is_end = err == LP_OK && result == NULL;
        if (is_end && was_end) {
            err = lose(self, ENOTCONN, "the answers do not end");
        }
        if (err != LP_OK && first == LP_OK) {
            first = err;
            error = errno;
        }
        if (self->db == NULL) {
            break;
        }
        was_end = is_end;
        if (is_end || take_sync(self, result)) {
            continue;
        }
        if (result != NULL && PQresultStatus(result) == PGRES_PIPELINE_ABORTED) {
            PQclear(result);
            result = NULL;
        }
        on_answer(arg, result);
    }
    errno = error;
    return first;
}

lp_err
postgres_link_sync(postgres_link *self, void (*on_answer)(void *arg, PGresult *result), void *arg)
{
    link_check(self);
    LP_TRY(begin_queue(self));
    LP_TRY(send_sync(self));
    count_round_trip(self);
    lp_err err = take_answers(self, on_answer, arg);
    int error = errno;
    if (self->db != NULL && PQexitPipelineMode(self->db) != 1) {
        err = lose_now(self);
        error = errno;
    }
    errno = error;
    return err;
}

lp_err
postgres_link_stream(postgres_link *self, const char *name, const postgres_link_values *values)
{
    link_check(self);
    LP_TRY(check_connected(self));
    count_round_trip(self);
    self->was_streamed = true;
    LP_TRY(send(self, name, values));
    (void)PQsetSingleRowMode(self->db); // cannot fail right after a query was sent
    return LP_OK;
}

// --- Connecting

static const char *
option_of(const PQconninfoOption *options, const char *keyword)
{
    for (const PQconninfoOption *at = options; at->keyword != NULL; at++) {
        if (at->val != NULL && strcmp(at->keyword, keyword) == 0) {
            return at->val;
        }
    }
    return "";
}

// check_uri parses the URI with libpq. libpq's message may quote the URI with its password: it is
// cut before the quote. An unescaped `/` or `@` in a password would end up in the port or the
// database's name, which messages show: both are rejected.
static lp_err
check_uri(const char *uri, lp_problem *out_problem)
{
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(uri, &message);
    if (options == NULL) {
        size_t len = message == NULL ? 0 : strcspn(message, "\"\n");
        lp_err err = lp_problem_set(out_problem, LP_ECORRUPT, "not a URI of PostgreSQL: %.*s",
            (int)len, message == NULL ? "" : message);
        PQfreemem(message);
        return err;
    }
    const char *port = option_of(options, "port");
    bool has_port = port[strspn(port, "0123456789,")] == '\0';
    bool has_name = strpbrk(option_of(options, "dbname"), "/@") == NULL;
    PQconninfoFree(options);
    if (!has_port) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "not a URI of PostgreSQL: the port is no number; in a password write / as %%2F, @ as "
            "%%40 and : as %%3A");
    }
    return has_name ? LP_OK
                    : lp_problem_set(out_problem, LP_ECORRUPT,
                          "not a URI of PostgreSQL: the database's name has a / or an @; in a "
                          "password write / as %%2F and @ as %%40");
}

lp_err
postgres_link_format_name(const char *uri, char *out_name, size_t name_bytes)
{
    PQconninfoOption *options = PQconninfoParse(uri, NULL);
    LP_REQUIRE(options != NULL, LP_ECORRUPT);
    const char *host = option_of(options, "host");
    const char *port = option_of(options, "port");
    const char *settings = option_of(options, "options");
    (void)snprintf(out_name, name_bytes, "postgresql://%s:%s/%s%s%s",
        host[0] == '\0' ? option_of(options, "hostaddr") : host, port[0] == '\0' ? "5432" : port,
        option_of(options, "dbname"), settings[0] == '\0' ? "" : " ", settings);
    PQconninfoFree(options);
    return LP_OK;
}

lp_err
postgres_link_create(
    const char *uri, bool is_reader, postgres_link **out_link, lp_problem *out_problem)
{
    LP_TRY(check_uri(uri, out_problem));
    postgres_link *self = calloc(1, sizeof(*self));
    if (self == NULL || (self->uri = strdup(uri)) == NULL) {
        free(self);
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    self->is_reader = is_reader;
    self->ms_max = is_reader ? postgres_link_get_reader_ms_max() : loop_ms_max;
    *out_link = self;
    return LP_OK;
}

void
postgres_link_destroy(postgres_link *self)
{
    if (self != NULL) {
        PQfinish(self->db);
        free(self->uri);
        free(self);
    }
}

// open_connection connects. The URI overrides the options before it. Kerberos is off by default: a
// ticket in the kernel's keyring would need system calls that the collector's filter forbids.
static PGconn *
open_connection(const postgres_link *self)
{
    const char *const names[] = {"connect_timeout", "tcp_user_timeout", "keepalives_idle",
        "keepalives_interval", "keepalives_count", "gssencmode", "target_session_attrs",
        "fallback_application_name", "dbname", "client_encoding", NULL};
    const char *const values[] = {"3", "10000", "10", "5", "3", "disable",
        self->is_reader ? "any" : "read-write", "loupe", self->uri, "UTF8", NULL};
    _Static_assert(POSTGRES_LINK_CONNECT_S_MAX == 3, "the text above");
    return PQconnectdbParams(names, values, 1);
}

static lp_err
check_server(postgres_link *self)
{
    LP_ASSERT(self->db != NULL);
    const char *encoding = PQparameterStatus(self->db, "server_encoding");
    char text[120];
    LP_REQUIRE(PQserverVersion(self->db) >= SERVER_VERSION_MIN,
        lose(self, EPROTONOSUPPORT, "its version is before 12"));
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0) {
        (void)snprintf(text, sizeof(text), "its encoding is %s: make one with ENCODING 'UTF8'",
            encoding == NULL ? "unknown" : encoding);
        return lose(self, EPROTONOSUPPORT, text);
    }
    return LP_OK;
}

static lp_err
open_now(postgres_link *self)
{
    LP_ASSERT(self->db == NULL);
    self->was_streamed = false;
    self->sync_count = 0;
    int64_t begin_ns = catalog_waits_begin(!self->is_reader);
    self->db = open_connection(self);
    catalog_waits_end(!self->is_reader, begin_ns);
    LP_REQUIRE(self->db != NULL, LP_ENOMEM);
    LP_REQUIRE(PQstatus(self->db) == CONNECTION_OK, lose_now(self));
    LP_REQUIRE(PQsetnonblocking(self->db, 1) == 0, lose(self, EIO, PQerrorMessage(self->db)));
    return check_server(self);
}

int
postgres_link_get_reader_ms_max(void)
{
    const int ms = (int)lp_time_scale_ms(POSTGRES_LINK_READER_MS_MAX);
    return ms < POSTGRES_LINK_READER_MS_MIN ? POSTGRES_LINK_READER_MS_MIN : ms;
}

int
postgres_link_get_loop_ms_max(void)
{
    return loop_ms_max;
}

void
postgres_link_set_loop_ms_max(int ms_max)
{
    LP_ASSERT(ms_max > 0);
    loop_ms_max = ms_max;
}

int64_t
postgres_link_get_pause_ms(int64_t took_ms)
{
    if (took_ms > POSTGRES_LINK_RETRY_MS_MAX / POSTGRES_LINK_RETRY_FACTOR) {
        return POSTGRES_LINK_RETRY_MS_MAX;
    }
    int64_t pause_ms = took_ms * POSTGRES_LINK_RETRY_FACTOR;
    return pause_ms > POSTGRES_LINK_RETRY_MS ? pause_ms : POSTGRES_LINK_RETRY_MS;
}

// open_and_greet records a failure, and when the next attempt is due.
static lp_err
open_and_greet(postgres_link *self, postgres_link_greeting greeting)
{
    LP_ASSERT(self->db == NULL && greeting.greet != NULL);
    int64_t begin_ms = lp_time_mono_ms();
    lp_err err = open_now(self);
    LP_THEN(err, greeting.greet(greeting.arg));
    if (err == LP_OK) {
        return LP_OK;
    }
    self->error = errno;
    note_away(self);
    postgres_link_drop(self);
    int64_t end_ms = lp_time_mono_ms();
    self->retry_mono_ms = end_ms + postgres_link_get_pause_ms(end_ms - begin_ms);
    errno = self->error;
    return err;
}

// is_put_off returns whether no attempt to connect is due. An ending process makes none that could
// take longer than the process has.
static bool
is_put_off(const postgres_link *self)
{
    const int64_t ms_max = POSTGRES_LINK_CONNECT_S_MAX * 1000;
    return lp_time_mono_ms() < self->retry_mono_ms || lp_end_limit(ms_max) < ms_max;
}

lp_err
postgres_link_connect(postgres_link *self, postgres_link_greeting greeting)
{
    link_check(self);
    if (self->db != NULL) {
        return LP_OK;
    }
    if (is_put_off(self)) {
        errno = self->error == 0 ? ETIMEDOUT : self->error;
        return LP_EAGAIN;
    }
    LP_TRY(open_and_greet(self, greeting));
    if (self->had_one) {
        atomic_fetch_add_explicit(&reconnects, 1, memory_order_relaxed);
    }
    if (self->had_one && self->is_away && !self->is_reader) {
        lp_log(LP_LOG_INFO, "the catalog is there again");
    }
    self->had_one = true;
    self->is_away = false;
    self->problem.text[0] = '\0';
    self->sqlstate[0] = '\0';
    return LP_OK;
}

bool
postgres_link_is_connected(const postgres_link *self)
{
    return self->db != NULL;
}

void
postgres_link_check(postgres_link *self)
{
    link_check(self);
    struct pollfd of = {.fd = self->db == NULL ? -1 : PQsocket(self->db), .events = POLLIN};
    while (self->db != NULL && poll(&of, 1, 0) > 0) {
        if (PQconsumeInput(self->db) == 0 || PQstatus(self->db) == CONNECTION_BAD) {
            (void)lose_now(self);
        }
    }
}

void
postgres_link_drop(postgres_link *self)
{
    PQfinish(self->db);
    self->db = NULL;
}

void
postgres_link_set_limit(postgres_link *self, int ms_max)
{
    link_check(self);
    LP_ASSERT(ms_max > 0);
    self->ms_max = ms_max;
}
