// SPDX-License-Identifier: Apache-2.0

// Type names: what Java allows stays as it is, all else becomes something that Java allows.

#include "common/jfr/jfr_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
        {"i\x80"
         "f",
            "if_"}, // a stray byte
        {"\x80-", "__"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf out = {0};
        print_message("  '%s'\n", cases[i].name);
        jfr_type_name_append(&out, cases[i].name);
        lp_buf_append(&out, "", 1);
        assert_int_equal(lp_buf_check(&out), LP_OK);
        assert_string_equal((const char *)out.ptr, cases[i].want);
        lp_buf_fini(&out);
        char copy[32];
        jfr_type_name_copy(copy, sizeof(copy), cases[i].name);
        assert_string_equal(copy, cases[i].want);
        jfr_type_name_copy(copy, 3, cases[i].name);
        assert_int_equal(strncmp(copy, cases[i].want, 2), 0);
        assert_true(strlen(copy) <= 2);
    }
}

// By jdk.jfr.internal.Type of JDK 17 and jdk.internal.module.Checks of JDK 25.
static void
test_what_readers_take_for_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_class;
        bool is_read;
    } cases[] = {
        {"jdk.ThreadPark", true, true}, {"com.acme.Trace$Inner_1", true, true},
        {"gr\xc3\xb6\xc3\x9f"
         "er.\xe6\xa9\x9f",
            true, true},
        {"e\xcc\x81t\xc3\xa9", true, true}, // with an accent of its own
        {"\xcc\x81", false, false},         // which begins no name
        {"a.int", false, true}, {"int", false, true}, {"_", false, true}, {"a..b", false, true},
        {"a.", false, true}, {"a.7", false, true}, {".a", false, false}, {"7", false, false},
        {"", false, false}, {"a b", false, false}, {"a-b", false, false},
        {"\xe2\x86\x92", false, false},     // an arrow
        {"\xf0\x9d\x92\x9c", false, false}, // a letter beyond U+FFFF
        {"a\xef\xbf\xbd", false, false},    // what no character is read as
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        print_message("  '%s'\n", cases[i].name);
        assert_int_equal(jfr_type_name_is_class(cases[i].name), cases[i].is_class);
        assert_int_equal(jfr_type_name_is_read(cases[i].name), cases[i].is_read);
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
        cmocka_unit_test(test_what_readers_take_for_names),
        cmocka_unit_test(test_field_names_are_one_identifier),
    };
    return cmocka_run_group_tests_name("jfr_name", tests, NULL, NULL);
}
