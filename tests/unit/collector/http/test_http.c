// SPDX-License-Identifier: Apache-2.0
// The HTTP API: statuses, methods, filters and the JSON of recordings, against a server on a port
// of its own. Downloads are in test_http_download.c.

#include "http_client.h"
#include "http_fixture.h"

#include "collector/base/metrics.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static const char types_json[] = "{\"a.A\":{\"in\":10,\"out\":4,\"bytes_in\":100,\"bytes_out\":40,"
                                 "\"dropped\":{\"select\":4,\"threshold\":2}},"
                                 "\"b.B\":{\"in\":1,\"out\":0,\"bytes_in\":7,\"bytes_out\":0}}";

// ask_json gets path, expects status, and gives the body.
static json_t *
ask_json(const http_fixture *f, const char *path, int status)
{
    http_answer answer = http_client_ask(f->port, "GET", path, "");
    assert_int_equal(answer.status, status);
    assert_true(answer.is_complete);
    assert_string_equal(http_client_find_header(&answer, "Content-Type"), "application/json");
    json_t *json = json_loadb((const char *)answer.body.ptr, answer.body.len, 0, NULL);
    assert_non_null(json);
    http_answer_fini(&answer);
    return json;
}

static void
assert_error(const http_fixture *f, const char *path, int status, const char *hint)
{
    json_t *json = ask_json(f, path, status);
    const char *text = json_string_value(json_object_get(json, "error"));
    assert_non_null(text);
    if (strstr(text, hint) == NULL) {
        print_error("%s: \"%s\" does not say \"%s\"\n", path, text, hint);
        fail();
    }
    json_decref(json);
}

static int64_t
number(const json_t *json, const char *key)
{
    assert_true(json_is_integer(json_object_get(json, key)));
    return json_integer_value(json_object_get(json, key));
}

static const char *
text(const json_t *json, const char *key)
{
    assert_true(json_is_string(json_object_get(json, key)));
    return json_string_value(json_object_get(json, key));
}

static void
expect_header(const http_answer *answer, const char *name, const char *value, const char *what)
{
    const char *found = http_client_find_header(answer, name);
    if (found == NULL || strcmp(found, value) != 0) {
        fail_msg("%s: %s: %s", what, name, found == NULL ? "none" : found);
    }
}

static void
test_health_and_readiness(void **state)
{
    http_fixture *f = *state;
    json_t *json = ask_json(f, "/healthz", 200);
    assert_string_equal(text(json, "status"), "alive");
    json_decref(json);
    assert_error(f, "/readyz", 503, "try again later");
    http_server_set_ready(f->http, true);
    json = ask_json(f, "/readyz", 200);
    assert_string_equal(text(json, "status"), "ready");
    json_decref(json);
    http_server_set_ready(f->http, false);
    http_answer answer = http_client_ask(f->port, "GET", "/readyz", "");
    assert_int_equal(answer.status, 503);
    assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
    http_answer_fini(&answer);
}

static void
test_the_collector_says_where_it_is(void **state)
{
    http_fixture *f = *state;
    json_t *json = ask_json(f, "/api/v1/collector", 200);
    assert_true(json_is_null(json_object_get(json, "agents")));
    assert_true(json_is_null(json_object_get(json, "data_start")));
    assert_true(json_is_null(json_object_get(json, "data_start_ns")));
    assert_true(json_is_null(json_object_get(json, "trace_link")));
    assert_true(json_is_null(json_object_get(json, "source_link")));
    json_decref(json);
    catalog_session later = http_fixture_session('a', "shop");
    catalog_session first = http_fixture_session('b', "shop");
    later.start_wall_ns += 1;
    http_fixture_put(f, &later);
    http_fixture_put(f, &first);
    assert_int_equal(http_server_set_agents(f->http, "tcp://127.0.0.1:7411"), LP_OK);
    json = ask_json(f, "/api/v1/collector", 200);
    assert_string_equal(text(json, "agents"), "tcp://127.0.0.1:7411");
    assert_string_equal(text(json, "data_start"), "2026-01-02T03:04:05.123456789Z");
    assert_string_equal(text(json, "data_start_ns"), "1767323045123456789");
    assert_true(strlen(text(json, "version")) > 0);
    assert_true(strcmp(text(json, "start_ns"), text(json, "now_ns")) <= 0); // as many digits
    assert_true(strcmp(text(json, "start"), text(json, "now")) <= 0);
    json_decref(json);
}

static void
test_the_collector_says_where_links_lead(void **state)
{
    http_fixture *f = *state;
    f->links = (http_links){
        .trace = "http://tempo/{trace_id}", .source = "https://git/{x}/{path}.java#L{line}"};
    http_fixture_serve(f, NULL, false);
    json_t *json = ask_json(f, "/api/v1/collector", 200);
    assert_string_equal(text(json, "trace_link"), f->links.trace);
    assert_string_equal(text(json, "source_link"), f->links.source);
    json_decref(json);
}

