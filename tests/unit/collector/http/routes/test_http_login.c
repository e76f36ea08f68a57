// SPDX-License-Identifier: Apache-2.0

// The login of the page over a real server: the cookie, where it is valid, when its session ends,
// and which requests of other pages are refused although their browser sends the cookie.

#include "unit/collector/ask/ask_fixture.h"

#include "collector/access/access_logins.h"
#include "collector/base/audit_log.h"
#include "collector/base/metrics.h"
#include "collector/http/wire/http_cookie.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Tokens, and their hashes as sha256sum has them.
#define SHOP       "0123456789abcdef"
#define OPS        "fedcba9876543210"
#define AGENT      "agent-agent-agent"
#define SHOP_HASH  "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"
#define OPS_HASH   "sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843"
#define AGENT_HASH "sha256:1dbfead23a2911f700d9092d86608d4073d4e8d6c402c4fd57b56d6fbdff52f5"
static const char rules[] =
    "shop read,admin shop " SHOP_HASH "\nops read * " OPS_HASH "\nagent ingest * " AGENT_HASH "\n";

#define D     "dddddddddddddddddddddddddddddddd" // of shop
#define E     "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" // of bank
#define LOGIN "/api/v1/login"
#define PAGE  "Loupe-Page: 1\r\n"

typedef struct fixture {
    http_fixture *http;
    char path[300];
    char audit_path[300];
    access_file *access;
    char cookie[200]; // NAME=ID
} fixture;

static void
store_file(http_fixture *f, char digit, const char *service)
{
    catalog_session session = http_fixture_session(digit, service);
    lp_buf bytes = {0};
    http_fixture_make_chunk(&bytes, 1000, 1);
    http_fixture_store(f, &session, lp_buf_slice(&bytes), "{}");
    lp_buf_fini(&bytes);
}

static void
write_rules(const fixture *f, const char *text)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(http_fixture_setup((void **)&f->http), 0);
    store_file(f->http, 'd', "shop");
    store_file(f->http, 'e', "bank");
    (void)snprintf(f->path, sizeof(f->path), "%s/tokens", f->http->dir.path);
    (void)snprintf(f->audit_path, sizeof(f->audit_path), "%s/audit", f->http->dir.path);
    write_rules(f, rules);
    assert_int_equal(access_file_open(f->path, false, &f->access, NULL), LP_OK);
    assert_int_equal(audit_log_open(f->audit_path, &f->http->audit, NULL), LP_OK);
    http_fixture_serve(f->http, f->access, false);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    audit_log *log = f->http->audit;
    assert_int_equal(http_fixture_teardown((void **)&f->http), 0);
    audit_log_close(log);
    access_file_close(f->access);
    assert_int_equal(metrics_get(METRICS_logins_active), 0);
    free(f);
    return 0;
}

static http_answer
ask(const fixture *f, const char *method, const char *path, const char *headers)
{
    char all[1000] = "";
    if (f->cookie[0] != '\0') {
        (void)snprintf(all, sizeof(all), "Cookie: other=1; %s\r\n", f->cookie);
    }
    (void)snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s", headers);
    return http_client_ask(f->http->port, method, path, all);
}

static void
expect(const fixture *f, const char *method, const char *path, const char *headers, int status)
{
    http_answer answer = ask(f, method, path, headers);
    if (answer.status != status) {
        fail_msg("%s %s %s: %d, not %d: %s", method, path, headers, answer.status, status,
            (const char *)answer.body.ptr);
    }
    http_answer_fini(&answer);
}

static void
expect_identity(const fixture *f, const char *identity)
{
    http_answer answer = ask(f, "GET", LOGIN, "");
    json_t *json = ask_fixture_take_json(&answer, 200);
    const char *found = json_string_value(json_object_get(json, "identity"));
    assert_true(json_is_true(json_object_get(json, "is_needed")));
    assert_int_equal(json_object_size(json), 2);
    assert_string_equal(found == NULL ? "nobody" : found, identity);
    json_decref(json);
}

// log_in keeps the cookie that comes.
static void
log_in(fixture *f, const char *token)
{
    char header[200];
    (void)snprintf(header, sizeof(header), "Authorization: Bearer %s\r\n", token);
    http_answer answer = ask(f, "POST", LOGIN, header);
    assert_int_equal(answer.status, 200);
    const char *set = http_client_find_header(&answer, "Set-Cookie");
    assert_non_null(set);
    (void)snprintf(f->cookie, sizeof(f->cookie), "%.*s", (int)strcspn(set, ";"), set);
    http_answer_fini(&answer);
}

