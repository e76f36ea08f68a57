// SPDX-License-Identifier: Apache-2.0

// A caller has the rights of its rule, also after the rules change; without tokens it has all
// rights.

#include "collector/access/access_caller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_caller_keeps_its_rule(void **state)
{
    (void)state;
    static const char text[] =
        "shop read a,b "
        "sha256:9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f";
    static const char token[] = "0123456789abcdef";
    access_rules *rules;
    assert_int_equal(access_rules_parse("t", (lp_slice){(const uint8_t *)text, sizeof(text) - 1},
                         false, &rules, NULL),
        LP_OK);
    access_caller first = {.rules = rules,
        .rule =
            access_rules_find_token(rules, (lp_slice){(const uint8_t *)token, sizeof(token) - 1})};
    access_caller copy = access_caller_copy(&first);
    access_caller_fini(&first);
    assert_string_equal(access_caller_get_name(&copy), "shop");
    assert_true(access_caller_may(&copy, ACCESS_READ, "a"));
    assert_false(access_caller_may(&copy, ACCESS_READ, "c"));
    assert_false(access_caller_may(&copy, ACCESS_READ, NULL));
    assert_true(access_caller_has(&copy, ACCESS_READ));
    assert_false(access_caller_has(&copy, ACCESS_ADMIN));
    char names[5];
    assert_int_equal(access_caller_list(&copy, ACCESS_READ, ' ', names, 4), LP_ELIMIT);
    assert_int_equal(access_caller_list(&copy, ACCESS_READ, ' ', names, 5), LP_OK);
    assert_string_equal(names, "a b");
    assert_int_equal(access_caller_list(&copy, ACCESS_PIN, ' ', names, 5), LP_ENOENT);
    access_caller_fini(&copy);
}

static void
test_where_nobody_is_asked_all_may_everything(void **state)
{
    (void)state;
    access_caller anybody = {0};
    access_caller copy = access_caller_copy(&anybody);
    char names[5] = "x";
    assert_int_equal(access_caller_list(&copy, ACCESS_PIN, ' ', names, 5), LP_OK);
    assert_string_equal(names, "");
    assert_string_equal(access_caller_get_name(&copy), "");
    assert_true(access_caller_may(&copy, ACCESS_ADMIN, NULL));
    assert_true(access_caller_has(&copy, ACCESS_READ));
    access_caller_fini(&copy);
    access_caller_fini(&anybody);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_caller_keeps_its_rule),
        cmocka_unit_test(test_where_nobody_is_asked_all_may_everything),
    };
    return cmocka_run_group_tests_name("access_caller", tests, NULL, NULL);
}
