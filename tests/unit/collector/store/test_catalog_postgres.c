// SPDX-License-Identifier: Apache-2.0
// A catalog in PostgreSQL, beyond what test_catalog.c shows: tables are made once however many
// start at once, another version is refused, and a second writer is; a server that is started
// again, killed, or hangs costs failures that say what it is, and no row; the password is in no
// message; texts that PostgreSQL does not take have a replacement; and what a commit of unknown end
// has done may be done again.

#include "support/catalog_fixture.h"

#include "collector/store/catalog.h"
#include "collector/store/catalog_db.h"
#include "collector/store/catalog_expiry.h"
#include "collector/store/catalog_objects.h"
#include "collector/store/catalog_postgres.h"
#include "collector/store/catalog_waits.h"
#include "collector/store/postgres_link.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

// Of what fails at once: two minutes.
enum { TRIES_MAX = 2400, TRY_MS = 50 };

static void
control(const char *what)
{
    char command[400];
    (void)snprintf(
        command, sizeof(command), "'%s' control %s", getenv("LOUPE_POSTGRES_CONTROL"), what);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): a script of ours
}

static lp_slice
slice_of(const char *literal)
{
    return (lp_slice){(const uint8_t *)literal, strlen(literal)};
}

static catalog_session
session_of(char digit, const char *service)
{
    catalog_session session = {
        .service = catalog_place_text(service),
        .instance = catalog_place_text("host:1"),
        .jvm_name = catalog_place_text("OpenJDK"),
        .jvm_version = catalog_place_text("25"),
        .start_wall_ns = 100,
        .end_wall_ns = 200,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

static lp_err
put(catalog *on, char digit)
{
    const catalog_session session = session_of(digit, "shop");
    return catalog_put_session(on, &session);
}

static void
note_row(void *arg, const catalog_session *row)
{
    catalog_session *out = arg;
    memcpy(out->id, row->id, sizeof(out->id));
    out->expired_chunks = row->expired_chunks;
    memcpy(out->losses, row->losses, sizeof(out->losses));
}

static catalog_session
find(catalog *on, char digit)
{
    char id[CATALOG_ID_CHARS + 1] = {0};
    catalog_session found = {0};
    memset(id, digit, CATALOG_ID_CHARS);
    assert_int_equal(catalog_find(on, id, note_row, &found), LP_OK);
    return found;
}

// put_at_last puts a session once the server answers again.
static void
put_at_last(catalog *on, char digit)
{
    lp_err err = put(on, digit);
    for (int i = 0; i < TRIES_MAX && err != LP_OK; i++) {
        (void)poll(NULL, 0, TRY_MS);
        err = put(on, digit);
    }
    assert_int_equal(err, LP_OK);
}

static void
assert_failure_names_the_server(const char *failure)
{
    assert_non_null(strstr(failure, "PostgreSQL at 127.0.0.1:"));
    assert_non_null(strstr(failure, "database loupe"));
    assert_null(strstr(failure, "pass-9f2"));
}

typedef struct opener {
    const char *path;
    catalog *catalog;
    lp_err err;
    lp_problem problem;
    pthread_t thread;
} opener;

static void *
open_it(void *arg)
{
    opener *o = arg;
    o->err = catalog_open(o->path, &o->catalog, &o->problem);
    return NULL;
}

static void
test_of_those_that_start_at_once_one_has_the_catalog(void **state)
{
    (void)state;
    enum { OPENERS = 4 };
    catalog_place place = catalog_place_make();
    opener openers[OPENERS] = {0};
    for (int i = 0; i < OPENERS; i++) {
        openers[i].path = place.path;
        assert_int_equal(pthread_create(&openers[i].thread, NULL, open_it, &openers[i]), 0);
    }
    for (int i = 0; i < OPENERS; i++) {
        assert_int_equal(pthread_join(openers[i].thread, NULL), 0);
    }
    unsigned opened = 0;
    for (int i = 0; i < OPENERS; i++) {
        if (openers[i].err == LP_OK) {
            opened++;
            assert_int_equal(put(openers[i].catalog, 'a'), LP_OK);
            catalog_close(openers[i].catalog);
        } else {
            assert_int_equal(openers[i].err, LP_ELIMIT);
            assert_non_null(strstr(openers[i].problem.text, "another collector has the catalog"));
        }
    }
    assert_int_equal(opened, 1);
    catalog *again;
    assert_int_equal(catalog_open(place.path, &again, NULL), LP_OK);
    (void)find(again, 'a');
    catalog_close(again);
    catalog_place_remove(&place);
}

static void
test_other_versions_and_no_tables_are_refused(void **state)
{
    fixture *f = *state;
    lp_problem problem;
    catalog *opened;
    catalog_close(f->catalog);
    f->catalog = NULL;
    catalog_place_run(&f->place, "UPDATE loupe_schema SET version = 18");
    assert_int_equal(catalog_open(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "catalog of version 18, this program reads version 17"));
    assert_failure_names_the_server(problem.text);
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);

    catalog_place empty = catalog_place_make();
    assert_int_equal(catalog_open_reader(empty.path, &opened, &problem), LP_ENOENT);
    catalog_place_remove(&empty);
}

// change_uri makes a URI of the server's with another piece of it.
static void
change_uri(const char *from, const char *to, char out_uri[300])
{
    const char *uri = getenv("LOUPE_POSTGRES");
    const char *at = NULL;
    for (const char *next = uri; (next = strstr(next, from)) != NULL; next++) {
        at = next; // the last one
    }
    assert_non_null(at);
    (void)snprintf(out_uri, 300, "%.*s%s%s", (int)(at - uri), uri, to, at + strlen(from));
}

static void
test_what_cannot_be_opened_says_why(void **state)
{
    const fixture *f = *state;
    catalog_place_run(&f->place, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C'"
                                 " LOCALE_PROVIDER libc TEMPLATE template0");
    static const struct {
        const char *from;
        const char *to;
        const char *says;
    } cases[] = {
        {"pass-9f2", "pass-other", "password authentication failed for user \"loupe\""},
        {"/loupe", "/nowhere", "database \"nowhere\" does not exist"},
        {"/loupe", "/latin", "its encoding is LATIN1"},
        {"/loupe", "/loupe?options=-csearch_path%3Dmissing", "no schema has been selected"},
        {"/loupe", "/loupe?nonsense=1", "not a URI of PostgreSQL: invalid URI query parameter"},
        {"pass-9f2", "pass/9f2", "the port is no number"},
        {"127.0.0.1:", "127.0.0.1:1,127.0.0.1:", NULL}, // the second one is there
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char uri[300];
        catalog *opened;
        lp_problem problem = {.text = ""};
        change_uri(cases[i].from, cases[i].to, uri);
        lp_err err = catalog_open(uri, &opened, &problem);
        if (cases[i].says == NULL) {
            assert_int_equal(err, LP_OK);
            catalog_close(opened);
            continue;
        }
        assert_int_not_equal(err, LP_OK);
        if (strstr(problem.text, cases[i].says) == NULL) {
            fail_msg("%s: %s", cases[i].says, problem.text);
        }
        assert_null(strstr(problem.text, "9f2"));
        assert_null(strstr(problem.text, "pass-"));
    }
}

static void
test_a_server_that_starts_again_is_found(void **state)
{
    const fixture *f = *state;
    catalog *reader;
    uint64_t reconnects = catalog_get_counts().reconnects;
    assert_int_equal(catalog_open_reader(f->place.path, &reader, NULL), LP_OK);
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    (void)find(reader, 'a');
    control("stop");
    control("start");
    assert_int_equal(put(f->catalog, 'b'), LP_OK); // without a failure
    (void)find(reader, 'a');
    (void)find(reader, 'b');
    assert_int_equal(catalog_get_counts().reconnects, reconnects + 2);
    catalog_close(reader);
}

static void
test_a_server_that_is_killed_loses_no_commit(void **state)
{
    const fixture *f = *state;
    uint64_t errors = catalog_get_counts().errors;
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    control("kill");
    assert_int_equal(put(f->catalog, 'b'), LP_EAGAIN);
    assert_int_equal(errno, ENOTCONN);
    assert_failure_names_the_server(catalog_get_failure(f->catalog));
    assert_int_equal(catalog_probe(f->catalog), LP_EAGAIN);
    assert_true(catalog_get_counts().errors > errors);
    control("start");
    put_at_last(f->catalog, 'c');
    assert_int_equal(catalog_probe(f->catalog), LP_OK);
    (void)find(f->catalog, 'a');
    (void)find(f->catalog, 'c');
    assert_int_equal(put(f->catalog, 'b'), LP_OK);
}

static void
test_a_server_that_hangs_is_given_up(void **state)
{
    const fixture *f = *state;
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    control("freeze");
    lp_err err = put(f->catalog, 'b');
    int error = errno;
    char failure[300];
    (void)snprintf(failure, sizeof(failure), "%s", catalog_get_failure(f->catalog));
    control("thaw");
    assert_int_equal(err, LP_EAGAIN);
    assert_int_equal(error, ETIMEDOUT);
    assert_non_null(strstr(failure, "no answer within 5 s"));
    assert_failure_names_the_server(failure);
    put_at_last(f->catalog, 'b');
    (void)find(f->catalog, 'a');
}

static void
test_tries_to_connect_are_not_put_off_for_long(void **state)
{
    (void)state;
    static const struct {
        int64_t took_ms;
        int64_t pause_ms;
    } cases[] = {{0, 1000}, {100, 1000}, {200, 1000}, {3000, 15000}, {6000, 30000}, {6001, 30000},
        {3600000, 30000}, {INT64_MAX, 30000}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(postgres_link_get_pause_ms(cases[i].took_ms), cases[i].pause_ms);
    }
}

// The connection is cut when PostgreSQL commits, before that is done: so nothing is there.
static void
test_a_transaction_whose_connection_is_lost_failed(void **state)
{
    const fixture *f = *state;
    catalog_place_run(&f->place,
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
        "CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON session DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION cut()");
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    catalog_place_run(&f->place, "DROP TRIGGER cut ON session");
    catalog_session none = {0};
    char id[CATALOG_ID_CHARS + 1] = {0};
    memset(id, 'a', CATALOG_ID_CHARS);
    assert_int_equal(catalog_find(f->catalog, id, note_row, &none), LP_ENOENT);
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
}

// A statement that another one keeps waiting ends, and can be tried again on the same connection:
// not at once, as the loop would wait again.
static void
test_a_lock_that_is_held_costs_a_failure_and_no_connection(void **state)
{
    const fixture *f = *state;
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    uint64_t reconnects = catalog_get_counts().reconnects;
    PGconn *other = PQconnectdb(f->place.path);
    PQclear(PQexec(other, "BEGIN; LOCK TABLE session"));
    errno = 0;
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    assert_int_equal(errno, 0); // the server has ended it
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN);
    assert_int_equal(errno, ETIMEDOUT); // nothing was asked
    PQfinish(other);
    put_at_last(f->catalog, 'a');
    assert_int_equal(catalog_get_counts().reconnects, reconnects);
}