static void
test_what_is_no_link_is_refused(void **state)
{
    (void)state;
    static char longer[HTTP_LINKS_BYTES_MAX + 2];
    (void)memset(longer, 'a', sizeof(longer) - 1);
    const struct {
        http_links links;
        lp_err err;
    } cases[] = {
        {{0}, LP_OK},
        {{.trace = "https://tempo/{trace_id}"}, LP_OK},
        {{.trace = "https://tempo/"}, LP_ECORRUPT},
        {{.trace = "javascript:alert('{trace_id}')"}, LP_ECORRUPT},
        {{.trace = "/trace/{trace_id}"}, LP_ECORRUPT},
        {{.trace = "https://tempo/ {trace_id}"}, LP_ECORRUPT},
        {{.trace = "https://tempo/\x7f{trace_id}"}, LP_ECORRUPT},
        {{.trace = "https://tempo/\xc3\xa4/{trace_id}"}, LP_ECORRUPT},
        {{.trace = ""}, LP_ECORRUPT},
        {{.trace = longer}, LP_ELIMIT},
        {{.source = "https://git/{path}"}, LP_OK},
        {{.source = "https://git/{trace_id}"}, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_problem problem;
        assert_int_equal(http_links_check(&cases[i].links, &problem), cases[i].err);
    }
}

static void
test_unknown_paths(void **state)
{
    static const char *const paths[] = {"/index.htm", "/s/", "/api", "/api/v1",
        "/api/v1/recordings/", "/api/v2/recordings", "/metrics/", "//metrics",
        "/api/v1/recordings/a/b", "/api/v1/recordings/../../../etc/passwd"};
    const http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_error(f, paths[i], 404, "not found: the page is at /");
    }
}

#define RECORDINGS "/api/v1/recordings"
#define STORED     RECORDINGS "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define UNKNOWN    RECORDINGS "/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void
test_no_answer_is_for_others(void **state)
{
    static const struct {
        const char *method;
        const char *path;
        const char *headers;
        int status;
        const char *caches;
    } cases[] = {
        {"GET", "/", "", 200, "no-cache"},
        {"GET", "/", "If-None-Match: *\r\n", 304, "no-cache"},
        {"GET", "/healthz", "", 200, "no-store"},
        {"GET", "/readyz", "", 503, "no-store"},
        {"GET", "/metrics", "", 200, "no-store"},
        {"GET", RECORDINGS, "", 200, "no-store"},
        {"GET", STORED, "", 200, "no-store"},
        {"GET", "/api/v1/contexts/types", "", 200, "no-store"},
        {"GET", "/api/v1/contexts?limit=x", "", 400, "no-store"},
        {"GET", "/there/is/nothing", "", 404, "no-store"},
        {"POST", "/metrics", "", 405, "no-store"},
        {"GET", "/healthz", "Host: y\r\n", 400, "no-store"}, // the second one
        {"GET", STORED ".jfr", "", 200, "private, no-cache"},
        {"HEAD", STORED ".jfr", "", 200, "private, no-cache"},
        {"GET", STORED ".jfr", "Range: bytes=0-9\r\n", 206, "private, no-cache"},
        {"GET", STORED ".jfr", "Range: bytes=999-\r\n", 416, "private, no-cache"},
        {"GET", STORED ".jfr", "If-None-Match: *\r\n", 304, "private, no-cache"},
        {"GET", UNKNOWN ".jfr", "", 404, "no-store"},
    };
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    lp_buf bytes = {0};
    http_fixture_make_chunk(&bytes, 100, 1);
    http_fixture_store(f, &session, lp_buf_slice(&bytes), "{}");
    lp_buf_fini(&bytes);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_answer answer =
            http_client_ask(f->port, cases[i].method, cases[i].path, cases[i].headers);
        if (answer.status != cases[i].status) {
            fail_msg("%s %s: %d", cases[i].path, cases[i].headers, answer.status);
        }
        expect_header(&answer, "Cache-Control", cases[i].caches, cases[i].path);
        expect_header(&answer, "X-Content-Type-Options", "nosniff", cases[i].path);
        http_answer_fini(&answer);
    }
    f->server.has_no_memory = true;
    http_answer answer = http_client_ask(f->port, "GET", STORED ".jfr", "");
    assert_int_equal(answer.status, 503);
    expect_header(&answer, "Cache-Control", "no-store", "out of memory");
    expect_header(&answer, "X-Content-Type-Options", "nosniff", "out of memory");
    http_answer_fini(&answer);
}

static void
test_recordings_are_removed(void **state)
{
    http_fixture *f = *state;
    const struct {
        lp_err err;
        int status;
    } cases[] = {
        {LP_OK, 204}, {LP_ENOENT, 404}, {LP_EAGAIN, 409}, {LP_ECLOSED, 503}, {LP_EIO, 500}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        f->server.err = cases[i].err;
        http_answer answer = http_client_ask(
            f->port, "DELETE", "/api/v1/recordings/00000000000000000000000000000000", "");
        assert_int_equal(answer.status, cases[i].status);
        http_answer_fini(&answer);
    }
    http_answer answer = http_client_ask(f->port, "DELETE", "/api/v1/recordings/zero", "");
    assert_int_equal(answer.status, 404);
    http_answer_fini(&answer);
}

