// SPDX-License-Identifier: Apache-2.0
// The parameters of requests: unknown ones, repeated ones and bad values are refused with a message
// that names the parameter.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
expect_refusal(const http_fixture *f, const char *method, const char *path, const char *hint)
{
    http_answer answer = http_client_ask(f->port, method, path, "");
    lp_buf_append(&answer.body, "", 1);
    if (answer.status != 400 || strstr((const char *)answer.body.ptr, hint) == NULL) {
        fail_msg("%s %s: %d: '%s' does not say '%s'", method, path, answer.status,
            (const char *)answer.body.ptr, hint);
    }
    http_answer_fini(&answer);
}

static void
test_bad_parameters_are_refused(void **state)
{
    static const struct {
        const char *query;
        const char *hint;
    } cases[] = {
        {"?serivce=shop",
            "unknown parameter 'serivce': use service, instance, version, from or to"},
        {"?from=yesterday", "from must be a time such as"},
        {"?from", "from must be"},
        {"?to=", "to must be"},
        {"?to=2026-13-01T00:00:00Z", "to must be"},
        {"?to=1767323045123", "nanoseconds"}, // milliseconds
        {"?from=-1", "from must be"},
        {"?from=99999999999999999999", "from must be"},
        {"?from=2026-01-02T00:00:00Z&from=2026-01-02T00:00:00Z", "once"},
        {"?service=a&service=b", "service must be given once"},
        {"?from=2026-01-02T00:00:01Z&to=2026-01-02T00:00:00Z", "from is after to"},
        {"?service=a&%3Cscript%3E=1", "unknown parameter '<script>'"},
    };
    const http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char path[200];
        (void)snprintf(path, sizeof(path), "/api/v1/recordings%s", cases[i].query);
        expect_refusal(f, "GET", path, cases[i].hint);
    }
}

// A path without parameters refuses one before it does anything.
static void
test_parameters_where_there_are_none_are_refused(void **state)
{
    static const struct {
        const char *method;
        const char *path;
    } cases[] = {
        {"GET", "/api/v1/collector?x=1"},
        {"GET", "/api/v1/login?x=1"},
        {"POST", "/api/v1/login?x=1"},
        {"DELETE", "/api/v1/login?x=1"},
        {"GET", "/api/v1/policies?x=1"},
        {"GET", "/api/v1/policies/shop?x=1"},
        {"GET", "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?x=1"},
        {"DELETE", "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?x=1"},
    };
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expect_refusal(
            f, cases[i].method, cases[i].path, "unknown parameter 'x': this path takes none");
    }
    assert_int_equal(f->server.last_ticket, 0);
    http_answer metrics = http_client_ask(f->port, "GET", "/metrics?x=1", "");
    assert_int_equal(metrics.status, 200);
    http_answer_fini(&metrics);
}

static void
test_bad_download_parameters_are_refused(void **state)
{
    static const char path[] = "/api/v1/recordings/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.jfr";
    static const char *const cases[][2] = {
        {"style=events", "unknown parameter 'style': use context-style or sample-contexts"},
        {"sample-contexts=perhaps", "sample-contexts must be"},
        {"sample-contexts=true&sample-contexts=true", "sample-contexts must be given once"},
        {"context-style=x", "context-style"},
    };
    http_fixture *f = *state;
    catalog_session session = http_fixture_session('a', "shop");
    http_fixture_put(f, &session);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char target[200];
        (void)snprintf(target, sizeof(target), "%s?%s", path, cases[i][0]);
        expect_refusal(f, "GET", target, cases[i][1]);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bad_parameters_are_refused),
        TEST(test_parameters_where_there_are_none_are_refused),
        TEST(test_bad_download_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
