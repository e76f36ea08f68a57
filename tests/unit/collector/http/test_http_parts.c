// SPDX-License-Identifier: Apache-2.0
// The pure parts of the HTTP API: times, ranges, conditions, paths and file names. Expected values
// are written by hand (points in time were checked with GNU date).

#include "collector/http/http_file_name.h"
#include "collector/http/http_range.h"
#include "collector/http/http_route.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_times_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t wall_ns;
    } cases[] = {
        {"2026-01-02T03:04:05Z", 1767323045000000000},
        {"2026-01-02t03:04:05z", 1767323045000000000},
        {"2026-01-02 03:04:05Z", 1767323045000000000},
        {"2026-01-02T03:04:05.1Z", 1767323045100000000},
        {"2026-01-02T03:04:05.123456789Z", 1767323045123456789},
        {"2026-01-02T05:04:05+02:00", 1767323045000000000},
        {"2026-01-02T05:04:05 02:00", 1767323045000000000}, // '+' of a query, not escaped
        {"2026-01-01T21:34:05-05:30", 1767323045000000000},
        {"2024-02-29T00:00:00Z", 1709164800000000000},
        {"2016-12-31T23:59:60Z", 1483228800000000000}, // a leap second
        {"2262-04-11T23:47:16.854775807Z", INT64_MAX},
        {"1767323045000000000", 1767323045000000000},
        {"1000000000000000", 1000000000000000},
        {"1970-01-12T13:46:40Z", 1000000000000000},
        {"9223372036854775807", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t wall_ns = 0;
        assert_true(lp_time_parse(cases[i].text, &wall_ns));
        assert_true(wall_ns == cases[i].wall_ns);
    }
}

static void
test_what_is_no_time_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "now", "0", "1767323045", "1767323045000",
        "999999999999999", "9223372036854775808", "-1", "+1000000000000000", "1e18", " 1",
        "1970-01-12T13:46:39Z", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05Zx",
        "2026-00-02T03:04:05Z", "2026-13-02T03:04:05Z", "2026-01-00T03:04:05Z",
        "2026-01-32T03:04:05Z", "2025-02-29T03:04:05Z", "2026-01-02T24:04:05Z",
        "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+0100", "26-01-02T03:04:05Z",
        "2026-1-2T03:04:05Z", "2026-01-02T03:04:05\xc2\xa0Z", "2262-04-11T23:47:16.854775808Z",
        "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t wall_ns = 42;
        assert_false(lp_time_parse(cases[i], &wall_ns));
        assert_int_equal(wall_ns, 42);
    }
}

static void
test_times_are_written(void **state)
{
    (void)state;
    static const struct {
        int64_t wall_ns;
        const char *text;
        const char *compact;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000000000Z", "19700101T000000Z"},
        {-1, "1969-12-31T23:59:59.999999999Z", "19691231T235959Z"},
        {1767323045123456789, "2026-01-02T03:04:05.123456789Z", "20260102T030405Z"},
        {INT64_MAX, "2262-04-11T23:47:16.854775807Z", "22620411T234716Z"},
        {INT64_MIN, "1677-09-21T00:12:43.145224192Z", "16770921T001243Z"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[LP_TIME_BYTES];
        char compact[LP_TIME_COMPACT_BYTES];
        lp_time_format(cases[i].wall_ns, text);
        assert_string_equal(text, cases[i].text);
        lp_time_format_compact(cases[i].wall_ns, compact);
        assert_string_equal(compact, cases[i].compact);
    }
}

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
        http_route_kind kind;
        const char *id;
    } cases[] = {
        {"/api/v1/recordings", HTTP_ROUTE_LIST, ""},
        {"/api/v1/policies", HTTP_ROUTE_POLICIES, ""},
        {"/api/v1/policies/", HTTP_ROUTE_NONE, ""},
        {"/api/v1/policiesx", HTTP_ROUTE_NONE, ""},
        {"/api/v1/policies/check out", HTTP_ROUTE_POLICY, ""},
        {"/api/v1/policies/../a/b", HTTP_ROUTE_POLICY, ""},
        {"/metrics", HTTP_ROUTE_METRICS, ""},
        {"/healthz", HTTP_ROUTE_HEALTH, ""},
        {"/readyz", HTTP_ROUTE_READY, ""},
        {"/api/v1/recordings/0123456789abcdef0123456789abcdef", HTTP_ROUTE_SHOW,
            "0123456789abcdef0123456789abcdef"},
        {"/api/v1/recordings/0123456789abcdef0123456789abcdef.jfr", HTTP_ROUTE_DOWNLOAD,
            "0123456789abcdef0123456789abcdef"},
        {"/api/v1/recordings/0123456789ABCDEF0123456789abcdef", HTTP_ROUTE_SHOW, ""},
        {"/api/v1/recordings/.jfr", HTTP_ROUTE_DOWNLOAD, ""},
        {"/api/v1/recordings/..", HTTP_ROUTE_SHOW, ""},
        {"/api/v1/recordings/", HTTP_ROUTE_NONE, ""},
        {"/api/v1/recordings/a/b.jfr", HTTP_ROUTE_NONE, ""},
        {"/api/v1/recordingsx", HTTP_ROUTE_NONE, ""},
        {"/", HTTP_ROUTE_NONE, ""},
        {"", HTTP_ROUTE_NONE, ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_route route = http_route_of(cases[i].path);
        assert_int_equal(route.kind, cases[i].kind);
        assert_string_equal(route.session_id, cases[i].id);
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_are_read),
        cmocka_unit_test(test_what_is_no_time_is_refused),
        cmocka_unit_test(test_times_are_written),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_long_file_names_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
