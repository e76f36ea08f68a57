// SPDX-License-Identifier: Apache-2.0
// URLs of logs: what each part becomes, and what is refused.

#include "collector/cluster/log_url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_what_parts_become(void **state)
{
    (void)state;
    static const struct {
        const char *text, *brokers, *topic, *group, *config;
    } rows[] = {
        {"kafka://broker/loupe", "broker", "loupe", "loupe", ""},
        {"kafka://a.example:9092,b:9093,[::1]:9094/x.y_z-1", "a.example:9092,b:9093,[::1]:9094",
            "x.y_z-1", "loupe", ""},
        {"kafka://a/t?group=g-1", "a", "t", "g-1", ""},
        {"kafka://a/t?config=/etc/loupe/kafka.properties", "a", "t", "loupe",
            "/etc/loupe/kafka.properties"},
        {"kafka://a/t?config=/a=b c&group=g", "a", "t", "g", "/a=b c"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        log_url url;
        assert_int_equal(log_url_parse(rows[i].text, &url, NULL), LP_OK);
        assert_string_equal(url.brokers, rows[i].brokers);
        assert_string_equal(url.topic, rows[i].topic);
        assert_string_equal(url.group, rows[i].group);
        assert_string_equal(url.config, rows[i].config);
    }
}

static void
test_what_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "broker/loupe", "/data/journal", "KAFKA://a/t",
        "kafka://", "kafka://a", "kafka://a/", "kafka:///t", "kafka://a?group=g", "kafka://a b/t",
        "kafka://u@a/t", "kafka://a/t/u", "kafka://a/t u", "kafka://a/.", "kafka://a/..",
        "kafka://a/t\xc3\xa4", "kafka://a/t?", "kafka://a/t?group",
        "kafka://a/t?group=", "kafka://a/t?group=a/b", "kafka://a/t?config=", "kafka://a/t?acks=1",
        "kafka://a/t?group=g&"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        log_url url = {.topic = "as before"};
        lp_problem problem = {0};
        if (log_url_parse(rows[i], &url, &problem) != LP_ECORRUPT || problem.text[0] == '\0') {
            fail_msg("'%s' is taken", rows[i]);
        }
        assert_string_equal(url.topic, "as before");
    }
}

static void
test_names_have_a_limit(void **state)
{
    (void)state;
    char text[LOG_URL_NAME_BYTES + 40];
    log_url url;
    for (int chars = LOG_URL_NAME_BYTES - 1; chars <= LOG_URL_NAME_BYTES; chars++) {
        char name[LOG_URL_NAME_BYTES + 1] = "";
        memset(name, 't', (size_t)chars);
        (void)snprintf(text, sizeof(text), "kafka://a/%s", name);
        lp_err expected = chars < LOG_URL_NAME_BYTES ? LP_OK : LP_ECORRUPT;
        assert_int_equal(log_url_parse(text, &url, NULL), expected);
        (void)snprintf(text, sizeof(text), "kafka://a/t?group=%s", name);
        assert_int_equal(log_url_parse(text, &url, NULL), expected);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_parts_become),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_names_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