static void
test_a_cookie_is_the_browser_s_alone(void **state)
{
    fixture *f = *state;
    http_answer answer = ask(f, "POST", LOGIN, "Authorization: Bearer " OPS "\r\n");
    assert_int_equal(answer.status, 200);
    const char *set = http_client_find_header(&answer, "Set-Cookie");
    char name[40];
    (void)snprintf(name, sizeof(name), "loupe-%u=", (unsigned)f->http->port);
    assert_int_equal(strncmp(set, name, strlen(name)), 0);
    assert_int_equal(strspn(set + strlen(name), "0123456789abcdef"), 64);
    assert_string_equal(set + strlen(name) + 64, "; Path=/; HttpOnly; SameSite=Strict");
    assert_string_equal(http_client_find_header(&answer, "Cache-Control"), "no-store");
    assert_null(strstr((const char *)answer.body.ptr, set + strlen(name)));
    http_answer_fini(&answer);
    const http_base none = {""};
    http_cookie secure = http_cookie_make(7412, true, false);
    char header[HTTP_COOKIE_BYTES];
    http_cookie_format(&secure, &none, "1f", header);
    assert_string_equal(header, "__Host-loupe-7412=1f; Path=/; HttpOnly; SameSite=Strict; Secure");
    http_cookie_format(&secure, &none, NULL, header);
    assert_string_equal(
        header, "__Host-loupe-7412=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0");
}

static void
test_a_cookie_below_a_path_is_sent_there_alone(void **state)
{
    (void)state;
    const http_base base = {"/tools/loupe"};
    http_cookie cookie = http_cookie_make(7412, true, true);
    char header[HTTP_COOKIE_BYTES];
    http_cookie_format(&cookie, &base, "1f", header);
    assert_string_equal(
        header, "__Secure-loupe-7412=1f; Path=/tools/loupe; HttpOnly; SameSite=Strict; Secure");
    http_cookie_format(&cookie, &(http_base){""}, "1f", header); // asked without the proxy
    assert_string_equal(
        header, "__Secure-loupe-7412=1f; Path=/; HttpOnly; SameSite=Strict; Secure");
}

static void
test_a_session_is_as_good_as_its_token(void **state)
{
    fixture *f = *state;
    expect_identity(f, "nobody");
    expect(f, "GET", "/api/v1/recordings", "", 401);
    log_in(f, SHOP);
    expect_identity(f, "shop");
    static const struct {
        const char *method;
        const char *path;
        int status;
    } cases[] = {
        {"GET", "/api/v1/recordings", 200},
        {"GET", "/api/v1/contexts", 200},
        {"GET", "/api/v1/recordings/" D ".jfr", 200},
        {"HEAD", "/api/v1/recordings/" D ".jfr", 200},
        {"GET", "/api/v1/recordings/" E ".jfr", 404},
        {"GET", "/metrics", 403},
        {"GET", "/", 200},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(f, cases[i].method, cases[i].path, "", cases[i].status);
    }
    // A token goes before the session.
    expect(f, "GET", "/metrics", "Authorization: Bearer " OPS "\r\n", 200);
    expect(f, "GET", "/api/v1/recordings", "Authorization: Bearer no-such-token-is-known\r\n", 401);
}

static void
test_what_logs_nobody_in(void **state)
{
    fixture *f = *state;
    uint64_t failed = metrics_get(METRICS_logins_failed_http);
    expect(f, "POST", LOGIN, "", 401);
    expect(f, "POST", LOGIN, "Authorization: Basic " OPS "\r\n", 401);
    assert_int_equal(metrics_get(METRICS_logins_failed_http), failed);
    expect(f, "POST", LOGIN, "Authorization: Bearer no-such-token-is-known\r\n", 401);
    expect(f, "POST", LOGIN, "Authorization: Bearer " AGENT "\r\n", 403); // may not read
    assert_int_equal(metrics_get(METRICS_logins_failed_http), failed + 2);
    // GET and DELETE do not help to guess tokens either.
    expect(f, "GET", LOGIN, "Authorization: Bearer no-such-token-is-known\r\n", 401);
    expect(f, "DELETE", LOGIN, PAGE "Authorization: Bearer no-such-token-is-known\r\n", 401);
    assert_int_equal(metrics_get(METRICS_logins_failed_http), failed + 4);
    expect(f, "GET", LOGIN, "Authorization: Bearer " AGENT "\r\n", 200);
    expect(f, "PUT", LOGIN, "", 405);
    assert_int_equal(metrics_get(METRICS_logins_active), 0);
    log_in(f, OPS);
    (void)snprintf(f->cookie + strlen(f->cookie) - 1, 2, "%c",
        f->cookie[strlen(f->cookie) - 1] == '0' ? '1' : '0');
    expect_identity(f, "nobody");
    http_answer answer = ask(f, "GET", "/api/v1/recordings", "");
    assert_int_equal(answer.status, 401);
    assert_non_null(strstr((const char *)answer.body.ptr, "the session has ended: log in again"));
    http_answer_fini(&answer);
}

