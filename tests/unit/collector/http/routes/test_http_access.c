// SPDX-License-Identifier: Apache-2.0

// Access rights over HTTP. The store has a recording of shop and one of bank, with statistics. The
// test requests each route with tokens that may read one of them, both or none. It compares the
// answer for a reader of one service with that for a reader of all services who filters by that
// service.

#include "unit/collector/ask/ask_fixture.h"

#include "collector/ask/work/ask_hits.h"
#include "collector/base/metrics.h"
#include "collector/http/routes/http_access.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_ids.h"
#include "common/rollup/rollup.h"
#include "common/rollup/rollup_id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

// Tokens, and their hashes as sha256sum has them.
#define SHOP  "0123456789abcdef"
#define OPS   "fedcba9876543210"
#define AGENT "agent-agent-agent"
static const char rules[] =
    "shop read,admin shop "
    "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n"
    "ops read * sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843\n"
    "agent ingest * sha256:1dbfead23a2911f700d9092d86608d4073d4e8d6c402c4fd57b56d6fbdff52f5\n";

#define A    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" // of shop
#define B    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" // of bank
#define D    "dddddddddddddddddddddddddddddddd" // of shop, with a file
#define E    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" // of bank, with a file
#define C    "cccccccccccccccccccccccccccccccc" // is not there
#define TIME "from=2026-01-02T03:00:00Z&to=2026-01-02T05:00:00Z"

typedef struct fixture {
    http_fixture *http;
    char path[300];
    access_file *access;
} fixture;

// store_sums stores a chunk of the session that has statistics.
static void
store_sums(const http_fixture *f, catalog_session *session)
{
    rollup contexts;
    rollup_init(&contexts);
    rollup_type *type = rollup_add_type(&contexts, session->service);
    assert_non_null(type);
    histogram_add(&type->numbers.all, &contexts.arena, 100);
    lp_buf bytes = {0};
    ask_fixture_make_chunk(&bytes, session->start_wall_ns, NULL, 0);
    ask_fixture_store_bytes(f, session, session->start_wall_ns, bytes, &contexts);
    rollup_fini(&contexts);
}

// store_file stores a recording that can be downloaded.
static void
store_file(http_fixture *f, char digit, const char *service)
{
    catalog_session session = http_fixture_session(digit, service);
    lp_buf bytes = {0};
    http_fixture_make_chunk(&bytes, 1000, 1);
    http_fixture_store(f, &session, lp_buf_slice(&bytes), "{}");
    lp_buf_fini(&bytes);
}

static int
set_up(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_int_equal(http_fixture_setup((void **)&f->http), 0);
    (void)ask_fixture_put_two(f->http);
    catalog_session a = http_fixture_session('a', "shop");
    catalog_session b = http_fixture_session('b', "bank");
    a.next_chunk = b.next_chunk = 1;
    a.version = b.version = (char *)(uintptr_t) "7";
    store_sums(f->http, &a);
    store_sums(f->http, &b);
    store_file(f->http, 'd', "shop");
    store_file(f->http, 'e', "bank");
    (void)snprintf(f->path, sizeof(f->path), "%s/tokens", f->http->dir.path);
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(access_file_open(f->path, false, &f->access, NULL), LP_OK);
    http_fixture_serve(f->http, f->access, false);
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    assert_int_equal(http_fixture_teardown((void **)&f->http), 0);
    access_file_close(f->access);
    free(f);
    return 0;
}

// ask sends a request with a token; NULL: without.
static http_answer
ask(const fixture *f, const char *method, const char *path, const char *token)
{
    char header[200] = "";
    if (token != NULL) {
        (void)snprintf(header, sizeof(header), "Authorization: Bearer %s\r\n", token);
    }
    return http_client_ask(f->http->port, method, path, header);
}

static void
expect(const fixture *f, const char *method, const char *path, const char *token, int status)
{
    http_answer answer = ask(f, method, path, token);
    if (answer.status != status) {
        fail_msg("%s %s by %s: %d, not %d: %s", method, path, token == NULL ? "nobody" : token,
            answer.status, status, (const char *)answer.body.ptr);
    }
    if (status == 401) {
        assert_string_equal(
            http_client_find_header(&answer, "WWW-Authenticate"), "Bearer realm=\"loupe\"");
    }
    http_answer_fini(&answer);
}

