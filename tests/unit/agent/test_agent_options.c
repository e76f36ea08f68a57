// SPDX-License-Identifier: Apache-2.0
// Agent options: every key is read, the rest keeps its default, and whatever is wrong is named.

#include "agent/agent_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_defaults(void **state)
{
    (void)state;
    agent_options options;
    static const char *const nothing[] = {NULL, ""};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(agent_options_parse(nothing[i], &options, NULL), LP_OK);
        char pid[32];
        (void)snprintf(pid, sizeof(pid), ":%ld", (long)getpid());
        assert_string_equal(options.collectors[0], "tcp://127.0.0.1:7411");
        assert_string_equal(options.service, "unnamed");
        assert_string_equal(strchr(options.instance, ':'), pid);
        assert_string_equal(options.policy, "loupe");
        assert_string_equal(options.version, "");
        assert_string_equal(options.token, "");
        assert_false(agent_options_show_token(&options));
        assert_string_equal(options.denied, "");
        assert_false(options.has_all_fields);
        assert_int_equal(options.propagation, AGENT_PROPAGATE_TASKS);
        assert_int_equal(options.segment_s, 60);
        assert_int_equal(options.log_level, LP_LOG_INFO);
    }
}

static void
test_every_key_is_read(void **state)
{
    (void)state;
    agent_options options;
    assert_int_equal(
        agent_options_parse("collector=tcp://[::1]:1,service=a=b,instance=i,version=1.2,"
                            "policy=/p q/x.jfc,deny=jdk.A+com.*.B_$1,segment=86400,"
                            "log=debug,fields=all,token=@/run/t=1",
            &options, NULL),
        LP_OK);
    assert_string_equal(options.collectors[0], "tcp://[::1]:1");
    assert_string_equal(options.service, "a=b");
    assert_string_equal(options.instance, "i");
    assert_string_equal(options.version, "1.2");
    assert_string_equal(options.policy, "/p q/x.jfc");
    assert_string_equal(options.token, "@/run/t=1");
    assert_false(agent_options_show_token(&options));
    assert_string_equal(options.denied, "jdk.A+com.*.B_$1");
    assert_true(options.has_all_fields);
    assert_int_equal(options.segment_s, 86400);
    assert_int_equal(options.log_level, LP_LOG_DEBUG);
    assert_int_equal(agent_options_parse("propagate=threads", &options, NULL), LP_OK);
    assert_int_equal(options.propagation, AGENT_PROPAGATE_THREADS);
    assert_int_equal(agent_options_parse("propagate=off", &options, NULL), LP_OK);
    assert_int_equal(options.propagation, AGENT_PROPAGATE_OFF);
    assert_int_equal(agent_options_parse("propagate=tasks", &options, NULL), LP_OK);
    assert_int_equal(options.propagation, AGENT_PROPAGATE_TASKS);
    assert_int_equal(agent_options_parse("token=secret", &options, NULL), LP_OK);
    assert_true(agent_options_show_token(&options));
}

static void
test_options_of_tls_go_together(void **state)
{
    static const struct {
        const char *text;
        const char *why; // NULL: they do
    } cases[] = {
        {"collector=tls+tcp://a:1,ca=/ca.pem", NULL},
        {"ca=/ca.pem,key=/k,collector=tls+tcp://a:1,cert=/c", NULL},
        {"collector=tls+tcp://a:1,ca=/ca.pem,collector=tls+tcp://b:1", NULL},
        {"collector=tls+tcp://a:1,ca=/ca.pem,collector=tcp://b:1",
            "either all collectors use TLS, or none"},
        {"collector=tcp://a:1,ca=/ca.pem,collector=tls+tcp://b:1",
            "either all collectors use TLS, or none"},
        {"collector=tls+tcp://a:1", "tls+tcp://a:1 needs ca=FILE"},
        {"collector=tcp://a:1,ca=/ca.pem", "tcp://a:1 does not use TLS"},
        {"cert=/c,key=/k", "tcp://127.0.0.1:7411 does not use TLS"},
        {"collector=tls+tcp://a:1,ca=/ca.pem,cert=/c", "need each other"},
        {"collector=tls+tcp://a:1,ca=/ca.pem,key=/k", "need each other"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agent_options options;
        lp_problem problem;
        lp_err err = agent_options_parse(cases[i].text, &options, &problem);
        assert_int_equal(err, cases[i].why == NULL ? LP_OK : LP_ECORRUPT);
        if (cases[i].why == NULL) {
            assert_string_equal(options.ca, "/ca.pem");
        } else {
            assert_non_null(strstr(problem.text, cases[i].why));
        }
    }
}

static void
test_a_collector_without_a_scheme_is_one_by_tcp(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *collector;
    } cases[] = {
        {"collector=127.0.0.1:7411", "tcp://127.0.0.1:7411"},
        {"collector=collector.example:9", "tcp://collector.example:9"},
        {"collector=[::1]:7411", "tcp://[::1]:7411"},
        {"collector=ipc:///run/loupe", "ipc:///run/loupe"}, {"collector=tcp://a:1", "tcp://a:1"},
        {"collector=no-url", "no-url"}, // NNG refuses it, with its name
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agent_options options;
        assert_int_equal(agent_options_parse(cases[i].text, &options, NULL), LP_OK);
        assert_string_equal(options.collectors[0], cases[i].collector);
    }
}