static void
test_a_login_is_another_session_and_ends_the_one_before(void **state)
{
    fixture *f = *state;
    log_in(f, OPS);
    char before[200];
    memcpy(before, f->cookie, sizeof(before));
    log_in(f, SHOP);
    assert_string_not_equal(before, f->cookie);
    assert_int_equal(metrics_get(METRICS_logins_active), 1);
    expect_identity(f, "shop");
    memcpy(f->cookie, before, sizeof(before));
    expect_identity(f, "nobody");
}

static void
test_a_session_ends_by_logging_out(void **state)
{
    fixture *f = *state;
    log_in(f, OPS);
    http_answer answer = ask(f, "DELETE", LOGIN, PAGE);
    assert_int_equal(answer.status, 200);
    const char *set = http_client_find_header(&answer, "Set-Cookie");
    assert_non_null(strstr(set, "=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"));
    http_answer_fini(&answer);
    assert_int_equal(metrics_get(METRICS_logins_active), 0);
    expect(f, "GET", "/api/v1/recordings", "", 401); // also who kept the cookie
    expect(f, "DELETE", LOGIN, PAGE, 200);           // again
    // Whatever token comes with it.
    static const char *const headers[] = {"Authorization: Bearer " OPS "\r\n",
        "Authorization: Bearer " SHOP "\r\n", "Authorization: Bearer no-such-token-is-known\r\n"};
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        log_in(f, OPS);
        assert_int_equal(metrics_get(METRICS_logins_active), 1);
        expect(f, "DELETE", LOGIN, headers[i], i < 2 ? 200 : 401);
        assert_int_equal(metrics_get(METRICS_logins_active), 0);
    }
}

// A browser sends several cookies of a name, if others of the domain set them as well; and another
// spelling is another name.
static void
test_the_cookie_of_a_session_is_found_among_others(void **state)
{
    fixture *f = *state;
    log_in(f, OPS);
    char own[200];
    memcpy(own, f->cookie, sizeof(own));
    size_t name_len = strcspn(own, "=");
    (void)snprintf(f->cookie, sizeof(f->cookie), "%.*s=; %.*s=0123; LOUPE%s; %s", (int)name_len,
        own, (int)name_len, own, own + strlen("loupe"), own);
    expect_identity(f, "ops");
    (void)snprintf(f->cookie, sizeof(f->cookie), "LOUPE%s", own + strlen("loupe"));
    expect_identity(f, "nobody");
    // Of two that are good it is the first; logging out ends both.
    f->cookie[0] = '\0';
    log_in(f, SHOP);
    char both[200];
    (void)snprintf(both, sizeof(both), "%s; %s", f->cookie, own);
    memcpy(f->cookie, both, sizeof(both));
    expect_identity(f, "shop");
    assert_int_equal(metrics_get(METRICS_logins_active), 2);
    expect(f, "DELETE", LOGIN, PAGE, 200);
    assert_int_equal(metrics_get(METRICS_logins_active), 0);
}

static void
test_a_session_ends_when_its_line_changes(void **state)
{
    fixture *f = *state;
    log_in(f, SHOP);
    write_rules(f, "# as before\nshop read,admin shop " SHOP_HASH "\nops read * " OPS_HASH "\n");
    access_file_look(f->access);
    access_file_look(f->access);
    expect_identity(f, "shop");
    write_rules(f, "shop read shop " SHOP_HASH "\n");
    access_file_look(f->access);
    access_file_look(f->access);
    expect(f, "GET", "/api/v1/recordings", "", 401);
    expect_identity(f, "nobody");
}

