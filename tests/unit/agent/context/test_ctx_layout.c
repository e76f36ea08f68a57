// SPDX-License-Identifier: Apache-2.0
// The numbers that C and Java share: each is in the Java class as a constant, and in the text by
// which an agent and a loupe.jar of different builds notice. Expected values are those that the
// layout in ctx_record.h and ctx_rings.h is drawn with. That the Java side writes by them is tested
// with a JVM (tests/agent/rings.py).

#include "agent/context/ctx_layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct number {
    const char *type;
    const char *name;
    const char *value;
} number;

static const number expected[] = {
    {"int", "RECORD_THREAD_END", "3"},
    {"long", "RECORD_LOOSE", "1"},
    {"int", "HEADER_BYTES", "24"},
    {"int", "HEADER_TYPE_SHIFT", "32"},
    {"int", "HEADER_KIND_SHIFT", "48"},
    {"int", "HEADER_FLAGS_SHIFT", "56"},
    {"int", "HEADER_THREAD", "8"},
    {"int", "HEADER_TIME", "16"},
    {"long", "STRING_NULL", "4294967295"},
    {"int", "KIND_BOOLEAN", "1"},
    {"int", "KIND_HEX", "10"},
    {"int", "TYPE_ATTRIBUTES_MAX", "16"},
    {"int", "ROOT_KEY", "16"},
    {"int", "REQUEST_ROOTED", "1"},
    {"int", "TYPES_MAX", "35"},
    {"int", "RING_BYTES", "131072"},
    {"int", "MODE_UNKNOWN", "2"},
    {"long", "BUCKET_FACTOR", "-7046029254386353131"},
    {"int", "CONTROL_BYTES", "256"},
    {"int", "CONTROL_OWNER", "0"},
    {"int", "CONTROL_HEAD", "16"},
    {"int", "CONTROL_TAIL", "128"},
    {"int", "COMMON_FULL_AT", "32"},
};

static void
test_each_number_is_a_constant_of_java(void **state)
{
    (void)state;
    lp_buf java = {0};
    assert_int_equal(ctx_layout_put_java(&java), LP_OK);
    lp_buf_append(&java, "", 1);
    assert_non_null(strstr((char *)java.ptr, "package dev.loupe.internal.ring;\n"));
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        const number *n = &expected[i];
        char line[100];
        (void)snprintf(line, sizeof(line), "    public static final %s %s = %s%s;\n", n->type,
            n->name, n->value, strcmp(n->type, "long") == 0 ? "L" : "");
        assert_non_null(strstr((char *)java.ptr, line));
    }
    lp_buf_fini(&java);
}

static void
test_the_text_has_each_number_and_is_in_the_class(void **state)
{
    (void)state;
    lp_buf text = {0};
    lp_buf java = {0};
    assert_int_equal(ctx_layout_put_text(&text), LP_OK);
    assert_int_equal(ctx_layout_put_java(&java), LP_OK);
    lp_buf_append(&java, "", 1);
    assert_int_equal(strlen((char *)text.ptr) + 1, text.len);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        char word[100];
        (void)snprintf(word, sizeof(word), " %s=%s", expected[i].name, expected[i].value);
        assert_non_null(strstr((char *)text.ptr, word));
    }
    assert_non_null(strstr((char *)java.ptr, (char *)text.ptr));
    lp_buf_fini(&text);
    lp_buf_fini(&java);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_number_is_a_constant_of_java),
        cmocka_unit_test(test_the_text_has_each_number_and_is_in_the_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
