// SPDX-License-Identifier: Apache-2.0
// The page over HTTP: the headers of each file, gzip if the client accepts it, and 304 if it has
// the file.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/base/gzip.h"
#include "collector/page/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char page_policy[] =
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self'";
static const char speedscope_policy[] =
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; font-src 'self'";

static void
assert_header(const http_answer *answer, const char *name, const char *expected)
{
    const char *value = http_client_find_header(answer, name);
    if (expected == NULL) {
        assert_null(value);
    } else {
        assert_non_null(value);
        assert_string_equal(value, expected);
    }
}

// assert_content compares a body with the file, compressed or not.
static void
assert_content(const http_answer *answer, const page_file *file, bool is_gzip)
{
    lp_slice gzip = page_gzip(file);
    lp_buf plain = {0};
    assert_int_equal(gzip_expand(gzip, &plain), LP_OK);
    lp_slice expected = is_gzip ? gzip : lp_buf_slice(&plain);
    assert_true(answer->is_complete);
    assert_int_equal(answer->body.len, expected.len);
    assert_memory_equal(answer->body.ptr, expected.ptr, expected.len);
    lp_buf_fini(&plain);
}

static void
test_each_file_is_there_compressed_or_not(void **state)
{
    const http_fixture *f = *state;
    for (size_t i = 0; i < page_files_count; i++) {
        const page_file *file = &page_files[i];
        for (int is_gzip = 0; is_gzip < 2; is_gzip++) {
            http_answer answer = http_client_ask(
                f->port, "GET", file->path, is_gzip ? "Accept-Encoding: gzip, br\r\n" : "");
            assert_int_equal(answer.status, 200);
            assert_content(&answer, file, is_gzip);
            assert_header(&answer, "Content-Encoding", is_gzip ? "gzip" : NULL);
            assert_header(&answer, "Content-Type", page_type(file));
            assert_header(&answer, "Vary", "Accept-Encoding");
            assert_header(&answer, "Cache-Control", "no-cache");
            assert_header(&answer, "X-Content-Type-Options", "nosniff");
            assert_header(&answer, "Referrer-Policy", "no-referrer");
            assert_header(&answer, "Content-Security-Policy",
                page_is_speedscope(file) ? speedscope_policy : page_policy);
            http_answer_fini(&answer);
        }
    }
}

static void
test_screens_are_the_index(void **state)
{
    static const char *const paths[] = {"/", "/?service=x", "/s/check%20out?from=1", "/s/a%2Fb",
        "/c/0123456789abcdef0123456789abcdef/12", "/t/635ef28344ffcf92", "/e", "/r", "/r/x"};
    const http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        http_answer answer = http_client_ask(f->port, "GET", paths[i], "");
        assert_int_equal(answer.status, 200);
        assert_content(&answer, page_find("/index.html"), false);
        http_answer_fini(&answer);
    }
}

// A browser at an unknown path gets the page; other clients get JSON.
static void
test_a_path_without_anything_is_the_index_for_browsers(void **state)
{
    const http_fixture *f = *state;
    static const struct {
        const char *method;
        const char *path;
        const char *accept;
        bool is_page;
    } cases[] = {
        {"GET", "/foo", "text/html,application/xhtml+xml,*/*;q=0.8", true},
        {"HEAD", "/foo/bar", "text/html", true},
        {"GET", "/foo", "*/*", false},
        {"GET", "/foo", "application/json, text/html;q=0.1", false},
        {"GET", "/api/v1/foo", "text/html", false},
        {"POST", "/foo", "text/html", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char accept[128];
        (void)snprintf(accept, sizeof(accept), "Accept: %s\r\n", cases[i].accept);
        http_answer answer = http_client_ask(f->port, cases[i].method, cases[i].path, accept);
        assert_int_equal(answer.status, 404);
        assert_header(&answer, "Cache-Control", "no-store");
        assert_header(&answer, "Content-Security-Policy", cases[i].is_page ? page_policy : NULL);
        if (cases[i].is_page && strcmp(cases[i].method, "GET") == 0) {
            assert_content(&answer, page_find("/index.html"), false);
        }
        http_answer_fini(&answer);
    }
}

static void
test_head_has_the_length(void **state)
{
    const http_fixture *f = *state;
    for (int is_gzip = 0; is_gzip < 2; is_gzip++) {
        const char *headers = is_gzip ? "Accept-Encoding: gzip\r\n" : "";
        http_answer got = http_client_ask(f->port, "GET", "/page.js", headers);
        http_answer head = http_client_ask(f->port, "HEAD", "/page.js", headers);
        char length[32];
        (void)snprintf(length, sizeof(length), "%zu", got.body.len);
        assert_int_equal(head.status, 200);
        assert_int_equal(head.body.len, 0);
        assert_header(&head, "Content-Length", length);
        char etag[64];
        (void)snprintf(etag, sizeof(etag), "%s", http_client_find_header(&got, "ETag"));
        assert_header(&head, "ETag", etag);
        http_answer_fini(&got);
        http_answer_fini(&head);
    }
}

// etag_of asks for a file's tag.
static void
etag_of(const http_fixture *f, const char *path, const char *headers, char out_etag[64])
{
    http_answer answer = http_client_ask(f->port, "GET", path, headers);
    const char *etag = http_client_find_header(&answer, "ETag");
    assert_non_null(etag);
    assert_true(etag[0] == '"' && strlen(etag) > 32); // strong
    (void)snprintf(out_etag, 64, "%s", etag);
    http_answer_fini(&answer);
}

static void
test_what_the_client_has_is_not_sent_again(void **state)
{
    const http_fixture *f = *state;
    char etags[3][64]; // of two forms, and of another file
    etag_of(f, "/page.js", "", etags[0]);
    etag_of(f, "/page.js", "Accept-Encoding: gzip\r\n", etags[1]);
    etag_of(f, "/page.css", "", etags[2]);
    assert_string_not_equal(etags[0], etags[1]);
    assert_string_not_equal(etags[0], etags[2]);
    static const struct {
        const char *before; // of If-None-Match, before a tag
        int tag;            // -1: none
        const char *accept;
        int status;
    } cases[] = {
        {"", 0, "", 304},
        {"W/", 0, "", 304},
        {"\"x\", ", 0, "", 304},
        {"*", -1, "", 304},
        {"", 1, "", 200}, // the other form
        {"", 1, "Accept-Encoding: gzip\r\n", 304},
        {"", 0, "Accept-Encoding: gzip\r\n", 200},
        {"", 2, "", 200},
        {"\"\"", -1, "", 200},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char headers[200];
        (void)snprintf(headers, sizeof(headers), "If-None-Match: %s%s\r\n%s", cases[i].before,
            cases[i].tag < 0 ? "" : etags[cases[i].tag], cases[i].accept);
        http_answer answer = http_client_ask(f->port, "GET", "/page.js", headers);
        assert_int_equal(answer.status, cases[i].status);
        if (answer.status == 304) {
            assert_int_equal(answer.body.len, 0);
            assert_header(&answer, "ETag", etags[cases[i].accept[0] != '\0']);
            assert_header(&answer, "Cache-Control", "no-cache");
            assert_header(&answer, "Vary", "Accept-Encoding");
            assert_header(&answer, "Content-Encoding", NULL);
        }
        http_answer_fini(&answer);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_each_file_is_there_compressed_or_not),
        TEST(test_screens_are_the_index),
        TEST(test_a_path_without_anything_is_the_index_for_browsers),
        TEST(test_head_has_the_length),
        TEST(test_what_the_client_has_is_not_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
