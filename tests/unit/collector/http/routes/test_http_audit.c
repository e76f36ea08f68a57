// SPDX-License-Identifier: Apache-2.0

// The audit of reads and removals over HTTP: a recording of shop and one of bank, and tokens with
// rights to one of them, to all or to none. Each request goes to a real server; then the test reads
// the audit file.

#include "support/contend.h"
#include "unit/collector/ask/ask_fixture.h"

#include "collector/base/audit_log.h"
#include "collector/http/routes/http_audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Tokens, and their hashes as sha256sum has them.
#define SHOP "0123456789abcdef"
#define OPS  "fedcba9876543210"
static const char rules[] =
    "shop read,admin shop "
    "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n"
    "ops read * sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843\n";

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" // of shop, with contexts
#define D "dddddddddddddddddddddddddddddddd" // of shop, with a file
#define E "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" // of bank, with a file

typedef struct fixture {
    http_fixture *http;
    char rules_path[300];
    char path[300]; // of the audit
    access_file *access;
} fixture;

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(http_fixture_setup((void **)&f->http), 0);
    (void)ask_fixture_put_two(f->http);
    http_fixture_store_file(f->http, 'd', "shop");
    http_fixture_store_file(f->http, 'e', "bank");
    (void)snprintf(f->rules_path, sizeof(f->rules_path), "%s/tokens", f->http->dir.path);
    (void)snprintf(f->path, sizeof(f->path), "%s/audit", f->http->dir.path);
    FILE *file = fopen(f->rules_path, "w");
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(access_file_open(f->rules_path, false, &f->access, NULL), LP_OK);
    assert_int_equal(audit_log_open(f->path, &f->http->audit, NULL), LP_OK);
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
    free(f);
    return 0;
}

static void
ask(const fixture *f, const char *method, const char *path, const char *token, const char *more,
    int status)
{
    char headers[300] = "";
    if (token != NULL) {
        (void)snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n%s", token, more);
    }
    http_answer answer = http_client_ask(f->http->port, method, path, headers);
    if (answer.status != status) {
        fail_msg("%s %s: %d: %s", method, path, answer.status, (const char *)answer.body.ptr);
    }
    http_answer_fini(&answer);
}

// second_of returns the second of the day in which a line was written.
static int
second_of(const char *time)
{
    int hour;
    int minute;
    int second;
    assert_int_equal(sscanf(time, "%*4d-%*2d-%*2dT%2d:%2d:%2d", &hour, &minute, &second), 3);
    return (hour * 60 + minute) * 60 + second;
}

// is_due_again returns whether a line repeats an earlier one, as it may after HTTP_AUDIT_REPEAT_S,
// which a slow machine can take. seconds: of each line, when it was last there. Half of that time
// is enough here, as a line's time is taken some time after it was found due.
static bool
is_due_again(json_t *seconds, const char *dumped, const char *time)
{
    const int day_s = 24 * 3600;
    const json_t *before = json_object_get(seconds, dumped);
    int now = second_of(time);
    int passed = (now - (int)json_integer_value(before) + day_s) % day_s;
    bool is_due = before != NULL && passed >= HTTP_AUDIT_REPEAT_S / 2;
    assert_int_equal(json_object_set_new(seconds, dumped, json_integer(now)), 0);
    return is_due;
}

