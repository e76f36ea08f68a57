// SPDX-License-Identifier: Apache-2.0
// The language of the setting `filter`: what is one, what is none, and what matches.

#include "policy/policy_filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ctx_entry entries[] = {
    {.key = "endpoint", .value = {(const uint8_t *)"/pay", 4}},
    {.key = "user name", .value = {(const uint8_t *)"a \"b\" \\", 7}},
    {.key = "empty"},
    {.key = "null", .is_null = true},
};
static const ctx_recording map = {1, 4, entries};

static void
test_what_matches(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool matches_map;
        bool matches_none;
    } cases[] = {
        {"has-context", true, false}, {"has-no-context", false, true},
        {"  has-context  ", true, false}, {"has-context and has-no-context", false, false},
        {"has-key endpoint", true, false}, {"has-key endpoints", false, false},
        {"has-key \"endpoint\"", true, false}, {"has-key \"user name\"", true, false},
        {"has-key null", true, false}, {"has-key and", false, false},
        {"has-entry endpoint=/pay", true, false}, {"has-entry endpoint=/pa", false, false},
        {"has-entry endpoint=/payx", false, false}, {"has-entry endpoint=\"\"", false, false},
        {"has-entry empty=\"\"", true, false},
        {"has-entry null=\"\"", false, false}, // null is no text
        {"has-null null", true, false}, {"has-null empty", false, false},
        {"has-null other", false, false}, {"has-null \"null\" and has-context", true, false},
        {"has-entry null=null", false, false}, {"has-entry other=/pay", false, false},
        {"has-entry \"user name\"=\"a \\\"b\\\" \\\\\"", true, false},
        {"has-entry endpoint=/pay and has-key empty", true, false},
        {"has-entry endpoint=/pay and has-key none", false, false},
        {"has-key endpoint  and  has-context and has-entry empty=\"\"", true, false},
        {"has-entry a=b=c", false, false}, // the value is b=c
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        print_message("  %s\n", cases[i].text);
        policy_filter *filter;
        assert_int_equal(policy_filter_parse(cases[i].text, &filter), LP_OK);
        assert_int_equal(policy_filter_matches(filter, &map), cases[i].matches_map);
        assert_int_equal(policy_filter_matches(filter, NULL), cases[i].matches_none);
        free(filter);
    }
}

static void
test_what_is_none(void **state)
{
    (void)state;
    static const char *const cases[] = {"", " ", "has", "has-contexts", "has-context has-context",
        "has-context and", "and has-context", "has-context or has-key a", "has-key", "has-key ",
        "has-key \"a", "has-key a b", "has-null", "has-null a=b c", "has-key \"\"x", "has-entry a",
        "has-entry a=", "has-entry =b", "has-entry a b", "has-entry a =b", "has-entry a= b",
        "has-entry a=\"b", "has-keya", "HAS-CONTEXT", "has-context&has-key a", "has-key \"a\\\""};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        print_message("  %s\n", cases[i]);
        policy_filter *none;
        assert_int_equal(policy_filter_parse(cases[i], &none), LP_ECORRUPT);
    }
    char many[POLICY_FILTER_TERMS_MAX * 20 + 32] = "has-context";
    for (int i = 1; i < POLICY_FILTER_TERMS_MAX; i++) {
        strncat(many, " and has-context", 17);
    }
    policy_filter *filter;
    assert_int_equal(policy_filter_parse(many, &filter), LP_OK);
    free(filter);
    strncat(many, " and has-context", 17);
    assert_int_equal(policy_filter_parse(many, &filter), LP_ECORRUPT);
}

// A value that is longer than what is recorded matches what is recorded of it.
static void
test_texts_are_cut_as_those_of_contexts(void **state)
{
    (void)state;
    char text[2200];
    char value[CTX_RECORDING_TEXT_BYTES_MAX + 2];
    memset(value, 'x', sizeof(value));
    memcpy(
        value + CTX_RECORDING_TEXT_BYTES_MAX - 1, "\xc3\xbc", 2); // is not whole before the limit
    value[sizeof(value) - 1] = '\0';
    (void)snprintf(text, sizeof(text), "has-entry endpoint=%s", value);
    ctx_entry entry = {
        .key = "endpoint", .value = {(const uint8_t *)value, CTX_RECORDING_TEXT_BYTES_MAX - 1}};
    const ctx_recording long_map = {1, 1, &entry};
    policy_filter *filter;
    assert_int_equal(policy_filter_parse(text, &filter), LP_OK);
    assert_true(policy_filter_matches(filter, &long_map));
    entry.value.len--;
    assert_false(policy_filter_matches(filter, &long_map));
    free(filter);
}

static bool
find_in_map(const void *of, const char *key, ctx_entry *out_entry)
{
    const ctx_entry *entry = ctx_recording_find(of, key);
    if (entry != NULL) {
        *out_entry = *entry;
    }
    return entry != NULL;
}

static void
test_filters_are_joined_by_or(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool matches[3]; // of each filter; they are so many
        size_t count;
    } cases[] = {
        {"has-key endpoint", {true}, 1},
        {"  has-key none or has-null null  ", {false, true}, 2},
        {"has-key none and has-null null or has-key or or has-entry endpoint=/pay",
            {false, false, true}, 3},
        {"has-entry endpoint=\"/pay or\" or has-no-context or has-context", {false, false, true},
            3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_filter_any *any;
        assert_int_equal(policy_filter_any_parse(cases[i].text, &any), LP_OK);
        assert_int_equal(any->count, cases[i].count);
        for (size_t k = 0; k < any->count; k++) {
            assert_int_equal(policy_filter_matches(&any->items[k], &map), cases[i].matches[k]);
            assert_int_equal(policy_filter_matches_found(&any->items[k], find_in_map, &map),
                cases[i].matches[k]);
        }
        free(any);
    }
    static const char *const none[] = {"", "or", "has-key a or", "or has-key a",
        "has-key a or or has-key b", "has-key a orhas-key b"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        policy_filter_any *any;
        assert_int_equal(policy_filter_any_parse(none[i], &any), LP_ECORRUPT);
    }
    char many[POLICY_FILTERS_MAX * 20 + 32] = "has-key a";
    for (int i = 1; i < POLICY_FILTERS_MAX; i++) {
        strncat(many, " or has-key a", 14);
    }
    policy_filter_any *any;
    assert_int_equal(policy_filter_any_parse(many, &any), LP_OK);
    free(any);
    strncat(many, " or has-key a", 14);
    assert_int_equal(policy_filter_any_parse(many, &any), LP_ECORRUPT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_matches),
        cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_filters_are_joined_by_or),
        cmocka_unit_test(test_texts_are_cut_as_those_of_contexts),
    };
    return cmocka_run_group_tests_name("policy_filter", tests, NULL, NULL);
}