static void
test_each_route_asks_for_its_right(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *method;
        const char *path;
        int nobody, agent, shop, ops;
    } cases[] = {
        {"GET", "/healthz", 200, 200, 200, 200},
        {"GET", "/", 200, 200, 200, 200}, // the page has nothing of anybody's in it
        {"GET", "/there/is/nothing", 404, 404, 404, 404},
        {"GET", "/metrics", 401, 403, 403, 200},
        {"GET", "/api/v1/collector", 401, 403, 200, 200},
        {"GET", "/api/v1/recordings", 401, 403, 200, 200},
        {"GET", "/api/v1/recordings/" A, 401, 404, 200, 200},
        {"GET", "/api/v1/recordings/" B, 401, 404, 404, 200},
        {"GET", "/api/v1/recordings/" C, 401, 404, 404, 404},
        {"GET", "/api/v1/recordings/" D ".jfr", 401, 404, 200, 200},
        {"GET", "/api/v1/recordings/" E ".jfr", 401, 404, 404, 200},
        {"HEAD", "/api/v1/recordings/" E ".jfr", 401, 404, 404, 200},
        {"GET", "/api/v1/policies", 401, 403, 200, 200},
        {"GET", "/api/v1/policies/shop", 401, 403, 200, 200},
        {"GET", "/api/v1/policies/bank", 401, 403, 403, 200},
        {"GET", "/api/v1/policies/default", 401, 403, 200, 200},
        {"GET", "/api/v1/contexts?" TIME, 401, 403, 200, 200},
        {"GET", "/api/v1/services?" TIME, 401, 403, 200, 200},
        {"GET", "/api/v1/versions?service=shop&" TIME, 401, 403, 200, 200},
        {"GET", "/api/v1/traces/one", 401, 403, 200, 200},
        {"DELETE", "/api/v1/recordings/" B, 401, 404, 404, 403},
        {"DELETE", "/api/v1/recordings/" C, 401, 404, 404, 404},
        {"POST", "/api/v1/recordings/" B, 401, 404, 404, 405},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect(f, cases[i].method, cases[i].path, NULL, cases[i].nobody);
        expect(f, cases[i].method, cases[i].path, "no-such-token-is-known", cases[i].nobody);
        expect(f, cases[i].method, cases[i].path, AGENT, cases[i].agent);
        expect(f, cases[i].method, cases[i].path, SHOP, cases[i].shop);
        expect(f, cases[i].method, cases[i].path, OPS, cases[i].ops);
    }
}

// The test's server does not remove anything: it says that there is no such recording, where it was
// asked.
static void
test_who_may_remove_is_asked_by_token(void **state)
{
    const fixture *f = *state;
    http_answer answer = ask(f, "DELETE", "/api/v1/recordings/" A, OPS);
    assert_int_equal(answer.status, 403);
    assert_non_null(strstr((const char *)answer.body.ptr, "the token of 'ops' does not allow"));
    http_answer_fini(&answer);
    f->http->server.err = LP_OK;
    expect(f, "DELETE", "/api/v1/recordings/" A, SHOP, 204);
    expect(f, "DELETE", "/api/v1/recordings/" B, SHOP, 404);
}

static void
test_what_is_no_bearer_token_is_none(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *header;
        int status;
    } cases[] = {
        {"Authorization: bearer   " OPS " \r\n", 200},
        {"Authorization: Bearer\r\n", 401},
        {"Authorization: Bearer \r\n", 401},
        {"Authorization: Basic " OPS "\r\n", 401},
        {"Authorization: " OPS "\r\n", 401},
        {"Authorization: Bearer " OPS "0\r\n", 401},
        {"Authorization: Bearer fedcba987654321\r\n", 401},
        {"X-Authorization: Bearer " OPS "\r\n", 401},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_answer answer =
            http_client_ask(f->http->port, "GET", "/api/v1/collector", cases[i].header);
        if (answer.status != cases[i].status) {
            fail_msg("%s: %d", cases[i].header, answer.status);
        }
        http_answer_fini(&answer);
    }
}