// expect compares the file with lines, each without its time and address.
static void
expect(fixture *f, const char *expected)
{
    http_fixture_serve(f->http, NULL, false); // the answers were sent: it has no more lines
    audit_log_close(f->http->audit);
    f->http->audit = NULL;
    char text[16384] = "";
    char line[4096];
    json_t *seconds = json_object();
    FILE *file = fopen(f->path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        json_t *json = json_loads(line, 0, NULL);
        assert_non_null(json);
        assert_string_equal(json_string_value(json_object_get(json, "address")), "127.0.0.1");
        json_t *time = json_incref(json_object_get(json, "time"));
        assert_int_equal(json_object_del(json, "time") | json_object_del(json, "address"), 0);
        char *dumped = json_dumps(json, JSON_COMPACT);
        if (!is_due_again(seconds, dumped, json_string_value(time))) {
            (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", dumped);
        }
        free(dumped);
        json_decref(time);
        json_decref(json);
    }
    json_decref(seconds);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
}

static void
test_what_is_read_has_a_line(void **state)
{
    fixture *f = *state;
    ask(f, "GET", "/api/v1/recordings/" D ".jfr", OPS, "", 200);
    ask(f, "GET", "/api/v1/recordings/" D ".jfr?sample-contexts=true", SHOP, "", 500); // no JFR
    ask(f, "GET", "/api/v1/contexts?recording=" A "&from=0&to=1%2B1", SHOP, "", 400);
    ask(f, "GET", "/api/v1/contexts?recording=" A, SHOP, "", 200);
    ask(f, "GET", "/api/v1/contexts?service=shop", SHOP, "", 200);
    ask(f, "GET", "/api/v1/why", OPS, "", 200);
    ask(f, "GET", "/api/v1/contexts/" A "/6f1a2b3c4d-9f86d081", SHOP, "", 404);
    expect(f, "{\"event\":\"download\",\"identity\":\"ops\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n"
              "{\"event\":\"download\",\"identity\":\"shop\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n"
              "{\"event\":\"question\",\"identity\":\"shop\",\"recording\":\"" A
              "\",\"path\":\"/api/v1/contexts\"}\n"
              "{\"event\":\"question\",\"identity\":\"shop\",\"service\":\"shop\",\"path\":\"/api/"
              "v1/contexts\"}\n"
              "{\"event\":\"question\",\"identity\":\"ops\",\"path\":\"/api/v1/why\"}\n"
              "{\"event\":\"question\",\"identity\":\"shop\",\"recording\":\"" A
              "\",\"path\":\"/api/v1/contexts/" A "/6f1a2b3c4d-9f86d081\"}\n");
}

static void
test_lists_and_statistics_have_none(void **state)
{
    fixture *f = *state;
    static const char *const paths[] = {"/", "/healthz", "/metrics", "/api/v1/recordings",
        ("/api/v1/recordings/" A), "/api/v1/collector", "/api/v1/policies", "/api/v1/services",
        "/api/v1/contexts/types", "/api/v1/contexts/heatmap", "/api/v1/accounting"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        ask(f, "GET", paths[i], OPS, "", 200);
    }
    ask(f, "HEAD", "/api/v1/recordings/" D ".jfr", OPS, "", 200); // which has none of its bytes
    expect(f, "");
}

static void
test_a_download_in_ranges_is_one_line(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 100; i++) {
        char range[64];
        (void)snprintf(range, sizeof(range), "Range: bytes=%d-%d\r\n", i * 100, i * 100 + 99);
        ask(f, "GET", "/api/v1/recordings/" D ".jfr", OPS, range, 206);
        ask(f, "GET", "/api/v1/contexts?recording=" A, OPS, "", 200); // as a page does
    }
    ask(f, "GET", "/api/v1/recordings/" D ".jfr", SHOP, "Range: bytes=0-9\r\n", 206);
    ask(f, "GET", "/api/v1/recordings/" E ".jfr", OPS, "Range: bytes=0-9\r\n", 206);
    expect(f, "{\"event\":\"download\",\"identity\":\"ops\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n"
              "{\"event\":\"question\",\"identity\":\"ops\",\"recording\":\"" A
              "\",\"path\":\"/api/v1/contexts\"}\n"
              "{\"event\":\"download\",\"identity\":\"shop\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n"
              "{\"event\":\"download\",\"identity\":\"ops\",\"recording\":\"" E
              "\",\"service\":\"bank\"}\n");
}

static void
test_what_is_removed_has_a_line(void **state)
{
    fixture *f = *state;
    ask(f, "DELETE", "/api/v1/recordings/" D, SHOP, "", 404); // says the test's server
    f->http->server.err = LP_EAGAIN;
    ask(f, "DELETE", "/api/v1/recordings/" D, SHOP, "", 409);
    f->http->server.err = LP_OK;
    ask(f, "DELETE", "/api/v1/recordings/" D, SHOP, "", 204);
    ask(f, "DELETE", "/api/v1/recordings/" D, SHOP, "", 204); // never held to be a repetition
    expect(f, "{\"event\":\"delete\",\"identity\":\"shop\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n"
              "{\"event\":\"delete\",\"identity\":\"shop\",\"recording\":\"" D
              "\",\"service\":\"shop\"}\n");
}

// The removal goes on while the collector stops; its outcome is not known.
static void
test_a_removal_that_nobody_waits_for_has_a_line(void **state)
{
    fixture *f = *state;
    fake_server *server = &f->http->server;
    int fd = http_client_connect(f->http->port);
    server->is_held = true;
    http_client_send(fd, "DELETE /api/v1/recordings/" D " HTTP/1.1\r\nHost: x\r\n"
                         "Authorization: Bearer " SHOP "\r\n\r\n");
    (void)pthread_mutex_lock(&server->mutex);
    while (server->held_count == 0) { // ctest's time limit ends it
        (void)pthread_cond_wait(&server->is_asked, &server->mutex);
    }
    (void)pthread_mutex_unlock(&server->mutex);
    http_server_stop(f->http->http);
    f->http->http = NULL;
    assert_int_equal(close(fd), 0);
    http_fixture_release(f->http);
    expect(f, "{\"event\":\"delete\",\"identity\":\"shop\",\"recording\":\"" D
              "\",\"service\":\"shop\",\"why\":\"requested; the collector stopped before "
              "the outcome was known\"}\n");
}

