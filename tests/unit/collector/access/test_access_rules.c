// SPDX-License-Identifier: Apache-2.0

// Rules of a file: the rights that each line gives, and a message with the line number for each
// wrong line. The hashes are those that sha256sum prints for the tokens.

#include "collector/access/access_rules.h"
#include "common/base/lp_buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Of "0123456789abcdef", of "fedcba9876543210", and of "short".
#define FIRST  "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"
#define SECOND "sha256:3465f6e6975baa864ca957f0914ecda9bf7eb601ac31ac20a5dc3d329279a843"
#define SHORT  "sha256:f9b0078b5df596d2ea19010c001bbd009e651de2c57e8fb7e355f31eb9d3f739"

static lp_slice
slice(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static access_rules *
parse(const char *text)
{
    access_rules *rules;
    lp_problem problem;
    lp_err err = access_rules_parse("tokens", slice(text), true, &rules, &problem);
    if (err != LP_OK) {
        fail_msg("%s", problem.text);
    }
    return rules;
}

static void
test_a_rule_gives_what_it_says(void **state)
{
    (void)state;
    access_rules *rules = parse("# NAME RIGHTS SERVICES SECRET\n"
                                "\n"
                                "shop ingest,read orders,carts " FIRST " # of today\n"
                                "\tops   admin * " SECOND "\r\n");
    assert_int_equal(access_rules_count(rules), 2);
    const access_rule *shop = access_rules_find_token(rules, slice("0123456789abcdef"));
    const access_rule *ops = access_rules_find_token(rules, slice("fedcba9876543210"));
    assert_string_equal(access_rule_get_name(shop), "shop");
    assert_string_equal(access_rule_get_name(ops), "ops");
    static const struct {
        bool is_ops;
        access_right right;
        const char *service;
        bool is_allowed;
    } cases[] = {
        {false, ACCESS_INGEST, "orders", true},
        {false, ACCESS_READ, "carts", true},
        {false, ACCESS_ADMIN, "carts", false},
        {false, ACCESS_READ, "cart", false},
        {false, ACCESS_READ, "cartss", false},
        {false, ACCESS_READ, "", false},
        {false, ACCESS_READ, "orders,carts", false},
        {false, ACCESS_READ, "*", false},
        {false, ACCESS_READ, NULL, false}, // all of them
        {true, ACCESS_ADMIN, NULL, true},
        {true, ACCESS_ADMIN, "anything at all", true},
        {true, ACCESS_READ, "orders", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(
            access_rule_allows(cases[i].is_ops ? ops : shop, cases[i].right, cases[i].service),
            cases[i].is_allowed);
    }
    assert_true(access_rule_has(shop, ACCESS_READ));
    assert_false(access_rule_has(ops, ACCESS_READ));
    access_rules_unref(rules);
}

static void
test_only_whole_tokens_are_found(void **state)
{
    (void)state;
    access_rules *rules = parse("\xef\xbb\xbfshop read * " FIRST "\nshop read * " SHORT);
    static const char *const wrong[] = {"", "0123456789abcde", "0123456789abcdef0",
        "0123456789abcdeF", "sha256:9f9f5111", "short"}; // too short to be one
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_null(access_rules_find_token(rules, slice(wrong[i])));
    }
    assert_non_null(access_rules_find_token(rules, slice("0123456789abcdef")));
    access_rules_unref(rules);
}

static void
test_a_name_may_have_two_tokens(void **state)
{
    (void)state;
    access_rules *rules = parse("shop read a " FIRST "\nshop read b " SECOND "\n");
    const access_rule *first = access_rules_find_token(rules, slice("0123456789abcdef"));
    const access_rule *second = access_rules_find_token(rules, slice("fedcba9876543210"));
    assert_string_equal(access_rule_get_name(first), access_rule_get_name(second));
    assert_true(access_rule_allows(first, ACCESS_READ, "a"));
    assert_false(access_rule_allows(first, ACCESS_READ, "b"));
    assert_ptr_equal(access_rules_find(rules, access_rule_get_key(second)), second);
    access_rules_unref(rules);
}

static void
test_a_certificate_is_found_by_its_whole_name(void **state)
{
    (void)state;
    access_rules *rules = parse("shop ingest a cert:agent-7.example\n"
                                "shop ingest b " FIRST "\n"
                                "odd ingest c cert:a%23%25%20b\n");
    const access_rule *shop = access_rules_find_cert(rules, "agent-7.example");
    assert_true(access_rule_allows(shop, ACCESS_INGEST, "a"));
    assert_false(access_rule_allows(shop, ACCESS_INGEST, "b"));
    assert_ptr_equal(access_rules_find(rules, access_rule_get_key(shop)), shop);
    assert_string_equal(access_rule_get_name(access_rules_find_cert(rules, "a#% b")), "odd");
    static const char *const others[] = {
        "agent-7", "agent-7.example.org", "AGENT-7.example", "0123456789abcdef", "", "cert:a"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_null(access_rules_find_cert(rules, others[i]));
    }
    assert_null(access_rules_find_cert(rules, NULL));
    // Nor is a name anybody's token, though its hash is a rule's.
    assert_null(access_rules_find_token(rules, slice("agent-7.example")));
    assert_null(access_rules_find_token(rules, slice("cert:agent-7.example")));
    access_rules_unref(rules);
}

static void
test_a_certificate_that_nobody_is_asked_for_is_a_mistake(void **state)
{
    (void)state;
    access_rules *rules;
    lp_problem problem;
    assert_int_equal(
        access_rules_parse("tokens", slice("a ingest * cert:a.example"), false, &rules, &problem),
        LP_ECORRUPT);
    assert_string_equal(problem.text, "tokens: line 1: expected sha256:HEX: cert:NAME needs "
                                      "--tls-client-ca, without which no agent "
                                      "shows a certificate");
}

static void
test_names_of_services_may_have_any_character(void **state)
{
    (void)state;
    access_rules *rules = parse("shop read my%20shop,a%2cb,50%25,k\xc3\xa4se " FIRST);
    const access_rule *rule = access_rules_find_token(rules, slice("0123456789abcdef"));
    assert_true(access_rule_allows(rule, ACCESS_READ, "my shop"));
    assert_true(access_rule_allows(rule, ACCESS_READ, "a,b"));
    assert_true(access_rule_allows(rule, ACCESS_READ, "50%"));
    assert_true(access_rule_allows(rule, ACCESS_READ, "k\xc3\xa4se"));
    assert_false(access_rule_allows(rule, ACCESS_READ, "a"));
    access_rules_unref(rules);
}

static void
test_mistakes_are_named_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *expected;
    } cases[] = {
        {"\nshop read *", "tokens: line 2: expected the four words NAME RIGHTS SERVICES SECRET"},
        {"shop read * " FIRST " more", "tokens: line 1: expected the four words"},
        {"shop write * " FIRST, "tokens: line 1: expected rights: ingest, read, pin and admin"},
        {"shop read,write * " FIRST, "tokens: line 1: expected rights"},
        {"shop read,read * " FIRST, "tokens: line 1: expected rights"},
        {"shop read, * " FIRST, "tokens: line 1: expected rights"},
        {"shop read a,,b " FIRST, "tokens: line 1: expected names of services"},
        {"shop read a% " FIRST, "tokens: line 1: expected names of services"},
        {"shop read a%0 " FIRST, "tokens: line 1: expected names of services"},
        {"shop read a%00b " FIRST, "tokens: line 1: expected names of services"},
        {"shop read caf\xe9 " FIRST, "tokens: line 1: expected names of services in UTF-8"},
        {"caf\xe9 read * " FIRST, "tokens: line 1: expected a name"},
        {"a23456789012345678901234567890123456789012345678901234567890123456 read * " FIRST,
            "tokens: line 1: expected a name of at most 64 bytes"},
        {"shop read * 0123456789abcdef", "tokens: line 1: expected sha256: and the 64 hexadecimal"},
        {"shop read * " FIRST "0", "tokens: line 1: expected sha256:"},
        {"shop read * sha256:xf9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f",
            "tokens: line 1: expected sha256:"},
        {"shop read * " FIRST "\n#\nops read * " FIRST,
            "tokens: line 3: expected a token or a certificate name that no other line has"},
        {"a ingest * cert:a.example\nb ingest * cert:a%2eexample",
            "tokens: line 2: expected a token or"},
        {"a read * cert:a.example", "tokens: line 1: expected the right ingest alone"},
        {"a ingest,read * cert:a.example", "tokens: line 1: expected the right ingest alone"},
        {"a ingest * cert:", "tokens: line 1: expected cert: and a name"},
        {"a ingest * cert:a%2", "tokens: line 1: expected cert: and a name"},
        {"a ingest * cert:caf\xe9", "tokens: line 1: expected cert: and a name"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        access_rules *rules;
        lp_problem problem;
        assert_int_equal(access_rules_parse("tokens", slice(cases[i].text), true, &rules, &problem),
            LP_ECORRUPT);
        if (strncmp(problem.text, cases[i].expected, strlen(cases[i].expected)) != 0) {
            fail_msg("'%s', not '%s'", problem.text, cases[i].expected);
        }
    }
    access_rules *rules;
    lp_problem problem;
    const lp_slice with_zero = {(const uint8_t *)"#\0", 2};
    assert_int_equal(access_rules_parse("tokens", with_zero, false, &rules, &problem), LP_ECORRUPT);
}

