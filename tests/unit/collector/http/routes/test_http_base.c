// SPDX-License-Identifier: Apache-2.0
// The base path: which paths are valid, how it is stripped, and that page, API and login work below
// it whether the proxy strips it or not.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/http/routes/http_route.h"
#include "collector/http/wire/http_base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_what_can_be_a_base_path(void **state)
{
    (void)state;
    char longest[HTTP_BASE_BYTES + 1] = "/";
    memset(longest + 1, 'a', HTTP_BASE_BYTES - 2);
    static const struct {
        const char *text;
        const char *path;
    } good[] = {
        {NULL, ""},
        {"", ""},
        {"/", ""},
        {"/loupe", "/loupe"},
        {"/tools/loupe/", "/tools/loupe"},
        {"/~a.b/C_d-9/..x", "/~a.b/C_d-9/..x"},
        {"/apis", "/apis"},
        {"/tools/api", "/tools/api"},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        http_base base;
        assert_int_equal(http_route_read_base(good[i].text, &base, NULL), LP_OK);
        assert_string_equal(base.path, good[i].path);
    }
    http_base base;
    assert_int_equal(http_route_read_base(longest, &base, NULL), LP_OK);
    assert_string_equal(base.path, longest);
    static const char *const bad[] = {"tools", "//", "/a//b", "//a", "/a//", "/..", "/a/./b",
        "/a b", "/a%20b", "/a\"b", "/a;b", "/a?b", "/caf\303\251", "http://h/a", "/a, /b", "/api",
        "/s/loupe", "/internal/", "/metrics"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lp_problem problem = {0};
        assert_int_equal(http_route_read_base(bad[i], &base, &problem), LP_ECORRUPT);
        assert_int_equal(strncmp(problem.text, "a base path ", 12), 0);
    }
    longest[HTTP_BASE_BYTES - 1] = 'a';
    assert_int_equal(http_route_read_base(longest, &base, NULL), LP_ELIMIT);
}

// expect_own checks that a path has an answer, and that its first part cannot begin a base path.
static void
expect_own(const char *path)
{
    char first[HTTP_BASE_BYTES];
    http_base base;
    lp_problem problem;
    (void)snprintf(first, sizeof(first), "%.*s", (int)(1 + strcspn(path + 1, "/")), path);
    assert_string_not_equal(http_route_find(path, "GET").line->path, "{anything}");
    assert_int_equal(http_route_read_base(first, &base, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "which is a path of the collector itself"));
}

static void
test_no_path_that_has_an_answer_can_be_a_base_path(void **state)
{
    (void)state;
    static const char *const paths[] = {"/api/v1/recordings", "/api/v1/why", "/c/a/1", "/e",
        "/healthz", "/internal/v1/pending/a", "/metrics", "/q/a/1", "/r", "/r/a", "/readyz", "/s",
        "/s/a", "/speedscope/", "/t/a"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        expect_own(paths[i]);
    }
    for (size_t i = 0; i < page_files_count; i++) {
        expect_own(page_files[i].path);
    }
}

static void
test_what_is_below_a_base_path(void **state)
{
    (void)state;
    static const struct {
        const char *base;
        const char *path;
        const char *taken;
    } cases[] = {
        {"", "/s/a", "/s/a"}, {"/tools/loupe", "/s/a", "/s/a"},
        {"/tools/loupe", "/tools/loupe/s/a", "/s/a"}, {"/tools/loupe", "/tools/loupe/", "/"},
        {"/tools/loupe", "/tools/loupe", "/"}, {"/tools/loupe", "/tools/loupes", "/tools/loupes"},
        {"/tools/loupe", "/tools", "/tools"}, {"/tools/loupe", "", ""},
        {"/loupe", "/loupe/loupe/", "/loupe/"}, // once
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_base base = {""};
        (void)snprintf(base.path, sizeof(base.path), "%s", cases[i].base);
        assert_string_equal(http_base_take(&base, cases[i].path), cases[i].taken);
    }
}

// expect_index checks that the page at a path names its files below base.
static void
expect_index(const http_fixture *f, const char *path, const char *headers, const char *base)
{
    http_answer answer = http_client_ask(f->port, "GET", path, headers);
    char script[300];
    char style[300];
    (void)snprintf(script, sizeof(script), "src=\"%s/page.js\"", base);
    (void)snprintf(style, sizeof(style), "href=\"%s/page.css\"", base);
    assert_int_equal(answer.status, 200);
    assert_true(answer.is_complete);
    lp_buf_append(&answer.body, "", 1);
    assert_non_null(strstr((const char *)answer.body.ptr, script));
    assert_non_null(strstr((const char *)answer.body.ptr, style));
    http_answer_fini(&answer);
}