static void
test_other_methods_are_refused(void **state)
{
    static const char *const methods[] = {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "GETX"};
    static const char *const paths[] = {"/api/v1/recordings", "/metrics", "/healthz", "/readyz",
        "/", "/page.js", "/s/checkout", "/api/v1/recordings/00000000000000000000000000000000.jfr"};
    const http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        for (size_t k = 0; k < sizeof(paths) / sizeof(paths[0]); k++) {
            http_answer answer = http_client_ask(f->port, methods[i], paths[k], "");
            assert_int_equal(answer.status, 405);
            assert_string_equal(http_client_find_header(&answer, "Allow"), "GET, HEAD");
            assert_non_null(strstr((const char *)answer.body.ptr, methods[i]));
            http_answer_fini(&answer);
        }
    }
    http_answer other =
        http_client_ask(f->port, "PUT", "/api/v1/recordings/00000000000000000000000000000000", "");
    assert_int_equal(other.status, 405);
    assert_string_equal(http_client_find_header(&other, "Allow"), "GET, HEAD, DELETE");
    http_answer_fini(&other);
    int fd = http_client_connect(f->port);
    http_client_send(fd, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                         "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, 405);
    http_answer_fini(&answer);
    answer = http_client_receive(fd, false); // the body was taken off the connection
    assert_int_equal(answer.status, 200);
    http_answer_fini(&answer);
    assert_int_equal(close(fd), 0);
}

static void
test_head_is_get_without_a_body(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    static const char *const paths[] = {"/api/v1/recordings",
        "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "/healthz", "/nothing"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        http_answer got = http_client_ask(f->port, "GET", paths[i], "");
        http_answer head = http_client_ask(f->port, "HEAD", paths[i], "");
        assert_int_equal(head.status, got.status);
        char length[32];
        (void)snprintf(length, sizeof(length), "%zu", got.body.len);
        assert_string_equal(http_client_find_header(&head, "Content-Length"), length);
        assert_int_equal(head.body.len, 0);
        http_answer_fini(&got);
        http_answer_fini(&head);
    }
}

static uint64_t
metric(const http_fixture *f, const char *name)
{
    char line[128];
    http_answer answer = http_client_ask(f->port, "GET", "/metrics", "");
    assert_int_equal(answer.status, 200);
    (void)snprintf(line, sizeof(line), "\n%s ", name);
    const char *at = strstr((const char *)answer.body.ptr, line);
    assert_non_null(at);
    uint64_t value = strtoull(at + strlen(line), NULL, 10);
    http_answer_fini(&answer);
    return value;
}

static void
test_metrics_are_in_the_text_format(void **state)
{
    const http_fixture *f = *state;
    http_answer answer = http_client_ask(f->port, "GET", "/metrics", "");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Content-Type"),
        "text/plain; version=0.0.4; charset=utf-8");
    char *rest = (char *)answer.body.ptr;
    assert_int_equal(rest[answer.body.len - 1], '\n');
    int count = 0;
    char name[3][128] = {"", "", ""};
    char type[16] = "";
    for (char *line = strsep(&rest, "\n"); line != NULL && *line != '\0';
         line = strsep(&rest, "\n"), count++) {
        unsigned long long value;
        if (line[0] == '#') { // one description for all labels of a metric
            assert_int_equal(sscanf(line, "# HELP %127s ", name[0]), 1);
            line = strsep(&rest, "\n");
            assert_int_equal(sscanf(line, "# TYPE %127s %15s", name[1], type), 2);
            line = strsep(&rest, "\n");
        }
        char label[64] = "";
        assert_true(
            sscanf(line, "%127[a-z_] %llu", name[2], &value) == 2 ||
            sscanf(line, "%127[a-z_]{%*[a-z]=%63[\"A-Za-z_-]} %llu", name[2], label, &value) == 3);
        assert_string_equal(name[0], name[1]);
        assert_string_equal(name[0], name[2]);
        assert_true(strncmp(name[0], "loupe_", 6) == 0);
        bool is_total = strcmp(name[0] + strlen(name[0]) - 6, "_total") == 0;
        assert_string_equal(type, is_total ? "counter" : "gauge");
    }
    assert_true(count > 20);
    http_answer_fini(&answer);

    answer =
        http_client_ask(f->port, "GET", "/metrics", "Accept: application/openmetrics-text\r\n");
    assert_int_equal(answer.status, 200);
    assert_string_equal(http_client_find_header(&answer, "Content-Type"),
        "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert_memory_equal(answer.body.ptr + answer.body.len - 6, "# EOF\n", 6);
    http_answer_fini(&answer);

    uint64_t lost = metric(f, "loupe_losses_total{kind=\"gap_bytes\"}");
    metrics_add(METRICS_losses_GAP_BYTES, 7);
    assert_true(metric(f, "loupe_losses_total{kind=\"gap_bytes\"}") == lost + 7);

    uint64_t refused = metric(f, "loupe_http_refused_total");
    uint64_t requests = metric(f, "loupe_http_requests_total");
    assert_error(f, "/none", 404, "not found");
    assert_true(metric(f, "loupe_http_refused_total") == refused + 1);
    assert_true(metric(f, "loupe_http_requests_total") == requests + 3);
}

