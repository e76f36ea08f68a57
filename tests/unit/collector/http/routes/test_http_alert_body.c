// SPDX-License-Identifier: Apache-2.0
// Bodies of webhooks: one that Alertmanager sent is read as it came; each firing alert of a service
// is a pin, once for a key; others are counted, and mistakes are named. Below a second.

#include "collector/http/routes/http_alert_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int64_t NOW = INT64_C(1796050800000000000); // 2026-11-30T15:00:00Z
static const int64_t MINUTE_NS = INT64_C(60000000000);

static lp_err
read_text(const char *text, const char *label, http_alert_body *out)
{
    lp_problem problem = {.text = ""};
    lp_err err = http_alert_body_read(
        (lp_slice){(const uint8_t *)text, strlen(text)}, label, NOW, out, &problem);
    assert_int_equal(err == LP_OK, problem.text[0] == '\0');
    return err;
}

// As Alertmanager 0.25 sends it.
static void
test_what_alertmanager_sends_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "{\"receiver\":\"loupe\",\"status\":\"firing\",\"alerts\":[{\"status\":\"firing\",\"la"
        "bels\":{\"alertname\":\"SlowRequests\",\"instance\":\"web-7:8080\",\"service\":\"c"
        "heckout\",\"severity\":\"page\"},\"annotations\":{\"summary\":\"p99 above 1 s\"},"
        "\"startsAt\":\"2026-11-30T14:55:00.123Z\",\"endsAt\":\"0001-01-01T00:00:00Z\","
        "\"generatorURL\":\"http://prometheus.example:9090/graph\",\"fingerprint\":\"2"
        "7fb248798dc458d\"},{\"status\":\"resolved\",\"labels\":{\"alertname\":\"SlowRequ"
        "ests\",\"instance\":\"web-8:8080\",\"service\":\"checkout\",\"severity\":\"page\"},"
        "\"annotations\":{\"summary\":\"p99 above 1 s\"},\"startsAt\":\"2026-11-30T14:55"
        ":00.123Z\",\"endsAt\":\"2026-11-30T14:59:30.918742Z\",\"generatorURL\":\"http:"
        "//prometheus.example:9090/graph\",\"fingerprint\":\"4f7a6a000af5cada\"}],\"g"
        "roupLabels\":{\"alertname\":\"SlowRequests\"},\"commonLabels\":{\"alertname\":\""
        "SlowRequests\",\"service\":\"checkout\",\"severity\":\"page\"},\"commonAnnotatio"
        "ns\":{\"summary\":\"p99 above 1 s\"},\"externalURL\":\"http://alertmanager.exa"
        "mple:9093\",\"version\":\"4\",\"groupKey\":\"{}:{alertname=\\\"SlowRequests\\\"}\","
        "\"truncatedAlerts\":0}\n";
    http_alert_body body;
    assert_int_equal(read_text(text, NULL, &body), LP_OK);
    assert_int_equal(body.pins.count, 1);
    assert_int_equal(body.resolved, 1);
    const pin *made = &body.pins.items[0];
    assert_string_equal(made->service, "checkout");
    assert_string_equal(made->reason, "SlowRequests: p99 above 1 s");
    int64_t start = INT64_C(1796050500123000000); // 14:55:00.123
    assert_true(made->from_wall_ns == start - 10 * MINUTE_NS);
    assert_true(made->to_wall_ns == start + 2 * MINUTE_NS);
    assert_true(made->made_wall_ns == NOW && made->selection.kind == PIN_ALL);
    assert_true(strncmp(made->key, "alert-", 6) == 0);
    assert_non_null(strstr(made->key, "-1796050500123000000"));
    http_alert_body_fini(&body);
    assert_int_equal(read_text(text, "instance", &body), LP_OK);
    assert_string_equal(body.pins.items[0].service, "web-7:8080");
    http_alert_body_fini(&body);
}

#define ALERT(labels, start)                                                                       \
    "{\"status\":\"firing\",\"labels\":{" labels "},\"startsAt\":\"" start "\"}"
#define BODY(alerts) "{\"version\":\"1\",\"groupKey\":\"g\",\"alerts\":[" alerts "]}"
#define RECENT       "2026-11-30T16:59:00.5+02:00"

static void
test_alerts_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t pins, old, without_service;
    } cases[] = {
        {BODY(""), 0, 0, 0},
        {BODY(ALERT("\"service\":\"a\"", RECENT)), 1, 0, 0},
        {BODY(ALERT("\"job\":\"a\"", RECENT)), 1, 0, 0},
        {BODY(ALERT("\"app\":\"a\"", RECENT)), 0, 0, 1},
        {BODY(ALERT("\"service\":\"\"", RECENT)), 0, 0, 1},
        {BODY(ALERT("\"service\":7", RECENT)), 0, 0, 1},
        {BODY(ALERT("\"service\":\"a\\u000ab\"", RECENT)), 0, 0, 1}, // two services
        {BODY(ALERT("\"service\":\"a\"", "2026-11-30T13:59:59Z")), 0, 1, 0},
        {BODY(ALERT("\"service\":\"a\"", "2026-11-30T15:00:09Z")), 1, 0, 0}, // clocks differ
        {BODY(ALERT("\"service\":\"a\",\"instance\":\"1\"", RECENT) "," ALERT(
             "\"service\":\"a\",\"instance\":\"2\"", RECENT)),
            1, 0, 0},
        {BODY(ALERT("\"service\":\"a\"", RECENT) "," ALERT("\"service\":\"b\"", RECENT)), 2, 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_alert_body body;
        assert_int_equal(read_text(cases[i].text, NULL, &body), LP_OK);
        assert_int_equal(body.pins.count, cases[i].pins);
        assert_int_equal(body.old, cases[i].old);
        assert_int_equal(body.without_service, cases[i].without_service);
        http_alert_body_fini(&body);
    }
}

static void
test_mistakes_are_named(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "7", "{}", "{\"version\":\"3\"}", "{\"version\":4}",
        "{\"version\":\"4\",\"alerts\":[]}", "{\"version\":\"4\",\"groupKey\":\"g\",\"alerts\":7}",
        BODY("7"), BODY("{}"), BODY(ALERT("", "yesterday"))};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        http_alert_body body;
        assert_int_equal(read_text(cases[i], NULL, &body), LP_ECORRUPT);
        http_alert_body_fini(&body);
    }
}

static void
test_the_alerts_of_a_body_are_bounded(void **state)
{
    (void)state;
    static char text[64 << 10];
    size_t len =
        (size_t)snprintf(text, sizeof(text), "{\"version\":\"4\",\"groupKey\":\"g\",\"alerts\":[");
    for (unsigned i = 0; i < HTTP_ALERTS_MAX + 3; i++) {
        len += (size_t)snprintf(text + len, sizeof(text) - len,
            "%s{\"status\":\"firing\",\"labels\":{\"job\":\"j%u\"},\"startsAt\":\"" RECENT "\"}",
            i == 0 ? "" : ",", i);
    }
    (void)snprintf(text + len, sizeof(text) - len, "]}");
    http_alert_body body;
    assert_int_equal(read_text(text, NULL, &body), LP_OK);
    assert_true(body.pins.count == HTTP_ALERTS_MAX && body.left_out == 3);
    http_alert_body_fini(&body);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_alertmanager_sends_is_read),
        cmocka_unit_test(test_alerts_are_counted),
        cmocka_unit_test(test_mistakes_are_named),
        cmocka_unit_test(test_the_alerts_of_a_body_are_bounded),
    };
    return cmocka_run_group_tests_name("http_alert_body", tests, NULL, NULL);
}