static json_t *
take_json(const fixture *f, const char *path, const char *token)
{
    http_answer answer = ask(f, "GET", path, token);
    if (answer.status != 200) {
        fail_msg("%s: %d: %s", path, answer.status, (const char *)answer.body.ptr);
    }
    return ask_fixture_take_json(&answer, 200);
}

static bool
says(const json_t *json, const char *what)
{
    char *text = json_dumps(json, JSON_COMPACT);
    bool is_there = strstr(text, what) != NULL;
    free(text);
    return is_there;
}

static void
test_lists_have_what_may_be_read(void **state)
{
    const fixture *f = *state;
    static const char *const paths[] = {"/api/v1/recordings?" TIME, "/api/v1/contexts?" TIME,
        "/api/v1/events/types?" TIME, "/api/v1/accounting?" TIME, "/api/v1/contexts/types?" TIME,
        "/api/v1/contexts/heatmap?" TIME, "/api/v1/why?" TIME, "/api/v1/flamegraph?" TIME,
        "/api/v1/timeline?width=8&" TIME, "/api/v1/attributes?" TIME, "/api/v1/services?" TIME,
        "/api/v1/events?event=jdk.JavaMonitorEnter&" TIME};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        bool is_services = strncmp(paths[i], "/api/v1/services", 16) == 0;
        char narrowed[300];
        (void)snprintf(
            narrowed, sizeof(narrowed), "%s%s", paths[i], is_services ? "" : "&service=shop");
        json_t *all = take_json(f, paths[i], OPS);
        json_t *own = take_json(f, paths[i], SHOP);
        json_t *of_shop = take_json(f, narrowed, OPS);
        if (says(own, "bank") || says(own, B) || says(own, E) ||
            (!is_services && !json_equal(own, of_shop))) {
            char *text = json_dumps(own, JSON_COMPACT);
            char *other = json_dumps(of_shop, JSON_COMPACT);
            fail_msg("%s: %s, not %s", paths[i], text, other);
        }
        assert_false(is_services && (!says(own, "shop") || !says(all, "bank")));
        json_decref(all);
        json_decref(own);
        json_decref(of_shop);
    }
    json_t *all = take_json(f, "/api/v1/recordings", OPS);
    assert_true(says(all, A) && says(all, B) && says(all, E));
    json_decref(all);
}

static void
test_another_s_contexts_are_not_there(void **state)
{
    const fixture *f = *state;
    static const struct {
        const char *path;
        int shop;
    } cases[] = {
        {"/api/v1/contexts?recording=" B "&" TIME, 200},
        {"/api/v1/contexts?service=bank&" TIME, 200},
        {"/api/v1/contexts/heatmap?recording=" B "&" TIME, 200},
        {"/api/v1/contexts/heatmap?service=bank&" TIME, 200},
        {"/api/v1/accounting?recording=" B "&" TIME, 200},
        {"/api/v1/versions?service=bank&" TIME, 200},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char missing[300];
        const char *at = strstr(cases[i].path, "bank");
        at = at == NULL ? strstr(cases[i].path, B) : at;
        (void)snprintf(missing, sizeof(missing), "%.*s%s%s", (int)(at - cases[i].path),
            cases[i].path, at[0] == 'b' && at[1] == 'a' ? "none" : C, at + (at[1] == 'a' ? 4 : 32));
        json_t *own = take_json(f, cases[i].path, SHOP);
        json_t *none = take_json(f, missing, SHOP);
        if (!json_equal(own, none)) { // as if it were not there
            char *text = json_dumps(own, JSON_COMPACT);
            char *other = json_dumps(none, JSON_COMPACT);
            fail_msg("%s: %s, not %s", cases[i].path, text, other);
        }
        json_decref(own);
        json_decref(none);
    }
}