// Another page has the browser send the cookie where that is of the same site: of another port.
static void
test_no_other_page_can_use_a_session(void **state)
{
    fixture *f = *state;
    f->http->server.err = LP_OK; // removals succeed
    log_in(f, SHOP);
    static const struct {
        const char *method;
        const char *path;
        const char *headers;
        int status;
    } cases[] = {
        {"GET", "/api/v1/recordings", "Sec-Fetch-Site: same-origin\r\n", 200},
        {"GET", "/api/v1/recordings", "Sec-Fetch-Site: none\r\n", 200}, // it was typed in
        {"GET", "/api/v1/recordings", "Sec-Fetch-Site: same-site\r\n", 403},
        {"GET", "/api/v1/recordings", "Sec-Fetch-Site: cross-site\r\n", 403},
        {"GET", "/api/v1/recordings", "Sec-Fetch-Site: what else\r\n", 403},
        {"GET", "/", "Sec-Fetch-Site: cross-site\r\n", 403},
        {"GET", "/",
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
            "Sec-Fetch-Dest: document\r\n",
            200}, // a link to the page
        {"DELETE", "/api/v1/recordings/" D, "", 403},
        {"DELETE", "/api/v1/recordings/" D, "Sec-Fetch-Site: same-origin\r\n", 403},
        {"DELETE", "/api/v1/recordings/" D, PAGE "Sec-Fetch-Site: same-site\r\n", 403},
        {"DELETE", "/api/v1/recordings/" D, PAGE "Sec-Fetch-Site: none\r\n", 403},
        {"DELETE", LOGIN, "", 403},
        {"DELETE", LOGIN, PAGE "Sec-Fetch-Site: cross-site\r\n", 403},
        {"OPTIONS", "/api/v1/recordings/" D, "Origin: http://evil.example\r\n", 403},
        {"DELETE", "/api/v1/recordings/" D, PAGE, 204}, // of a browser that says nothing
        {"DELETE", "/api/v1/recordings/" D, PAGE "Sec-Fetch-Site: same-origin\r\n", 204},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_answer answer = ask(f, cases[i].method, cases[i].path, cases[i].headers);
        if (answer.status != cases[i].status) {
            fail_msg(
                "%s %s %s: %d", cases[i].method, cases[i].path, cases[i].headers, answer.status);
        }
        // A browser that is to ask first is never told that it may.
        assert_null(http_client_find_header(&answer, "Access-Control-Allow-Origin"));
        assert_null(http_client_find_header(&answer, "Access-Control-Allow-Headers"));
        http_answer_fini(&answer);
    }
    expect_identity(f, "shop");
    // A proxy may add a token to whatever a browser sends.
    expect(f, "DELETE", "/api/v1/recordings/" D,
        "Authorization: Bearer " SHOP "\r\nSec-Fetch-Site: cross-site\r\n", 403);
    expect(f, "DELETE", "/api/v1/recordings/" D, "Authorization: Bearer " SHOP "\r\n", 204);
}

static void
test_attempts_that_fail_have_a_limit(void **state)
{
    fixture *f = *state;
    fixture other = *f;
    log_in(&other, OPS);
    http_answer answer;
    int refused = 0;
    // On a slow machine some are made good meanwhile.
    while ((answer = ask(f, "POST", LOGIN, "Authorization: Bearer no-such-token-is-known\r\n"))
               .status == 401) {
        http_answer_fini(&answer);
        refused++;
    }
    assert_int_equal(answer.status, 429);
    assert_true(refused >= ACCESS_ATTEMPTS_AT_ONCE);
    long wait_s = strtol(http_client_find_header(&answer, "Retry-After"), NULL, 10);
    assert_true(wait_s > 0 && wait_s <= ACCESS_ATTEMPT_S);
    http_answer_fini(&answer);
    assert_true(metrics_get(METRICS_logins_put_off) > 0);
    // Sessions and tokens still work, and a known token logs in.
    expect_identity(&other, "ops");
    expect(f, "GET", "/metrics", "Authorization: Bearer " OPS "\r\n", 200);
    log_in(f, OPS);
    expect_identity(f, "ops");
}

// --- Requests come on threads of their own, and rules change on another one

enum { THREADS = 4, ATTEMPTS = 50, CHANGES = 20 };

typedef struct attempter {
    pthread_t thread;
    access_attempts *attempts;
    int let_in;
} attempter;

// run_attempts fails from one place, without time in between.
static void *
run_attempts(void *arg)
{
    attempter *self = arg;
    for (int i = 0; i < ATTEMPTS; i++) {
        self->let_in += access_attempts_take(self->attempts, 1, 1) == 0;
    }
    return NULL;
}

