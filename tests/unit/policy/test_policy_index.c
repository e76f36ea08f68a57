// SPDX-License-Identifier: Apache-2.0
// context-index: every way to write names of attributes, and texts that are none.

#include "policy/policy_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void
test_names(void **state)
{
    static const struct {
        const char *text;
        const char *names[4];
    } cases[] = {
        {"orderId", {"orderId"}},
        {"orderId,customer", {"orderId", "customer"}},
        {" a , b ,c  ", {"a", "b", "c"}},
        {"\"order id\",\"a,b\"", {"order id", "a,b"}},
        {"\"say \\\"hi\\\"\"", {"say \"hi\""}},
        {"\"off\"", {"off"}},
        {"off,a", {"off", "a"}},
        {"a=b, http.method", {"a=b", "http.method"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        policy_index *index;
        assert_true(policy_index_parse(cases[i].text, &index));
        assert_non_null(index);
        size_t count = 0;
        for (; count < 4 && cases[i].names[count] != NULL; count++) {
            assert_string_equal(index->attributes[count], cases[i].names[count]);
            assert_true(policy_index_has(index, cases[i].names[count]));
        }
        assert_int_equal(index->count, count);
        assert_false(policy_index_has(index, "other"));
        assert_false(policy_index_has(index, "ORDERID"));
        free(index);
    }
}

static void
test_off(void **state)
{
    (void)state;
    policy_index *index;
    assert_true(policy_index_parse("off", &index));
    assert_null(index);
    assert_false(policy_index_has(NULL, "off"));
}

static void
test_what_is_none(void **state)
{
    static const char *const texts[] = {
        "", " ", ",", "a,", "a, ", ",a", "a,,b", "a b", "\"a", "a\"b\"", "\"a\"b"};
    (void)state;
    policy_index *index;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_false(policy_index_parse(texts[i], &index));
        assert_null(index);
    }
    static const char most[] = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p";
    assert_true(policy_index_parse(most, &index));
    assert_int_equal(index->count, POLICY_INDEX_ATTRIBUTES_MAX);
    free(index);
    assert_false(policy_index_parse("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", &index));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_what_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