static void
test_several_collectors_are_kept_in_order(void **state)
{
    (void)state;
    agent_options options;
    assert_int_equal(
        agent_options_parse("collector=a:1,service=s,collector=tcp://b:2", &options, NULL), LP_OK);
    assert_int_equal(options.collector_count, 2);
    assert_string_equal(options.collectors[0], "tcp://a:1");
    assert_string_equal(options.collectors[1], "tcp://b:2");
    char text[AGENT_COLLECTORS_MAX * 20 + 20] = "";
    for (int i = 0; i < AGENT_COLLECTORS_MAX; i++) {
        (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "collector=a:%d,", i);
    }
    assert_int_equal(agent_options_parse(text, &options, NULL), LP_OK);
    assert_int_equal(options.collector_count, AGENT_COLLECTORS_MAX);
    (void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "collector=b:1");
    lp_problem problem;
    assert_int_equal(agent_options_parse(text, &options, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "collector=b:1: an agent takes at most 16"));
}

static void
test_a_long_collector_keeps_its_end(void **state)
{
    (void)state;
    char text[AGENT_OPTION_BYTES_MAX];
    agent_options options;
    memset(text, 'x', sizeof(text));
    memcpy(text, "collector=", 10);
    memcpy(text + sizeof(text) - 4, ":99", 4);
    assert_int_equal(agent_options_parse(text, &options, NULL), LP_OK);
    assert_string_equal(options.collectors[0] + strlen(options.collectors[0]) - 4, "x:99");
}

static void
test_what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *named;
    } cases[] = {
        {"servce=x", "servce"},
        {"service", "service"},
        {"service=", "service"},
        {"=x", "=x"},
        {"service=x,,log=info", "key=value"},
        {"segment=0", "segment=0"},
        {"propagate=on", "propagate=on: not one of tasks, threads, off"},
        {"segment=86401", "segment=86401"},
        {"segment=1s", "segment=1s"},
        {"segment=99999999999999999999", "segment=9"},
        {"log=loud", "log=loud"},
        {"fields=every", "fields=every: not one of named, all"},
        {"deny=+jdk.A", "deny=+jdk.A: ''"},
        {"deny=jdk.A+", "deny=jdk.A+: ''"},
        {"deny=jdk.A+jdk.B;jdk.C", "'jdk.B;jdk.C'"},
        {"deny=jdk.A,jdk.B", "jdk.B"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agent_options options;
        lp_problem problem;
        assert_int_equal(agent_options_parse(cases[i].text, &options, &problem), LP_ECORRUPT);
        assert_non_null(strstr(problem.text, cases[i].named));
    }
}

static void
test_a_value_that_is_too_long_is_refused(void **state)
{
    (void)state;
    char text[AGENT_OPTION_BYTES_MAX + 1];
    agent_options options;
    memset(text, 'x', sizeof(text));
    memcpy(text, "service=", 8);
    text[AGENT_OPTION_BYTES_MAX] = '\0';
    assert_int_equal(agent_options_parse(text, &options, NULL), LP_ECORRUPT);
    text[AGENT_OPTION_BYTES_MAX - 1] = '\0';
    assert_int_equal(agent_options_parse(text, &options, NULL), LP_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_key_is_read),
        cmocka_unit_test(test_options_of_tls_go_together),
        cmocka_unit_test(test_a_collector_without_a_scheme_is_one_by_tcp),
        cmocka_unit_test(test_several_collectors_are_kept_in_order),
        cmocka_unit_test(test_a_long_collector_keeps_its_end),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_a_value_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