// assert_lists expects the recordings whose ids are of these digits, in this order.
static void
assert_lists(const http_fixture *f, const char *query, const char *digits)
{
    char path[600];
    (void)snprintf(path, sizeof(path), "/api/v1/recordings%s", query);
    json_t *json = ask_json(f, path, 200);
    const json_t *recordings = json_object_get(json, "recordings");
    if (json_array_size(recordings) != strlen(digits)) {
        print_error("%s gives %zu recordings\n", path, json_array_size(recordings));
        fail();
    }
    for (size_t i = 0; i < strlen(digits); i++) {
        assert_int_equal(text(json_array_get(recordings, i), "id")[0], digits[i]);
    }
    assert_true(json_is_false(json_object_get(json, "is_truncated")));
    json_decref(json);
}

static void
test_lists_are_filtered(void **state)
{
    http_fixture *f = *state;
    assert_lists(f, "", "");
    catalog_session a = http_fixture_session('a', "shop"); // 03:04:05.123456789 to an hour later
    catalog_session b = http_fixture_session('b', "K\xc3\xa4se & Brot");
    b.start_wall_ns += 7200000000000;
    b.end_wall_ns = b.start_wall_ns;
    b.is_ended = false;
    http_fixture_put(f, &a);
    http_fixture_put(f, &b);
    assert_lists(f, "", "ba");
    assert_lists(f, "?", "ba");
    assert_lists(f, "?service=shop", "a");
    assert_lists(f, "?service=K%C3%A4se+%26%20Brot", "b");
    assert_lists(f, "?service=K%c3%a4se%20&instance=host:1", "");
    assert_lists(f, "?instance=host%3A1", "ba");
    assert_lists(f, "?service=shop&instance=host:1", "a");
    assert_lists(f, "?service=", "");
    assert_lists(f, "?service=%27%20OR%20%271%27=%271", "");
    assert_lists(f, "?service=shop%27--", "");
    // [from, to): `from` at the end of a still finds it, `to` at its start does not.
    assert_lists(f, "?from=2026-01-02T04:04:05.123456789Z", "ba");
    assert_lists(f, "?from=2026-01-02T04:04:05.123456790Z", "b");
    assert_lists(f, "?from=2026-01-02T05:04:05.12345679%2B01:00", "b");
    assert_lists(f, "?from=2026-01-02T05:04:05.123456789+01:00", "ba");
    assert_lists(f, "?from=2200-01-01T00:00:00Z", ""); // b goes on, but not that long
    assert_lists(f, "?to=2026-01-02T03:04:05.123456789Z", "");
    assert_lists(f, "?to=2026-01-02T03:04:05.123456790Z", "a");
    assert_lists(f, "?to=1767323045123456790", "a");
    assert_lists(f, "?to=10m", "ba"); // ago
    assert_lists(f, "?from=10m", "b");
    assert_lists(f, "?from=20m&to=600s&service=none", "");
    assert_lists(f, "?from=1767323045123456789&to=1767323045123456790&service=shop", "a");
}

static void
test_a_list_that_is_too_long_says_so(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    for (int i = 0; i <= 1000; i++) {
        (void)snprintf(session.id, sizeof(session.id), "%032x", (unsigned)i);
        session.start_wall_ns++;
        http_fixture_put(f, &session);
        json_t *json = i < 999 ? NULL : ask_json(f, "/api/v1/recordings", 200);
        if (json != NULL) {
            const json_t *recordings = json_object_get(json, "recordings");
            assert_int_equal(json_array_size(recordings), 1000);
            assert_string_equal(text(json_array_get(recordings, 0), "id"), session.id);
            assert_int_equal(json_is_true(json_object_get(json, "is_truncated")), i == 1000);
            json_decref(json);
        }
    }
}

