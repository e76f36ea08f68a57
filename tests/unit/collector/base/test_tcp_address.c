// SPDX-License-Identifier: Apache-2.0
// Addresses to listen at or to ask: each form is read, and what is none is refused.

#include "collector/base/tcp_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_each_form_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *host;
        const char *port;
    } cases[] = {
        {"127.0.0.1:7412", "127.0.0.1", "7412"},
        {"collector.example:0", "collector.example", "0"},
        {":65535", "", "65535"},
        {"[::1]:7412", "::1", "7412"},
        {"[]:1", "", "1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcp_address found;
        assert_true(tcp_address_parse(cases[i].text, &found));
        assert_string_equal(found.host, cases[i].host);
        assert_string_equal(found.port, cases[i].port);
    }
}

static void
test_what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", ":", "7412", "host", "host:", "host:x", "host:1x",
        "host:65536", "host:000001", "host:-1", "::1:7412", "[::1]", "[::1:7412", "host: 1"};
    tcp_address found;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        assert_false(tcp_address_parse(texts[i], &found));
    }
}

static void
test_a_host_has_a_limit(void **state)
{
    (void)state;
    char text[TCP_ADDRESS_HOST_BYTES_MAX + sizeof("x:1")];
    tcp_address found;
    memset(text, 'h', sizeof(text));
    memcpy(text + TCP_ADDRESS_HOST_BYTES_MAX, ":1", sizeof(":1"));
    assert_true(tcp_address_parse(text, &found));
    assert_int_equal(strlen(found.host), TCP_ADDRESS_HOST_BYTES_MAX);
    memcpy(text + TCP_ADDRESS_HOST_BYTES_MAX, "h:1", sizeof("h:1"));
    assert_false(tcp_address_parse(text, &found));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_form_is_read),
        cmocka_unit_test(test_what_is_none_is_refused),
        cmocka_unit_test(test_a_host_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