static void
etag_of(const http_fixture *f, const char *headers, char out_etag[64])
{
    http_answer answer = http_client_ask(f->port, "GET", "/", headers);
    (void)snprintf(out_etag, 64, "%s", http_client_find_header(&answer, "ETag"));
    http_answer_fini(&answer);
}

static void
test_the_page_is_below_the_base_path(void **state)
{
    http_fixture *f = *state;
    f->base_path = "/tools/loupe/";
    http_fixture_serve(f, NULL, false);
    static const char *const paths[] = {"/", "/s/a%2Fb", "/index.html", "/tools/loupe",
        "/tools/loupe/", "/tools/loupe/s/a%2Fb", "/tools/loupe/r?from=1"};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        expect_index(f, paths[i], "", "/tools/loupe");
        expect_index(f, paths[i], "Accept-Encoding: gzip\r\n", "/tools/loupe");
        expect_index(f, paths[i], "X-Forwarded-Prefix: /other\r\n", "/tools/loupe"); // not allowed
    }
    static const char *const others[] = {"/page.js", "/tools/loupe/page.js",
        "/tools/loupe/api/v1/recordings", "/tools/loupe/speedscope/", "/tools/loupe/healthz"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        http_client_expect(f->port, "GET", others[i], 200);
    }
    http_client_expect(f->port, "GET", "/tools/loupe/tools/loupe/page.js", 404);
    http_client_expect(f->port, "GET", "/tools", 404);
}

static void
test_a_proxy_says_the_base_path_where_it_may(void **state)
{
    http_fixture *f = *state;
    f->base_path = "/tools/loupe";
    f->has_forwarded_prefix = true;
    http_fixture_serve(f, NULL, false);
    expect_index(f, "/", "", "/tools/loupe");
    expect_index(f, "/", "X-Forwarded-Prefix: /\r\n", "");
    expect_index(f, "/s/a", "X-Forwarded-Prefix: /one\r\n", "/one");
    expect_index(f, "/one/s/a", "X-Forwarded-Prefix: /one/\r\n", "/one");
    http_answer refused = http_client_ask(f->port, "GET", "/", "X-Forwarded-Prefix: /\"x\r\n");
    assert_int_equal(refused.status, 400);
    assert_non_null(strstr((const char *)refused.body.ptr, "X-Forwarded-Prefix: a base path is "));
    http_answer_fini(&refused);
    // No cache takes the page below one path for that below another.
    char etags[3][64];
    etag_of(f, "", etags[0]);
    etag_of(f, "X-Forwarded-Prefix: /one\r\n", etags[1]);
    etag_of(f, "X-Forwarded-Prefix: /\r\n", etags[2]);
    assert_string_not_equal(etags[0], etags[1]);
    assert_string_not_equal(etags[0], etags[2]);
    assert_string_not_equal(etags[1], etags[2]);
    char known[100];
    (void)snprintf(known, sizeof(known), "If-None-Match: %s\r\n", etags[0]);
    http_answer answer = http_client_ask(f->port, "GET", "/s/x", known);
    assert_int_equal(answer.status, 304);
    http_answer_fini(&answer);
}

static void
test_a_bad_base_path_does_not_start(void **state)
{
    const http_fixture *f = *state;
    const http_config config = {.address = "127.0.0.1:0",
        .base_path = "/api",
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .ids = f->ids,
        .snapshots = f->snapshots};
    http_server *server;
    lp_problem problem;
    assert_int_equal(http_server_start(&config, &server, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text,
        "a base path cannot begin with /api, which is a path of the collector itself");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_can_be_a_base_path),
        cmocka_unit_test(test_no_path_that_has_an_answer_can_be_a_base_path),
        cmocka_unit_test(test_what_is_below_a_base_path),
        cmocka_unit_test_setup_teardown(
            test_the_page_is_below_the_base_path, http_fixture_setup, http_fixture_teardown),
        cmocka_unit_test_setup_teardown(test_a_proxy_says_the_base_path_where_it_may,
            http_fixture_setup, http_fixture_teardown),
        cmocka_unit_test_setup_teardown(
            test_a_bad_base_path_does_not_start, http_fixture_setup, http_fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