// call_tool sends a tool call with a token and more headers. Returns the JSON of the answer.
static json_t *
call_tool(const fixture *f, const char *token, const char *more, const char *call, int status)
{
    char request[2048];
    int fd = http_client_connect(f->http->port);
    (void)snprintf(request, sizeof(request),
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s%s%sContent-Length: "
        "%zu\r\n\r\n%s",
        token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
        token == NULL ? "" : "\r\n", more, strlen(call), call);
    http_client_send(fd, request);
    http_answer answer = http_client_receive(fd, false);
    (void)close(fd);
    return ask_fixture_take_json(&answer, status);
}

#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"

static void
test_tools_show_what_may_be_read(void **state)
{
    const fixture *f = *state;
    static const char *const calls[] = {
        CALL "\"services\",\"arguments\":{\"from\":\"2026-01-02T03:00:00Z\",\"to\":\"2026-01-02T05:"
             "00:00Z\"}}}",
        CALL
        "\"attributes\",\"arguments\":{\"unit\":\"contexts\",\"from\":\"2026-01-02T03:00:00Z\"}}}",
        CALL "\"trace\",\"arguments\":{\"id\":\"three\"}}}",
        CALL "\"slow_requests\",\"arguments\":{\"recording\":\"" B "\"}}}",
    };
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        json_t *all = call_tool(f, OPS, "", calls[i], 200);
        json_t *own = call_tool(f, SHOP, "", calls[i], 200);
        json_t *answer = json_object_get(json_object_get(own, "result"), "structuredContent");
        assert_non_null(answer);
        if (says(json_object_get(answer, "answer"), "bank") ||
            says(json_object_get(answer, "answer"), B)) {
            fail_msg("%s: %s", calls[i], json_dumps(own, JSON_COMPACT));
        }
        assert_true(i == 3 || !json_equal(all, own)); // 3: no requests there
        json_decref(all);
        json_decref(own);
    }
    json_decref(call_tool(f, NULL, "", calls[0], 401));
    json_decref(call_tool(f, AGENT, "", calls[0], 403));
    json_decref(call_tool(f, NULL, "Origin: http://evil.example\r\n", calls[0], 403));
    expect(f, "GET", "/mcp", OPS, 405);
}

static void
test_refusals_are_counted(void **state)
{
    const fixture *f = *state;
    uint64_t before = metrics_get(METRICS_logins_failed_http);
    expect(f, "GET", "/api/v1/recordings", NULL, 401); // as browsers do at first
    assert_int_equal(metrics_get(METRICS_logins_failed_http), before);
    expect(f, "GET", "/api/v1/recordings", "no-such-token-is-known", 401);
    expect(f, "GET", "/metrics", SHOP, 403);
    assert_int_equal(metrics_get(METRICS_logins_failed_http), before + 2);
}

static void
test_which_hosts_are_this_machine(void **state)
{
    (void)state;
    static const struct {
        const char *host;
        bool is_local;
    } cases[] = {
        {"localhost", true},
        {"LocalHost:7412", true},
        {"loupe.localhost:1", true},
        {"127.0.0.1", true},
        {"127.0.0.1:7412", true},
        {"127.1.2.3:7412", true},
        {"[::1]", true},
        {"[::1]:7412", true},
        {"collector.internal:80", true}, // the listening address
        {"", false},
        {":7412", false},
        {"evil.example", false},
        {"evil.example:7412", false},
        {"localhost.evil.example", false},
        {"notlocalhost", false},
        {"127.0.0.1.evil.example", false},
        {"192.0.2.1:7412", false},
        {"0.0.0.0:7412", false},
        {"[2001:db8::1]:7412", false},
        {"[::1].evil.example", false},
        {"[::1", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (http_access_is_host_local(cases[i].host, "collector.internal:7412") !=
            cases[i].is_local) {
            fail_msg("'%s'", cases[i].host);
        }
    }
}

typedef struct host_case {
    const char *request;
    int status;
} host_case;

static void
assert_statuses(const fixture *f, const host_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int fd = http_client_connect(f->http->port);
        http_client_send(fd, cases[i].request);
        http_answer answer = http_client_receive(fd, false);
        if (answer.status != cases[i].status) {
            fail_msg("%s: %d", cases[i].request, answer.status);
        }
        http_answer_fini(&answer);
        (void)close(fd);
    }
}