static void
test_attempts_on_several_threads_have_one_limit(void **state)
{
    (void)state;
    static access_attempts attempts = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    attempter threads[THREADS];
    int let_in = 0;
    for (size_t i = 0; i < THREADS; i++) {
        threads[i] = (attempter){.attempts = &attempts};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, run_attempts, &threads[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
        let_in += threads[i].let_in;
    }
    assert_int_equal(let_in, ACCESS_ATTEMPTS_AT_ONCE);
}

typedef struct asker {
    const fixture *fixture;
    atomic_int asked; // number of calls
    atomic_bool is_over;
    bool is_right;
} asker;

// run_asker asks as ops, whom all rules let in.
static void *
run_asker(void *arg)
{
    asker *self = arg;
    static const char token[] = OPS;
    self->is_right = true;
    while (!atomic_load_explicit(&self->is_over, memory_order_relaxed)) {
        access_rules *found = access_file_get_rules(self->fixture->access);
        const lp_slice shown = {(const uint8_t *)token, strlen(token)};
        self->is_right &= access_rules_find_token(found, shown) != NULL;
        access_rules_unref(found);
        atomic_fetch_add_explicit(&self->asked, 1, memory_order_relaxed);
    }
    return NULL;
}

static void
test_rules_change_while_others_ask(void **state)
{
    const fixture *f = *state;
    asker other = {.fixture = f};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_asker, &other), 0);
    for (int i = 0; i < CHANGES; i++) {
        int asked = atomic_load_explicit(&other.asked, memory_order_relaxed);
        write_rules(f, i % 2 == 0 ? "ops read * " OPS_HASH "\n" : rules);
        access_file_look(f->access);
        access_file_look(f->access);
        while (atomic_load_explicit(&other.asked, memory_order_relaxed) == asked) {
            (void)sched_yield();
        }
    }
    atomic_store_explicit(&other.is_over, true, memory_order_relaxed);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(other.is_right);
    assert_int_equal(access_file_get_version(f->access), 1 + CHANGES);
}

static void
test_those_that_succeed_have_none(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 3 * ACCESS_ATTEMPTS_AT_ONCE; i++) {
        log_in(f, OPS);
    }
}

static void
test_logins_are_in_the_audit(void **state)
{
    fixture *f = *state;
    expect(f, "POST", LOGIN, "Authorization: Bearer no-such-token-is-known\r\n", 401);
    log_in(f, OPS);
    expect(f, "DELETE", LOGIN, PAGE, 200);
    http_fixture_serve(f->http, NULL, false);
    audit_log_close(f->http->audit);
    f->http->audit = NULL;
    static const char *const expected[] = {
        ("\"event\":\"refused\",\"address\":\"127.0.0.1\",\"path\":\"/api/v1/login\","
         "\"why\":\"unknown token\"}\n"),
        "\"event\":\"login\",\"identity\":\"ops\",\"address\":\"127.0.0.1\"}\n",
        "\"event\":\"logout\",\"identity\":\"ops\",\"address\":\"127.0.0.1\"}\n"};
    char line[1000];
    FILE *file = fopen(f->audit_path, "r");
    assert_non_null(file);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_non_null(fgets(line, sizeof(line), file));
        assert_string_equal(strchr(line, ',') + 1, expected[i]); // behind its time
    }
    assert_null(fgets(line, sizeof(line), file));
    assert_int_equal(fclose(file), 0);
}

static void
test_where_nobody_is_asked_there_is_nothing_to_log_in_to(void **state)
{
    fixture *f = *state;
    http_fixture_serve(f->http, NULL, false);
    http_answer answer = ask(f, "GET", LOGIN, "");
    json_t *json = ask_fixture_take_json(&answer, 200);
    assert_true(json_is_false(json_object_get(json, "is_needed")));
    assert_true(json_is_null(json_object_get(json, "identity")));
    json_decref(json);
    expect(f, "POST", LOGIN, "Authorization: Bearer " OPS "\r\n", 404);
    answer = ask(f, "DELETE", LOGIN, "");
    assert_int_equal(answer.status, 200);
    assert_null(http_client_find_header(&answer, "Set-Cookie"));
    http_answer_fini(&answer);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_cookie_is_the_browser_s_alone, set_up, tear_down),
        cmocka_unit_test(test_a_cookie_below_a_path_is_sent_there_alone),
        cmocka_unit_test_setup_teardown(test_a_session_is_as_good_as_its_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_logs_nobody_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_login_is_another_session_and_ends_the_one_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_session_ends_by_logging_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_cookie_of_a_session_is_found_among_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_session_ends_when_its_line_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_other_page_can_use_a_session, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_attempts_that_fail_have_a_limit, set_up, tear_down),
        cmocka_unit_test(test_attempts_on_several_threads_have_one_limit),
        cmocka_unit_test_setup_teardown(test_rules_change_while_others_ask, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_those_that_succeed_have_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_logins_are_in_the_audit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_where_nobody_is_asked_there_is_nothing_to_log_in_to, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("http_login", tests, NULL, NULL);
}