static void
test_who_is_refused_has_a_line(void **state)
{
    fixture *f = *state;
    ask(f, "GET", "/api/v1/recordings", NULL, "", 401); // as browsers do at first
    for (int i = 0; i < 10; i++) {
        ask(f, "GET", "/api/v1/recordings", "a-token-that-nobody-knows", "", 401);
    }
    ask(f, "GET", "/metrics", SHOP, "", 403);
    ask(f, "GET", "/api/v1/recordings/" E ".jfr", SHOP, "", 404);
    ask(f, "DELETE", "/api/v1/recordings/" E, OPS, "", 403);
    expect(f,
        "{\"event\":\"refused\",\"path\":\"/api/v1/recordings\",\"why\":\"unknown token\"}\n"
        "{\"event\":\"refused\",\"identity\":\"shop\",\"path\":\"/metrics\",\"why\":\"the token of "
        "'shop' does not allow reading all services\"}\n"
        "{\"event\":\"refused\",\"identity\":\"shop\",\"path\":\"/api/v1/recordings/" E
        ".jfr\",\"why\":\"a recording of a service it may not read\"}\n"
        "{\"event\":\"refused\",\"identity\":\"ops\",\"path\":\"/api/v1/recordings/" E
        "\",\"why\":\"the token of 'ops' does not allow removing recordings of this service\"}\n");
}

// An unknown caller cannot add lines by varying its requests.
static void
test_a_stranger_has_a_line_for_each_reason(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 50; i++) {
        char path[100];
        (void)snprintf(path, sizeof(path), "/api/v1/traces/%d", i);
        ask(f, "GET", path, "a-token-that-nobody-knows", "", 401);
    }
    for (int i = 0; i < 50; i++) {
        ask(f, "GET", "/api/v1/login", "another-one-that-nobody-knows", "", 401);
    }
    ask(f, "GET", "/metrics", SHOP, "", 403);
    expect(f,
        "{\"event\":\"refused\",\"path\":\"/api/v1/traces/0\",\"why\":\"unknown token\"}\n"
        "{\"event\":\"refused\",\"identity\":\"shop\",\"path\":\"/metrics\",\"why\":\"the token of "
        "'shop' does not allow reading all services\"}\n");
}

static void
test_where_nobody_is_asked_the_identity_is_null(void **state)
{
    fixture *f = *state;
    http_fixture_serve(f->http, NULL, false);
    ask(f, "GET", "/api/v1/recordings/" E ".jfr", NULL, "", 200);
    expect(f, "{\"event\":\"download\",\"identity\":null,\"recording\":\"" E
              "\",\"service\":\"bank\"}\n");
}

static void
test_what_others_name_is_no_line_of_its_own(void **state)
{
    fixture *f = *state;
    ask(f, "GET", "/api/v1/contexts?service=%22%7D%0A%7B%22event%22%3A%22login", OPS, "", 200);
    ask(f, "GET", "/api/v1/contexts?service=%ff", OPS, "", 200);
    char path[2000] = "/api/v1/traces/";
    memset(path + strlen(path), 'x', 1000);
    ask(f, "GET", path, SHOP, "", 200);
    char expected[4000];
    (void)snprintf(expected, sizeof(expected),
        "{\"event\":\"question\",\"identity\":\"ops\",\"service\":\"\\\"}\\n{\\\"event\\\":"
        "\\\"login\","
        "\"path\":\"/api/v1/contexts\"}\n"
        "{\"event\":\"question\",\"identity\":\"ops\",\"service\":\"?\",\"path\":\"/api/v1/"
        "contexts\"}\n"
        "{\"event\":\"question\",\"identity\":\"shop\",\"path\":\"%.*s...\"}\n",
        HTTP_AUDIT_TEXT_BYTES_MAX, path);
    expect(f, expected);
}

// --- Many at the same time

static void
get(void *arg, const char *path, const char *token)
{
    const fixture *f = arg;
    char headers[100];
    (void)snprintf(headers, sizeof(headers), "Authorization: Bearer %s\r\n", token);
    http_answer answer = http_client_ask(f->http->port, "GET", path, headers);
    http_answer_fini(&answer);
}

#define GET(name, path, token)                                                                     \
    static void name(void *arg, unsigned round)                                                    \
    {                                                                                              \
        (void)round;                                                                               \
        get(arg, path, token);                                                                     \
    }
GET(get_about, "/api/v1/collector", OPS)
GET(get_list, "/api/v1/recordings", OPS)
GET(get_one, "/api/v1/recordings/" A, OPS)
GET(get_file, "/api/v1/recordings/" D ".jfr", OPS)
GET(get_refused, "/api/v1/recordings/" E, SHOP)
#undef GET

// ThreadSanitizer reports a catalog that threads use without its lock.
static void
test_threads_share_the_catalog(void **state)
{
    fixture *f = *state;
    contend(f, get_about, get_list, get_one, get_file, get_refused);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_read_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists_and_statistics_have_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_download_in_ranges_is_one_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_removed_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_removal_that_nobody_waits_for_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who_is_refused_has_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_stranger_has_a_line_for_each_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_where_nobody_is_asked_the_identity_is_null, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_what_others_name_is_no_line_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads_share_the_catalog, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("http_audit", tests, NULL, NULL);
}