// The lock is of the table that a connection begins with.
static void
test_a_connection_that_is_made_again_waits_no_longer_than_a_statement(void **state)
{
    const fixture *f = *state;
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
    PGconn *other = PQconnectdb(f->place.path);
    PQclear(PQexec(other, "BEGIN; LOCK TABLE loupe_schema"));
    PQclear(PQexec(other,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid()"));
    assert_int_equal(put(f->catalog, 'a'), LP_EAGAIN); // ctest's limit is less than that of a start
    PQfinish(other);
    put_at_last(f->catalog, 'a');
}

static void
note_service(void *arg, const catalog_session *row)
{
    (void)snprintf(arg, 40, "%s", row->service);
}

static void
test_texts_that_are_not_utf_8_are_replaced(void **state)
{
    const fixture *f = *state;
    char found[40] = "";
    const catalog_session session = session_of('a', "sh\xff\xc3(p\xed\xa0\x80");
    assert_int_equal(catalog_put_session(f->catalog, &session), LP_OK);
    assert_int_equal(catalog_find(f->catalog, session.id, note_service, found), LP_OK);
    assert_string_equal(found, "sh\xef\xbf\xbd\xef\xbf\xbd(p\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    found[0] = '\0';
    const catalog_query same = {.service = session.service};
    assert_int_equal(catalog_list(f->catalog, &same, note_service, found), LP_OK);
    assert_string_equal(found, "sh\xef\xbf\xbd\xef\xbf\xbd(p\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void
append_name(void *arg, const catalog_type *type)
{
    strncat(arg, type->name, 10);
}

// The server's own order is that of a language.
static void
test_names_are_in_the_order_of_their_bytes(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {
        .types_json =
            "{\"b\":{\"in\":1},\"B\":{\"in\":1},\"\xc3\xa4\":{\"in\":1},\"a\":{\"in\":1}}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    char names[40] = "";
    const catalog_chunk_range range = {session.id, 1, INT64_MIN, INT64_MAX};
    assert_int_equal(catalog_list_types(f->catalog, &range, append_name, names), LP_OK);
    assert_string_equal(names, "Bab\xc3\xa4");
}

static void
test_a_large_carry_comes_back(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {.types_json = "{}"};
    static const size_t sizes[] = {(3 << 20) + 7, 2 << 20, 1, 0};
    uint8_t *bytes = malloc(sizes[0]);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizes[0]; i++) {
        bytes[i] = (uint8_t)(i * 31 + i / 1000);
    }
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint8_t *found;
        size_t size;
        assert_int_equal(
            catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){bytes, sizes[i]}), LP_OK);
        assert_int_equal(catalog_get_carry(f->catalog, session.id, &found, &size), LP_OK);
        assert_int_equal(size, sizes[i]);
        assert_int_equal(size == 0 ? 0 : memcmp(found, bytes, size), 0);
        free(found);
    }
    free(bytes);
}

// As after a commit of which nobody knows whether it was done.
static void
test_what_is_done_again_has_the_same_effect(void **state)
{
    const fixture *f = *state;
    const catalog_session session = session_of('a', "shop");
    const catalog_chunk chunk = {.types_json = "{\"b\":{\"in\":5}}"};
    const catalog_old_chunk old = {.session_id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    bool is_new;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_lose_chunk(f->catalog, session.id, 0, true, &is_new), LP_OK);
        assert_int_equal(is_new, i == 0);
        assert_int_equal(find(f->catalog, 'a').losses[CATALOG_LOSS_CHUNKS_LOST], 1);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(catalog_expire(f->catalog, &old, 1), LP_OK);
        assert_int_equal(find(f->catalog, 'a').expired_chunks, 1);
    }
}

// The time that PostgreSQL takes is mostly the way to it.
static void
test_round_trips_are_few(void **state)
{
    const fixture *f = *state;
    const catalog_session sessions[] = {session_of('a', "shop"), session_of('b', "shop")};
    const catalog_session *const both[] = {&sessions[0], &sessions[1]};
    rollup nothing;
    rollup_init(&nothing);
    catalog_chunk chunks[] = {{.types_json = "{}", .rollup = &nothing},
        {.types_json = "{}", .rollup = &nothing, .ordinal = 1}};
    catalog_commit commits[] = {
        {.session = both[0], .chunk = &chunks[1]}, {.session = both[1], .chunk = &chunks[1]}};
    const catalog_object object = {.name = "pack", .bytes = 10};
    (void)snprintf(chunks[1].place.object, sizeof(chunks[1].place.object), "pack");
    bool is_lost[2];
    uint64_t counts[4];
    counts[0] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_put_sessions(f->catalog, both, 2, is_lost), LP_OK);
    counts[1] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_add_chunk(f->catalog, both[0], &chunks[0], slice_of("carry")), LP_OK);
    counts[2] = catalog_waits_get().round_trips;
    assert_int_equal(catalog_commit_object(f->catalog, &object, commits, 2, NULL, 0), LP_OK);
    counts[3] = catalog_waits_get().round_trips;
    assert_int_equal(counts[1] - counts[0], 1);
    assert_int_equal(counts[2] - counts[1], 2);
    assert_int_equal(counts[3] - counts[2], 2 * 3 + 1);
    rollup_fini(&nothing);
}

