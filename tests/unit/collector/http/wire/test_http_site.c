// SPDX-License-Identifier: Apache-2.0
// Requests that a browser makes for a page of another origin, as a table; and the server's answers
// to them on every route, with and without tokens.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/base/metrics.h"
#include "collector/http/routes/http_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_pages_of_others_may_only_link(void **state)
{
    static const struct {
        const char *what;
        http_access_origin from;
        bool is_foreign;
    } cases[] = {
        // Programs: curl, Grafana's server, an old client.
        {"says nothing", {"GET", NULL, NULL, NULL, NULL, "a:80", false}, false},
        {"has no Host", {"GET", NULL, NULL, NULL, NULL, NULL, false}, false},
        {"node's fetch", {"GET", NULL, "cors", NULL, NULL, "a:80", false}, false},
        // Our own page, and people.
        {"own fetch", {"GET", "same-origin", "cors", "empty", NULL, "a:80", false}, false},
        {"own login", {"POST", "same-origin", "cors", "empty", "http://a", "a:80", true}, false},
        {"proxy with its own Host",
            {"POST", "same-origin", "cors", "empty", "https://b", "a:80", true}, false},
        {"own script", {"GET", "same-origin", "no-cors", "script", NULL, "a:80", false}, false},
        {"typed in", {"GET", "none", "navigate", "document", NULL, "a:80", false}, false},
        // Links.
        {"link", {"GET", "cross-site", "navigate", "document", NULL, "a:80", false}, false},
        {"link of another port", {"GET", "same-site", "navigate", "document", NULL, "a:80", false},
            false},
        // Pages of others.
        {"fetch", {"GET", "cross-site", "cors", "empty", "http://b", "a:80", false}, true},
        {"silent fetch", {"GET", "cross-site", "no-cors", "empty", NULL, "a:80", false}, true},
        {"another port", {"GET", "same-site", "no-cors", "empty", NULL, "a:80", false}, true},
        {"img", {"GET", "cross-site", "no-cors", "image", NULL, "a:80", false}, true},
        {"script", {"GET", "cross-site", "no-cors", "script", NULL, "a:80", false}, true},
        {"frame", {"GET", "cross-site", "navigate", "iframe", NULL, "a:80", false}, true},
        {"object", {"GET", "cross-site", "navigate", "object", NULL, "a:80", false}, true},
        {"form", {"POST", "cross-site", "navigate", "document", "http://b", "a:80", false}, true},
        {"preflight", {"OPTIONS", "cross-site", "cors", "empty", "http://b", "a:80", false}, true},
        {"a header all the same",
            {"DELETE", "cross-site", "cors", "empty", "http://b", "a:80", true}, true},
        {"a navigation without a destination",
            {"GET", "cross-site", "navigate", NULL, NULL, "a:80", false}, true},
        {"a site of tomorrow", {"GET", "near", "no-cors", "empty", NULL, "a:80", false}, true},
        {"empty", {"GET", "", "navigate", "empty", NULL, "a:80", false}, true},
        // Browsers that send no Sec-Fetch-Site.
        {"own Origin", {"POST", NULL, NULL, NULL, "http://a:7412", "a:7412", false}, false},
        {"own Origin, no port", {"POST", NULL, NULL, NULL, "http://A", "a", false}, false},
        {"port of http", {"POST", NULL, NULL, NULL, "http://a", "a:80", false}, false},
        {"port of https", {"POST", NULL, NULL, NULL, "https://a:443", "a", false}, false},
        {"TLS at a proxy", {"POST", NULL, NULL, NULL, "https://a", "a", false}, false},
        {"IPv6", {"POST", NULL, NULL, NULL, "http://[::1]:7412", "[::1]:7412", false}, false},
        {"proxy, with our header", {"POST", NULL, NULL, NULL, "http://b", "a", true}, false},
        {"another host", {"GET", NULL, NULL, NULL, "http://b", "a", false}, true},
        {"another Origin's port", {"GET", NULL, NULL, NULL, "http://a:3000", "a:7412", false},
            true},
        {"port of the other", {"GET", NULL, NULL, NULL, "http://a:443", "a", false}, true},
        {"a longer name", {"GET", NULL, NULL, NULL, "http://a.b", "a", false}, true},
        {"no origin", {"GET", NULL, NULL, NULL, "null", "a", false}, true},
        {"an empty Origin", {"GET", NULL, NULL, NULL, "", "a", false}, true},
        {"no Host", {"GET", NULL, NULL, NULL, "http://a", NULL, false}, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (http_access_is_foreign(&cases[i].from) != cases[i].is_foreign) {
            fail_msg("%s", cases[i].what);
        }
    }
}

#define FOREIGN "Sec-Fetch-Site: cross-site\r\nOrigin: http://evil.example\r\n"
#define FETCH   FOREIGN "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
#define LINK                                                                                       \
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"

static const char *const paths[] = {"/", "/page.js", "/healthz", "/readyz", "/metrics",
    "/api/v1/recordings", "/api/v1/login", "/api/v1/flamegraph?frame=a", "/nothing"};

static void
expect_refused(const http_fixture *f)
{
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        uint64_t before = metrics_get(METRICS_http_cross_site);
        http_answer answer = http_client_ask(f->port, "GET", paths[i], FETCH);
        assert_int_equal(answer.status, 403);
        assert_non_null(strstr((const char *)answer.body.ptr, "a page of another site"));
        assert_null(http_client_find_header(&answer, "Access-Control-Allow-Origin"));
        assert_int_equal(metrics_get(METRICS_http_cross_site), before + 1);
        http_answer_fini(&answer);
    }
    http_answer answer = http_client_ask(f->port, "OPTIONS", "/api/v1/recordings", FETCH);
    assert_int_equal(answer.status, 403);
    http_answer_fini(&answer);
    answer = http_client_ask(f->port, "POST", "/api/v1/login", FETCH "Content-Length: 0\r\n");
    assert_int_equal(answer.status, 403);
    http_answer_fini(&answer);
}