static void
assert_session_json(const json_t *json)
{
    assert_string_equal(text(json, "id"), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_string_equal(text(json, "service"), "K\xc3\xa4se");
    assert_string_equal(text(json, "instance"), "h?st"); // was not UTF-8
    assert_string_equal(text(json, "jvm_name"), "OpenJDK 64-Bit Server VM");
    assert_string_equal(text(json, "jvm_version"), "25+36");
    assert_int_equal(number(json, "pid"), 4711);
    assert_string_equal(text(json, "start"), "2026-01-02T03:04:05.123456789Z");
    assert_int_equal(number(json, "start_ns"), 1767323045123456789);
    assert_string_equal(text(json, "end"), "2026-01-02T04:04:05.123456789Z");
    assert_int_equal(number(json, "end_ns"), 1767326645123456789);
    assert_true(json_is_true(json_object_get(json, "is_running")));
    assert_int_equal(number(json, "bytes_in"), INT64_MAX);
    const json_t *losses = json_object_get(json, "losses");
    assert_int_equal(number(losses, "contexts_dropped"), 8);
    assert_int_equal(number(losses, "context_values_cut"), 9);
    assert_int_equal(number(losses, "context_bytes_dropped"), 10);
    assert_int_equal(number(losses, "chunk_bytes_dropped"), 11);
    assert_int_equal(number(losses, "jfr_restarts"), 12);
    assert_int_equal(number(losses, "late_contexts"), 13);
    assert_int_equal(number(losses, "batches_lost"), 14);
    assert_int_equal(number(losses, "journal_bytes_lost"), 15);
    assert_int_equal(number(losses, "gap_bytes"), 16);
    assert_int_equal(number(losses, "chunks_unreadable"), 17);
    assert_int_equal(number(losses, "chunks_lost"), 18);
    assert_int_equal(number(losses, "batches_late"), 19);
    assert_int_equal(number(losses, "carries_lost"), 20);
    assert_int_equal(number(losses, "power_cuts"), 21);
    assert_int_equal(number(losses, "chunks_not_resent"), 22);
    assert_string_equal(text(json, "lost_batches"), "3-15,99");
    assert_string_equal(
        text(json, "download"), "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr");
}

static catalog_session
make_running_session(void)
{
    catalog_session session = http_fixture_session('a', "K\xc3\xa4se");
    session.instance = (char *)(uintptr_t) "h\xffst";
    session.is_ended = false;
    session.totals.events_in = 22;
    session.totals.events_out = 8;
    session.totals.contexts_in = 3;
    session.totals.contexts_out = 2;
    session.totals.bytes_in = UINT64_MAX;
    session.totals.bytes_out = 300;
    session.totals.late_events = 1;
    session.totals.requests_in = 7;
    session.totals.requests_out = 6;
    session.totals.late_contexts = 13;
    session.contexts_dropped = 8;
    session.context_values_cut = 9;
    session.context_bytes_dropped = 10;
    session.chunk_bytes_dropped = 11;
    session.jfr_restarts = 12;
    session.losses[CATALOG_LOSS_BATCHES_LOST] = 14;
    lp_ranges_add(&session.lost, 3, 16);
    lp_ranges_add(&session.lost, 99, 100);
    session.losses[CATALOG_LOSS_JOURNAL_BYTES_LOST] = 15;
    session.losses[CATALOG_LOSS_GAP_BYTES] = 16;
    session.losses[CATALOG_LOSS_CHUNKS_UNREADABLE] = 17;
    session.losses[CATALOG_LOSS_CHUNKS_LOST] = 18;
    session.losses[CATALOG_LOSS_BATCHES_LATE] = 19;
    session.losses[CATALOG_LOSS_CARRIES_LOST] = 20;
    session.losses[CATALOG_LOSS_POWER_CUTS] = 21;
    session.losses[CATALOG_LOSS_CHUNKS_NOT_RESENT] = 22;
    return session;
}

static void
test_a_recording_in_the_list(void **state)
{
    http_fixture *f = *state;
    catalog_session session = make_running_session();
    http_fixture_put(f, &session);
    json_t *json = ask_json(f, "/api/v1/recordings", 200);
    const json_t *recording = json_array_get(json_object_get(json, "recordings"), 0);
    assert_session_json(recording);
    assert_int_equal(number(recording, "events_in"), 22);
    assert_int_equal(number(recording, "events_out"), 8);
    assert_int_equal(number(recording, "contexts_in"), 3);
    assert_int_equal(number(recording, "contexts_out"), 2);
    assert_int_equal(number(recording, "requests_in"), 7);
    assert_int_equal(number(recording, "requests_out"), 6);
    assert_int_equal(number(recording, "bytes_out"), 300);
    assert_int_equal(number(recording, "late_events"), 1);
    json_decref(json);
}

static void
assert_type(const json_t *json, const char *name, int in, int out, int bytes_in, int bytes_out)
{
    const json_t *type = json_object_get(json_object_get(json, "types"), name);
    assert_int_equal(number(type, "events_in"), in);
    assert_int_equal(number(type, "events_out"), out);
    assert_int_equal(number(type, "bytes_in"), bytes_in);
    assert_int_equal(number(type, "bytes_out"), bytes_out);
}

// assert_account expects that of a type so many were dropped by select, the rest of them by
// another.
static void
assert_account(
    const json_t *json, const char *name, int kept, int selected, const char *by, int rest)
{
    const json_t *type = json_object_get(json_object_get(json, "types"), name);
    assert_int_equal(number(type, "offered"), kept + selected + rest);
    assert_int_equal(number(type, "kept"), kept);
    const json_t *dropped = json_object_get(type, "dropped");
    assert_int_equal(json_object_size(dropped), (selected > 0) + (rest > 0));
    assert_int_equal(json_integer_value(json_object_get(dropped, "select")), selected);
    assert_int_equal(json_integer_value(json_object_get(dropped, by)), rest);
}

static void
test_a_recording_says_what_waits(void **state)
{
    static const char path[] = "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    http_fixture *f = *state;
    lp_buf chunk = {0};
    http_fixture_make_chunk(&chunk, 150, 1);
    catalog_session session = make_running_session();
    http_fixture_store(f, &session, lp_buf_slice(&chunk), types_json);
    http_fixture_store(f, &session, lp_buf_slice(&chunk), types_json);

    json_t *json = ask_json(f, path, 200); // the server has nothing more
    assert_session_json(json);
    assert_int_equal(number(json, "events_in"), 22);
    assert_int_equal(number(json, "size_bytes"), 300);
    assert_int_equal(number(json, "pending_size_bytes"), 0);
    assert_int_equal(number(json_object_get(json, "waiting"), "chunks"), 0);
    const json_t *chunks = json_object_get(json, "chunks");
    assert_int_equal(json_array_size(chunks), 2);
    const json_t *second = json_array_get(chunks, 1);
    assert_int_equal(number(second, "ordinal"), 1);
    assert_string_equal(text(second, "start"), "2026-01-02T03:04:05.123456789Z");
    assert_int_equal(number(second, "start_ns"), 1767323045123456789);
    assert_int_equal(number(second, "duration_ns"), 60000000000);
    assert_int_equal(number(second, "size_bytes"), 150);
    assert_type(json, "a.A", 20, 8, 200, 80);
    assert_type(json, "b.B", 2, 0, 14, 0);
    json_decref(json);

    f->server.is_threaded = true;
    f->server.err = LP_OK;
    f->server.next_chunk = 2;
    f->server.totals = (catalog_totals){.events_in = 28,
        .events_out = 13,
        .contexts_in = 10,
        .contexts_out = 8,
        .bytes_out = 311,
        .late_events = 3};
    f->server.waiting =
        (snapshot_waiting){.chunks = 3, .journal_bytes = 4321, .duration_ns = 1500000000};
    json = ask_json(f, path, 200);
    assert_int_equal(number(json, "events_in"), 28);
    assert_int_equal(number(json, "events_out"), 13);
    assert_int_equal(number(json, "contexts_in"), 10);
    assert_int_equal(number(json, "contexts_out"), 8);
    assert_int_equal(number(json, "bytes_out"), 311);
    assert_int_equal(number(json, "late_events"), 3);
    assert_int_equal(number(json, "size_bytes"), 300);
    assert_int_equal(number(json, "pending_size_bytes"), 0);
    const json_t *waiting = json_object_get(json, "waiting");
    assert_int_equal(number(waiting, "chunks"), 3);
    assert_int_equal(number(waiting, "journal_bytes"), 4321);
    assert_int_equal(number(waiting, "duration_ns"), 1500000000);
    assert_type(json, "a.A", 20, 8, 200, 80);
    assert_account(json, "a.A", 8, 8, "threshold", 4);
    json_decref(json);

    f->server.next_chunk = 1; // one of its chunks was stored in between: not counted twice
    json = ask_json(f, path, 200);
    assert_int_equal(number(json, "events_in"), 28);
    assert_int_equal(number(json, "size_bytes"), 150);
    assert_int_equal(json_array_size(json_object_get(json, "chunks")), 1);
    assert_type(json, "a.A", 10, 4, 100, 40);
    json_decref(json);
    lp_buf_fini(&chunk);
}

static void
test_recordings_that_are_not_there(void **state)
{
    http_fixture *f = *state;
    static const char *const ids[] = {"..", "..%2F..%2Fetc%2Fpasswd", "x", "%00",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%27",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%00"};
    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        char path[200];
        (void)snprintf(path, sizeof(path), "/api/v1/recordings/%s", ids[i]);
        assert_error(f, path, 404, "");
        (void)snprintf(path, sizeof(path), "/api/v1/recordings/%s.jfr", ids[i]);
        assert_error(f, path, 404, "");
    }
    assert_error(f, "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 404,
        "no such recording: /api/v1/recordings lists");
    assert_error(f, "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr", 404, "no such");
}

