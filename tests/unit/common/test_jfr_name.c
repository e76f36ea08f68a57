// SPDX-License-Identifier: Apache-2.0

// Type names: what Java allows stays as it is, all else becomes something that Java allows.

#include "common/jfr/jfr_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *want;
    } cases[] = {
        {"Trace", "Trace"},
        {"com.acme.Trace$Inner_1", "com.acme.Trace$Inner_1"},
        {"tracer-context", "tracer_context"},
        {"a b/c", "a_b_c"},
        {"2fast.2furious", "_2fast._2furious"},
        {"", "__"},
        {".", "__.__"},
        {"a..b", "a.__.b"},
        {"-", "__"},
        {"_", "__"},
        {"class", "class_"},
        {"my.default.true", "my.default_.true_"},
        {"classes", "classes"},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
            "gr__e"},
        {"\xf0\x9f\x98\x80", "__"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf out = {0};
        print_message("  '%s'\n", cases[i].name);
        jfr_type_name_append(&out, cases[i].name);
        lp_buf_append(&out, "", 1);
        assert_int_equal(lp_buf_check(&out), LP_OK);
        assert_string_equal((const char *)out.ptr, cases[i].want);
        lp_buf_fini(&out);
    }
}

static void
test_field_names_are_one_identifier(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a.b", "a_b"}, {"user", "user"}, {"7 days", "_7_days"}, {"class", "class_"}, {".", "__"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf out = {0};
        jfr_field_name_append(&out, cases[i][0]);
        lp_buf_append(&out, "", 1);
        assert_int_equal(lp_buf_check(&out), LP_OK);
        assert_string_equal((const char *)out.ptr, cases[i][1]);
        lp_buf_fini(&out);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_field_names_are_one_identifier),
    };
    return cmocka_run_group_tests_name("jfr_name", tests, NULL, NULL);
}