static int
status_of(const http_fixture *f, const char *path, const char *headers)
{
    http_answer answer = http_client_ask(f->port, "GET", path, headers);
    int status = answer.status;
    http_answer_fini(&answer);
    return status;
}

static void
test_other_sites_are_refused_without_tokens(void **state)
{
    http_fixture *f = *state;
    expect_refused(f);
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        assert_int_equal(status_of(f, paths[i], LINK), status_of(f, paths[i], ""));
    }
    http_fixture_serve(f, NULL, true); // this machine alone
    expect_refused(f);
}

static void
test_other_sites_are_refused_with_tokens(void **state)
{
    http_fixture *f = *state;
    char path[400];
    access_file *access;
    (void)snprintf(path, sizeof(path), "%s/tokens", f->dir.path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    // The hash of 0123456789abcdef, as sha256sum has it.
    assert_true(fputs("ops read * "
                      "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f\n",
                    file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(access_file_open(path, false, &access, NULL), LP_OK);
    http_fixture_serve(f, access, false);
    expect_refused(f);
    static const char token[] = "Authorization: Bearer 0123456789abcdef\r\n";
    assert_int_equal(status_of(f, "/api/v1/recordings", token), 200);
    assert_int_equal(
        status_of(f, "/api/v1/recordings", "Authorization: Bearer 0123456789abcdef\r\n" FETCH),
        403);
    assert_int_equal(status_of(f, "/", LINK), 200);
    assert_int_equal(status_of(f, "/api/v1/recordings", LINK), 401);
    http_fixture_serve(f, NULL, false);
    access_file_close(access);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_of_others_may_only_link),
        TEST(test_other_sites_are_refused_without_tokens),
        TEST(test_other_sites_are_refused_with_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
