// SPDX-License-Identifier: Apache-2.0
// context-match: every way to write an attribute and a value, and what they match.

#include "policy/policy_match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text;
    const char *attribute;
    const char *matching[4];
    const char *others[5];
} cases[] = {
    {"route=/checkout", "route", {"/checkout"}, {"", "/", "/checkout/", "/checkouT", "x/checkout"}},
    {"route=/api/*", "route", {"/api/", "/api/x", "/api/*"}, {"", "/api", "/API/", " /api/"}},
    {"route=*", "route", {"", "x", "*"}, {NULL}},
    {"route=\"\"", "route", {""}, {"x", "\"\""}},
    {"route=\"\"*", "route", {"", "x"}, {NULL}},
    {"route=\"*\"", "route", {"*"}, {"", "x", "**"}},
    {"route=\"a b\"", "route", {"a b"}, {"a", "a  b", "\"a b\""}},
    {"route=\"a b/\"*", "route", {"a b/", "a b/c"}, {"a b", "a b*"}},
    {"route=\"say \\\"hi\\\" \\\\o/\"", "route", {"say \"hi\" \\o/"}, {"say hi"}},
    {"route=a=b", "route", {"a=b"}, {"a", "b"}},
    {"route=C:\\x", "route", {"C:\\x"}, {"C:x"}},
    {"\"order id\"=7", "order id", {"7"}, {"70", "07"}},
    {"\"a=b\"=c*", "a=b", {"c", "cc"}, {"a=b"}},
    {"city=K\xc3\xb6ln", "city", {"K\xc3\xb6ln"}, {"Koln", "K\xc3\xb6l"}},
};

static bool
is_match(const policy_match *match, const char *text)
{
    return policy_match_is(match, (lp_slice){.ptr = (const uint8_t *)text, .len = strlen(text)});
}

static void
test_what_matches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_match *match = policy_match_parse(cases[i].text);
        assert_non_null(match);
        assert_string_equal(match->attribute, cases[i].attribute);
        for (size_t k = 0; k < 4 && cases[i].matching[k] != NULL; k++) {
            assert_true(is_match(match, cases[i].matching[k]));
        }
        for (size_t k = 0; k < 5 && cases[i].others[k] != NULL; k++) {
            assert_false(is_match(match, cases[i].others[k]));
        }
        free(match);
    }
}

static void
test_text_without_bytes(void **state)
{
    (void)state;
    policy_match *match = policy_match_parse("a=\"\"");
    assert_non_null(match);
    assert_true(policy_match_is(match, (lp_slice){0}));
    free(match);
    match = policy_match_parse("a=x*");
    assert_non_null(match);
    assert_false(policy_match_is(match, (lp_slice){0}));
    free(match);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_matches),
        cmocka_unit_test(test_text_without_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