// make_many writes count rules with different tokens.
static void
make_many(lp_buf *text, unsigned count)
{
    char line[160];
    for (unsigned i = 0; i < count; i++) {
        int len = snprintf(line, sizeof(line), "name%u read service%u sha256:%064x\n", i, i, i);
        lp_buf_append(text, line, (size_t)len);
    }
}

static void
test_the_number_of_rules_has_a_limit(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 2; more++) {
        lp_buf text = {0};
        access_rules *rules = NULL;
        make_many(&text, ACCESS_RULES_MAX + more);
        assert_int_equal(access_rules_parse("tokens", lp_buf_slice(&text), false, &rules, NULL),
            more == 0 ? LP_OK : LP_ELIMIT);
        access_rules_unref(rules);
        lp_buf_fini(&text);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rule_gives_what_it_says),
        cmocka_unit_test(test_only_whole_tokens_are_found),
        cmocka_unit_test(test_a_name_may_have_two_tokens),
        cmocka_unit_test(test_a_certificate_is_found_by_its_whole_name),
        cmocka_unit_test(test_a_certificate_that_nobody_is_asked_for_is_a_mistake),
        cmocka_unit_test(test_names_of_services_may_have_any_character),
        cmocka_unit_test(test_mistakes_are_named_with_their_line),
        cmocka_unit_test(test_the_number_of_rules_has_a_limit),
    };
    return cmocka_run_group_tests_name("access_rules", tests, NULL, NULL);
}