// A page of elsewhere whose name was made to lead here.
static void
test_a_foreign_host_is_refused_on_loopback(void **state)
{
    const fixture *f = *state;
    http_fixture_serve(f->http, NULL, true);
    static const host_case cases[] = {
        {"GET /api/v1/recordings HTTP/1.1\r\nHost: evil.example:7412\r\n\r\n", 421},
        {"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
        {"DELETE /api/v1/recordings/" A " HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
        {"GET /api/v1/recordings HTTP/1.1\r\nHost: 127.0.0.1:7412\r\n\r\n", 200},
        {"GET /api/v1/recordings HTTP/1.1\r\nHost: localhost\r\n\r\n", 200},
    };
    assert_statuses(f, cases, sizeof(cases) / sizeof(cases[0]));
}

// Where all may read by any name, a browser on this machine still removes nothing for others.
static void
test_a_removal_needs_this_machine_s_name(void **state)
{
    const fixture *f = *state;
    http_fixture_serve(f->http, NULL, false);
    static const host_case cases[] = {
        {"GET /api/v1/recordings HTTP/1.1\r\nHost: loupe.example\r\n\r\n", 200},
        {"DELETE /api/v1/recordings/" A " HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
        {"DELETE /api/v1/recordings/" C " HTTP/1.1\r\nHost: localhost\r\n\r\n", 404},
    };
    assert_statuses(f, cases, sizeof(cases) / sizeof(cases[0]));
}

// put_hits has the index say that the first chunks of a recording have an id.
static void
put_hits(const fixture *f, const char *recording, uint32_t count, uint64_t hash)
{
    const int64_t start_wall_ns = http_fixture_session('a', "shop").start_wall_ns;
    const rollup_ids ids = {.kept = {.items = &hash, .count = 1}};
    assert_int_equal(catalog_db_begin(f->http->catalog), LP_OK);
    for (uint32_t i = 0; i < count; i++) {
        const catalog_chunk chunk = {.ordinal = i,
            .start_wall_ns = start_wall_ns,
            .ids = id_index_note(f->http->ids, start_wall_ns, &ids, 0)};
        assert_int_equal(catalog_ids_put(f->http->catalog, recording, &chunk), LP_OK);
    }
    assert_int_equal(catalog_db_end(f->http->catalog, LP_OK), LP_OK);
}

// expect_hit asks for the trace, which one context of shop has.
static void
expect_hit(const fixture *f, const char *token, bool is_whole)
{
    http_answer answer = ask(f, "GET", "/api/v1/traces/one", token);
    json_t *json = ask_fixture_take_json(&answer, 200);
    const json_t *searched = json_object_get(json, "searched");
    assert_int_equal(json_is_true(json_object_get(searched, "is_whole")), is_whole);
    assert_int_equal(json_is_true(json_object_get(json, "is_truncated")), !is_whole);
    assert_int_equal(json_array_size(json_object_get(json, "rows")), 1);
    json_decref(json);
}

static void
test_hits_of_others_neither_show_nor_hide_any(void **state)
{
    const fixture *f = *state;
    uint64_t hash;
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)"one", 3}, &hash));
    put_hits(f, A, 1, hash);
    put_hits(f, B, ASK_HITS_MAX, hash);
    expect_hit(f, SHOP, true);
    expect_hit(f, OPS, false); // a reader of all services gets the limit
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_route_asks_for_its_right, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_who_may_remove_is_asked_by_token, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_bearer_token_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists_have_what_may_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_s_contexts_are_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tools_show_what_may_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals_are_counted, set_up, tear_down),
        cmocka_unit_test(test_which_hosts_are_this_machine),
        cmocka_unit_test_setup_teardown(
            test_a_foreign_host_is_refused_on_loopback, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_removal_needs_this_machine_s_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_hits_of_others_neither_show_nor_hide_any, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("http_access", tests, NULL, NULL);
}