static void
test_failed_snapshots_are_told(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    static const struct {
        lp_err err;
        int status;
    } cases[] = {
        {LP_EAGAIN, 503},
        {LP_ECLOSED, 503},
        {LP_ELIMIT, 503},
        {LP_EIO, 500},
        {LP_ECORRUPT, 500},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        f->server.err = cases[i].err;
        assert_error(f, "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", cases[i].status,
            "reading the latest data");
        assert_error(f, "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr", cases[i].status,
            "compacting the latest data");
    }
}

static unsigned
held_count(http_fixture *f)
{
    (void)pthread_mutex_lock(&f->server.mutex);
    unsigned count = f->server.held_count;
    (void)pthread_mutex_unlock(&f->server.mutex);
    return count;
}

static void
ask_held(http_fixture *f, int fd)
{
    f->server.is_held = true;
    http_client_send(fd, "GET /api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\r\n"
                         "Host: x\r\n\r\n");
    while (held_count(f) == 0) { // ctest's time limit ends it
        (void)usleep(1000);
    }
}

static void
test_memory_that_ran_out_is_told(void **state)
{
    http_fixture *f = *state;
    static const char *const paths[] = {"/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr", "/api/v1/why"};
    enum { PATHS = sizeof(paths) / sizeof(paths[0]) };
    catalog_session session = http_fixture_session('a', "shop");
    session.is_ended = false;
    http_fixture_put(f, &session);
    f->server.err = LP_ENOMEM;
    for (int round = 0; round < 2; round++) {
        uint64_t before = metrics_get(METRICS_http_out_of_memory);
        for (size_t i = 0; i < PATHS; i++) {
            http_answer answer = http_client_ask(f->port, "GET", paths[i], "");
            assert_int_equal(answer.status, 503);
            assert_string_equal(http_client_find_header(&answer, "Retry-After"), "1");
            static const char body[] = "{\"error\": \"out of memory: try again later\"}\n";
            assert_int_equal(answer.body.len, strlen(body));
            assert_memory_equal(answer.body.ptr, body, strlen(body));
            http_answer_fini(&answer);
        }
        assert_int_equal(metrics_get(METRICS_http_out_of_memory) - before, PATHS);
        f->server.has_no_memory = true;
    }
}

