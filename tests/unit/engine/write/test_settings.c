// SPDX-License-Identifier: Apache-2.0
// The policy as jdk.ActiveSetting events: one for each setting of Loupe's and each event type of
// the chunk, and none if their type is missing or disabled.

#include "support/compact_run.h"
#include "support/ctx_build.h"
#include "support/jfr_sample.h"

#include "engine/compact.h"
#include "engine/write/type_ids.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SETTING = 500 };

static const jfr_build_type setting_type = {.id = SETTING,
    .name = "jdk.ActiveSetting",
    .super = "jdk.jfr.Event",
    .fields = {{.name = "startTime", .type = JFR_SAMPLE_LONG},
        {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
        {.name = "id", .type = JFR_SAMPLE_LONG}, {.name = "name", .type = JFR_SAMPLE_STRING},
        {.name = "value", .type = JFR_SAMPLE_STRING}}};

#define IF_CONTEXT                                                                                 \
    "<event name='test.Plain'>"                                                                    \
    "<setting name='enabled'>true</setting><setting name='threshold'>5 ms</setting>"               \
    "<setting name='select'>if-context</setting><setting name='throttle'>3/s</setting></event>"

// A context type of the Loupe API, of which the chunk has a context.
static const ctx_type order = {.id = 1,
    .name = (char[]){"shop.Order"},
    .label = (char[]){""},
    .description = (char[]){""},
    .attribute_count = 1,
    .attributes = {{CTX_STRING, (char[]){"orderId"}, (char[]){""}, (char[]){""}}}};

static void
add_context(jfr_build *build, lp_buf *records)
{
    jfr_sample_thread(build, 1, 11);
    jfr_sample_event(
        build, &(jfr_sample){.type = JFR_SAMPLE_MARK, .start = 150, .thread = 1}); // triggers it
    lp_buf values = {0};
    ctx_build_latin1(&values, "a-7");
    ctx_build_record(records, CTX_RECORD_SET, 1, 11, 120, &values);
    ctx_build_record(records, CTX_RECORD_UNSET, 1, 11, 180, NULL);
    lp_buf_fini(&values);
}

// expect_settings compacts a chunk that has the types of jfr_sample, and jdk.ActiveSetting where
// has_type, by the policy; and expects these events there, each "type id name=value\n". Before
// them, unless it is NULL, comes the one that tells which policy that was.
static void
expect_settings(const char *rules, bool has_type, bool is_asked, const char *want)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + 1];
    size_t count = jfr_sample_types(types);
    types[count] = setting_type;
    jfr_build build;
    jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = 100});
    jfr_build_metadata(&build, 1, types, count + has_type);
    lp_buf records = {0};
    add_context(&build, &records);
    jfr_build_checkpoint(&build);
    policy *p = compact_run_policy(rules);
    const compact_source source = {.jfr = jfr_build_finish(&build),
        .records = lp_buf_slice(&records),
        .types = &order,
        .type_count = 1};
    const compact_options options = {.policy = p, .has_settings = is_asked, .has_requests = true};
    compact_result result = {0};
    compact_run_with(&source, 1, &options, &result);
    jfr_read read;
    jfr_read_open(&read, lp_buf_slice(&result.jfr));
    lp_buf text = {0};
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        if (strcmp(jfr_read_name(&read, event), "jdk.ActiveSetting") != 0) {
            continue;
        }
        assert_int_equal(jfr_read_number(&read, event, "startTime"), 100);
        assert_true(jfr_read_value(&read, event, "id", &text));
        lp_buf_append(&text, " ", 1);
        assert_true(jfr_read_value(&read, event, "name", &text));
        lp_buf_append(&text, "=", 1);
        assert_true(jfr_read_value(&read, event, "value", &text));
        lp_buf_append(&text, "\n", 1);
    }
    lp_buf_append(&text, "", 1);
    char expected[600] = "";
    if (want != NULL) {
        (void)snprintf(expected, sizeof(expected), "%" PRIu64 " \"policy\"=\"%s\"\n%s",
            setting_type.id, policy_get_path(p), want);
    }
    assert_string_equal((const char *)text.ptr, expected);
    lp_buf_fini(&text);
    jfr_read_close(&read);
    compact_result_fini(&result);
    policy_destroy(p);
    jfr_build_fini(&build);
    lp_buf_fini(&records);
}

static void
test_what_is_loupe_s_to_heed_is_told(void **state)
{
    (void)state; // enabled and threshold are the JVM's
    expect_settings(
        IF_CONTEXT, true, true, "101 \"select\"=\"if-context\"\n101 \"throttle\"=\"3/s\"\n");
}

// context-index makes stored ids searchable. It is the only setting of API contexts.
static void
test_which_attributes_are_ids_is_told(void **state)
{
    (void)state;
    char want[200];
    (void)snprintf(want, sizeof(want),
        "102 \"context-index\"=\"customer\"\n%d \"context-index\"=\"orderId\"\n",
        COMPACT_TYPE_IDS_CONTEXTS + 1);
    expect_settings("<event name='test.Trace'><setting name='context-index'>customer</setting>"
                    "</event><event name='shop.Order'>"
                    "<setting name='context-threshold'>1 ns</setting>"
                    "<setting name='context-index'>orderId</setting></event>",
        true, true, want);
}

static void
test_the_rules_of_requests_are_told(void **state)
{
    (void)state;
    char want[200];
    (void)snprintf(want, sizeof(want), "%d \"request-keep\"=\"whole\"\n%d \"keep-slow\"=\"off\"\n",
        COMPACT_TYPE_IDS_REQUEST, COMPACT_TYPE_IDS_REQUEST);
    expect_settings("<event name='dev.loupe.Request'><setting name='keep-slow'>1 s</setting>"
                    "<setting name='keep-slow'>soon</setting>"
                    "<setting name='request-keep'>whole</setting></event>",
        true, true, want);
}

static void
test_nothing_is_told_without_being_asked_or_without_a_type(void **state)
{
    (void)state;
    expect_settings(IF_CONTEXT, true, false, NULL);
    expect_settings(IF_CONTEXT, false, true, NULL);
    expect_settings("", true, true, "");
}

static void
test_a_policy_can_disable_them(void **state)
{
    (void)state;
    expect_settings(IF_CONTEXT "<event name='jdk.ActiveSetting'>"
                               "<setting name='enabled'>false</setting></event>",
        true, true, NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_loupe_s_to_heed_is_told),
        cmocka_unit_test(test_which_attributes_are_ids_is_told),
        cmocka_unit_test(test_the_rules_of_requests_are_told),
        cmocka_unit_test(test_nothing_is_told_without_being_asked_or_without_a_type),
        cmocka_unit_test(test_a_policy_can_disable_them),
    };
    return cmocka_run_group_tests_name("compact_settings", tests, NULL, NULL);
}
