// SPDX-License-Identifier: Apache-2.0
// A catalog in a PostgreSQL that is unreachable, restarted, killed or hanging: that costs failures
// with a clear message, but no row. No message has the password.

#include "unit/collector/store/catalog/postgres_fixture.h"

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_waits.h"
#include "collector/store/catalog/postgres/postgres_link.h"
#include "common/base/lp_end.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static void
control(const char *what)
{
    char command[400];
    (void)snprintf(
        command, sizeof(command), "'%s' control %s", getenv("LOUPE_POSTGRES_CONTROL"), what);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): a script of ours
}

// change_uri replaces a piece of the server's URI.
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
        {"127.0.0.1:", "127.0.0.1:1,127.0.0.1:", NULL}, // the second is available
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
    fixture *f = *state;
    open_impatient(f, 1000);
    control("freeze");
    lp_err err = put(f->catalog, 'b');
    int error = errno;
    char failure[300];
    (void)snprintf(failure, sizeof(failure), "%s", catalog_get_failure(f->catalog));
    control("thaw");
    assert_int_equal(err, LP_EAGAIN);
    assert_int_equal(error, ETIMEDOUT);
    assert_non_null(strstr(failure, "no answer within 1 s"));
    assert_failure_names_the_server(failure);
    put_at_last(f->catalog, 'b');
    (void)find(f->catalog, 'a');
}

enum { HOUR_MS = 3600 * 1000 };

// end_once_waiting has the process end while a call waits for the server.
static void *
end_once_waiting(void *arg)
{
    (void)arg;
    while (catalog_waits_get().waiting == 0) {
        (void)sched_yield(); // ctest's time limit ends it
    }
    lp_end_set(lp_time_mono_ms());
    return NULL;
}

// Any wait of this test would last an hour.
static void
test_a_server_that_hangs_holds_nobody_who_ends(void **state)
{
    fixture *f = *state;
    pthread_t ender;
    open_impatient(f, HOUR_MS);
    control("freeze");
    assert_int_equal(pthread_create(&ender, NULL, end_once_waiting, NULL), 0);
    lp_err err = put(f->catalog, 'b');
    int error = errno;
    char failure[300];
    (void)snprintf(failure, sizeof(failure), "%s", catalog_get_failure(f->catalog));
    assert_int_equal(pthread_join(ender, NULL), 0);
    uint64_t trips = catalog_waits_get().round_trips;
    lp_err later = catalog_probe(f->catalog); // would connect
    lp_end_set(lp_time_mono_ms() + POSTGRES_LINK_CONNECT_S_MAX * 1000 - 1);
    lp_err last = catalog_probe(f->catalog); // there is no time left to connect
    assert_true(catalog_waits_get().round_trips == trips);
    lp_end_set(LP_END_NEVER);
    control("thaw");
    assert_int_equal(err, LP_EAGAIN);
    assert_int_equal(error, ETIMEDOUT);
    assert_non_null(strstr(failure, "no answer before the end"));
    assert_int_equal(later, LP_EAGAIN);
    assert_int_equal(last, LP_EAGAIN);
    assert_int_equal(catalog_probe(f->catalog), LP_OK);
    put_at_last(f->catalog, 'b'); // it rests for a while
    (void)find(f->catalog, 'a');
}

// put_often stores several sessions without a reconnect.
static lp_err
put_often(catalog *c)
{
    enum { COUNT = 50 };
    lp_err err = LP_OK;
    for (unsigned i = 0; i < COUNT && err == LP_OK; i++) {
        err = put(c, 'c');
    }
    return err;
}

// The work at the end may take longer than its waits may.
static void
test_a_server_that_answers_is_used_until_the_end(void **state)
{
    fixture *f = *state;
    lp_err err = LP_EAGAIN;
    while (err != LP_OK) { // a fully loaded machine may answer late; ctest's time limit ends it
        put_at_last(f->catalog, 'b');
        lp_end_set(lp_time_mono_ms() - 1);
        err = put_often(f->catalog);
        lp_end_set(LP_END_NEVER);
    }
    (void)find(f->catalog, 'c');
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

int
main(void)
{
    if (!catalog_place_is_postgres()) {
        (void)printf("skipped: with_postgres.sh runs this test\n");
        return 77;
    }
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, tear_down_patient)
    const struct CMUnitTest tests[] = {
        TEST(test_what_cannot_be_opened_says_why),
        TEST(test_a_server_that_starts_again_is_found),
        TEST(test_a_server_that_is_killed_loses_no_commit),
        TEST(test_a_server_that_hangs_is_given_up),
        TEST(test_a_server_that_hangs_holds_nobody_who_ends),
        TEST(test_a_server_that_answers_is_used_until_the_end),
        TEST(test_tries_to_connect_are_not_put_off_for_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