static lp_err
run_with_id(catalog *on, catalog_db_statement which, const char *id)
{
    catalog_db_call call;
    lp_err err = catalog_db_start(on, which, &call);
    if (err != LP_OK) {
        return err;
    }
    catalog_db_bind_text(&call, id);
    return catalog_db_run(&call);
}

// A transaction is given up for a reason of the caller's, while a statement that has failed is not
// answered yet.
static void
test_what_is_undone_leaves_no_transaction_behind(void **state)
{
    const fixture *f = *state;
    catalog_db_call call;
    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    assert_int_equal(catalog_db_start(f->catalog, CATALOG_DB_PUT_CARRY, &call), LP_OK);
    catalog_db_bind_text(&call, "a");
    catalog_db_bind_uint(&call, 0);
    catalog_db_bind_null(&call); // no piece has no bytes
    assert_int_equal(catalog_db_run(&call), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_ECORRUPT), LP_ECORRUPT);
    assert_int_equal(put(f->catalog, 'a'), LP_OK);
}

// Two places of the queue are free before the last statement, which has to be prepared. So has the
// one whose rows are then read one by one.
static void
test_a_full_queue_is_answered_first(void **state)
{
    enum { QUEUED = 512 - 2 }; // QUEUE_MAX
    const fixture *f = *state;
    catalog_db_call call;
    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_LOSSES, "a"), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_OK), LP_OK);

    assert_int_equal(catalog_db_begin(f->catalog), LP_OK);
    for (int i = 1; i < QUEUED; i++) {
        assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_LOSSES, "a"), LP_OK);
    }
    assert_int_equal(run_with_id(f->catalog, CATALOG_DB_DROP_CARRY, "a"), LP_OK);
    assert_int_equal(catalog_db_start(f->catalog, CATALOG_DB_GET_CARRY, &call), LP_OK);
    catalog_db_bind_text(&call, "a");
    assert_false(catalog_db_step(&call));
    assert_int_equal(catalog_db_finish(&call), LP_OK);
    assert_int_equal(catalog_db_end(f->catalog, LP_OK), LP_OK);
}