static void
test_a_wait_holds_up_nobody_else(void **state)
{
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    int fd = http_client_connect(f->port);
    ask_held(f, fd);
    for (int i = 0; i < 20; i++) {
        assert_lists(f, "", "a");
    }
    http_fixture_release(f);
    http_answer answer = http_client_receive(fd, false);
    assert_int_equal(answer.status, 200);
    http_answer_fini(&answer);
    assert_int_equal(close(fd), 0);
}

static void
test_a_client_that_leaves_during_its_wait(void **state)
{
    http_fixture *f = *state;
    int fd = http_client_connect(f->port);
    ask_held(f, fd);
    assert_int_equal(close(fd), 0);
    http_fixture_release(f);
    assert_lists(f, "", "");
}

static void
test_stopping_does_not_wait_for_snapshots(void **state)
{
    http_fixture *f = *state;
    int fd = http_client_connect(f->port);
    ask_held(f, fd);
    http_server_stop(f->http);
    f->http = NULL;
    http_answer answer = http_client_receive(fd, false);
    assert_true(answer.status == 503 || answer.status == 0);
    http_answer_fini(&answer);
    assert_int_equal(close(fd), 0);
    http_fixture_release(f); // comes too late, and does no harm
}

static void
test_garbage_does_no_harm(void **state)
{
    static const char *const requests[] = {"GET\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n",
        "GET /healthz HTTP/9.9\r\n\r\n", "GET /healthz HTTP/1.1\r\n: \r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"};
    http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        int fd = http_client_connect(f->port);
        http_client_send(fd, requests[i]);
        assert_int_equal(shutdown(fd, SHUT_WR), 0);
        http_answer answer = http_client_receive(fd, false);
        assert_true(answer.status != 500);
        http_answer_fini(&answer);
        assert_int_equal(close(fd), 0);
    }
    // More headers than a connection has memory for.
    int fd = http_client_connect(f->port);
    http_client_send(fd, "GET /healthz HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < 2000; i++) {
        http_client_send(fd, "X-Filler: 0123456789012345678901234567890123456789\r\n");
    }
    http_client_send(fd, "\r\n");
    // The answer is awaited: libmicrohttpd 0.9.75 follows a NULL pointer when it is stopped
    // while it writes an answer to a request that it refuses by itself.
    http_answer answer = http_client_receive(fd, false);
    assert_true(answer.status == 431 || answer.status == 0); // 0: reset, as bytes were left unread
    http_answer_fini(&answer);
    assert_int_equal(close(fd), 0);
    json_decref(ask_json(f, "/healthz", 200));
}

// put_policy replaces a policy as its file would be, and has it read.
static void
put_policy(const http_fixture *f, const char *name, const char *content)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->policies_path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
    policy_dir_look(f->policies);
}

