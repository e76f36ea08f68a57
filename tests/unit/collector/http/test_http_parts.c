// SPDX-License-Identifier: Apache-2.0
// The pure parts of the HTTP API: ranges, conditions, paths and file names. Expected values are
// written by hand.

#include "collector/http/routes/http_file_name.h"
#include "collector/http/routes/http_route.h"
#include "collector/http/wire/http_accept.h"
#include "collector/http/wire/http_range.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        http_range expected; // of 100 bytes
    } cases[] = {
        {NULL, {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=0-99", {HTTP_RANGE_PART, 0, 100}},
        {"bytes=0-", {HTTP_RANGE_PART, 0, 100}},
        {"bytes=0-0", {HTTP_RANGE_PART, 0, 1}},
        {"BYTES=5-6", {HTTP_RANGE_PART, 5, 7}},
        {"bytes= 5-6 ", {HTTP_RANGE_PART, 5, 7}},
        {"bytes=99-", {HTTP_RANGE_PART, 99, 100}},
        {"bytes=99-99", {HTTP_RANGE_PART, 99, 100}},
        {"bytes=10-100", {HTTP_RANGE_PART, 10, 100}},
        {"bytes=10-99999999999999999999999999", {HTTP_RANGE_PART, 10, 100}},
        {"bytes=-1", {HTTP_RANGE_PART, 99, 100}},
        {"bytes=-100", {HTTP_RANGE_PART, 0, 100}},
        {"bytes=-101", {HTTP_RANGE_PART, 0, 100}},
        {"bytes=-99999999999999999999999999", {HTTP_RANGE_PART, 0, 100}},
        {"bytes=100-", {HTTP_RANGE_UNSATISFIABLE, 100, 100}},
        {"bytes=100-100", {HTTP_RANGE_UNSATISFIABLE, 100, 100}},
        {"bytes=-0", {HTTP_RANGE_UNSATISFIABLE, 100, 100}},
        {"bytes=99999999999999999999999999-", {HTTP_RANGE_UNSATISFIABLE, UINT64_MAX, 100}},
        // Malformed, several, or of another unit: as if there were none.
        {"", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=-", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=5", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=6-5", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=0-0,5-6", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=0x1-2", {HTTP_RANGE_WHOLE, 0, 100}},
        {"bytes=+1-2", {HTTP_RANGE_WHOLE, 0, 100}},
        {"lines=0-1", {HTTP_RANGE_WHOLE, 0, 100}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_range range = http_range_parse(cases[i].header, 100);
        assert_int_equal(range.kind, cases[i].expected.kind);
        assert_true(range.begin == cases[i].expected.begin);
        assert_true(range.end == cases[i].expected.end);
    }
}

static void
test_conditions(void **state)
{
    (void)state;
    static const char tag[] = "\"abc\"";
    assert_true(http_range_matches_any("\"abc\"", tag));
    assert_true(http_range_matches_any("*", tag));
    assert_true(http_range_matches_any("W/\"abc\"", tag));
    assert_true(http_range_matches_any("\"x\", \"a,b\",W/\"y\" , \"abc\"", tag));
    assert_false(http_range_matches_any("", tag));
    assert_false(http_range_matches_any("abc", tag));
    assert_false(http_range_matches_any("\"abcd\", \"ab\"", tag));
    assert_false(http_range_matches_any("\"abc", tag));
    assert_false(http_range_matches_any("\"\"", tag));
    assert_false(http_range_matches_any("\"x\"abc\"y\"", tag));
}

static void
test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *line; // of the table of routes
        const char *id;
    } cases[] = {
        {"/api/v1/recordings", "/api/v1/recordings", ""},
        {"/api/v1/policies", "/api/v1/policies", ""},
        {"/api/v1/policies/", "{anything}", ""},
        {"/api/v1/policiesx", "{anything}", ""},
        {"/api/v1/policies/check out", "/api/v1/policies/{service}", ""},
        {"/api/v1/policies/../a/b", "/api/v1/policies/{service}", ""},
        {"/api/v1/collector", "/api/v1/collector", ""},
        {"/api/v1/collector/", "{anything}", ""},
        {"/metrics", "/metrics", ""},
        {"/healthz", "/healthz", ""},
        {"/readyz", "/readyz", ""},
        {"/api/v1/recordings/0123456789abcdef0123456789abcdef", "/api/v1/recordings/{id}",
            "0123456789abcdef0123456789abcdef"},
        {"/api/v1/recordings/0123456789abcdef0123456789abcdef.jfr", "/api/v1/recordings/{id}.jfr",
            "0123456789abcdef0123456789abcdef"},
        {"/api/v1/recordings/0123456789ABCDEF0123456789abcdef", "/api/v1/recordings/{id}", ""},
        {"/api/v1/recordings/.jfr", "/api/v1/recordings/{id}.jfr", ""},
        {"/api/v1/recordings/..", "/api/v1/recordings/{id}", ""},
        {"/api/v1/recordings/", "{anything}", ""},
        {"/api/v1/recordings/a/b.jfr", "{anything}", ""},
        {"/api/v1/contexts", "/api/v1/{question}", ""},
        {"/api/v1/contextsx", "{anything}", ""},
        {"/internal/v1/pending/0123456789abcdef0123456789abcdef", "/internal/v1/pending/{id}",
            "0123456789abcdef0123456789abcdef"},
        {"/internal/v1/pending/0123456789abcdef0123456789abcdef/wide",
            "/internal/v1/pending/{id}/wide", "0123456789abcdef0123456789abcdef"},
        {"/internal/v1/pending/x", "/internal/v1/pending/{id}", ""},
        {"/internal/v1/pending/", "{anything}", ""},
        {"/api/v1/recordingsx", "{anything}", ""},
        {"/", "/{page}", ""},
        {"/page.js", "/{page}", ""},
        {"/s/api/v1/recordings", "/{page}", ""},
        {"/page", "{anything}", ""},
        {"", "{anything}", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_route route = http_route_find(cases[i].path, "GET");
        assert_string_equal(route.line->path, cases[i].line);
        assert_true(route.has_method);
        assert_string_equal(route.session_id, cases[i].id);
    }
}

static void
test_methods(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *method;
        bool has_method;
        http_need need;
        const char *allowed;
    } cases[] = {
        {"/api/v1/recordings/x", "GET", true, HTTP_NEED_TOTALS, "GET, HEAD, DELETE"},
        {"/api/v1/recordings/x", "HEAD", true, HTTP_NEED_TOTALS, "GET, HEAD, DELETE"},
        {"/api/v1/recordings/x", "DELETE", true, HTTP_NEED_REMOVAL, "GET, HEAD, DELETE"},
        {"/api/v1/recordings/x", "POST", false, HTTP_NEED_TOTALS, "GET, HEAD, DELETE"},
        // The first path that fits counts, not the first that has the method.
        {"/api/v1/recordings/x.jfr", "DELETE", false, HTTP_NEED_CONTENT, "GET, HEAD"},
        {"/api/v1/login", "DELETE", true, HTTP_NEED_NOTHING, "GET, HEAD, POST, DELETE"},
        {"/api/v1/login", "GET,", false, HTTP_NEED_NOTHING, "GET, HEAD, POST, DELETE"},
        {"/api/v1/login", "EAD", false, HTTP_NEED_NOTHING, "GET, HEAD, POST, DELETE"},
        {"/api/v1/login", "", false, HTTP_NEED_NOTHING, "GET, HEAD, POST, DELETE"},
        {"/api/v1/uploads", "POST", true, HTTP_NEED_FILE, "POST"},
        {"/api/v1/uploads", "GET", false, HTTP_NEED_FILE, "POST"},
        {"/nothing", "PUT", true, HTTP_NEED_NOTHING, "*"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char methods[HTTP_ROUTE_METHODS_BYTES];
        http_route route = http_route_find(cases[i].path, cases[i].method);
        assert_int_equal(route.has_method, cases[i].has_method);
        assert_int_equal(route.line->need, cases[i].need);
        http_route_list_methods(&route, methods);
        assert_string_equal(methods, cases[i].allowed);
    }
}

static void
assert_disposition(const char *service, const char *instance, const char *expected)
{
    catalog_session session = {.service = (char *)(uintptr_t)service,
        .instance = (char *)(uintptr_t)instance,
        .start_wall_ns = 1767323045123456789};
    char disposition[HTTP_FILE_NAME_DISPOSITION_BYTES];
    http_file_name_format(&session, disposition);
    assert_string_equal(disposition, expected);
}

static void
test_file_names(void **state)
{
    (void)state;
    assert_disposition("shop", "host_2-a.b:4711",
        "attachment; filename=\"shop-host_2-a.b_4711-20260102T030405Z.jfr\"");
    assert_disposition("../../etc/passwd", "a\"; x=\"\r\nSet-Cookie: y\\",
        "attachment; filename=\"_._.._etc_passwd-a___x____Set-Cookie__y_-20260102T030405Z.jfr\"");
    assert_disposition("", "", "attachment; filename=\"--20260102T030405Z.jfr\"");
    assert_disposition("K\xc3\xa4se", "\xe2\x82\xac 1",
        "attachment; filename=\"K__se-____1-20260102T030405Z.jfr\"; "
        "filename*=UTF-8''K%C3%A4se-%E2%82%AC_1-20260102T030405Z.jfr");
    // Bytes that are not UTF-8 are not passed off as such.
    assert_disposition("K\xe4se", "1", "attachment; filename=\"K_se-1-20260102T030405Z.jfr\"");
}

static void
test_long_file_names_are_cut_between_characters(void **state)
{
    (void)state;
    char service[601] = "x"; // then 200 times the euro sign
    for (size_t i = 0; i < 199; i++) {
        memcpy(service + 1 + 3 * i, "\xe2\x82\xac", 4);
    }
    catalog_session session = {.service = service, .instance = service};
    char disposition[HTTP_FILE_NAME_DISPOSITION_BYTES];
    http_file_name_format(&session, disposition);
    // 96 bytes hold "x" and 31 whole characters, each part.
    int count = 0;
    for (const char *at = disposition; (at = strstr(at, "%E2%82%AC")) != NULL; at++) {
        count++;
    }
    assert_int_equal(count, 62);
    assert_non_null(strstr(disposition, "%AC-x%E2"));
    assert_non_null(strstr(disposition, "%AC-19700101T000000Z.jfr"));
}

static void
test_accept(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        bool expected;
    } cases[] = {
        {NULL, false},
        {"", false},
        {"*/*", false},
        {"text/plain", false},
        {"a/om", true},
        {"A/OM", true},
        {"a/omx", false},
        {"xa/om", false},
        {"a/om;q=0", false},
        {"a/om;q=0.000", false},
        {"a/om; version=1.0.0; q=0.001", true},
        {"a/om;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4,*/*;q=0.3", true},
        {"text/plain;q=0.4 , a/om ;q=0.4", true},
        {"text/plain;q=0.41,a/om;q=0.4", false},
        {"text/plain,a/om;q=0.999", false},
        {"a/om;q=0.1,a/om;q=0.9,text/plain;q=0.5", true},
        {"a/om;q=nonsense", false},
        {"a/om;q=1.7,text/plain", true},
        {",;,a/om;;,", true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(
            http_accept_prefers(cases[i].accept, "a/om", "text/plain"), cases[i].expected);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accept),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_long_file_names_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