static void
test_readers_are_bounded(void **state)
{
    const fixture *f = *state;
    catalog *opened[CATALOG_POSTGRES_READERS_MAX];
    catalog *more;
    lp_problem problem;
    for (int round = 0; round < 2; round++) { // some of the second round were idle
        for (int i = 0; i < CATALOG_POSTGRES_READERS_MAX; i++) {
            assert_int_equal(catalog_open_reader(f->place.path, &opened[i], NULL), LP_OK);
        }
        assert_int_equal(catalog_open_reader(f->place.path, &more, &problem), LP_ELIMIT);
        assert_non_null(strstr(problem.text, "16 readers have the catalog already"));
        for (int i = 0; i < CATALOG_POSTGRES_READERS_MAX; i++) {
            catalog_close(opened[i]);
        }
    }
}

int
main(void)
{
    if (!catalog_place_is_postgres()) {
        (void)printf("skipped: with_postgres.sh runs this test\n");
        return 77;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_of_those_that_start_at_once_one_has_the_catalog),
        TEST(test_other_versions_and_no_tables_are_refused),
        TEST(test_what_cannot_be_opened_says_why),
        TEST(test_a_server_that_starts_again_is_found),
        TEST(test_a_server_that_is_killed_loses_no_commit),
        TEST(test_a_server_that_hangs_is_given_up),
        TEST(test_tries_to_connect_are_not_put_off_for_long),
        TEST(test_a_transaction_whose_connection_is_lost_failed),
        TEST(test_a_lock_that_is_held_costs_a_failure_and_no_connection),
        TEST(test_a_connection_that_is_made_again_waits_no_longer_than_a_statement),
        TEST(test_texts_that_are_not_utf_8_are_replaced),
        TEST(test_names_are_in_the_order_of_their_bytes),
        TEST(test_a_large_carry_comes_back),
        TEST(test_what_is_done_again_has_the_same_effect),
        TEST(test_round_trips_are_few),
        TEST(test_what_is_undone_leaves_no_transaction_behind),
        TEST(test_a_full_queue_is_answered_first),
        TEST(test_readers_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