static void
test_policies(void **state)
{
    static const char good[] =
        "<configuration><event name='jdk.*'><setting name='threshold'>1 ms</setting>"
        "<setting name='select'>nonsense</setting></event><event name='a'>"
        "<setting name='stackTrace'>true</setting></event><event name='jdk.*'>"
        "<setting name='enabled'>false</setting></event></configuration>";
    http_fixture *f = *state;
    json_t *json = ask_json(f, "/api/v1/policies", 200);
    assert_int_equal(json_array_size(json_object_get(json, "policies")), 0);
    json_decref(json);
    json = ask_json(f, "/api/v1/policies/checkout", 200);
    assert_true(json_is_null(json_object_get(json, "file")));
    assert_int_equal(json_array_size(json_object_get(json, "events")), 0);
    json_decref(json);

    put_policy(f, "default.jfc", "<configuration/>");
    put_policy(f, "check out.jfc", good);
    json = ask_json(f, "/api/v1/policies/check%20out", 200);
    assert_string_equal(text(json, "service"), "check out");
    assert_non_null(strstr(text(json, "file"), "/check out.jfc"));
    assert_int_equal(strlen(text(json, "id")), 16);
    assert_true(number(json, "read_ns") > 0);
    assert_non_null(strchr(text(json, "read"), 'T'));
    assert_true(json_is_null(json_object_get(json, "refused")));
    char *events = json_dumps(json_object_get(json, "events"), JSON_COMPACT);
    assert_string_equal(events,
        "[{\"event\":\"jdk.*\",\"settings\":{\"threshold\":\"1 ms\",\"select\":\"all\"}},"
        "{\"event\":\"a\",\"settings\":{\"stackTrace\":\"true\"}},"
        "{\"event\":\"jdk.*\",\"settings\":{\"enabled\":\"false\"}}]");
    free(events);
    char id[20];
    (void)snprintf(id, sizeof(id), "%s", text(json, "id"));
    json_decref(json);

    put_policy(f, "check out.jfc", "<configuration>");
    json = ask_json(f, "/api/v1/policies/check%20out", 200);
    assert_string_equal(text(json, "id"), id);
    const json_t *refused = json_object_get(json, "refused");
    assert_non_null(strstr(text(refused, "file"), "/check out.jfc"));
    assert_non_null(strstr(text(refused, "problem"), "line 1"));
    assert_true(number(refused, "since_ns") > 0);
    json_decref(json);

    put_policy(f, "broken.jfc", "");
    json = ask_json(f, "/api/v1/policies/broken", 200); // the default's
    assert_non_null(strstr(text(json, "file"), "/default.jfc"));
    assert_non_null(strstr(text(json_object_get(json, "refused"), "file"), "/broken.jfc"));
    json_decref(json);
    json = ask_json(f, "/api/v1/policies/..%2F..%2Fpasswd", 200);
    assert_string_equal(text(json, "service"), "../../passwd");
    assert_non_null(strstr(text(json, "file"), "/default.jfc"));
    assert_true(json_is_null(json_object_get(json, "refused")));
    json_decref(json);

    json = ask_json(f, "/api/v1/policies", 200);
    const json_t *list = json_object_get(json, "policies");
    assert_int_equal(json_array_size(list), 3);
    assert_string_equal(text(json_array_get(list, 0), "name"), "broken");
    assert_true(json_is_null(json_object_get(json_array_get(list, 0), "file")));
    assert_string_equal(text(json_array_get(list, 1), "name"), "check out");
    assert_string_equal(text(json_array_get(list, 1), "id"), id);
    assert_string_equal(text(json_array_get(list, 2), "name"), "default");
    assert_true(json_is_null(json_object_get(json_array_get(list, 2), "refused")));
    json_decref(json);
}

static void
test_addresses(void **state)
{
    static const char *const bad[] = {"", "7412", "localhost", "127.0.0.1:", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:http", "::1:7412", "127.0.0.1:7412x", "300.0.0.1:7412"};
    http_fixture *f = *state;
    http_config config = {
        .catalog_path = f->catalog_path, .blobs = f->blobs, .snapshots = f->snapshots};
    http_server *started;
    lp_problem problem;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        config.address = bad[i];
        assert_int_equal(http_server_start(&config, &started, &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, bad[i]));
    }
    char used[32];
    (void)snprintf(used, sizeof(used), "127.0.0.1:%u", f->port);
    config.address = used;
    assert_int_equal(http_server_start(&config, &started, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "Address already in use"));
    config.address = ":0";
    assert_int_equal(http_server_start(&config, &started, &problem), LP_OK);
    http_answer answer = http_client_ask(http_server_get_port(started), "GET", "/healthz", "");
    assert_int_equal(answer.status, 200);
    http_answer_fini(&answer);
    http_server_stop(started);
    config.catalog_path = "/nonexistent/catalog.db";
    assert_int_equal(http_server_start(&config, &started, &problem), LP_ENOENT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_health_and_readiness),
        TEST(test_the_collector_says_where_it_is),
        TEST(test_the_collector_says_where_links_lead),
        cmocka_unit_test(test_what_is_no_link_is_refused),
        TEST(test_unknown_paths),
        TEST(test_no_answer_is_for_others),
        TEST(test_recordings_are_removed),
        TEST(test_other_methods_are_refused),
        TEST(test_head_is_get_without_a_body),
        TEST(test_metrics_are_in_the_text_format),
        TEST(test_lists_are_filtered),
        TEST(test_a_list_that_is_too_long_says_so),
        TEST(test_a_recording_in_the_list),
        TEST(test_a_recording_says_what_waits),
        TEST(test_recordings_that_are_not_there),
        TEST(test_failed_snapshots_are_told),
        TEST(test_memory_that_ran_out_is_told),
        TEST(test_a_wait_holds_up_nobody_else),
        TEST(test_a_client_that_leaves_during_its_wait),
        TEST(test_stopping_does_not_wait_for_snapshots),
        TEST(test_garbage_does_no_harm),
        TEST(test_policies),
        TEST(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
